//! Options of The Great Dalmuti.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::deck;
use crate::ground::rng::Draw;
use crate::ground::rules::{OptionDoc, RulesError, choices, option};

/// Which ranks are left out of the deck.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Strip {
    /// None.
    #[default]
    None,
    /// As the rules recommend: 11 and 12 for four players, 12 for five, none for more.
    Recommended,
    /// These, as bits: bit `r` for rank `r`, 1 to 12.
    Ranks(u16),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StripText {
    Word(String),
    Ranks(Vec<u8>),
}

impl Serialize for Strip {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::None => StripText::Word("none".into()),
            Self::Recommended => StripText::Word("recommended".into()),
            Self::Ranks(bits) => StripText::Ranks((1..=12).filter(|r| bits >> r & 1 == 1).collect()),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Strip {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wrong =
            || serde::de::Error::custom("expected \"none\", \"recommended\" or a list of ranks 1..=12");
        match StripText::deserialize(deserializer)? {
            StripText::Word(word) if word == "none" => Ok(Self::None),
            StripText::Word(word) if word == "recommended" => Ok(Self::Recommended),
            StripText::Ranks(ranks) if ranks.iter().all(|r| (1..=12).contains(r)) => {
                Ok(Self::Ranks(ranks.iter().fold(0, |bits, r| bits | 1 << r)))
            }
            _ => Err(wrong()),
        }
    }
}

choices! {
    /// When the Dalmutis choose what to give back.
    TaxVisibility {
        /// From their dealt hands, before they see the tribute; all cards move at once.
        Sealed,
        /// After the tribute has arrived; it may be handed straight back.
        Seen,
    }
}

choices! {
    /// The exchange between Merchants during taxation.
    MerchantExchange {
        /// There is none.
        Off,
        /// Both Merchants choose the card they give, unseen.
        BlindChoice,
        /// The proposer chooses, and draws a random card of the other's dealt hand.
        BlindRandom,
    }
}

/// How hands are scored.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// Not at all.
    None,
    /// One point per player beaten.
    #[default]
    Standard,
    /// As standard, and a point for a Dalmuti whose Peon rises.
    Philanthropic,
}

choices! {
    /// Who sits where in the first hand.
    Seating {
        /// As the draw for seats decides: a uniformly random order.
        Random,
        /// Seat 0 is the Greater Dalmuti, and so on.
        Fixed,
    }
}

choices! {
    /// Whether observation rows show how many cards the others hold.
    HandCountView {
        /// Yes.
        Public,
        /// No (they can still be worked out from the cards played).
        Hidden,
    }
}

choices! {
    /// What a learner maximises.
    Reward {
        /// 1 for first place, −1 for last, evenly spaced.
        RankLinear,
        /// The points of the hand.
        Score,
    }
}

/// The rules of a session of The Great Dalmuti.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Number of players, 4 to 12.
    pub players: u8,
    /// Ranks left out of the deck.
    pub strip: Strip,
    /// No taxes in the first hand of a session.
    pub first_deal_revolution: bool,
    /// When the Dalmutis choose what to give back.
    pub tax_visibility: TaxVisibility,
    /// The exchange between Merchants, from six players on.
    pub merchant_exchange: MerchantExchange,
    /// Probability per hand that one dealt card is exposed, 0 to 1.
    pub misdeal_prob: f64,
    /// How hands are scored.
    pub scoring: Scoring,
    /// Hands in a session, 1 to 1000.
    pub hands: u16,
    /// Who sits where in the first hand.
    pub seating: Seating,
    /// Whether rows show the others' card counts.
    pub hand_count_view: HandCountView,
    /// What a learner maximises.
    pub reward: Reward,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            players: 5,
            strip: Strip::None,
            first_deal_revolution: false,
            tax_visibility: TaxVisibility::Sealed,
            merchant_exchange: MerchantExchange::Off,
            misdeal_prob: 0.0,
            scoring: Scoring::Standard,
            hands: 20,
            seating: Seating::Random,
            hand_count_view: HandCountView::Public,
            reward: Reward::RankLinear,
        }
    }
}

impl crate::ground::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = &[
        option("players", "a whole number, 4 to 12 (default 5)", "Number of players."),
        option(
            "strip",
            "\"none\", \"recommended\" or a list of ranks from 1 to 12 (default \"none\")",
            "Ranks left out of the deck. Recommended: 11 and 12 for four players, 12 for five, none for more. \
             Every player must still be dealt at least 6 cards.",
        ),
        option(
            "first_deal_revolution",
            "true or false (default false)",
            "The first hand of a session has no taxes; only the Greater Peon may still call a (greater) revolution in it.",
        ),
        option(
            "tax_visibility",
            "\"sealed\" or \"seen\" (default \"sealed\")",
            "Whether the Dalmutis choose what to give back before (sealed) or after (seen) they see the tribute.",
        ),
        option(
            "merchant_exchange",
            "\"off\", \"blind_choice\" or \"blind_random\" (default \"off\")",
            "Whether the highest Merchant may swap a card with another one, who chooses his card (blind_choice) or has \
             it drawn from his hand (blind_random). Six players or more.",
        ),
        option(
            "misdeal_prob",
            "a number, 0.0 to 1.0 (default 0.0)",
            "Probability per hand that a card is exposed while dealing; the Greater Dalmuti decides whether it goes to \
             the Greater Peon.",
        ),
        option(
            "scoring",
            "\"none\", \"standard\" or \"philanthropic\" (default \"standard\")",
            "Points per hand: none, one per player beaten, or that plus one for a Dalmuti whose Peon rises.",
        ),
        option("hands", "a whole number, 1 to 1000 (default 20)", "Hands in a session."),
        option(
            "seating",
            "\"random\" or \"fixed\" (default \"random\")",
            "First seating: at random, or seat 0 as the Greater Dalmuti and so on.",
        ),
        option(
            "hand_count_view",
            "\"public\" or \"hidden\" (default \"public\")",
            "Whether observation rows show how many cards the others hold.",
        ),
        option(
            "reward",
            "\"rank_linear\" or \"score\" (default \"rank_linear\")",
            "What a learner maximises per hand: 1 for first place down to -1 for last, or the points.",
        ),
    ];
    const PLAYERS: std::ops::RangeInclusive<u8> = 4..=12;
    const ROUNDS_OPTION: &'static str = "hands";

    fn check(&self) -> Result<(), RulesError> {
        if !Self::PLAYERS.contains(&self.players) {
            return Err(Self::refused("players", self.players));
        }
        if !(0.0..=1.0).contains(&self.misdeal_prob) {
            return Err(Self::refused("misdeal_prob", self.misdeal_prob));
        }
        if !(1..=1000).contains(&self.hands) {
            return Err(Self::refused("hands", self.hands));
        }
        let smallest = deck::composition(self).total() / u32::from(self.players);
        if smallest < 6 {
            let given = serde_json::json!(self.strip);
            let expected = format!(
                "this leaves only {smallest} cards for some of the {} players; strip fewer ranks so that everybody \
                 gets at least 6",
                self.players
            );
            return Err(RulesError::invalid("strip", given, expected));
        }
        if self.scoring == Scoring::None && self.reward == Reward::Score {
            return Err(RulesError::invalid(
                "reward",
                "\"score\"",
                "scoring = \"none\" gives no points to maximise",
            ));
        }
        Ok(())
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn rounds(&self) -> u32 {
        u32::from(self.hands)
    }

    fn random(draw: &mut Draw) -> Self {
        loop {
            let rules = Self {
                players: 4 + draw.below(9) as u8,
                strip: match draw.below(4) {
                    0 | 1 => Strip::None,
                    2 => Strip::Recommended,
                    _ => Strip::Ranks((draw.bits() & draw.bits()) as u16 & 0x1ffe),
                },
                first_deal_revolution: draw.below(2) == 0,
                tax_visibility: draw.pick(TaxVisibility::ALL),
                merchant_exchange: draw.pick(MerchantExchange::ALL),
                misdeal_prob: draw.pick(&[0.0, 0.5, 1.0]),
                scoring: draw.pick(&[Scoring::None, Scoring::Standard, Scoring::Philanthropic]),
                hands: 1 + draw.below(3) as u16,
                seating: draw.pick(Seating::ALL),
                hand_count_view: draw.pick(HandCountView::ALL),
                reward: draw.pick(Reward::ALL),
            };
            if rules.check().is_ok() {
                return rules;
            }
        }
    }
}

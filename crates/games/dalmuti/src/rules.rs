//! Options of The Great Dalmuti.

use cardsharp_climbing::EqualRank;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{OptionDoc, RulesError};
use cardsharp_engine::{choices, options};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use super::deck::{Cards, JESTER};

/// Which ranks are left out of the deck.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Strip {
    /// No ranks are left out.
    #[default]
    None,
    /// As the rules recommend: 11 and 12 for four players, 12 for five, none for more.
    Recommended,
    /// These, as bits: bit `r` for rank `r`, 1 to 12.
    Ranks(u16),
}

impl Strip {
    fn schema() -> Value {
        let ranks = json!({ "type": "integer", "minimum": 1, "maximum": 12 });
        json!({ "oneOf": [{ "enum": ["none", "recommended"] }, { "type": "array", "items": ranks }], "default": "none" })
    }

    fn random(draw: &mut Draw) -> Self {
        match draw.below(4) {
            0 | 1 => Self::None,
            2 => Self::Recommended,
            _ => Self::Ranks((draw.bits() & draw.bits()) as u16 & 0x1ffe),
        }
    }
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
    /// When the Dalmutis choose the cards that they give back.
    TaxVisibility {
        /// From their dealt hands, before they see the tribute; all cards move at once.
        Sealed,
        /// After the tribute arrives. They may give back cards that they just received.
        Seen,
    }
}

choices! {
    /// The exchange between Merchants during taxation.
    MerchantExchange {
        /// There is no exchange.
        Off,
        /// Each Merchant chooses a card to give, without seeing the other's card.
        BlindChoice,
        /// The highest Merchant chooses a card. The card in return is drawn at random from the other Merchant's dealt
        /// hand.
        BlindRandom,
    }
}

/// How hands are scored.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// Without points: only places count.
    None,
    /// One point per player beaten.
    #[default]
    Standard,
    /// As standard, and a point for a Dalmuti whose Peon rises.
    Philanthropic,
}

choices! {
    /// The seating in the first hand.
    Seating {
        /// All orders are equally likely.
        Random,
        /// Seat 0 is the Greater Dalmuti, and so on.
        Fixed,
    }
}

choices! {
    /// Whether observation rows show how many cards the others hold.
    HandCountView {
        /// The rows show the others' card counts.
        Public,
        /// The rows do not show the others' card counts. They still follow from the cards played.
        Hidden,
    }
}

choices! {
    /// The reward of a learner.
    Reward {
        /// 1 for the first place down to −1 for the last, in even steps.
        RankLinear,
        /// The points of the hand.
        Score,
    }
}

impl Scoring {
    /// All ways of scoring, the default first.
    pub const ALL: &'static [Self] = &[Self::None, Self::Standard, Self::Philanthropic];
}

options! {
    /// The rules of a session of The Great Dalmuti.
    Rules {
        /// Number of players.
        players: u8 = 5, whole(4..=12);
        /// Ranks left out of the deck. Recommended: 11 and 12 for four players, 12 for five, none for
        /// more. Every player must still be dealt at least 6 cards.
        strip: Strip = Strip::None, words("\"none\", \"recommended\" or a list of ranks from 1 to 12 (default \"none\")", Strip::schema), drawn(Strip::random);
        /// Whether the first hand of a session has no taxes. Only the Greater Peon may then call a (greater)
        /// revolution.
        first_deal_revolution: bool = false, switch, shown(true);
        /// Whether the Dalmutis choose what to give back before (sealed) or after (seen) they see the
        /// tribute.
        tax_visibility: TaxVisibility = TaxVisibility::Sealed, choice, shown(Seen);
        /// Whether the highest Merchant may swap a card with another Merchant. The other Merchant chooses a card
        /// (blind_choice), or the card is drawn from their hand (blind_random). Needs six players or more.
        merchant_exchange: MerchantExchange = MerchantExchange::Off, choice, shown(BlindChoice, BlindRandom);
        /// Probability per hand that a card is exposed while dealing; the Greater Dalmuti decides whether
        /// it goes to the Greater Peon.
        misdeal_prob: f64 = 0.0, number(0.0..=1.0), drawn(|draw| draw.pick(&[0.0, 0.5, 1.0]));
        /// Points per hand: none; one per player beaten (standard); or one more for a Dalmuti whose Peon rises
        /// (philanthropic).
        scoring: Scoring = Scoring::Standard, choice, shown(None, Standard, Philanthropic);
        /// Hands in a session.
        hands: u16 = 20, whole(1..=1000), drawn(|draw| 1 + draw.below(3) as u16);
        /// Whether a pass is final for the trick: a player who passes on a set waits for the next lead. Otherwise
        /// they may play again when the turn returns.
        #[serde(default)]
        pass_is_final: bool = false, switch, drawn(|draw| draw.below(3) == 0);
        /// Whether as many cards of the same rank may answer a set. With skips, the next player who could answer
        /// loses the turn. With burns, the trick ends, and the player of the equal set leads.
        #[serde(default)]
        equal_rank: EqualRank = EqualRank::Forbidden, choice;
        /// Seating in the first hand: random, or seat 0 as the Greater Dalmuti and so on.
        seating: Seating = Seating::Random, choice;
    }
    /// Options that change only observation rows and rewards.
    Shaping {
        /// Whether observation rows show how many cards the others hold.
        hand_count_view: HandCountView = HandCountView::Public, choice, shown(Hidden);
        /// The reward of a learner per hand: 1 for first place down to -1 for last (rank_linear), or the points
        /// (score).
        reward: Reward = Reward::RankLinear, choice, shown(Score);
    }
}

impl Rules {
    /// The deck in play: `r` copies of each rank `r` except the stripped ones, and two Jesters.
    pub fn deck(&self) -> Cards {
        let stripped = match (self.strip, self.players) {
            (Strip::Recommended, 4) => 1 << 11 | 1 << 12,
            (Strip::Recommended, 5) => 1 << 12,
            (Strip::None | Strip::Recommended, _) => 0,
            (Strip::Ranks(bits), _) => bits,
        };
        let mut deck = Cards::NONE;
        for rank in 1..=12 {
            if stripped >> rank & 1 == 0 {
                deck.0[rank - 1] = rank as u8;
            }
        }
        deck.0[JESTER] = 2;
        deck
    }
}

impl cardsharp_engine::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
    const ADDED: &'static [&'static str] = &["pass_is_final", "equal_rank"];
    const ROUNDS_OPTION: &'static str = "hands";

    fn check(&self) -> Result<(), RulesError> {
        self.in_range()?;
        let smallest = self.deck().total() / u32::from(self.players);
        if smallest < 6 {
            let given = json!(self.strip);
            let expected = format!(
                "this leaves only {smallest} cards for some of the {} players; strip fewer ranks so that everybody \
                 gets at least 6",
                self.players
            );
            return Err(RulesError::invalid("strip", given, expected));
        }
        if self.scoring == Scoring::None && self.shaping.reward == Reward::Score {
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
            let rules = Self::drawn(draw);
            if rules.check().is_ok() {
                return rules;
            }
        }
    }
}

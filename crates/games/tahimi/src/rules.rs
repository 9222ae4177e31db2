//! The options of Tahimi.

use cardsharp_climbing::EqualRank;
use cardsharp_engine::List;
use cardsharp_engine::Seat;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::{OptionDoc, RosterChange, RulesError};
use cardsharp_engine::{choices, options};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::roster::{self, JoinPolicy, MOST_EVENTS, ScriptEntry};
use super::variant::{Bundle, Deck, JokerTax, Jokers, MENU, TaxSchedule, Variant};

choices! {
    /// Whether cards are taken out until the deck divides evenly.
    Trim {
        /// Cards of the middle rank are taken out, and then cards of the next lower and higher ranks if needed.
        Auto,
        /// No card is taken out; the highest positions get one card more.
        None,
    }
}

choices! {
    /// The effect of `deuces_high` in the special deck.
    DeucesSpecial {
        /// Only the names of the ranks change: the counts from the lowest rank up stay the same.
        Relabel,
        /// The same cards as with aces high, with the 2s on top.
        Literal,
    }
}

choices! {
    /// What observation rows show about the others' hands.
    HandCountView {
        /// How many cards each player holds, and which cards each has played.
        Derivable,
        /// Only who has one card left, and which cards have been played in total.
        OneCard,
    }
}

/// The menu of decrees, if any.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Decree {
    /// No player decrees options.
    #[default]
    #[serde(with = "off")]
    Off,
    /// The Tahimi chooses one of these entries before each round.
    Menu(List<Bundle, MENU>),
}

impl Decree {
    fn schema() -> Value {
        // Written by hand: a schema generated from types would appear wherever options are listed.
        let switch = json!({ "type": "boolean" });
        let bundle = json!({
            "type": "object",
            "properties": {
                "deck": { "enum": Deck::ALL },
                "jokers": { "enum": Jokers::ALL },
                "joker_tax": { "enum": JokerTax::ALL },
                "deuces_high": switch,
                "rank_privilege": switch,
                "tax_schedule": { "enum": TaxSchedule::ALL },
            },
            "additionalProperties": false,
        });
        json!({
            "oneOf": [{ "const": "off" }, { "type": "array", "items": bundle, "minItems": 1, "maxItems": MENU }],
            "default": "off",
        })
    }
}

/// Serde functions for the word `off`.
mod off {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("off")
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "off" => Ok(()),
            other => Err(serde::de::Error::custom(format!("`{other}` is neither \"off\" nor a list"))),
        }
    }
}

choices! {
    /// The seating in the first round.
    Seating {
        /// All orders are equally likely.
        Random,
        /// Seat 0 is the Tahimi, and so on.
        Fixed,
    }
}

choices! {
    /// The reward of a learner.
    Reward {
        /// 1 for the first place down to −1 for the last, in even steps.
        RankLinear,
        /// One point for each player beaten.
        Points,
        /// 1 for the first place, 0 for all others.
        TahimiOnly,
    }
}

options! {
    /// The rules of a session of Tahimi.
    Rules {
        /// Number of players in the first round.
        players: u8 = 4, whole(3..=8);
        /// The deck: 52 cards (standard); one more suit per player beyond four (extra_suits); or ranks 11 to 15
        /// added and 13 cards for everybody (special). Three and four players always use the standard deck.
        deck: Deck = Deck::Standard, choice;
        /// Whether middle cards are taken out until the deck divides evenly (auto), or the highest positions get
        /// one card more (none).
        trim: Trim = Trim::Auto, choice, drawn(|draw| draw.pick(&[Trim::Auto, Trim::Auto, Trim::None]));
        /// Two jokers that can join any set. Played alone they have the lowest rank of all (low) or any rank (wild).
        jokers: Jokers = Jokers::None, choice;
        /// The rank of jokers in taxes: above everything (high), below everything (low), or the payer decides
        /// (holder). coupled is low with low jokers and high with wild ones.
        joker_tax: JokerTax = JokerTax::Coupled, choice;
        /// Whether twos are the highest rank, and threes the lowest.
        deuces_high: bool = false, switch;
        /// The effect of deuces_high in the special deck: the same counts with other rank names (relabel), or the
        /// same cards in a new order (literal).
        deuces_special: DeucesSpecial = DeucesSpecial::Relabel, choice;
        /// Whether the highest player still in leads after the player who took the trick went out. Otherwise the
        /// next player clockwise leads.
        rank_privilege: bool = true, switch;
        /// Whether taxes are also paid in the first round of a session.
        first_round_tax: bool = false, switch;
        /// Taxes: two cards and one (basic), or more cards at tables of six or more (progressive). auto is
        /// progressive with the bigger decks.
        tax_schedule: TaxSchedule = TaxSchedule::Auto, choice;
        /// Where a newcomer is placed: in the middle (middle), at the bottom (serf), all players draw again
        /// (redraw), or by a drawn card (random).
        join_policy: JoinPolicy = JoinPolicy::Middle, choice;
        /// Whether a leader may pass the lead on. The last player whom the lead reaches must play.
        pass_on_lead: bool = false, switch, drawn(|draw| draw.below(3) == 0);
        /// Whether a pass is final for the trick: a player who passes on a set waits for the next lead. Otherwise
        /// they may play again when the turn returns.
        #[serde(default)]
        pass_is_final: bool = false, switch, drawn(|draw| draw.below(3) == 0);
        /// Whether as many cards of the same rank may answer a set. With skips, the next player who could answer
        /// loses the turn. With burns, the trick ends, and the player of the equal set leads.
        #[serde(default)]
        equal_rank: EqualRank = EqualRank::Forbidden, choice;
        /// Decrees from which the Tahimi chooses before each round, for that round. An empty table changes nothing.
        decree: Decree = Decree::Off, words("\"off\" or a list of 1 to 16 tables of deck, jokers, joker_tax, deuces_high, rank_privilege and tax_schedule (default \"off\")", Decree::schema), drawn(|_| Decree::Off);
        /// Seating in the first round: random, or seat 0 as the Tahimi and so on.
        seating: Seating = Seating::Random, choice;
        /// Rounds in a session.
        rounds: u16 = 20, whole(1..=1000), drawn(|draw| 1 + draw.below(3) as u16);
        /// Players who join or leave just before a round (from 2); players leave before others join. New players
        /// take the next free seat number. With fewer than three players the session ends.
        roster_script: List<ScriptEntry, MOST_EVENTS> = List::default(), words("a list of at most 24 tables like { round = 3, join = 4 } or { round = 5, leave = 1 } (default empty)", ScriptEntry::script_schema), drawn(|_| List::default());
    }
    /// Options that change only observation rows and rewards.
    Shaping {
        /// Whether observation rows show each player's card count and played cards, or only who has one card left.
        hand_count_view: HandCountView = HandCountView::Derivable, choice;
        /// The reward of a learner per round: 1 for first place down to -1 for last (rank_linear), players beaten
        /// (points), or 1 for first place only (tahimi_only).
        reward: Reward = Reward::RankLinear, choice;
    }
}

impl Rules {
    /// The options that a decree may change, with the values of these rules.
    pub fn variant(&self) -> Variant {
        Variant {
            deck: self.deck,
            jokers: self.jokers,
            joker_tax: self.joker_tax,
            deuces_high: self.deuces_high,
            rank_privilege: self.rank_privilege,
            tax_schedule: self.tax_schedule,
        }
    }
}

impl cardsharp_engine::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
    const ADDED: &'static [&'static str] = &["pass_is_final", "equal_rank"];
    const ROUNDS_OPTION: &'static str = "rounds";

    fn check(&self) -> Result<(), RulesError> {
        self.in_range()?;
        if let Decree::Menu(menu) = &self.decree
            && menu.as_slice().is_empty()
        {
            return Err(Self::refused("decree", "an empty list"));
        }
        roster::check(self.players, self.roster_script.as_slice())
    }

    fn players(&self) -> u8 {
        self.players
    }

    fn seats(&self) -> u8 {
        let joins = self.roster_script.as_slice().iter().filter_map(|event| match event.change {
            RosterChange::Join(Seat(seat)) if u32::from(event.round) <= self.rounds() => Some(seat + 1),
            _ => None,
        });
        joins.fold(self.players, u8::max)
    }

    fn rounds(&self) -> u32 {
        let end = roster::ends_before(self.players, self.roster_script.as_slice());
        u32::from(end.map_or(self.rounds, |round| self.rounds.min(round - 1)))
    }

    fn with_change(mut self, round: u32, change: RosterChange) -> Result<Self, RulesError> {
        let round = u16::try_from(round).unwrap_or(u16::MAX);
        if !self.roster_script.push(ScriptEntry { round, change }) {
            let expected = format!("no more than {MOST_EVENTS} changes fit in a session");
            return Err(RulesError::invalid("roster_script", change, expected));
        }
        roster::check(self.players, self.roster_script.as_slice())?;
        Ok(self)
    }

    fn random(draw: &mut Draw) -> Self {
        let mut rules = Self::drawn(draw);
        if draw.below(3) == 0 {
            let mut menu = List::default();
            (0..=draw.below(MENU as u32)).for_each(|_| {
                menu.push(Bundle::random(draw));
            });
            rules.decree = Decree::Menu(menu);
        }
        for _ in 0..draw.below(4) {
            let (seat, round) = (Seat(draw.below(9) as u8), 2 + draw.below(2));
            let change =
                if draw.below(2) == 0 { RosterChange::Join(seat) } else { RosterChange::Leave(seat) };
            rules = rules.with_change(round, change).unwrap_or(rules);
        }
        rules
    }
}

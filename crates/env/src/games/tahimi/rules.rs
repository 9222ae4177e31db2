//! Options of Tahimi.

use serde::{Deserialize, Serialize};

use super::roster::{self, Event, MOST_EVENTS};
use super::variant::{Bundle, Deck, JokerTax, Jokers, MENU, TaxSchedule};
use crate::ground::Seat;
use crate::ground::list::List;
use crate::ground::rng::Draw;
use crate::ground::rules::{OptionDoc, RosterChange, RulesError, choices, option};

choices! {
    /// Whether the deck is cut to a multiple of the number of players.
    Trim {
        /// Yes: cards of the middle rank are taken out, and of its neighbours if need be.
        Auto,
        /// No: the highest positions hold one card more.
        None,
    }
}

choices! {
    /// What "deuces high" means in the special deck.
    DeucesSpecial {
        /// Only the names of the ranks change; each rank from the bottom up has as many cards as before.
        Relabel,
        /// The same cards as with aces high, with the twos on top.
        Literal,
    }
}

choices! {
    /// Where a newcomer is placed.
    JoinPolicy {
        /// In the middle: half of the others, rounded up, are above.
        Middle,
        /// At the bottom.
        Serf,
        /// Everybody draws for a new place.
        Redraw,
        /// A drawn card says how far from the bottom.
        Random,
    }
}

choices! {
    /// What observation rows show of the others' hands.
    HandCountView {
        /// Everything that follows from watching: how many cards each holds and which he has played.
        Derivable,
        /// Only who has announced his last card, and all cards played together.
        OneCard,
    }
}

/// Who decrees variations.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Decree {
    /// Nobody.
    #[default]
    #[serde(with = "off")]
    Off,
    /// Position 0 chooses one of these before each round.
    Menu(List<Bundle, MENU>),
}

/// Serde for the word `off`.
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
    /// Who sits where in the first round.
    Seating {
        /// As the draw for seats decides: a uniformly random order.
        Random,
        /// Seat 0 is the Tahimi, and so on.
        Fixed,
    }
}

choices! {
    /// What a learner maximises.
    Reward {
        /// 1 for first place, −1 for last, evenly spaced.
        RankLinear,
        /// One point for each player beaten.
        Points,
        /// 1 for first place, else 0.
        TahimiOnly,
    }
}

/// The rules of a session of Tahimi.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Number of players in the first round, 3 to 8.
    pub players: u8,
    /// Which deck is played with.
    pub deck: Deck,
    /// Whether the deck is cut to a multiple of the number of players.
    pub trim: Trim,
    /// Whether there are jokers, and what they are alone.
    pub jokers: Jokers,
    /// What jokers are in taxes.
    pub joker_tax: JokerTax,
    /// Whether twos are the highest rank.
    pub deuces_high: bool,
    /// What that means in the special deck.
    pub deuces_special: DeucesSpecial,
    /// Whether the highest player leads after a trick was taken by one who went out.
    pub rank_privilege: bool,
    /// Whether taxes are paid in the first round.
    pub first_round_tax: bool,
    /// How much is paid.
    pub tax_schedule: TaxSchedule,
    /// Where newcomers are placed.
    pub join_policy: JoinPolicy,
    /// Whether a leader may pass the lead on.
    pub pass_on_lead: bool,
    /// What observation rows show of the others' hands.
    pub hand_count_view: HandCountView,
    /// Who decrees variations.
    pub decree: Decree,
    /// Who sits where in the first round.
    pub seating: Seating,
    /// Rounds in a session, 1 to 1000; fewer are played if too many players leave.
    pub rounds: u16,
    /// Who joins and leaves between rounds.
    pub roster_script: List<Event, MOST_EVENTS>,
    /// What a learner maximises.
    pub reward: Reward,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            players: 4,
            deck: Deck::Standard,
            trim: Trim::Auto,
            jokers: Jokers::None,
            joker_tax: JokerTax::Coupled,
            deuces_high: false,
            deuces_special: DeucesSpecial::Relabel,
            rank_privilege: true,
            first_round_tax: false,
            tax_schedule: TaxSchedule::Auto,
            join_policy: JoinPolicy::Middle,
            pass_on_lead: false,
            hand_count_view: HandCountView::Derivable,
            decree: Decree::Off,
            seating: Seating::Random,
            rounds: 20,
            roster_script: List::default(),
            reward: Reward::RankLinear,
        }
    }
}

impl crate::ground::rules::Rules for Rules {
    const OPTIONS: &'static [OptionDoc] = &[
        option("players", "a whole number, 3 to 8 (default 4)", "Number of players in the first round."),
        option(
            "deck",
            "\"standard\", \"extra_suits\" or \"special\" (default \"standard\")",
            "52 cards; one more suit per player beyond four; or the special deck with ranks 11 to 15 and 13 cards for \
             everybody. Three players always use the standard deck.",
        ),
        option(
            "trim",
            "\"auto\" or \"none\" (default \"auto\")",
            "Take middle cards out until the deck divides by the players, or let the highest hold one card more.",
        ),
        option(
            "jokers",
            "\"none\", \"low\" or \"wild\" (default \"none\")",
            "Two jokers that join any set. Alone they are the lowest rank of all (low) or any rank (wild).",
        ),
        option(
            "joker_tax",
            "\"coupled\", \"high\", \"low\" or \"holder\" (default \"coupled\")",
            "In taxes jokers rank above everything (high), below everything (low), or the payer decides (holder); \
             coupled is low with low jokers and high with wild ones.",
        ),
        option(
            "deuces_high",
            "true or false (default false)",
            "Twos are the highest rank, threes the lowest.",
        ),
        option(
            "deuces_special",
            "\"relabel\" or \"literal\" (default \"relabel\")",
            "What deuces_high means in the special deck: other names for the same counts, or the same cards sorted \
             anew.",
        ),
        option(
            "rank_privilege",
            "true or false (default true)",
            "After a trick taken by a player who went out, the highest player still in leads; else the next clockwise.",
        ),
        option(
            "first_round_tax",
            "true or false (default false)",
            "Taxes are paid in the first round of a session, too.",
        ),
        option(
            "tax_schedule",
            "\"auto\", \"basic\" or \"progressive\" (default \"auto\")",
            "Two cards and one, or more for tables of six and more; auto is progressive with the bigger decks.",
        ),
        option(
            "join_policy",
            "\"middle\", \"serf\", \"redraw\" or \"random\" (default \"middle\")",
            "Where a newcomer is placed: in the middle, at the bottom, all draw again, or as a drawn card says.",
        ),
        option(
            "pass_on_lead",
            "true or false (default false)",
            "A leader may pass the lead on; the last player it reaches must play.",
        ),
        option(
            "hand_count_view",
            "\"derivable\" or \"one_card\" (default \"derivable\")",
            "Whether observation rows show what each player holds and has played, or only who has one card left.",
        ),
        option(
            "decree",
            "\"off\" or a list of 1 to 16 tables of deck, jokers, joker_tax, deuces_high, rank_privilege and \
             tax_schedule (default \"off\")",
            "What the Tahimi may choose from before each round, for that round; an empty table changes nothing.",
        ),
        option(
            "seating",
            "\"random\" or \"fixed\" (default \"random\")",
            "First seating: at random, or seat 0 as the Tahimi and so on.",
        ),
        option("rounds", "a whole number, 1 to 1000 (default 20)", "Rounds in a session."),
        option(
            "roster_script",
            "a list of at most 24 tables like { round = 3, join = 4 } or { round = 5, leave = 1 } (default empty)",
            "Who joins and leaves just before which round (from 2); leaves before joins. New players take the next \
             free seat number. With fewer than three players the session ends.",
        ),
        option(
            "reward",
            "\"rank_linear\", \"points\" or \"tahimi_only\" (default \"rank_linear\")",
            "What a learner maximises per round: 1 for first place down to -1 for last, players beaten, or first \
             places only.",
        ),
    ];
    const PLAYERS: std::ops::RangeInclusive<u8> = 3..=8;
    const ROUNDS_OPTION: &'static str = "rounds";

    fn check(&self) -> Result<(), RulesError> {
        if !Self::PLAYERS.contains(&self.players) {
            return Err(Self::refused("players", self.players));
        }
        if !(1..=1000).contains(&self.rounds) {
            return Err(Self::refused("rounds", self.rounds));
        }
        if let Decree::Menu(menu) = &self.decree
            && menu.as_slice().is_empty()
        {
            return Err(Self::refused("decree", "an empty list"));
        }
        roster::check(self)
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
        u32::from(roster::ends_before(self).map_or(self.rounds, |round| self.rounds.min(round - 1)))
    }

    fn with_change(mut self, round: u32, change: RosterChange) -> Result<Self, RulesError> {
        let round = u16::try_from(round).unwrap_or(u16::MAX);
        if !self.roster_script.push(Event { round, change }) {
            let expected = format!("no more than {MOST_EVENTS} changes fit in a session");
            return Err(RulesError::invalid("roster_script", change, expected));
        }
        roster::check(&self)?;
        Ok(self)
    }

    fn random(draw: &mut Draw) -> Self {
        let coin = |draw: &mut Draw| draw.below(2) == 0;
        let mut rules = Self {
            players: 3 + draw.below(6) as u8,
            deck: draw.pick(Deck::ALL),
            trim: draw.pick(&[Trim::Auto, Trim::Auto, Trim::None]),
            jokers: draw.pick(Jokers::ALL),
            joker_tax: draw.pick(JokerTax::ALL),
            deuces_high: coin(draw),
            deuces_special: draw.pick(DeucesSpecial::ALL),
            rank_privilege: coin(draw),
            first_round_tax: coin(draw),
            tax_schedule: draw.pick(TaxSchedule::ALL),
            join_policy: draw.pick(JoinPolicy::ALL),
            pass_on_lead: draw.below(3) == 0,
            hand_count_view: draw.pick(HandCountView::ALL),
            decree: Decree::Off,
            seating: draw.pick(Seating::ALL),
            rounds: 1 + draw.below(3) as u16,
            roster_script: List::default(),
            reward: draw.pick(Reward::ALL),
        };
        if draw.below(3) == 0 {
            let mut menu = List::default();
            (0..=draw.below(MENU as u32)).for_each(|_| {
                menu.push(Bundle::random(draw));
            });
            rules.decree = Decree::Menu(menu);
        }
        for _ in 0..draw.below(4) {
            let (seat, round) = (Seat(draw.below(9) as u8), 2 + draw.below(2));
            let change = if coin(draw) { RosterChange::Join(seat) } else { RosterChange::Leave(seat) };
            rules = rules.with_change(round, change).unwrap_or(rules);
        }
        rules
    }
}

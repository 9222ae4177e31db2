//! The options that the Tahimi may decree, and those in force in a round.

use cardsharp_engine::choices;
use cardsharp_engine::rng::Draw;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Largest number of entries on a decree menu.
pub const MENU: usize = 16;

choices! {
    /// The deck in play.
    Deck {
        /// 52 cards: four of each rank from 2 to ace.
        Standard,
        /// One complete suit more for each player beyond four.
        ExtraSuits,
        /// The special deck: more suits and ranks 11 to 15, with 13 cards for everybody.
        Special,
    }
}

choices! {
    /// Jokers in the deck, and their rank when played alone.
    Jokers {
        /// The deck has no jokers.
        None,
        /// Two jokers; played alone they have the lowest rank of all.
        Low,
        /// Two jokers; played alone they have any rank.
        Wild,
    }
}

choices! {
    /// The rank of jokers in taxes.
    JokerTax {
        /// Below all other ranks with low jokers, above all other ranks with wild ones.
        Coupled,
        /// Above all other ranks.
        High,
        /// Below all other ranks.
        Low,
        /// The payer decides how many jokers to pay.
        Holder,
    }
}

choices! {
    /// How many cards are paid as tax.
    TaxSchedule {
        /// Progressive with the bigger decks, otherwise basic.
        Auto,
        /// The serf pays two cards. With four or more players, the master serf pays one.
        Basic,
        /// With six or more players, the serf pays three cards, and one or two other players pay one or two.
        /// Otherwise as basic.
        Progressive,
    }
}

/// The rank of jokers when a tribute is taken.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum JokerOrder {
    /// Below every other rank.
    Low,
    /// Above every other rank.
    High,
    /// The payer decides how many jokers to pay.
    Holder,
}

/// What a decree changes; nothing where a field is none.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bundle {
    /// The deck in play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deck: Option<Deck>,
    /// Jokers in the deck, and their rank when played alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jokers: Option<Jokers>,
    /// The rank of jokers in taxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joker_tax: Option<JokerTax>,
    /// Whether twos are the highest rank, and threes the lowest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deuces_high: Option<bool>,
    /// Whether the highest player still in leads after the player who took the trick went out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank_privilege: Option<bool>,
    /// How many cards are paid as tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_schedule: Option<TaxSchedule>,
}

impl Bundle {
    /// A bundle with random options.
    pub(super) fn random(draw: &mut Draw) -> Self {
        let some = |draw: &mut Draw| draw.below(3) == 0;
        Self {
            deck: some(draw).then(|| draw.pick(Deck::ALL)),
            jokers: some(draw).then(|| draw.pick(Jokers::ALL)),
            joker_tax: some(draw).then(|| draw.pick(&[JokerTax::High, JokerTax::Low, JokerTax::Holder])),
            deuces_high: some(draw).then(|| draw.below(2) == 0),
            rank_privilege: some(draw).then(|| draw.below(2) == 0),
            tax_schedule: some(draw).then(|| draw.pick(&[TaxSchedule::Basic, TaxSchedule::Progressive])),
        }
    }
}

/// The options in force in a round, after any decree.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// The deck in play.
    pub deck: Deck,
    /// Jokers in the deck, and their rank when played alone.
    pub jokers: Jokers,
    /// The rank of jokers in taxes.
    pub joker_tax: JokerTax,
    /// Whether twos are the highest rank, and threes the lowest.
    pub deuces_high: bool,
    /// Whether the highest player still in leads after the player who took the trick went out.
    pub rank_privilege: bool,
    /// How many cards are paid as tax.
    pub tax_schedule: TaxSchedule,
}

impl Variant {
    /// The options after a decree.
    pub fn decreed(self, bundle: &Bundle) -> Self {
        Self {
            deck: bundle.deck.unwrap_or(self.deck),
            jokers: bundle.jokers.unwrap_or(self.jokers),
            joker_tax: bundle.joker_tax.unwrap_or(self.joker_tax),
            deuces_high: bundle.deuces_high.unwrap_or(self.deuces_high),
            rank_privilege: bundle.rank_privilege.unwrap_or(self.rank_privilege),
            tax_schedule: bundle.tax_schedule.unwrap_or(self.tax_schedule),
        }
    }

    /// The rank of jokers when a tribute is taken.
    pub fn joker_order(&self) -> JokerOrder {
        match (self.joker_tax, self.jokers) {
            (JokerTax::High, _) | (JokerTax::Coupled, Jokers::Wild) => JokerOrder::High,
            (JokerTax::Low | JokerTax::Coupled, _) => JokerOrder::Low,
            (JokerTax::Holder, _) => JokerOrder::Holder,
        }
    }

    /// Whether the progressive schedule of taxes is in force.
    pub fn is_progressive(&self) -> bool {
        match self.tax_schedule {
            TaxSchedule::Auto => self.deck != Deck::Standard,
            schedule => schedule == TaxSchedule::Progressive,
        }
    }
}

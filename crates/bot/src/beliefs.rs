//! Estimates which hidden cards each other seat holds.
//!
//! [`beliefs`] draws deals that are consistent with a view ([`SeatView::determinize`]) and counts who holds which
//! cards. Without weights, all such deals are equally likely, as [`search`](crate::bots::search) assumes by default.
//! Then a pass, a bid or a tax counts only for what it proves. A [`Model`] supplies weights that were learned from the
//! moves of players.

mod marks;
mod model;
mod weights;

use std::collections::{BTreeMap, BTreeSet};

use cardsharp_env::{DealRng, MAX_SEATS, Seat, SeatView};
use schemars::JsonSchema;
use serde::Serialize;

pub use marks::Marks;
pub use model::{BeliefModelHeader, FILE, Model, ViewWeights};
pub(crate) use weights::Weighing;
pub use weights::{DEFAULT_CANDIDATES, DealWeights, Weigh, WeightError};

/// Default number of sampled deals: a share of one half is then known to within 0.02.
pub const DEFAULT_DEALS: u32 = 2000;

/// Who may hold which cards, as one seat sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Beliefs {
    /// The number of sampled deals.
    pub deals: u32,
    /// Whether the deals were sampled with a belief model. Missing if false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub weighed: bool,
    /// All other seats in this round, in ascending order.
    pub seats: Vec<Believed>,
}

/// The cards that one seat may hold.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Believed {
    /// The seat to which the beliefs refer.
    pub seat: Seat,
    /// The probability that the seat is the partner; null without partners.
    pub partner: Option<f64>,
    /// The cards that the seat may hold, in the order of the card notation.
    pub cards: Vec<Chance>,
}

/// The probability that a seat holds a card.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Chance {
    /// The card, in card notation.
    pub card: String,
    /// The probability of at least one such card.
    pub any: f64,
    /// The mean number of such cards.
    pub mean: f64,
}

/// Counts for one seat over all sampled deals.
#[derive(Clone, Default)]
struct Counted {
    partner: Option<u32>,
    /// For each card: the deals in which the seat held it, and the copies in all deals together.
    cards: BTreeMap<String, (u32, u32)>,
}

/// Estimates what the other seats hold, from `deals` deals drawn with `seed`, weighted if `weights` is set. Returns
/// `None` if no deal is consistent with the view, or if the game does not show hands.
pub fn beliefs(
    view: SeatView<'_>,
    deals: u32,
    seed: u64,
    weights: Option<DealWeights<'_>>,
) -> Option<Beliefs> {
    let mut weighing = Weighing::default();
    let mut counted: Vec<Option<Counted>> = vec![None; MAX_SEATS];
    let mut order = Order::default();
    let mut round = None;
    for deal in 0..deals {
        let rng = match weights {
            None => DealRng::new(seed, deal.into()),
            Some(weights) => weighing.draw(weights, view, (seed, deal.into()), &mut round),
        };
        let dealt = view.determinize(rng, &mut round)?;
        for seat in (0..MAX_SEATS as u8).map(Seat).filter(|&seat| seat != view.seat()) {
            let Some(seen) = dealt.view(seat) else { continue };
            let counted = counted[seat.index()].get_or_insert_default();
            if let Some(partner) = seen.is_partner() {
                *counted.partner.get_or_insert(0) += u32::from(partner);
            }
            let hand = seen.hand();
            let mut last = "";
            for card in hand.split_whitespace() {
                let (any, all) = counted.cards.entry(card.to_owned()).or_default();
                *any += u32::from(card != last);
                *all += 1;
                order.follows(last, card);
                last = card;
            }
        }
    }
    let order = order.all();
    let share = |count: u32| f64::from(count) / f64::from(deals);
    let seats = counted.into_iter().enumerate().filter_map(|(seat, counted)| {
        let Counted { partner, mut cards } = counted?;
        let chance = |card: &String| {
            let (any, all) = cards.remove(card)?;
            Some(Chance { card: card.clone(), any: share(any), mean: share(all) })
        };
        let cards = order.iter().filter_map(chance).collect();
        Some(Believed { seat: Seat(seat as u8), partner: partner.map(share), cards })
    });
    let seats: Vec<Believed> = seats.collect();
    (!order.is_empty()).then_some(Beliefs { deals, weighed: weights.is_some(), seats })
}

/// The order in which a game lists cards, learned from hands: for each card, the cards that were seen right before it.
#[derive(Default)]
struct Order(BTreeMap<String, BTreeSet<String>>);

impl Order {
    /// Records that `card` directly follows `last`, or that it is the first card if `last` is empty.
    fn follows(&mut self, last: &str, card: &str) {
        if !self.0.contains_key(card) {
            self.0.insert(card.to_owned(), BTreeSet::new());
        }
        if let Some(behind) = self.0.get_mut(card).filter(|behind| last != card && !behind.contains(last)) {
            behind.insert(last.to_owned());
        }
    }

    /// Returns all cards in an order that agrees with all recorded pairs.
    fn all(mut self) -> Vec<String> {
        let mut order: Vec<String> = Vec::new();
        let is_placed = |order: &[String], card: &String| card.is_empty() || order.contains(card);
        while let Some(next) =
            self.0.iter().find(|(_, behind)| behind.iter().all(|card| is_placed(&order, card)))
        {
            let next = next.0.clone();
            self.0.remove(&next);
            order.push(next);
        }
        order
    }
}

#[cfg(test)]
mod tests;

//! Decisions before the play: decrees and taxes.

use super::super::View;
use super::super::actions::{self, DECREE, TAX_JOKERS};
use super::super::deck::JOKER;
use super::super::rules::Decree;
use super::super::tax::{pairs, pairs_of, tribute};
use super::super::variant::{JokerOrder, Variant};
use super::{places, situation};
use crate::game::ActionId;
use crate::games::climbing::scripted::{self, Count, Hand, Tempo};

/// The entry that is best for the Tahimi.
pub fn decree(view: View<'_>) -> ActionId {
    let table = view.table;
    let Decree::Menu(menu) = &table.rules.decree else { return actions::nth(DECREE, 0) };
    let gain = |variant: &Variant| {
        let paid = if table.taxes() { pairs(table.players, variant.is_progressive())[0].2 } else { 0 };
        2 * u32::from(paid) + u32::from(variant.rank_privilege)
    };
    let mut best = (0, 0);
    for (entry, bundle) in menu.as_slice().iter().enumerate() {
        let gain = gain(&table.variant.decreed(bundle)) + 1;
        if gain > best.0 {
            best = (gain, entry);
        }
    }
    actions::nth(DECREE, best.1)
}

/// As many jokers as leave the best hand.
pub fn tax_jokers(view: View<'_>) -> ActionId {
    let (table, hand) = (view.table, &view.own.hand);
    let me = table.position[view.seat.index()];
    let due = pairs_of(table).iter().find(|pair| pair.1 == me).map_or(0, |pair| pair.2);
    let places = places(&table.deck);
    let situation = situation(view, &places);
    let mut count = Count::new(&situation);
    let mut best = (f32::MIN, 0);
    for jokers in 0..=due.min(hand.0[JOKER]) {
        let mut rest = *hand;
        rest.remove(&tribute(hand, due, JokerOrder::Holder, jokers));
        let value =
            Hand::of(&situation, &mut count, &rest).value(situation.weights, Tempo::FOLLOWING, count.least);
        if value > best.0 {
            best = (value, usize::from(jokers));
        }
    }
    actions::nth(TAX_JOKERS, best.1)
}

/// The card whose loss, with that of the others still to be given, leaves the best hand.
pub fn give(view: View<'_>) -> ActionId {
    let (table, own) = (view.table, view.own);
    let mut cards = own.hand;
    cards.remove(&own.given);
    let me = table.position[view.seat.index()];
    let due = pairs_of(table).iter().find(|pair| pair.0 == me).map_or(0, |pair| pair.2);
    // Position 0 leads first.
    let tempo = if me == 0 { Tempo { lead: 1.0 } } else { Tempo::FOLLOWING };
    let more = due.saturating_sub(own.given.total() as u8);
    actions::give(scripted::give(&situation(view, &places(&table.deck)), &cards, more, tempo))
}

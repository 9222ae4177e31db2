//! Decisions before the play: decrees and taxes.

use super::super::View;
use super::super::actions::{self, DECREE, TAX_JOKERS};
use super::super::deck::JOKER;
use super::super::rules::Decree;
use super::super::table::Table;
use super::super::tax::{pairs, pairs_of, tribute};
use super::super::variant::{JokerOrder, Jokers, Variant};
use super::{places, situation};
use crate::games::climbing::scripted::{self, Count, Hand, Tempo};
use crate::ground::ActionId;

/// The entry of the menu that is best for position 0; the first of equals.
pub fn decree(view: View<'_>) -> ActionId {
    let table = view.table;
    let mut best = (None, 0);
    if let Decree::Menu(menu) = &table.rules.decree {
        for (entry, bundle) in menu.as_slice().iter().enumerate() {
            let gain = Some(gain(table, &table.variant.decreed(bundle)));
            if gain > best.0 {
                best = (gain, entry);
            }
        }
    }
    DECREE.nth(best.1)
}

/// What position 0 likes, the first counting most: cards due to him as taxes, rank privilege, and no
/// jokers but such as come to him in taxes.
///
/// Mean place scores of position 0 among players like this one (4000 single rounds each, six players,
/// standard deck, errors of 0.005 to 0.01): +0.80 with basic taxes, +0.87 with progressive ones;
/// without rank privilege 0.02 less, or 0.10 where no taxes are paid; with low jokers that taxes take
/// last, as the payer likes, or first 0.02, 0.01 or nothing less. The decks hardly differ.
fn gain(table: &Table, variant: &Variant) -> (u8, bool, u8) {
    let due = if table.taxes() { pairs(table.players, variant.is_progressive())[0].2 } else { 0 };
    let jokers = match (variant.jokers, variant.joker_order()) {
        (Jokers::None, _) => 2,
        (_, JokerOrder::High) if due != 0 => 2,
        (_, JokerOrder::Holder) if due != 0 => 1,
        _ => 0,
    };
    (due, variant.rank_privilege, jokers)
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
        let left = Hand::of(&situation, &mut count, &rest);
        let value = left.value(situation.weights, Tempo::FOLLOWING, count.least);
        if value > best.0 {
            best = (value, usize::from(jokers));
        }
    }
    TAX_JOKERS.nth(best.1)
}

/// The card whose loss, with those of the others still to be given, leaves the best hand.
pub fn give(view: View<'_>) -> ActionId {
    let (table, own) = (view.table, view.own);
    let mut cards = own.hand;
    cards.remove(&own.given);
    let me = table.position[view.seat.index()];
    let due = pairs_of(table).iter().find(|pair| pair.0 == me).map_or(0, |pair| pair.2);
    let more = due.saturating_sub(own.given.total() as u8);
    // Position 0 leads first.
    let tempo = if me == 0 { Tempo { lead: 1.0 } } else { Tempo::FOLLOWING };
    actions::give(scripted::give(&situation(view, &places(&table.deck)), &cards, more, tempo))
}

//! Decisions before the play: decrees and taxes.

use cardsharp_climbing::Below;
use cardsharp_climbing::scripted::{self, Count, Hand, Tempo};

use super::situation::{places, situation};
use crate::deck::JOKER;
use crate::moves::Move;
use crate::rules::Decree;
use crate::state::View;
use crate::table::{Table, pairs, tribute};
use crate::variant::{JokerOrder, Jokers, Variant};

/// The best entry of the decree menu for position 0; the first one in case of a tie.
pub fn decree(view: View<'_>) -> Move {
    let table = view.table;
    let mut best = (None, Below::FIRST);
    if let Decree::Menu(menu) = &table.rules.decree {
        for (entry, bundle) in Below::all().zip(menu.as_slice()) {
            let gain = Some(gain(table, &table.variant.decreed(bundle)));
            if gain > best.0 {
                best = (gain, entry);
            }
        }
    }
    Move::Decree(best.1)
}

/// The preferences of position 0, the most important first: cards due in taxes, rank privilege, and no jokers except
/// those that taxes bring.
///
/// Mean place scores of position 0 among scripted players (4,000 single rounds each, six players, standard deck, errors
/// of 0.005 to 0.01):
///
/// - +0.80 with basic taxes, +0.87 with progressive ones;
/// - 0.02 less without rank privilege, or 0.10 less if there are no taxes, too;
/// - with low jokers: 0.02 less if taxes take them last, 0.01 less if the payer decides, and no less if taxes take them
///   first.
///
/// The decks hardly differ.
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

/// Pays the number of jokers that leaves the best hand.
pub fn tax_jokers(view: View<'_>) -> Move {
    let (table, hand) = (view.table, &view.own.hand);
    let me = table.position_of(view.seat);
    let due = table.pairs().iter().find(|pair| pair.1 == me).map_or(0, |pair| pair.2);
    let places = places(&table.deck);
    let situation = situation(view, &places);
    let mut count = Count::new(&situation);
    let most = due.min(hand.0[JOKER]);
    let mut best = (f32::MIN, Below::FIRST);
    for jokers in Below::all().filter(|jokers| jokers.get() <= usize::from(most)) {
        let mut rest = *hand;
        rest.remove(&tribute(hand, due, JokerOrder::Holder, jokers.get() as u8));
        let left = Hand::of(&situation, &mut count, &rest);
        let value = left.value(situation.weights, Tempo::FOLLOWING, count.least);
        if value > best.0 {
            best = (value, jokers);
        }
    }
    Move::PayJokers(best.1)
}

/// The card to give back: its loss, together with the cards to return later, leaves the best hand.
pub fn give(view: View<'_>) -> Move {
    let (table, own) = (view.table, view.own);
    let mut cards = own.hand;
    cards.remove(&own.given);
    let me = table.position_of(view.seat);
    let due = table.pairs().iter().find(|pair| pair.0 == me).map_or(0, |pair| pair.2);
    let more = due.saturating_sub(own.given.total() as u8);
    // Position 0 leads first.
    let tempo = if me == 0 { Tempo { lead: 1.0 } } else { Tempo::FOLLOWING };
    Move::Give(scripted::give(&situation(view, &places(&table.deck)), &cards, more, tempo))
}

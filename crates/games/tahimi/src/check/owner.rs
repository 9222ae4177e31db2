//! Checks of one seat's private state. The table must be valid.

use cardsharp_climbing::check::{self, Gifts, with};
use cardsharp_engine::game::ensure;

use super::public::all_dealt;
use crate::deck::{self, Cards, JOKER, RANKS};
use crate::state::View;
use crate::table::{Ask, Own, Stage, Table, tribute};
use crate::variant::JokerOrder;

/// The part of a position in the taxes.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// Receives this many cards and gives as many back.
    High(u8),
    /// Pays this many cards.
    Low(u8),
    /// Neither pays nor receives in this round.
    None,
}

/// What the viewer's cards prove about the taxes.
pub(super) struct Known {
    /// The cards dealt to the viewer.
    pub(super) dealt: Cards,
    /// Whether the viewer's tribute (paid or received) has moved.
    pub(super) paid: bool,
}

/// Checks the viewer's private state.
pub(super) fn check(view: View<'_>) -> Result<Known, String> {
    let (table, own) = (view.table, view.own);
    let position = table.position.get(view.seat.index()).and_then(|position| position.get());
    let playing = position.filter(|&p| p < table.players);
    let me = playing.ok_or_else(|| format!("seat {} does not play this round", view.seat.0))?;
    let part = part(table, me);
    let partner = partner(table, me);
    ensure!(own.partner == partner, "the partner is {partner:?}, not {:?}", own.partner);
    if table.stage == Stage::Decree {
        let asked = if me == 0 { Ask::Decree } else { Ask::Nothing };
        let fresh = Own { ask: asked, ..Own::dealt(Cards::NONE) };
        ensure!(*own == fresh, "before the decree no player has cards, and position 0 must decide");
        return Ok(Known { dealt: Cards::NONE, paid: false });
    }
    let played = &table.memory.played[usize::from(me)];
    let seen = with(&own.hand, &table.memory.gone)?;
    without(&table.deck, &seen, "the deck does not have the cards in hand and played")?;
    let paid = has_paid(table, me, part, own);
    let moved = exchanged(table, part, own, paid)?;
    let held = with(&own.hand, played)?;
    let straight_back = matches!(part, Part::High(_));
    let dealt = check::dealt(&table.deck, &held, &moved, straight_back, deck::to_text)?;
    let size = all_dealt(table)[usize::from(me)];
    ensure!(dealt.total() == u32::from(size), "{} of the {size} cards dealt to the viewer", dealt.total());
    tributes(table, part, own, &dealt, paid)?;
    asked(table, me, part, own, paid)?;
    Ok(Known { dealt, paid })
}

/// The part of position `me` in the taxes.
pub(crate) fn part(table: &Table, me: u8) -> Part {
    if !table.taxes() || table.stage == Stage::Decree {
        return Part::None;
    }
    let mine = table.pairs().iter().find_map(|&(high, low, k)| match me {
        me if me == high => Some(Part::High(k)),
        me if me == low => Some(Part::Low(k)),
        _ => None,
    });
    mine.unwrap_or(Part::None)
}

/// The position that `me` exchanges cards with.
fn partner(table: &Table, me: u8) -> Option<u8> {
    match part(table, me) {
        Part::None => None,
        Part::High(_) | Part::Low(_) => Some(table.players - 1 - me),
    }
}

/// Whether tributes have moved, as far as the viewer's cards show.
pub(crate) fn has_paid(table: &Table, me: u8, part: Part, own: &Own) -> bool {
    match part {
        Part::None => false,
        _ if table.stage == Stage::Play => true,
        Part::High(_) => own.received != Cards::NONE,
        Part::Low(_) => own.hand.total() != u32::from(table.held(me)),
    }
}

/// Whether payers decide how many jokers they pay in this round.
fn jokers_are_chosen(table: &Table) -> bool {
    table.variant.joker_order() == JokerOrder::Holder && table.deck.0[JOKER] > 0
}

/// Checks how many cards the viewer gave and received. Returns those of them that have moved.
fn exchanged(table: &Table, part: Part, own: &Own, paid: bool) -> Result<Gifts<RANKS>, String> {
    let (given, received) = (own.given.total(), own.received.total());
    let (given_moved, received_moved) = match (part, table.stage) {
        (Part::None, _) => {
            ensure!(given == 0 && received == 0, "cards given or received without a partner");
            (false, false)
        }
        (Part::High(k) | Part::Low(k), Stage::Play) => {
            let k = u32::from(k);
            ensure!(given == k && received == k, "{given} cards given and {received} received, not {k} each");
            (true, true)
        }
        (Part::High(_), _) if !paid => {
            ensure!(jokers_are_chosen(table), "no cards received, but the tribute moves at once");
            ensure!(given == 0, "{given} cards picked for a tribute that has not come");
            (false, false)
        }
        (Part::High(k), _) => {
            let k = u32::from(k);
            ensure!(received == k, "{received} cards received so far, not {k}");
            ensure!(given <= k, "{given} cards picked, not {k}");
            without(&own.hand, &own.given, "cards picked to give must be in hand")?;
            (false, true)
        }
        (Part::Low(k), _) => {
            ensure!(received == 0, "{received} cards received before any are returned");
            if paid {
                ensure!(given == u32::from(k), "{given} cards paid so far, not {k}");
            } else {
                ensure!(jokers_are_chosen(table), "no cards paid, but the tribute moves at once");
                let jokers = own.given.0[JOKER];
                let chosen = given == u32::from(jokers) && jokers <= own.hand.0[JOKER].min(k);
                ensure!(chosen, "the jokers to pay cannot be {}", deck::to_text(&own.given));
            }
            (paid, false)
        }
    };
    Ok(Gifts {
        given: if given_moved { own.given } else { Cards::NONE },
        received: if received_moved { own.received } else { Cards::NONE },
    })
}

/// Checks that a tribute consists of the payer's best cards.
fn tributes(table: &Table, part: Part, own: &Own, dealt: &Cards, paid: bool) -> Result<(), String> {
    let order = table.variant.joker_order();
    match part {
        Part::High(_) => {
            let possible = order != JokerOrder::Low || own.received.0[JOKER] == 0;
            ensure!(possible, "a joker is never paid by these rules");
        }
        Part::Low(k) if paid => {
            let due = tribute(dealt, k, order, own.given.0[JOKER].min(k));
            let [given, due_text] = [&own.given, &due].map(deck::to_text);
            ensure!(own.given == due, "the tribute is {due_text}, not {given}");
        }
        Part::Low(_) | Part::None => {}
    }
    Ok(())
}

/// Checks that the viewer may have the decision `own.ask`, or none, now.
fn asked(table: &Table, me: u8, part: Part, own: &Own, paid: bool) -> Result<(), String> {
    let given = own.given.total();
    let possible: &[Ask] = match (table.stage, part) {
        (Stage::Taxes, Part::High(k)) if paid => match given {
            0 if me > 0 => &[Ask::Return, Ask::Nothing],
            given if given < u32::from(k) => &[Ask::Return],
            _ if usize::from(me) + 1 < table.pairs().len() => &[Ask::Nothing],
            _ => &[],
        },
        (Stage::Taxes, Part::Low(_)) if !paid && own.hand.0[JOKER] > 0 && given == 0 => {
            &[Ask::TaxJokers, Ask::Nothing]
        }
        _ => &[Ask::Nothing],
    };
    check::asked(&own.ask, possible)
}

/// Removes `part` from `all`; fails with the message `what` if cards are missing.
pub(super) fn without(all: &Cards, part: &Cards, what: &str) -> Result<Cards, String> {
    check::without(all, part, what, deck::to_text)
}

//! Checks of a complete hand.

use cardsharp_climbing::check::{self, Gifts, with};
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::game::{Play, ensure};
use cardsharp_engine::rules::Rules as _;

use super::owner::{self, without};
use super::public;
use crate::deck::{self, Cards, JESTER, RANKS};
use crate::rules::TaxVisibility;
use crate::state::Round;
use crate::table::{Ask, Own, PROPOSER, Revolution, Stage, pairs, tribute};

/// Checks every invariant of the rules on a hand, from its cards alone.
///
/// # Errors
/// The position with the wrong state, or the fault.
pub fn audit(round: &Round) -> Result<(), String> {
    let table = &round.table;
    table.rules.check().map_err(|error| error.to_string())?;
    public::check(table)?;
    let players = usize::from(table.players());
    let mut dealt = [Cards::NONE; MAX_SEATS];
    let mut all = table.memory.gone;
    for (p, own) in round.own.iter().enumerate() {
        if p >= players {
            ensure!(*own == Own::dealt(Cards::NONE), "position {p} has no player, but private data");
            continue;
        }
        dealt[p] =
            owner::check(round.view(table.order[p])).map_err(|error| format!("position {p}: {error}"))?;
        all = with(&all, &own.hand)?;
    }
    ensure!(all == table.deck, "hands and cards played do not add up to the deck");
    taxes(round, &dealt)?;
    jesters(round, &dealt)?;
    replacement(round)?;
    asking(round)
}

/// Checks that partners agree, that tributes are the best cards dealt, and that returned cards were in hand.
fn taxes(round: &Round, dealt: &[Cards; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    if !table.taxes() || !matches!(table.stage, Stage::Taxes | Stage::Play) {
        return Ok(());
    }
    let seen = table.rules.tax_visibility == TaxVisibility::Seen;
    let done = table.stage == Stage::Play;
    for (dalmuti, peon, k) in pairs(table.players()) {
        let [high, low] = [dalmuti, peon].map(|p| &round.own[usize::from(p)]);
        let due = if done || seen { tribute(&dealt[usize::from(peon)], k) } else { Cards::NONE };
        let at_hand =
            if seen { with(&dealt[usize::from(dalmuti)], &due)? } else { dealt[usize::from(dalmuti)] };
        check::pair([dalmuti, peon], [high, low].map(gifts).each_ref(), &due, &at_hand, done, deck::to_text)?;
    }
    if done && let Some(target) = table.exchange {
        let [proposer, target] = [PROPOSER, target].map(|p| &round.own[usize::from(p)]);
        let crossed = proposer.given == target.received && target.given == proposer.received;
        ensure!(crossed, "the Merchants did not get each other's cards");
        let held = [PROPOSER, table.exchange.unwrap_or(PROPOSER)].map(|p| &dealt[usize::from(p)]);
        without(held[0], &proposer.given, "the proposer's card must have been dealt to the proposer")?;
        without(held[1], &target.given, "the target's card must have been dealt to the target")?;
    }
    Ok(())
}

fn gifts(own: &Own) -> Gifts<RANKS> {
    Gifts { given: own.given, received: own.received }
}

/// Checks that only a player dealt both Jesters can call a revolution.
fn jesters(round: &Round, dealt: &[Cards; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    let players = usize::from(table.players());
    let holder = dealt[..players].iter().position(|cards| cards.0[JESTER] == 2);
    match (table.stage, table.revolution) {
        (Stage::Dealt, _) => {
            let asked = holder.is_some_and(|p| usize::from(round.asking) == p);
            ensure!(
                asked,
                "a revolution is offered to position {}, but {holder:?} was dealt both Jesters",
                round.asking
            );
        }
        (_, Revolution::None) => {}
        (_, revolution) => {
            let greater = revolution == Revolution::Greater;
            let caller = table.caller.map(|seat| usize::from(table.position[seat.index()]));
            let may = caller.is_some_and(|p| if greater { p == 0 } else { p != players - 1 });
            ensure!(
                may && holder == caller,
                "{caller:?} called a revolution, but {holder:?} was dealt both Jesters"
            );
        }
    }
    Ok(())
}

/// Checks that all players who know a replacement card know the same one.
fn replacement(round: &Round) -> Result<(), String> {
    let mut known = round.own.iter().filter_map(|own| own.replacement);
    let first = known.next();
    ensure!(known.all(|card| Some(card) == first), "two replacements are known");
    Ok(())
}

/// Checks that exactly one player decides before the play, and that all earlier decisions are made.
fn asking(round: &Round) -> Result<(), String> {
    let table = &round.table;
    let in_play = table.stage == Stage::Play;
    check::asking(round.own.map(|own| own.ask != Ask::Nothing), round.asking, in_play)?;
    if table.stage == Stage::Taxes {
        let given = |p: u8| round.own[usize::from(p)].given.total();
        let (own, target) = (round.own[usize::from(round.asking)].ask, table.exchange);
        // Number of cards picked before this decision: by the two Dalmutis, the proposer and the target.
        let due = match own {
            Ask::Tax if round.asking == 0 => [given(0).min(1), 0, 0, 0],
            Ask::Tax => [2, 0, 0, 0],
            Ask::Exchange if target == Some(round.asking) => [2, 1, 1, 0],
            _ => [2, 1, 0, 0],
        };
        let merchants = target.map_or([0, 0], |target| [given(PROPOSER), given(target)]);
        let picked = [given(0), given(1), merchants[0], merchants[1]];
        ensure!(picked == due, "{picked:?} cards are picked, not {due:?}");
    }
    Ok(())
}

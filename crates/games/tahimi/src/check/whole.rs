//! Checks of a complete round.

use cardsharp_climbing::check::{self, Gifts, with};
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::game::{Play, ensure};
use cardsharp_engine::rules::Rules as _;

use super::{owner, public};
use crate::deck::{self, Cards, JOKER, RANKS};
use crate::rules::Trim;
use crate::state::Round;
use crate::table::{Ask, Own, Stage, tribute};
use crate::variant::JokerOrder;

/// Checks every invariant of the rules on a round, from its cards alone.
///
/// # Errors
/// The position with the wrong state, or the fault.
pub fn audit(round: &Round) -> Result<(), String> {
    let table = &round.table;
    table.rules.check().map_err(|error| error.to_string())?;
    public::check(table)?;
    let players = usize::from(table.players);
    let even = table.rules.trim == Trim::None || table.deck.total().is_multiple_of(u32::from(table.players));
    ensure!(even, "a deck of {} cards for {players} players", table.deck.total());
    let mut dealt = [Cards::NONE; MAX_SEATS];
    let mut paid = [false; MAX_SEATS];
    let mut all = table.memory.gone;
    for (p, own) in round.own.iter().enumerate() {
        if p >= players {
            ensure!(*own == Own::dealt(Cards::NONE), "position {p} has no player, but private data");
            continue;
        }
        let known =
            owner::check(round.view(table.order[p])).map_err(|error| format!("position {p}: {error}"))?;
        (dealt[p], paid[p]) = (known.dealt, known.paid);
        all = with(&all, &own.hand)?;
    }
    ensure!(all == table.deck, "hands and cards played do not add up to the deck");
    taxes(round, &dealt, &paid)?;
    asking(round, &paid)
}

/// Checks that partners agree, that tributes are the best cards dealt, and that returned cards were in hand.
fn taxes(round: &Round, dealt: &[Cards; MAX_SEATS], paid: &[bool; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    if !table.taxes() || table.stage == Stage::Decree {
        return Ok(());
    }
    for &(high, low, k) in table.pairs() {
        let [upper, lower] = [high, low].map(|p| &round.own[usize::from(p)]);
        let moved = paid[0];
        ensure!(
            [high, low].iter().all(|&p| paid[usize::from(p)] == moved),
            "positions {high} and {low} disagree about their exchange, or with position 0"
        );
        if !moved {
            continue;
        }
        let order = table.variant.joker_order();
        let due = tribute(&dealt[usize::from(low)], k, order, lower.given.0[JOKER].min(k));
        let at_hand = with(&dealt[usize::from(high)], &due)?;
        let gifts = [upper, lower].map(|own| Gifts::<RANKS> { given: own.given, received: own.received });
        let done = table.stage == Stage::Play;
        check::pair([high, low], gifts.each_ref(), &due, &at_hand, done, deck::to_text)?;
    }
    Ok(())
}

/// Checks that exactly one player decides before the play, and that all earlier decisions are made.
fn asking(round: &Round, paid: &[bool; MAX_SEATS]) -> Result<(), String> {
    let table = &round.table;
    let in_play = table.stage == Stage::Play;
    check::asking(round.own.map(|own| own.ask != Ask::Nothing), round.asking, in_play)?;
    if in_play || table.stage == Stage::Decree {
        return Ok(());
    }
    let own = &round.own[usize::from(round.asking)];
    ensure!((own.ask == Ask::Return) == paid[0], "{:?} is asked, but tributes moved: {}", own.ask, paid[0]);
    for &(high, low, k) in table.pairs() {
        let given = |p: u8| round.own[usize::from(p)].given.total();
        let in_turn = match own.ask {
            Ask::Return if high < round.asking => given(high) == u32::from(k),
            Ask::Return if high > round.asking => given(high) == 0,
            Ask::Return => given(high) < u32::from(k),
            _ if low > round.asking => true,
            _ => given(low) == 0,
        };
        ensure!(in_turn, "positions {high} and {low} did not decide in turn");
    }
    let chooses = own.ask != Ask::TaxJokers || table.variant.joker_order() == JokerOrder::Holder;
    ensure!(chooses, "the payer may not choose the jokers by these rules");
    Ok(())
}

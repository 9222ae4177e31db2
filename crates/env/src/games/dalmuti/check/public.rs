//! What must hold of a table.

use super::{ensure, with, without};
use crate::game::{MAX_SEATS, Seat};
use crate::games::climbing::sets::MAX_SIZE;
use crate::games::dalmuti::deck::{self, Cards, JESTER, RANKS};
use crate::games::dalmuti::rules::{MerchantExchange, Scoring, Seating};
use crate::games::dalmuti::table::{ExposedFate, Revolution, Stage, Table};
use crate::hands::Positions;

/// Checks a table whose rules are in order.
pub(super) fn check(table: &Table) -> Result<(), String> {
    session(table)?;
    seats(table)?;
    memory(table)?;
    opening(table)?;
    trick(table)?;
    passes(table)
}

fn session(table: &Table) -> Result<(), String> {
    let rules = &table.rules;
    ensure!(
        table.deck == deck::composition(rules),
        "the rules make another deck than {}",
        deck::to_text(&table.deck)
    );
    ensure!((1..=rules.hands).contains(&table.hand), "hand {} of a session of {}", table.hand, rules.hands);
    let n = i32::from(rules.players);
    let hands = i32::from(table.hand) - 1;
    let most = match rules.scoring {
        Scoring::None => 0,
        Scoring::Standard => hands * (n - 1),
        Scoring::Philanthropic => hands * n,
    };
    let (points, rest) = table.points.split_at(usize::from(rules.players));
    ensure!(rest.iter().all(|&p| p == 0), "points for seats that do not play");
    ensure!(points.iter().all(|p| (0..=most).contains(p)), "points are not all in 0..={most}: {points:?}");
    let total: i32 = points.iter().sum();
    let (low, high) = match rules.scoring {
        Scoring::None => (0, 0),
        Scoring::Standard => (hands * n * (n - 1) / 2, hands * n * (n - 1) / 2),
        Scoring::Philanthropic => (hands * n * (n - 1) / 2, hands * (n * (n - 1) / 2 + 2)),
    };
    ensure!((low..=high).contains(&total), "{total} points in all: expected {low}..={high}");
    Ok(())
}

fn seats(table: &Table) -> Result<(), String> {
    let players = usize::from(table.rules.players);
    let (order, rest) = table.order.split_at(players);
    ensure!(rest.iter().all(|&seat| seat == Seat(0)), "`order` names seats beyond the players");
    ensure!(
        table.position[players..].iter().all(|&p| p == 0),
        "`position` names positions beyond the players"
    );
    for (p, seat) in order.iter().enumerate() {
        ensure!(seat.index() < players, "seat {} in `order` of {players} players", seat.0);
        ensure!(
            usize::from(table.position[seat.index()]) == p,
            "`order` and `position` disagree about seat {}",
            seat.0
        );
    }
    if table.rules.seating == Seating::Fixed && table.hand == 1 {
        let turned = table.revolution == Revolution::Greater;
        let fixed = |p: usize| if turned { players - 1 - p } else { p };
        let fits = order.iter().enumerate().all(|(p, seat)| seat.index() == fixed(p));
        ensure!(fits, "the first seating is fixed, but `order` is another");
    }
    Ok(())
}

fn memory(table: &Table) -> Result<(), String> {
    let memory = &table.memory;
    let mut gone = Cards::NONE;
    for (p, played) in memory.played.iter().enumerate() {
        ensure!(
            played.total() == u32::from(memory.total[p]),
            "position {p} played {} cards, not {}",
            played.total(),
            memory.total[p]
        );
        gone = with(&gone, played)?;
        if p < usize::from(table.rules.players) {
            let dealt = table.dealt(p as u8);
            ensure!(memory.total[p] <= dealt, "position {p} played {} of {dealt} cards", memory.total[p]);
        } else {
            ensure!(*played == Cards::NONE, "position {p}, where nobody sits, played cards");
        }
    }
    ensure!(gone == memory.gone, "the cards gone are not those the players have played");
    without(&table.deck, &gone, "the deck does not have the cards played")?;
    Ok(())
}

fn opening(table: &Table) -> Result<(), String> {
    let rules = &table.rules;
    let n = rules.players;
    if table.stage != Stage::Play {
        ensure!(table.memory.gone == Cards::NONE, "cards were played before the play");
        ensure!(table.revolution == Revolution::None, "a revolution ends what comes before the play");
    }
    ensure!(
        table.stage != Stage::Taxes || table.taxes(),
        "there are no taxes in a first hand under this option"
    );
    ensure!(
        table.revolution != Revolution::Revolution || !table.first_deal_revolution(),
        "only the Greater Peon may call a revolution in this first hand"
    );
    let caller = table.caller.map(|seat| table.position.get(seat.index()).copied().filter(|_| seat.0 < n));
    let callable = match table.revolution {
        Revolution::None => caller.is_none(),
        Revolution::Revolution => matches!(caller, Some(Some(p)) if p != n - 1),
        Revolution::Greater => caller == Some(Some(0)),
    };
    ensure!(callable, "{:?} cannot be the caller of the revolution", table.caller);
    match table.exposed {
        None => {
            ensure!(table.stage != Stage::Misdeal, "no card is exposed, but one is to be decided about");
            ensure!(rules.misdeal_prob < 1.0, "a card is exposed in every hand by these rules");
        }
        Some(exposed) => {
            ensure!(rules.misdeal_prob > 0.0, "no card is ever exposed by these rules");
            let rank = usize::from(exposed.rank);
            ensure!(rank < RANKS && table.deck.0[rank] > 0, "the deck has no card of rank index {rank}");
            ensure!(exposed.receiver.0 < n, "seat {} was dealt the exposed card", exposed.receiver.0);
            let receiver = table.position[exposed.receiver.index()];
            let peon = if table.revolution == Revolution::Greater { 0 } else { n - 1 };
            ensure!(
                receiver != peon || exposed.fate == ExposedFate::Kept,
                "the Greater Peon keeps a card exposed to him"
            );
            ensure!(
                (exposed.fate == ExposedFate::Open) == (table.stage == Stage::Misdeal),
                "the exposed card is decided about in its own stage"
            );
        }
    }
    if let Some(target) = table.exchange {
        ensure!(
            rules.merchant_exchange != MerchantExchange::Off && n >= 6,
            "Merchants exchange no cards by these rules"
        );
        ensure!(
            table.taxes() && matches!(table.stage, Stage::Taxes | Stage::Play),
            "Merchants exchange cards after taxes"
        );
        ensure!((3..=n - 3).contains(&target), "no Merchant sits at position {target}");
    }
    Ok(())
}

fn trick(table: &Table) -> Result<(), String> {
    let trick = &table.trick;
    let n = table.rules.players;
    ensure!(trick.players == n, "{} players in the trick, {n} in the rules", trick.players);
    ensure!(trick.out_count < n, "{} of {n} players are out", trick.out_count);
    ensure!(trick.turn < n && trick.last < n, "turn or last player beyond the players");
    let mut still_in = Positions::first(n);
    let (out, rest) = trick.out.split_at(usize::from(trick.out_count));
    for &p in out {
        ensure!(p < n && still_in.has(p), "position {p} cannot go out, or not twice");
        ensure!(table.held(p) == 0, "position {p} is out but holds cards");
        still_in = still_in.without(p);
    }
    ensure!(still_in == trick.still_in, "`still_in` and `out` disagree");
    ensure!(still_in.iter().all(|p| table.held(p) > 0), "a player without cards is still in");
    ensure!(still_in.has(trick.turn), "the player whose turn it is has gone out");
    let over = trick.out_count + 1 == n;
    let beyond = if over { &rest[1..] } else { rest };
    ensure!(beyond.iter().all(|&p| p == 0), "`out` names players who are still in");
    ensure!(!over || rest[0] == still_in.lowest(), "the last player is not the one left with cards");

    let expected = if trick.size == 0 { lead(table) } else { follow(table)? };
    ensure!(trick.turn == expected, "it is the turn of position {expected}, not {}", trick.turn);
    Ok(())
}

/// Whose lead it is.
fn lead(table: &Table) -> u8 {
    let trick = &table.trick;
    if table.memory.gone == Cards::NONE {
        0
    } else if trick.still_in.has(trick.last) {
        trick.last
    } else {
        trick.still_in.next_after(trick.last)
    }
}

/// Whose turn it is to top the set on the table.
fn follow(table: &Table) -> Result<u8, String> {
    let trick = &table.trick;
    ensure!(
        usize::from(trick.size) <= MAX_SIZE && usize::from(trick.strength) <= JESTER,
        "no such set: {trick:?}"
    );
    let rank = JESTER - usize::from(trick.strength);
    let played = &table.memory.played[usize::from(trick.last)].0;
    let naturals = trick.size.checked_sub(trick.wilds).ok_or("more Jesters than cards in the set to beat")?;
    ensure!((naturals == 0) == (rank == JESTER), "a set is of its numbered cards' rank");
    let shown = played[JESTER] >= trick.wilds && (naturals == 0 || played[rank] >= naturals);
    ensure!(shown, "position {} has not played the set to beat", trick.last);
    if trick.is_over() {
        ensure!(trick.passed.is_empty(), "nobody passes after the end");
        ensure!(
            trick.out[usize::from(trick.out_count) - 1] == trick.last,
            "the last play did not end the hand"
        );
        return Ok(trick.still_in.lowest());
    }
    // Each player in turn has passed once since the last play.
    let mut passed = Positions(0);
    let mut turn = trick.still_in.next_after(trick.last);
    while trick.passed.has(turn) && !passed.has(turn) && turn != trick.last {
        passed.insert(turn);
        turn = trick.still_in.next_after(turn);
    }
    let all_passed = passed.has(turn) || turn == trick.last;
    ensure!(passed == trick.passed && !all_passed, "`passed` is not who had a turn since the last play");
    Ok(turn)
}

fn passes(table: &Table) -> Result<(), String> {
    let trick = &table.trick;
    if trick.size == 0 {
        let bare = trick.strength == 0 && trick.wilds == 0 && trick.passed.is_empty();
        ensure!(bare, "there is nothing to beat, but a strength, Jesters or passes");
        let dealt = table.memory.gone == Cards::NONE;
        ensure!(!dealt || trick.last == 0, "nobody has taken a trick yet");
        let took = table.memory.total[usize::from(trick.last)];
        ensure!(dealt || took > 0, "who took the last trick has played nothing");
    }
    for p in 0..MAX_SEATS {
        for (i, &noted) in table.memory.passed_on[p].iter().enumerate() {
            if noted == 0 {
                continue;
            }
            let size = i as u8 + 1;
            ensure!(p < usize::from(trick.players), "position {p}, where nobody sits, passed");
            ensure!(usize::from(noted) <= JESTER + 1, "position {p} passed on strength {noted} plus one");
            let rank = JESTER + 1 - usize::from(noted);
            let gone = |rank: usize| table.memory.gone.0[rank] - table.memory.played[p].0[rank];
            let naturals = if rank == JESTER { 0 } else { gone(rank) };
            let possible = (rank == JESTER || naturals > 0) && naturals + gone(JESTER) >= size;
            ensure!(possible, "nobody played the set of {size} that position {p} passed on");
        }
    }
    for p in trick.passed.iter() {
        if let Some(&noted) = table.memory.passed_on[usize::from(p)].get(usize::from(trick.size) - 1) {
            ensure!((1..=trick.strength + 1).contains(&noted), "a pass of position {p} is not remembered");
        }
    }
    Ok(())
}

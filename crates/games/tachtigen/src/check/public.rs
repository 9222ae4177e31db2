//! Consistency checks of a table that need no private state.

use cardsharp_engine::Seat;
use cardsharp_engine::game::ensure;
use cardsharp_engine::hands::Positions;
use cardsharp_engine::sort_few;

use crate::deck::Trump;
use crate::ladder::{Bid, Kind, up_to};
use crate::rules::{AllHold, MOST_REDEALS, OpeningOrder, TrumpRule};
use crate::seats::{ALL_SEATS, SEATS, clockwise};
use crate::table::{Asked, Auction, Stage, Table};

/// An upper bound on a seat's points in one deal, higher than any rules allow.
const MOST: i32 = 2_000;

/// Checks a table up to the first lead. [`super::rebuild`] checks the play.
pub(super) fn check(table: &Table) -> Result<(), String> {
    seats(table)?;
    session(table)?;
    auction(table)?;
    contract(table)?;
    open_hands(table)
}

/// Checks that open hands show all their cards, and closed hands none.
fn open_hands(table: &Table) -> Result<(), String> {
    for seat in ALL_SEATS {
        let due = if table.open.has(seat.0) { table.held(seat) } else { 0 };
        let shown = table.shown[seat.index()].len();
        ensure!(shown == due, "seat {} shows {shown} cards, not {due}", seat.0);
    }
    Ok(())
}

/// Checks that all seat numbers are below four.
fn seats(table: &Table) -> Result<(), String> {
    let play = &table.play;
    let named = [table.dealer, table.turn, play.best];
    let perhaps = [table.auction.high, table.partner].into_iter().flatten();
    let all = named.into_iter().chain(perhaps).chain(table.auction.order).chain(play.leaders);
    for seat in all {
        ensure!(seat.index() < SEATS, "seat {} of {SEATS} players", seat.0);
    }
    for set in [table.auction.held, table.auction.passed, table.open, play.lone] {
        ensure!(set.is_within(Positions::first(SEATS as u8)), "{set:?} are not seats of {SEATS} players");
    }
    Ok(())
}

fn session(table: &Table) -> Result<(), String> {
    let (rules, deal) = (&table.rules, table.deal);
    ensure!((1..=rules.deals).contains(&deal), "deal {deal} of a session of {}", rules.deals);
    let most = MOST * (i32::from(deal) - 1);
    let scores = table.scores.iter().all(|score| (-most..=most).contains(score));
    ensure!(scores, "{:?} cannot be the scores after {} deals", table.scores, deal - 1);
    let again = if rules.all_hold == AllHold::Redeal { MOST_REDEALS } else { 0 };
    ensure!(table.redeals <= again, "dealt again {} times, not up to {again}", table.redeals);
    Ok(())
}

fn auction(table: &Table) -> Result<(), String> {
    let auction = &table.auction;
    let mut order = auction.order;
    sort_few(&mut order, |a, b| a.0 < b.0);
    ensure!(order == [0, 1, 2, 3].map(Seat), "{:?} is no order of the seats", auction.order);
    let forehand = auction.order == std::array::from_fn(|n| clockwise(table.dealer, n as u8 + 1));
    ensure!(
        forehand || table.rules.opening_order == OpeningOrder::Random,
        "the first to be asked is not forehand"
    );
    let held = auction.held.len() as usize;
    let asked = auction.order[..held].iter().all(|seat| auction.held.has(seat.0));
    ensure!(asked, "{:?} have held, but were not asked first", auction.held);
    let Some(high) = auction.high else {
        let silent = auction.passed.is_empty() && auction.bids == [None; SEATS];
        ensure!(silent, "bids or passes before the first bid");
        return match table.stage {
            Stage::Opening if held < SEATS => {
                ensure!(table.turn == auction.order[held], "seat {} is not asked to open", table.turn.0);
                Ok(())
            }
            Stage::Over if held == SEATS => {
                let last = table.rules.all_hold == AllHold::EndZero || table.redeals == MOST_REDEALS;
                ensure!(last, "the next dealer must deal again");
                ensure!(
                    table.turn == auction.order[SEATS - 1],
                    "seat {} was not the last to hold",
                    table.turn.0
                );
                Ok(())
            }
            _ => Err(format!("{:?} without a bid", table.stage)),
        };
    };
    ensure!(table.stage != Stage::Opening, "a bid before the opening");
    ensure!(held < SEATS, "all players have held, but there is a bid");
    bids(table, high, auction.order[held])?;
    if table.stage == Stage::Auction {
        ensure!(auction.passed.len() < 3, "the auction is over");
        return speaking(auction, high, table.turn, auction.order[held]);
    }
    ensure!(auction.passed == Positions::first(4).without(high.0), "not all others have passed");
    Ok(())
}

fn bids(table: &Table, high: Seat, opener: Seat) -> Result<(), String> {
    let auction = &table.auction;
    ensure!(!auction.passed.has(high.0), "the highest bidder has passed");
    ensure!(auction.bids[opener.index()].is_some(), "seat {} opened without a bid", opener.0);
    let allowed = up_to(table.rules.max_point_bid);
    let top = auction.bids[high.index()];
    for seat in ALL_SEATS {
        let Some(bid) = auction.bids[seat.index()] else { continue };
        ensure!(allowed >> bid.rung() & 1 == 1, "{bid} is more than may be bid");
        ensure!(seat == high || top > Some(bid), "seat {} bid more than the highest bidder", seat.0);
        let same = ALL_SEATS.iter().filter(|other| auction.bids[other.index()] == Some(bid)).count();
        ensure!(same == 1, "{bid} was bid twice");
    }
    Ok(())
}

/// Checks that it can be this seat's turn to bid.
fn speaking(auction: &Auction, high: Seat, turn: Seat, opener: Seat) -> Result<(), String> {
    ensure!(turn != high && !auction.passed.has(turn.0), "seat {} cannot bid or pass", turn.0);
    let after = |from: Seat| (1..SEATS as u8).map(move |n| clockwise(from, n));
    let skipped = after(high).take_while(|&seat| seat != turn);
    let passed = skipped.into_iter().all(|seat| auction.passed.has(seat.0));
    ensure!(passed, "it is not seat {}'s turn after seat {}'s bid", turn.0, high.0);
    // Clockwise from the seat to speak: bids of the seats still in must rise, and seats not asked yet come
    // last.
    let unasked = |seat: Seat| auction.bids[seat.index()].is_none() && !auction.passed.has(seat.0);
    let lap: Vec<Seat> = std::iter::once(turn).chain(after(turn)).collect();
    if lap.iter().any(|&seat| unasked(seat)) {
        let rest = lap.iter().take_while(|&&seat| seat != opener);
        let asked = after(opener).take_while(|&seat| seat != turn);
        let first_lap = rest.into_iter().all(|&seat| unasked(seat)) && !asked.into_iter().any(unasked);
        ensure!(first_lap && turn != opener, "the auction skipped seats");
        let spoken = std::iter::once(opener).chain(after(opener).take_while(|&seat| seat != turn));
        return rising(auction, spoken.filter(|seat| auction.bids[seat.index()].is_some()));
    }
    rising(auction, lap.into_iter().filter(|seat| !auction.passed.has(seat.0)))
}

fn rising(auction: &Auction, seats: impl Iterator<Item = Seat>) -> Result<(), String> {
    let bids: Vec<Option<Bid>> = seats.map(|seat| auction.bids[seat.index()]).collect();
    ensure!(bids.is_sorted(), "bids do not rise around the table");
    Ok(())
}

/// Checks that kitty, trump and asked card fit the contract.
fn contract(table: &Table) -> Result<(), String> {
    let Some(kind) = table.contract() else {
        let nothing = table.kitty.is_none() && table.trump.is_none() && table.asked == Asked::Nothing;
        ensure!(nothing, "a contract before the end of the auction");
        return Ok(());
    };
    let bidder = table.bidder().unwrap_or(table.turn);
    ensure!(
        table.kitty.is_none() == kind.from_the_hand(),
        "the kitty is taken unless one plays from the hand"
    );
    let stage = table.stage;
    if matches!(stage, Stage::Discard | Stage::Trump | Stage::Ask) {
        ensure!(table.turn == bidder, "only the bidder decides before the play");
    }
    ensure!(stage != Stage::Discard || !kind.from_the_hand(), "nothing is put aside from the hand");
    let rule = table.rules.trump_rule(kind);
    let named = match (stage, rule) {
        (Stage::Discard, _) => table.trump.is_none(),
        (Stage::Trump, rule) => table.trump.is_none() && rule != TrumpRule::None,
        (_, TrumpRule::None) => table.trump == Some(Trump::None),
        (_, TrumpRule::Named) => table.trump.is_some_and(|trump| trump != Trump::None),
        (_, TrumpRule::NamedOrNone) => table.trump.is_some(),
    };
    ensure!(named, "trump cannot be {:?}", table.trump);
    let points = matches!(kind, Kind::Points(_));
    let before = matches!(stage, Stage::Discard | Stage::Trump | Stage::Ask);
    ensure!(stage != Stage::Ask || points, "nothing is asked for");
    ensure!((table.asked == Asked::Nothing) == (!points || before), "{:?} cannot be asked now", table.asked);
    Ok(())
}

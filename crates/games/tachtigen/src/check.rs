//! Consistency checks of a table, a view and a complete deal, recomputed from scratch.

use cardsharp_engine::game::{Check, ViewError, ensure, some_deal};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{Seat, sort_few};

use super::auction::{ask, askable, choose_trump, name_trump, take_kitty};
use super::bids::{Bid, BidKind, up_to};
use super::deck::{Card, Cards, Trump};
use super::determinize::{self, Unsolved};
use super::roem::{self, due, true_roem};
use super::rules::{AllHold, MOST_REDEALS, OpeningOrder, RoemClaims, TrumpRule};
use super::state::{
    ALL_SEATS, AskedCard, Auction, BIDDER, HAND, PARTNER, PerSeat, PlayState, PrivateState, PublicState,
    Round, SEATS, Stage, View, clockwise,
};
use super::{follow, round};

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        let wrong = ViewError::Impossible;
        if usize::from(view.seat.0) >= SEATS {
            return Err(wrong(format!("seat {} of {SEATS} players", view.seat.0)));
        }
        check_table(view.table).map_err(wrong)?;
        owner(view).map_err(wrong)?;
        check_play(view.table, &known(view)).map_err(wrong)?;
        match determinize::is_possible(view) {
            // A deal may exist, but code that accepts a view must be able to deal from it.
            Err(Unsolved::GaveUp) => {
                Err(wrong("no deal of the cards that leads to it was found in a long search".to_owned()))
            }
            found => some_deal(found.is_ok()),
        }
    }

    fn audit(&self) -> Result<(), String> {
        let table = &self.table;
        check_table(table)?;
        let taken = table.kitty.is_some();
        ensure!(table.kitty.is_none_or(|card| card == self.kitty), "the kitty that was shown differs");
        let discard = table.bidder().and_then(|bidder| self.own[bidder.index()].discard);
        let aside = if taken { discard } else { Some(self.kitty) };
        let mut all = aside.map_or(Cards::NONE, Cards::one);
        let mut number = all.len();
        for cards in self.hands() {
            all = all.or(cards);
            number += cards.len();
        }
        ensure!(all == Cards::ALL && number == Cards::ALL.len(), "the cards are not those of the deck");
        for seat in ALL_SEATS {
            let own = &self.own[seat.index()];
            let size = table.held(seat);
            ensure!(own.hand.len() == size, "seat {}: {} cards in hand, not {size}", seat.0, own.hand.len());
            let shown = if table.open.has(seat.0) { own.hand } else { Cards::NONE };
            ensure!(table.shown[seat.index()] == shown, "seat {} shows another hand", seat.0);
            put_aside(table, seat, own)?;
            truth(table, own, seat)?;
        }
        asked(self)?;
        check_play(table, &self.hands().map(Some))?;
        points(table, aside)
    }
}

/// Returns the complete hands that the viewer knows, by seat: cards held and played.
fn known(view: View<'_>) -> PerSeat<Option<Cards>> {
    let played = &view.table.play.played;
    let mut known = [None; SEATS];
    for seat in view.table.open.iter().map(usize::from) {
        known[seat] = Some(view.table.shown[seat].or(played[seat]));
    }
    known[view.seat.index()] = Some(view.own.hand.or(played[view.seat.index()]));
    known
}

/// Checks the viewer's private state against a table that passed [`check_table`].
fn owner(view: View<'_>) -> Result<(), String> {
    let (table, own, me) = (view.table, view.own, view.seat.index());
    let size = table.held(view.seat);
    ensure!(own.hand.len() == size, "{} cards in hand, not {size}", own.hand.len());
    let elsewhere =
        ALL_SEATS.into_iter().filter(|&seat| seat != view.seat).map(|seat| table.shown[seat.index()]);
    let others = elsewhere.fold(table.play.gone(), Cards::or);
    ensure!(!own.hand.meets(others), "cards in hand that were played, or are in open hands");
    let opened = !table.open.has(view.seat.0) || table.shown[me] == own.hand;
    ensure!(opened, "the viewer's open hand differs from `hand`");
    put_aside(table, view.seat, own)?;
    if let Some(card) = own.discard {
        ensure!(!own.hand.or(others).has(card), "{card} was put aside, and is elsewhere");
    }
    truth(table, own, view.seat)
}

/// Checks that only a bidder who took the kitty has put a card aside, and that the kitty is among the
/// bidder's cards.
fn put_aside(table: &PublicState, seat: Seat, own: &PrivateState) -> Result<(), String> {
    let bidder = table.bidder() == Some(seat) && table.kitty.is_some();
    let due = bidder && table.stage != Stage::Discard;
    ensure!(own.discard.is_some() == due, "seat {}: {:?} put aside", seat.0, own.discard);
    ensure!(!own.hand.meets(table.play.lacks[seat.index()]), "seat {} holds cards it cannot hold", seat.0);
    if let (true, Some(kitty)) = (bidder, table.kitty) {
        let has = own.hand.or(table.play.played[seat.index()]).has(kitty) || own.discard == Some(kitty);
        ensure!(has, "seat {} took {kitty}, and does not have it", seat.0);
    }
    Ok(())
}

/// Checks announced roem against the value of the cards, where the rules demand the truth.
fn truth(table: &PublicState, own: &PrivateState, seat: Seat) -> Result<(), String> {
    for (whose, speaker) in [(BIDDER, table.bidder()), (PARTNER, table.partner)] {
        let Some(points) = table.roem[whose].filter(|_| speaker == Some(seat)) else { continue };
        let truth = true_roem(table, whose, own, seat);
        let right = match table.rules.roem_claims {
            RoemClaims::Auto => points == truth,
            RoemClaims::TruthfulChoice => points == truth || points == 0,
            RoemClaims::FreeClaim => points <= roem::MOST,
        };
        ensure!(right, "seat {} announced {points}, and has {truth}", seat.0);
    }
    Ok(())
}

/// Checks that the bidder could ask for the asked card, and that another player holds it (or the bidder put
/// it aside).
fn asked(round: &Round) -> Result<(), String> {
    let table = &round.table;
    let (Some(asked), Some(bidder)) = (table.asked_card(), table.bidder()) else { return Ok(()) };
    let hands = round.hands();
    let mine = PrivateState { hand: hands[bidder.index()], ..round.own[bidder.index()] };
    ensure!(askable(table, &mine).has(asked), "{asked} could not be asked for");
    let holder = ALL_SEATS.into_iter().find(|&seat| seat != bidder && hands[seat.index()].has(asked));
    ensure!(holder.is_some() || mine.discard == Some(asked), "no player has {asked}");
    ensure!(table.partner.is_none_or(|partner| holder == Some(partner)), "the partner never held {asked}");
    Ok(())
}

/// Checks, after the last trick, that the tricks have all points of the deck except those of the card put
/// aside.
fn points(table: &PublicState, aside: Option<Card>) -> Result<(), String> {
    if table.play.trick() < HAND {
        return Ok(());
    }
    let trump = table.trump();
    let all = Cards::ALL.value(trump) - aside.map_or(0, |card| card.value(trump));
    let won: u8 = table.play.points.iter().sum();
    ensure!(won == all, "{won} points in tricks, not {all}");
    Ok(())
}

// Consistency checks of a table that need no private state.

/// An upper bound on a seat's points in one deal, higher than any rules allow.
const MOST: i32 = 2_000;

/// Checks a table up to the first lead. [`check_play`] checks the play.
fn check_table(table: &PublicState) -> Result<(), String> {
    seats(table)?;
    session(table)?;
    auction(table)?;
    contract(table)?;
    open_hands(table)
}

/// Checks that open hands show all their cards, and closed hands none.
fn open_hands(table: &PublicState) -> Result<(), String> {
    for seat in ALL_SEATS {
        let due = if table.open.has(seat.0) { table.held(seat) } else { 0 };
        let shown = table.shown[seat.index()].len();
        ensure!(shown == due, "seat {} shows {shown} cards, not {due}", seat.0);
    }
    Ok(())
}

/// Checks that all seat numbers are below four.
fn seats(table: &PublicState) -> Result<(), String> {
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

fn session(table: &PublicState) -> Result<(), String> {
    let (rules, deal) = (&table.rules, table.deal);
    ensure!((1..=rules.deals).contains(&deal), "deal {deal} of a session of {}", rules.deals);
    let most = MOST * (i32::from(deal) - 1);
    let scores = table.scores.iter().all(|score| (-most..=most).contains(score));
    ensure!(scores, "{:?} cannot be the scores after {} deals", table.scores, deal - 1);
    let again = if rules.all_hold == AllHold::Redeal { MOST_REDEALS } else { 0 };
    ensure!(table.redeals <= again, "dealt again {} times, not up to {again}", table.redeals);
    Ok(())
}

fn auction(table: &PublicState) -> Result<(), String> {
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

fn bids(table: &PublicState, high: Seat, opener: Seat) -> Result<(), String> {
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
fn contract(table: &PublicState) -> Result<(), String> {
    let Some(kind) = table.contract() else {
        let nothing = table.kitty.is_none() && table.trump.is_none() && table.asked == AskedCard::Nothing;
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
    let points = matches!(kind, BidKind::Points(_));
    let before = matches!(stage, Stage::Discard | Stage::Trump | Stage::Ask);
    ensure!(stage != Stage::Ask || points, "nothing is asked for");
    ensure!(
        (table.asked == AskedCard::Nothing) == (!points || before),
        "{:?} cannot be asked now",
        table.asked
    );
    Ok(())
}

// Rebuilding a table from its auction and the cards played, to compare.

/// Replays the cards of `table` and fails if the result differs. Each card must be legal for the hands in
/// `known`: all cards of a seat at the first lead, if known.
fn check_play(table: &PublicState, known: &PerSeat<Option<Cards>>) -> Result<(), String> {
    let again = rebuilt(table, known)?;
    ensure!(again.play == table.play, "the play is {:?}, not {:?}", again.play, table.play);
    ensure!(again.roem == table.roem, "roem is {:?}, not {:?}", again.roem, table.roem);
    ensure!(again == *table, "the table is {again:?}, not {table:?}");
    Ok(())
}

/// Returns the table before the first lead.
fn start(table: &PublicState) -> PublicState {
    let mut again = PublicState {
        kitty: None,
        trump: None,
        asked: AskedCard::Nothing,
        partner: None,
        roem: [None; 2],
        open: Positions(0),
        shown: [Cards::NONE; SEATS],
        play: PlayState::NONE,
        ..*table
    };
    let Some(bidder) = table.bidder() else { return again };
    again.turn = bidder;
    again.stage = Stage::Discard;
    if let Some(kitty) = table.kitty {
        take_kitty(&mut again, kitty);
    }
    if table.stage != Stage::Discard {
        choose_trump(&mut again);
        if let (Stage::Trump, Some(trump)) = (again.stage, table.trump) {
            name_trump(&mut again, trump);
        }
        if again.stage == Stage::Ask && table.asked != AskedCard::Nothing {
            ask(&mut again, table.asked);
        }
    }
    again
}

fn rebuilt(table: &PublicState, known: &PerSeat<Option<Cards>>) -> Result<PublicState, String> {
    let mut again = start(table);
    let cards = &table.play.cards;
    ensure!(cards.is_empty() || again.stage == Stage::Play, "cards were played before the play");
    for card in cards.iter() {
        call_if_called(table, &mut again, known)?;
        ensure!(again.stage == Stage::Play, "cards were played after the end, or before a claim");
        let seat = again.turn;
        let gone = again.play.gone();
        ensure!(!gone.has(card), "{card} was played twice");
        ensure!(!again.play.lacks[seat.index()].has(card), "seat {} cannot have held {card}", seat.0);
        if let Some(all) = known[seat.index()] {
            let legal = follow::playable(&again, seat, all.minus(again.play.played[seat.index()]));
            ensure!(legal.has(card), "{card} was not legal for seat {}", seat.0);
        }
        called_suit(&again, card)?;
        round::put(&mut again, card);
        lay_open(table, &mut again);
        announce(table, &mut again, seat, card)?;
    }
    if again.stage == Stage::Play {
        call_if_called(table, &mut again, known)?;
    }
    Ok(again)
}

/// Checks that the lead after a call is of the called suit.
fn called_suit(again: &PublicState, card: Card) -> Result<(), String> {
    let lead = again.play.in_trick() == 0 && again.play.is_called();
    let right = !lead || again.asked_card().is_some_and(|asked| asked.suit() == card.suit());
    ensure!(right, "{card} was led to a trick in which another suit was called");
    Ok(())
}

fn call_if_called(
    table: &PublicState,
    again: &mut PublicState,
    known: &PerSeat<Option<Cards>>,
) -> Result<(), String> {
    let trick = again.play.trick();
    if again.play.in_trick() != 0 || again.play.is_called() || table.play.called >> (trick & 7) & 1 == 0 {
        return Ok(());
    }
    let seat = again.turn;
    let all = known[seat.index()].unwrap_or(Cards::ALL);
    let hand = all.minus(again.play.gone());
    ensure!(follow::may_call(again, seat, hand), "seat {} could not call in trick {trick}", seat.0);
    round::call(again);
    Ok(())
}

/// Opens hands when they are due. Each shows its current cards and those played from it since.
fn lay_open(table: &PublicState, again: &mut PublicState) {
    if again.open.is_empty() {
        again.open = round::opens(again);
        for seat in again.open.iter().map(usize::from) {
            let since = table.play.played[seat].minus(again.play.played[seat]);
            again.shown[seat] = table.shown[seat].or(since);
        }
    }
}

/// Copies roem that was due from the original table, or starts the claim that is due.
fn announce(table: &PublicState, again: &mut PublicState, seat: Seat, card: Card) -> Result<(), String> {
    let Some(whose) = due(again, seat, card) else { return Ok(()) };
    let auto = table.rules.roem_claims == RoemClaims::Auto;
    let Some(points) = table.roem[whose] else {
        ensure!(!auto && table.stage == Stage::Claim, "roem of seat {} was due", seat.0);
        again.stage = Stage::Claim;
        again.turn = seat;
        return Ok(());
    };
    ensure!(points <= roem::MOST && points % 10 == 0, "{points} cannot be announced");
    if auto {
        again.roem[whose] = Some(points);
    } else {
        again.turn = seat;
        round::claim(again, points);
    }
    Ok(())
}

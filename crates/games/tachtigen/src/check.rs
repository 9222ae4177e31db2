//! Consistency checks of a table, a view and a complete deal, recomputed from scratch.

mod public;
mod rebuild;

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Check, ViewError, ensure, some_deal};
use cardsharp_engine::rules::Rules as _;

use super::announce::true_roem;
use super::course::HAND;
use super::deck::{Card, Cards};
use super::redeal::{self, Unsolved};
use super::roem;
use super::rules::RoemClaims;
use super::seats::{ALL_SEATS, Each, SEATS};
use super::table::{BIDDER, Own, PARTNER, Round, Stage, Table, View};

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        let wrong = ViewError::Impossible;
        if usize::from(view.seat.0) >= SEATS {
            return Err(wrong(format!("seat {} of {SEATS} players", view.seat.0)));
        }
        public::check(view.table).map_err(wrong)?;
        owner(view).map_err(wrong)?;
        rebuild::check(view.table, &known(view)).map_err(wrong)?;
        match redeal::is_possible(view) {
            // A deal may exist, but code that accepts a view must be able to deal from it.
            Err(Unsolved::GaveUp) => {
                Err(wrong("no deal of the cards that leads to it was found in a long search".to_owned()))
            }
            found => some_deal(found.is_ok()),
        }
    }

    fn audit(&self) -> Result<(), String> {
        let table = &self.table;
        public::check(table)?;
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
        rebuild::check(table, &self.hands().map(Some))?;
        points(table, aside)
    }
}

/// Returns the complete hands that the viewer knows, by seat: cards held and played.
fn known(view: View<'_>) -> Each<Option<Cards>> {
    let played = &view.table.play.played;
    let mut known = [None; SEATS];
    for seat in view.table.open.iter().map(usize::from) {
        known[seat] = Some(view.table.shown[seat].or(played[seat]));
    }
    known[view.seat.index()] = Some(view.own.hand.or(played[view.seat.index()]));
    known
}

/// Checks the viewer's private state against a table that passed [`public::check`].
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
fn put_aside(table: &Table, seat: Seat, own: &Own) -> Result<(), String> {
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
fn truth(table: &Table, own: &Own, seat: Seat) -> Result<(), String> {
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
    let mine = Own { hand: hands[bidder.index()], ..round.own[bidder.index()] };
    ensure!(super::contract::askable(table, &mine).has(asked), "{asked} could not be asked for");
    let holder = ALL_SEATS.into_iter().find(|&seat| seat != bidder && hands[seat.index()].has(asked));
    ensure!(holder.is_some() || mine.discard == Some(asked), "no player has {asked}");
    ensure!(table.partner.is_none_or(|partner| holder == Some(partner)), "the partner never held {asked}");
    Ok(())
}

/// Checks, after the last trick, that the tricks have all points of the deck except those of the card put
/// aside.
fn points(table: &Table, aside: Option<Card>) -> Result<(), String> {
    if table.play.trick() < HAND {
        return Ok(());
    }
    let trump = table.trump();
    let all = Cards::ALL.value(trump) - aside.map_or(0, |card| card.value(trump));
    let won: u8 = table.play.points.iter().sum();
    ensure!(won == all, "{won} points in tricks, not {all}");
    Ok(())
}

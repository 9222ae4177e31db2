//! A search that prefers deals in which the scripted player would have made the moves of the other players.
//!
//! Without weights, a search treats all deals that fit a view as equally likely. A weight is a function of the view and
//! of a candidate deal, in which it sees the hands of all seats.
//!
//! This bot remembers the moves of the deal, which it gets like [`Memory`](crate::Memory). For a weight, it starts the
//! deal again with the cards of the candidate, as `examples/chosen-hands` does. Then it replays the moves, and compares
//! each with the scripted player's.

use std::collections::BTreeMap;

use cardsharp_bot::beliefs::{DealWeights, WeightError};
use cardsharp_bot::bots::Search;
use cardsharp_bot::bots::search::{Budget, SearchSettings, Spent};
use cardsharp_bot::{Advice, Bot};
use cardsharp_env::games::tachtigen::{Cards, Move, Round};
use cardsharp_env::log::Line;
use cardsharp_env::mask::Mask;
use cardsharp_env::{ActionId, Actions, Play, Playout, Scripted, Seat, SeatView, Session, Turn, View, game};
use serde_json::json;

/// The factor of a deal's weight for each move that the scripted player would not have made.
const OTHERWISE: f64 = 0.2;

/// A seat and its action; no action if the event log hides it.
pub type Moved = (Seat, Option<ActionId>);

/// A search that weighs deals of Tachtigen by the moves so far. In other games it is an ordinary search.
pub struct Reader {
    search: Search,
    /// By table and own seat: the moves of the deal in play.
    moves: BTreeMap<(usize, Seat), Vec<Moved>>,
}

impl Reader {
    /// Returns a bot with this number of playouts per decision.
    pub fn new(simulations: u32, seed: u64) -> Self {
        let settings = SearchSettings::new(Budget::Simulations(simulations), None);
        Self { search: Search::new("reader", settings, seed), moves: BTreeMap::new() }
    }

    /// Returns what its decisions have cost.
    pub fn spent(&self) -> Spent {
        self.search.spent()
    }

    fn heard(&self, table: usize, view: SeatView<'_>) -> &[Moved] {
        self.moves.get(&(table, view.seat())).map_or(&[], Vec::as_slice)
    }
}

/// Returns the weight of a deal with these moves so far. `sees` returns the view of a seat in this deal. The weight is
/// 1 if the scripted player would have made all moves of the others, and 0 if a move is impossible.
pub fn weight<'d>(view: SeatView<'_>, moves: &[Moved], sees: impl Fn(Seat) -> Option<SeatView<'d>>) -> f64 {
    let Some(mine) = view.typed::<Round>() else { return 1.0 };
    let mut seats = [None; 4];
    for (number, seat) in seats.iter_mut().enumerate() {
        *seat = sees(Seat(number as u8)).and_then(SeatView::typed::<Round>);
    }
    let [Some(a), Some(b), Some(c), Some(d)] = seats else { return 0.0 };
    play_again(mine.seat, moves, [a, b, c, d]).unwrap_or(0.0)
}

/// Returns the weight of a deal with these views by seat; none if the moves are impossible in it.
fn play_again(me: Seat, moves: &[Moved], seats: [View<'_, Round>; 4]) -> Option<f64> {
    let table = seats[me.index()].table;
    let deal = json!({
        "dealer": table.dealer,
        "order": table.auction.order,
        "hands": seats.map(dealt),
    });
    let mut session = Session::<Round>::of(table.rules, 0, &deal).ok()?;
    let mut weight = 1.0;
    for &(seat, action) in moves {
        let (turn, view) = (session.round().turn(), session.round().view(seat));
        let aside = || seats[seat.index()].own.discard.map(|card| Move::Discard(card).id());
        let action = action.or_else(aside)?;
        let legal = Round::legal(view);
        if turn != Turn::Decide(seat) || !legal.contains(action) {
            return None;
        }
        if seat != me && legal.count() > 1 && Round::scripted(view) != action {
            weight *= OTHERWISE;
        }
        session.round_mut().play(action);
    }
    Some(weight)
}

/// Returns the eight cards that a seat was dealt.
fn dealt(view: View<'_, Round>) -> Cards {
    let table = view.table;
    let mut cards = view.own.hand.or(table.play.played[view.seat.index()]);
    if let Some(card) = view.own.discard {
        cards.insert(card);
    }
    match table.kitty {
        Some(kitty) if table.bidder() == Some(view.seat) => cards.without(kitty),
        _ => cards,
    }
}

impl Bot for Reader {
    fn name(&self) -> &str {
        "reader"
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.search.pick(view)
    }

    fn pick_at(&mut self, table: usize, view: SeatView<'_>) -> ActionId {
        let moves = self.heard(table, view).to_vec();
        let weigh = |view: SeatView<'_>, deal: &dyn Playout| weight(view, &moves, |seat| deal.view(seat));
        certain(self.search.pick_weighed(view, DealWeights::new(&weigh)))
    }

    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        self.search.advise(view)
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, table: usize, seat: Seat, line: &Line) {
        let moves = self.moves.entry((table, seat)).or_default();
        match line {
            Line::Deal { .. } => moves.clear(),
            // No player opened, so the cards are dealt again.
            Line::Event { event, .. } if event["event"] == "redeal" => moves.clear(),
            Line::Move { seat, choice, .. } => {
                let named = |label: &String| game("tachtigen").and_then(|game| game.parse(label));
                moves.push((*seat, choice.as_ref().and_then(named)));
            }
            Line::End { .. } => _ = self.moves.remove(&(table, seat)),
            _ => {}
        }
    }
}

/// Unwraps the result of a search. It has no error: all weights are 0 or powers of [`OTHERWISE`], and [`Weights::new`]
/// has at least one candidate per deal.
fn certain<T>(answer: Result<T, WeightError>) -> T {
    answer.unwrap_or_else(|error| unreachable!("{error}"))
}

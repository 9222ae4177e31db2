//! A search that asks of every deal whether the others would have played in it as they did.
//!
//! A search by itself takes all deals for equally likely that a view allows. What it should think of them besides is said by
//! weights: a function of the view and of a deal that may be the one in play, in which the hands of all seats can be looked
//! at. Here the bot remembers the moves of the deal, which it hears as [`Memory`](crate::Memory) does, begins the deal
//! again with the cards that it imagines (as `examples/chosen-hands` begins one), and goes through it as a player by rule
//! would have in each seat.

use std::collections::BTreeMap;

use cardsharp_bot::beliefs::{WeightError, Weights};
use cardsharp_bot::bots::Search;
use cardsharp_bot::bots::search::{Budget, Settings, Spent};
use cardsharp_bot::{Advice, Bot};
use cardsharp_env::games::tachtigen::{Cards, Move, Round};
use cardsharp_env::mask::Mask;
use cardsharp_env::record::Line;
use cardsharp_env::{ActionId, Actions, Play, Playout, Scripted, Seat, SeatView, Session, Turn, View, game};
use serde_json::json;

/// What a deal weighs in which somebody would have moved otherwise, for each such move.
const OTHERWISE: f64 = 0.2;

/// Who moved, and how; without the action where it was only noticed.
pub type Moved = (Seat, Option<ActionId>);

/// Searches, and draws deals of Tachtigen by what everybody did in them so far. Other games it plays as a search does.
pub struct Reader {
    search: Search,
    /// By table and own seat: the moves of the deal in play.
    moves: BTreeMap<(usize, Seat), Vec<Moved>>,
}

impl Reader {
    /// A bot that tries so many moves per decision.
    pub fn new(simulations: u32, seed: u64) -> Self {
        let settings = Settings::new(Budget::Simulations(simulations), None);
        Self { search: Search::new("reader", settings, seed), moves: BTreeMap::new() }
    }

    /// What its decisions have cost.
    pub fn spent(&self) -> Spent {
        self.search.spent()
    }

    fn heard(&self, table: usize, view: SeatView<'_>) -> &[Moved] {
        self.moves.get(&(table, view.seat())).map_or(&[], Vec::as_slice)
    }
}

/// What a deal weighs, of which these are the moves so far and in which the seats see this: 1 where the players by rule would
/// have made them all, and nothing where nobody could have.
pub fn weight<'d>(view: SeatView<'_>, moves: &[Moved], sees: impl Fn(Seat) -> Option<SeatView<'d>>) -> f64 {
    let Some(mine) = view.typed::<Round>() else { return 1.0 };
    let mut seats = [None; 4];
    for (number, seat) in seats.iter_mut().enumerate() {
        *seat = sees(Seat(number as u8)).and_then(SeatView::typed::<Round>);
    }
    let [Some(a), Some(b), Some(c), Some(d)] = seats else { return 0.0 };
    play_again(mine.seat, moves, [a, b, c, d]).unwrap_or(0.0)
}

/// The weight of a deal with these hands; none if these moves cannot be made in it.
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

/// The eight cards that somebody was dealt.
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
        certain(self.search.pick_weighed(view, Weights::new(&weigh)))
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
            // Nobody opened, and the cards are dealt again.
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

/// Weights here are powers of a number between 0 and 1, or 0, and there are candidates.
fn certain<T>(answer: Result<T, WeightError>) -> T {
    answer.unwrap_or_else(|error| unreachable!("{error}"))
}

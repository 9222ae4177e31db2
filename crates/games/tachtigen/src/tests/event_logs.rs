//! The event log of each seat, and the view rebuilt from it.

mod lines;
mod refused;

use cardsharp_engine::game::{Check, Play, Scripted, Turn};
use cardsharp_engine::log::{Audience, Line};
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules;
use cardsharp_engine::table::{AnyTable, Table};
use cardsharp_engine::testing::{self, observed};
use cardsharp_engine::{Observer, Seat};
use serde_json::Value;

use super::super::Round;
use super::situation::Situation;

/// Returns the event log of a seat, or of a spectator, for a deal that starts like this and these moves.
#[track_caller]
fn record(start: &Situation, moves: &str, seat: Option<u8>) -> Vec<Value> {
    let to = seat.map_or(Audience::Everybody, |seat| Audience::Seat(Seat(seat)));
    let mut log = start.log(&start.0.table().rules, moves, to);
    let end = start.after(moves);
    if end.turn().is_none() {
        log.push(Line::payoff(1, &end.payoff()).json());
    }
    log
}

/// Returns the deal that an observer of this event log imagines.
#[track_caller]
fn imagined(log: &[Value]) -> Round {
    testing::imagined(&mut observed(log).unwrap()).unwrap().expect("a deal in play")
}

/// The rebuilt round of every seat could have been played.
#[test]
fn what_is_imagined_can_have_been_played() {
    for seed in 0..60 {
        let mut draw = Draw::new(seed, 4);
        let mut table = Table::<Round>::new(Rules::random(&mut draw), seed);
        let seat = Seat(draw.below(4) as u8);
        let header = table.header(Audience::Seat(seat), Vec::new()).json();
        let mut observer = Observer::<Round>::new(&header).unwrap();
        loop {
            for line in table.lines(table.steps(), Audience::Seat(seat)) {
                observer.hear(&line.json()).unwrap();
            }
            if let Some(round) = testing::imagined(&mut observer).unwrap() {
                round.audit().unwrap_or_else(|problem| panic!("session {seed}: {problem}"));
            }
            let round = *table.session().round();
            if round.turn() == Turn::RoundOver {
                if !table.deal_next() {
                    break;
                }
                continue;
            }
            let action = match round.turn() {
                Turn::Decide(turn) if draw.below(2) == 0 => Round::scripted(round.view(turn)),
                _ => draw.pick(&table.legal()),
            };
            table.try_play(action).unwrap();
        }
    }
}

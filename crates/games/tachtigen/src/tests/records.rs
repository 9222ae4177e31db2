//! The event log of each seat, and the view rebuilt from it.

mod changed;
mod refused;
mod told;

use cardsharp_engine::Seat;
use cardsharp_engine::conformance::Suite;
use cardsharp_engine::game::{Check, Play, Scripted, Turn, parse_label};
use cardsharp_engine::record::{Audience, Beginning, Line, PROTOCOL, begun, moved};
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules;
use cardsharp_engine::table::{AnyTable, Table};
use cardsharp_engine::{ObserveError, Observer};
use serde_json::{Value, json};

use super::super::Round;
use super::situation::Situation;

/// Returns the event log of a seat, or of a spectator, for a deal that starts like this and these moves. If
/// the last move is `...`, all players play their first legal action until the deal is over.
#[track_caller]
fn record(start: &Situation, moves: &str, seat: Option<u8>) -> Vec<Value> {
    let to = seat.map_or(Audience::Everybody, |seat| Audience::Seat(Seat(seat)));
    let rules = start.0.table().rules;
    let mut lines = vec![Line::Beginning(Beginning {
        protocol: PROTOCOL,
        game: Round::NAME.to_owned(),
        seat: seat.map(Seat),
        players: 4,
        rules: json!(rules),
        names: Vec::new(),
    })];
    lines.extend(begun(&start.0, 1, to));
    let mut now = *start;
    let mut labels = moves.split(", ");
    let mut label = labels.next();
    while let (Some(name), Turn::Decide(seat)) = (label, now.0.turn()) {
        let chosen = if name == "..." { now.legal().remove(0) } else { name.to_owned() };
        let action = parse_label::<Round>(None, &chosen).unwrap();
        let next = now.after(&chosen);
        lines.extend(moved([&now.0, &next.0], seat, action, 1, to));
        now = next;
        label = if name == "..." { label } else { labels.next() };
    }
    assert_eq!(label.filter(|&name| name != "..."), None, "the deal is over before that");
    if now.turn().is_none() {
        lines.push(Line::payoff(1, &now.payoff()));
    }
    lines.iter().map(Line::json).collect()
}

/// Reads lines, and then applies the actions that follow from the last one.
fn heard(lines: &[Value]) -> Result<Observer<Round>, ObserveError> {
    let mut observer = Observer::new(&lines[0])?;
    lines[1..].iter().try_for_each(|line| observer.hear(line))?;
    observer.follow()?;
    Ok(observer)
}

#[test]
fn what_a_seat_is_told_makes_its_view() {
    let suite = Suite::<Round>::new().with_records();
    for suite in [Suite::<Round>::new().with_players().with_records(), suite] {
        let report = suite.run(40_000, 3).unwrap_or_else(|finding| panic!("{finding}"));
        assert!(report.observed > 30_000, "{report:?}");
    }
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
            for line in table.told(table.steps(), Audience::Seat(seat)) {
                observer.hear(&line.json()).unwrap();
            }
            observer.follow().unwrap();
            if let Some(round) = observer.round() {
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

//! A decision that others must not notice changes nothing that they receive.

use std::time::Duration;

use crate::common::{Event, Events, Opened, Running, options, seats};
use cardsharp_env::{Audience, Draw, GameRules, game};
use serde_json::{Value, json};

/// How long a client waits for events.
const QUIET: Duration = Duration::from_millis(50);

/// What a client gets: the state of the table, and the events of its stream.
struct Client<'a> {
    server: &'a Running,
    opened: &'a Opened,
    secret: &'a str,
    stream: Events,
}

impl Client<'_> {
    fn got(&mut self) -> (Value, Vec<Event>) {
        (self.server.get(&self.opened.path(""), self.secret).body, self.stream.arrived(QUIET))
    }
}

/// Returns random moves, with their seats, of which the last one and no other is hidden from everyone else. Others have
/// moved before.
fn hidden_move(rules: &GameRules, seed: u64) -> Option<Vec<(usize, String)>> {
    let mut table = rules.table(seed);
    let mut draw = Draw::new(seed, 0);
    let mut moves = Vec::new();
    for _ in 0..150 {
        let (seat, legal) = (table.turn()?.index(), table.legal());
        let action = legal[draw.below(legal.len() as u32) as usize];
        moves.push((seat, table.label(action)));
        table.try_play(action).unwrap();
        if table.lines(table.steps(), Audience::Everybody).is_empty() {
            let others = moves.iter().any(|(other, _)| *other != seat);
            return others.then_some(moves);
        }
    }
    None
}

/// Plays these moves at a table of people. Before the last one, someone asks to take back a move. Returns what each
/// client other than the mover gets before and after the last move, unless that is their turn.
fn around_the_last(server: &Running, rules: &GameRules, seed: u64, moves: &[(usize, String)]) {
    let names = vec!["Ann"; rules.seats()];
    let opened = server.open(json!({
        "game": rules.game().name(), "rules": rules.json(), "seats": seats(&names), "seed": seed,
    }));
    let (opened, play) = (&opened, opened.path("/moves"));
    let (last, before) = moves.split_last().unwrap();
    let make = |(seat, choice): &(usize, String)| {
        let moved = server.post(&play, &opened.seats[*seat], json!({ "move": choice }));
        assert_eq!(moved.status, 200, "{}", moved.text);
    };
    before.iter().for_each(make);
    let (asks, _) = before.iter().rfind(|(seat, _)| *seat != last.0).unwrap();
    let asked = server.post(&opened.path("/undo"), &opened.seats[*asks], Value::Null);
    assert_eq!(asked.body, json!({ "undone": false }));
    let secrets = opened.seats.iter().chain([&opened.watch]).enumerate().filter(|(seat, _)| *seat != last.0);
    let mut clients: Vec<Client<'_>> = secrets
        .map(|(_, secret)| Client { server, opened, secret, stream: server.listen(opened, secret, None) })
        .collect();
    let states: Vec<Value> = clients.iter_mut().map(|client| client.got().0).collect();
    assert!(states.iter().all(|state| state["undo"]["seat"] == *asks));
    make(last);
    for (client, before) in clients.iter_mut().zip(states) {
        let (after, events) = client.got();
        let is_due = events.iter().any(|event| event.name == "legal");
        assert!(is_due || events.is_empty(), "{last:?}: {events:?}");
        assert!(is_due || after == before, "{last:?}: {after} after {before}");
        assert_eq!(after["undo"], before["undo"], "{last:?}");
    }
}

#[test]
fn a_hidden_decision_changes_nothing_that_others_receive() {
    let server = Running::start(options());
    for name in ["taki", "dalmuti"] {
        let game = game(name).unwrap();
        let found = (0..3000).filter_map(|seed| {
            let rules = game.random_rules(seed);
            hidden_move(&rules, seed).map(|moves| (rules, seed, moves))
        });
        let found: Vec<_> = found.take(4).collect();
        assert_eq!(found.len(), 4, "{name}");
        for (rules, seed, moves) in found {
            around_the_last(&server, &rules, seed, &moves);
        }
    }
}

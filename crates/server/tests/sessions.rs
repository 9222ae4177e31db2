//! Whole sessions over HTTP: every seat gets its event log, and nothing else.

use std::collections::BTreeMap;

use crate::common::{Event, Events, Opened, Running, options, seats};
use cardsharp_env::{Audience, Draw, GAMES, GameRules, Seat, Size};
use serde_json::{Value, json};

/// Plays a session in which people pick random legal moves. Returns the lines that each person and the spectators got,
/// and the trace.
fn play(
    server: &Running,
    rules: &GameRules,
    seed: u64,
    people: usize,
) -> (BTreeMap<usize, Vec<Value>>, Vec<Value>) {
    let game = rules.game().name();
    let bots = ["bot:scripted", "bot:random", "bot:cautious"];
    let names: Vec<&str> =
        (0..rules.seats()).map(|seat| if seat < people { "Ann" } else { bots[seat % bots.len()] }).collect();
    let opened = server.open(json!({ "game": game, "rules": rules.json(), "seats": seats(&names) }));
    let listen = |seat: usize| {
        let secret = if seat == people { &opened.watch } else { &opened.seats[seat] };
        let mut events = server.listen(&opened, secret, None);
        assert_eq!(events.status, 200);
        let mut lines = Vec::new();
        let mut draw = Draw::new(seed, seat as u64);
        while let Some(Event { name, data, .. }) = events.next() {
            match name.as_str() {
                "" => lines.push(data),
                "legal" => {
                    let legal = data["legal"].as_array().unwrap();
                    let choice = &legal[draw.below(legal.len() as u32) as usize];
                    let path = opened.path("/moves");
                    let reply = server.post(&path, &opened.seats[seat], json!({ "move": choice }));
                    assert_eq!(reply.status, 200, "{game} {choice}: {}", reply.body);
                }
                "table" | "closed" => {}
                other => panic!("{other}"),
            }
        }
        (seat, lines)
    };
    let heard = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..=people).map(|seat| scope.spawn(move || listen(seat))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let trace = server.get(&opened.path("/trace"), &opened.watch);
    assert_eq!(trace.status, 200);
    (heard, trace.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Returns the event log of an audience, from a replay of the trace in the engine.
fn log_of(rules: &GameRules, trace: &[Value], to: Audience) -> Vec<Value> {
    let seed = trace[0]["seed"].as_u64().unwrap();
    assert!(seed < 1 << 53, "{seed}");
    let mut table = rules.table(seed);
    for line in trace.iter().filter(|line| line["line"] == "decision") {
        while table.turn().is_none() {
            assert!(table.deal_next());
        }
        let action = table.parse(line["choice"].as_str().unwrap()).unwrap();
        table.try_play(action).unwrap();
    }
    let mut lines = vec![table.header(to, names(trace)).json()];
    lines.extend((0..=table.steps()).flat_map(|step| table.lines(step, to)).map(|line| line.json()));
    lines
}

fn names(trace: &[Value]) -> Vec<String> {
    serde_json::from_value(trace[0]["bots"].clone()).unwrap()
}

#[test]
fn every_seat_hears_its_record_and_nothing_else() {
    let server = Running::start(options());
    for game in GAMES.iter() {
        for seed in 0..6 {
            let rules = game.random_rules(seed);
            let Ok(rules) = rules.sized(Size { players: None, rounds: Some(2.min(rules.rounds())) }) else {
                continue;
            };
            let people = 1 + seed as usize % rules.players().min(3);
            let (heard, trace) = play(&server, &rules, seed, people);
            for (seat, lines) in heard {
                let to = if seat == people { Audience::Everybody } else { Audience::Seat(Seat(seat as u8)) };
                assert_eq!(lines, log_of(&rules, &trace, to), "{} {rules}, seat {seat}", game.name());
            }
        }
    }
}

#[test]
fn a_seed_that_javascript_would_round_is_refused() {
    let server = Running::start(options());
    let ask = |seed: u64| {
        let who = seats(&["Ann", "Bob", "Eve", "Dan"]);
        let rules = json!({ "players": 4, "hands": 1 });
        server.post(
            "/v1/tables",
            "",
            json!({ "game": "dalmuti", "rules": rules, "seats": who, "seed": seed }),
        )
    };
    assert_eq!(ask((1 << 53) - 1).status, 200);
    for seed in [1 << 53, u64::MAX] {
        let reply = ask(seed);
        let expected =
            format!("{seed} is not a seed: expected an integer from 0 to 9007199254740991 (2^53 - 1)");
        assert!(reply.code() == "body" && reply.message().contains(&expected), "{}", reply.body);
    }
}

#[test]
fn what_the_seed_deals_to_others_changes_nothing_that_a_seat_hears() {
    // The seeds of the two tables deal different cards to the others. Until they act, the person gets the same kinds of
    // lines.
    let server = Running::start(options());
    let open = |seed: u64| {
        let who = seats(&["Ann", "Bob", "Eve", "Dan"]);
        server.open(
            json!({ "game": "dalmuti", "rules": { "players": 4, "hands": 1 }, "seats": who, "seed": seed }),
        )
    };
    let refused = |opened: &Opened| -> Vec<(u16, String, String)> {
        let moves = opened.path("/moves");
        let due: Vec<bool> = opened
            .seats
            .iter()
            .map(|secret| server.get(&opened.path("/view"), secret).status == 200)
            .collect();
        let idle = opened.seats.iter().zip(due).filter(|(_, due)| !due);
        let answers = idle.flat_map(|(secret, _)| {
            let asks = [
                server.post(&moves, secret, json!({ "move": "1" })),
                server.post(&moves, secret, json!({ "move": "nonsense" })),
                server.post(&opened.path("/hint"), secret, Value::Null),
                server.get(&opened.path("/view"), secret),
                server.post(&opened.path("/undo"), secret, Value::Null),
            ];
            asks.map(|reply| {
                (reply.status, reply.head.clone(), reply.message().replace(|c: char| c.is_ascii_digit(), "N"))
            })
        });
        answers.map(|(status, head, message)| (status, without_date(&head), message)).collect()
    };
    let mut different = refused(&open(1));
    for seed in 2..8 {
        different.extend(refused(&open(seed)));
    }
    different.sort();
    different.dedup();
    // There are two different messages: no decision to make, and no move to take back.
    assert_eq!(different.len(), 2, "{different:#?}");
}

fn without_date(head: &str) -> String {
    let kept = head.lines().filter(|line| !line.starts_with("date:") && !line.starts_with("content-length:"));
    kept.collect::<Vec<_>>().join("\n")
}

#[test]
fn spectators_with_delay_see_everything_once_the_next_round_is_dealt() {
    let server = Running::start(options());
    let opened = server.open(json!({
        "game": "dalmuti", "rules": { "players": 4, "hands": 2 }, "seats": seats(&["bot:scripted", "bot:scripted", "Ann", "bot:scripted"]),
        "spectators": "delayed", "deal": false,
    }));
    let mut watching = server.listen(&opened, &opened.watch, None);
    let mut own = server.listen(&opened, &opened.seats[2], None);
    assert_eq!(watching.named("").data["line"], "header");
    let finish = |own: &mut Events| {
        loop {
            let event = own.next().unwrap();
            match (event.name.as_str(), event.data["line"].as_str()) {
                ("legal", _) => {
                    let choice = event.data["legal"][0].clone();
                    assert_eq!(
                        server
                            .post(&opened.path("/moves"), &opened.seats[2], json!({ "move": choice }))
                            .status,
                        200
                    );
                }
                (_, Some("payoff")) => return,
                _ => {}
            }
        }
    };
    finish(&mut own);
    let early = server.listen(&opened, &opened.watch, None).named("").data;
    assert_eq!(early["line"], "header");
    assert_eq!(early["seed"], Value::Null, "the seed is told by the end only");
    assert_eq!(server.post(&opened.path("/deal"), &opened.seats[2], Value::Null).status, 200);
    // Only now do spectators get the first round, with all hands.
    assert_eq!(watching.line("deal").data["hands"].as_array().unwrap().len(), 4);
    assert_eq!(watching.line("payoff").data["round"], 1);
    let trace = server.get(&opened.path("/trace"), &opened.watch);
    assert_eq!((trace.status, trace.code()), (409, "not_over"));
    finish(&mut own);
    assert_eq!(watching.line("deal").data["round"], 2);
}

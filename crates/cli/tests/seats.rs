//! Seats outside the program: event logs, observers, the command as a bot process, and bot processes.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const GAMES: [&str; 4] = ["tahimi", "dalmuti", "taki", "tachtigen"];

fn run(words: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The command may end before it has read everything.
    let writer = std::thread::spawn(move || _ = stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

/// Returns the output of a command that succeeds.
fn told(words: &[&str], input: &str) -> String {
    let output = run(words, input);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the exit code and the message of a command that fails.
fn refused(words: &[&str], input: &str) -> (i32, String) {
    let output = run(words, input);
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn record(game: &str, seat: &str) -> String {
    told(&["trace", game, "--seat", seat, "--seed", "7", "--rounds", "2", "--bots", "scripted,random"], "")
}

#[test]
fn a_record_cut_at_any_decision_is_enough_for_the_move_that_was_made() {
    for game in GAMES {
        let record = record(game, "0");
        let whole: Vec<&str> = record.lines().collect();
        let turns: Vec<usize> =
            (0..whole.len()).filter(|&i| whole[i].starts_with("{\"line\":\"turn\"")).collect();
        assert!(turns.len() > 3, "{game}");
        for &turn in turns.iter().step_by(turns.len().div_ceil(6)) {
            let made: Value = serde_json::from_str(whole[turn + 1]).unwrap();
            assert_eq!(made["seat"], 0);
            // The event log may end with the line for the seat's turn, or before it.
            for end in [turn, turn - 1] {
                let heard = whole[..=end].join("\n");
                let advice: Value =
                    serde_json::from_str(&told(&["advise", "scripted", "--json"], &heard)).unwrap();
                assert_eq!(advice["moves"][0]["move"], made["choice"], "{game}, line {turn}");
            }
        }
    }
}

#[test]
fn records_make_views_and_rows() {
    for game in GAMES {
        let record = record(game, "1");
        let views = lines(&told(&["observe", game, "--each", "--row"], &record));
        let turns = lines(&record).iter().filter(|line| line["line"] == "turn").count();
        assert_eq!(views.len(), turns, "{game}");
        for shown in &views {
            let labels = shown["legal"].as_array().unwrap();
            assert_eq!(labels.len(), shown["actions"].as_array().unwrap().len());
            assert!(!labels.is_empty() && shown["row"].as_array().unwrap().len() > 100);
            assert_eq!((&shown["view"]["game"], &shown["view"]["seat"]), (&json!(game), &json!(1)));
        }
        // No seat has a view after the last round.
        let (code, message) = refused(&["observe", game], &record);
        assert_eq!((code, message.as_str()), (2, "error: seat 1 has no view now: no round is in play\n"));
    }
}

#[test]
fn everybody_sees_what_every_seat_sees() {
    for game in GAMES {
        let args = ["trace", game, "--seed", "7", "--bots", "scripted"];
        let public = told(&[&args[..], &["--spectator"]].concat(), "");
        let own = told(&[&args[..], &["--seat", "2"]].concat(), "");
        let moves = |text: &str| -> Vec<Value> {
            lines(text).into_iter().filter(|line| line["line"] == "move").collect()
        };
        let seen = moves(&own);
        assert!(moves(&public).iter().all(|line| seen.contains(line)), "{game}");
        assert!(!public.contains("\"hand\"") && !public.contains("\"turn\""), "{game}");
        let seed = |text: &str| text.matches("seed").count();
        assert_eq!((seed(&public), seed(&own)), (1, 1), "the seed comes with the end alone");
    }
}

#[test]
fn damaged_records_are_refused_with_their_line() {
    let record = record("dalmuti", "0");
    let damaged = |line: usize, to: &str| {
        let mut lines: Vec<&str> = record.lines().collect();
        lines[line] = to;
        refused(&["observe", "dalmuti"], &lines.join("\n"))
    };
    assert_eq!(
        damaged(1, "nonsense").1,
        "error: standard input is not a seat's event log: line 2: not JSON: expected ident at line 1 column 2\n"
    );
    let (code, message) = damaged(1, "{\"line\":\"dael\"}");
    assert_eq!(code, 2);
    assert!(message.contains("line 2: there is no line `dael`: expected `round`, `deal`"), "{message}");
    let trace = told(&["trace", "dalmuti"], "");
    let (_, message) = refused(&["observe", "dalmuti"], &trace);
    assert!(message.contains("it is the header of a trace, which shows all cards"), "{message}");
    let (_, message) = refused(&["observe", "taki"], &record);
    assert!(message.contains("it is of game `dalmuti`, not of `taki`"), "{message}");
    let (_, message) = refused(&["trace", "dalmuti", "--seat", "5"], "");
    assert_eq!(message, "error: --seat cannot be 5: expected 0 to 4\n");
}

/// The example in the documentation: typed lines, and answers.
#[test]
fn the_session_of_the_page_is_what_a_bot_says() {
    let page = include_str!("../../../docs/protocol.md");
    let example = page.split("(answers are marked with `<`):\n").nth(1).unwrap();
    let example: Vec<&str> = example.lines().skip(1).take_while(|line| line.starts_with("    ")).collect();
    let is_answer = |line: &&str| line.starts_with("    < ");
    let typed: Vec<&str> = example.iter().filter(|line| !is_answer(line)).map(|line| line.trim()).collect();
    let answers: Vec<Value> = example
        .iter()
        .filter(|line| is_answer(line))
        .map(|l| serde_json::from_str(&l[6..]).unwrap())
        .collect();
    assert!(typed.len() > 5 && answers.len() > 2);
    assert_eq!(lines(&told(&["bot", "scripted"], &typed.join("\n"))), answers);
}

#[test]
fn a_bot_process_plays_many_tables_and_says_which_line_it_did_not_understand() {
    let record = record("taki", "0");
    let whole = lines(&record);
    let turn = whole.iter().position(|line| line["line"] == "turn").unwrap();
    let mut typed = Vec::new();
    for table in [3, 8] {
        for line in &whole[..=turn] {
            let mut line = line.clone();
            line["table"] = json!(table);
            typed.push(line);
        }
    }
    let view = lines(&told(&["observe", "taki", "--each"], &record)).remove(0);
    typed.extend([
        json!({ "line": "go", "table": 8, "id": 17, "advice": true }),
        json!({ "line": "go", "table": 3, "id": ["a"] }),
        json!({ "line": "begin", "table": 5, "game": "taki", "seat": 0, "seed": 4 }),
        json!({ "line": "go", "table": 5, "view": view }),
        json!({ "line": "forget", "table": 3 }),
        json!({ "line": "go", "table": 3, "id": 19 }),
        json!({ "line": "ping", "id": ["x"] }),
        json!({ "line": "bid", "table": 8 }),
        json!({ "line": "begin", "table": 5, "game": "bridge", "seat": 0, "seed": 4 }),
    ]);
    let typed: Vec<String> = typed.iter().map(Value::to_string).collect();
    let answers = lines(&told(&["bot", "scripted"], &format!("{}\nhm\n", typed.join("\n"))));
    let made = &whole[turn + 1]["choice"];
    let moves: Vec<(&Value, &Value)> =
        answers[..3].iter().map(|line| (&line["table"], &line["choice"])).collect();
    assert_eq!(moves, [(&json!(8), made), (&json!(3), made), (&json!(5), made)]);
    let ids = [0, 1, 2, 3].map(|at| answers[at]["id"].clone());
    assert_eq!(ids, [json!(17), json!(["a"]), Value::Null, json!(19)]);
    assert_eq!(&answers[0]["moves"][0]["move"], made);
    let error = |i: usize| (answers[i]["input"].as_u64().unwrap(), answers[i]["problem"].as_str().unwrap());
    let asked = 2 * (turn as u64 + 1);
    assert_eq!(error(3), (asked + 6, "there is no table 3: send a header or `begin` first"));
    assert_eq!(answers[4], json!({ "line": "pong", "id": ["x"] }));
    assert!(error(5).1.contains("there is no line `bid`"), "{}", error(5).1);
    assert!(error(6).1.starts_with("there is no game `bridge`: expected one of tahimi"), "{}", error(6).1);
    assert_eq!(error(7).0, asked + 10);
    assert_eq!(answers.len(), 8);
}

#[test]
fn a_bot_process_answers_lines_and_numbers_over_their_limits() {
    let long = format!("{{\"line\":\"ping\",\"id\":\"{}\"}}", "x".repeat(3 << 20));
    let begin = json!({ "line": "begin", "table": 5, "game": "taki", "seat": 0, "seed": 4 });
    let go = |budget: Value| {
        let mut line = json!({ "line": "go", "table": 5 });
        line.as_object_mut().unwrap().extend(budget.as_object().unwrap().clone());
        line
    };
    let typed = format!(
        "{long}\n{begin}\n{}\n{}\n{}\n{}\n",
        go(json!({ "tries": 1_000_001 })),
        go(json!({ "tries": 0 })),
        go(json!({ "time_ms": 5_000_000_000_u64 })),
        json!({ "line": "ping", "id": 7 })
    );
    let answers = lines(&told(&["bot", "search:10"], &typed));
    let problems: Vec<(u64, &str)> = answers[..4]
        .iter()
        .map(|answer| (answer["input"].as_u64().unwrap(), answer["problem"].as_str().unwrap()))
        .collect();
    assert_eq!(
        problems,
        [
            (1, "standard input: line 1 is too long: expected at most 1048576 bytes"),
            (3, "`tries` is 1000001: expected 1 to 1000000"),
            (4, "`tries` is 0: expected 1 to 1000000"),
            (5, "`time_ms` is 5000000000: expected at most 4294967295"),
        ]
    );
    assert_eq!(answers[4..], [json!({ "line": "pong", "id": 7 })]);
}

/// Returns the figures of a contest without names and times, and the faults of its bots.
fn figures(bots: &str, game: &str) -> (Value, Vec<Value>) {
    let words = ["arena", game, "--bots", bots, "--deals", "20", "--seed", "5", "--threads", "2", "--json"];
    let mut report: Value = serde_json::from_str(&told(&words, "")).unwrap();
    let mut faults = Vec::new();
    for bot in report["bots"].as_array_mut().unwrap() {
        let bot = bot.as_object_mut().unwrap();
        bot.remove("name");
        bot.remove("ms_per_move");
        faults.extend(bot.remove("faults"));
    }
    (report["bots"].take(), faults)
}

#[test]
fn the_built_in_player_as_a_program_plays_the_same_contest() {
    let none = json!({ "illegal": 0, "late": 0, "broken": 0, "given_up": 0 });
    for game in GAMES {
        let program = format!("exec:{} bot scripted,random", env!("CARGO_BIN_EXE_cardsharp"));
        let (outside, faults) = figures(&program, game);
        let (inside, nobodys) = figures("scripted,random", game);
        assert_eq!(outside, inside, "{game}");
        assert_eq!((faults, nobodys), (vec![none.clone()], vec![]));
    }
}

#[test]
fn programs_in_another_language_play_the_same_contest_twice() {
    for (bot, games) in [("random_bot.py", &GAMES[..]), ("rule_bot.py", &["dalmuti"])] {
        for game in games {
            let bots = format!("exec:python3 examples/bots/{bot},scripted");
            let (first, faults) = figures(&bots, game);
            assert_eq!(faults, [json!({ "illegal": 0, "late": 0, "broken": 0, "given_up": 0 })], "{bot}");
            assert_eq!(first, figures(&bots, game).0, "{bot} {game}");
        }
    }
    let (ruled, _) = figures("exec:python3 examples/bots/rule_bot.py,random", "dalmuti");
    assert!(ruled[0]["place_score"]["low"].as_f64().unwrap() > 0.0, "a rule beats chance: {ruled}");
    let (_, message) =
        refused(&["arena", "taki", "--bots", "exec:python3 examples/bots/rule_bot.py,random"], "");
    assert!(message.contains("`python3` does not play `taki`: it plays dalmuti"), "{message}");
}

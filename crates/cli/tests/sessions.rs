//! Whole sessions: traces and their replay. Games: described, measured and solved.

use std::process::{Command, Stdio};

use crate::typed::{cardsharp, failure, json_lines, success};
use cardsharp_env::GAMES;
use serde_json::{Value, json};

/// Changes line `number` (from 1) of `text`.
fn tampered(text: &str, number: usize, change: impl Fn(&str) -> String) -> String {
    let lines = text.lines().enumerate();
    lines.map(|(i, line)| if i + 1 == number { change(line) } else { line.to_owned() } + "\n").collect()
}

#[test]
fn a_trace_replays_under_every_kind_of_rules() {
    for rules in ["plain", "merchants", "misdeals", "stripped"] {
        for seed in 1..=5 {
            let line = format!(
                "trace dalmuti --bots scripted,random --rounds 3 --seed {seed} --rules tests/rules/{rules}.toml"
            );
            let trace = success(&line, "");
            let summary: Value = serde_json::from_str(&success("replay - --json", &trace)).expect("JSON");
            assert_eq!(summary["follows_the_rules"], true);
            assert_eq!(summary["trace"]["rounds"], 3);
            assert_eq!(summary["trace"]["lines"], trace.lines().count());
        }
    }
}

/// Returns the name of the option for the number of rounds.
fn rounds_of(game: &str) -> &'static str {
    cardsharp_env::game(game).expect("a game").rounds_option()
}

#[test]
fn an_option_that_says_how_many_rounds_beats_the_default_of_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rules.toml");
    let path = file.to_str().expect("UTF-8");
    for game in GAMES.iter().map(|game| game.name()) {
        let option = rounds_of(game);
        std::fs::write(&file, format!("{option} = 4\n")).expect("a file");
        let rounds = |options: &str| {
            let trace = success(&format!("trace {game} --bots random --seed 3 {options}"), "");
            let summary: Value = serde_json::from_str(&success("replay - --json", &trace)).expect("JSON");
            summary["trace"]["rounds"].as_u64().expect("a number")
        };
        for (options, expected) in [
            (String::new(), 1),
            (format!("--set {option}=3"), 3),
            (format!("--rules {path}"), 4),
            (format!("--rules {path} --set {option}=2"), 2),
            (format!("--rules {path} --set {option}=3 --rounds 2"), 2),
        ] {
            assert_eq!(rounds(&options), expected, "{game} {options}");
        }
        for wrong in ["0", "1001"] {
            for rounds in ["", " --rounds 2"] {
                let line = format!("trace {game} --set {option}={wrong}{rounds}");
                let (code, said) = failure(&line, "");
                assert_eq!(code, Some(2), "{line}: {said}");
                let expected = format!(
                    "--set {option}={wrong}: rules option `{option}` cannot be {wrong}: expected a whole number, 1 to 1000"
                );
                assert!(said.contains(&expected), "{line}: {said}");
            }
        }
    }
    // This holds for every command that plays one round by default.
    let folder = folder.path().display();
    for line in [
        "arena dalmuti --bots random,scripted".to_owned(),
        format!("dataset dalmuti --to {folder}/data"),
        format!("levels ../../checkpoints/dalmuti/bot --to {folder}/levels.json"),
        format!("exploit random --game dalmuti --run {folder}/run"),
    ] {
        let has = |command: &str, feature: bool| feature || !line.starts_with(command);
        if !has("dataset", cfg!(feature = "dataset")) || !has("exploit", cfg!(feature = "train")) {
            continue;
        }
        let (code, said) = failure(&format!("{line} --set hands=0"), "");
        assert_eq!(code, Some(2), "{line}: {said}");
        assert!(said.contains("`hands` cannot be 0: expected a whole number, 1 to 1000"), "{line}: {said}");
    }
    let line = "arena dalmuti --bots random,scripted --deals 2 --set hands=3 --json";
    let report: Value = serde_json::from_str(&success(line, "")).expect("JSON");
    assert_eq!((&report["rules"]["hands"], &report["rounds"]), (&json!(3), &json!(3)));
}

#[test]
fn a_session_with_chosen_cards_is_told_and_replays() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("deal.json");
    let path = file.to_str().expect("UTF-8");
    let hand = "SA SK SQ SJ ST S9 S8 S7";
    std::fs::write(&file, json!({ "dealer": 2, "hands": [null, hand, null, null] }).to_string())
        .expect("a file");
    let line = format!("trace tachtigen --rounds 2 --seed 4 --deal {path}");
    let trace = success(&line, "");
    let lines = json_lines(&trace);
    assert_eq!(lines[0]["deal"]["hands"][1], "S7 S8 S9 ST SJ SQ SK SA");
    assert_eq!(lines[1]["hands"], lines[0]["deal"]["hands"]);
    let summary: Value = serde_json::from_str(&success("replay - --json", &trace)).expect("JSON");
    assert_eq!(summary["trace"]["rounds"], 2);
    // The second round comes from the seed, with the next dealer.
    let second = lines.iter().rfind(|line| line["line"] == "deal").expect("a second deal");
    assert_eq!((&second["round"], &second["dealer"]), (&json!(2), &json!(3)));
    // The `deal` line of a trace is a valid deal file. A header with another dealer is another session.
    std::fs::write(&file, lines[1].to_string()).expect("a file");
    assert_eq!(success(&line, ""), trace);
    let other = tampered(&trace, 1, |line| line.replace(r#""dealer":2"#, r#""dealer":1"#));
    let (code, message) = failure("replay -", &other);
    assert_eq!(
        (code, message.starts_with("error: standard input: line 1: deal: `order[0]` is 3")),
        (Some(2), true),
        "{message}"
    );
    let play = cardsharp(&format!("play tachtigen --json --seat 1 --seed 4 --deal {path}"), "/quit\n");
    let shown = String::from_utf8_lossy(&play.stdout).into_owned();
    assert!(shown.contains("S7 S8 S9 ST SJ SQ SK SA"), "{shown}");
}

#[test]
fn a_file_that_tells_no_deal_is_refused_with_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("deal.json");
    let path = file.to_str().expect("UTF-8");
    for (text, expected) in [
        ("{", "not JSON: EOF while parsing an object at line 1 column 1"),
        (r#"{"hands": ["SJ", null, null, null]}"#, "`hands[0]`: 1 cards, expected 8"),
    ] {
        std::fs::write(&file, text).expect("a file");
        for command in ["trace", "play"] {
            let (code, message) = failure(&format!("{command} tachtigen --deal {path}"), "");
            assert_eq!((code, message), (Some(2), format!("error: {path}: {expected}\n")));
        }
    }
}

/// Random bots, all options, players who join and leave, and variations.
#[test]
fn traces_of_every_game_replay_whatever_the_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("rules.toml");
    let (mut absent, mut later) = (0, 0);
    for game in GAMES.iter() {
        for seed in 0..30 {
            let rules = game.random_rules(seed);
            std::fs::write(&file, toml::to_string(&rules).expect("TOML")).expect("a file");
            let name = game.name();
            let line = format!(
                "trace {name} --bots random --rounds 4 --seed {seed} --rules {}",
                file.to_str().expect("UTF-8")
            );
            let trace = success(&line, "");
            let summary: Value = serde_json::from_str(&success("replay - --json", &trace)).expect("JSON");
            assert_eq!(summary["trace"]["lines"], trace.lines().count(), "{rules}");
            let lines = json_lines(&trace);
            let of = |kind: &str| lines.iter().filter(|l| l["line"] == kind).cloned().collect::<Vec<Value>>();
            // Every round has one deal and one payoff.
            let rounds = |lines: &[Value]| lines.iter().map(|l| l["round"].as_u64()).collect::<Vec<_>>();
            let all: Vec<_> = (1..=summary["trace"]["rounds"].as_u64().expect("rounds")).map(Some).collect();
            assert_eq!((rounds(&of("deal")), rounds(&of("payoff"))), (all.clone(), all), "{rules}");
            for (deal, payoff) in of("deal").iter().zip(of("payoff")) {
                let playing = deal["hands"].as_array().expect("hands").len();
                let place = payoff["place"].as_array().expect("places");
                assert_eq!(place.iter().filter(|&place| *place != json!(0)).count(), playing, "{rules}");
                absent += usize::from(playing < place.len());
            }
            later += usize::from(lines[1]["line"] == "decision");
        }
    }
    assert!(absent >= 10 && later >= 5, "rounds with absent players {absent}, with a later deal {later}");
}

#[test]
fn a_trace_has_its_lines_in_order_and_complete() {
    let lines = json_lines(&success("trace dalmuti --bots scripted --players 6 --rounds 2 --seed 3", ""));
    let kinds: Vec<&str> = lines.iter().map(|l| l["line"].as_str().expect("a kind")).collect();
    assert_eq!(kinds[..2], ["header", "deal"]);
    assert_eq!(kinds.last(), Some(&"payoff"));
    assert_eq!(kinds.iter().filter(|k| **k == "deal").count(), 2);
    assert_eq!(lines[0]["rules"]["hands"], 2);
    assert_eq!(lines[0]["bots"].as_array().map(Vec::len), Some(6));
    let cards: usize = (lines[1]["hands"].as_array().expect("hands").iter())
        .map(|hand| hand.as_str().expect("cards").split(' ').count())
        .sum();
    assert_eq!(cards, 80);
    for decision in lines.iter().filter(|l| l["line"] == "decision") {
        assert!(decision["legal"].as_array().expect("a list").contains(&decision["choice"]), "{decision}");
    }
    // Forced decisions are included.
    assert!(lines.iter().any(|l| l["line"] == "decision" && l["legal"] == serde_json::json!(["pass"])));
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let trace = |seed| success(&format!("trace dalmuti --bots random --rounds 2 --seed {seed}"), "");
    assert_eq!(trace(7), trace(7));
    assert_ne!(trace(7), trace(8));
}

#[test]
fn a_trace_that_breaks_the_rules_is_refused_with_its_line() {
    let trace = success("trace dalmuti --bots scripted --seed 7", "");
    let lines = json_lines(&trace);
    let last = lines.len();
    let play = 1 + lines.iter().position(|l| l["phase"] == "play").expect("play");

    let refused = |text: &str| {
        let (code, message) = failure("replay -", text);
        assert_eq!(code, Some(1), "{message}");
        message
    };
    let illegal = refused(&tampered(&trace, play, |line| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        line["choice"] = "pass".into();
        line.to_string()
    }));
    assert!(
        illegal.contains(&format!("line {play}: seat")) && illegal.contains("cannot play \"pass\""),
        "{illegal}"
    );

    let legal = refused(&tampered(&trace, play, |line| line.replace("\"legal\":[", "\"legal\":[\"pass\",")));
    assert!(legal.contains(&format!("line {play}: legal[0] is \"pass\", but the rules give")), "{legal}");

    let dealt = refused(&tampered(&trace, 2, |line| line.replacen("12 12", "12 11", 1)));
    assert!(dealt.contains("line 2: hands["), "{dealt}");

    let paid = refused(&tampered(&trace, last, |line| line.replace("\"points\":[", "\"points\":[9,")));
    assert!(paid.contains(&format!("line {last}: points[0] is 9, but the rules give")), "{paid}");

    let short: String = trace.lines().take(last - 1).map(|l| format!("{l}\n")).collect();
    assert!(refused(&short).contains(&format!("line {last}: the trace ends here")));

    let long = format!("{trace}{}\n", lines[last - 1]);
    assert!(refused(&long).contains(&format!("line {}: the session was over", last + 1)));

    let other = refused(&tampered(&trace, 1, |line| line.replace("\"seed\":7", "\"seed\":8")));
    assert!(other.contains("line 2: "), "{other}");
}

#[test]
fn a_file_that_is_no_trace_is_bad_input() {
    for (text, reason) in [
        ("", "the file is empty"),
        ("hello", "line 1: not JSON"),
        (
            "{\"line\":\"header\",\"format\":2}",
            "format 2, which a newer version of cardsharp writes; this program reads format 1",
        ),
        ("{\"line\":\"deal\"}", "`line` is \"deal\", expected \"header\""),
    ] {
        let (code, message) = failure("replay -", text);
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn the_bench_counts_and_checks() {
    for game in GAMES.iter() {
        // Counting instructions takes seconds, and works the same in each game.
        let counts = game.name() == "dalmuti";
        let more = if counts { "" } else { "--no-valgrind" };
        let line = format!("bench {} --seconds 0.05 --json {more}", game.name());
        let bench: Value = serde_json::from_str(&success(&line, "")).expect("JSON");
        for kind in ["rules_only", "with_row"] {
            assert!(bench[kind]["decisions_per_second"].as_f64().expect("a rate") > 1000.0, "{bench}");
            if !counts {
                continue;
            }
            let counted = bench[kind]["instructions"].as_f64().is_some_and(|n| n > 10.0);
            assert!(counted || bench[kind]["reason"].is_string(), "{bench}");
        }
    }
}

#[test]
fn games_are_described_and_measured_by_every_command() {
    for game in GAMES.iter() {
        let name = game.name();
        let page = success(&format!("describe {name} --markdown"), "");
        assert!(page.contains(&format!("cardsharp describe {name} --markdown")), "{page}");
        assert!(
            game.options().iter().all(|option| page.contains(&format!("| `{}` |", option.name))),
            "{page}"
        );
        let line = format!("arena {name} --bots scripted,random --deals 4 --rounds 2 --json");
        let report: Value = serde_json::from_str(&success(&line, "")).expect("JSON");
        assert_eq!((&report["game"], report["rounds"].as_u64()), (&json!(name), Some(2)));
        assert!(success("completions bash", "").contains(name));
    }
}

/// Options that are valid for some numbers of players only are checked for the requested number, however it is set, in
/// every command with rules.
#[test]
fn the_number_of_players_counts_before_options_that_depend_on_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let stripped = "strip = [12, 11, 10, 9, 8, 3]";
    std::fs::write(path("rules.toml"), stripped).expect("a file");
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot/bot.safetensors");
    std::fs::copy(bot, path("bot.safetensors")).expect("a bot");
    let commands = [
        "trace dalmuti".to_owned(),
        "arena dalmuti --bots scripted,random --deals 1".to_owned(),
        "play dalmuti".to_owned(),
        "bench dalmuti --seconds 0.01 --no-valgrind".to_owned(),
        format!("levels {} --playouts 0 --deals 5", path("bot.safetensors")),
    ];
    let set = format!("--set {}", stripped.replace(' ', ""));
    let file = format!("--rules {}", path("rules.toml"));
    for command in &commands {
        for (rules, four) in [(&set, "--players 4"), (&file, "--set players=4")] {
            // So few deals do not separate levels. That is no fault of the rules.
            let code = cardsharp(&format!("{command} {four} {rules}"), "quit\n").status.code();
            assert_eq!(code, Some(i32::from(command.starts_with("levels"))), "{command} {four} {rules}");
            for players in ["", "--players 5", "--set players=4 --players 5"] {
                let (code, message) = failure(&format!("{command} {players} {rules}"), "");
                assert_eq!(code, Some(2), "{command}: {message}");
                assert!(message.contains("this leaves only 5 cards for some of the 5 players"), "{message}");
            }
        }
    }
    // Players who join later get the next numbers after the players of the first round.
    for players in ["--players 3", "--set players=3"] {
        success(&format!("trace tahimi {players} --rounds 2 --set roster_script=[{{round=2,join=3}}]"), "");
    }
}

#[test]
fn small_games_are_solved_and_bots_measured_in_them() {
    let solved: Value =
        serde_json::from_str(&success("solve leduc --iterations 100 --json", "")).expect("JSON");
    assert_eq!((&solved["deals"], &solved["decisions"]), (&json!(120), &json!(936)));
    let rows = solved["strategies"].as_array().expect("rows");
    let done: Vec<_> = rows.iter().map(|row| row["iterations"].as_u64()).collect();
    assert_eq!(done, [1, 2, 5, 10, 20, 50, 100].map(Some));
    let last = rows[6]["exploitability"].as_f64().expect("a number");
    assert!(last < 0.0135 && rows[6]["nash_conv"].as_f64() == Some(2.0 * last), "{last}");
    let bound = |i: usize| solved["game_value"][i].as_f64().expect("a number");
    assert!(bound(0) < -0.0856 && -0.0856 < bound(1), "{solved}");

    let line = "solve kuhn --bot random --iterations 1";
    let both: Value = serde_json::from_str(&success(&format!("{line} --json"), "")).expect("JSON");
    let rows = both["strategies"].as_array().expect("rows");
    assert_eq!(
        rows.iter().map(|row| row["strategy"].as_str()).collect::<Vec<_>>(),
        [Some("random"), Some("cfr+")]
    );
    // CFR+ starts from the strategy of the random bot.
    assert_eq!(rows[0]["exploitability"], rows[1]["exploitability"]);
    let text = success(line, "");
    assert!(text.contains("Kuhn poker: 6 deals, 54 positions, 12 decisions"), "{text}");
    assert!(text.contains("│ random ") && text.contains("0.4583333") && text.contains("0.9166667"), "{text}");
    assert!(text.contains("With optimal play seat 0 gets between "), "{text}");
    assert!(!success("solve kuhn --bot scripted", "").contains("With optimal play"), "nothing was solved");
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(["trace", "dalmuti", "--bots", "random", "--rounds", "50"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn completions_name_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = success(&format!("completions {shell}"), "");
        assert!(script.contains("cardsharp") && script.contains("arena"), "{shell}");
    }
}

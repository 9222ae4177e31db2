//! Sessions with a person or a program, and advice for their views.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::typed::{cardsharp, failure, json_lines, success};
use cardsharp_env::GAMES;
use serde_json::{Value, json};

/// Returns the standard output of `play`. The exit code must say whether the input ended before the session.
fn played(line: &str, input: &str) -> String {
    let output = cardsharp(line, input);
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let last = said.lines().last().unwrap_or_default();
    let closed = last == "The input ended. You left the table." || last.contains("\"why\":\"input closed\"");
    assert_eq!(output.status.code(), Some(if closed { 3 } else { 0 }), "{line}: {last}");
    assert!(output.stderr.is_empty(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn a_person_can_play_a_whole_session_with_piped_input() {
    let input = "#1\n".repeat(2000);
    for game in GAMES.iter() {
        let line = format!("play {} --against scripted,random --rounds 2 --seed 5", game.name());
        let said = success(&line, &input);
        assert!(said.contains("Your hand: ") && said.contains("Your moves:"), "{said}");
        assert!(said.contains("Round 2 is over") && said.contains("After 2 rounds you have "), "{said}");
        assert!(!said.contains("decline revolution"), "a revolution that nobody calls leaves no trace");
    }
}

#[cfg(unix)]
#[test]
fn what_was_played_is_kept_when_a_signal_ends_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace.jsonl");
    let words = ["play", "dalmuti", "--plain", "--seed", "3", "--trace"];
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(words)
        .arg(&trace)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut said = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = Vec::new();
    while !line.ends_with(b"Your move: ") {
        assert!(said.read_until(b' ', &mut line).expect("its output") > 0, "it waits for a move");
    }
    let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
    assert_eq!(child.wait().expect("the command ends").code(), Some(143));
    let kept = std::fs::read_to_string(&trace).expect("a trace");
    assert_eq!(json_lines(&kept)[0]["line"], "header");
}

/// Returns the lines of `play tahimi --json`. The person is in seat 0.
fn tahimi(arguments: &str, input: &str) -> Vec<Value> {
    json_lines(&played(&format!("play tahimi --against scripted --seed 9 --json {arguments}"), input))
}

fn of_kind(lines: &[Value], kind: &str) -> Vec<Value> {
    lines.iter().filter(|l| l["line"] == kind).cloned().collect()
}

/// Returns input that plays the first move of the list. After each round, the next text of `between` follows.
fn typed(arguments: &str, between: &[&str]) -> String {
    let mut input = String::new();
    for (number, lines) in between.iter().enumerate() {
        // Add moves until the next choice between rounds appears.
        while of_kind(&tahimi(arguments, &input), "between").last().is_none_or(|l| l["round"] != number + 1) {
            input += "#1\n";
        }
        input += lines;
    }
    input + &"#1\n".repeat(300)
}

#[test]
fn players_come_and_go_between_rounds_as_a_script_says_or_a_person() {
    let live =
        tahimi("--rounds 4", &typed("--rounds 4", &["join\nleave 2\ndeal\n", "join 2\n\n", "leave 0\n#1\n"]));
    let script = "--rounds 4 --set roster_script=[{round=2,join=4},{round=2,leave=2},{round=3,join=2},{round=4,leave=0}]";
    let scripted = tahimi(script, &"#1\n".repeat(500));
    assert_eq!(of_kind(&live, "move"), of_kind(&scripted, "move"));
    let payoffs = of_kind(&live, "payoff");
    let playing = |payoff: &Value| {
        let place = payoff["place"].as_array().expect("places");
        (place.len(), place.iter().filter(|&place| *place != json!(0)).count())
    };
    assert_eq!(payoffs.iter().map(playing).collect::<Vec<_>>(), [(4, 4), (5, 4), (5, 5), (5, 4)]);
    assert_eq!(payoffs[3]["place"][0], 0, "the person sat out");
    assert_eq!(of_kind(&live, "end"), of_kind(&scripted, "end"));
    let changes = of_kind(&live, "change");
    let changes: Vec<_> = changes.iter().map(|l| (l["round"].as_u64(), l["choice"].as_str())).collect();
    let expected = [(2, "join 4"), (2, "leave 2"), (3, "join 2"), (4, "leave 0")];
    assert_eq!(changes, expected.map(|(round, choice)| (Some(round), Some(choice))));
}

#[test]
fn undo_reaches_across_comings_and_goings() {
    let rounds = "--rounds 3";
    let before = typed(rounds, &[""]).trim_end_matches("#1\n").to_owned();
    // Take back a join, the deal, moves after it, and moves of the previous round.
    let plain = tahimi(rounds, &format!("{before}\n{}", "#1\n".repeat(300)));
    for detour in [
        "join\n/undo\n",
        "join\n\n/undo\n/undo\n",
        "leave 3\n\n#1\n#1\n/undo\n/undo\n/undo\n/undo\n",
        "/undo\n#1\n",
    ] {
        let input = format!("{before}{detour}\n{}", "#1\n".repeat(300));
        let detoured = tahimi(rounds, &input);
        assert_eq!(of_kind(&detoured, "end"), of_kind(&plain, "end"), "{detour:?}");
        let last = |lines: &[Value]| of_kind(lines, "turn").last().cloned();
        assert_eq!(last(&detoured), last(&plain), "{detour:?}");
    }
}

#[test]
fn a_seat_may_come_to_the_table_later() {
    let script = "--rounds 2 --set players=3 --set roster_script=[{round=2,join=3}] --seat 3";
    let lines = tahimi(script, &"\n#1\n".repeat(300));
    assert_eq!(of_kind(&lines, "payoff")[0]["place"][3], 0);
    assert!(of_kind(&lines, "turn").iter().all(|turn| turn["round"] == 2 && turn["seat"] == 3));
    // With too few players the session ends.
    let said =
        played("play tahimi --set players=3 --seed 1 --seat 1", &format!("{}leave 0\n", "#1\n".repeat(40)));
    assert!(said.contains("After one round you have ") || said.contains("You left"), "{said}");
    let (code, message) = failure("play tahimi --set roster_script=[{round=2,join=9}]", "");
    assert_eq!(code, Some(2));
    assert!(message.contains("the next new player is seat 4"), "{message}");
}

/// Plays as a program that chooses among the legal moves by name, as the line of the turn lists them.
fn by_name(line: &str) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(line.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let (mut to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    let mut lines = Vec::new();
    for text in BufReader::new(from).lines() {
        let line: Value = serde_json::from_str(&text.expect("a line")).expect("JSON");
        if line["line"] == "turn" || line["line"] == "between" {
            let legal = line["legal"].as_array().expect("labels");
            let choice = match line["line"] == "between" {
                true => "deal",
                false => legal[lines.len() % legal.len()].as_str().expect("a label"),
            };
            writeln!(to, "{choice}").expect("the command reads");
        }
        lines.push(line);
    }
    assert!(child.wait().expect("the command ends").success(), "{line}");
    lines
}

/// These include every name of a card. `Q` is a Queen and does not quit.
#[test]
fn a_move_is_played_by_its_name_in_every_game_and_deck() {
    let mut queens = 0;
    for game in GAMES.iter() {
        for seed in 0..5 {
            let lines = by_name(&format!("play {} --rounds 2 --seed {seed} --json", game.name()));
            assert!(of_kind(&lines, "refused").is_empty(), "{} {seed}", game.name());
            let end = lines.last().expect("lines");
            assert_eq!(
                (&end["line"], &end["why"]),
                (&json!("end"), &json!("over")),
                "{} {seed}",
                game.name()
            );
            queens += lines.iter().filter(|l| l["seat"] == 0 && l["choice"] == "Q").count();
        }
    }
    let decks = ["deuces_high=true", "deck=\"special\""];
    for deck in decks {
        by_name(&format!("play tahimi --set {deck} --rounds 1 --seed 1 --json"));
    }
    assert!(queens >= 3, "{queens}");
}

#[test]
fn a_session_says_why_it_ended_and_the_exit_code_says_it_too() {
    let end = |input: &str| {
        let output = cardsharp("play dalmuti --seed 5 --json", input);
        let lines = json_lines(&String::from_utf8(output.stdout).expect("UTF-8"));
        let end = lines.last().expect("a line").clone();
        assert_eq!((&end["line"], &end["points"]), (&json!("end"), &json!([0, 0, 0, 0, 0])));
        (output.status.code(), end["why"].as_str().expect("a reason").to_owned())
    };
    assert_eq!(end("/quit\n"), (Some(0), "quit".to_owned()));
    for input in ["", "#1\n", "#1"] {
        assert_eq!(end(input), (Some(3), "input closed".to_owned()));
    }
    let said = played("play dalmuti --seed 5", "");
    assert!(said.ends_with("\nThe input ended. You left the table.\n"), "{said}");
}

#[test]
fn hints_help_mistakes_and_leaving() {
    let said = success("play dalmuti --against random --seed 5", "hint\n?\n99\n#99\nseven\nquit\n");
    assert!(said.contains("scripted would play "), "{said}");
    assert!(said.contains("take back your last move"), "{said}");
    assert!(said.contains("`99` is neither a move nor a command"), "{said}");
    assert!(said.contains("there is no move #99: expected #1"), "{said}");
    assert!(said.contains("`seven` is neither a move nor a command"), "{said}");
    assert!(said.ends_with("You left the table.\n"), "{said}");
    assert!(played("play dalmuti --seed 5", "undo\n").contains("You have no move to take back"));
}

#[test]
fn undo_goes_back_to_the_same_position() {
    let line = "play dalmuti --against scripted --rounds 3 --seed 9 --json";
    let turns = |input: &str| -> Vec<Value> {
        json_lines(&played(line, input)).into_iter().filter(|l| l["line"] == "turn").collect()
    };
    let forward = turns(&"#1\n".repeat(30));
    // Forward, back, and forward again from every position, including across rounds.
    let both = turns(&"#1\n/undo\n#1\n".repeat(30));
    assert!(forward.iter().any(|turn| turn["round"] == 2), "the moves do not reach the second round");
    assert_eq!(
        both.iter().step_by(3).collect::<Vec<_>>(),
        forward[..both.len().div_ceil(3)].iter().collect::<Vec<_>>()
    );
    for step in both.chunks_exact(3) {
        assert_eq!(step[0], step[2], "undo led elsewhere");
    }
}

#[test]
fn a_front_end_sees_no_secret_moves() {
    let lines = json_lines(&played("play dalmuti --seed 4 --rounds 5 --json", &"#1\n".repeat(600)));
    let secret = |l: &&Value| l["line"] == "move" && l["seat"] != 0;
    for line in lines.iter().filter(secret) {
        let choice = line["choice"].as_str().expect("a label");
        assert!(!choice.starts_with("give") && choice != "decline revolution", "{line}");
    }
    assert_eq!(lines.last().map(|l| l["line"].clone()), Some("end".into()));
}

#[test]
fn a_view_from_play_gets_advice() {
    for game in GAMES.iter() {
        a_view_of_this_game_gets_advice(game.name());
    }
    // An invalid view gets the error of the most similar game. Views of the reference games differ only in their
    // values, not in their form.
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        let lines = json_lines(&played(&format!("play {} --seed 4 --json", game.name()), ""));
        let mut view = of_kind(&lines, "turn")[0]["view"].clone();
        view["table"]["order"] = "a to z".into();
        let (code, message) = failure("advise scripted", &view.to_string());
        assert_eq!(code, Some(2), "{message}");
        assert!(message.contains(&format!("not a {} view", game.name())), "{message}");
    }
}

fn a_view_of_this_game_gets_advice(game: &str) {
    let lines = json_lines(&played(&format!("play {game} --seed 4 --json"), ""));
    let turn = lines.iter().find(|l| l["line"] == "turn").expect("a turn");
    let view = turn["view"].to_string();
    let advice: Value = serde_json::from_str(&success("advise scripted --json", &view)).expect("JSON");
    let moves = advice["moves"].as_array().expect("moves");
    assert_eq!((moves[0]["probability"].as_f64(), &advice["value"]), (Some(1.0), &Value::Null));
    let mut labels: Vec<&Value> = moves.iter().map(|m| &m["move"]).collect();
    assert_eq!(labels.len(), turn["legal"].as_array().expect("legal").len());
    labels.retain(|l| !turn["legal"].as_array().is_some_and(|legal| legal.contains(l)));
    assert!(labels.is_empty(), "not legal: {labels:?}");

    let random: Value = serde_json::from_str(&success("advise random --json", &view)).expect("JSON");
    let sum: f64 =
        random["moves"].as_array().expect("moves").iter().filter_map(|m| m["probability"].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-5);

    let (code, message) = failure("advise scripted", "{}");
    assert_eq!(code, Some(2), "{message}");
    let mut wrong: Value = turn["view"].clone();
    wrong["seat"] = 11.into();
    let (code, message) = failure("advise scripted", &wrong.to_string());
    assert_eq!(code, Some(2), "{message}");
}

#[test]
fn a_session_that_was_played_is_kept_and_looked_back_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("game.jsonl");
    let path = trace.to_str().expect("UTF-8");
    played(
        &format!("play dalmuti --against scripted --seed 5 --rounds 1 --seat 2 --trace {path}"),
        &"#1\n".repeat(500),
    );
    assert!(success(&format!("replay {path}"), "").starts_with("The trace follows the rules: dalmuti"));
    // The review is of the seat called `you`, by the shipped bot.
    let review: Value =
        serde_json::from_str(&success(&format!("review {path} --json --deals 40 --playouts 5"), ""))
            .expect("JSON");
    assert_eq!((&review["seat"], &review["judge"]), (&json!(2), &json!("search:400+dalmuti")));
    let decisions = review["decisions"].as_array().expect("a list");
    assert!(!decisions.is_empty());
    for decision in decisions {
        assert_eq!(
            decision["played"] == decision["better"],
            decision.get("compared").is_none(),
            "{decision}"
        );
    }
    let place = &review["rounds"][0]["place"];
    let number = |value: &Value| value.as_f64().expect("a number");
    let sum = number(&place["deal"]["mean"]) + number(&place["decisions"]["mean"]) + number(&place["rest"]);
    assert!((sum - number(&place["result"])).abs() < 1e-9, "{place}");
    // Leaving keeps the trace so far.
    played(&format!("play taki --against scripted --seed 5 --overwrite --trace {path}"), "#1\n/quit\n");
    let (code, message) = failure(&format!("replay {path}"), "");
    assert!(code == Some(1) && message.contains("the session is not over"), "{code:?}: {message}");
    let told = success(&format!("replay {path} --unfinished"), "");
    assert!(told.ends_with(" The session is not over.\n"), "{told}");
    let text = success(&format!("review {path} --deals 40 --playouts 5"), "");
    assert!(text.starts_with("Seat 0, judged by search:400+taki: "), "{text}");
    // The page contains the same text, and a link to the session.
    let page = folder.path().join("review.html");
    let to = page.to_str().expect("UTF-8");
    let told = success(&format!("review {path} --deals 40 --playouts 5 --to {to} --viewer ../table/"), "");
    assert_eq!(told, format!("{text}\nWrote {to}.\n"));
    let html = std::fs::read_to_string(&page).expect("a page");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&html, options).expect("well-formed");
    let link = document
        .descendants()
        .filter_map(|node| node.attribute("href"))
        .find(|link| link.contains("replay="));
    assert!(link.expect("a link").starts_with("../table/#replay="), "{link:?}");
    let judged = text.lines().next().expect("a line").split_once(": ").expect("who judges").1;
    let words: String =
        document.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text()).collect();
    assert!(words.contains(judged), "{judged}");
    let (code, message) = failure(&format!("review {path} --to {path}"), "");
    assert!(code == Some(2) && message.contains("it is one of the input files"), "{message}");
    for (arguments, expected) in [
        (
            "--viewer javascript:alert(1)",
            "error: invalid value 'javascript:alert(1)' for '--viewer <URL>': expected an http",
        ),
        ("--seat 9", "error: --seat cannot be 9: expected 0 to 3"),
        ("--by taki", "error: --by cannot be taki: expected `search`, `search:N` or `search:N+BOT`"),
        ("--by search:5ms", "error: --by cannot be search:5ms: expected a number of playouts"),
    ] {
        let (code, message) = failure(&format!("review {path} {arguments}"), "");
        assert!(code == Some(2) && message.starts_with(expected), "{code:?}: {message}");
    }
    let (code, message) = failure("review -", "{\"line\":\"header\"}\n");
    assert!(code == Some(2) && message.starts_with("error: standard input: line 1: "), "{code:?}: {message}");
}

/// Random bots sample every move.
#[test]
fn the_same_moves_are_answered_alike_however_often_they_are_taken_back() {
    let line = "play taki --against random --players 4 --seed 11 --json";
    let moves = |input: &str| {
        let lines = json_lines(&played(line, input));
        let told = of_kind(&lines, "move");
        told.iter().map(|l| (l["seat"].clone(), l["choice"].clone())).collect::<Vec<_>>()
    };
    let straight = moves("#1\n#1\n");
    let answers = straight.iter().filter(|(seat, _)| *seat != 0).count();
    assert!(answers >= 4, "{straight:?}");
    // Back to the first choice several times. The last time continues like the straight session.
    let retried = moves(&format!("{}#1\n#1\n", "#1\n/undo\n".repeat(5)));
    let first = straight.iter().position(|(seat, _)| *seat == 0).expect("a choice");
    assert!(retried.ends_with(&straight[first..]), "{straight:?}\n{retried:?}");
    assert!(retried.len() > 2 * straight.len(), "{retried:?}");
}

/// All lines of a session fit 80 columns, including explanations and lists.
#[test]
fn eighty_columns_are_enough_for_all_that_is_told() {
    let input = format!("help\nmore\nexplain\n{}", "#1\n".repeat(2000));
    for game in GAMES.iter().filter(|game| !game.is_reference()) {
        let line = format!("play {} --rounds 2 --seed 5 --explain --against scripted,random", game.name());
        let said = success(&line, &input);
        let long: Vec<&str> = said.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{}: {long:#?}", game.name());
        // Each explanation appears once, except for the position that was explained on request.
        let lesson = said.lines().find(|line| line.starts_with("| ")).expect("an explanation");
        assert_eq!(said.matches(lesson).count(), 1, "{lesson}");
    }
}

#[test]
fn a_move_that_is_not_legal_is_refused_with_its_reason() {
    let said = played("play tachtigen --seed 5", "pass\nquit\n");
    assert!(said.contains("`pass` is not legal now: No player has bid yet: hold, or bid."), "{said}");
    // A card of another color and symbol, for any deal.
    let turn = of_kind(&json_lines(&played("play taki --seed 5 --json", "")), "turn").remove(0);
    let legal = turn["legal"].as_array().expect("labels");
    let hand = turn["view"]["own"]["hand"].as_str().expect("cards");
    let held =
        hand.split(' ').find(|card| card.len() == 2 && !legal.contains(&json!(card))).expect("no match");
    let said = played("play taki --seed 5 --json", &format!("{held}\n"));
    let refused = of_kind(&json_lines(&said), "refused");
    let text = refused[0]["text"].as_str().expect("a text");
    assert!(text.starts_with(&format!("`{held}` is not legal now: Match ")), "{text}");
}

#[test]
fn help_has_moves_of_this_game_and_the_rules_are_those_of_this_table() {
    let said = played("play taki --seed 5 --set players=3", "help\nrules\nquit\n");
    assert!(said.contains("by its short name: ") && !said.contains("7x3"), "{said}");
    assert!(said.contains("players = 3 (default 4)") && said.contains("+3 Breaker"), "{said}");
}

/// Only the sensible ones of 72 bids are listed, with their numbers in the complete list.
#[test]
fn many_moves_are_listed_when_they_are_asked_for() {
    let said = played("play tachtigen --seed 5", "more\nquit\n");
    let at = said.find("Your moves:").expect("a list");
    let (before, after) = said[at..].split_once("type `more` to list them").expect("a part of the list");
    assert!(
        before.lines().count() <= 6 && before.contains("#1 Bid 80") && before.contains(" Hold"),
        "{before}"
    );
    assert!(!before.contains("bid 700") && after.contains("700, 710, praatje"), "{said}");
    // The complete list fits a small terminal, including the hand.
    let shown: Vec<&str> = after.lines().take_while(|line| !line.contains("Your hand: ")).collect();
    assert!(shown.len() < 20, "{after}");
}

#[test]
fn a_deal_ends_with_what_was_needed_and_what_was_reached() {
    let input = "#1\n".repeat(40);
    let ends = |seed: u64| {
        let said = success(&format!("play tachtigen --against scripted --seed {seed} --rounds 1"), &input);
        said.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let ends: Vec<String> = (1..6).map(ends).collect();
    let told = |end: &&String| end.contains(" were needed and ") && end.contains(" in tricks, rounded ");
    assert_eq!(ends.iter().filter(told).count(), 5, "{ends:#?}");
}

#[test]
fn a_session_continues_where_it_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl").display().to_string();
    let line = format!(
        "play tahimi --against scripted,random --seed 5 --rounds 2 --json --overwrite --trace {path}"
    );
    let rest = "#1\n".repeat(500);
    let whole = json_lines(&played(&line, &rest));
    let expected = std::fs::read_to_string(&path).expect("a trace");
    let seats = |lines: &[Value]| of_kind(lines, "move").last().cloned();
    // Before the first move, in a round, after a move that is taken back, and in the second round.
    for before in ["", "#1\n#1\n#1\n", "#1\n#1\n#1\n#1\n"] {
        played(&line, &format!("{before}/quit\n"));
        let undo = if before.is_empty() { "" } else { "/undo\n" };
        let continued =
            json_lines(&played(&format!("play --resume {path} --json"), &format!("{undo}{rest}")));
        assert_eq!(continued.last(), whole.last(), "{before:?}");
        assert_eq!(seats(&continued), seats(&whole), "{before:?}");
        assert_eq!(std::fs::read_to_string(&path).expect("a trace"), expected, "{before:?}");
    }
    let refused = |expected: &str| {
        let (code, message) = failure(&format!("play --resume {path}"), "");
        assert!(code == Some(2) && message.contains(expected), "{code:?}: {message}");
    };
    refused("the session is over; `cardsharp review` shows what its moves cost");
    // A trace may come from another person, so it starts no program.
    played(&line, "/quit\n");
    let trace = std::fs::read_to_string(&path).expect("a trace");
    std::fs::write(&path, trace.replace("\"scripted\"", "\"exec:touch it\"")).expect("written");
    refused("an opponent is an external program; name the opponents with --against to start it");
    std::fs::write(&path, trace.replace("\"you\"", "\"random\"")).expect("written");
    refused("no seat is called `you`");
}

#[test]
fn a_move_may_be_typed_by_its_short_name_or_as_in_the_list() {
    let line = "play tachtigen --against scripted --seed 5";
    let bids = |typed: &str| played(line, &format!("{typed}\nquit\n"));
    for typed in ["bid 100", "Bid 100", "bid misere", "Bid misère"] {
        assert!(!bids(typed).contains("neither a move"), "{typed}");
    }
    let said = played("play dalmuti --against scripted --seed 5", "quit\n");
    let (_, list) = said.split_once("Your moves:").expect("a list");
    let name = list.split("#1 ").nth(1).expect("a move").split("  ").next().expect("a name").trim();
    let said = played("play dalmuti --against scripted --seed 5", &format!("{name}\nquit\n"));
    assert!(said.contains(&format!("you                {name}")), "{name}: {said}");
}

#[test]
fn cards_and_moves_have_the_names_of_the_page() {
    let said = played("play taki --against scripted --seed 5 --color always", &"#1\n".repeat(60));
    assert!(said.contains("Reverse"), "{said}");
    assert!(["Rdir", "Bdir", "Gdir", "Ydir"].iter().all(|short| !said.contains(short)), "{said}");
    let said = played("play tachtigen --against scripted --seed 5 --color always", &"#1\n".repeat(20));
    assert!(said.contains("\x1b[91m♥") && said.contains('♠') && !said.contains("\x1b[91m♠"), "{said}");
    let plain = played("play tachtigen --against scripted --seed 5 --ascii", &"#1\n".repeat(20));
    assert!(plain.is_ascii(), "{plain}");
}

#[test]
fn colors_are_shown_where_they_are_wanted() {
    let green = "\x1b[92m";
    assert!(played("play taki --seed 5 --color always", "quit\n").contains(green));
    for never in ["", "--color auto", "--color never"] {
        assert!(!played(&format!("play taki --seed 5 {never}"), "quit\n").contains('\x1b'), "{never}");
    }
}

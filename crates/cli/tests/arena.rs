//! Contests of all kinds: the same results on any number of threads, and the fields of their JSON.

use std::process::{Command, Output};

use cardsharp_bot::Report;
use cardsharp_bot::arena::report::{Anchor, StrengthVerdict};
use cardsharp_bot::arena::rule_sets::RuleSets;
use serde_json::Value;

fn cardsharp(line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardsharp")).args(line.split(' ')).output().expect("the command runs")
}

fn text(line: &str) -> String {
    let output = cardsharp(line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Returns the report of a contest. It must be the same on one thread and on three, except for the times per move.
fn report(line: &str) -> Report {
    let [one, three] = [1, 3].map(|threads| {
        let mut json: Value =
            serde_json::from_str(&text(&format!("arena {line} --json --threads {threads}"))).expect("JSON");
        for bot in json["bots"].as_array_mut().expect("bots") {
            bot["ms_per_move"] = serde_json::json!({"p50": 0.0, "p99": 0.0});
        }
        json
    });
    assert_eq!(one, three, "{line}");
    serde_json::from_value(one).expect("a report")
}

#[test]
fn round_robins_are_for_any_number_of_bots() {
    let six =
        report("taki --round-robin --bots scripted,random,scripted,random,scripted,scripted --deals 45");
    let found = six.round_robin.expect("a round robin");
    assert_eq!((six.players, six.deals, found.tables, found.ratings.anchor), (4, 45, 15, Anchor::Random));
    assert!(six.bots.iter().all(|bot| bot.deals == Some(30) && bot.habits.is_some()));
    let two = report("dalmuti --round-robin --bots scripted,random --deals 20 --rounds 2 --players 7");
    assert_eq!(two.round_robin.expect("a round robin").tables, 2, "one of them has a seat more");
    let rating = |bot: usize| two.bots[bot].rating.expect("a rating").mean;
    assert!(rating(0) > 200.0 && rating(1) == 0.0, "{}", rating(0));
}

#[test]
fn contests_stop_when_it_is_known() {
    let known = report("tachtigen --bots scripted,random --sprt");
    let found = known.sprt.expect("a test");
    assert_eq!((found.decision, found.most_deals, found.delta), (StrengthVerdict::Stronger, 20_000, 0.02));
    assert!(known.deals < 1000, "{}", known.deals);
    let not = report("tachtigen --bots scripted,random --sprt 0.0001 --deals 70");
    let found = not.sprt.expect("a test");
    assert_eq!((found.decision, found.delta, not.deals), (StrengthVerdict::Unknown, 0.0001, 70));
}

#[test]
fn tables_that_nobody_chose_are_counted_and_can_be_played_again() {
    let line = "arena dalmuti --bots scripted,random --random-rules 6 --deals 8 --seed 4 --rounds 2";
    let found = [1, 3].map(|threads| {
        let json = text(&format!("{line} --json --threads {threads}"));
        let mut found: RuleSets = serde_json::from_str(&json).expect("results by sets of rules");
        let bots = found.contests.iter_mut().flat_map(|report| &mut report.bots);
        bots.for_each(|bot| bot.ms_per_move = None);
        found
    });
    assert_eq!(found[0], found[1]);
    let RuleSets { contests, above, below, .. } = &found[0];
    assert_eq!((contests.len(), *above, *below), (6, 6, 0));
    let page = text(line);
    assert!(page.contains("above 0 in 6 (100.0 %) of 6 rule sets, clearly below 0 in 0 (0.0 %)"), "{page}");
    // The command below the worst rule set repeats the contest.
    let command = page.lines().find_map(|line| line.trim().strip_prefix("cardsharp ")).expect("a command");
    let command = format!("{} {command} --json", env!("CARGO_BIN_EXE_cardsharp"));
    let again = Command::new("sh").args(["-c", &command]).output().expect("the command runs");
    let again: Report = serde_json::from_slice(&again.stdout).expect("a report");
    assert_eq!(again.rules, contests[0].rules);
    assert_eq!(again.bots[0].place_score, contests[0].bots[0].place_score, "{command}");
}

#[test]
fn people_are_told_what_programs_are() {
    let page = text("arena tahimi --round-robin --bots scripted,random,scripted --deals 8");
    for part in
        ["rating", "Row placed ahead of column", "never met", "pass, though able to play", " rounds in "]
    {
        assert_eq!(page.contains(part), part != "never met", "{part} in {page}");
    }
    // Of twelve bots, few meet, their columns need several tables, and some names are wider than a column.
    let bots = ["random", "search:2+../../checkpoints/tahimi/bot"].repeat(6).join(",");
    let page = text(&format!("arena tahimi --round-robin --bots {bots} --deals 4 --players 3"));
    assert!(page.contains("never met") && page.matches("decisions with a choice").count() > 2, "{page}");
    let tables = |page: &str| {
        let is_table = |line: &&str| line.starts_with(['│', '┌', '╞', '└']);
        page.lines().filter(is_table).map(|line| line.chars().count()).max().unwrap_or_default()
    };
    assert!((40..=80).contains(&tables(&page)), "{page}");
    let page = text(
        "arena dalmuti --bots scripted,random,cautious,aggressive,search:2+../../checkpoints/dalmuti/bot --deals 2",
    );
    assert!((40..=80).contains(&tables(&page)), "{page}");
    let page = text("arena dalmuti --bots random,scripted --sprt");
    assert!(
        page.contains("random is weaker than the other bots: decided after 64 of at most 20000 deals"),
        "{page}"
    );
    for (line, wrong) in [
        ("arena dalmuti --bots random,random --round-robin --sprt", "cannot be used with"),
        ("arena dalmuti --bots random,random --round-robin --seats 0,0,1,1,1", "cannot be used with"),
    ] {
        let output = cardsharp(line);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(wrong), "{line}");
    }
}

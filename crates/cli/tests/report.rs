//! Report pages about results of the command, and about a run that ships with the project.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn cardsharp(words: &[&str]) -> Output {
    // In the folder where the commands of the page work.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(words)
        .current_dir(root)
        .output()
        .expect("the command runs")
}

fn success(words: &[&str]) -> Vec<u8> {
    let output = cardsharp(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Returns the text of the page at a path, and its commands.
fn read(page: &Path) -> (String, Vec<String>) {
    let page = std::fs::read_to_string(page).expect("a page");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).expect("well-formed");
    let text = |node: roxmltree::Node<'_, '_>| -> String {
        node.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text()).collect()
    };
    let code = document.descendants().filter(|node| node.has_tag_name("code")).map(text);
    (text(document.root_element()), code.filter(|code| code.starts_with("cardsharp arena")).collect())
}

/// Every stored game has a link that contains it.
#[test]
fn games_that_were_kept_are_linked_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let [contest, page] = ["contest.json", "page.html"].map(|name| folder.path().join(name));
    let (to, from) = (page.to_str().expect("UTF-8"), contest.to_str().expect("UTF-8"));
    let arena = ["arena", "taki", "--bots", "scripted,random", "--deals", "20", "--json", "--keep-games"];
    std::fs::write(&contest, success(&[arena.as_slice(), &["2"]].concat())).expect("a file");
    success(&["report", from, "--to", to, "--viewer", "https://cards.example/"]);
    let html = std::fs::read_to_string(&page).expect("a page");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&html, options).expect("well-formed");
    let links = document.descendants().filter_map(|node| node.attribute("href"));
    let links: Vec<&str> = links.filter(|link| link.starts_with("https://cards.example/#replay=")).collect();
    assert_eq!(links.len(), 2 * 4, "two deals from four seats");
    let report: Value = serde_json::from_slice(&std::fs::read(&contest).expect("a file")).expect("JSON");
    for game in report["games"].as_array().expect("games") {
        let trace = folder.path().join("game.jsonl");
        std::fs::write(&trace, game["trace"].as_str().expect("a trace")).expect("a file");
        success(&["replay", trace.to_str().expect("UTF-8")]);
    }
    std::fs::write(&contest, success(&[arena.as_slice(), &["0"]].concat())).expect("a file");
    success(&["report", from, "--to", to]);
    assert!(!std::fs::read_to_string(&page).expect("a page").contains("#replay="));
}

/// The command on a page repeats any kind of contest.
#[test]
fn contests_are_held_again_by_the_commands_of_their_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let [contest, page] = ["contest.json", "page.html"].map(|name| folder.path().join(name));
    let to = page.to_str().expect("UTF-8");
    let from = contest.to_str().expect("UTF-8");
    for options in [
        "dalmuti --bots scripted,random --players 6 --rounds 2 --set strip=\"recommended\"",
        "tachtigen --bots scripted,random --seats 0,1,0,1 --seed 5",
        "tahimi --bots random,scripted,scripted --round-robin --players 3",
        "taki --bots scripted,random --sprt 0.3",
    ] {
        let words: Vec<&str> = "arena --deals 64 --json".split(' ').chain(options.split(' ')).collect();
        let found = success(&words);
        std::fs::write(&contest, &found).expect("a file");
        let told = success(&["report", from, "--to", to, "--json"]);
        let told: Value = serde_json::from_slice(&told).expect("JSON");
        let bytes = std::fs::metadata(&page).expect("a page").len();
        assert_eq!(told, serde_json::json!({ "page": to, "bytes": bytes, "contests": 1, "runs": 0 }));

        let (_, commands) = read(&page);
        let [command] = commands.as_slice() else { panic!("{commands:?}") };
        let script =
            format!("'{}' {} --json", env!("CARGO_BIN_EXE_cardsharp"), &command["cardsharp ".len()..]);
        let again = Command::new("sh").args(["-c", &script]).output().expect("the command runs");
        assert!(again.status.success(), "{script}: {}", String::from_utf8_lossy(&again.stderr));
        let figures = |json: &[u8]| {
            let mut report: Value = serde_json::from_slice(json).expect("JSON");
            // Everything except the times.
            for bot in report["bots"].as_array_mut().expect("bots") {
                bot["ms_per_move"].take();
            }
            report
        };
        assert_eq!(figures(&again.stdout), figures(&found), "{command}");
    }
}

#[test]
fn runs_and_bundles_become_one_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let to = page.to_str().expect("UTF-8");
    let sources = ["report", "checkpoints/dalmuti", "checkpoints/taki/bot", "--title", "A & B", "--to", to];
    let said = String::from_utf8(success(&sources)).expect("UTF-8");
    let listed = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/taki/bot/arena.json"),
    );
    let listed: Vec<Value> = serde_json::from_str(&listed.expect("contests")).expect("JSON");
    assert_eq!(said, format!("Wrote {to}: {} contests, 1 run.\n", listed.len()));
    let (text, commands) = read(&page);
    // Relative to the folder of the report, not to that of the bundle.
    let typed = |command: &str| command.replace(" --bots .,", " --bots checkpoints/taki/bot,");
    let expected = listed.iter().filter_map(|contest| contest["command"].as_str().map(typed));
    let expected: Vec<String> = expected.collect();
    assert_eq!(commands, expected);
    let record = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints/dalmuti/metrics.csv"),
    );
    let record = record.expect("a record");
    let decisions: u64 =
        record.lines().last().and_then(|line| line.split(',').nth(1)?.parse().ok()).expect("a count");
    let decisions =
        format!("{},{:03},{:03}", decisions / 1_000_000, decisions / 1000 % 1000, decisions % 1000);
    let run = "The Great Dalmuti: the run checkpoints/dalmuti";
    for said in ["A & B", run, &decisions, "Place score", "[ppo.entropy]"] {
        assert!(text.contains(said), "{said} is missing");
    }
    assert_eq!(success(&sources), said.as_bytes(), "a page is replaced");
}

#[test]
fn a_contest_comes_from_standard_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let program = env!("CARGO_BIN_EXE_cardsharp");
    let script = format!(
        "'{program}' arena taki --bots scripted,random --deals 4 --json | '{program}' report - --to '{}'",
        page.display()
    );
    let output = Command::new("sh").args(["-c", &script]).output().expect("the commands run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(read(&page).0.contains("standard input"));
}

#[test]
fn runs_of_one_game_are_drawn_over_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("page.html");
    let to = page.to_str().expect("UTF-8");
    success(&["report", "checkpoints/dalmuti", "checkpoints/taki", "--to", to]);
    assert!(!read(&page).0.contains("runs compared"), "different games");
    success(&["report", "checkpoints/dalmuti", "checkpoints/taki", "checkpoints/dalmuti", "--to", to]);
    let (text, _) = read(&page);
    for opponent in ["scripted", "random"] {
        let heading = format!("The Great Dalmuti: runs compared, against {opponent}");
        assert_eq!(text.matches(&heading).count(), 2, "in the contents and over the plot");
    }
}

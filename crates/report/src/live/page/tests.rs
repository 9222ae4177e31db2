//! Pages of runs in every state, parsed as a browser does.

use std::fs::{self, File};
use std::path::Path;

use cardsharp_bot::seal::sealed;
use cardsharp_env::Games;
use roxmltree::{Document, Node, ParsingOptions};

use super::{content, whole};
use crate::live::{LiveSessions, WatchedRun, check};

const CONFIG: &str = "\
game = \"dalmuti\"
seed = 7
iterations = 4
[net]
hidden = [16]
[evaluate]
every = 2
deals = 10
final_deals = 20
";
const NAMES: &str = "iteration,decisions,policy/entropy\n";
const TIMING: &str =
    "iteration,throughput/decisions_per_second,time/iteration,time/evaluate\n1,50,2,0\n2,50,2,0\n";

fn none() -> Result<Option<LiveSessions>, String> {
    Ok(None)
}

fn document(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).expect("well-formed")
}

fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// Returns the state and the text of each run.
fn cards(runs: &[WatchedRun]) -> Vec<(String, String)> {
    let page = whole(&Games::shipped(), runs, 5, false).expect("a page");
    let document = document(&page);
    let articles = document.descendants().filter(|node| node.has_tag_name("article"));
    let state = |article: Node<'_, '_>| {
        let is_state = |node: &Node<'_, '_>| node.attribute("class") == Some("state");
        article.descendants().find(is_state).map(text).expect("a state")
    };
    articles.map(|article| (state(article), text(article))).collect()
}

fn run(folder: &Path, files: &[(&str, &str)]) {
    for (name, content) in files {
        let content = if *name == "config.toml" { sealed(content) } else { (*content).to_owned() };
        fs::write(folder.join(name), content).expect("a file");
    }
}

#[test]
fn a_run_is_shown_from_its_first_moment_to_its_last() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, games) = (folder.path(), Games::shipped());
    let said = |state: &str, words: &[&str]| {
        let cards = cards(&[WatchedRun::read(&games, path, none)]);
        let [(found, text)] = cards.as_slice() else { panic!("{cards:?}") };
        assert_eq!(found, state, "{text}");
        for word in words {
            assert!(text.contains(word), "{word} is missing: {text}");
        }
    };
    assert!(
        check(&games, &path.join("nowhere")).expect_err("nothing").to_string().contains("does not exist")
    );
    assert!(check(&games, path).expect_err("no run").to_string().contains("it has no config.toml"));
    run(path, &[("config.toml", CONFIG)]);
    check(&games, path).expect("a run");
    let lock = File::create(path.join("lock")).expect("a file");
    lock.try_lock().expect("the lock");
    let begun = ["0 of 4", "The first iteration is not finished yet.", "there is no checkpoint"];
    said("running", &begun);
    for metrics in ["", "iteration,deci", NAMES, "iteration,decisions,policy/entropy\n1,1"] {
        run(path, &[("metrics.csv", metrics), ("timing.csv", "iter")]);
        said("running", &begun);
    }
    run(path, &[("metrics.csv", &format!("{NAMES}1,100,1.5\n2,200,1.25\n3,30")), ("timing.csv", TIMING)]);
    said("running", &["2 of 4", "200", "50 (recent)", "Left", "about ", "s ago"]);
    run(path, &[("metrics.csv", &format!("{NAMES}1,100,1.5\n2,200,1.25\n3,300,1\n4,400,1\n"))]);
    said("running", &["4 of 4", "the bot is being measured and exported"]);
    drop(lock);
    said("finished", &["4 of 4", "400"]);
    run(path, &[("metrics.csv", &format!("{NAMES}1,100,1.5\n"))]);
    said("stopped", &["1 of 4", "iterations are left"]);
    run(path, &[("metrics.csv", "what,ever\n")]);
    said("unread", &["metrics.csv:1: expected the columns"]);
    fs::remove_file(path.join("config.toml")).expect("a file");
    said("gone", &["no longer exists"]);
}

#[test]
fn a_page_loads_only_from_its_server() {
    let (folder, games) = (tempfile::tempdir().expect("a folder"), Games::shipped());
    run(folder.path(), &[("config.toml", CONFIG), ("metrics.csv", &format!("{NAMES}1,100,1.5\n"))]);
    let sessions =
        || Ok(Some(LiveSessions { iteration: 30, count: 2, rules: "<b>5 players</b>".to_owned() }));
    let runs = [
        WatchedRun::read(&games, folder.path(), sessions),
        WatchedRun::read(&games, &folder.path().join("gone"), none),
    ];
    let page = whole(&games, &runs, 5, true).expect("a page");
    let document = document(&page);
    let values = |name: &str| -> Vec<String> {
        let attributes = document.descendants().flat_map(|node| node.attributes());
        attributes
            .filter(|attribute| attribute.name() == name)
            .map(|found| found.value().to_owned())
            .collect()
    };
    assert_eq!(values("src"), ["/page.js"]);
    let links = values("href");
    let trace = "/page/#trace=..%2Fruns%2F0%2Fgames%2F30%2F2.jsonl";
    assert!(links.iter().any(|link| link == trace), "{links:?}");
    assert!(links.iter().any(|link| link == "/runs/0/games/30/2.jsonl"));
    assert!(links.iter().all(|link| link.starts_with(['/', '#']) || link == "data:,"), "{links:?}");
    assert!(!document.descendants().flat_map(|node| node.attributes()).any(|a| a.name().starts_with("on")));
    assert!(text(document.root_element()).contains("<b>5 players</b>"), "foreign text is escaped");
    // The script fetches the content of `main`.
    let body = content(&games, &runs, true).expect("sections");
    assert!(page.contains(&format!("<main>\n{body}</main>")));
    // Without a table, sessions are plain files, and the page explains how to build the table.
    let page = whole(&games, &runs, 5, false).expect("a page");
    assert!(!page.contains("#trace") && page.contains("cargo run --release -p xtask -- page"));
}

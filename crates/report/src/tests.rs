//! Report pages, parsed as a browser does.

mod fixtures;

use cardsharp_bot::disk;
use cardsharp_bot::run_record::metric;
use cardsharp_env::Games;
use roxmltree::{Document, Node, ParsingOptions};

use crate::record::{Record, thinned};
use crate::source::parse;
use crate::{Context, Source, check_target, page};
use fixtures::{EVIL, METRICS, contest, round_robin};

/// Returns the page of the contests in this JSON.
fn page_of(json: &str) -> String {
    let games = Games::shipped();
    let source = Source::Contests(parse(&games, "results/one.json", json).expect("contests"));
    page(&[source], None, Context { games: &games, viewer: "http://127.0.0.1:8038/" }).expect("a page")
}

fn xml(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).expect("well-formed")
}

/// Returns all text of an element, with its parts joined.
fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// Returns the rows of the table whose caption starts with `caption`: names and cells.
fn table(document: &Document<'_>, caption: &str) -> Vec<Vec<String>> {
    let is_table = |node: &Node<'_, '_>| {
        node.attribute("role") == Some("region")
            && node.attribute("aria-label").is_some_and(|label| label.starts_with(caption))
    };
    let region = document.descendants().find(is_table).expect("the table");
    let rows = region.descendants().filter(|node| node.has_tag_name("tr"));
    rows.map(|row| row.children().filter(Node::is_element).map(text).collect()).collect()
}

fn plots<'a>(document: &'a Document<'_>) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name("svg"))
}

#[test]
fn foreign_texts_are_escaped() {
    for json in [contest(&[EVIL, "scripted"]), round_robin(&[EVIL, "scripted", "random"])] {
        let page = page_of(&json);
        let document = xml(&page);
        assert!(!document.descendants().any(|node| node.has_tag_name("script") || node.has_tag_name("img")));
        // XML does not allow the one control character. Everything else is unchanged.
        let shown = EVIL.replace('\u{1}', "\u{fffd}");
        assert!(text(document.root_element()).contains(&shown), "{page}");
        assert!(
            document
                .descendants()
                .any(|node| { node.attribute("aria-label").is_some_and(|label| label.contains(&shown)) })
        );
        let attributes = document.descendants().flat_map(|node| node.attributes());
        assert!(attributes.clone().all(|attribute| !attribute.name().starts_with("on")));
    }
}

#[test]
fn a_page_needs_no_other_file() {
    let page = page_of(&round_robin(&["scripted", "random"]));
    let document = xml(&page);
    assert_eq!(document.root_element().attribute("lang"), Some("en"));
    for node in document.descendants() {
        for attribute in node.attributes() {
            if matches!(attribute.name(), "href" | "src") {
                assert!(attribute.value().starts_with('#'), "{attribute:?}");
                let target = document.descendants().find(|node| {
                    node.attribute("id").is_some_and(|id| format!("#{id}") == attribute.value())
                });
                assert!(target.is_some(), "{attribute:?}");
            }
        }
    }
    assert!(!page.contains("url(") && !page.contains("@import") && !page.contains("<link"));
    for plot in plots(&document) {
        assert_eq!(plot.attribute("role"), Some("img"));
        assert!(plot.attribute("aria-label").is_some_and(|label| label.len() > 10));
        assert!(plot.attribute("viewBox").is_some() && plot.attribute("width").is_none());
    }
    assert_eq!(plots(&document).count(), 3, "ratings and the places of two bots");
    assert_eq!(page_of(&round_robin(&["scripted", "random"])), page, "the same files, the same page");
}

/// The style sheet replaces every color of a plot by that of the reader's scheme.
#[test]
fn the_style_knows_every_colour_of_the_plots() {
    let page = page_of(&round_robin(&["scripted", "random"]));
    let document = xml(&page);
    let mut colours = 0;
    for node in plots(&document).flat_map(|plot| plot.descendants()) {
        for name in ["fill", "stroke"] {
            if let Some(colour) = node.attribute(name).filter(|colour| *colour != "none") {
                let rule = format!("[{name}=\"{colour}\"] {{ {name}: var(");
                assert!(include_str!("style.css").contains(&rule), "no rule for {rule}");
                colours += 1;
            }
        }
    }
    assert!(colours > 20, "{colours}");
}

#[test]
fn a_contest_is_shown_in_full() {
    let page = page_of(&contest(&["scripted", "random"]));
    let document = xml(&page);
    let all = text(document.root_element());
    for said in [
        "Kuhn poker: scripted against random",
        "1,200, each a session of 3 rounds, from every seat",
        "cardsharp arena kuhn --bots scripted,random --players 2 --rounds 3 --deals 1200 --seed 9",
        "scripted is stronger than the other bots",
        "results/one.json",
        "default rules",
    ] {
        assert!(all.contains(said), "{said} is missing");
    }
    let rows = table(&document, "Strength");
    assert_eq!(rows[0], ["bot", "place score", "first", "ahead", "points", "time per move"]);
    assert_eq!(rows[1][..3], ["scripted", "+0.500 +0.400 … +0.600", "75.0 % 70.0 … 80.0"]);
    assert_eq!(rows[2][..3], ["random", "−0.500 −0.600 … −0.400", "25.0 % 20.0 … 30.0"]);
    assert_eq!(rows[1][5], "2.0 µs 1.5 ms");
    assert_eq!(table(&document, "Share of each bot")[1], ["bluff", "12.5 %", "50.0 %"]);
    // The second kind is missing, because no bot made such a move.
    assert_eq!(table(&document, "Share of each bot").len(), 3);
    assert_eq!(table(&document, "Contracts of each bot")[1][..4], ["solo", "scripted", "30", "2.5 %"]);
}

#[test]
fn bars_are_as_high_as_shares() {
    let page = page_of(&contest(&["scripted", "random"]));
    let document = xml(&page);
    let heights = |plot: Node<'_, '_>| -> Vec<i32> {
        let bars = plot.descendants().filter(|node| node.has_tag_name("rect"));
        bars.map(|bar| bar.attribute("height").and_then(|height| height.parse().ok()).expect("a height"))
            .collect()
    };
    let [one, other]: [Vec<i32>; 2] =
        plots(&document).map(heights).collect::<Vec<_>>().try_into().expect("two plots");
    assert_eq!(one.len(), 2);
    assert_eq!((one[0], one[1]), (other[1], other[0]), "one scale");
    assert_eq!(one[0], 196, "the largest share fills the plot");
    assert_eq!(one[1], 65, "a third of it");
}

#[test]
fn a_round_robin_has_its_best_first() {
    let page = page_of(&round_robin(&["random", "scripted", "search"]));
    let document = xml(&page);
    let names =
        |rows: Vec<Vec<String>>| rows.into_iter().skip(1).map(|row| row[0].clone()).collect::<Vec<_>>();
    let order = ["1 search", "2 scripted", "3 random"];
    assert_eq!(names(table(&document, "Strength")), order);
    let matrix = table(&document, "Cross-play");
    assert_eq!(matrix[1], ["1 search", "·", "+0.10 ±0.05", "+0.20 ±0.05"]);
    assert_eq!(matrix[3], ["3 random", "−0.20 ±0.05", "never met", "·"]);
    let ratings = plots(&document).next().expect("ratings");
    let dots: Vec<i32> = (ratings.descendants().filter(|node| node.has_tag_name("circle")))
        .map(|dot| dot.attribute("cx").and_then(|x| x.parse().ok()).expect("a place"))
        .collect();
    assert!(dots.len() == 3 && dots.is_sorted_by(|a, b| a > b), "{dots:?}");
    let classes: Vec<_> = document.descendants().filter_map(|node| node.attribute("class")).collect();
    assert!(classes.contains(&"ahead-1") && classes.contains(&"behind-1"));
    assert!(text(document.root_element()).contains(" --round-robin --players 2 "));
}

#[test]
fn a_contest_that_stops_says_after_how_many_deals() {
    let known = r#", "sprt": {"delta": 0.02, "decision": "stronger", "log_likelihood_ratio": 3.05,
        "bound": 2.94, "looks": 7, "most_deals": 20000}"#;
    let page = page_of(&fixtures::with(&contest(&["scripted", "random"]), known));
    let all = text(xml(&page).root_element());
    assert!(all.contains("decided after 1,200 deals of at most 20,000"), "{all}");
    assert!(all.contains("--sprt 0.02 --players 2 --rounds 3 --deals 20000"));
}

#[test]
fn a_list_of_contests_has_an_overview() {
    let listed = |table: &str| {
        format!(
            r#"{{"table": "{table}", "command": "cardsharp arena <x>", "report": {}}}"#,
            contest(&["a", "b"])
        )
    };
    let page = page_of(&format!("\n[{}, {}]", listed("wild & free"), listed("plain")));
    let document = xml(&page);
    let heads: Vec<String> =
        document.descendants().filter(|node| node.has_tag_name("h2")).map(text).collect();
    assert_eq!(heads[0], "All contests of results/one.json");
    assert_eq!(heads[1], "Kuhn poker, wild & free: a against b");
    assert!(text(document.root_element()).contains("cardsharp arena <x>"));
    let links = document.descendants().filter(|node| node.has_tag_name("a")).count();
    assert_eq!(links, 3);
}

#[test]
fn invalid_contests_are_refused() {
    let good = contest(&["a", "b"]);
    let refused = |json: &str| match parse(&Games::shipped(), "x.json", json) {
        Ok(_) => panic!("{json} is no contest"),
        Err(error) => error.to_string(),
    };
    for (json, problem) in [
        (String::new(), "EOF while parsing a value at line 1 column 0"),
        ("bot  place score".to_owned(), "expected value at line 1 column 1"),
        ("[]".to_owned(), "the list of contests is empty"),
        (good.replace("\"deals\": 1200", "\"deels\": 1200"), "unknown field `deels`"),
        (good.replace("\"players\": 2", "\"players\": 3"), "`a` has shares of 2 places, expected 3"),
        (good.replace("\"players\": 2", "\"players\": 1"), "a contest cannot have 1 players and 2 bots"),
        (good.replace("0.5, \"low\": 0.4", "7e9, \"low\": 0.4"), "`a` has a place score of 7000000000"),
        (good.replace("[0.75, 0.25]", "[1.75, 0.25]"), "`a` has a share of 1.75, which is not from 0 to 1"),
        (fixtures::with(&good, ", \"seats\": [0, 2]"), "bot 2 has a seat, of 2 bots"),
        (
            fixtures::with(&good, ", \"seats\": [0, 1, 0]"),
            "`seats` has 3 bots, expected 2, one for each seat",
        ),
        (contest(&["a", "b", "c"]), "3 bots cannot fill 2 seats: expected 2 bots, or a list of `seats`"),
        (contest(&["a", ""]), "bot 1 has no name"),
        (good.replacen("\"bluff\"", "\"fold\"", 1), "`b` has other kinds of contracts or habits"),
        (round_robin(&["a", "b"]).replacen("[null, ", "[", 1), "`cross_play` is not a matrix of 2 bots"),
    ] {
        let said = refused(&json);
        assert!(said.starts_with("x.json: ") && said.contains(problem), "{said}\nexpected {problem}");
        assert!(
            said.ends_with(
                "expected what `cardsharp arena … --json` prints, or the `arena.json` of a bundle"
            )
        );
    }
}

#[test]
fn a_record_is_read_to_its_last_whole_line() {
    let record = Record::parse("m.csv", METRICS).expect("a record");
    assert_eq!((record.iterations(), record.decisions()), (3, 310));
    assert_eq!(record.figures(metric::ENTROPY), [(100.0, 1.5), (200.0, 1.25), (310.0, 1.0)]);
    assert_eq!(record.figures(metric::CLIP_FRACTION), [], "a column that the run lacks");
    let strengths = record.strengths();
    assert_eq!(strengths.len(), 1, "an opponent that was never met is left out");
    assert_eq!(strengths[0].opponent, "a/b");
    let points: Vec<_> = strengths[0].points.iter().map(|p| (p.iteration, p.score.mean, p.first)).collect();
    assert_eq!(points, [(2, -0.5, 0.125), (3, 0.25, 0.5)]);
    assert_eq!(Record::parse("m.csv", &format!("{METRICS}4,40")).expect("a record"), record);
}

#[test]
fn invalid_records_are_refused() {
    for (text, problem) in [
        ("", "m.csv:1: expected the columns `iteration,decisions`"),
        ("time,decisions\n", "m.csv:1: expected the columns"),
        ("iteration,decisions,x\n1,5,0\n3,9,0\n", "m.csv:3: expected the row of iteration 2, found `3`"),
        ("iteration,decisions,x\n1,5\n", "m.csv:2: 2 cells, expected 3 as in the first line"),
        ("iteration,decisions,x\n1,5,NaN\n", "m.csv:2: `NaN` is not a number"),
        ("iteration,decisions,x\n1,much,0\n", "m.csv:2: `much` is not a number"),
    ] {
        let error = Record::parse("m.csv", text).expect_err(text).to_string();
        assert!(error.starts_with(problem), "{error}");
    }
}

#[test]
fn thinning_keeps_means() {
    let points: Vec<(f64, f64)> = (0..10).map(|i| (f64::from(i), f64::from(i * i))).collect();
    assert_eq!(thinned(&points, 10), (points.clone(), 1));
    assert_eq!(thinned(&points[..4], 2), (vec![(0.5, 0.5), (2.5, 6.5)], 2));
    // The last group may be smaller.
    assert_eq!(thinned(&points[..5], 3).0, [(0.5, 0.5), (2.5, 6.5), (4.0, 16.0)]);
    assert_eq!(thinned(&[], 3), (vec![], 1));
}

#[test]
fn pages_replace_only_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let [source, to] = ["one.json", "page.html"].map(|name| folder.path().join(name));
    std::fs::write(&source, "{}").expect("a file");
    let sources = [source.clone()];
    let refusal = |to| check_target(to, &sources).expect_err("refused").to_string();
    assert!(refusal(&source).ends_with("it is one of the input files"));
    assert!(refusal(folder.path()).ends_with("expected the name of a file, like report.html"));
    for text in ["one", "two"] {
        check_target(&to, &sources).expect("a place");
        disk::replace(&to, text.as_bytes()).expect("a page");
        assert_eq!(std::fs::read_to_string(&to).expect("a page"), text);
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2, "no other file");
    let missing = refusal(&folder.path().join("no/page.html"));
    assert!(missing.ends_with("expected a file in an existing folder"));
}

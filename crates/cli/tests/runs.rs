//! Runs that resume with other settings, runs that do not start, and runs with several seeds.

use std::fs;
use std::path::Path;

use crate::folder::{cardsharp, success};

/// A short run with constant schedules, so that iterations do not depend on its length.
const LEVEL: [&str; 6] = [
    "--set",
    "ppo.learning_rate={from=0.001,to=0.001}",
    "--set",
    "ppo.entropy={from=0.05,to=0.05}",
    "--threads",
    "1",
];

fn tiny() -> String {
    format!("{}/tests/train/tiny.toml", env!("CARGO_MANIFEST_DIR"))
}

fn refusal(at: &Path, words: &[&str]) -> String {
    let output = cardsharp(at, words, None);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_run_can_be_made_longer_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let (at, tiny) = (folder.path(), tiny());
    let train = |run: &str, iterations: &str| {
        let words = ["train", &tiny, "--run", run, "--set", iterations, "--json"];
        success(at, &[&words[..], &LEVEL].concat(), None);
    };
    train("long", "iterations=4");
    train("short", "iterations=2");
    let record = fs::read_to_string(at.join("short/metrics.csv")).expect("a record");
    let fixed =
        refusal(at, &["train", "--resume", "short", "--set", "iterations=4", "--set", "ppo.clip=0.1"]);
    assert!(fixed.contains("`ppo.clip` is 0.2 in this run and cannot become 0.1"), "{fixed}");
    let done = refusal(at, &["train", "--resume", "short", "--set", "iterations=1"]);
    assert!(done.contains("`iterations` cannot be 1: 2 iterations are done"), "{done}");

    let report = success(at, &["train", "--resume", "short", "--set", "iterations=4", "--json"], None);
    assert_eq!(report["iterations"], 4);
    // The weights are those of an uninterrupted run, the old metrics are unchanged, and the change is noted.
    for file in ["bot.safetensors", "learner.safetensors"] {
        let [one, two] =
            ["long", "short"].map(|run| fs::read(at.join(run).join("checkpoints/00000004").join(file)).ok());
        assert!(one.is_some() && one == two, "{file}");
    }
    assert!(fs::read_to_string(at.join("short/metrics.csv")).expect("a record").starts_with(&record));
    let line = "# After iteration 2 `iterations` was changed from 2 to 4\n";
    for file in ["short/config.toml", "short/checkpoints/00000004/run.toml"] {
        assert!(fs::read_to_string(at.join(file)).expect("a configuration").contains(line), "{file}");
    }

    // If the run does not start after a change, the change is undone.
    let before = fs::read_to_string(at.join("short/config.toml")).expect("a configuration");
    let table = "evaluate.tables=[{name=\"nobody\", seats=[9]}]";
    let wrong = cardsharp(at, &["train", "--resume", "short", "--set", table], None);
    assert!(!wrong.status.success(), "{wrong:?}");
    assert_eq!(fs::read_to_string(at.join("short/config.toml")).expect("a configuration"), before);
}

#[test]
fn a_run_that_does_not_start_leaves_nothing_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let (at, tiny) = (folder.path(), tiny());
    for wrong in [
        "evaluate.opponents=[\"nobody\"]",
        "net.init_from=\"nobody\"",
        "evaluate.tables=[{name=\"a\", seats=[9]}]",
    ] {
        let said = refusal(at, &["train", &tiny, "--set", wrong]);
        assert!(said.contains("error: "), "{said}");
        assert_eq!(fs::read_dir(at).expect("a folder").count(), 0, "{wrong}");
    }
    fs::write(at.join("thesis.tex"), "").expect("a file");
    let said = refusal(at, &["train", &tiny, "--run", "."]);
    assert!(said.contains(". is not empty and is not a run folder"), "{said}");
    assert_eq!(fs::read_dir(at).expect("a folder").count(), 1);
}

#[test]
fn several_seeds_are_trained_once_and_shown_as_one_curve() {
    let folder = tempfile::tempdir().expect("a folder");
    let (at, tiny) = (folder.path(), tiny());
    let words = ["train", &tiny, "--seeds", "3..4", "--run", "both", "--threads", "1", "--json"];
    let first = success(at, &words, None);
    let against = &first["against"][0];
    assert_eq!(
        (&against["opponent"], against["scores"].as_array().map(Vec::len)),
        (&"random".into(), Some(2))
    );
    let score = |of: usize| against["scores"][of]["place_score"].as_f64().expect("a number");
    let mean = against["mean"]["mean"].as_f64().expect("a number");
    assert!((mean - (score(0) + score(1)) / 2.0).abs() < 1e-9);

    // Finished runs are not touched, and the others resume.
    let starts = |seed: &str| {
        let names = fs::read_dir(at.join("both").join(seed)).expect("a run");
        let names = names.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned());
        names.filter(|name| name.contains("tfevents")).count()
    };
    fs::remove_dir_all(at.join("both/seed-4/bundle")).expect("a bundle");
    let again = success(at, &words, None);
    assert_eq!(again["against"], first["against"]);
    assert_eq!((starts("seed-3"), starts("seed-4")), (1, 2));
    assert!(at.join("both/seed-4/bundle/bot.safetensors").is_file());
    let other = refusal(at, &[&words[..], &["--set", "ppo.clip=0.1"]].concat());
    assert!(other.contains("another configuration: `ppo.clip` is 0.2 there and 0.1 here"), "{other}");

    let report = success(at, &["report", "both", "--to", "page.html", "--json"], None);
    assert_eq!(report["runs"], 2);
    let page = fs::read_to_string(at.join("page.html")).expect("a page");
    assert!(page.contains("2 seeds of both") && page.contains("<polygon"), "one curve with its band");
}

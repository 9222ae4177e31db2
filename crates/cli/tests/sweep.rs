//! Sweeps: byte-identical results for any number of concurrent runs, and after any number of kills.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use cardsharp_env::Draw;

use crate::folder::{cardsharp, success};

/// Five settings with two seeds each. With this seed of the sweep, the stopping rule ends one setting.
const SWEEP: &str = "config = \"tiny.toml\"\nmethod = \"suggested\"\ntrials = 5\nbatch = 3\nseeds = 2\nseed = 2\n\
                     stop = { after = 1 }\nset.evaluate.tables = []\n\
                     set.ppo.learning_rate = { from = 5e-4, to = 5e-5 }\n[fields]\n\
                     ppo.learning_rate.from = { min = 0.0001, max = 0.1, log = true }\nppo.epochs = [1, 2, 3]\n";

/// The result files of a sweep.
const RESULTS: [&str; 3] = ["results.json", "results.csv", "report.html"];

/// Returns a folder with a sweep file and the configuration that it uses.
fn desk(sweep: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let tiny = format!("{}/tests/train/tiny.toml", env!("CARGO_MANIFEST_DIR"));
    fs::copy(tiny, folder.path().join("tiny.toml")).expect("a file");
    fs::write(folder.path().join("swept.toml"), sweep).expect("a file");
    folder
}

fn results(at: &Path) -> Vec<String> {
    RESULTS.map(|name| fs::read_to_string(at.join("runs/swept").join(name)).expect("results")).to_vec()
}

fn refusal(at: &Path, words: &[&str]) -> String {
    let output = cardsharp(at, words, None);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns how often a run was started or resumed.
fn starts(run: &Path) -> usize {
    let entries = fs::read_dir(run).expect("a run").map(|entry| entry.expect("a file").file_name());
    entries.filter(|name| name.to_string_lossy().contains("tfevents")).count()
}

#[test]
fn neither_what_is_done_at_once_nor_kills_change_what_comes_of_a_sweep() {
    let whole = desk(SWEEP);
    let told = success(whole.path(), &["sweep", "swept.toml", "--at-once", "1", "--json"], None);
    let expected = results(whole.path());
    let settings = told["results"]["settings"].as_array().expect("settings");
    assert_eq!((settings.len(), told["finished"].as_bool()), (5, Some(true)));
    let ends: Vec<&str> = settings.iter().filter_map(|row| row["end"].as_str()).collect();
    assert!(ends.contains(&"finished") && ends.contains(&"stopped"), "{ends:?}");
    let again = &told["results"]["again"];
    assert_eq!(
        (&again["setting"], again["figures"].as_array().map(Vec::len)),
        (&settings[0]["setting"], Some(2))
    );

    let other = desk(SWEEP);
    success(other.path(), &["sweep", "swept.toml", "--at-once", "5", "--threads", "2", "--json"], None);
    assert_eq!(results(other.path()), expected);

    // Kill the sweep repeatedly, until it ends before a kill.
    let killed = desk(SWEEP);
    let (mut kills, mut draw) = (0, Draw::new(3, 0));
    loop {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
        command.args(["sweep", "swept.toml", "--at-once", "2", "--json"]).current_dir(killed.path());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        // Wait longer each time, so that it ends on any machine.
        std::thread::sleep(Duration::from_millis(u64::from(draw.below(300 + 150 * kills))));
        if let Some(status) = child.try_wait().expect("a child") {
            assert!(status.success(), "{status}");
            break;
        }
        // On Unix this is SIGKILL, so that the program cannot clean up.
        child.kill().expect("killed");
        child.wait().expect("it ends");
        kills += 1;
    }
    assert!(kills > 1, "killed {kills} times");
    assert_eq!(results(killed.path()), expected);

    // Finished runs are not touched, and the repeated measurement is not done again.
    let run = killed.path().join("runs/swept/setting-01/seed-1");
    let before = starts(&run);
    let once_more = success(killed.path(), &["sweep", "swept.toml", "--json"], None);
    assert_eq!(once_more["results"], told["results"]);
    assert_eq!(starts(&run), before);
    let page = success(killed.path(), &["report", "runs/swept", "--to", "page.html", "--json"], None);
    assert_eq!(page["runs"], 10);
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    roxmltree::Document::parse_with_options(&expected[2], options).expect("well-formed");
    assert_eq!(fs::read_to_string(killed.path().join("page.html")).expect("a page"), expected[2]);
    // A setting is a folder of seeds like any other.
    let page =
        success(killed.path(), &["report", "runs/swept/setting-01", "--to", "one.html", "--json"], None);
    assert_eq!(page["runs"], 2);
}

#[test]
fn a_sweep_that_was_changed_is_refused() {
    let desk = desk("config = \"tiny.toml\"\nseeds = 1\n[fields]\nppo.clip = [0.1, 0.2]\n");
    let at = desk.path();
    let told = success(at, &["sweep", "swept.toml", "--folder", "here", "--json"], None);
    assert_eq!(told["results"]["settings"][0]["interval"], serde_json::Value::Null, "of a single seed");
    fs::write(at.join("swept.toml"), "config = \"tiny.toml\"\nseeds = 1\n[fields]\nppo.clip = [0.1, 0.3]\n")
        .expect("a file");
    let said = refusal(at, &["sweep", "swept.toml", "--folder", "here"]);
    assert!(said.contains("`fields.0.values` is [0.1,0.2] there and [0.1,0.3] here"), "{said}");
    // A mistake leaves no files.
    fs::write(at.join("swept.toml"), "config = \"tiny.toml\"\n[fields]\nppo.clip = [0.1, 3]\n")
        .expect("a file");
    let said = refusal(at, &["sweep", "swept.toml"]);
    assert!(said.contains("swept.toml:3:18: `ppo.clip` cannot be 3"), "{said}");
    assert!(!at.join("runs").exists());
    let said = refusal(at, &["report", ".", "--to", "page.html"]);
    assert!(said.contains("expected a run folder"), "{said}");
}

#[test]
fn records_that_were_edited_are_refused_and_results_are_written_anew() {
    let desk = desk(
        "config = \"tiny.toml\"\nseeds = 2\n[set]\nevaluate.tables = []\n[fields]\nppo.clip = [0.1, 0.2]\n",
    );
    let at = desk.path();
    success(at, &["sweep", "swept.toml", "--json"], None);
    let expected = results(at);
    let report = |of: &str| refusal(at, &["report", of, "--to", "page.html"]);

    // Edited metrics of a run: its last place score becomes a better one.
    let run = "runs/swept/setting-01/seed-1";
    let record = at.join(run).join("metrics.csv");
    let whole = fs::read_to_string(&record).expect("a record");
    let (names, rows) = whole.split_once('\n').expect("a line of names");
    let column = names.split(',').position(|name| name == "arena/random/place_score").expect("a column");
    let last = rows.lines().last().expect("a row");
    let cell = last.split(',').nth(column).expect("a cell");
    let better = last.replacen(&format!(",{cell},"), ",0.99,", 1);
    assert_ne!(better, last);
    fs::write(&record, whole.replace(last, &better)).expect("a file");
    let changed = format!("{run}/metrics.csv: lines 1 to 5 were edited after the run wrote them (hash ");
    for said in [
        refusal(at, &["sweep", "swept.toml"]),
        report(run),
        report("runs/swept/setting-01"),
        report("runs/swept"),
        refusal(at, &["watch", run, "--listen", "127.0.0.1:0"]),
    ] {
        assert!(said.contains(&changed), "{said}");
    }
    assert_eq!(results(at), expected, "nothing was written");
    // Missing rows, and an edited configuration.
    fs::write(&record, whole.strip_suffix(&format!("{last}\n")).expect("a last row")).expect("a file");
    assert!(report(run).contains("the file ends before the row of iteration 4, which "), "{}", report(run));
    fs::write(&record, &whole).expect("a file");
    let config = at.join(run).join("config.toml");
    let text = fs::read_to_string(&config).expect("a configuration");
    fs::write(&config, text.replacen("clip = 0.1", "clip = 0.3", 1)).expect("a file");
    for said in [
        report(run),
        refusal(at, &["sweep", "swept.toml"]),
        refusal(at, &["export", run, "--to", "bot"]),
        refusal(at, &["watch", run, "--listen", "127.0.0.1:0"]),
    ] {
        assert!(said.contains("config.toml: the file was edited after the run "), "{said}");
    }
    fs::write(&config, &text).expect("a file");
    // The final contests of a run's bot.
    let arena = at.join(run).join("bundle/arena.json");
    let measured = fs::read_to_string(&arena).expect("contests");
    fs::write(&arena, measured.replacen("\"mean\": ", "\"mean\": 0.0", 1)).expect("a file");
    assert!(
        report(run).contains("bundle/arena.json: it was changed after it was written: "),
        "{}",
        report(run)
    );
    fs::write(&arena, measured).expect("a file");

    // The results follow from the runs. If they were edited, cut short or emptied, they are refused, and written again.
    let results_file = at.join("runs/swept/results.json");
    let mean = expected[0].lines().find(|line| line.contains("\"mean\": ")).expect("a mean");
    for damaged in [
        expected[0].replacen(mean, "\"mean\": 0.99,", 1),
        expected[0][..expected[0].len() / 2].to_owned(),
        String::new(),
    ] {
        fs::write(&results_file, damaged).expect("a file");
        let said = report("runs/swept");
        assert!(
            said.contains("results.json: ") && said.contains("writes it again from the metrics"),
            "{said}"
        );
        success(at, &["sweep", "swept.toml", "--json"], None);
        assert_eq!(results(at), expected);
    }
}

#[test]
fn a_setting_whose_runs_cannot_go_on_fails_alone() {
    let desk = desk(
        "config = \"tiny.toml\"\nseeds = 2\n[set]\nalgorithm = \"dmc\"\nevaluate.tables = []\n\
         dmc = { max_grad_norm = 1e38, epochs = 1, minibatch = 1, learning_rate = { from = 0.1, to = 0.1 } }\n\
         [fields]\ndmc.beta2 = [0.0, 0.99]\n",
    );
    let told = success(desk.path(), &["sweep", "swept.toml", "--json"], None);
    let settings = told["results"]["settings"].as_array().expect("settings");
    let ends: Vec<&str> = settings.iter().filter_map(|row| row["end"].as_str()).collect();
    assert_eq!(ends, ["finished", "failed"]);
    let reason = settings[1]["reason"].as_str().expect("a reason");
    assert!(reason.contains("seed 1: training diverged"), "{reason}");
}

#[cfg(unix)]
#[test]
fn a_signal_saves_all_runs_and_says_how_to_go_on() {
    let desk =
        desk(&SWEEP.replace("set.evaluate.tables = []", "set.iterations = 400\nset.evaluate.tables = []"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardsharp"));
    command.args(["sweep", "swept.toml", "--at-once", "2"]).current_dir(desk.path());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let record = desk.path().join("runs/swept/setting-01/seed-2/metrics.csv");
    while !fs::read_to_string(&record).is_ok_and(|text| text.lines().count() > 1) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("Resume with: ") && told.contains(" sweep swept.toml"), "{told}");
    for seed in [1, 2] {
        let checkpoints = desk.path().join(format!("runs/swept/setting-01/seed-{seed}/checkpoints"));
        assert!(fs::read_dir(checkpoints).expect("checkpoints").count() > 0);
    }
    assert!(!desk.path().join("runs/swept/results.json").exists());
    let said = refusal(desk.path(), &["report", "runs/swept", "--to", "page.html"]);
    assert!(said.contains("the sweep is not over yet"), "{said}");
}

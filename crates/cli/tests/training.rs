//! Training: a whole run, and interruptions.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use cardsharp_bot::bundle::vectors;
use serde_json::Value;

const TINY: &str = "tests/train/tiny.toml";

fn cardsharp(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardsharp")).args(words).output().expect("the command runs")
}

/// Runs a command as shown, in a shell in `folder`; returns its JSON.
fn typed(folder: &Path, command: &str) -> Value {
    let (_, words) = command.split_once(' ').expect("a command with words");
    let script = format!("{} {words} --json", env!("CARGO_BIN_EXE_cardsharp"));
    let output =
        Command::new("sh").args(["-c", &script]).current_dir(folder).output().expect("the command runs");
    assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Checks that two contests have the same results.
fn assert_same(again: &Value, found: &Value, command: &str) {
    for figure in ["place_score", "first_rate", "points", "places"] {
        assert_eq!(again["bots"][0][figure], found["bots"][0][figure], "{figure} by {command}");
    }
    for key in ["game", "players", "rules", "deals", "rounds", "seed"] {
        assert_eq!(again[key], found[key], "{key} by {command}");
    }
}

/// Returns the JSON of a command that succeeds.
fn success(words: &[&str]) -> Value {
    let output = cardsharp(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

#[test]
fn a_run_ends_with_a_measured_bundle_and_commands_that_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let report = success(&["train", TINY, "--run", text(&run), "--json"]);
    assert_eq!((&report["finished"], &report["iterations"]), (&true.into(), &4.into()));
    let bundle = report["bundle"].as_str().expect("a bundle");
    assert_eq!(success(&["verify", bundle, "--json"])["vectors"], 1000);

    // The command that was shown repeats the contest.
    let command = report["next"]["arena"].as_str().expect("a command");
    assert_same(&typed(folder.path(), command), &report["reports"][0], command);
    // So do the commands of the bundle, in its folder.
    let contests = std::fs::read_to_string(Path::new(bundle).join("arena.json")).expect("contests");
    let contests: Vec<Value> = serde_json::from_str(&contests).expect("JSON");
    let names: Vec<_> = contests.iter().map(|contest| contest["table"].as_str()).collect();
    assert_eq!(names, [None, Some("six players")]);
    // Bundles contain no times, so that they are byte-identical.
    let mut timeless = report["tables"][0]["report"].clone();
    for bot in timeless["bots"].as_array_mut().expect("bots") {
        assert!(bot.as_object_mut().expect("a bot").remove("ms_per_move").is_some());
    }
    assert_eq!(contests[1]["report"], timeless);
    for contest in &contests {
        let command = contest["command"].as_str().expect("a command");
        assert_same(&typed(Path::new(bundle), command), &contest["report"], command);
    }

    // Training again in another folder, with another number of threads, gives a byte-identical bundle.
    let other = folder.path().join("elsewhere/other");
    let report = success(&["train", TINY, "--run", text(&other), "--threads", "1", "--json"]);
    let other = report["bundle"].as_str().expect("a bundle");
    let names = |folder: &str| {
        let entries = std::fs::read_dir(folder).expect("a bundle");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("a file").file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(bundle), names(other));
    for name in names(bundle) {
        let [one, two] = [bundle, other].map(|folder| std::fs::read(Path::new(folder).join(&name)).ok());
        assert!(one.is_some() && one == two, "{name:?} differs");
    }

    // Measured outside the run, the newest checkpoint has the same strength.
    let (newest, again) = (run.join("checkpoints/00000004"), folder.path().join("again"));
    success(&["export", text(&newest), "--to", text(&again), "--evaluate", TINY, "--json"]);
    let measured = std::fs::read_to_string(again.join("arena.json")).expect("contests");
    let measured: Vec<Value> = serde_json::from_str(&measured).expect("JSON");
    for (measured, contest) in measured.iter().zip(&contests) {
        assert_same(&measured["report"], &contest["report"], "export");
        assert_eq!(measured["command"], contest["command"]);
    }

    // The cost is added on request, if the bot comes from that run.
    let costly = folder.path().join("costly");
    let asked = ["export", bundle, "--to", text(&costly), "--cost", text(&run), "--processor", "some"];
    let told = success(&[&asked[..], &["--json"]].concat());
    assert!(told["files"].as_array().is_some_and(|files| files.contains(&"cost.json".into())), "{told}");
    let card = std::fs::read_to_string(costly.join("card.md")).expect("a card");
    assert!(card.contains(" core hours of some: ") && !card.contains("took 0 core"), "{card}");
    let shipped = ["export", "checkpoints/dalmuti/bot", "--to", text(&costly), "--cost", text(&run)];
    let refused = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(shipped)
        .current_dir("../..")
        .output()
        .expect("it runs");
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("the network belongs to another run: its "), "{said}");

    let best = folder.path().join("best");
    assert_eq!(success(&["export", text(&run), "--to", text(&best), "--json"])["game"], "dalmuti");
    assert_eq!(success(&["verify", text(&best), "--json"])["difference"], 0.0);

    let packed = std::fs::read(Path::new(bundle).join(vectors::FILE)).expect("vectors");
    let line = vectors::lines(&packed).next().expect("a line").expect("text");
    let vector: Value = serde_json::from_str(&line).expect("JSON");
    let view = folder.path().join("view.json");
    std::fs::write(&view, vector.to_string()).expect("a file");
    let advice = Command::new(env!("CARGO_BIN_EXE_cardsharp"))
        .args(["advise", bundle, "--json"])
        .stdin(std::fs::File::open(&view).expect("a file"))
        .output()
        .expect("the command runs");
    let advice: Value = serde_json::from_slice(&advice.stdout).expect("JSON");
    assert_eq!(advice["moves"][0]["move"], vector["move"]);
    assert_eq!(advice["value"], vector["value"]);

    // The folder contains a run already. The message says how to resume it.
    let again = cardsharp(&["train", TINY, "--run", text(&run)]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--resume"));
}

/// Starts a command and captures its output.
fn begin(program: &str, words: &[&str]) -> Child {
    let child = Command::new(program).args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    child.expect("the command starts")
}

/// Waits until a path exists.
fn wait_for(path: &Path) {
    let begun = Instant::now();
    while !path.exists() {
        assert!(begun.elapsed() < Duration::from_secs(120), "no {} after two minutes", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
}

#[test]
fn a_signal_saves_and_says_how_to_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    for (signals, code) in [(&["-INT"][..], 130), (&["-TERM"], 143), (&["-HUP", "-HUP"], 129)] {
        let run = folder.path().join(code.to_string());
        let words = ["train", TINY, "--set", "iterations=1000000", "--run", text(&run)];
        let child = begin(env!("CARGO_BIN_EXE_cardsharp"), &words);
        // Wait until there is something to save.
        wait_for(&run.join("checkpoints/00000002"));
        signals.iter().for_each(|signal| send(signal, &child));
        let output = child.wait_with_output().expect("the command ends");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let iteration = said.split_once("Saved after iteration ").expect("a last word").1;
        let iteration = iteration.split(['.', '\n']).next().expect("a number");
        assert!(run.join(format!("checkpoints/{iteration:0>8}")).is_dir(), "{said}");
        assert!(said.contains(&format!("train --resume {}", run.display())), "{said}");
    }

    let other = cardsharp(&["train", "--resume", text(folder.path())]);
    assert_eq!(other.status.code(), Some(2), "{}", String::from_utf8_lossy(&other.stderr));
}

#[test]
fn a_measurement_that_would_take_hours_can_be_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let words = ["train", TINY, "--set", "evaluate.every=1", "--set", "evaluate.deals=1000000"];
    let mut child =
        begin(env!("CARGO_BIN_EXE_cardsharp"), &[&words[..], &["--run", text(&run), "--json"]].concat());
    wait_for(&run.join("metrics.csv"));
    // Two sessions of two rounds take much less time to play and learn from.
    std::thread::sleep(Duration::from_secs(2));
    let asked = Instant::now();
    send("-INT", &child);
    while child.try_wait().expect("a status").is_none() {
        if asked.elapsed() > Duration::from_secs(60) {
            child.kill().expect("a kill");
            panic!("it continues to measure");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&said["finished"], &said["iterations"]), (&false.into(), &0.into()));
}

#[test]
fn a_trial_that_is_left_leaves_no_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let (run, trial) = (folder.path().join("run"), folder.path().join("run-trial"));
    let words = ["exploit", "scripted", "--game", "dalmuti", "--minutes", "60", "--run", text(&run)];
    let child = begin(env!("CARGO_BIN_EXE_cardsharp"), &words);
    wait_for(&trial);
    send("-INT", &child);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("no run was started"), "{output:?}");
    assert!(!trial.exists());

    // A killed command leaves the folder, which the next one replaces.
    let mut child = begin(env!("CARGO_BIN_EXE_cardsharp"), &words);
    wait_for(&trial.join("config.toml"));
    child.kill().expect("a kill");
    child.wait().expect("the command ends");
    assert!(trial.exists());
    let words = ["exploit", "scripted", "--game", "kuhn", "--minutes", "0.02", "--deals", "50"];
    success(&[&words[..], &["--run", text(&run), "--json"]].concat());
    assert!(!trial.exists());
}

/// A command started by `nohup` survives its terminal.
#[test]
#[cfg(target_os = "linux")]
fn a_closed_terminal_does_not_end_a_run_that_was_told_to_ignore_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let words =
        [env!("CARGO_BIN_EXE_cardsharp"), "train", TINY, "--set", "iterations=40", "--run", text(&run)];
    let child = begin("nohup", &words);
    wait_for(&run.join("checkpoints/00000002"));
    send("-HUP", &child);
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Trained: 40 iterations"), "{output:?}");
}

#[test]
#[cfg(unix)]
fn a_run_whose_folder_is_moved_stops_and_goes_on_where_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (run, elsewhere) = (folder.path().join("run"), folder.path().join("elsewhere"));
    let words = ["train", TINY, "--set", "iterations=100", "--run", text(&run)];
    let child = begin(env!("CARGO_BIN_EXE_cardsharp"), &words);
    wait_for(&run.join("checkpoints/00000002"));
    std::fs::rename(&run, &elsewhere).expect("a move");
    let output = child.wait_with_output().expect("the command ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let expected = format!("error: {}: the run's folder was moved, deleted or replaced", run.display());
    assert!(said.contains(&expected) && !run.exists(), "{said}");
    assert_eq!(success(&["train", "--resume", text(&elsewhere), "--json"])["finished"], true);
}

#[test]
fn what_is_gained_against_a_bot_is_measured_and_found_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = folder.path().join("run");
    let words = ["exploit", "random", "--game", "kuhn", "--decisions", "60000", "--deals", "600"];
    let report = success(&[&words[..], &["--run", text(&run), "--json"]].concat());
    assert_eq!((&report["bound"], &report["found"]), (&"lower".into(), &true.into()));
    let points = &report["points"];
    let figure = |end: &str| points[end].as_f64().expect("a number");
    // A perfect response gains 0.4583 a round: docs/results/exploitability.md.
    assert!(figure("low") < 0.4583 && figure("mean") > 0.3, "{points}");
    // The only opponent loses what the learner wins.
    assert_eq!(report["points_ahead"]["mean"].as_f64(), Some(2.0 * figure("mean")));
    let curve = report["curve"].as_array().expect("a curve");
    assert!(curve.len() > 10);
    let last = curve.last().expect("the final measurement");
    assert_eq!((&last["decisions"], &last["place_score"]), (&report["decisions"], &report["place_score"]));
    // The command that was shown repeats the figures.
    let command = report["next"]["arena"].as_str().expect("a command");
    assert_same(&typed(folder.path(), command), &report["report"], command);

    // After the end of training, resuming measures the same again, and reports it as text.
    let again = cardsharp(&["exploit", "--resume", text(&run)]);
    let said = String::from_utf8_lossy(&again.stdout);
    assert!(again.status.success() && said.contains("This is a lower bound"), "{again:?}");
    assert!(said.contains(&format!("{:+.3}", 2.0 * figure("mean"))), "{said}");

    // A learner that starts from the weights of the bot, with a limit of minutes.
    let bundle = report["bundle"].as_str().expect("a bundle");
    let timed = folder.path().join("timed");
    let words = ["exploit", bundle, "--minutes", "0.02", "--deals", "50", "--run", text(&timed), "--json"];
    let report = success(&words);
    assert_eq!(report["game"], "kuhn");
    let config = std::fs::read_to_string(timed.join("config.toml")).expect("a configuration");
    assert!(config.contains(&format!("init_from = {bundle:?}")), "{config}");
    assert!(!folder.path().join("timed-trial").exists());

    // Two learners and a search. The best response is measured again on other deals.
    let seeds = folder.path().join("seeds");
    let words = [
        "exploit",
        "scripted",
        "--game",
        "dalmuti",
        "--players",
        "4",
        "--decisions",
        "3000",
        "--deals",
        "30",
    ];
    let more = ["--search", "30", "--seeds", "2", "--seed", "5", "--run", text(&seeds), "--json"];
    let report = success(&[&words[..], &more].concat());
    let tried = report["tried"].as_array().expect("what was tried");
    let bots: Vec<&str> = tried.iter().map(|one| one["bot"].as_str().expect("a name")).collect();
    let bundles = ["5/bundle", "6/bundle"].map(|bundle| seeds.join(bundle).display().to_string());
    assert_eq!(bots, [&bundles[0], &bundles[1], "search:30"]);
    let score = |one: &Value| one["place_score"]["mean"].as_f64().expect("a number");
    let highest = tried.iter().map(score).fold(f64::NEG_INFINITY, f64::max);
    let best = &report["best"];
    let chosen = tried.iter().find(|one| one["bot"] == best["bot"]).expect("one of them");
    assert_eq!(score(chosen), highest);
    assert_ne!(chosen["arena"], best["arena"], "on other deals");
    let again = typed(folder.path(), best["arena"].as_str().expect("a command"));
    assert_eq!(again["bots"][0]["place_score"], best["place_score"]);

    let other = folder.path().join("other");
    success(&["train", TINY, "--run", text(&other), "--set", "iterations=1", "--json"]);
    let refused = cardsharp(&["exploit", "--resume", text(&other)]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("expected a run of `exploit`"));
}

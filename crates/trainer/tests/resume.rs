//! Resuming a run, after a stop at any time and after changes to its folder.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cardsharp_trainer::config::Config;
use cardsharp_trainer::metrics::MetricsError;
use cardsharp_trainer::run_folder::{RunError, RunFolder};
use cardsharp_trainer::train::{Activity, Progress, RunOutcome, TrainError, train};

const RUN: &str = r#"
game = "dalmuti"
iterations = 4
threads = 2
[net]
hidden = [16]
critic = [8]
[ppo]
epochs = 2
minibatch = 50
reference_policy = 0.1
reference_policy_every = 2
[rollout]
units = 3
sessions = 2
tables = [{ rules = { players = 4, hands = 2 } }]
[league]
every = 1
[evaluate]
every = 2
deals = 20
final_deals = 20
opponents = ["random"]
tables = [{ name = "five", deals = 20, rules = { players = 5, hands = 1 } }]
[checkpoint]
every = 2
[metrics]
tensorboard = false
"#;

fn config() -> Config {
    Config::parse("run.toml", RUN, &[]).expect("a valid configuration")
}

/// Starts or resumes the run in a folder, as the command does.
fn go_on(
    path: &Path,
    stop: &AtomicBool,
    progress: &mut dyn FnMut(&Progress<'_>),
    doing: &mut dyn FnMut(Activity),
) -> Result<RunOutcome, Box<dyn Error>> {
    let begun = path.join("config.toml").exists();
    let config = if begun { RunFolder::config(path)? } else { config() };
    let folder = if begun { RunFolder::resume(path, &config)? } else { RunFolder::create(path, &config)? };
    Ok(train(&config, &folder, progress, doing, stop)?)
}

/// Resumes to the end; also returns the warnings.
fn finish(path: &Path) -> Result<(RunOutcome, Vec<String>), Box<dyn Error>> {
    let mut warnings = Vec::new();
    let mut progress = |step: &Progress<'_>| warnings.extend_from_slice(step.warnings);
    let outcome = go_on(path, &AtomicBool::new(false), &mut progress, &mut |_| ())?;
    assert!(outcome.finished);
    Ok((outcome, warnings))
}

/// Trains until `iterations` iterations are complete.
fn train_until(path: &Path, iterations: u64) {
    let stop = AtomicBool::new(false);
    let mut progress = |step: &Progress<'_>| stop.store(step.iteration >= iterations, Ordering::Relaxed);
    let outcome = go_on(path, &stop, &mut progress, &mut |_| ()).expect("a run");
    assert_eq!((outcome.finished, outcome.iteration), (false, iterations));
}

/// Returns what must not depend on interruptions: the record, the last checkpoint and the evaluation.
fn result(path: &Path, outcome: &RunOutcome) -> Vec<(PathBuf, Vec<u8>)> {
    let last = path.join("checkpoints/00000004");
    let entries = fs::read_dir(&last).expect("a checkpoint").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = entries.chain([path.join("metrics.csv")]).collect();
    files.sort();
    let tables = outcome.findings.tables.iter().map(|measured| &measured.report);
    let scores: Vec<_> =
        outcome.findings.reports.iter().chain(tables).map(|r| r.bots[0].place_score).collect();
    let name = |file: &PathBuf| file.strip_prefix(path).expect("in the folder").to_owned();
    let read = |file: PathBuf| (name(&file), fs::read(&file).expect("a file"));
    files.into_iter().map(read).chain([("scores".into(), format!("{scores:?}").into_bytes())]).collect()
}

#[track_caller]
fn assert_same(found: &[(PathBuf, Vec<u8>)], expected: &[(PathBuf, Vec<u8>)], when: &str) {
    let names = |files: &[(PathBuf, Vec<u8>)]| files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{when}");
    let differing: Vec<_> =
        found.iter().zip(expected).filter(|(one, other)| one != other).map(|((name, _), _)| name).collect();
    assert!(differing.is_empty(), "{differing:?} differ {when}");
}

#[test]
fn a_run_may_be_stopped_at_any_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    let mut activities = Vec::new();
    let never = AtomicBool::new(false);
    let outcome = go_on(&whole, &never, &mut |_| (), &mut |what| activities.push(what)).expect("a run");
    let expected = result(&whole, &outcome);
    assert!(activities.contains(&Activity::Learning) && activities.contains(&Activity::Measuring));

    // Stop when the run starts an activity: playing, learning, measuring, saving; in every iteration and after the
    // last.
    for (at, what) in activities.iter().enumerate() {
        let run = folder.path().join(format!("stopped-{at}"));
        let (stop, mut count) = (AtomicBool::new(false), 0);
        let mut doing = |_| {
            stop.fetch_or(count == at, Ordering::Relaxed);
            count += 1;
        };
        let stopped = go_on(&run, &stop, &mut |_| (), &mut doing).expect("a run");
        assert!(!stopped.finished, "{what:?}, number {at}");
        assert!(count <= at + 2, "{what:?}, number {at}: nothing begins after a stop but saving");
        let (outcome, warnings) = finish(&run).expect("a run");
        assert_eq!(warnings, Vec::<String>::new());
        assert_same(&result(&run, &outcome), &expected, &format!("after a stop at {what:?}, number {at}"));
    }

    // Stop at arbitrary times, again and again.
    let run = folder.path().join("often");
    for pause in 1.. {
        let stop = AtomicBool::new(false);
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(3 * pause));
                stop.store(true, Ordering::Relaxed);
            });
            go_on(&run, &stop, &mut |_| (), &mut |_| ()).expect("a run")
        });
        if outcome.finished {
            assert_same(&result(&run, &outcome), &expected, &format!("after {pause} attempts"));
            break;
        }
    }
}

/// With distillation targets: the replay buffer is part of the checkpoint.
#[test]
fn a_run_with_distillation_resumes_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let overrides = ["distill.weight=2", "distill.buffer_size=120", "rollout.endgame_solver=0.5"];
    let run = |name: &str, threads: usize| {
        let threads = format!("threads={threads}");
        let overrides: Vec<String> =
            overrides.into_iter().chain([threads.as_str()]).map(str::to_owned).collect();
        let config = Config::parse("run.toml", RUN, &overrides).expect("a valid configuration");
        let path = folder.path().join(name);
        drop(RunFolder::create(&path, &config).expect("a run"));
        path
    };
    let whole = run("whole", 1);
    let (outcome, _) = finish(&whole).expect("a run");
    let expected = result(&whole, &outcome);
    let record = fs::read_to_string(whole.join("metrics.csv")).expect("a record");
    let columns: Vec<&str> = record.lines().next().expect("a header").split(',').collect();
    for name in ["rollout/moved", "distill/new", "distill/divergence"] {
        let column = columns.iter().position(|column| *column == name).expect(name);
        let numbers = record.lines().skip(1).map(|row| row.split(',').nth(column).expect("a cell"));
        assert!(numbers.clone().any(|cell| cell.parse::<f64>().is_ok_and(|n| n != 0.0)), "{name}");
    }
    for iterations in 1..4 {
        let stopped = run(&format!("stopped-{iterations}"), 2);
        train_until(&stopped, iterations);
        let (outcome, _) = finish(&stopped).expect("a run");
        assert_same(&result(&stopped, &outcome), &expected, &format!("after {iterations} iterations"));
    }
}

/// Covers the bots that play with the learner, and those that evaluate it.
#[test]
fn a_bot_that_was_replaced_is_noticed_and_can_be_put_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/dalmuti/bot/bot.safetensors");
    let plays = ["league.past=0", "league.scripted=0", "league.opponent='BOT'"];
    let measures = ["evaluate.opponents=['random','BOT']"];
    for (name, overrides) in [("plays", &plays[..]), ("measures", &measures[..])] {
        let bot = folder.path().join(format!("{name}.safetensors"));
        fs::copy(shipped, &bot).expect("a copy");
        let own: Vec<String> =
            overrides.iter().map(|field| field.replace("BOT", &bot.display().to_string())).collect();
        let config = Config::parse("run.toml", RUN, &own).expect("a valid configuration");
        let run = |run: &str| {
            let path = folder.path().join(format!("{name}-{run}"));
            drop(RunFolder::create(&path, &config).expect("a run"));
            path
        };
        let (whole, stopped) = (run("whole"), run("stopped"));
        let (outcome, _) = finish(&whole).expect("a run");
        train_until(&stopped, 2);
        fs::copy(stopped.join("checkpoints/00000002/bot.safetensors"), &bot).expect("another bot");
        let error = finish(&stopped).expect_err("another bot").to_string();
        let begins = format!("{}: the bot has changed since ", bot.display());
        assert!(error.starts_with(&begins) && error.contains("00000002"), "{error}");
        fs::copy(shipped, &bot).expect("a copy");
        let (again, _) = finish(&stopped).expect("as it was");
        assert_same(&result(&stopped, &again), &result(&whole, &outcome), name);
    }
}

/// A warning from the last iteration is reported, although no iteration follows.
#[test]
fn a_warning_after_the_last_iteration_is_in_the_outcome() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("run");
    train_until(&path, 3);
    let (outcome, warnings) = finish(&path).expect("a run");
    assert!(outcome.warnings.is_empty() && warnings.is_empty());
    fs::create_dir(path.join("checkpoints/00000009")).expect("no checkpoint");
    let (outcome, warnings) = finish(&path).expect("a run");
    assert!(warnings.is_empty() && outcome.warnings[0].contains("passed over"), "{:?}", outcome.warnings);
}

/// Returns the result of a run whose folder is damaged by `harm` after three iterations.
fn harmed(path: &Path, harm: impl Fn()) -> String {
    let mut progress = |step: &Progress<'_>| {
        if step.iteration == 3 {
            harm();
        }
    };
    let error = go_on(path, &AtomicBool::new(false), &mut progress, &mut |_| ()).expect_err("a harmed run");
    let known = matches!(
        error.downcast_ref(),
        Some(TrainError::Run(RunError::Gone { .. }) | TrainError::Metrics(MetricsError::Replaced { .. }))
    );
    assert!(known, "{error}");
    error.to_string()
}

#[test]
#[cfg(unix)]
fn a_folder_that_is_moved_removed_or_replaced_ends_the_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let expected = {
        let (outcome, _) = finish(&path("whole")).expect("a run");
        result(&path("whole"), &outcome)
    };

    let (run, elsewhere) = (path("moved"), path("elsewhere"));
    let said = harmed(&run, || fs::rename(&run, &elsewhere).expect("a move"));
    assert!(said.contains("moved: the run's folder was moved, deleted or replaced"), "{said}");
    assert!(!run.exists(), "nothing is begun anew at the old place");
    let (outcome, _) = finish(&elsewhere).expect("a run that goes on where it is now");
    assert_same(&result(&elsewhere, &outcome), &expected, "after a move");

    let run = path("removed");
    harmed(&run, || fs::remove_dir_all(&run).expect("a removal"));
    assert!(!run.exists());

    let (run, aside) = (path("replaced"), path("aside"));
    harmed(&run, || {
        fs::rename(&run, &aside).expect("a move");
        fs::create_dir(&run).expect("another folder");
        fs::write(run.join("lock"), "").expect("a file");
    });
    assert_eq!(fs::read_dir(&run).expect("a folder").count(), 1, "another's folder is left alone");

    // Some editors save a file like this.
    let run = path("edited");
    let said = harmed(&run, || {
        fs::copy(run.join("metrics.csv"), run.join("new")).expect("a copy");
        fs::rename(run.join("new"), run.join("metrics.csv")).expect("a move");
    });
    assert!(said.ends_with(
        "metrics.csv: the file was replaced while the run wrote to it; restore it and resume the run"
    ));
    let (outcome, _) = finish(&run).expect("a run");
    assert_same(&result(&run, &outcome), &expected, "after an edit");
}

#[test]
fn a_changed_configuration_is_noticed_and_can_be_put_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let run = path("run");
    // Also before the first checkpoint.
    drop(RunFolder::create(&run, &config()).expect("a run"));
    let file = run.join("config.toml");
    let whole = fs::read_to_string(&file).expect("a configuration");
    let refused = |text: &str| {
        fs::write(&file, text).expect("a file");
        let said = finish(&run).expect_err("a changed configuration").to_string();
        said.replace(&format!("{}/", run.display()), "")
    };
    let cut: String = whole.lines().take(9).map(|line| format!("{line}\n")).collect();
    let edited = whole.replace("epochs = 2", "epochs = 3");
    assert_eq!(
        refused(&cut),
        "config.toml: the file was edited after the run started: its last line, the hash of the others, is missing, as in a \
         file that was cut short; restore it, or start a new run with `train config.toml`"
    );
    assert!(
        refused(&edited)
            .contains("config.toml: the file was edited after the run started: the hash of its lines is ")
    );
    fs::write(&file, &whole).expect("a file");
    train_until(&run, 2);
    for text in [&cut, &edited] {
        let said = refused(text);
        assert!(said.ends_with("; restore it from checkpoints/00000002/run.toml"), "{said}");
    }
    // Another run's configuration is undamaged, but not that of the checkpoint.
    let other = Config {
        ppo: cardsharp_trainer::algorithms::ppo::PpoConfig { epochs: 3, ..config().ppo },
        ..config()
    };
    drop(RunFolder::create(&path("other"), &other).expect("a run"));
    let other = fs::read_to_string(path("other").join("config.toml")).expect("a configuration");
    assert_eq!(
        refused(&other),
        "config.toml: the file was edited after the run started: `ppo.epochs` was 2 and is 3; restore it from \
         checkpoints/00000002/run.toml"
    );
    fs::copy(run.join("checkpoints/00000002/run.toml"), &file).expect("a copy");
    let (outcome, _) = finish(&run).expect("a run that goes on");
    let (undisturbed, _) = finish(&path("undisturbed")).expect("a run");
    assert_same(
        &result(&run, &outcome),
        &result(&path("undisturbed"), &undisturbed),
        "after it was put back",
    );
}

#[test]
fn nothing_depends_on_the_times_and_everything_on_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole");
    let (outcome, _) = finish(&whole).expect("a run");
    let expected = result(&whole, &outcome);
    type Harm = fn(&str) -> Option<String>;
    let harms: [(&str, Harm); 4] = [
        ("missing", |_| None),
        ("cut short", |text| Some(text[..text.len() - 7].to_owned())),
        ("of other columns", |text| Some(text.replacen("time/learn", "time/earn", 1))),
        ("with a figure that is none", |text| Some(text.replacen("\n2,", "\n2,x", 1))),
    ];
    for (number, (what, harm)) in harms.iter().enumerate() {
        let run = folder.path().join(number.to_string());
        train_until(&run, 3);
        let timing = run.join("timing.csv");
        let text = fs::read_to_string(&timing).expect("a file");
        match harm(&text) {
            Some(text) => fs::write(&timing, text).expect("a file"),
            None => fs::remove_file(&timing).expect("a removal"),
        }
        let (outcome, warnings) = finish(&run).expect(what);
        assert!(warnings.len() == 1 && warnings[0].contains("timing.csv"), "{what}: {warnings:?}");
        assert!(warnings[0].ends_with("; what is whole of its rows was kept"), "{warnings:?}");
        assert_same(&result(&run, &outcome), &expected, what);
        let mended = fs::read_to_string(&timing).expect("a file");
        assert!(mended.lines().next() == text.lines().next() && mended.contains("\n4,"), "{mended}");
    }

    let run = folder.path().join("record");
    train_until(&run, 3);
    let record = run.join("metrics.csv");
    let text = fs::read_to_string(&record).expect("a file");
    let line = text.lines().nth(2).expect("a row");
    let (before, last) = line.rsplit_once(',').expect("cells");
    let changed = if last.ends_with('1') { "2" } else { "1" };
    let another = format!("{before},{}{changed}", &last[..last.len().saturating_sub(1)]);
    for (row, expected) in [
        (before.to_owned(), "metrics.csv:3: the row has "),
        (format!("{before},many"), "metrics.csv:3: cell "),
        (format!("{line}0000"), "metrics.csv:3: cell "),
        (another, "metrics.csv: lines 1 to 4 were edited after the run wrote them (hash "),
    ] {
        fs::write(&record, text.replace(line, &row)).expect("a file");
        let said = finish(&run).expect_err("a damaged record").to_string();
        assert!(said.contains(expected), "{said}\ninstead of\n{expected}");
    }
    fs::write(&record, &text).expect("a file");
    let (outcome, _) = finish(&run).expect("a run whose record was put back");
    assert_same(&result(&run, &outcome), &expected, "after the record was put back");

    // A run without its checkpoints does not start anew over its record.
    fs::remove_dir_all(run.join("checkpoints")).expect("a removal");
    let said = finish(&run).expect_err("nothing to go on from").to_string();
    assert!(said.contains("metrics.csv: it has more than 2 rows, but the run has no checkpoint"), "{said}");
    assert_eq!(fs::read_to_string(&record).expect("a file").lines().count(), 5);
}

#[test]
fn a_run_whose_first_checkpoint_cannot_be_written_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (run, stop) = (folder.path().join("runs/run"), AtomicBool::new(false));
    let mut doing = |what| {
        if what == Activity::Playing {
            fs::remove_dir(run.join("checkpoints")).expect("an empty folder");
            stop.store(true, Ordering::Relaxed);
        }
    };
    let error = go_on(&run, &stop, &mut |_| (), &mut doing).expect_err("no place for a checkpoint");
    assert!(matches!(error.downcast_ref(), Some(TrainError::Checkpoint(_))), "{error}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

/// Resumes the run in a folder with these changes, and trains it to its end, or until `until` iterations are complete.
fn resume_with(path: &Path, overrides: &[&str], until: Option<u64>) -> RunOutcome {
    let overrides: Vec<String> = overrides.iter().map(|&change| change.to_owned()).collect();
    let (config, folder) = RunFolder::resume_with(&cardsharp_env::Games::shipped(), path, &overrides)
        .expect("changes that are allowed");
    let stop = AtomicBool::new(false);
    let mut progress = |step: &Progress<'_>| stop.store(Some(step.iteration) == until, Ordering::Relaxed);
    train(&config, &folder, &mut progress, &mut |_| (), &stop).expect("a run")
}

#[test]
fn schedules_change_on_resume_and_the_optimizer_keeps_its_state() {
    let temporary = tempfile::tempdir().expect("a folder");
    let path = |name: &str| temporary.path().join(name);
    let changes = ["ppo.learning_rate=0.002", "ppo.entropy={from=0.05,to=0.01,shape=\"cosine\"}"];

    // The same changes after the same iteration give identical bytes, with or without later interruptions.
    let found = ["once", "interrupted"].map(|name| {
        train_until(&path(name), 2);
        let until = if name == "once" { None } else { Some(3) };
        let mut outcome = resume_with(&path(name), &changes, until);
        if name == "interrupted" {
            assert_eq!((outcome.finished, outcome.iteration), (false, 3));
            outcome = finish(&path(name)).expect("a run").0;
        }
        result(&path(name), &outcome)
    });
    assert_same(&found[1], &found[0], "after an interruption");

    // Equal values in another notation change nothing.
    train_until(&path("same"), 2);
    let same = resume_with(
        &path("same"),
        &["ppo.learning_rate={from=5e-4,to=5e-5,shape=\"linear\",warmup=0}"],
        None,
    );
    let whole = finish(&path("whole")).expect("a run").0;
    assert_same(&result(&path("same"), &same), &result(&path("whole"), &whole), "after no change");

    // Rows before the change are those of an unchanged run. Rows after it have the new learning rate.
    let record = |name: &str| fs::read_to_string(path(name).join("metrics.csv")).expect("a record");
    let (changed, unchanged) = (record("once"), record("whole"));
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (changed, unchanged) = (lines(&changed), lines(&unchanged));
    assert_eq!(changed[..3], unchanged[..3]);
    let column = |name: &str| -> Vec<f64> {
        let at = changed[0].split(',').position(|column| column == name).expect("a column");
        let cell = |row: &String| row.split(',').nth(at).expect("a cell").parse().expect("a number");
        changed[1..].iter().map(cell).collect()
    };
    assert_eq!(column("policy/learning_rate")[2..], [f64::from(0.002_f32); 2]);

    // The optimizer counts its steps from the beginning of the run.
    let state = fs::read(path("once").join("checkpoints/00000004/state.json")).expect("a file");
    let state: serde_json::Value = serde_json::from_slice(&state).expect("JSON");
    assert_eq!(state["policy_steps"].as_f64(), Some(column("policy/steps").iter().sum()));

    let config = fs::read_to_string(path("once").join("config.toml")).expect("a file");
    for line in [
        "# After iteration 2 `ppo.learning_rate.from` was changed from 0.0005 to 0.002\n",
        "# After iteration 2 `ppo.learning_rate.to` was changed from 0.00005 to 0.002\n",
        "# After iteration 2 `ppo.entropy.shape` was changed from not set to \"cosine\"\n",
    ] {
        assert!(config.contains(line), "{config}");
    }

    // A schedule that needs a column is refused if the record lacks the column.
    let refused = RunFolder::resume_with(
        &cardsharp_env::Games::shipped(),
        &path("once"),
        &["iterations=5".to_owned(), "ppo.uniform_kl=0.1".to_owned()],
    );
    let said = refused.expect_err("refused").to_string();
    assert!(
        said.contains(
            "`ppo.uniform_kl.from` is 0.0 in this run and cannot become 0.1: its `metrics.csv` has"
        ),
        "{said}"
    );
}

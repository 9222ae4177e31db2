//! Small whole runs: byte-identical on any number of threads and after any interruption, and the policy improves.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_bot::bundle::vectors::{self, Vector};
use cardsharp_bot::bundle::{Extras, export, verify};
use cardsharp_env::Games;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::evaluate::{EvaluatedPolicy, Findings};
use cardsharp_trainer::run_folder::RunFolder;
use cardsharp_trainer::state::TrainState;
use cardsharp_trainer::train::{Progress, RunOutcome, cost, train};

/// A configuration with everything that a checkpoint has to store: two table sizes, imitation, a reference policy, a
/// critic, snapshots, the scripted player, schedules and evaluations.
const EVERYTHING: &str = r#"
game = "dalmuti"
seed = 5
iterations = 6
[net]
hidden = [24]
critic = [16]
[ppo]
imitation_iterations = 1
reference_policy = 0.1
reference_policy_every = 2
epochs = 2
minibatch = 200
shards = 3
round_gamma = 0.5
[rollout]
units = 3
sessions = 3
[[rollout.tables]]
rules = { players = 4, hands = 2 }
[[rollout.tables]]
rules = { players = 5, hands = 2 }
[league]
past = 0.4
scripted = 0.2
every = 1
pool = 2
[evaluate]
every = 2
deals = 2
final_deals = 3
opponents = ["random"]
[checkpoint]
every = 3
[metrics]
tensorboard = false
"#;

fn config(overrides: &[&str]) -> Config {
    let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
    Config::parse("everything.toml", EVERYTHING, &overrides).expect("a valid configuration")
}

/// Trains in `path` until `stop_after` iterations are complete.
fn run(config: &Config, path: &Path, stop_after: u64) -> RunOutcome {
    let folder = if path.join("config.toml").exists() {
        RunFolder::resume(path, config)
    } else {
        RunFolder::create(path, config)
    };
    let stop = AtomicBool::new(false);
    let mut progress = |p: &cardsharp_trainer::train::Progress<'_>| {
        assert!(p.warnings.is_empty(), "{:?}", p.warnings);
        stop.store((stop_after..config.iterations).contains(&p.iteration), Ordering::Relaxed);
    };
    train(config, &folder.expect("an empty folder or one of this run"), &mut progress, &mut |_| {}, &stop)
        .expect("a run")
}

/// Hashes of the weights of short runs: the same on every machine, for any number of threads. A change that moves the
/// last bits of training renews them, and the change log says so.
#[test]
fn short_runs_have_golden_weights() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    for (name, golden, overrides) in GOLDEN {
        let hash = |threads: usize| {
            let path = temporary.path().join(format!("{name}-{threads}"));
            let threads = format!("threads={threads}");
            let overrides: Vec<&str> = overrides.iter().copied().chain([&threads[..]]).collect();
            let outcome = run(&config(&overrides), &path, u64::MAX);
            let memory = path.join("checkpoints/00000006/learner.safetensors");
            let mut bytes = std::fs::read(&memory).expect("a checkpoint of the last iteration");
            let (_, weights) = cardsharp_trainer::net::from_net(&plain(&outcome));
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
            blake3::hash(&bytes).to_hex()[..16].to_owned()
        };
        assert_eq!([hash(1), hash(2), hash(3)], [golden; 3], "{name}");
    }
}

/// A name, the hash, and the differences from [`EVERYTHING`].
const GOLDEN: [(&str, &str, &[&str]); 3] = [
    (
        "ppo",
        "79e221bcd3e0cecb",
        &["net.hidden=[33, 20]", "ppo.uniform_kl={from=0.1,to=0.0}", "ppo.value_huber=0.5"],
    ),
    (
        "distill",
        "95db71fd0d3b62d9",
        &["distill.weight=1.0", "distill.buffer_size=200", "rollout.endgame_solver=0.5"],
    ),
    ("dmc", "5eb83a298ed1087c", &["algorithm=\"dmc\"", "net.critic=[]", "dmc.minibatch=200", "dmc.shards=3"]),
];

/// Returns the network of a run, which has the trainer's own layers.
fn plain(outcome: &RunOutcome) -> std::sync::Arc<cardsharp_bot::Net> {
    outcome.net.clone().plain().expect("a network of layers")
}

/// Returns all files of a run that do not depend on the clock.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.display().to_string(), std::fs::read(&path).expect("a file"));
            }
        }
    }
    let root = path.display().to_string();
    files
        .into_iter()
        .map(|(name, bytes)| (name[root.len()..].to_owned(), bytes))
        .filter(|(name, _)| !["/timing.csv", "/config.toml", "/lock"].contains(&name.as_str()))
        .collect()
}

#[test]
fn runs_give_the_same_bytes_on_any_number_of_threads_and_after_any_interruption() {
    is_the_same_however_it_is_run(&[]);
}

#[test]
fn so_do_runs_that_learn_action_values() {
    is_the_same_however_it_is_run(&[
        "algorithm='dmc'",
        "net.critic=[]",
        "dmc.exploration={ from = 0.3, to = 0.1 }",
        "dmc.epochs=2",
        "dmc.minibatch=200",
        "dmc.shards=3",
        "dmc.round_gamma=0.5",
    ]);
}

#[test]
fn so_do_runs_against_an_opponent_that_draws_its_moves() {
    let opponent = ["league.past=0", "league.scripted=0", "league.opponent='random'"];
    is_the_same_however_it_is_run(&opponent);
}

#[test]
fn so_do_runs_that_play_while_they_learn() {
    is_the_same_however_it_is_run(&["rollout.overlap=true"]);
}

#[test]
fn so_do_runs_whose_ends_are_exact() {
    is_the_same_however_it_is_run(&["rollout.endgame_solver=0.5"]);
}

fn is_the_same_however_it_is_run(overrides: &[&str]) {
    let config = |more: &[&str]| config(&[overrides, more].concat());
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| temporary.path().join(name);
    let whole = run(&config(&["threads=1"]), &path("whole"), 6);
    assert!(whole.finished && whole.iteration == 6 && whole.findings.reports.len() == 1);
    let expected = files(&path("whole"));
    assert!(expected.keys().any(|name| name.ends_with("metrics.csv")));
    let past = config(&[]).league.past > 0.0;
    let snapshot = |name: &String| name.ends_with("00000006/league-00000006.safetensors");
    assert_eq!(expected.keys().any(snapshot), past);

    run(&config(&["threads=2"]), &path("threads"), 6);
    assert_eq!(differing(&expected, &files(&path("threads"))), Vec::<String>::new());

    for stop_after in 1..6 {
        let folder = path(&format!("stopped-{stop_after}"));
        let stopped = run(&config(&["threads=2"]), &folder, stop_after);
        assert!(!stopped.finished && stopped.iteration == stop_after);
        assert!(run(&config(&["threads=1"]), &folder, 6).finished);
        let last = |files: &BTreeMap<String, Vec<u8>>| -> BTreeMap<_, _> {
            let last =
                |(name, _): &(&String, &Vec<u8>)| name.contains("00000006/") || name.ends_with("metrics.csv");
            files.iter().filter(last).map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
        };
        assert_eq!(
            differing(&last(&expected), &last(&files(&folder))),
            Vec::<String>::new(),
            "after {stop_after}"
        );
    }

    // Resumed after the end: nothing is trained, and the evaluation is the same.
    let again = run(&config(&[]), &path("whole"), 6);
    let score = |outcome: &RunOutcome| outcome.findings.reports[0].bots[0].place_score;
    assert_eq!((again.iteration, score(&again)), (6, score(&whole)));
    assert_eq!(differing(&expected, &files(&path("whole"))), Vec::<String>::new());
}

/// Returns the names of files that are missing on one side or differ.
fn differing(one: &BTreeMap<String, Vec<u8>>, other: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
    names.filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

#[test]
fn a_short_run_learns_to_beat_random_players() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let overrides = [
        "iterations=12",
        "net.hidden=[64]",
        "net.critic=[]",
        "ppo.learning_rate={ from = 3e-3, to = 1e-3 }",
        "ppo.minibatch=512",
        "ppo.round_gamma=0.0",
        "rollout.sessions=16",
        "league.past=0.0",
        "league.scripted=0.0",
        "evaluate.every=0",
        "evaluate.final_deals=32",
        "checkpoint.every=100",
    ];
    let outcome = run(&config(&overrides), temporary.path(), 12);
    let score = outcome.findings.reports[0].bots[0].place_score;
    assert!(score.low > 0.3, "{score:?}");
}

#[test]
fn so_does_one_that_learns_action_values_and_its_bot_says_what_it_is() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let overrides = [
        "algorithm='dmc'",
        "iterations=30",
        "net.hidden=[64]",
        "net.critic=[]",
        "dmc.learning_rate={ from = 3e-3, to = 1e-3 }",
        "dmc.minibatch=128",
        "dmc.exploration={ from = 0.1, to = 0.01 }",
        "rollout.sessions=16",
        "league.past=0.0",
        "league.scripted=0.0",
        "evaluate.every=0",
        "evaluate.final_deals=32",
        "checkpoint.every=100",
    ];
    let RunOutcome { findings, net, header, .. } = run(&config(&overrides), temporary.path(), 30);
    let score = findings.reports[0].bots[0].place_score;
    assert!(score.low > 0.3, "{score:?}");

    let bundle = temporary.path().join("bundle");
    let net = net.plain().expect("a network of layers");
    export(&Games::shipped(), &header, &net, &Extras::default(), &bundle).expect("a bundle");
    assert_eq!(verify(&Games::shipped(), &bundle).expect("in order").difference, 0.0);
    let card = std::fs::read_to_string(bundle.join("card.md")).expect("a card");
    assert!(card.contains("action values") && !card.contains("preference"), "{card}");

    // As a bot it plays its best move with certainty, and gives the value of every move.
    let game = cardsharp_env::game("dalmuti").expect("a game of the list");
    let packed = std::fs::read(bundle.join(vectors::FILE)).expect("vectors");
    let mut bot = cardsharp_bot::open(&bundle.display().to_string(), game, 1.0, 0).expect("a bot");
    for line in vectors::lines(&packed).take(50) {
        let vector: Vector = serde_json::from_str(&line.expect("a line")).expect("a vector");
        let read = game.view(&vector.view.to_string()).expect("a view");
        let advice = bot.advise(read.view());
        let named = read.view().label(advice.moves[0].action);
        assert_eq!((named, advice.value), (vector.best, Some(vector.value)));
        let probabilities: Vec<f64> = advice.moves.iter().map(|m| m.probability).collect();
        assert!(probabilities[0] == 1.0 && probabilities[1..].iter().all(|&p| p == 0.0));
        for (action, output) in vector.legal.iter().zip(&vector.logits) {
            let own = advice.moves.iter().find(|m| m.action == *action).expect("a legal move");
            assert_eq!(own.value, Some(*output));
        }
        assert!(advice.moves.is_sorted_by(|a, b| a.value >= b.value));
    }
}

#[test]
fn weights_to_begin_with_are_those_of_a_bot_of_the_same_kind() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| temporary.path().join(name);
    let first = run(&config(&["iterations=2"]), &path("first"), 2);
    export(
        &Games::shipped(),
        &first.header,
        &first.net.clone().plain().expect("a network of layers"),
        &Extras::default(),
        &path("bundle"),
    )
    .expect("a bundle");
    let start = format!("net.init_from='{}'", path("bundle").display());
    let begun = |more: &[&str]| {
        let config = config(&[&["iterations=2", start.as_str()], more].concat());
        TrainState::begin(&config, config.game().expect("a game of the list"))
    };
    let state = begun(&[]).expect("a bot of this shape");
    assert_eq!(
        state.learner.net().expect("a network"),
        *first.net.clone().plain().expect("a network of layers")
    );
    for (more, expected) in [
        (&["net.hidden=[25]"][..], "belongs to another run: it has Shape"),
        (&["algorithm='dmc'", "net.critic=[]"], "of Logits, expected"),
        (&["net.init_from='nowhere'"], "`net.init_from`: there is no bot `nowhere`"),
    ] {
        let refused = begun(more).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn a_bot_that_began_with_another_says_so_and_cost_what_both_did() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| temporary.path().join(name);
    let games = Games::shipped();
    let bundle = |outcome: &RunOutcome, extras: &Extras| {
        let _ = std::fs::remove_dir_all(path("bundle"));
        export(&games, &outcome.header, &plain(outcome), extras, &path("bundle")).expect("a bundle");
    };
    let costs = |name: &str, outcome: &RunOutcome| {
        cost(&games, &path(name), &outcome.header, None).map_err(|e| e.to_string())
    };
    let first = run(&config(&["iterations=3"]), &path("first"), 3);
    let before = costs("first", &first).expect("a cost");
    bundle(&first, &Extras { cost: Some(before.clone()), ..Extras::default() });

    let start = format!("net.init_from='{}'", path("bundle").display());
    let further = config(&["iterations=3", "ppo.imitation_iterations=0", &start]);
    let second = run(&further, &path("second"), 2);
    assert_eq!(second.header.training["start"], first.header.training);
    let both = costs("second", &second).expect("a cost").core_seconds;
    let timing = std::fs::read_to_string(path("second").join("timing.csv")).expect("a record");
    let mut rows = timing.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let column = rows.next().and_then(|names| names.iter().position(|&name| name == "time/cores"));
    let own: f64 = rows.map(|row| row[column.expect("a column")].parse::<f64>().expect("seconds")).sum();
    assert!((both - before.core_seconds - own).abs() < 1e-9, "{both} {before:?} {own}");

    // A run resumes without the bot in `net.init_from`, and its header still describes that bot.
    bundle(&first, &Extras::default());
    let refused = costs("second", &second).expect_err("nobody knows");
    assert!(refused.contains("bundle: it has no `cost.json`"), "{refused}");
    bundle(&run(&config(&["iterations=1"]), &path("other"), 1), &Extras::default());
    let refused = costs("second", &second).expect_err("not of that bot");
    assert!(refused.contains("and is another one now"), "{refused}");
    std::fs::remove_dir_all(path("bundle")).expect("a folder");
    let third = run(&further, &path("second"), 3);
    assert_eq!(third.header.training["start"], first.header.training);
    bundle(&third, &Extras::default());
    let card = std::fs::read_to_string(path("bundle").join("card.md")).expect("a card");
    let decisions = &first.header.training["decisions"];
    let cost = format!(
        "It began with the weights of a bot that had learned from {decisions} decisions before (ppo, seed 5, 3 iterations)."
    );
    assert!(card.contains(&cost) && !card.contains("| start |"), "{card}");
    assert!(card.contains("It first imitated the scripted player"), "by its forerunner: {card}");
}

/// A game whose players and rules change by the round. It has tables of three sizes, with a decree and with a script of
/// comings and goings, and other tables for evaluation.
const COMINGS_AND_GOINGS: &str = r#"
game = "tahimi"
iterations = 3
[net]
hidden = [24]
critic = [16]
[ppo]
epochs = 2
minibatch = 200
round_gamma = 0.5
[rollout]
units = 2
sessions = 4
[[rollout.tables]]
rules = { players = 3, rounds = 2, jokers = "low" }
[[rollout.tables]]
rules = { players = 5, rounds = 3, decree = [{ deuces_high = true }, { deck = "special", jokers = "wild" }, {}] }
[[rollout.tables]]
weight = 2.0
[rollout.tables.rules]
players = 4
rounds = 4
join_policy = "random"
roster_script = [{ round = 2, join = 4 }, { round = 3, leave = 0 }, { round = 3, join = 5 }, { round = 4, join = 0 }]
[league]
past = 0.4
scripted = 0.3
every = 1
[evaluate]
every = 2
deals = 2
final_deals = 2
opponents = ["random", "scripted"]
[[evaluate.tables]]
name = "eight"
deals = 3
rules = { players = 8, rounds = 2, deck = "special" }
[[evaluate.tables]]
name = "coming and going"
deals = 2
rules = { players = 3, rounds = 3, roster_script = [{ round = 2, join = 3 }, { round = 3, leave = 1 }] }
[metrics]
tensorboard = false
"#;

/// A configuration against a program that answers every request with this line.
#[cfg(unix)]
fn against(answer: &str, folder: &Path) -> Config {
    let script = folder.join("bot.sh");
    let hello = r#"read -r hello; echo '{"line":"hello","protocol":1,"name":"sh","wants":[]}'"#;
    let text = format!(
        "{hello}\nwhile read -r line; do case \"$line\" in '{{\"line\":\"go\"'*) {answer};; esac; done\n"
    );
    std::fs::write(&script, text).expect("a script");
    let opponent = format!("league.opponent='exec:sh {}'", script.display());
    config(&["ppo.imitation_iterations=0", "league.past=0", "league.scripted=0", &opponent])
}

#[test]
#[cfg(unix)]
fn an_opponent_that_breaks_the_rules_is_reported_and_one_that_ended_ends_the_run() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let go = |answer: &str, run: &str| {
        let config = against(answer, temporary.path());
        let path = temporary.path().join(run);
        let folder = RunFolder::create(&path, &config).expect("a folder");
        let mut warnings = Vec::new();
        let mut progress = |step: &Progress<'_>| warnings.push(step.warnings.to_vec());
        let ended = train(&config, &folder, &mut progress, &mut |_| (), &AtomicBool::new(false));
        (ended, warnings, path)
    };
    let puzzled = r#"echo '{"line":"error","problem":"what?"}'"#;
    let (ended, warnings, _) = go(puzzled, "puzzled");
    assert!(ended.is_ok_and(|outcome| outcome.finished && outcome.warnings.is_empty()));
    let each = |warnings: &Vec<String>| warnings.len() == 1 && warnings[0].contains("drawn at random");
    assert!(warnings.len() == 6 && warnings.iter().all(each), "{warnings:?}");

    let (ended, warnings, path) = go("exit", "gone");
    let error = ended.expect_err("nobody to play with").to_string();
    assert!(error.starts_with("`league.opponent` is a program") && error.contains("given up"), "{error}");
    assert!(warnings.is_empty() && !path.exists());
}

#[test]
#[cfg(unix)]
fn a_baseline_that_breaks_the_rules_is_named_with_every_evaluation_and_on_the_card() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let puzzled = against(r#"echo '{"line":"error","problem":"what?"}'"#, temporary.path());
    let baseline = format!("evaluate.opponents=['{}']", puzzled.league.opponent);
    let config = config(&["iterations=2", "evaluate.every=1", &baseline]);
    let path = temporary.path().join("run");
    let folder = RunFolder::create(&path, &config).expect("a folder");
    let mut warnings = Vec::new();
    let mut progress = |step: &Progress<'_>| warnings.extend_from_slice(step.warnings);
    let outcome =
        train(&config, &folder, &mut progress, &mut |_| (), &AtomicBool::new(false)).expect("a run");
    let name = &config.evaluate.opponents[0];
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    for text in &warnings {
        assert!(text.starts_with(name) && text.contains("drawn at random"), "{text}");
        assert!(text.contains("The first fault: it answered `error`: what?"), "{text}");
    }
    let bot = &outcome.findings.reports[0].bots[1];
    assert!(bot.faults.is_some_and(|faults| faults.illegal > 0) && bot.first_fault.is_some());

    let bundle = temporary.path().join("bundle");
    outcome.export(&Games::shipped(), &config, &bundle).expect("a bundle");
    let card = std::fs::read_to_string(bundle.join("card.md")).expect("a card");
    assert!(card.contains("\nIn contest 1 a program failed:\n\n    exec:sh "), "{card}");
    assert!(card.contains("\n    The first fault: it answered `error`: what?\n"), "{card}");
    verify(&Games::shipped(), &bundle).expect("in order");
}

#[test]
fn a_run_over_changing_tables_is_repeatable_and_its_bot_exports() {
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let config = Config::parse("changing.toml", COMINGS_AND_GOINGS, &[]).expect("a valid configuration");
    let outcomes = ["one", "two"].map(|name| {
        let threads = if name == "one" { 1 } else { 2 };
        run(&Config { threads, ..config.clone() }, &temporary.path().join(name), 3)
    });
    let [one, two] = ["one", "two"].map(|name| files(&temporary.path().join(name)));
    assert_eq!(differing(&one, &two), Vec::<String>::new());

    let [RunOutcome { findings, net, header, .. }, other] = outcomes;
    let figures = |findings: &Findings| -> Vec<_> {
        let tables = findings.tables.iter().map(|measured| &measured.report);
        findings.reports.iter().chain(tables).map(|r| (r.players, r.deals, r.bots[0].place_score)).collect()
    };
    assert_eq!(figures(&findings), figures(&other.findings));
    let shapes: Vec<_> = figures(&findings).into_iter().map(|(players, deals, _)| (players, deals)).collect();
    assert_eq!(shapes, [(3, 2), (3, 2), (8, 3), (4, 2)]);
    let names: Vec<_> = findings.tables.iter().map(|measured| measured.table.as_str()).collect();
    assert_eq!(names, ["eight", "coming and going"]);
    assert!(findings.tables.iter().all(|measured| measured.report.bots[1].name == "random"));

    // Repeated without the run, the evaluation is the same.
    let game = config.game().expect("a game of the list");
    let stop = AtomicBool::new(false);
    let (seed, outputs) = (config.seed, config.algorithm().outputs());
    let learner =
        EvaluatedPolicy { config: &config.evaluate, seed, outputs, game, net: &net, threads: 2, stop: &stop };
    let again = learner.findings().expect("rules of the game");
    assert_eq!(figures(&again), figures(&findings));

    let bundle = temporary.path().join("bundle");
    let net = net.plain().expect("a network of layers");
    export(&Games::shipped(), &header, &net, &Extras::default(), &bundle).expect("a bundle");
    assert_eq!(verify(&Games::shipped(), &bundle).expect("in order").difference, 0.0);
}

use std::collections::BTreeMap;
use std::path::PathBuf;

use cardsharp_env::Games;
use cardsharp_env::rng::Draw;
use serde_json::{Value, json};

use super::*;

/// The value that a run of a setting and seed measures after an iteration; none if the run fails before.
type Figure<'a> = dyn Fn(&[Value], u64, u64) -> Option<f64> + 'a;

/// A folder with a configuration file, for sweeps that refer to it.
struct Desk(tempfile::TempDir);

const CONFIG: &str = "game = \"kuhn\"\niterations = 8\nppo.learning_rate = { from = 5e-4, to = 5e-5 }\n[evaluate]\nevery = 2\nfinal_deals = 20\n";

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("kuhn.toml"), CONFIG).expect("a file");
        Self(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("sweep.toml")
    }

    fn read(&self, text: &str) -> Result<SweepPlan, String> {
        std::fs::write(self.path(), text).expect("a file");
        let name = format!("{}/", self.0.path().display());
        SweepPlan::read(&Games::shipped(), &self.path()).map_err(|error| error.to_string().replace(&name, ""))
    }

    fn plan(&self, text: &str) -> SweepPlan {
        self.read(text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs a whole sweep and returns its results. `figure` makes up the measured values. `chance` seeds the order of
    /// the runs, of which `at_once` train at the same time.
    fn swept(&self, plan: &SweepPlan, chance: u64, at_once: usize, figure: &Figure<'_>) -> SweepResults {
        let mut sweep = Sweep::new(plan.clone());
        let folder = tempfile::tempdir().expect("a folder");
        let folder = SweepFolder::open(&folder.path().join("sweep"), plan).expect("a folder of a sweep");
        let mut draw = Draw::new(chance, 0);
        let mut going: Vec<RunIndex> = Vec::new();
        // The next measurement of each run.
        let mut next: BTreeMap<RunIndex, u64> = BTreeMap::new();
        loop {
            while going.len() < at_once
                && let Some(run) = sweep.ask()
            {
                going.push(run);
            }
            if going.is_empty() {
                assert!(sweep.is_over(), "nothing is due of a sweep that is not over");
                return SweepResults::of(&sweep, &folder);
            }
            let at = draw.below(going.len() as u32) as usize;
            let run = going[at];
            let config = sweep.config(run).expect("a configuration");
            let every = config.evaluate.every.max(1);
            let iteration = (*next.entry(run).or_insert(every)).min(config.iterations);
            let verdict = match figure(sweep.values(run.setting), config.seed, iteration) {
                Some(figure) => {
                    next.insert(run, iteration + every);
                    sweep.tell(run, iteration, figure).expect("what was due")
                }
                None => {
                    sweep.fail(run, format!("broke before {iteration}"));
                    Verdict::Ended
                }
            };
            if verdict != Verdict::GoOn {
                going.swap_remove(at);
                sweep.release(run);
            }
        }
    }
}

/// A pseudorandom value that depends only on `parts`.
fn noise(parts: &[u64]) -> f64 {
    let mut draw = Draw::new(parts.iter().fold(7, |all, part| all * 1000 + part), 3);
    f64::from(draw.unit()) - 0.5
}

const GRID: &str = "config = \"kuhn.toml\"\nseeds = 2\n[fields]\nppo.clip = [0.1, 0.2]\n\
                    net.hidden = [[8], [16, 16], [32]]\n";

#[test]
fn a_grid_has_every_combination_once() {
    let desk = Desk::new();
    let plan = desk.plan(GRID);
    assert_eq!((plan.trials, plan.figure.as_str()), (6, "arena/scripted/place_score"));
    let described: Vec<String> = plan.first().iter().map(|setting| plan.describe(setting)).collect();
    assert_eq!(described[0], "ppo.clip=0.1, net.hidden=[8]");
    assert_eq!(described[5], "ppo.clip=0.2, net.hidden=[32]");
    assert!((0..6).all(|at| !described[..at].contains(&described[at])));
    let config = plan.config_of(&plan.first()[4], 9).expect("a configuration");
    assert_eq!((config.ppo.clip, &config.net.hidden[..], config.seed), (0.2, &[16, 16][..], 9));
    // A range has equal distances, or equal ratios with `log`.
    let plan = desk.plan(
        "config = \"kuhn.toml\"\n[fields]\nppo.learning_rate.from = { min = 1e-5, max = 1e-2, log = true, steps = 4 }\n\
         ppo.epochs = { min = 1, max = 4, int = true, steps = 3 }\n",
    );
    let values = |at: usize| plan.fields[at].values.grid();
    assert_eq!(values(0), [1e-5, 1e-4, 1e-3, 1e-2].map(|number| json!(number)));
    assert_eq!(values(1), [json!(1), json!(3), json!(4)]);
}

fn drawn(method: &str, trials: usize, seed: u64) -> String {
    format!(
        "config = \"kuhn.toml\"\nmethod = \"{method}\"\ntrials = {trials}\nseed = {seed}\nbatch = 6\nseeds = 1\n\
         stop.rule = \"none\"\n[fields]\nppo.learning_rate.from = {{ min = 1e-5, max = 1e-1, log = true }}\n\
         ppo.clip = {{ min = 0.1, max = 0.3 }}\nppo.epochs = {{ min = 1, max = 4, int = true }}\n\
         ppo.gamma = [0.9, 0.99, 1.0]\n"
    )
}

#[test]
fn settings_are_drawn_alike_from_ranges_and_the_same_from_a_seed() {
    let desk = Desk::new();
    let plan = desk.plan(&drawn("random", 400, 1));
    let settings = plan.first();
    assert_eq!(settings, desk.plan(&drawn("random", 400, 1)).first());
    assert_ne!(settings, desk.plan(&drawn("random", 400, 2)).first());
    let numbers = |at: usize| {
        settings.iter().map(|setting| setting[at].as_f64().expect("a number")).collect::<Vec<_>>()
    };
    let share = |of: &[f64], which: &dyn Fn(f64) -> bool| {
        of.iter().filter(|number| which(**number)).count() as f64 / of.len() as f64
    };
    let (rates, clips, epochs, gammas) = (numbers(0), numbers(1), numbers(2), numbers(3));
    assert!(
        rates.iter().all(|rate| (1e-5..=1e-1).contains(rate))
            && clips.iter().all(|clip| (0.1..=0.3).contains(clip))
    );
    // Half of the values are below the middle: the geometric mean with `log`, the arithmetic mean without.
    assert!((share(&rates, &|rate| rate < 1e-3) - 0.5).abs() < 0.1, "{rates:?}");
    assert!((share(&clips, &|clip| clip < 0.2) - 0.5).abs() < 0.1, "{clips:?}");
    for epoch in 1..=4 {
        assert!((share(&epochs, &|of| of == f64::from(epoch)) - 0.25).abs() < 0.08, "{epoch}");
    }
    assert!((share(&gammas, &|gamma| gamma == 0.99) - 1.0 / 3.0).abs() < 0.1);
    // Values have few digits.
    assert!(settings.iter().all(|setting| setting[0].to_string().len() <= 10), "{:?}", settings[0]);
}

/// A made-up distance of a setting from the best one; 0 is best.
fn bowl(setting: &[Value]) -> f64 {
    let number = |at: usize| setting[at].as_f64().expect("a number");
    let rate = libm::log10(number(0)) + 3.5;
    let clip = (number(1) - 0.15) * 20.0;
    -(rate * rate + clip * clip + (number(2) - 3.0).abs() + 10.0 * (number(3) - 0.99).abs())
}

#[test]
fn suggestions_come_nearer_to_the_best_than_chance() {
    let desk = Desk::new();
    let best = |method: &str, seed: u64| {
        let plan = desk.plan(&drawn(method, 48, seed));
        let results = desk.swept(&plan, seed, 3, &|setting, _, _| Some(bowl(setting)));
        assert_eq!(results.settings.len(), 48);
        results.best().and_then(|row| row.mean).expect("a best one")
    };
    let seeds = 1..=12;
    let mean = |method: &str| seeds.clone().map(|seed| best(method, seed)).sum::<f64>() / 12.0;
    let (suggested, random) = (mean("suggested"), mean("random"));
    assert!(suggested > 0.5 * random, "suggested {suggested:.3}, random {random:.3}: 0 is best");
}

#[test]
fn hopeless_settings_are_stopped_at_the_iteration_that_shows_it() {
    let desk = Desk::new();
    let text = "config = \"kuhn.toml\"\nseeds = 2\nstop = { after = 2, from = 4 }\n[fields]\nppo.clip = [0.1, 0.2, 0.3, 0.4, 0.5]\n";
    let plan = desk.plan(text);
    // Made-up learning curves: each setting grows at its own rate. The last one is slow at first and best in the end.
    let figure = |setting: &[Value], seed: u64, iteration: u64| {
        let at = iteration as f64 / 8.0;
        let which = (setting[0].as_f64().expect("a number") * 10.0).round() as usize;
        let learned =
            [0.5 * at, 0.6 * at, 0.1 * at, 0.7 * at, if iteration < 8 { 0.0 } else { 1.0 }][which - 1];
        Some(learned + 0.01 * seed as f64)
    };
    let results = desk.swept(&plan, 1, 1, &figure);
    let end = |number: usize| {
        let row = results.settings.iter().find(|row| row.setting == number).expect("a setting");
        (row.end.as_str(), row.iteration.expect("a measurement"))
    };
    // The first two settings have no settings to be compared with. The third has 0.05 at iteration 4, below the average
    // of the others.
    let ends = [("finished", 8), ("finished", 8), ("stopped", 4), ("finished", 8), ("stopped", 4)];
    for (number, expected) in ends.into_iter().enumerate() {
        assert_eq!(end(number + 1), expected, "setting {}", number + 1);
    }
    let third = results.settings.iter().find(|row| row.setting == 3).expect("a setting");
    // (0.5 + 0.6) × (2/8 + 4/8) / 2 / 2 + 0.015. No run of this setting was trained for longer.
    assert!(third.reason.as_deref().is_some_and(|reason| reason.contains("0.2212")), "{:?}", third.reason);
    assert_eq!(results.settings[0].setting, 4, "the best comes first");
    let none = desk.plan(&text.replace("after = 2", "rule = \"none\""));
    assert!(desk.swept(&none, 1, 1, &figure).settings.iter().all(|row| row.end == "finished"));
    // With `better = "lower"` and negated values the results are mirrored.
    let lower = desk.plan(&format!("better = \"lower\"\n{text}"));
    let turned =
        desk.swept(&lower, 1, 1, &|setting, seed, at| figure(setting, seed, at).map(|figure| -figure));
    let ends = |results: &SweepResults| {
        results.settings.iter().map(|row| (row.setting, row.end.clone())).collect::<Vec<_>>()
    };
    assert_eq!(ends(&turned), ends(&results));
}

#[test]
fn no_order_and_no_number_at_once_changes_what_comes_of_a_sweep() {
    let desk = Desk::new();
    let stop = "stop = { after = 2 }\n";
    let suggested =
        drawn("suggested", 20, 3).replace("stop.rule = \"none\"\n", stop).replace("seeds = 1", "seeds = 3");
    let (mut stopped, mut failed) = (0, 0);
    for text in [GRID.replace("[fields]", &format!("{stop}[fields]")), suggested] {
        let plan = desk.plan(&text);
        let figure = |setting: &[Value], seed: u64, iteration: u64| {
            let of = plan
                .describe(setting)
                .bytes()
                .fold(0, |all: u64, byte| all.wrapping_mul(31).wrapping_add(byte.into()))
                % 997;
            // Some runs of a setting fail.
            (noise(&[of, seed, iteration, 5]) > -0.47).then(|| noise(&[of, seed, iteration]) + noise(&[of]))
        };
        let results = desk.swept(&plan, 0, 1, &figure);
        stopped += results.settings.iter().filter(|row| row.end == "stopped").count();
        failed += results.settings.iter().filter(|row| row.end == "failed").count();
        for chance in 1..40 {
            let other = desk.swept(&plan, chance, 1 + chance as usize % 9, &figure);
            assert_eq!(other.text(), results.text(), "chance {chance}");
            assert_eq!(other.csv(), results.csv());
        }
    }
    assert!(stopped > 3 && failed > 1, "{stopped} stopped and {failed} failed: too few to tell");
}

#[test]
fn measurements_of_a_run_are_checked() {
    let desk = Desk::new();
    let mut sweep = Sweep::new(desk.plan(GRID));
    let run = sweep.ask().expect("a run");
    assert_eq!(run, RunIndex { setting: 0, seed: 0 });
    assert_eq!(sweep.tell(run, 2, 0.5).expect("due"), Verdict::GoOn);
    assert_eq!(sweep.tell(run, 2, 0.5).expect("told before"), Verdict::GoOn);
    let said = sweep.tell(run, 2, 0.25).expect_err("something else").to_string();
    assert!(said.contains("measured 0.25 at iteration 2, but 0.5 when it was trained before"), "{said}");
    let said = sweep.tell(run, 8, 0.25).expect_err("left out").to_string();
    assert!(said.contains("reported iteration 8, expected 4"), "{said}");
    // A run that one caller trains is not offered to another.
    assert_eq!(sweep.ask(), Some(RunIndex { setting: 0, seed: 1 }));
    sweep.release(run);
    assert_eq!(sweep.ask(), Some(run));
}

#[test]
fn a_folder_is_of_one_sweep() {
    let desk = Desk::new();
    let path = desk.0.path().join("runs/grid");
    let plan = desk.plan(GRID);
    let folder = SweepFolder::open(&path, &plan).expect("a new folder");
    assert_eq!(folder.run(RunIndex { setting: 4, seed: 1 }), path.join("setting-05/seed-2"));
    let said = SweepFolder::open(&path, &plan).expect_err("somebody's").to_string();
    assert!(said.contains("another process is training in this folder"), "{said}");
    drop(folder);
    drop(SweepFolder::open(&path, &plan).expect("the same sweep"));
    let refusals = [
        (GRID.replace("0.2]", "0.25]"), "`fields.0.values` is [0.1,0.2] there and [0.1,0.25] here"),
        (format!("set.ppo.epochs = 1\n{GRID}"), "`config.ppo.epochs` is 3 there and 1 here"),
        (GRID.replace("seeds = 2", "seeds = 3"), "`seeds` is [1,2] there and [1,2,3] here"),
    ];
    for (text, expected) in refusals {
        let said = SweepFolder::open(&path, &desk.plan(&text)).expect_err("another one").to_string();
        assert!(said.contains(expected), "{said}");
    }
    let file = path.join("sweep.toml");
    let text = std::fs::read_to_string(&file).expect("a file");
    std::fs::write(&file, text.replace("0.1", "0.3")).expect("a file");
    let said = SweepFolder::open(&path, &plan).expect_err("changed").to_string();
    assert!(said.contains("the file was edited after the sweep started"), "{said}");
    std::fs::create_dir(desk.0.path().join("mine")).expect("a folder");
    std::fs::write(desk.0.path().join("mine/thesis.tex"), "").expect("a file");
    let said = SweepFolder::open(&desk.0.path().join("mine"), &plan).expect_err("occupied").to_string();
    assert!(said.contains("is not empty and contains no sweep"), "{said}");
    assert_eq!(std::fs::read_dir(desk.0.path().join("mine")).expect("a folder").count(), 1);
}

#[test]
fn mistakes_are_refused_with_their_place() {
    let desk = Desk::new();
    let base = "config = \"kuhn.toml\"\n";
    let refusals = [
        (
            "seeds = 3\n[fields]\nppo.clip = [0.1]\n",
            "sweep.toml: `config` is missing: expected the path of a configuration",
        ),
        (
            "config = \"kuhm.toml\"\n[fields]\nppo.clip = [0.1]\n",
            "sweep.toml:1:10: `config` cannot be \"kuhm.toml\"",
        ),
        ("config = \"kuhm.toml\"\n[fields]\nppo.clip = [0.1]\n", "did you mean `kuhn.toml`?"),
        (
            "BASE[field]\nppo.clip = [0.1]\n",
            "sweep.toml:2:2: there is no field `field`; did you mean `fields`?",
        ),
        ("BASEtrials = 3\n", "sweep.toml: `fields` is missing"),
        (
            "BASE[fields]\nppo.clip = [0.1]\nppo.clipp = [1]\n",
            "sweep.toml:4:5: there is no field `clipp` in `ppo`; did you mean `clip`?",
        ),
        ("BASE[fields]\nppo.clip = [0.1, 7]\n", "sweep.toml:3:18: `ppo.clip` cannot be 7"),
        ("BASE[fields]\nppo.clip = [0.1, 7]\n", "(in setting 2: ppo.clip=7)"),
        ("BASE[fields]\n\"ppo.clip\" = [0.1]\nppo.clip = [0.2]\n", "expected each field once"),
        (
            "BASE[fields]\nppo.clip = [0.1, 0.1]\n",
            "sweep.toml:3:18: `ppo.clip` cannot be 0.1: expected each value once",
        ),
        ("BASE[fields]\nppo.clip = 0.1\n", "expected a list of values, or a range"),
        ("BASE[fields]\nseed = [1, 2]\n", "every setting is trained with each of `seeds`"),
        ("BASE[fields]\nthreads = [1, 2]\n", "expected no threads here"),
        ("BASE[fields]\nppo.clip = { min = 0.1, max = 0.2 }\n", "in a grid, a range with `steps`"),
        (
            "BASE[fields]\nppo.clip = { min = 0.1, maxi = 0.2 }\n",
            "there is no field `maxi` in `fields.ppo.clip`; did you mean `max`?",
        ),
        (
            "BASEtrials = 3\n[fields]\nppo.clip = [0.1]\n",
            "sweep.toml:2:10: `trials` cannot be 3: expected none with `method = \"grid\"`",
        ),
        (
            "BASEmethod = \"bayes\"\n[fields]\nppo.clip = [0.1]\n",
            "`method` cannot be \"bayes\": expected \"grid\", \"random\" or \"suggested\"",
        ),
        (
            "BASEmethod = \"random\"\n[fields]\nppo.clip = [0.1]\n",
            "`trials` is missing: expected how many settings there are",
        ),
        (
            "BASEmethod = \"random\"\ntrials = 0\n[fields]\nppo.clip = [0.1]\n",
            "`trials` cannot be 0: expected a whole number from 1 to 10000",
        ),
        (
            "BASEmethod = \"suggested\"\ntrials = 9\n[fields]\nppo.clip = { min = 0.1, max = 7 }\n",
            "`ppo.clip` cannot be ",
        ),
        (
            "BASEmethod = \"random\"\ntrials = 3\n[fields]\nppo.clip = { min = 0.3, max = 0.1 }\n",
            "expected `min` not above `max`",
        ),
        (
            "BASEmethod = \"random\"\ntrials = 3\n[fields]\nppo.clip = { min = 0, max = 0.1, log = true }\n",
            "expected a `min` above 0 with `log`",
        ),
        (
            "BASEseeds = [1, 1]\n[fields]\nppo.clip = [0.1]\n",
            "`seeds` cannot be [1,1]: expected how many (1 to 1000), or a list",
        ),
        (
            "BASEstop.rule = \"mean\"\n[fields]\nppo.clip = [0.1]\n",
            "`stop.rule` cannot be \"mean\": expected \"median\" or \"none\"",
        ),
        (
            "BASEfigure = \"arena/scripted/place_scor\"\n[fields]\nppo.clip = [0.1]\n",
            "did you mean `arena/scripted/place_score`?",
        ),
        // A metric that runs of another setting lack.
        (
            "BASEfigure = \"policy/entropy\"\n[fields]\nalgorithm = [\"ppo\", \"dmc\"]\n",
            "sweep.toml:2:10: `figure` cannot be \"policy/entropy\": expected a figure that these runs have, like \
             arena/scripted/place_score, ",
        ),
        (
            "BASEfigure = \"policy/entropy\"\n[fields]\nalgorithm = [\"ppo\", \"dmc\"]\n",
            " (in setting 2: algorithm=\"dmc\")",
        ),
        (
            "BASEmethod = \"suggested\"\ntrials = 9\nbatch = 1\nfigure = \"policy/entropy\"\n[fields]\nalgorithm = [\"ppo\", \"dmc\"]\n",
            "`figure` cannot be \"policy/entropy\": expected a figure that these runs have",
        ),
        (
            "BASE[fields]\nevaluate.opponents = [[\"scripted\"], [\"random\"]]\n",
            "sweep.toml: `figure` is missing: expected a figure that these runs have, like arena/random/place_score, ",
        ),
        (
            "BASE[fields]\nevaluate.opponents = [[\"scripted\"], [\"random\"]]\n",
            "they have no `arena/scripted/place_score` (in setting 2: evaluate.opponents=[\"random\"])",
        ),
        (
            "BASEset.iterations = 0\n[fields]\nppo.clip = [0.1]\n",
            "sweep.toml:2:18: `iterations` cannot be 0: expected 1 to 10000000",
        ),
        // Values that are invalid together.
        (
            "BASE[fields]\nleague.past = [0.1, 0.9]\nleague.scripted = [0.3]\n",
            "(in setting 2: league.past=0.9, league.scripted=0.3)",
        ),
        ("BASE[fields]\nppo.clip = [0.1\n", "not valid TOML"),
    ];
    for (text, expected) in refusals {
        let said = desk.read(&text.replace("BASE", base)).expect_err(text);
        assert!(said.contains(expected), "{text}\n{said}\nexpected: {expected}");
    }
}

//! Units that workers play: runs are byte-identical, and invalid blocks are refused.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cardsharp_bot::workers::Stopped;
use cardsharp_env::AnyGame;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::rollout::{RemoteRollout, RolloutRequest, RolloutUnit, TakeBlock, Widths, to_bytes};
use cardsharp_trainer::run_folder::RunFolder;
use cardsharp_trainer::train::{GivenUp, RunOutcome, TrainError, Worker, WorkerError, train, train_with};

/// A configuration with everything that units depend on: snapshots, the scripted player, distillation targets of the
/// endgame solver, a critic, random rules.
const CONFIG: &str = r#"
game = "dalmuti"
seed = 9
iterations = 4
[net]
hidden = [16]
critic = [8]
[distill]
weight = 1.0
[rollout]
units = 3
sessions = 2
endgame_solver = 0.7
[rollout.random]
share = 0.3
rounds = 1
[[rollout.tables]]
rules = { players = 4, hands = 1 }
[league]
past = 0.3
scripted = 0.2
every = 1
pool = 2
[evaluate]
every = 0
final_deals = 2
opponents = ["random"]
[checkpoint]
every = 1
[metrics]
tensorboard = false
"#;

fn config(overrides: &[&str]) -> Config {
    let overrides: Vec<_> = overrides.iter().map(|&o| o.to_owned()).collect();
    Config::parse("remote.toml", CONFIG, &overrides).expect("a valid configuration")
}

/// A change to blocks.
type Change = fn(&mut Vec<Vec<u8>>);

/// Workers in this process, in the role of worker processes.
struct Crew {
    workers: Mutex<Vec<Worker>>,
    /// Number of networks that were sent.
    sent: AtomicU64,
    /// A change to the blocks before delivery.
    change: Change,
}

impl Crew {
    fn new(config: &Config, count: usize) -> Self {
        let worker = || Worker::new(config.clone()).expect("a worker");
        let workers = Mutex::new((0..count).map(|_| worker()).collect());
        Self { workers, sent: AtomicU64::new(0), change: |_| () }
    }
}

impl RemoteRollout for Crew {
    fn play(
        &self,
        request: &RolloutRequest,
        take: &mut TakeBlock<'_>,
        stop: &AtomicBool,
    ) -> Result<(), Stopped> {
        let mut workers = self.workers.lock().expect("no worker panics");
        let keys: Vec<String> = request.nets.iter().map(|net| net.key.clone()).collect();
        let count = workers.len();
        let mut play = |unit: usize| {
            let worker = &mut workers[unit % count];
            for net in &request.nets {
                if worker.lacks(&keys).contains(&net.key.as_str()) {
                    worker.hold(&net.bytes).expect("a network");
                    self.sent.fetch_add(1, Ordering::Relaxed);
                }
            }
            worker.play(request.iteration, &request.bots, &keys, unit as u64, stop).expect("a unit")
        };
        // Units are played in reverse order, and one of them twice, as if its block was lost.
        let mut blocks: Vec<_> = (0..request.units).rev().map(|unit| (unit, play(unit))).collect();
        assert_eq!(play(0), blocks.last().expect("a unit").1);
        blocks.reverse();
        let mut blocks = blocks.into_iter().map(|(_, block)| block).collect();
        (self.change)(&mut blocks);
        blocks.iter().try_for_each(|block| take(block))
    }
}

fn run(config: &Config, path: &Path, remote: Option<&dyn RemoteRollout>) -> Result<RunOutcome, TrainError> {
    let folder = RunFolder::create(path, config).expect("an empty folder");
    train_with(remote, config, &folder, &mut |_| (), &mut |_| (), &AtomicBool::new(false))
}

/// The record and the last checkpoint of a run.
fn kept(path: &Path) -> Vec<(String, Vec<u8>)> {
    let checkpoint = path.join("checkpoints/00000004");
    let names = std::fs::read_dir(&checkpoint).expect("a checkpoint");
    let mut files: Vec<_> = names.map(|name| name.expect("an entry").path()).collect();
    files.push(path.join("metrics.csv"));
    files.sort();
    let name = |path: &Path| path.file_name().expect("a file").to_string_lossy().into_owned();
    files.iter().map(|file| (name(file), std::fs::read(file).expect("a file"))).collect()
}

#[test]
fn a_run_that_others_play_is_the_same_to_the_byte() {
    for overrides in [&[][..], &["rollout.overlap=true"]] {
        let config = config(overrides);
        let folder = tempfile::tempdir().expect("a folder");
        let alone = folder.path().join("alone");
        let own = RunFolder::create(&alone, &config).expect("an empty folder");
        train(&config, &own, &mut |_| (), &mut |_| (), &AtomicBool::new(false)).expect("a run");
        let alone = kept(&alone);
        for count in [1, 2] {
            let crew = Crew::new(&config, count);
            let path = folder.path().join(count.to_string());
            run(&config, &path, Some(&crew)).expect("a run");
            assert!(kept(&path) == alone, "{overrides:?}, {count} workers");
            // Workers already have a policy that becomes a snapshot, and the snapshot is not serialized again.
            assert!(crew.sent.into_inner() <= 4 * count as u64);
        }
    }
}

#[test]
fn a_unit_survives_its_bytes() {
    let game = cardsharp_env::game("dalmuti").expect("a game of the list");
    let units = units();
    assert!(units.iter().any(|unit| !unit.distill.is_empty()), "the solver gave targets");
    let widths = Widths::new(game, true);
    for unit in &units {
        assert!(read(&[to_bytes(unit, widths, &mut Vec::new()).expect("a block")], widths) == *unit);
    }
    let nothing = RolloutUnit::default();
    assert!(read(&[to_bytes(&nothing, widths, &mut Vec::new()).expect("a block")], widths) == nothing);
    let blocks: Vec<_> =
        units.iter().map(|unit| to_bytes(unit, widths, &mut Vec::new()).expect("a block")).collect();
    let mut all = RolloutUnit::default();
    units.iter().for_each(|unit| all.append(unit));
    assert!(units.len() > 1 && read(&blocks, widths) == all, "one after the other");
}

/// Joins the units of these blocks.
fn read(blocks: &[Vec<u8>], widths: Widths) -> RolloutUnit {
    let mut unit = RolloutUnit::default();
    blocks.iter().for_each(|block| unit.append_bytes(block, widths).expect("a unit"));
    unit
}

/// Units of the first iteration.
fn units() -> Vec<RolloutUnit> {
    let config = config(&["league.past=0.0"]);
    let game: &dyn AnyGame = cardsharp_env::game("dalmuti").expect("a game of the list");
    let blocks = Mutex::new(Vec::new());
    struct Kept<'a>(Crew, &'a Mutex<Vec<Vec<u8>>>);
    impl RemoteRollout for Kept<'_> {
        fn play(
            &self,
            request: &RolloutRequest,
            take: &mut TakeBlock<'_>,
            stop: &AtomicBool,
        ) -> Result<(), Stopped> {
            let mut take = |block: &[u8]| {
                self.1.lock().expect("no panic").push(block.to_vec());
                take(block)
            };
            self.0.play(request, &mut take, stop)
        }
    }
    let folder = tempfile::tempdir().expect("a folder");
    let kept = Kept(Crew::new(&config, 1), &blocks);
    run(&config, &folder.path().join("run"), Some(&kept)).expect("a run");
    let widths = Widths::new(game, true);
    let blocks = blocks.into_inner().expect("no panic");
    blocks.into_iter().map(|block| read(&[block], widths)).collect()
}

#[test]
fn blocks_of_no_use_end_the_run_and_are_named() {
    let config = config(&[]);
    let folder = tempfile::tempdir().expect("a folder");
    let changes: [(Change, &str); 4] = [
        (|blocks| drop(blocks.pop()), "units played by workers: 2, expected 3"),
        (|blocks| blocks.push(blocks[0].clone()), "units played by workers: 4, expected 3"),
        (|blocks| blocks[1].truncate(100), "unit 1, played by a worker: it is damaged"),
        (|blocks| blocks[2] = taki(), "unit 2, played by a worker: it has `decisions.rows.bits` of U64 [0, "),
    ];
    for (number, (change, message)) in changes.into_iter().enumerate() {
        let crew = Crew { change, ..Crew::new(&config, 1) };
        let path = folder.path().join(number.to_string());
        let error = run(&config, &path, Some(&crew)).expect_err("refused").to_string();
        assert!(error.starts_with(message), "{error}");
        assert!(!path.exists(), "a run that never was leaves nothing");
    }
}

/// A block of another game.
fn taki() -> Vec<u8> {
    let game = cardsharp_env::game("taki").expect("a game of the list");
    to_bytes(&RolloutUnit::default(), Widths::new(game, false), &mut Vec::new()).expect("a block")
}

/// Returns the request of a run's first iteration.
fn request(config: &Config) -> RolloutRequest {
    struct Request<'a>(&'a Mutex<Option<RolloutRequest>>);
    impl RemoteRollout for Request<'_> {
        fn play(
            &self,
            request: &RolloutRequest,
            _: &mut TakeBlock<'_>,
            _: &AtomicBool,
        ) -> Result<(), Stopped> {
            *self.0.lock().expect("no panic") = Some(request.clone());
            Err(Stopped)
        }
    }
    let (request, folder) = (Mutex::new(None), tempfile::tempdir().expect("a folder"));
    let left =
        run(config, &folder.path().join("run"), Some(&Request(&request))).expect("a run that was left");
    assert!(!left.finished && left.iteration == 0);
    request.into_inner().expect("no panic").expect("a request")
}

#[test]
fn a_worker_refuses_what_is_not_of_its_run() {
    let mut worker = Worker::new(config(&[])).expect("a worker");
    let stop = AtomicBool::new(false);
    // The learner's checksum of bots; this configuration has none.
    let bots = request(&config(&[])).bots;
    let mut refused =
        |bots: &str, keys: &[String]| worker.play(0, bots, keys, 0, &stop).expect_err("refused").to_string();
    assert_eq!(refused(&bots, &[]), WorkerError::NoPolicy.to_string());
    assert_eq!(refused(&bots, &["abc".to_owned()]), "the learner did not send network abc");
    assert_eq!(refused("else", &[]), WorkerError::OtherBots.to_string());
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/../../checkpoints/taki/bot/bot.safetensors");
    let taki = std::fs::read(bot).expect("a bot that ships");
    let error = worker.hold(&taki).expect_err("another game").to_string();
    assert!(
        error.starts_with("cannot read a network from the learner: ") && error.contains("taki"),
        "{error}"
    );
}

#[test]
#[cfg(unix)]
fn a_worker_whose_opponent_is_gone_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("bot.sh");
    let hello = r#"{"line":"hello","protocol":1,"name":"sh","wants":[]}"#;
    std::fs::write(&script, format!("read -r hello; echo '{hello}'; read -r line; exit\n"))
        .expect("a script");
    let opponent = format!("league.opponent='exec:sh {}'", script.display());
    let config = config(&["league.past=0", "league.scripted=0", "ppo.imitation_iterations=0", &opponent]);
    let (request, mut worker) = (request(&config), Worker::new(config).expect("a worker"));
    let keys: Vec<String> = request.nets.iter().map(|net| net.key.clone()).collect();
    request.nets.iter().for_each(|net| worker.hold(&net.bytes).expect("a network"));
    let error =
        worker.play(0, &request.bots, &keys, 0, &AtomicBool::new(false)).expect_err("no worker plays");
    assert!(
        matches!(&error, WorkerError::GivenUp(GivenUp { summary }) if summary.contains("given up")),
        "{error}"
    );
}

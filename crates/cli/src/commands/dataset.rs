use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use cardsharp_bot::Player;
use cardsharp_bot::bot::{Fault, Faults};
use cardsharp_dataset::{
    Amount, DatasetError, DatasetProgress, DatasetSettings, Folder, PlayedSession, SHARD, SHARD_DEFAULT,
    SessionWriter, Written,
};
use cardsharp_env::{ActionId, AnyGame, AnyTable, GameRules, Payoff};
use cardsharp_text::input::{self, LARGE, Lines, TRACE_LINE};
use serde::Serialize;
use serde_json::json;

use crate::args::{GameArg, RulesArgs, ThinkingArgs, temperature, thread_count, threads};
use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::progress::Bar;
use crate::recording::replay::{InvalidTrace, OpenTrace, TraceObserver};
use crate::signals::Signals;

/// The options that conflict with `--traces`.
const PLAYED: [&str; 14] = [
    "game",
    "bots",
    "decisions",
    "sessions",
    "rounds",
    "seed",
    "temperature",
    "threads",
    "players",
    "rules",
    "set",
    "playouts",
    "timeout",
    "log",
];
/// Default number of decisions.
const DECISIONS: u64 = 100_000;

/// Write sessions as a Parquet dataset, one row per decision.
///
/// The sessions are played by bots, or read from traces with --traces and checked like `cardsharp replay` does. A row has
/// the observation, the action mask, the action and the outcome. The output is deterministic. Press Ctrl-C to stop and keep
/// the complete shards, twice to stop at once.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp dataset dalmuti --bots scripted,random --players 5 --decisions 1000000 --to data/dalmuti
  cardsharp dataset taki --bots taki,scripted --temperature 1 --sessions 5000 --to data/taki
  cardsharp dataset tachtigen --rounds 4 --rules four.toml --rules five.toml --to data/tachtigen
  cardsharp dataset --traces games/*.jsonl --to data/people

Columns, and how to read them with polars, pandas, DuckDB and PyTorch: ", docs!("dataset.html")))]
pub(crate) struct Dataset {
    /// The game
    #[arg(value_parser = GameArg::parser(), required_unless_present = "traces")]
    game: Option<GameArg>,
    /// Traces of one game, one session a file; `-` reads standard input
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = PLAYED)]
    traces: Vec<PathBuf>,
    /// Folder for the shards, new or empty
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// Replace an existing dataset in the folder
    #[arg(long)]
    overwrite: bool,
    /// Approximate decisions in a shard, rounded up to a row group
    #[arg(long, value_name = "N", default_value_t = SHARD_DEFAULT, value_parser = clap::value_parser!(u64).range(SHARD))]
    shard: u64,
    /// Also write decisions with a single legal move; does not change the sessions
    #[arg(long)]
    forced: bool,
    #[command(flatten)]
    playing: Playing,
}

#[derive(clap::Args)]
struct Playing {
    /// The bots from seat 0 on, repeated to fill all seats; they rotate by one seat after every session
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', default_value = "scripted")]
    bots: Vec<String>,
    /// Play until there are N rows [default: 100000]
    #[arg(long, value_name = "N", conflicts_with = "sessions", value_parser = clap::value_parser!(u64).range(1..))]
    decisions: Option<u64>,
    /// Play N sessions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sessions: Option<u64>,
    /// Rounds in a session; ranks carry over from round to round [default: from --set or --rules, otherwise 1]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Seed of the deals and of the bots
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Sampling temperature of networks: 0 = argmax, 1 = sample from the policy
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = temperature)]
    temperature: f32,
    /// Threads, 0 = one for each CPU core; does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    /// Number of players [default: from the rules]
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// TOML file with options of the game; `cardsharp describe GAME` lists the options. If repeated, sessions use the
    /// files in turn
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
    /// Set an option of the game, like `players=5`; overrides the files; may be repeated
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    thinking: ThinkingArgs,
}

impl Failure for DatasetError {
    fn code(&self) -> u8 {
        if self.is_input() { 2 } else { 1 }
    }
}

impl Dataset {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let begun = Instant::now();
        let signals = Signals::catch()?;
        let (written, bots) = match self.game {
            Some(GameArg(game)) => {
                let settings = self.settings(game)?;
                (played(&settings, self.folder()?, signals.stop()), settings.bots)
            }
            None => (self.traced(signals.stop())?, Vec::new()),
        };
        let written = match written {
            Err(DatasetError::Stopped { written, .. }) => {
                // Ignore errors: the terminal or the pipe may be closed, and the exit code reports the interruption.
                let _ = self.say(out, &written, &bots, false).and_then(|()| out.flush());
                return Err(signals.interrupted());
            }
            written => written?,
        };
        self.say(out, &written, &bots, true)?;
        if out.json {
            return Ok(());
        }
        let rate = written.decisions as f64 / begun.elapsed().as_secs_f64();
        out.line(out.dim(format!("{rate:.0} decisions per second")))
    }

    /// Reports what the folder contains, and the faults of `exec:` bots.
    fn say(
        &self,
        out: &mut Output,
        written: &Written,
        bots: &[Player],
        finished: bool,
    ) -> Result<(), CliError> {
        let Written { sessions, decisions, shards, bytes } = written;
        if out.json {
            let faults = bots.iter().filter_map(|bot| {
                let (faults, first_fault) = (bot.faults()?, bot.first_fault());
                Some(Program { name: bot.name().to_owned(), faults, first_fault })
            });
            let mut page = json!({
                "finished": finished, "to": self.to, "sessions": sessions, "decisions": decisions, "shards": shards,
                "bytes": bytes,
            });
            let programs: Vec<Program> = faults.collect();
            if !programs.is_empty() {
                page["programs"] = json!(programs);
            }
            return out.json_page(&page);
        }
        let (to, megabytes) = (self.to.display(), *bytes as f64 / 1e6);
        let stopped = if finished { "" } else { "Stopped. " };
        out.line(format!(
            "{stopped}Wrote {to}: {shards} shards ({megabytes:.1} MB), {sessions} sessions, {decisions} decisions."
        ))?;
        bots.iter().filter_map(Player::faults_summary).try_for_each(|text| out.line(text))
    }

    fn folder(&self) -> Result<Folder, DatasetError> {
        if self.overwrite { Folder::emptied(&self.to) } else { Folder::new(&self.to) }
    }

    /// Returns the rules, the bots and the amount to play.
    fn settings(&self, game: &dyn AnyGame) -> Result<DatasetSettings, CliError> {
        let Playing { temperature, thinking, .. } = &self.playing;
        // All cores are already busy with sessions.
        let means = thinking.means(*temperature, 1)?;
        let load = |name: &String| cardsharp_bot::load_with(name, game, &means);
        let bots = self.playing.bots.iter().map(load).collect::<Result<Vec<Player>, _>>()?;
        let amount = match self.playing.sessions {
            Some(sessions) => Amount::Sessions(sessions),
            None => Amount::Decisions(self.playing.decisions.unwrap_or(DECISIONS)),
        };
        let (rules, seed) = (self.playing.rules(game)?, self.playing.seed);
        let threads = threads(self.playing.threads);
        Ok(DatasetSettings { rules, bots, amount, seed, forced: self.forced, shard: self.shard, threads })
    }

    /// Checks all traces before the existing dataset is removed.
    fn check_traces(&self, typed: &Typed) -> Result<(), CliError> {
        let mut game = None;
        for path in &self.traces {
            let refused = |source: InvalidTrace| source.in_input(input::name(path));
            let trace = OpenTrace::open(typed.lines(path)?).map_err(refused)?;
            let found = trace.rules.game().name();
            let expected = *game.get_or_insert(found);
            if expected != found {
                return Err(DatasetError::Game { expected, found }.into());
            }
            trace.check(&mut ()).map_err(refused)?;
        }
        Ok(())
    }

    /// Writes the sessions of traces.
    fn traced(&self, stop: &AtomicBool) -> Result<Result<Written, DatasetError>, CliError> {
        let twice = self.overwrite && self.traces.iter().any(|path| path == Path::new("-"));
        let typed = Typed(twice.then(|| input::read_text(Path::new("-"), LARGE)).transpose()?);
        if self.overwrite {
            self.check_traces(&typed)?;
        }
        let mut sessions: Option<SessionWriter> = None;
        let bar = Bar::units(self.traces.len() as u64, "traces");
        for path in self.traces.iter().take_while(|_| !stop.load(Ordering::Relaxed)) {
            let refused = |source: InvalidTrace| source.in_input(input::name(path));
            let trace = OpenTrace::open(typed.lines(path)?).map_err(refused)?;
            let sessions = match &mut sessions {
                Some(sessions) => sessions,
                none => none.insert(SessionWriter::new(
                    self.folder()?,
                    trace.rules.game(),
                    self.shard,
                    self.forced,
                )?),
            };
            let mut watching = Watching(sessions.begin(&trace.rules, trace.seed(), &trace.bots)?);
            trace.check(&mut watching).map_err(refused)?;
            sessions.add(watching.0)?;
            bar.advance();
        }
        bar.finish();
        Ok(match sessions {
            Some(sessions) if stop.load(Ordering::Relaxed) => Err(sessions.stopped()),
            Some(sessions) => sessions.finish(),
            None => Err(DatasetError::Nothing),
        })
    }
}

impl Playing {
    /// Returns the rules of each file, or the default rules without files. `--set` overrides both.
    fn rules(&self, game: &dyn AnyGame) -> Result<Vec<GameRules>, CliError> {
        let of = |file: Option<&PathBuf>| {
            let args = RulesArgs { players: self.players, rules: file.cloned(), set: self.set.clone() };
            args.resolve_short(game, self.rounds)
        };
        match self.rules.as_slice() {
            [] => Ok(vec![of(None)?]),
            files => files.iter().map(|file| of(Some(file))).collect(),
        }
    }
}

/// An `exec:` bot in the output of `--json`.
#[derive(Serialize)]
struct Program {
    name: String,
    faults: Faults,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_fault: Option<Fault>,
}

/// The text of standard input, if it is read twice.
struct Typed(Option<String>);

impl Typed {
    /// Returns the lines of a trace.
    fn lines(&self, path: &Path) -> Result<Lines, CliError> {
        match &self.0 {
            Some(text) if path == Path::new("-") => {
                Ok(Lines::of(&input::name(path), text.clone().into_bytes(), TRACE_LINE))
            }
            _ => Ok(Lines::open(path, TRACE_LINE)?),
        }
    }
}

/// Adds the session of a trace to a dataset while it is checked.
struct Watching(PlayedSession);

impl TraceObserver for Watching {
    fn decides(&mut self, table: &dyn AnyTable, action: ActionId) {
        self.0.decides(table, action);
    }

    fn paid(&mut self, payoff: &Payoff) {
        self.0.paid(payoff);
    }
}

/// Plays the sessions and shows the progress.
fn played(settings: &DatasetSettings, folder: Folder, stop: &AtomicBool) -> Result<Written, DatasetError> {
    let (length, what) = match settings.amount {
        Amount::Decisions(decisions) => (decisions, "decisions"),
        Amount::Sessions(sessions) => (sessions, "sessions"),
    };
    let bar = Bar::units(length, what);
    let mut show = |progress: DatasetProgress| match settings.amount {
        Amount::Decisions(_) => bar.reach(progress.decisions.min(length)),
        Amount::Sessions(_) => bar.reach(progress.sessions.min(length)),
    };
    let written = settings.write(folder, &mut show, stop);
    bar.finish();
    written
}

use std::process::Command;
use std::time::Instant;

use cardsharp_env::GameRules;
use cardsharp_env::batch::BatchOptions;
use cardsharp_env::speed;
use serde_json::{Value, json};

use crate::args::{GameArg, RulesArgs};
use crate::error::{CliError, Failure};
use crate::output::Output;
use crate::tables;

/// Measure the speed of a game's engine on one CPU core.
///
/// Plays whole sessions of random legal moves, including forced moves, deals and scoring. It measures the rules alone
/// (turn, legal actions, play), then the rules with action mask and observation row. Valgrind counts instructions, which
/// is repeatable: the program runs at two lengths, and the difference is divided by the decisions. The timed moves are
/// checked against the batch interface.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp bench dalmuti
  cardsharp bench dalmuti --players 8 --seconds 5 --json")]
pub(crate) struct Bench {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// Seconds for each of the two measurements
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,
    /// Do not count instructions
    #[arg(long)]
    no_valgrind: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

/// Play random moves and print their checksum: what `bench` runs under valgrind.
#[derive(clap::Args)]
pub(crate) struct BenchLoop {
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    #[arg(long)]
    decisions: u64,
    #[arg(long)]
    with_row: bool,
    /// Rules as JSON.
    #[arg(long)]
    rules: String,
}

#[derive(Debug, thiserror::Error)]
enum BenchError {
    /// The benchmark and the batch interface played different moves.
    #[error(
        "the {what} benchmark played other moves than the batch interface: checksum {timed:016x}, expected {expected:016x}"
    )]
    Checksum {
        /// The part that was timed.
        what: &'static str,
        /// The checksum of the timed loop.
        timed: u64,
        /// The checksum of the same moves through the batch interface.
        expected: u64,
    },
    /// Valgrind could not be run, or failed.
    #[error("valgrind failed: {0}")]
    Valgrind(String),
}

impl Failure for BenchError {
    fn code(&self) -> u8 {
        1
    }
}

const SEED: u64 = 1;
/// Decisions in one timed stretch, which takes about 10 ms.
const STRETCH: u64 = 100_000;
/// The lengths of the two runs under valgrind, in decisions.
const SHORT: u64 = 10_000;
const LONG: u64 = 60_000;

impl BenchLoop {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let rules: Value = serde_json::from_str(&self.rules).map_err(CliError::Json)?;
        let sum = self.game.0.rules(&rules)?.random_play(SEED, self.decisions, self.with_row);
        out.line(format!("{sum:016x}"))
    }
}

impl Bench {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        if !(0.01..=600.0).contains(&self.seconds) {
            let expected = "expected 0.01 to 600".to_owned();
            return Err(CliError::Option { option: "--seconds", given: self.seconds.to_string(), expected });
        }
        let game = self.game.0;
        let rules = self.rules.resolve(game, None)?;
        let (mut measured, mut rows) = (serde_json::Map::new(), Vec::new());
        for (key, what, with_row) in
            [("rules_only", "rules only", false), ("with_row", "with mask and observation", true)]
        {
            let rate = rate(&rules, with_row, self.seconds)?;
            let counted = match self.no_valgrind {
                true => Err("--no-valgrind".to_owned()),
                false => instructions(&rules, with_row)?,
            };
            let mut entry =
                json!({ "decisions_per_second": rate.round(), "instructions": counted.as_ref().ok() });
            if let (Err(reason), Some(entry)) = (&counted, entry.as_object_mut()) {
                entry.insert("reason".to_owned(), json!(reason));
            }
            measured.insert(key.to_owned(), entry);
            let counted =
                counted.map_or_else(|reason| format!("not counted: {reason}"), |n| format!("{n:.1}"));
            rows.push(vec![
                what.to_owned(),
                format!("{:.2} M", rate / 1e6),
                format!("{:.0}", 1e9 / rate),
                counted,
            ]);
        }
        if out.json {
            return out.json_page(&measured);
        }
        let players = rules.players();
        out.line(format!("{}, {players} players, one CPU core, random legal moves:", game.title()))?;
        let header = ["", "decisions per second", "ns per decision", "instructions per decision"];
        out.line(tables::table(&header, &[1, 2, 3], rows))
    }
}

/// Returns the decisions per second of the fastest stretch. Each stretch must have the expected checksum.
fn rate(rules: &GameRules, with_row: bool, seconds: f64) -> Result<f64, CliError> {
    let what = if with_row { "with-row" } else { "rules-only" };
    let options = BatchOptions { lanes: 1, skip_forced: false, rows: with_row, reveal: false };
    let mut env = rules.batch(options);
    let expected = speed::random_play_again(env.as_mut(), SEED, STRETCH, with_row);
    let begun = Instant::now();
    let mut best = f64::INFINITY;
    while begun.elapsed().as_secs_f64() < seconds {
        let stretch = Instant::now();
        let timed = rules.random_play(SEED, STRETCH, with_row);
        best = best.min(stretch.elapsed().as_secs_f64());
        if timed != expected {
            return Err(BenchError::Checksum { what, timed, expected }.into());
        }
    }
    Ok(STRETCH as f64 / best)
}

/// Returns the instructions per decision, or the reason why they cannot be counted.
fn instructions(rules: &GameRules, with_row: bool) -> Result<Result<f64, String>, CliError> {
    let (Some(short), Some(long)) = (count(rules, with_row, SHORT)?, count(rules, with_row, LONG)?) else {
        return Ok(Err("valgrind is not installed".to_owned()));
    };
    let per_decision = (long - short) as f64 / (LONG - SHORT) as f64;
    Ok(Ok((per_decision * 10.0).round() / 10.0))
}

/// Returns the instructions of one run of this program under callgrind; `None` without valgrind.
fn count(rules: &GameRules, with_row: bool, decisions: u64) -> Result<Option<u64>, CliError> {
    let failed = BenchError::Valgrind;
    let this = std::env::current_exe().map_err(|e| failed(e.to_string()))?;
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(this);
    command.args([
        "bench-loop",
        rules.game().name(),
        "--decisions",
        &decisions.to_string(),
        "--rules",
        &rules.json().to_string(),
    ]);
    if with_row {
        command.arg("--with-row");
    }
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error.to_string()).into()),
    };
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(failed(format!("{}: {}", output.status, said.trim())).into());
    }
    let what = if with_row { "with-row" } else { "rules-only" };
    let expected = rules.random_play(SEED, decisions, with_row);
    let sum = String::from_utf8_lossy(&output.stdout);
    let timed =
        u64::from_str_radix(sum.trim(), 16).map_err(|e| failed(format!("the run printed {sum}: {e}")))?;
    if timed != expected {
        return Err(BenchError::Checksum { what, timed, expected }.into());
    }
    let collected = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    Ok(Some(collected.ok_or_else(|| failed(format!("no count in: {}", said.trim())))?))
}

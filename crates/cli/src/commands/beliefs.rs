use std::path::{Path, PathBuf};

use cardsharp_bot::Player;
use cardsharp_bot::beliefs::{FILE, Model};
use cardsharp_bot::bots::registry::BotLocation;
use cardsharp_bot::bots::{model_file, path_of, resolved, without_folders};
use cardsharp_env::AnyGame;
use cardsharp_trainer::algorithms::beliefs::{
    BeliefConfig, Bin, Calibration, LearnError, SampleSource, calibrate, learn,
};
use cardsharp_trainer::rollout::{RandomConfig, RolloutConfig, TableConfig, Tables};
use serde_json::{Value, json};

use crate::args::{GameArg, LogArg, RulesArgs, temperature, thread_count, threads};
use crate::error::{CliError, Failure};
use crate::files::MeasurementFile;
use crate::output::Output;
use crate::progress::Bar;
use crate::signals::Signals;
use crate::{bots, tables};

/// Learn a belief model: what a bot's moves reveal about its cards.
///
/// The bot plays itself. At its decisions, a small network learns to pick the true deal among other deals that are
/// consistent with the view. `search:400:beliefs+BOT` samples its deals with the model, and `advise BOT --beliefs` prints
/// its estimates. The model is then evaluated on held-out sessions, against the assumption that all deals are equally
/// likely. It is written next to the bot's network. The rules are those the bot was trained with, unless --players,
/// --rules or --set change them.
///
/// Ctrl-C stops without writing anything.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp beliefs checkpoints/tahimi/bot
  cardsharp beliefs tahimi --to beliefs.safetensors
  cardsharp beliefs scripted --game tachtigen --decisions 50000 --to beliefs.safetensors --json
  cardsharp arena tahimi --bots search:200:beliefs+checkpoints/tahimi/bot,search:200+tahimi

More: ", docs!("search.html")))]
pub(crate) struct Beliefs {
    /// A bundle, a checkpoint or a bot file; with --to any bot that `arena` accepts
    bot: String,
    /// The game [default: the bot's game]
    #[arg(long, value_parser = GameArg::parser())]
    game: Option<GameArg>,
    /// Write the model to this new file (`-`: standard output) and leave the bot unchanged
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Replace an existing model
    #[arg(long)]
    overwrite: bool,
    /// Approximate number of decisions to learn from
    #[arg(long, value_name = "N", default_value_t = 400_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    decisions: u64,
    /// Decisions to evaluate the model on
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    measured: u64,
    /// Sampling temperature of a network while it plays itself: 0 = argmax, 1 = sample from the policy
    #[arg(long, value_name = "T", default_value_t = 0.5, value_parser = temperature)]
    temperature: f32,
    /// Seed of all randomness
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads, 0 = one for each CPU core; does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    #[command(flatten)]
    log: LogArg,
    #[command(flatten)]
    rules: RulesArgs,
}

impl Failure for LearnError {
    fn code(&self) -> u8 {
        1
    }
}

impl Beliefs {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        self.log.open()?;
        let game = match self.game.map(|game| game.0).or_else(|| bots::game_of(&self.bot)) {
            Some(game) => game,
            None => return Err(CliError::Required { option: "--game", why: "the bot plays several games" }),
        };
        let name = resolved(&self.bot, game.name()).into_owned();
        // The model file contains the bot's name. Without folders it does not depend on the location of the bot.
        let player = cardsharp_bot::load(&name, game, self.temperature)?.named(without_folders(&name)?);
        let network = path_of(&name).filter(|path| *path == name).map(|path| bots::place(Path::new(path)));
        let network = network.transpose()?;
        let network = network.as_ref().and_then(BotLocation::path);
        if self.to.is_none() && network.is_none() {
            return Err(CliError::Required { option: "--to", why: "the bot has no folder to write to" });
        }
        let place = network.map(model_file).unwrap_or_default();
        self.to.as_deref().map_or(Ok(()), |to| crate::output::check_stdout(to, out))?;
        let file = MeasurementFile::new(self.to.as_deref(), place, self.overwrite, "a belief model")?;
        let tables = self.tables(game, path_of(&name))?;
        let signals = Signals::catch()?;
        let (model, calibration) = self.learn(game, &tables, &player, &signals)?;
        // Random moves replace those of a failed bot process, so the model would describe another bot.
        bots::check_player(&player)?;
        let refuse = |source| CliError::BotFile { path: file.path().to_owned(), source };
        file.write(FILE, &model.to_bytes().map_err(refuse)?)?;
        if file.is_stdout() {
            return Ok(());
        }
        if out.json {
            let measured = json!(calibration);
            return out
                .json_page(&json!({ "file": file.path(), "model": model.about(), "measured": measured }));
        }
        show(out, &calibration)?;
        out.line(format!("Wrote {}.", file.path().display()))
    }

    /// Returns the tables to play at: the rules of the command line, or those that the network was trained with.
    fn tables(&self, game: &dyn AnyGame, network: Option<&str>) -> Result<Tables, CliError> {
        let of_rules = |rules: &Value| TableConfig {
            weight: 1.0,
            rules: rules.as_object().cloned().unwrap_or_default(),
        };
        let mut config = RolloutConfig::default();
        match network.filter(|_| !self.rules.is_given()) {
            Some(path) => {
                let (header, _) = cardsharp_bot::bots::network(path, game)?;
                config.tables = header.rules.iter().map(of_rules).collect();
                config.random = RandomConfig { share: header.random_rules, rounds: 1 };
            }
            None => config.tables = vec![of_rules(self.rules.resolve(game, None)?.json())],
        }
        Ok(Tables::new(game, &config)?)
    }

    fn learn(
        &self,
        game: &'static dyn AnyGame,
        tables: &Tables,
        player: &Player,
        signals: &Signals,
    ) -> Result<(Model, Calibration), CliError> {
        let (threads, stop) = (threads(self.threads), signals.stop());
        let source = SampleSource { game, tables, player, seed: self.seed, threads, stop };
        let bar = Bar::units(self.decisions, "decisions");
        let learned = learn(&source, &BeliefConfig::from(self.decisions), &mut |progress| {
            bar.reach(progress.decisions.min(self.decisions));
        });
        bar.finish();
        let stopped = |_| signals.interrupted();
        let model = match learned {
            Err(_) if signals.is_set() => return Err(signals.interrupted()),
            learned => learned?,
        };
        let calibration = calibrate(&source, &model, self.measured).map_err(stopped)?;
        Ok((model, calibration))
    }
}

fn show(out: &mut Output, calibration: &Calibration) -> Result<(), CliError> {
    let Calibration { decisions, forecasts, log_loss, brier, gained, effective, bins } = calibration;
    let row = |what: &str, [alike, weighed]: [f64; 2]| {
        vec![what.to_owned(), format!("{alike:.4}"), format!("{weighed:.4}")]
    };
    let rows = [
        row("log loss, nats", [log_loss.alike, log_loss.weighed]),
        row("Brier score", [brier.alike, brier.weighed]),
    ];
    out.line(tables::table(
        &["mean over forecasts", "all deals equally likely", "the model"],
        &[1, 2],
        rows,
    ))?;
    let of_bin = |(number, bin): (usize, &Bin)| {
        vec![
            format!("{} to {} %", number * 100 / bins.len(), (number + 1) * 100 / bins.len()),
            format!("{:.1} %", 100.0 * bin.said),
            format!("{:.1} %", 100.0 * bin.was),
            bin.forecasts.to_string(),
        ]
    };
    let rows = bins.iter().enumerate().filter(|(_, bin)| bin.forecasts > 0).map(of_bin);
    out.line(tables::table(&["forecast", "mean forecast", "observed", "forecasts"], &[1, 2, 3], rows))?;
    out.line(format!(
        "{forecasts} forecasts at {decisions} decisions: whether a seat holds at least one (two, …) of a card. The log weight \
         of the true deal exceeds that of a sampled deal by {gained:.2} nats; the effective sample size of 8 deals is \
         {effective:.1}."
    ))
}

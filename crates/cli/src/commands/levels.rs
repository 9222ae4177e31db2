use std::path::PathBuf;

use cardsharp_bot::arena::Contest;
use cardsharp_bot::bots::Trained;
use cardsharp_bot::bots::levels::{FILE, GRID, LEVELS, Level, Levels as File, Rated, path, temperatures};
use cardsharp_bot::bots::search::MOST_SIMULATIONS;
use cardsharp_bot::bundle::{self, ExportError};
use cardsharp_bot::endgame_solver::DEFAULT_POSITIONS;
use cardsharp_bot::file::{Header, Outputs};
use cardsharp_bot::stats::Interval;
use cardsharp_env::{GameRules, seed};

use crate::args::{RulesArgs, thread_count, threads};
use crate::error::{CliError, Failure};
use crate::files::MeasurementFile;
use crate::output::Output;
use crate::progress::ContestRunner;
use crate::{bots, games, tables};

/// Calibrate levels 1 to 10 of a bot, for `play --level` and `advise --level`.
///
/// Level 1 is slightly stronger than random play, level 10 is the bot's full strength, and the ratings of the levels are
/// evenly spaced. If level 10 searches, level 9 is the network at full strength. A round robin over many temperatures
/// selects the levels; a second one, on other deals, measures their ratings. The levels are written next to the network,
/// unless there are levels already or too few deals to separate them. If the bot has a belief model, searches use it.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp levels checkpoints/dalmuti/bot
  cardsharp levels checkpoints/taki/bot --players 2 --playouts 0 --deals 10000
  cardsharp levels taki --to levels.json
  cardsharp play dalmuti --level 3

More: ", docs!("characters.html")))]
pub(crate) struct Levels {
    /// A bundle, a bot file, or with --to a game's name for the bot that ships for the game
    bot: PathBuf,
    /// Write the levels to this new file (`-`: standard output) and leave the bot unchanged
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Replace existing levels
    #[arg(long)]
    overwrite: bool,
    /// Deals of each of the two round robins, each played as a session from every seat
    #[arg(long, value_name = "N", default_value_t = 2000)]
    deals: u64,
    /// Rounds in a session [default: from --set or --rules, otherwise 1]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Playouts per decision of level 10, if they make it stronger; 0 = no level searches. Search takes most of the time
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_SIMULATIONS)))]
    playouts: u32,
    /// Let level 10 search card play only and bid with the network
    #[arg(long)]
    play_only: bool,
    /// Seed of the deals and of the bots
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads, 0 = one for each CPU core; does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    #[command(flatten)]
    rules: RulesArgs,
}

impl Levels {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let (header, net) = bots::read(&self.bot)?;
        let place = bots::place(&self.bot)?;
        let shipped = place.shipped();
        let at = place.path().unwrap_or(&self.bot);
        self.check(&header, shipped.is_some())?;
        let game = bundle::fits(games::all(), &header).map_err(ExportError::Misfit)?;
        self.to.as_deref().map_or(Ok(()), |to| crate::output::check_stdout(to, out))?;
        let file = MeasurementFile::new(self.to.as_deref(), path(at), self.overwrite, "levels")?;
        let rules = self.rules.resolve_short(game, self.rounds)?;
        let refuse = |source| CliError::BotFile { path: self.bot.clone(), source };
        let trained = Trained::new(game, header, net).map_err(refuse)?;
        let trained = match shipped.map(|bot| bot.beliefs) {
            Some(Some(model)) => trained.with_beliefs(game, model),
            Some(None) => Ok(trained),
            None => trained.with_beliefs_beside(game, at),
        };
        let trained = trained.map_err(refuse)?;
        let mut judge = Judge {
            rules: &rules,
            trained: &trained,
            deals: self.deals,
            runner: ContestRunner::new(threads(self.threads)),
        };

        // Level 10 may search, if that makes the bot stronger.
        let plain = |temperature| Level { temperature, ..Level::default() };
        let looking = (self.playouts > 0).then(|| Level {
            simulations: self.playouts,
            beliefs: trained.beliefs().is_some(),
            play_only: self.play_only,
            ..Level::default()
        });
        let ways: Vec<Level> = GRID.into_iter().map(plain).chain(looking).collect();
        let first = judge.rate(&ways, &[], seed::derived(self.seed, &[0]), false)?;
        let ratings: [Interval; GRID.len()] = std::array::from_fn(|at| first[at]);
        let strongest = ratings.iter().map(|rating| rating.mean).fold(f64::NEG_INFINITY, f64::max);
        let top = looking.filter(|_| first[GRID.len()].mean > strongest);
        let ways: Vec<Level> = temperatures(&ratings, LEVELS - u8::from(top.is_some()))
            .into_iter()
            .map(plain)
            .chain(top)
            .collect();

        let others = ["scripted", "cautious", "aggressive"];
        let seed = seed::derived(self.seed, &[1]);
        let second = judge.rate(&ways, &others, seed, true)?;
        let level = |(way, &rating): (&Level, &Interval)| Level { rating, ..*way };
        let rated = |(name, rating): (&&str, &Interval)| Rated { name: (*name).to_owned(), rating: *rating };
        let levels = File {
            game: game.name().to_owned(),
            deals: self.deals,
            seed,
            others: others.iter().zip(&second[ways.len()..]).map(rated).collect(),
            levels: ways.iter().zip(&second).map(level).collect(),
            rules: rules.json().clone(),
        };
        if let Some(needed) = needed(&levels) {
            if !out.json {
                show(out, &levels)?;
                out.flush()?;
            }
            return Err(needed.into());
        }
        let mut text = serde_json::to_vec_pretty(&levels).map_err(CliError::Json)?;
        text.push(b'\n');
        file.write(FILE, &text)?;
        if file.is_stdout() {
            return Ok(());
        }
        if out.json {
            return out.json_page(&levels);
        }
        show(out, &levels)?;
        out.line(format!("Wrote {}.", file.path().display()))
    }

    /// Refuses options that exclude each other or do not fit the bot.
    fn check(&self, header: &Header, is_shipped: bool) -> Result<(), CliError> {
        let refused = |option, given: String, expected: &str| {
            Err(CliError::Option { option, given, expected: expected.to_owned() })
        };
        if header.outputs != Outputs::Logits {
            let expected = "expected a policy network: temperature does not change one of action values";
            return refused("BOT", self.bot.display().to_string(), expected);
        }
        if self.play_only && self.playouts == 0 {
            return refused("--playouts", "0".to_owned(), "expected at least 1 with --play-only");
        }
        if is_shipped && self.to.is_none() {
            return Err(CliError::Required { option: "--to", why: "the bot is part of the program" });
        }
        Ok(())
    }
}

/// The levels cannot be separated.
#[derive(Debug, thiserror::Error)]
#[error(
    "the levels were not written: their 95 % intervals are up to {widest:.0} points wide, but the levels are only \
     {step:.0} points apart; {}",
    more(*deals, *enough)
)]
struct TooFewDeals {
    /// The width of the widest interval, in points of rating.
    widest: f64,
    /// The mean distance between two levels, in points of rating.
    step: f64,
    deals: u64,
    /// Approximate number of deals that is enough, if it can be estimated.
    enough: Option<u64>,
}

impl Failure for TooFewDeals {
    fn code(&self) -> u8 {
        1
    }
}

/// Suggests how many deals would separate the levels.
fn more(deals: u64, enough: Option<u64>) -> String {
    match enough {
        Some(enough) => format!("--deals {deals} are too few: use about {enough}"),
        None => "use more --deals".to_owned(),
    }
}

struct Judge<'a> {
    rules: &'a GameRules,
    trained: &'a Trained,
    deals: u64,
    runner: ContestRunner,
}

impl Judge<'_> {
    /// Returns the ratings of the network at the levels `ways`, then of the built-in bots `others`, relative to random
    /// play. If `sure` is set, the last level uses the endgame solver.
    fn rate(
        &mut self,
        ways: &[Level],
        others: &[&str],
        seed: u64,
        sure: bool,
    ) -> Result<Vec<Interval>, CliError> {
        let mut players = Vec::new();
        for (number, way) in ways.iter().enumerate() {
            let player = self.trained.playing(way, format!("way {number}"), 1)?;
            let highest = number + 1 == ways.len();
            players.push(if sure && highest {
                player.with_endgame_solver(DEFAULT_POSITIONS)
            } else {
                player
            });
        }
        for name in others.iter().chain(&["random"]) {
            players.push(cardsharp_bot::load(name, self.rules.game(), 0.0)?);
        }
        let contest = Contest::round_robin(self.rules, players, self.deals, seed)?;
        let report = self.runner.report(&contest);
        let count = ways.len() + others.len();
        Ok(report.bots.iter().take(count).map(|bot| bot.rating.unwrap_or_default()).collect())
    }
}

/// Returns an error if the widest interval exceeds the distance between two levels.
fn needed(levels: &File) -> Option<TooFewDeals> {
    let (first, last) = (levels.levels.first()?, levels.levels.last()?);
    let step = (last.rating.mean - first.rating.mean) / (levels.levels.len() - 1) as f64;
    let width = |level: &Level| level.rating.high - level.rating.low;
    let widest = levels.levels.iter().map(width).fold(0.0, f64::max);
    // Four times as many deals halve an interval.
    let enough =
        (step > 0.0).then(|| (levels.deals as f64 * (widest / step).powi(2) / 100.0).ceil() as u64 * 100);
    (widest > step).then_some(TooFewDeals { widest, step, deals: levels.deals, enough })
}

fn show(out: &mut Output, levels: &File) -> Result<(), CliError> {
    let rating = |rating: &Interval| {
        [format!("{:+.0}", rating.mean), format!("{:+.0} … {:+.0}", rating.low, rating.high)]
    };
    let of_level = |(number, level): (usize, &Level)| {
        let search = match level.simulations {
            0 => String::new(),
            tries => {
                let ways = [(level.beliefs, ", belief model"), (level.play_only, ", card play only")];
                let ways = ways.into_iter().filter_map(|(asked, way)| asked.then_some(way));
                format!("{tries} playouts{}", ways.collect::<String>())
            }
        };
        let [mean, interval] = rating(&level.rating);
        vec![format!("level {}", number + 1), format!("{:.2}", level.temperature), search, mean, interval]
    };
    let of_other = |rated: &Rated| {
        let [mean, interval] = rating(&rated.rating);
        vec![rated.name.clone(), String::new(), String::new(), mean, interval]
    };
    let rows = levels.levels.iter().enumerate().map(of_level).chain(levels.others.iter().map(of_other));
    out.line(tables::table(&["", "temperature", "search", "rating", "95 % CI"], &[1, 3, 4], rows))?;
    out.line("Rating: 400 points more mean a place ahead in 10 of 11 rounds; `random` is 0.")
}

//! `cardsharp levels BOT`.

use std::path::PathBuf;

use cardsharp_bot::arena::Contest;
use cardsharp_bot::bots::Trained;
use cardsharp_bot::bots::levels::{FILE, GRID, LEVELS, Level, Levels as File, Rated, path, temperatures};
use cardsharp_bot::bots::search::MOST_SIMULATIONS;
use cardsharp_bot::bundle::{self, ExportError};
use cardsharp_bot::exact::DEFAULT_POSITIONS;
use cardsharp_bot::file::Outputs;
use cardsharp_bot::stats::Interval;
use cardsharp_env::{GameRules, seed};

use crate::args::{RulesArgs, thread_count, threads};
use crate::error::CliError;
use crate::kept::Kept;
use crate::output::Output;
use crate::playing::Playing;
use crate::{bots, tables};

/// Find out how a bot plays at levels 1 to 10, for `play --level` and `advise --level`.
///
/// Level 1 is hardly better than chance, the highest is the bot at its best, and the others lie at equal
/// distances in rating between them (up to the network at its best, where the highest looks ahead). A round robin over many temperatures says which ones those are; a second
/// one, on other deals, says how strong the levels are, and is what is written beside the network: unless levels are there
/// already, or too few deals were played to tell one level from the next. Where the bot has a model of beliefs, a level that
/// looks ahead draws its deals by it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cardsharp levels checkpoints/dalmuti/bot
  cardsharp levels checkpoints/taki/bot --players 2 --sims 0 --deals 10000
  cardsharp play dalmuti --level 3")]
pub(crate) struct Levels {
    /// A bundle or a bot file; its levels are written beside the network, and into the bundle's manifest
    bot: PathBuf,
    /// Write the levels to this file, which must not be there yet (`-`: standard output), and leave the bot as it is
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Replace levels that were measured before
    #[arg(long)]
    overwrite: bool,
    /// Deals of each of the two round robins, each a session that is played once from every seat
    #[arg(long, value_name = "N", default_value_t = 2000)]
    deals: u64,
    /// Rounds in a session [default: as --set or --rules say, else 1]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// Tries per decision of the highest level, if it is stronger with them; 0: no level searches. Searching
    /// takes most of the time
    #[arg(long, value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_SIMULATIONS)))]
    sims: u32,
    /// Leave auctions to the network: what the highest level searches is the play
    #[arg(long)]
    play_only: bool,
    /// What the deals and the bots' random streams are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Threads; 0 is one for each core. Does not change the result
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = thread_count())]
    threads: usize,
    #[command(flatten)]
    rules: RulesArgs,
}

impl Levels {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let (header, net) = bots::read(&self.bot)?;
        if header.outputs != Outputs::Logits {
            let given = self.bot.display().to_string();
            let expected =
                "expected a network of logits: temperature does not weaken one of action values".to_owned();
            return Err(CliError::Option { option: "BOT", given, expected });
        }
        if self.play_only && self.sims == 0 {
            let expected = "expected at least 1 with `--play-only`, which is said of a search".to_owned();
            return Err(CliError::Option { option: "--sims", given: self.sims.to_string(), expected });
        }
        let game = bundle::fits(crate::list::games(), &header).map_err(ExportError::Misfit)?;
        let what = "levels that were measured";
        self.to.as_deref().map_or(Ok(()), |to| crate::output::check_stdout(to, out))?;
        let kept = Kept::at(self.to.as_deref(), path(&self.bot), self.overwrite, what)?;
        let rules = self.rules.resolve_short(game, self.rounds)?;
        let refuse = |source| CliError::BotFile { path: self.bot.clone(), source };
        let trained = Trained::new(game, header, net).map_err(refuse)?;
        let trained = trained.with_beliefs_beside(game, &self.bot).map_err(refuse)?;
        let mut judge = Judge {
            rules: &rules,
            trained: &trained,
            deals: self.deals,
            playing: Playing::new(threads(self.threads)),
        };

        // The highest level may look ahead, if that makes the bot stronger.
        let plain = |temperature| Level { temperature, ..Level::default() };
        let looking = (self.sims > 0).then(|| Level {
            simulations: self.sims,
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
            return Err(needed);
        }
        let mut text = serde_json::to_vec_pretty(&levels).map_err(CliError::Json)?;
        text.push(b'\n');
        kept.write(FILE, &text)?;
        if kept.is_stdout() {
            return Ok(());
        }
        if out.json {
            return out.json_page(&levels);
        }
        show(out, &levels)?;
        out.line(format!("Wrote {}.", kept.path().display()))
    }
}

/// Holds round robins.
struct Judge<'a> {
    rules: &'a GameRules,
    trained: &'a Trained,
    deals: u64,
    playing: Playing,
}

impl Judge<'_> {
    /// The ratings of the network played in these ways, the last one `sure` of what is certain or as the others, then of the
    /// built-in bots `others`, all above that of a player who moves at random.
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
            players.push(if sure && highest { player.sure(DEFAULT_POSITIONS) } else { player });
        }
        for name in others.iter().chain(&["random"]) {
            players.push(cardsharp_bot::load(name, self.rules.game(), 0.0)?);
        }
        let contest = Contest::round_robin(self.rules, players, self.deals, seed)?;
        let report = self.playing.report(&contest);
        let count = ways.len() + others.len();
        Ok(report.bots.iter().take(count).map(|bot| bot.rating.unwrap_or_default()).collect())
    }
}

/// The error of levels that cannot be told from each other; none if they can.
fn needed(levels: &File) -> Option<CliError> {
    let (first, last) = (levels.levels.first()?, levels.levels.last()?);
    let step = (last.rating.mean - first.rating.mean) / (levels.levels.len() - 1) as f64;
    let width = |level: &Level| level.rating.high - level.rating.low;
    let widest = levels.levels.iter().map(width).fold(0.0, f64::max);
    // An interval is half as wide after four times as many deals.
    let enough =
        (step > 0.0).then(|| (levels.deals as f64 * (widest / step).powi(2) / 100.0).ceil() as u64 * 100);
    (widest > step).then_some(CliError::TooFewDeals { widest, step, deals: levels.deals, enough })
}

fn show(out: &mut Output, levels: &File) -> Result<(), CliError> {
    let rating = |rating: &Interval| {
        [format!("{:+.0}", rating.mean), format!("{:+.0} … {:+.0}", rating.low, rating.high)]
    };
    let of_level = |(number, level): (usize, &Level)| {
        let search = match level.simulations {
            0 => String::new(),
            tries => {
                let ways = [(level.beliefs, ", by beliefs"), (level.play_only, ", play only")];
                let ways = ways.into_iter().filter_map(|(asked, way)| asked.then_some(way));
                format!("{tries} tries{}", ways.collect::<String>())
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
    out.line(tables::table(&["", "temperature", "search", "rating", "95 %"], &[1, 3, 4], rows))?;
    out.line("Ratings: 400 points are odds of ten to one to be placed ahead; `random` has 0.")
}

mod show;

use cardsharp_bot::arena::rule_sets::{self, RuleSets};
use cardsharp_bot::arena::sequential::DELTA;
use cardsharp_bot::arena::{Contest, Report};
use cardsharp_bot::bots::Player;
use cardsharp_env::Size;
use cardsharp_env::seed::MAX;

use crate::args::{GameArg, RulesArgs, ThinkingArgs, ToArg, temperature, thread_count, threads};
use crate::bots::{all_resolved, warn_of_strange_rules};
use crate::error::CliError;
use crate::output::Output;
use crate::progress::{Bar, ContestRunner};

/// Default number of deals.
const DEALS: u64 = 400;
/// Default number of deals for each rule set of `--random-rules`.
const DEALS_BY_SET: u64 = 200;
/// Default limit of deals with `--sprt`.
const MOST_DEALS: u64 = 20_000;

/// Largest value of `--keep-games`: each game takes about ten kilobytes.
const MOST_KEPT: u64 = 100;

/// Measure how strong bots are against each other.
///
/// Every deal is played from every seat, so every bot gets the same cards. 95 % confidence intervals are bootstrapped by
/// deal. With two bots, the first takes one seat and copies of the second take the others. With one bot for each seat,
/// each takes every seat in turn. Use --seats for other seatings, like partners, and --round-robin for any number of bots.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp arena dalmuti --bots scripted,random --players 5
  cardsharp arena dalmuti --bots dalmuti,scripted --deals 2000 --seed 7
  cardsharp arena dalmuti --bots runs/quickstart-1/bundle,dalmuti@5
  cardsharp arena dalmuti --bots dalmuti,scripted --rounds 20 --deals 200 --json
  cardsharp arena taki --bots taki,scripted --keep-games 2 --json > contest.json
  cardsharp arena tachtigen --bots tachtigen,scripted --seats 0,1,0,1
  cardsharp arena taki --bots search:200,scripted
  cardsharp arena tahimi --bots aggressive,scripted
  cardsharp arena dalmuti --bots search:100+dalmuti,dalmuti

Every bot against every other one, with ratings:
  cardsharp arena dalmuti --round-robin --bots dalmuti,search:20,scripted,random --players 5

Under 100 random rule sets, with random numbers of players:
  cardsharp arena tahimi --bots tahimi,scripted --random-rules 100 --seed 5

A sequential test that stops when it is clear who is stronger, by a place score of 0.02 or 0.1:
  cardsharp arena taki --bots taki,scripted --sprt
  cardsharp arena taki --bots taki,scripted --sprt 0.1 --deals 1000

Bots that search: `search`, `search:200` (playouts per decision), `search:50ms` (milliseconds per decision), and with \
a network `search:200+dalmuti`.

More: ", docs!("arena.html"), " and ", docs!("search.html")))]
pub(crate) struct Arena {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// The bots: `random`, `scripted`, `cautious`, `aggressive`, `search`, `trained` for the bot that ships for the game,
    /// `exec:COMMAND`, bundles or checkpoints
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', required = true)]
    bots: Vec<String>,
    /// Play every bot against every other bot, for any number of bots, with a different table for each deal
    #[arg(long)]
    round_robin: bool,
    /// The bot in each seat, counted from 0, when a deal is first played; all bots then rotate by one seat
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', conflicts_with = "round_robin")]
    seats: Option<Vec<usize>>,
    /// Play under N random rule sets, drawn by the seed over all options and numbers of players; reports how many the
    /// first bot wins and its worst ones
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000),
        conflicts_with_all = ["round_robin", "seats", "sprt", "rules", "set"])]
    random_rules: Option<u32>,
    /// Deals, each played as a session from every seat [default: 400; 200 per rule set with --random-rules; at most 20000
    /// with --sprt]
    #[arg(long, value_name = "N")]
    deals: Option<u64>,
    /// Stop as soon as a sequential probability ratio test shows whether the first bot's place score is +MARGIN or
    /// -MARGIN, with 5 % errors [default MARGIN: 0.02]
    #[arg(long, value_name = "MARGIN", num_args = 0..=1, conflicts_with = "round_robin")]
    sprt: Option<Option<f64>>,
    /// Include the games of the first N deals, from every seat, in the JSON; pages of `report` link to them
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "random_rules",
        value_parser = clap::value_parser!(u64).range(..=MOST_KEPT))]
    keep_games: u64,
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
    #[command(flatten)]
    thinking: ThinkingArgs,
    #[command(flatten)]
    rules: RulesArgs,
    #[command(flatten)]
    pub(crate) to: ToArg,
}

impl Arena {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let game = self.game.0;
        if self.keep_games > 0 && self.seed > MAX {
            let expected = "expected at most 2^53 - 1 with --keep-games".to_owned();
            return Err(CliError::Option { option: "--seed", given: self.seed.to_string(), expected });
        }
        // All cores are already busy with deals.
        let means = self.thinking.means(self.temperature, 1)?;
        let load = |name: &String| cardsharp_bot::load_with(name, game, &means);
        let bots = self.bots.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        if let Some(count) = self.random_rules {
            return self.over_random_rules(out, bots, count as usize);
        }
        let rules = self.rules.resolve_short(game, self.rounds)?;
        warn_of_strange_rules(&all_resolved(&self.bots, game), &rules);
        let deals = self.deals.unwrap_or(if self.sprt.is_some() { MOST_DEALS } else { DEALS });
        let new = if self.round_robin { Contest::round_robin } else { Contest::new };
        let mut contest = new(&rules, bots, deals, self.seed)?.with_habits().keeping_games(self.keep_games);
        if let Some(seats) = self.seats {
            contest = contest.seated_as(seats)?;
        }
        let mut runner = ContestRunner::new(threads(self.threads));
        let report = match self.sprt {
            Some(delta) => sprt(&mut runner, &contest, delta.unwrap_or(DELTA))?,
            None => runner.report(&contest),
        };
        if out.json {
            return out.json_page(&report);
        }
        show::report(out, &report)?;
        show::speed(out, runner.rounds, runner.time, runner.threads)
    }
}

impl Arena {
    /// Compares two bots under many random rule sets.
    fn over_random_rules(self, out: &mut Output, bots: Vec<Player>, count: usize) -> Result<(), CliError> {
        if bots.len() != 2 {
            return Err(CliError::Option {
                option: "--bots",
                given: self.bots.join(","),
                expected:
                    "expected two bots with --random-rules: the first takes one seat, copies of the second the others"
                        .to_owned(),
            });
        }
        let size = Size { players: self.rules.players, rounds: Some(self.rounds.unwrap_or(1)) };
        let deals = self.deals.unwrap_or(DEALS_BY_SET);
        let sets = rule_sets::draw(self.game.0, count, size, self.seed)?;
        let contests = sets.iter().map(|rules| Contest::new(rules, bots.clone(), deals, self.seed));
        let contests = contests.collect::<Result<Vec<Contest>, _>>()?;
        let mut runner = ContestRunner::new(threads(self.threads));
        let bar = Bar::units(contests.iter().map(Contest::units).sum(), "blocks of deals");
        let reports = contests.iter().map(|contest| {
            let units = runner.units(contest, 0..contest.units(), &bar);
            contest.report(&units)
        });
        let found = RuleSets::of(self.seed, reports.collect());
        bar.finish();
        if out.json {
            return out.json_page(&found);
        }
        show::rule_sets(out, &found)?;
        show::speed(out, runner.rounds, runner.time, runner.threads)
    }
}

/// Plays a contest until the sequential test decides.
fn sprt(runner: &mut ContestRunner, contest: &Contest, delta: f64) -> Result<Report, CliError> {
    let mut test = contest.sprt(delta)?;
    let bar = Bar::units(contest.units(), "blocks of deals at most");
    while let Some(block) = test.block() {
        test.add(runner.units(contest, block, &bar));
    }
    bar.finish();
    Ok(test.report())
}

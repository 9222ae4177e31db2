//! `cardsharp arena GAME`.

mod show;
mod show_rule_sets;

use cardsharp_bot::arena::luck::Gauged;
use cardsharp_bot::arena::rule_sets::{self, RuleSets};
use cardsharp_bot::arena::sequential::DELTA;
use cardsharp_bot::arena::{Contest, Report};
use cardsharp_bot::bots::Player;
use cardsharp_env::Size;
use cardsharp_env::seed::MAX;

use crate::args::{GameArg, RulesArgs, ThinkingArgs, ToArg, temperature, thread_count, threads};
use crate::bar::Bar;
use crate::bots::warn_of_strange_rules;
use crate::error::CliError;
use crate::output::Output;
use crate::playing::Playing;

/// Deals, if nothing is said.
const DEALS: u64 = 400;
/// Deals by each set of rules, if nothing is said.
const DEALS_BY_SET: u64 = 200;
/// Most deals of a contest that goes on until it knows, if nothing is said.
const MOST_DEALS: u64 = 20_000;

/// Most deals whose games are kept: each game takes some ten kilobytes.
const MOST_KEPT: u64 = 100;

/// Measure how strong bots are against each other.
///
/// Every deal is played from every seat, so that luck in the cards is shared; 95 % intervals are
/// resampled by deal. With two bots the first takes one seat among copies of the second; with as many
/// bots as players each takes every seat in turn. --seats seats them otherwise: partners, or several
/// copies of each. --round-robin is for any number of bots at tables of any size. docs/arena.md says what
/// the figures mean.
#[derive(clap::Args)]
#[command(after_help = "\
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

At a hundred tables that nobody chose, rules and numbers of players drawn at random:
  cardsharp arena tahimi --bots tahimi,scripted --random-rules 100 --seed 5

No more deals than it takes to know who is stronger, by a place score of 0.02 or by 0.1:
  cardsharp arena taki --bots taki,scripted --until-known
  cardsharp arena taki --bots taki,scripted --until-known 0.1 --deals 1000

Bots that search (docs/search.md): `search`, `search:200` (tries per decision), `search:50ms`, and with a
network `search:200+dalmuti`.")]
pub(crate) struct Arena {
    /// The game
    #[arg(value_parser = GameArg::parser())]
    game: GameArg,
    /// The bots: `random`, `scripted`, `cautious`, `aggressive`, `search`, the game's name for the bot that ships for
    /// it, bundles or checkpoints
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', required = true)]
    bots: Vec<String>,
    /// Every bot against every other one, any number of them: each deal has a table of its own
    #[arg(long)]
    round_robin: bool,
    /// Which bot, counted from 0, takes which seat when a deal is first played; all then move on by a seat
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', conflicts_with = "round_robin")]
    seats: Option<Vec<usize>>,
    /// A contest by each of N sets of rules, drawn by the seed over all options and numbers of players; how many the first
    /// bot wins, and where it is worst
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000),
        conflicts_with_all = ["round_robin", "seats", "until_known", "adjust_luck", "rules", "set"])]
    random_rules: Option<u32>,
    /// Deals, each a session that is played once from every seat [default: 400; with --random-rules, where they are those of
    /// each set, 200; with --until-known, where they are the most that are played, 20000]
    #[arg(long, value_name = "N")]
    deals: Option<u64>,
    /// Stop as soon as it is known whether the first bot's place score is above 0 or below, told apart at
    /// plus and minus DELTA with 5 % errors [default DELTA: 0.02]
    #[arg(long, value_name = "DELTA", num_args = 0..=1, conflicts_with_all = ["round_robin", "adjust_luck"])]
    until_known: Option<Option<f64>>,
    /// Also show figures without the luck of the deals, where that makes intervals narrower; plays a
    /// quarter more deals
    #[arg(long)]
    adjust_luck: bool,
    /// Keep the games of the first N deals, from every seat, in the JSON: pages of `report` link to them
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "random_rules",
        value_parser = clap::value_parser!(u64).range(..=MOST_KEPT))]
    keep_games: u64,
    /// Rounds in a session; ranks carry over from round to round [default: as --set or --rules say, else 1]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,
    /// What the deals and the bots' random streams are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How networks pick: 0 the likeliest move, 1 by probability
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = temperature)]
    temperature: f32,
    /// Threads; 0 is one for each core. Does not change the result
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
            let expected =
                "expected at most 2^53 - 1 with --keep-games: larger seeds have no traces".to_owned();
            return Err(CliError::Option { option: "--seed", given: self.seed.to_string(), expected });
        }
        // All cores are busy with deals already.
        let means = self.thinking.means(self.temperature, 1)?;
        let load = |name: &String| cardsharp_bot::load_with(name, game, &means);
        let bots = self.bots.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        if let Some(count) = self.random_rules {
            return self.over_random_rules(out, bots, count as usize);
        }
        let rules = self.rules.resolve_short(game, self.rounds)?;
        warn_of_strange_rules(&self.bots, &rules);
        let deals = self.deals.unwrap_or(if self.until_known.is_some() { MOST_DEALS } else { DEALS });
        let new = if self.round_robin { Contest::round_robin } else { Contest::new };
        let mut contest = new(&rules, bots, deals, self.seed)?.with_habits().keeping_games(self.keep_games);
        if let Some(seats) = self.seats {
            contest = contest.seated_as(seats)?;
        }
        let mut playing = Playing::new(threads(self.threads));
        let report = match self.until_known {
            Some(delta) => until_known(&mut playing, &contest, delta.unwrap_or(DELTA))?,
            None if self.adjust_luck => adjusted(&mut playing, &contest),
            None => playing.report(&contest),
        };
        if out.json {
            return out.json_page(&report);
        }
        show::report(out, &report)?;
        show::speed(out, playing.rounds, playing.time, playing.threads)
    }
}

impl Arena {
    /// Two bots by many sets of rules.
    fn over_random_rules(self, out: &mut Output, bots: Vec<Player>, count: usize) -> Result<(), CliError> {
        if bots.len() != 2 {
            return Err(CliError::Option {
                option: "--bots",
                given: self.bots.join(","),
                expected:
                    "expected two with --random-rules: the first takes one seat among copies of the second"
                        .to_owned(),
            });
        }
        let size = Size { players: self.rules.players, rounds: Some(self.rounds.unwrap_or(1)) };
        let deals = self.deals.unwrap_or(DEALS_BY_SET);
        let sets = rule_sets::draw(self.game.0, count, size, self.seed)?;
        let contests = sets.iter().map(|rules| Contest::new(rules, bots.clone(), deals, self.seed));
        let contests = contests.collect::<Result<Vec<Contest>, _>>()?;
        let mut playing = Playing::new(threads(self.threads));
        let bar = Bar::units(contests.iter().map(Contest::units).sum(), "units of deals");
        let reports = contests.iter().map(|contest| {
            let units = playing.units(contest, 0..contest.units(), &bar);
            contest.report(&units)
        });
        let found = RuleSets::of(self.seed, reports.collect());
        bar.finish();
        if out.json {
            return out.json_page(&found);
        }
        show_rule_sets::found(out, &found)?;
        show::speed(out, playing.rounds, playing.time, playing.threads)
    }
}

/// Plays a contest until it knows who is stronger.
fn until_known(playing: &mut Playing, contest: &Contest, delta: f64) -> Result<Report, CliError> {
    let mut test = contest.until_known(delta)?;
    let bar = Bar::units(contest.units(), "units of deals at most");
    while let Some(block) = test.block() {
        test.add(playing.units(contest, block, &bar));
    }
    bar.finish();
    Ok(test.report())
}

/// Plays a contest whose figures are adjusted for luck.
fn adjusted(playing: &mut Playing, contest: &Contest) -> Report {
    let adjusting = contest.adjusting();
    let units = playing.whole(contest);
    let pilot = playing.whole(adjusting.pilot());
    let bar = Bar::units(adjusting.gauges(), "units of deals among built-in players");
    let gauges: Vec<Gauged> = playing.work(0..adjusting.gauges(), &bar, |unit, _| adjusting.gauge(unit));
    bar.finish();
    adjusting.report(&units, &pilot, &gauges)
}

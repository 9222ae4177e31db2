//! The results of a contest, in the form of their JSON.

use cardsharp_env::seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::Game;
use crate::bots::program::{Fault, Faults};
use crate::stats::Interval;

/// The result of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// The game's name.
    pub game: String,
    /// Number of seats.
    pub players: usize,
    /// The rules, all options.
    pub rules: Value,
    /// Number of deals; every deal is a session that was played once from every seat.
    pub deals: u64,
    /// Rounds in a session (the most that one had).
    pub rounds: u64,
    /// What the deals and the bots' random streams were drawn from.
    #[serde(with = "seed::recorded")]
    #[schemars(schema_with = "seed::recorded::schema")]
    pub seed: u64,
    /// The bot of each seat, as a place in `bots`, when a deal is first played; left out where the first
    /// bot sits alone, every bot has a seat of its own, or a round robin has many tables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<usize>,
    /// The bots, as named.
    pub bots: Vec<BotReport>,
    /// How the bots of a round robin did against each other; none of an ordinary contest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_robin: Option<RoundRobin>,
    /// How a contest ended that went on until it knew. All its intervals hold at every moment at once
    /// ([`crate::stats::anytime`]); without it they are for a number of deals fixed beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// What luck was measured with, where figures were to be adjusted for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Luck>,
    /// Games that were kept, so that people can look at them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Game>,
}

/// Intervals from fewer deals are not trusted: in too many such contests all deals go the same way.
pub const FEW: u64 = 8;

impl Report {
    /// Describes the faults of programs, with a text for each program.
    pub fn faults_summaries(&self) -> impl Iterator<Item = String> {
        self.bots.iter().filter_map(BotReport::faults_summary)
    }

    /// Returns the place score of the first bot; zeros for a report without bots.
    pub fn place_score(&self) -> Interval {
        self.bots.first().map(|bot| bot.place_score).unwrap_or_default()
    }

    /// Returns what the interval says about the first bot. Below [`FEW`] deals it is always unknown.
    pub fn decision(&self) -> Decision {
        let Interval { low, high, .. } = self.place_score();
        match (low > 0.0, high < 0.0) {
            _ if self.deals < FEW => Decision::Unknown,
            (true, _) => Decision::Stronger,
            (_, true) => Decision::Weaker,
            _ => Decision::Unknown,
        }
    }
}

/// How one bot did. Means are per round and seat that it held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BotReport {
    /// The bot's name.
    pub name: String,
    /// 1 − 2(place − 1)/(players of the round − 1): 1 for the first place, −1 for the last. Players who
    /// share a place count as neither ahead of each other nor behind.
    pub place_score: Interval,
    /// Share of first places, 0 to 1.
    pub first_rate: Interval,
    /// Points by the game's scoring.
    pub points: Interval,
    /// Points less the mean of the other seats' in the same round. Reports of older programs have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_ahead: Option<Interval>,
    /// Share of each place, best first, `[players]`; they add up to 1.
    pub places: Vec<f64>,
    /// What it undertook, in games with contracts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<Contracts>,
    /// What it was asked to decide, and how it played; only where habits were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub habits: Option<Habits>,
    /// Number of deals in which it sat at the table; only in a round robin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
    /// Its rating; only in a round robin. A bot with 400 points more is placed ahead in ten comparisons
    /// of eleven, with 100 more in 64 of a hundred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Interval>,
    /// Its figures without the luck of the deals, where they were to be adjusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<AdjustedFigures>,
    /// Time per move; not in bundles, whose bytes repeat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms_per_move: Option<Millis>,
    /// What a program did instead of naming legal moves in time; none of bots that are no programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Faults>,
    /// The first exchange in which a program failed; none if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_fault: Option<Fault>,
}

impl BotReport {
    /// Describes the faults of a program. Returns `None` without faults, or if the bot is not a program.
    pub fn faults_summary(&self) -> Option<String> {
        self.faults?.summary(&self.name, self.first_fault.as_ref())
    }
}

/// How often a bot undertook one kind of contract, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contracts {
    /// The kind.
    pub name: String,
    /// How many.
    pub count: u64,
    /// Share of the bot's rounds in which it was undertaken, 0 to 1.
    pub share: f64,
    /// Share of them that were made, 0 to 1.
    pub made: f64,
    /// Mean points of who undertook them.
    pub points: f64,
}

/// How a bot played. Only decisions with a choice count: forced moves are not asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Habits {
    /// Number of decisions.
    pub decisions: u64,
    /// Decisions per round and seat that it held.
    pub per_round: f64,
    /// Every kind of move that the game tells apart, in its order. A move may be of several kinds or none.
    pub kinds: Vec<Habit>,
}

/// How often a bot made moves of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Habit {
    /// The kind, in the game's words.
    pub name: String,
    /// How many.
    pub count: u64,
    /// Share of the bot's decisions, 0 to 1.
    pub share: f64,
    /// How many per round and seat that it held.
    pub per_round: f64,
}

/// Quantiles of the time per move, in milliseconds. Forced moves are not asked for and not counted;
/// moves that were decided together count with equal shares of their time.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Millis {
    /// The median.
    pub p50: f64,
    /// 99 % of the moves took at most this.
    pub p99: f64,
}

/// What only a round robin tells. Bots are places in [`Report::bots`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundRobin {
    /// Number of different sets of bots that sat at a table together.
    pub tables: u64,
    /// `[bots][bots]`: how the bot of the row did against that of the column; none on the diagonal and
    /// where the two never met.
    pub cross_play: Vec<Vec<Option<Meeting>>>,
    /// What the ratings were made with.
    pub ratings: Ratings,
}

/// How one bot did against another one.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// Mean of 1 where it was placed ahead, 0 where they shared a place, −1 where it was placed behind,
    /// over all rounds and pairs of seats.
    pub ahead: Interval,
    /// Number of deals in which both sat at the table.
    pub deals: u64,
}

/// How ratings were made: see [`crate::arena::ratings`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ratings {
    /// What has rating 0.
    pub anchor: Anchor,
    /// Number of orders in which the deals were rated; ratings are means over them.
    pub orders: u64,
    /// Resamples of the deals behind the intervals.
    pub resamples: u64,
    /// Standard deviation of one order's rating about the mean over the orders, the largest of any bot: what
    /// chance in the order would add to a rating from one.
    pub order_noise: f64,
}

/// What has rating 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// The bot that plays at random.
    Random,
    /// The mean of all bots, where none plays at random.
    Mean,
}

/// How a contest ended that went on until it knew whether the first bot is stronger than the others: see
/// [`crate::arena::sequential`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The place scores told apart: the first bot's is `delta`, or it is `-delta`.
    pub delta: f64,
    /// What was found.
    pub decision: Decision,
    /// Logarithm of how much better `delta` explains the deals than `-delta`.
    pub log_likelihood_ratio: f64,
    /// Where that decides: this and more, or minus this and less.
    pub bound: f64,
    /// How often it was looked at.
    pub looks: u64,
    /// The most deals that would have been played.
    pub most_deals: u64,
}

/// What a contest that goes on until it knows has found.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// The first bot is stronger than the others.
    Stronger,
    /// It is weaker.
    Weaker,
    /// The deals ran out first.
    Unknown,
}

/// What luck was measured with: see [`crate::arena::luck`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Luck {
    /// What is known of each deal from a game in which the built-in player held all seats.
    pub covariates: Vec<String>,
    /// Deals, none of those measured, that the coefficients were found from.
    pub fitted_deals: u64,
    /// Deals, none of those either, that the means of the covariates were found from.
    pub reference_deals: u64,
}

/// The figures of a bot that are adjusted for luck.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdjustedFigures {
    /// [`BotReport::place_score`].
    pub place_score: Adjusted,
    /// [`BotReport::points_ahead`].
    pub points_ahead: Adjusted,
}

/// A figure adjusted for luck.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Adjusted {
    /// Whether it was adjusted. Where that would not make the interval narrower, on the deals that the
    /// coefficients were found from and on those measured, it is left alone.
    pub used: bool,
    /// How many times narrower the interval of the deals that the coefficients were found from would be, paid
    /// for with the coefficients.
    pub fitted: f64,
    /// How many times narrower the measured interval is, or would be, the doubt about the covariates'
    /// means included.
    pub narrower: f64,
    /// The adjusted figure; the figure as it was unless `used`.
    pub figure: Interval,
}

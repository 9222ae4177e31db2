//! The results of a contest, in the form of their JSON.

use cardsharp_env::seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::games::RecordedSession;
use crate::bots::program::{Fault, Faults};
use crate::stats::Interval;

/// The report of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Name of the game.
    pub game: String,
    /// Number of seats at each table.
    pub players: usize,
    /// The rules, with all options.
    pub rules: Value,
    /// Number of deals. Each deal is a session, played once from every seat.
    pub deals: u64,
    /// Rounds in a session; the maximum if sessions differ.
    pub rounds: u64,
    /// Seed of the deals and of the bots' randomness.
    #[serde(with = "seed::recorded")]
    #[schemars(schema_with = "seed::recorded::schema")]
    pub seed: u64,
    /// Bot of each seat when a deal is first played, as an index into `bots`. Missing if the first bot has seat 0 and
    /// the second bot all others, or if every bot has the seat with its index. Also missing in a round robin, where the
    /// seats differ from deal to deal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<usize>,
    /// Results of each bot, in the order in which the bots were named.
    pub bots: Vec<BotReport>,
    /// Results that only a round robin has; missing in other contests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_robin: Option<RoundRobin>,
    /// Result of the sequential test; missing in a contest without such a test. With it, all intervals are valid at any
    /// time; without it, they are valid for the fixed number of deals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Recorded games, for people to look at; missing if none were recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<RecordedSession>,
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
    pub fn decision(&self) -> StrengthVerdict {
        let Interval { low, high, .. } = self.place_score();
        match (low > 0.0, high < 0.0) {
            _ if self.deals < FEW => StrengthVerdict::Unknown,
            (true, _) => StrengthVerdict::Stronger,
            (_, true) => StrengthVerdict::Weaker,
            _ => StrengthVerdict::Unknown,
        }
    }
}

/// Results of one bot. Means are per round and seat: a bot with two seats counts twice in a round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BotReport {
    /// Name of the bot.
    pub name: String,
    /// Place score, from −1 to 1: 1 for the first place, −1 for the last, 0 on average. It is 1 − 2(place − 1)/(players
    /// of the round − 1); ties count half.
    pub place_score: Interval,
    /// Share of first places, 0 to 1.
    pub first_rate: Interval,
    /// Points, as the game counts them.
    pub points: Interval,
    /// Points minus the mean points of the other seats in the same round. Missing in reports of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_ahead: Option<Interval>,
    /// Share of each place, best first, `[players]`, each 0 to 1. They add up to 1.
    pub places: Vec<f64>,
    /// Results for each kind of contract; missing in games without contracts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<Contracts>,
    /// How often the bot made each kind of move; missing unless requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub habits: Option<HabitCounts>,
    /// Number of deals in which the bot had a seat; missing unless the contest is a round robin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
    /// Rating in points; missing unless the contest is a round robin. A bot with 400 points more is placed ahead in 10
    /// of 11 comparisons. With 100 points more, it is placed ahead in 64 of 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Interval>,
    /// Time per move, in milliseconds. Missing in bundles, so that exporting the same bot gives byte-identical files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms_per_move: Option<Millis>,
    /// Failures of a program to name a legal move in time; missing for bots that are not programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Faults>,
    /// The first exchange in which a program failed; missing without failures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_fault: Option<Fault>,
}

impl BotReport {
    /// Describes the faults of a program. Returns `None` without faults, or if the bot is not a program.
    pub fn faults_summary(&self) -> Option<String> {
        self.faults?.summary(&self.name, self.first_fault.as_ref())
    }
}

/// How often a bot undertook one kind of contract, and its results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contracts {
    /// Name of the kind of contract.
    pub name: String,
    /// Number of rounds in which the bot undertook such a contract.
    pub count: u64,
    /// Share of the bot's rounds in which it undertook such a contract, 0 to 1.
    pub share: f64,
    /// Share of these contracts that were made, 0 to 1; 0 if there were none.
    pub made: f64,
    /// Mean points of the bot in these rounds; 0 if there were none.
    pub points: f64,
}

/// How often a bot made each kind of move. Only decisions with a choice count, because a bot is not asked for forced
/// moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HabitCounts {
    /// Number of decisions with a choice.
    pub decisions: u64,
    /// Decisions per round and seat.
    pub per_round: f64,
    /// All kinds of moves, in the order of the game. A move can be of several kinds or of none.
    pub kinds: Vec<Habit>,
}

/// How often a bot made moves of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Habit {
    /// Name of the kind of move, in the game's words.
    pub name: String,
    /// Number of such moves.
    pub count: u64,
    /// Share of the bot's decisions, 0 to 1.
    pub share: f64,
    /// Such moves per round and seat.
    pub per_round: f64,
}

/// Quantiles of the time per move, in milliseconds. Forced moves do not count. Moves that were computed as one batch
/// share its time equally.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Millis {
    /// The time within which half of the moves were made.
    pub p50: f64,
    /// The time within which 99 % of the moves were made.
    pub p99: f64,
}

/// Results that only a round robin has. Bots have the same order as `bots` in the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundRobin {
    /// Number of different sets of bots that played at a table together.
    pub tables: u64,
    /// Results of the bot of the row against the bot of the column, `[bots][bots]`. Null on the diagonal and for two
    /// bots that never met.
    pub cross_play: Vec<Vec<Option<Meeting>>>,
    /// How the ratings were computed.
    pub ratings: Ratings,
}

/// Results of one bot against another.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// Mean over all rounds and pairs of their seats, −1 to 1. A pair counts 1 if the bot was placed ahead, 0 for a
    /// shared place and −1 if it was placed behind.
    pub ahead: Interval,
    /// Number of deals in which both bots had a seat.
    pub deals: u64,
}

/// How the ratings were computed, with the full-pair Bradley–Terry update of Weng and Lin (2011).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Ratings {
    /// The reference that has rating 0.
    pub anchor: Anchor,
    /// Number of orders in which the deals were rated. A rating is the mean over these orders.
    pub orders: u64,
    /// Number of bootstrap resamples of the deals, from which the intervals of the ratings come.
    pub resamples: u64,
    /// Standard deviation of a rating over the orders, in rating points, for the bot with the largest one. A rating
    /// from a single order would have this additional random error.
    pub order_noise: f64,
}

/// The reference that has rating 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Anchor {
    /// The bot `random`, if it plays.
    Random,
    /// The mean of all bots, if the bot `random` does not play.
    Mean,
}

/// Result of a sequential probability ratio test (SPRT). The contest ran until the test decided whether the first bot
/// is stronger than the others, or until the deals ran out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// Margin of the test, above 0 and at most 1. The test compares two hypotheses: the place score of the first bot is
    /// `delta`, or it is `-delta`.
    pub delta: f64,
    /// Which hypothesis the test accepted, if any.
    pub decision: StrengthVerdict,
    /// Natural logarithm of the likelihood ratio: how much better `delta` explains the deals than `-delta`.
    pub log_likelihood_ratio: f64,
    /// Limit of `log_likelihood_ratio`. At `bound` or more, the first bot is stronger; at `-bound` or less, it is
    /// weaker.
    pub bound: f64,
    /// Number of times that the test was computed, once after each block of deals.
    pub looks: u64,
    /// Number of deals after which the contest would have ended without a decision.
    pub most_deals: u64,
}

/// Whether the first bot is stronger than the others.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StrengthVerdict {
    /// The first bot is stronger than the others.
    Stronger,
    /// The first bot is weaker than the others.
    Weaker,
    /// Undecided: there were not enough deals.
    Unknown,
}

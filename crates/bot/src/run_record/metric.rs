//! The metrics of a training run: the columns of `metrics.csv` and `timing.csv`, which are also TensorBoard tags.
//!
//! The trainer writes them by these names, and everything that shows a run reads them by these names.
//! `cardsharp describe metrics` lists them.

use std::borrow::Cow;

use serde::Serialize;

/// The first column of every table of a run: the iteration, from 1.
pub const ITERATION: &str = "iteration";
/// The second column of `metrics.csv`: decisions of the learner since the run began, the step of TensorBoard.
pub const DECISIONS: &str = "decisions";

/// The part of a metric's name that stands for a baseline.
const BASELINE: &str = "NAME";

/// A metric. The name of its group is the part of its name before the slash.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Metric {
    /// Its column and TensorBoard tag. `NAME` stands for a baseline.
    pub name: &'static str,
    /// Its unit; empty for counts, shares and scores.
    pub unit: &'static str,
    /// What it measures, in words.
    pub meaning: &'static str,
    /// What its value should do; empty if there is no rule.
    pub good: &'static str,
}

impl Metric {
    /// Returns the name for a baseline.
    pub fn against(&self, opponent: &str) -> String {
        self.name.replacen(BASELINE, opponent, 1)
    }

    /// Returns the baseline in the name of a column, if the column has this metric.
    pub fn opponent_in<'c>(&self, column: &'c str) -> Option<&'c str> {
        let (before, after) = self.name.split_once(BASELINE)?;
        column.strip_prefix(before)?.strip_suffix(after)
    }

    /// Returns whether a column has this metric.
    pub fn is_column(&self, column: &str) -> bool {
        self.name == column || self.opponent_in(column).is_some()
    }

    /// Returns a title with the unit, and with what the value should do.
    pub fn titled(&self, title: &str) -> String {
        let unit =
            if self.unit.is_empty() { Cow::Borrowed("") } else { format!(", in {}", self.unit).into() };
        let good = if self.good.is_empty() { Cow::Borrowed("") } else { format!("; {}", self.good).into() };
        format!("{title}{unit}{good}")
    }
}

/// Metrics that belong together.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MetricSection {
    /// What these metrics measure, as a heading.
    pub title: &'static str,
    /// What they have in common; empty if nothing needs to be said.
    pub about: &'static str,
    /// The metrics, in the order of the documentation.
    pub metrics: &'static [Metric],
}

/// Defines a constant for each metric, and [`SECTIONS`] with all of them.
macro_rules! metrics {
    ($($title:literal, $about:literal: { $($id:ident = $name:literal, $unit:literal, $meaning:literal, $good:literal;)* })*) => {
        $($(
            #[doc = concat!("`", $name, "`: ", $meaning, ".")]
            pub const $id: Metric = Metric { name: $name, unit: $unit, meaning: $meaning, good: $good };
        )*)*

        /// All metrics, in the order of the documentation.
        pub const SECTIONS: &[MetricSection] =
            &[$(MetricSection { title: $title, about: $about, metrics: &[$($id),*] }),*];
    };
}

metrics! {
    "Strength", "The learner is the bot in training. `NAME` is `scripted` or `random`. Baselines from files are `bot1`, \
    `bot2`, … by their position in `evaluate.opponents`. A place score is 1 for the first place, −1 for the last, 0 on \
    average.": {
        PLACE_SCORE = "arena/NAME/place_score", "",
            "place score of the learner in one seat among copies of the baseline, on `evaluate.deals` deals",
            "higher is better";
        PLACE_SCORE_LOW = "arena/NAME/place_score_low", "", "lower bound of its 95 % confidence interval", "";
        PLACE_SCORE_HIGH = "arena/NAME/place_score_high", "", "upper bound of its 95 % confidence interval", "";
        FIRST_RATE = "arena/NAME/first_rate", "", "share of first places", "higher is better";
    }
    "Rollout", "": {
        SESSIONS = "rollout/sessions", "", "sessions of the iteration", "";
        ROUNDS = "rollout/rounds", "", "rounds in them", "";
        ROLLOUT_DECISIONS = "rollout/decisions", "", "decisions of the learner in them, without forced moves", "";
        SCORE_PAST = "rollout/score_past", "", "place score of the learner's seats in sessions with a snapshot",
            "about 0 or above";
        SCORE_SCRIPTED = "rollout/score_scripted", "", "the same in sessions with the scripted bot", "higher is better";
        SCORE_OPPONENT = "rollout/score_opponent", "", "the same in sessions with `league.opponent`", "higher is better";
        SNAPSHOTS = "league/snapshots", "", "snapshots in the pool", "";
    }
    "All algorithms", "": {
        VALUE_LOSS = "loss/value", "",
            "half the mean squared error of the value head; linear beyond `ppo.value_huber` or `dmc.huber`",
            "lower is better";
        GRADIENT_NORM = "loss/gradient_norm", "", "mean gradient norm of the policy network before clipping",
            "should not grow";
        LEARNING_RATE = "policy/learning_rate", "", "value of the schedule", "";
        STEPS = "policy/steps", "", "optimizer steps; fewer than planned if `ppo.target_kl` ended the iteration", "";
        EXPLAINED_VARIANCE = "value/explained_variance", "",
            "share of the variance of returns that the value head predicts; 1 is perfect, 0 no better than the mean",
            "higher is better";
        RETURN_MEAN = "value/return_mean", "", "mean return of the rollout", "";
    }
    "PPO", "": {
        POLICY_LOSS = "loss/policy", "",
            "mean clipped objective, negated; cross-entropy during imitation, which should fall", "";
        CRITIC_LOSS = "loss/critic", "", "half the mean squared error of the critic (`net.critic`)", "lower is better";
        ENTROPY = "policy/entropy", "nats", "mean entropy over legal actions; 0 is a deterministic policy", "falls slowly";
        APPROX_KL = "policy/approx_kl", "nats", "policy change within the iteration, (r − 1) − ln r", "below 0.05";
        CLIP_FRACTION = "policy/clip_fraction", "", "share of decisions with a ratio outside 1 ± `ppo.clip`", "0.05 to 0.3";
        ENTROPY_WEIGHT = "policy/entropy_weight", "", "value of the schedule", "";
        REFERENCE_KL = "policy/reference_kl", "nats", "mean KL(π ‖ reference policy) (`ppo.reference_policy`)", "";
        UNIFORM_KL = "policy/uniform_kl", "nats",
            "mean KL(uniform ‖ π); large if actions are almost never played (`ppo.uniform_kl`)", "";
        CRITIC_EXPLAINED_VARIANCE = "critic/explained_variance", "", "explained variance of the critic", "higher is better";
        ADVANTAGE_DEVIATION = "value/advantage_deviation", "",
            "standard deviation of the advantages, before normalization", "";
    }
    "Distillation", "Runs with `distill.weight` above 0 also have these.": {
        TARGET_KL = "rollout/moved", "nats", "mean KL(target ‖ π) of the targets in the rollout, for the policy that played it",
            "";
        NEW_TARGETS = "distill/new", "", "distillation targets in the rollout", "";
        BUFFER_SIZE = "distill/buffer_size", "", "targets in the replay buffer", "";
        DIVERGENCE = "distill/divergence", "nats", "mean KL(target ‖ π) of the sampled targets", "lower is better";
    }
    "Deep Monte Carlo", "": {
        ACTION_LOSS = "loss/action", "",
            "half the mean squared error of the played action's value; linear beyond `dmc.huber`", "lower is better";
        EXPLORATION = "policy/exploration", "", "value of the schedule", "";
        ACTION_EXPLAINED_VARIANCE = "value/action_explained_variance", "",
            "explained variance of the action values, while learning", "higher is better";
        RETURN_DEVIATION = "value/return_deviation", "", "standard deviation of the returns of the rollout", "";
    }
    "Time", "`timing.csv` has these columns. With `rollout.overlap`, most of `time/rollout` passes while another iteration \
    learns.": {
        DECISION_RATE = "throughput/decisions_per_second", "decisions per second",
            "learner decisions over the time of the whole iteration, evaluation included", "higher is better";
        ROLLOUT_RATE = "throughput/rollout", "decisions per second", "learner decisions over the time of the rollout",
            "higher is better";
        LEARNER_RATE = "throughput/learner", "decisions per second",
            "decisions that the learner processes, all epochs counted, over the time of the update", "higher is better";
        ITERATION_TIME = "time/iteration", "seconds", "the whole iteration", "";
        ROLLOUT_TIME = "time/rollout", "seconds", "the rollout", "";
        LEARN_TIME = "time/learn", "seconds", "the update", "";
        NETWORK_TIME = "time/network", "seconds", "network and loss within the update, summed over threads", "";
        OPTIMIZER_TIME = "time/optimizer", "seconds", "the optimizer within the update", "";
        EVALUATE_TIME = "time/evaluate", "seconds", "the evaluation", "";
        CORE_TIME = "time/cores", "seconds",
            "the iteration without its evaluation, times the number of threads; empty if workers play the rollout", "";
    }
    "Histograms", "Only in the TensorBoard events, every `metrics.histograms_every` iterations.": {
        ADVANTAGES = "value/advantages", "", "advantages of the rollout, before normalization", "";
        RETURNS = "value/returns", "", "returns of the rollout", "";
        WEIGHTS = "policy/weights", "", "all weights of the policy network", "";
    }
}

/// The metrics of an evaluation against a baseline.
pub const ARENA: [Metric; 4] = [PLACE_SCORE, PLACE_SCORE_LOW, PLACE_SCORE_HIGH, FIRST_RATE];

/// The names of metrics in CleanRL and in Stable-Baselines3.
pub const ALIASES: &[(Metric, &str, &str)] = &[
    (SCORE_SCRIPTED, "`charts/episodic_return` (similar)", "`rollout/ep_rew_mean` (similar)"),
    (POLICY_LOSS, "`losses/policy_loss`", "`train/policy_gradient_loss`"),
    (VALUE_LOSS, "`losses/value_loss`", "`train/value_loss`"),
    (ENTROPY, "`losses/entropy`", "`train/entropy_loss` (opposite sign)"),
    (APPROX_KL, "`losses/approx_kl`", "`train/approx_kl`"),
    (CLIP_FRACTION, "`losses/clipfrac`", "`train/clip_fraction`"),
    (EXPLAINED_VARIANCE, "`losses/explained_variance`", "`train/explained_variance`"),
    (LEARNING_RATE, "`charts/learning_rate`", "`train/learning_rate`"),
    (STEPS, "", "`train/n_updates` (cumulative)"),
    (DECISION_RATE, "`charts/SPS`", "`time/fps`"),
    (ITERATION_TIME, "", "`time/time_elapsed` (cumulative)"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_has_a_name_of_its_own_and_a_group() {
        let names: Vec<&str> =
            SECTIONS.iter().flat_map(|section| section.metrics).map(|metric| metric.name).collect();
        for (number, name) in names.iter().enumerate() {
            assert!(!names[..number].contains(name), "{name} twice");
            assert!(name.contains('/') && name.chars().all(|c| c.is_ascii_graphic() && c != ','), "{name}");
        }
        assert!(names.len() > 40);
    }

    #[test]
    fn names_of_baselines_are_put_in_and_found_again() {
        assert_eq!(PLACE_SCORE.against("a/b"), "arena/a/b/place_score");
        assert_eq!(PLACE_SCORE.opponent_in("arena/a/b/place_score"), Some("a/b"));
        assert_eq!(PLACE_SCORE.opponent_in("arena/a/b/place_score_low"), None);
        assert_eq!(ENTROPY.opponent_in("policy/entropy"), None);
    }

    #[test]
    fn titles_say_unit_and_direction() {
        assert_eq!(ENTROPY.titled("Policy entropy"), "Policy entropy, in nats; falls slowly");
        assert_eq!(SESSIONS.titled("Sessions"), "Sessions");
    }
}

//! The state machine of a sweep: which run is due, what runs measured, and which settings end.
//!
//! The rule that stops a setting compares it only with lower numbers, so decisions do not depend on the order of results.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::error::SweepError;
use super::plan::{Method, Rule, RunIndex, Setting, SweepPlan};
use super::sampler::{Known, suggest};
use crate::config::Config;

/// Whether a run continues after a measurement.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It continues with the next iteration.
    GoOn,
    /// It has to wait for a decision: it saves a checkpoint and exits. It is due again if its setting is not stopped.
    Hold,
    /// All its iterations are done, or its setting has ended.
    Ended,
}

/// How a setting ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", tag = "end")]
pub enum SettingEnd {
    /// All iterations are done.
    Finished,
    /// It was stopped early, because its best mean was below the median of other settings.
    Stopped {
        /// The median that it was below.
        median: f64,
    },
    /// One of its runs failed.
    Failed {
        /// The error, and the seed of that run.
        reason: String,
    },
    /// Its values form an invalid configuration.
    Refused {
        /// The error of the configuration.
        reason: String,
    },
}

/// A setting, with the values that its runs measured.
#[derive(Debug)]
pub(super) struct SettingState {
    pub(super) values: Setting,
    /// Iterations after which its runs are measured, including the last one.
    pub(super) rungs: Vec<u64>,
    /// For each seed, the values that its run measured.
    reported: Vec<Vec<f64>>,
    /// For each seed, why its run failed after these measurements, if it did.
    failed: Vec<Option<String>>,
    /// Mean scores over seeds, one for each measurement that was decided; higher is better.
    means: Vec<f64>,
    pub(super) end: Option<SettingEnd>,
}

impl SettingState {
    /// Returns the iteration and the values of all seeds at the last decided measurement; none before the first.
    pub(super) fn last(&self) -> Option<(u64, Vec<f64>)> {
        let rung = self.means.len().checked_sub(1)?;
        Some((self.rungs[rung], self.reported.iter().map(|reported| reported[rung]).collect()))
    }

    /// Returns the index of the measurement after `iteration`, if there is one.
    fn rung(&self, iteration: u64) -> Option<usize> {
        self.rungs.binary_search(&iteration).ok()
    }
}

/// A sweep in progress.
#[derive(Debug)]
pub struct Sweep {
    plan: SweepPlan,
    settings: Vec<SettingState>,
    /// Runs that a caller trains now.
    out: BTreeSet<RunIndex>,
}

impl Sweep {
    /// Starts a sweep without any results.
    pub fn new(plan: SweepPlan) -> Self {
        let first = plan.first();
        let mut sweep = Self { plan, settings: Vec::new(), out: BTreeSet::new() };
        first.into_iter().for_each(|values| sweep.add(values));
        sweep.advance();
        sweep
    }

    /// Returns the plan that the sweep follows.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    pub(super) fn settings(&self) -> &[SettingState] {
        &self.settings
    }

    /// Returns the number of settings so far.
    pub fn known(&self) -> usize {
        self.settings.len()
    }

    /// Returns the values of a setting.
    pub fn values(&self, setting: usize) -> &[Value] {
        &self.settings[setting].values
    }

    /// Returns how a setting ended; none while it trains.
    pub fn end(&self, setting: usize) -> Option<&SettingEnd> {
        self.settings[setting].end.as_ref()
    }

    /// Returns the iteration and the mean over seeds at the last decided measurement of a setting.
    pub fn mean(&self, setting: usize) -> Option<(u64, f64)> {
        let (iteration, figures) = self.settings[setting].last()?;
        Some((iteration, figures.iter().sum::<f64>() / figures.len() as f64))
    }

    /// Whether every setting has ended.
    pub fn is_over(&self) -> bool {
        self.settings.len() == self.plan.trials && self.settings.iter().all(|state| state.end.is_some())
    }

    /// Returns the configuration of a run.
    ///
    /// # Errors
    /// The values form an invalid configuration. This never happens to a run that is due.
    pub fn config(&self, run: RunIndex) -> Result<Config, SweepError> {
        Ok(self.plan.config_of(self.values(run.setting), self.plan.seeds[run.seed])?)
    }

    /// Returns the first run that may continue and that no caller trains; none if there is none now. It belongs to the
    /// caller until [`Sweep::release`].
    pub fn ask(&mut self) -> Option<RunIndex> {
        let seeds = 0..self.plan.seeds.len();
        let all = (0..self.settings.len())
            .flat_map(|setting| seeds.clone().map(move |seed| RunIndex { setting, seed }));
        let due = |run: &RunIndex| {
            let failed = self.settings[run.setting].failed[run.seed].is_some();
            !failed && !self.out.contains(run) && self.verdict(*run) == Verdict::GoOn
        };
        let run = all.into_iter().find(due)?;
        self.out.insert(run);
        Some(run)
    }

    /// Says that the caller does not train the run any more.
    pub fn release(&mut self, run: RunIndex) {
        self.out.remove(&run);
    }

    /// Whether a run is measured after this iteration.
    pub fn is_measured(&self, run: RunIndex, iteration: u64) -> bool {
        self.settings[run.setting].rung(iteration).is_some()
    }

    /// Records the value that a run measured after `iteration`. An earlier value may be repeated.
    ///
    /// # Errors
    /// The run measured another value after this iteration before, or it skipped a measurement.
    pub fn tell(&mut self, run: RunIndex, iteration: u64, figure: f64) -> Result<Verdict, SweepError> {
        let setting = &mut self.settings[run.setting];
        let reported = &mut setting.reported[run.seed];
        let expected = setting.rungs.get(reported.len()).copied();
        match setting.rungs.binary_search(&iteration).ok() {
            Some(rung) if rung < reported.len() => {
                let before = reported[rung];
                if before.to_bits() != figure.to_bits() {
                    return Err(SweepError::Otherwise { run, iteration, before, now: figure });
                }
            }
            Some(rung) if rung == reported.len() && figure.is_finite() => reported.push(figure),
            Some(rung) if rung == reported.len() => {
                self.fail(run, format!("its figure at iteration {iteration} is no number"));
            }
            _ => return Err(SweepError::Order { run, iteration, expected }),
        }
        self.advance();
        Ok(self.verdict(run))
    }

    /// Marks a run as failed. Its setting ends.
    pub fn fail(&mut self, run: RunIndex, reason: String) {
        self.settings[run.setting].failed[run.seed].get_or_insert(reason);
        self.advance();
    }

    /// Whether a run may continue now.
    pub fn verdict(&self, run: RunIndex) -> Verdict {
        let state = &self.settings[run.setting];
        let reported = state.reported[run.seed].len();
        match state.end {
            Some(_) => Verdict::Ended,
            None if reported == state.rungs.len() => Verdict::Ended,
            None if reported <= self.limit(run.setting) => Verdict::GoOn,
            None => Verdict::Hold,
        }
    }

    /// Returns the index of the measurement after which the runs of a setting have to wait for a decision.
    fn limit(&self, setting: usize) -> usize {
        let state = &self.settings[setting];
        let gate = (state.means.len()..state.rungs.len()).find(|&rung| self.may_stop(setting, rung));
        // If a run failed, the others train up to the first measurement that it lacks. There the setting ends.
        let failed = state
            .failed
            .iter()
            .zip(&state.reported)
            .filter_map(|(failed, reported)| failed.as_ref().map(|_| reported.len()));
        gate.unwrap_or(state.rungs.len() - 1).min(failed.min().unwrap_or(usize::MAX))
    }

    /// Whether the stop rule can end a setting at this measurement.
    fn may_stop(&self, setting: usize, rung: usize) -> bool {
        let (stop, rungs) = (&self.plan.stop, &self.settings[setting].rungs);
        stop.rule == Rule::Median
            && setting >= stop.after
            && rungs[rung] >= stop.from
            && rung + 1 < rungs.len()
    }

    /// Makes all decisions that are possible now.
    fn advance(&mut self) {
        loop {
            let decided = (0..self.settings.len()).any(|setting| self.decide(setting));
            if !decided && !self.propose() {
                return;
            }
        }
    }

    /// Decides on the next measurement of a setting, if all values that the decision depends on are known. Returns
    /// whether it did.
    fn decide(&mut self, setting: usize) -> bool {
        let state = &self.settings[setting];
        let rung = state.means.len();
        if state.end.is_some() {
            return false;
        }
        let runs = || state.reported.iter().zip(&state.failed).zip(&self.plan.seeds);
        if !runs().all(|((reported, failed), _)| reported.len() > rung || failed.is_some()) {
            return false;
        }
        let failed = runs().find(|((reported, _), _)| reported.len() <= rung);
        if let Some(((_, failed), seed)) = failed {
            let reason = failed.as_deref().unwrap_or_default();
            let end = SettingEnd::Failed { reason: format!("seed {seed}: {reason}") };
            self.settings[setting].end = Some(end);
            return true;
        }
        let figures: Vec<f64> = state.reported.iter().map(|reported| reported[rung]).collect();
        let mean = self.plan.score(figures.iter().sum::<f64>() / figures.len() as f64);
        let own = [&state.means[..], &[mean]].concat();
        let stopped = match self.may_stop(setting, rung) {
            false => None,
            true => match self.others(setting, state.rungs[rung]) {
                None => return false,
                Some(others) if others.len() < self.plan.stop.after => None,
                Some(others) => median_to_stop(&own, &others),
            },
        };
        let last = rung + 1 == state.rungs.len();
        let state = &mut self.settings[setting];
        state.means = own;
        state.end = match stopped {
            Some(median) => Some(SettingEnd::Stopped { median: self.plan.score(median) }),
            None => last.then_some(SettingEnd::Finished),
        };
        true
    }

    /// Returns the average up to `iteration` of each setting with a lower number that was measured then; none while one
    /// of them is unknown.
    fn others(&self, setting: usize, iteration: u64) -> Option<Vec<f64>> {
        let mut averages = Vec::new();
        for state in &self.settings[..setting] {
            let Some(rung) = state.rung(iteration) else { continue };
            match state.means.get(..=rung) {
                Some(means) => averages.push(average(means)),
                None if state.end.is_some() => {}
                None => return None,
            }
        }
        Some(averages)
    }

    /// Adds the next batch of suggestions if it is due. Returns whether it did.
    fn propose(&mut self) -> bool {
        let left = self.plan.trials - self.settings.len();
        let ended = self.settings.iter().all(|state| state.end.is_some());
        if self.plan.method != Method::Suggested || left == 0 || !ended {
            return false;
        }
        let worst = f64::NEG_INFINITY;
        let known = self.settings.iter().map(|state| {
            let nothing = matches!(state.end, Some(SettingEnd::Failed { .. } | SettingEnd::Refused { .. }));
            let score = if nothing { worst } else { state.means.last().copied().unwrap_or(worst) };
            Known { values: state.values.clone(), score }
        });
        let mut known: Vec<Known> = known.collect();
        for number in known.len()..known.len() + self.plan.batch.min(left) {
            let values = suggest(&self.plan.fields, self.plan.seed, number as u64, &known);
            known.push(Known { values, score: worst });
        }
        known.drain(self.settings.len()..).for_each(|known| self.add(known.values));
        true
    }

    fn add(&mut self, values: Setting) {
        let seeds = self.plan.seeds.len();
        let mut state = SettingState {
            values,
            rungs: Vec::new(),
            reported: vec![Vec::new(); seeds],
            failed: vec![None; seeds],
            means: Vec::new(),
            end: None,
        };
        match self.plan.config_of(&state.values, self.plan.seeds[0]) {
            Ok(config) => state.rungs = rungs(&config),
            Err(error) => state.end = Some(SettingEnd::Refused { reason: error.problem().to_string() }),
        }
        self.settings.push(state);
    }
}

/// Returns the iterations after which runs of a configuration are measured.
fn rungs(config: &Config) -> Vec<u64> {
    let (every, last) = (config.evaluate.every, config.iterations);
    let during =
        (1..).map_while(|number: u64| every.checked_mul(number).filter(|at| every > 0 && *at < last));
    during.chain([last]).collect()
}

/// The mean scores of a setting over its seeds, one for each measurement so far; higher is better.
type Curve<'a> = &'a [f64];

/// The median rule (Golovin et al.: "Google Vizier: A Service for Black-Box Optimization", 2017, section 3.2.2), applied
/// to means over seeds: returns the median of the other settings' averages, if the best mean of `own` is below it. Then
/// the setting is stopped.
fn median_to_stop(own: Curve<'_>, others: &[f64]) -> Option<f64> {
    let best = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let median = median(others)?;
    (best < median).then_some(median)
}

/// Returns the average of a curve.
fn average(curve: Curve<'_>) -> f64 {
    curve.iter().sum::<f64>() / curve.len() as f64
}

fn median(of: &[f64]) -> Option<f64> {
    let mut sorted = of.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted.get(of.len().checked_sub(1)? / 2)?, sorted.get(of.len() / 2)?);
    Some((low + high) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::{average, median_to_stop};

    #[test]
    fn a_setting_below_the_median_of_averages_is_stopped() {
        // Curves of others, made up: a slow one, a fast one, one that never learns.
        let others = [[0.0, 0.2, 0.4], [0.3, 0.4, 0.5], [-0.5, -0.5, -0.5]];
        let at = |rung: usize| others.map(|curve| average(&curve[..=rung]));
        assert_eq!(median_to_stop(&[-0.1], &at(0)), Some(0.0));
        assert_eq!(median_to_stop(&[0.0], &at(0)), None, "as good as the median");
        // The best measurement counts, not the last one.
        assert_eq!(median_to_stop(&[0.1, 0.05], &at(1)), None);
        assert_eq!(
            median_to_stop(&[0.05, 0.05], &at(1)).map(|median| (median * 1e9).round() / 1e9),
            Some(0.1)
        );
        assert_eq!(median_to_stop(&[0.1], &[]), None);
        // The median of two numbers is their mean.
        assert_eq!(median_to_stop(&[0.1], &[0.0, 0.5]), Some(0.25));
    }
}

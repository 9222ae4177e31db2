//! Calibration of a belief model on sessions that it did not learn from.

use cardsharp_bot::beliefs::{DEFAULT_CANDIDATES, Model, ViewWeights};
use cardsharp_bot::workers::{Stopped, until_stopped};
use serde::Serialize;

use super::samples::{Samples, sample};
use super::{SESSIONS, SampleSource, UNITS};

/// Number of deals that are drawn for each decision.
const DEALS: usize = 1024;
/// First iteration number; iterations of learning have lower numbers.
const APART: u64 = 1 << 32;
/// Number of ranges of forecasts.
const BINS: usize = 10;

/// The quality of forecasts of everything that the view leaves open: whether a seat holds at least one, two, … of a
/// card. The model's forecasts are frequencies in drawn deals, each chosen by weight from eight candidates.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Calibration {
    /// Number of decisions whose views were forecast.
    pub decisions: u64,
    /// Number of forecasts at these decisions.
    pub forecasts: u64,
    /// Mean loss of a forecast in nats.
    pub log_loss: Comparison,
    /// Mean squared error of a forecast.
    pub brier: Comparison,
    /// Mean log of the true deal's weight over the average weight of drawn deals, in nats.
    pub gained: f64,
    /// Effective number of eight candidates: the squared sum of their weights over the sum of the squares.
    pub effective: f64,
    /// Forecasts of the model, by predicted probability.
    pub bins: Vec<Bin>,
}

/// A number for uniform weights and for the model's weights.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// With uniform weights on all deals.
    pub alike: f64,
    /// With the model's weights.
    pub weighed: f64,
}

/// Forecasts with similar probabilities.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bin {
    /// Number of forecasts at these decisions.
    pub forecasts: u64,
    /// Mean of the predicted probabilities.
    pub said: f64,
    /// Share of forecasts that came true.
    pub was: f64,
}

/// Evaluates the model on about `decisions` decisions that it did not learn from.
///
/// # Errors
/// `stop` was set.
pub fn calibrate(source: &SampleSource<'_>, model: &Model, decisions: u64) -> Result<Calibration, Stopped> {
    let mut all = Calibration { bins: vec![Bin::default(); BINS], ..Calibration::default() };
    let mut iteration = APART;
    while all.decisions < decisions {
        let units = until_stopped(source.threads, UNITS, source.stop, |unit| {
            let samples = sample(source, [iteration, unit as u64], SESSIONS, DEALS);
            let mut part = Calibration { bins: vec![Bin::default(); BINS], ..Calibration::default() };
            (0..samples.len()).for_each(|decision| part.look(model, &samples, decision));
            part
        })?;
        units.iter().for_each(|part| all.add(part));
        if all.decisions == 0 {
            break;
        }
        iteration += 1;
    }
    all.mean();
    Ok(all)
}

impl Calibration {
    /// Adds the forecasts of one decision; all numbers are sums until [`Calibration::mean`].
    fn look(&mut self, model: &Model, samples: &Samples, decision: usize) {
        let outputs = model.outputs(samples.row(decision));
        let scores: Vec<f64> =
            samples.deals(decision).map(|reached| ViewWeights::score(&outputs, reached).into()).collect();
        let (there, drawn) = (scores[0], &scores[1..]);
        let most = drawn.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = drawn.iter().map(|score| (score - most).exp()).collect();
        self.gained += there - most - (weights.iter().sum::<f64>() / drawn.len() as f64).ln();
        let each = DEFAULT_CANDIDATES as usize;
        for candidates in weights.chunks_mut(each) {
            let sum: f64 = candidates.iter().sum();
            candidates.iter_mut().for_each(|weight| *weight /= sum);
            let squares: f64 = candidates.iter().map(|weight| weight * weight).sum();
            self.effective += each as f64 / (squares * drawn.len() as f64);
        }
        let mut steps = Vec::new();
        samples.reached_in_any(decision, &mut steps);
        let mut chances = vec![Comparison::default(); steps.len()];
        let mut is = vec![false; steps.len()];
        for (deal, reached) in samples.deals(decision).enumerate() {
            for step in reached {
                let Ok(at) = steps.binary_search(step) else { continue };
                match deal.checked_sub(1) {
                    None => is[at] = true,
                    Some(deal) => {
                        chances[at].alike += 1.0 / drawn.len() as f64;
                        chances[at].weighed += weights[deal] * each as f64 / drawn.len() as f64;
                    }
                }
            }
        }
        // Skip what all drawn deals agree on: it is known, or too rare for a forecast from them.
        let open = |chance: &Comparison| chance.alike > 0.0 && chance.alike < 1.0 - 1e-9;
        let least = 0.5 / drawn.len() as f64;
        for (chance, is) in chances.iter().zip(is).filter(|(chance, _)| open(chance)) {
            let loss = |chance: f64| {
                let chance = chance.clamp(least, 1.0 - least);
                if is { -chance.ln() } else { -(1.0 - chance).ln() }
            };
            let off = |chance: f64| (chance - if is { 1.0 } else { 0.0 }).powi(2);
            self.forecasts += 1;
            self.log_loss.alike += loss(chance.alike);
            self.log_loss.weighed += loss(chance.weighed);
            self.brier.alike += off(chance.alike);
            self.brier.weighed += off(chance.weighed);
            let bin = &mut self.bins[((chance.weighed * BINS as f64) as usize).min(BINS - 1)];
            bin.forecasts += 1;
            bin.said += chance.weighed;
            bin.was += if is { 1.0 } else { 0.0 };
        }
        self.decisions += 1;
    }

    fn add(&mut self, other: &Self) {
        self.decisions += other.decisions;
        self.forecasts += other.forecasts;
        self.log_loss.alike += other.log_loss.alike;
        self.log_loss.weighed += other.log_loss.weighed;
        self.brier.alike += other.brier.alike;
        self.brier.weighed += other.brier.weighed;
        self.gained += other.gained;
        self.effective += other.effective;
        for (bin, other) in self.bins.iter_mut().zip(&other.bins) {
            bin.forecasts += other.forecasts;
            bin.said += other.said;
            bin.was += other.was;
        }
    }

    /// Divides the sums by their counts.
    fn mean(&mut self) {
        let (decisions, forecasts) = (self.decisions.max(1) as f64, self.forecasts.max(1) as f64);
        for of in [&mut self.log_loss, &mut self.brier] {
            of.alike /= forecasts;
            of.weighed /= forecasts;
        }
        self.gained /= decisions;
        self.effective /= decisions;
        for bin in &mut self.bins {
            let count = bin.forecasts.max(1) as f64;
            bin.said /= count;
            bin.was /= count;
        }
    }
}

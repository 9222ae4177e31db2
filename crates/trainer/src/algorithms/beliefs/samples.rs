//! Decisions with their true deal and other deals that were possible.

use std::sync::atomic::Ordering;

use cardsharp_bot::{DecisionBatch, beliefs::Marks};
use cardsharp_env::batch::BatchOptions;
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, DealRng, Draw, GameRules, LaneState};

use super::SampleSource;
use crate::nn::OutputLists;
use crate::rollout::Decisions;
use crate::streams::{self, StreamPurpose};

/// Share of decisions that are used: those of one round are similar.
const SHARE: f32 = 0.25;

/// Decisions for a belief model.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Samples {
    /// The observations; the other columns are not used.
    pub(super) decisions: Decisions,
    /// Number of deals of a decision, including the true one.
    each: usize,
    /// The model's outputs ([`Marks`]) that each deal reaches, deal after deal; the true deal of a decision comes
    /// first.
    reached: Vec<u16>,
    /// The end of each deal in `reached`.
    ends: Vec<u32>,
}

impl Samples {
    pub(super) fn len(&self) -> usize {
        self.decisions.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the outputs that each deal of a decision reaches, the true deal first.
    pub(super) fn deals(&self, decision: usize) -> impl Iterator<Item = &[u16]> + Clone {
        let first = decision * self.each;
        (first..first + self.each).map(|deal| {
            let start = deal.checked_sub(1).map_or(0, |before| self.ends[before]);
            &self.reached[start as usize..self.ends[deal] as usize]
        })
    }

    /// Appends the outputs that any deal of a decision reaches, ascending.
    pub(super) fn reached_in_any(&self, decision: usize, steps: &mut Vec<u16>) {
        self.deals(decision).for_each(|reached| steps.extend_from_slice(reached));
        steps.sort_unstable();
        steps.dedup();
    }

    /// Returns the observation of a decision.
    pub(super) fn row(&self, decision: usize) -> &[u8] {
        let cells = self.decisions.rows.len() / self.len();
        &self.decisions.rows[decision * cells..][..cells]
    }

    pub(super) fn append(&mut self, other: &Self) {
        self.each = self.each.max(other.each);
        self.decisions.append(&other.decisions);
        let start = self.reached.len() as u32;
        self.reached.extend_from_slice(&other.reached);
        self.ends.extend(other.ends.iter().map(|end| start + end));
    }

    /// Adds a decision, unless `deals` adds fewer deals than `each`.
    fn push(&mut self, row: &[u8], deals: impl FnOnce(&mut Vec<u16>, &mut Vec<u32>)) {
        let (reached, ends) = (self.reached.len(), self.ends.len());
        deals(&mut self.reached, &mut self.ends);
        if self.ends.len() < ends + self.each {
            self.reached.truncate(reached);
            self.ends.truncate(ends);
            return;
        }
        self.decisions.push(row, &[], &[], ActionId(0), 0.0, 0.0);
    }
}

impl OutputLists for Samples {
    fn lists(&self, decision: usize) -> Vec<&[u16]> {
        self.deals(decision).collect()
    }
}

/// Plays sessions to their ends with the player in every seat. `path` names the random stream. Each decision gets
/// `deals` deals in addition to the true one.
pub(super) fn sample(source: &SampleSource<'_>, path: [u64; 2], sessions: usize, deals: usize) -> Samples {
    let SampleSource { game, tables, player, seed, stop, .. } = *source;
    let marks = Marks::new(game);
    let options = BatchOptions { lanes: sessions, skip_forced: true, rows: true, reveal: true };
    let mut draw = Draw::new(streams::seed(seed, StreamPurpose::BeliefSamples, &path), 0);
    let rules: Vec<GameRules> = (0..sessions).map(|_| tables.draw_rules(game, &mut draw)).collect();
    let mut env = game.batch(&rules, options);
    let mut batch = env.batch();
    (0..sessions).for_each(|lane| env.start(lane, lane, draw.bits(), &mut batch));
    let mut bot = player.bot(draw.bits());
    let mut samples = Samples { each: deals + 1, ..Samples::default() };
    let (mut picks, mut round) = (vec![ActionId(0); sessions], None);
    let mut imagined = vec![0; marks.cells()];
    while batch.state.iter().any(|state| *state != LaneState::Idle) {
        let lanes: Vec<usize> =
            (0..sessions).filter(|&lane| batch.state[lane] == LaneState::Decide).collect();
        for &lane in &lanes {
            if draw.unit() >= SHARE {
                continue;
            }
            let (Some(view), place) = (env.view(lane), draw.bits()) else { continue };
            let (row, hidden) = (batch.row.row(lane), batch.hidden.row(lane));
            samples.push(row.as_slice().unwrap_or_default(), |reached, ends| {
                marks.reached(hidden.as_slice().unwrap_or_default(), reached);
                ends.push(reached.len() as u32);
                for deal in 0..deals as u64 {
                    let dealt = view.determinize(DealRng::new(derive(place, &[deal]), 0), &mut round);
                    let Some(dealt) = dealt else { return };
                    dealt.reveal(view.seat(), &mut imagined);
                    marks.reached(&imagined, reached);
                    ends.push(reached.len() as u32);
                }
            });
        }
        bot.choose(DecisionBatch { env: env.as_ref(), batch: &batch, lanes: &lanes, stop }, &mut picks);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        env.step(&picks, &mut batch);
    }
    samples
}

//! The policy at decisions that a search bot or the endgame solver makes, for distillation targets.

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots::search::Gain;
use cardsharp_bot::net::Scratch;
use cardsharp_env::{ActionId, Batch};

use super::lessons::aim;
use super::{Discounts, Lane, Lessons, Teaching};

/// Where distillation targets are stored.
pub(super) struct Teach<'a> {
    pub(super) teaching: Teaching,
    pub(super) discounts: Discounts,
    pub(super) lessons: &'a mut Lessons,
    /// Sum of KL(target ‖ policy) of the targets, in nats, and their number.
    pub(super) moved: &'a mut (f64, u64),
}

/// The policy, with its outputs at a decision.
pub(super) struct Pupil<'a> {
    policy: &'a dyn PolicyNet,
    scratch: Scratch,
    /// The logits of the last decision that was looked at, `[actions]`.
    pub(super) logits: Vec<f32>,
}

impl<'a> Pupil<'a> {
    pub(super) fn new(policy: &'a dyn PolicyNet) -> Self {
        Self { policy, scratch: Scratch::default(), logits: vec![0.0; policy.actions()] }
    }

    /// Computes the logits of the decision of lane `number`.
    pub(super) fn look(&mut self, batch: &Batch, number: usize) {
        let (row, legal) = (batch.row.row(number), batch.legal.row(number));
        let (row, legal) = (row.as_slice().unwrap_or_default(), legal.as_slice().unwrap_or_default());
        self.policy.forward(row, legal, &mut self.scratch, &mut self.logits);
    }

    /// Stores a lesson from the gains of moves at the decision that was looked at.
    pub(super) fn learn(
        &self,
        (number, lane): (usize, &mut Lane),
        batch: &Batch,
        action: ActionId,
        gains: &[Gain],
        Teach { teaching, discounts, lessons, moved }: Teach<'_>,
    ) {
        let (row, legal, hidden) = (batch.row.row(number), batch.legal.row(number), batch.hidden.row(number));
        let (row, legal) = (row.as_slice().unwrap_or_default(), legal.as_slice().unwrap_or_default());
        lessons.decisions.push(row, legal, hidden.as_slice().unwrap_or_default(), action, 0.0, 0.0);
        let far = aim(legal, &self.logits, gains, teaching.gain_margin, &mut lessons.targets);
        *moved = (moved.0 + f64::from(far), moved.1 + 1);
        lane.lesson_links.decided(batch.seat[number].index(), discounts, &mut lessons.decisions);
    }
}

use std::sync::atomic::AtomicBool;

use cardsharp_bot::net::Scratch;
use cardsharp_env::ActionId;

use super::*;
use crate::algorithms::ppo::{Ppo, PpoConfig};
use crate::algorithms::{Algorithm, Schedule};
use crate::device::Device;
use crate::learner::NetState;
use crate::net::Shape;
use crate::rollout::{Decisions, NONE, ReplayBuffer};

const CELLS: usize = 6;
const ACTIONS: usize = 5;

fn learner() -> Learner {
    let mut draw = Draw::new(3, 0);
    let shape = Shape { inputs: CELLS, hidden: vec![24], heads: vec![ACTIONS, 1] };
    let weights = shape.draw(&[0.01, 1.0], &mut draw);
    Learner {
        policy: NetState::new(shape, weights),
        critic: None,
        reference_policy: None,
        replay_buffer: Some(ReplayBuffer::default()),
        scale: vec![1.0; CELLS],
        hidden_scale: Vec::new(),
    }
}

/// Decisions with random observations, all actions legal, without rewards. The policy that chose them is uniform.
fn decisions(draw: &mut Draw, count: usize) -> Decisions {
    let mut decisions = Decisions::default();
    for _ in 0..count {
        let row: Vec<u8> = (0..CELLS).map(|_| draw.below(2) as u8).collect();
        let action = ActionId(draw.below(ACTIONS as u32) as u16);
        decisions.push(&row, &[(1 << ACTIONS) - 1], &[], action, -(ACTIONS as f32).ln(), 0.0);
    }
    decisions
}

/// Targets: cell 0 decides whether action 1 or action 3 has probability 0.9. The second of a pair earns the reward for
/// both.
fn targets(draw: &mut Draw, count: usize) -> DistillTargets {
    let mut decisions = decisions(draw, count);
    let mut probabilities = vec![0.025; count * ACTIONS];
    for number in 0..count {
        let first = decisions.rows[number * CELLS] == 0;
        probabilities[number * ACTIONS + if first { 1 } else { 3 }] = 0.9;
        let pair = number % 2 == 0 && number + 1 < count;
        decisions.next[number] = if pair { number as u32 + 1 } else { NONE };
        decisions.discounts[number] = if pair { 1.0 } else { 0.0 };
        decisions.rewards[number] = if pair { 0.0 } else { 1.0 };
    }
    DistillTargets { decisions, probabilities }
}

fn step(iteration: u64, distill: &DistillTargets) -> UpdateContext<'_> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let (stop, device) = (&NEVER, &Device::Cpu);
    UpdateContext { progress: 0.0, seed: 9, iteration, imitate: false, distill, threads: 2, device, stop }
}

fn ppo(distill: DistillConfig) -> Ppo {
    let config = PpoConfig {
        learning_rate: Schedule::constant(3e-3),
        entropy: Schedule::constant(0.0),
        minibatch: 64,
        epochs: 1,
        ..PpoConfig::default()
    };
    Ppo { config, distill }
}

/// The rollout has neither rewards nor values, so its advantages are 0: only the targets move the policy.
#[test]
fn the_policy_learns_the_targets_and_the_value_their_returns() {
    let mut draw = Draw::new(4, 0);
    let mut learner = learner();
    let ppo = ppo(DistillConfig { weight: 2.0, buffer_size: 300, samples_per_decision: 2.0 });
    let mut divergences = Vec::new();
    for iteration in 0..60 {
        let new = targets(&mut draw, if iteration < 20 { 40 } else { 0 });
        let played = decisions(&mut draw, 64);
        let report = ppo.update(&mut learner, &played, &step(iteration, &new)).expect("finite numbers");
        let names: Vec<_> = report.metrics.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ppo.metrics(false));
        assert_eq!(report.samples, 64 + 128);
        let of = |name: &str| report.metrics.iter().find(|(other, _)| *other == name).expect("a metric").1;
        assert_eq!(of("distill/new"), new.len() as f64);
        assert_eq!(of("distill/buffer_size"), (40.0 * (iteration as f64 + 1.0)).min(300.0));
        divergences.push(of("distill/divergence"));
    }
    assert!(divergences[0] > 0.8 && divergences[59] < 0.02, "{divergences:?}");
    let net = learner.net().expect("a policy and value network");
    let (mut scratch, mut logits) = (Scratch::default(), vec![0.0; ACTIONS]);
    for (cell, action) in [(0, 1), (1, 3)] {
        net.forward(&[cell, 0, 1, 0, 1, 0], &[(1 << ACTIONS) - 1], &mut scratch, &mut logits);
        let total: f32 = logits.iter().map(|logit| logit.exp()).sum();
        let probability = logits[action].exp() / total;
        assert!((0.8..0.97).contains(&probability), "{cell}: {probability}");
    }
    // Targets in the replay buffer have complete returns and no links.
    let stored = learner.replay_buffer.expect("a replay buffer").all();
    assert_eq!(stored.len(), 300);
    assert!(stored.decisions.rewards.iter().all(|&reward| reward == 1.0), "both of a pair earned it");
    assert!(stored.decisions.next.iter().all(|&next| next == NONE));
}

#[test]
fn an_update_without_targets_is_that_of_plain_ppo() {
    let mut draw = Draw::new(5, 0);
    let played = decisions(&mut draw, 200);
    let none = DistillTargets::default();
    let (mut one, mut other) = (learner(), learner());
    let (with, without) =
        (DistillConfig { weight: 2.0, ..DistillConfig::default() }, DistillConfig::default());
    let report = ppo(with).update(&mut one, &played, &step(0, &none)).expect("finite numbers");
    let plain = ppo(without).update(&mut other, &played, &step(0, &none)).expect("finite numbers");
    assert_eq!(one, other);
    assert_eq!(report.metrics[..plain.metrics.len()], plain.metrics);
}

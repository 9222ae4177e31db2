use std::sync::atomic::AtomicBool;

use cardsharp_bot::net::Scratch;
use cardsharp_env::ActionId;

use super::*;
use crate::algorithms::Schedule;
use crate::device::Device;
use crate::learner::Part;
use crate::net::Shape;
use crate::rollout::{Kept, Lessons, NONE};

const CELLS: usize = 6;
const ACTIONS: usize = 5;

fn learner() -> Learner {
    let mut draw = Draw::new(3, 0);
    let shape = Shape { inputs: CELLS, hidden: vec![24], heads: vec![ACTIONS, 1] };
    let weights = shape.draw(&[0.01, 1.0], &mut draw);
    let policy = Part::new(shape, weights);
    let (scale, hidden_scale) = (vec![1.0; CELLS], Vec::new());
    Learner {
        policy,
        critic: None,
        reference_policy: None,
        lessons: Some(Kept::default()),
        scale,
        hidden_scale,
    }
}

/// Decisions with random observations, all actions legal, without rewards.
fn decisions(draw: &mut Draw, count: usize) -> Decisions {
    let mut decisions = Decisions::default();
    for _ in 0..count {
        decisions.rows.extend((0..CELLS).map(|_| draw.below(2) as u8));
        decisions.legal.push((1 << ACTIONS) - 1);
        decisions.actions.push(ActionId(draw.below(ACTIONS as u32) as u16));
        decisions.log_probability.push(-(ACTIONS as f32).ln());
        decisions.values.push(0.0);
        decisions.rewards.push(0.0);
        decisions.next.push(NONE);
        decisions.discounts.push(0.0);
    }
    decisions
}

/// Lessons: cell 0 decides whether action 1 or action 3 has probability 0.9. The return is 1 or -1.
fn lessons(draw: &mut Draw, count: usize) -> Lessons {
    let mut decisions = decisions(draw, count);
    let mut targets = vec![0.025; count * ACTIONS];
    for number in 0..count {
        let first = decisions.rows[number * CELLS] == 0;
        targets[number * ACTIONS + if first { 1 } else { 3 }] = 0.9;
        // The second of a pair earns the reward for both.
        let pair = number % 2 == 0 && number + 1 < count;
        decisions.next[number] = if pair { number as u32 + 1 } else { NONE };
        decisions.discounts[number] = if pair { 1.0 } else { 0.0 };
        decisions.rewards[number] = if pair { 0.0 } else { 1.0 };
    }
    Lessons { decisions, targets }
}

fn step(iteration: u64, lessons: &Lessons) -> Step<'_> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let (stop, device) = (&NEVER, &Device::Cpu);
    Step { progress: 0.0, seed: 9, iteration, imitate: false, lessons, threads: 2, device, stop }
}

fn expert(config: ExpertConfig) -> Expert {
    let ppo = PpoConfig {
        learning_rate: Schedule::constant(3e-3),
        entropy: Schedule::constant(0.0),
        minibatch: 64,
        epochs: 1,
        ..PpoConfig::default()
    };
    Expert { config, ppo }
}

#[test]
fn the_policy_comes_to_what_searchers_teach_and_the_value_to_what_came_of_it() {
    let mut draw = Draw::new(4, 0);
    let mut learner = learner();
    let expert = expert(ExpertConfig {
        ppo_weight: 0.0,
        buffer_size: 300,
        samples_per_decision: 2.0,
        ..ExpertConfig::default()
    });
    let mut divergences = Vec::new();
    for iteration in 0..60 {
        let new = lessons(&mut draw, if iteration < 20 { 40 } else { 0 });
        let played = decisions(&mut draw, 64);
        let report = expert.update(&mut learner, &played, &step(iteration, &new)).expect("finite numbers");
        let names: Vec<_> = report.metrics.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, expert.metrics(false));
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
    // Lessons in the replay buffer have complete returns and no links.
    let kept = learner.lessons.expect("lessons").all();
    assert_eq!(kept.len(), 300);
    assert!(kept.decisions.rewards.iter().all(|&reward| reward == 1.0), "both of a pair earned it");
    assert!(kept.decisions.next.iter().all(|&next| next == NONE));
}

#[test]
fn without_lessons_it_is_ppo_to_the_bit() {
    let mut draw = Draw::new(5, 0);
    let played = decisions(&mut draw, 200);
    let none = Lessons::default();
    let (mut one, mut other) = (learner(), learner());
    let expert = expert(ExpertConfig::default());
    let report = expert.update(&mut one, &played, &step(0, &none)).expect("finite numbers");
    let plain = expert.ppo.update(&mut other, &played, &step(0, &none)).expect("finite numbers");
    assert_eq!(one, other);
    assert_eq!(report.metrics[..plain.metrics.len()], plain.metrics);
}

#[test]
fn lessons_without_weight_leave_the_policy_alone() {
    let mut draw = Draw::new(6, 0);
    let (played, new) = (decisions(&mut draw, 200), lessons(&mut draw, 50));
    let run = |weight: f32| {
        let mut learner = learner();
        let config = ExpertConfig { ppo_weight: 0.0, distill_weight: weight, ..ExpertConfig::default() };
        expert(config).update(&mut learner, &played, &step(0, &new)).expect("finite numbers");
        let shape = learner.policy.shape.clone();
        let (of_weights, _) = shape.head(0);
        learner.policy.weights[of_weights].to_vec()
    };
    let (before, none, some) = (learner(), run(0.0), run(2.0));
    let (head, _) = before.policy.shape.head(0);
    assert_eq!(none, before.policy.weights[head.clone()]);
    assert_ne!(some, before.policy.weights[head]);
}

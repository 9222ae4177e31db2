use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use cardsharp_env::{ActionId, Draw};

use super::super::{Desks, Diverged, card};
use super::*;
use crate::device::Device;
use crate::net::Shape;
use crate::rollout::NONE;

const CELLS: usize = 12;
const ACTIONS: usize = 10;

fn learner(draw: &mut Draw, critic: bool) -> Learner {
    let shape = Shape { inputs: CELLS, hidden: vec![20, 33], heads: vec![ACTIONS, 1] };
    let weights = shape.draw(&[1.0, 1.0], draw);
    let critic = critic.then(|| {
        let shape = Shape { inputs: CELLS + 3, hidden: vec![16], heads: vec![1] };
        let weights = shape.draw(&[1.0], draw);
        Part::new(shape, weights)
    });
    let (scale, hidden_scale) = (vec![0.5; CELLS], vec![0.25; 3]);
    Learner { policy: Part::new(shape, weights), critic, magnet: None, lessons: None, scale, hidden_scale }
}

/// Unlinked decisions with random rows, masks and old probabilities near the learner's own.
fn decisions(draw: &mut Draw, count: usize) -> Decisions {
    let mut decisions = Decisions::default();
    for _ in 0..count {
        decisions.rows.extend((0..CELLS).map(|_| draw.below(3) as u8));
        decisions.hidden.extend((0..3).map(|_| draw.below(5) as u8));
        let action = draw.below(ACTIONS as u32);
        decisions.legal.push((draw.bits() & ((1 << ACTIONS) - 1)) | 1 << action);
        decisions.actions.push(ActionId(action as u16));
        decisions.log_probability.push(-0.5 - 3.0 * draw.unit());
        decisions.values.push(draw.unit() - 0.5);
        decisions.rewards.push(2.0 * draw.unit() - 1.0);
        decisions.next.push(NONE);
        decisions.discounts.push(0.0);
    }
    decisions
}

fn step(threads: usize, device: &Device) -> Step<'_> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    static DESKS: LazyLock<Desks> = LazyLock::new(Desks::default);
    static UNTAUGHT: LazyLock<Lessons> = LazyLock::new(Lessons::default);
    let (stop, desks, lessons) = (&NEVER, &*DESKS, &*UNTAUGHT);
    Step { progress: 0.0, seed: 9, iteration: 4, imitate: false, lessons, threads, device, desks, stop }
}

/// Seat 0 decides at 0, 2 and 3, seat 1 at 1; a round ends after 2. γ 0.9 within the round, 0.5 across.
#[test]
fn advantages_follow_each_seat_by_hand() {
    let decisions = Decisions {
        actions: vec![ActionId(0); 4],
        rewards: vec![0.0, -1.0, 1.0, -0.5],
        next: vec![2, NONE, 3, NONE],
        discounts: vec![0.9, 0.0, 0.5, 0.0],
        ..Decisions::default()
    };
    let values = [0.1, 0.2, 0.4, -0.2];
    // δ₃ = −0.5 + 0.2 = −0.3                      A₃ = −0.3
    // δ₂ = 1 + 0.5 · −0.2 − 0.4 = 0.5             A₂ = 0.5 + 0.5 · 0.8 · −0.3 = 0.38
    // δ₁ = −1 − 0.2 = −1.2                        A₁ = −1.2
    // δ₀ = 0 + 0.9 · 0.4 − 0.1 = 0.26             A₀ = 0.26 + 0.9 · 0.8 · 0.38 = 0.5336
    let expected = [0.5336, -1.2, 0.38, -0.3];
    for (found, expected) in advantages(&decisions, &values, 0.8).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
    }
    // With λ = 1 and values of 0 an advantage is the discounted sum of the seat's own rewards.
    let sums = advantages(&decisions, &[0.0; 4], 1.0);
    assert!((sums[0] - 0.9 * (1.0 - 0.5 * 0.5)).abs() < 1e-6 && sums[1] == -1.0);
}

#[test]
fn the_written_gradient_of_lessons_is_the_one_burn_finds() {
    let config = PpoConfig {
        clip: 0.3,
        value_weight: 0.7,
        magnet: 0.4,
        spread: Schedule::constant(0.5),
        ..PpoConfig::default()
    };
    let (all, some) = (compared(&config, false), compared_with(&config, false, 60));
    assert_eq!((all.lessons, some.lessons.round()), (0.0, 60.0));
    assert!(some.lesson / 60.0 > 0.3, "a random network is far from a random target: {}", some.lesson);
    let own = [(some.entropy, all.entropy), (some.spread, all.spread), (some.magnet, all.magnet)];
    for (some, all) in own {
        let share = some / all;
        assert!((0.5..0.9).contains(&share), "140 of 200 are the rollout's own: {share}");
    }
    assert_eq!(some.value, all.value, "every decision has a value");
}

#[test]
fn the_written_gradient_is_the_one_burn_finds() {
    let plain = PpoConfig { clip: 0.3, value_weight: 0.7, ..PpoConfig::default() };
    let squares = compared(&plain, false);
    let bounded = compared(&PpoConfig { value_bound: 0.4, ..plain.clone() }, false);
    assert!(bounded.value < 0.99 * squares.value, "some forecasts are off by more than the bound");
    let clipped = squares.clipped;
    assert!(clipped > 20.0 && clipped < 190.0, "both sides of the clip are met: {clipped}");
    assert_eq!(squares.magnet, 0.0);
    let held = compared(&PpoConfig { magnet: 0.4, ..plain.clone() }, false);
    assert!(held.magnet / 200.0 > 0.05, "another random network is far away: {}", held.magnet);
    let wide = PpoConfig { spread: Schedule::constant(0.5), ..plain };
    let spread = compared(&wide, false);
    assert!(spread.spread / 200.0 > 0.01, "a random network is not even: {}", spread.spread);
}

#[test]
fn the_written_gradient_of_imitation_is_the_one_burn_finds() {
    let sums = compared(&PpoConfig { value_weight: 0.7, ..PpoConfig::default() }, true);
    assert!(sums.policy / 200.0 > 1.0, "a random network is far from what was played: {}", sums.policy);
}

/// Both are the same but for rounding.
fn alike(found: &[f32], expected: &[f32], off: f32) {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(0.0f32, |most, g| most.max(g.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < off * largest.max(1.0), "{i}: {found} and {expected}");
    }
}

/// A target over the legal actions: three quarters for one of them, the rest for all alike.
fn target(legal: u64, best: ActionId) -> [f32; ACTIONS] {
    let even = 0.25 / legal.count_ones() as f32;
    std::array::from_fn(|action| match (legal >> action & 1 == 1, action == usize::from(best.0)) {
        (false, _) => 0.0,
        (true, best) => even + if best { 0.75 } else { 0.0 },
    })
}

/// The sums of 200 decisions whose gradient and loss have been compared with burn's.
fn compared(config: &PpoConfig, imitate: bool) -> Sums {
    compared_with(config, imitate, 0)
}

/// The same; the last so many decisions are lessons.
fn compared_with(config: &PpoConfig, imitate: bool, lessons: usize) -> Sums {
    let mut draw = Draw::new(11, 0);
    let (mut learner, decisions) = (learner(&mut draw, true), decisions(&mut draw, 200));
    if config.magnet > 0.0 {
        learner.magnet = Some(learner.policy.shape.draw(&[1.0, 1.0], &mut draw));
    }
    let weights: Vec<f32> = (0..200).map(|_| 2.0 * draw.unit() - 1.0).collect();
    let returns: Vec<f32> = (0..200).map(|_| 2.0 * draw.unit() - 1.0).collect();
    let critic_scale = [&learner.scale[..], &learner.hidden_scale].concat();
    let (decisions, critic_scale) = (&decisions, &critic_scale[..]);
    let (weights, returns) = (&weights[..], &returns[..]);
    let (entropy, spread) = (0.3, config.spread.from);
    let ids: Vec<u32> = (0..200).rev().collect();
    let first = 200 - lessons;
    let targets: Vec<f32> =
        (first..200).flat_map(|id| target(decisions.legal[id], decisions.actions[id])).collect();
    let lessons = Teach { first, targets: &targets, weight: 1.5 };
    let task = Task { decisions, lessons, critic_scale, weights, returns, config, entropy, spread, imitate };
    let mut shard = Shard::default();
    task.gradients(&learner, &ids, ids.len(), &mut shard);
    for (device, off) in crate::device::by_burn() {
        let columns = task.columns();
        let told = card::Told { decisions, columns: &columns, targets: &targets };
        let (gradients, sums) =
            card::differentiated(&learner, &device, told, &ids, |seen| task.judge_by_burn(seen));
        alike(&shard.desk.policy, &gradients[0], off);
        alike(&shard.desk.critic, &gradients[1], off);
        let sums: Sums = card::FromCard::of(&sums);
        let of = |s: &Sums| {
            [s.policy, s.value, s.critic, s.entropy, s.magnet, s.spread, s.kl, s.lesson, s.lessons]
        };
        // Imitation asks for no ratios.
        assert!(imitate || sums.clipped == shard.sums.clipped, "{} decisions clipped", sums.clipped);
        for (found, expected) in of(&sums).into_iter().zip(of(&shard.sums)) {
            let most = f64::from(off) * expected.abs().max(200.0);
            assert!((found - expected).abs() < most, "{sums:?} and {:?}", shard.sums);
        }
    }
    shard.sums
}

#[test]
fn updates_are_the_same_on_any_number_of_threads() {
    let mut draw = Draw::new(12, 0);
    let (mut first, decisions) = (learner(&mut draw, true), decisions(&mut draw, 500));
    first.magnet = Some(first.policy.shape.draw(&[1.0, 1.0], &mut draw));
    let config = PpoConfig {
        minibatch: 90,
        shards: 3,
        epochs: 2,
        magnet: 0.1,
        magnet_every: 2,
        spread: Schedule::linear(0.05, 0.0),
        ..PpoConfig::default()
    };
    let device = Device::Cores;
    let run = |threads| {
        let mut learner = first.clone();
        let report =
            config.update(&mut learner, &decisions, &step(threads, &device)).expect("finite numbers");
        (learner, report)
    };
    let (one, report) = run(1);
    let (two, again) = run(2);
    assert!(one == two && report.metrics == again.metrics);
    assert_ne!(one.policy.weights, first.policy.weights);
    assert_ne!(one.critic.map(|c| c.weights), first.critic.map(|c| c.weights));
    let names: Vec<_> = report.metrics.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, config.metrics(true));
    assert_eq!(one.magnet.as_ref(), Some(&first.policy.weights), "refreshed in an even iteration");
    assert_eq!(report.samples, 1000);
}

#[test]
fn a_target_divergence_ends_the_epochs() {
    let mut draw = Draw::new(13, 0);
    let (mut learner, decisions) = (learner(&mut draw, false), decisions(&mut draw, 100));
    let config = PpoConfig { minibatch: 10, target_kl: 1e-9, ..PpoConfig::default() };
    let device = Device::Cores;
    let report = config.update(&mut learner, &decisions, &step(1, &device)).expect("finite numbers");
    assert_eq!(report.samples, 10);
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let mut draw = Draw::new(14, 0);
    let (mut learner, mut decisions) = (learner(&mut draw, false), decisions(&mut draw, 100));
    decisions.rewards[3] = f32::INFINITY;
    let config = PpoConfig::default();
    let by_burn = crate::device::by_burn().into_iter().map(|(device, _)| Device::Burn(device));
    for device in by_burn.chain([Device::Cores]) {
        let refused = config.update(&mut learner, &decisions, &step(1, &device)).map(|report| report.samples);
        assert_eq!(refused, Err(Diverged { step: 1 }.into()));
    }
}

#[test]
fn an_update_that_is_asked_to_stop_does() {
    let mut draw = Draw::new(15, 0);
    for device in [Device::Cores, Device::Burn(burn::tensor::Device::flex())] {
        for critic in [true, false] {
            let (mut learner, decisions) = (learner(&mut draw, critic), decisions(&mut draw, 100));
            let step = Step { stop: &AtomicBool::new(true), ..step(2, &device) };
            let stopped =
                PpoConfig::default().update(&mut learner, &decisions, &step).map(|report| report.samples);
            assert_eq!(stopped, Err(UpdateError::Stopped(Stopped)));
        }
    }
}

/// Whole updates on both ways: other roundings only.
#[test]
fn burn_learns_what_the_cores_learn() {
    let mut draw = Draw::new(16, 0);
    let (mut first, mut decisions) = (learner(&mut draw, true), decisions(&mut draw, 500));
    first.magnet = Some(first.policy.shape.draw(&[1.0, 1.0], &mut draw));
    decisions.next.iter_mut().enumerate().step_by(3).for_each(|(i, next)| *next = (i as u32 + 5).min(499));
    decisions.discounts.fill(0.9);
    let config = PpoConfig { minibatch: 90, epochs: 2, magnet: 0.1, magnet_every: 3, ..PpoConfig::default() };
    let run = |device: &Device| {
        let mut learner = first.clone();
        let report = config.update(&mut learner, &decisions, &step(1, device)).expect("finite numbers");
        (learner, report)
    };
    let (cores, told) = run(&Device::Cores);
    for (device, off) in crate::device::by_burn() {
        let (burn, report) = run(&Device::Burn(device));
        let critics = [&burn, &cores].map(|learner| learner.critic.as_ref().expect("it has one"));
        alike(&burn.policy.weights, &cores.policy.weights, 10.0 * off);
        alike(&burn.policy.adam.square, &cores.policy.adam.square, off);
        alike(&critics[0].weights, &critics[1].weights, 10.0 * off);
        assert_eq!(burn.policy.adam.steps, cores.policy.adam.steps);
        assert_eq!(report.samples, told.samples);
        for ((name, found), (_, expected)) in report.metrics.iter().zip(&told.metrics) {
            assert!((found - expected).abs() < 1e-3, "{name}: {found} and {expected}");
        }
    }
    let moved = cores.policy.weights.iter().zip(&first.policy.weights);
    assert!(moved.clone().filter(|(now, before)| (**now - **before).abs() > 1e-3).count() > 500);
}

/// One decision in a row of two kinds: cell 0 tells which of two actions earns 1, the rest earn −1.
#[test]
fn the_policy_finds_what_pays() {
    let mut draw = Draw::new(15, 0);
    let mut learner = learner(&mut draw, false);
    let config = PpoConfig {
        learning_rate: Schedule::constant(3e-3),
        entropy: Schedule::constant(0.0),
        minibatch: 64,
        ..PpoConfig::default()
    };
    let device = Device::Cores;
    let mut means = Vec::new();
    for iteration in 0..30 {
        let mut played = decisions(&mut draw, 256);
        let net = learner.net().expect("a policy and value network");
        let (mut scratch, mut logits) = (cardsharp_bot::net::Scratch::default(), vec![0.0; ACTIONS]);
        for i in 0..played.len() {
            played.legal[i] |= 1 << 3 | 1 << 7;
            let row = &played.rows[i * CELLS..][..CELLS];
            played.values[i] = net.forward(row, &played.legal[i..=i], &mut scratch, &mut logits);
            let total = logits.iter().map(|l| l.exp()).sum::<f32>();
            let mut left = draw.unit() * total;
            let picked = logits.iter().position(|l| {
                left -= l.exp();
                left < 0.0
            });
            let picked = picked.unwrap_or(3);
            played.actions[i] = ActionId(picked as u16);
            played.log_probability[i] = logits[picked] - total.ln();
            let right = if row[0] == 0 { 3 } else { 7 };
            played.rewards[i] = if picked == right { 1.0 } else { -1.0 };
        }
        means.push(moments(&played.rewards).0);
        let step = Step { seed: 1, iteration, ..step(2, &device) };
        config.update(&mut learner, &played, &step).expect("finite numbers");
    }
    assert!(means[0] < -0.2 && means[29] > 0.9, "{means:?}");
}

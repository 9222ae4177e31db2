use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use cardsharp_env::{ActionId, Draw};

use super::super::{Desks, Diverged};
use super::*;
use crate::learner::Part;
use crate::net::Shape;
use crate::rollout::{Lessons, NONE};

const CELLS: usize = 12;
const ACTIONS: usize = 10;

fn learner(draw: &mut Draw) -> Learner {
    let shape = Shape { inputs: CELLS, hidden: vec![20, 33], heads: vec![ACTIONS, 1] };
    let weights = shape.draw(&[1.0, 1.0], draw);
    let (scale, hidden_scale) = (vec![0.5; CELLS], Vec::new());
    Learner {
        policy: Part::new(shape, weights),
        critic: None,
        magnet: None,
        lessons: None,
        scale,
        hidden_scale,
    }
}

/// Decisions with random rows, in pairs: the second of each follows the first.
fn decisions(draw: &mut Draw, count: usize) -> Decisions {
    let mut decisions = Decisions::default();
    for i in 0..count {
        decisions.rows.extend((0..CELLS).map(|_| draw.below(3) as u8));
        decisions.legal.push((1 << ACTIONS) - 1);
        decisions.actions.push(ActionId(draw.below(ACTIONS as u32) as u16));
        decisions.log_probability.push(0.0);
        decisions.values.push(draw.unit() - 0.5);
        decisions.rewards.push(2.0 * draw.unit() - 1.0);
        decisions.next.push(if i % 2 == 0 { i as u32 + 1 } else { NONE });
        decisions.discounts.push(if i % 2 == 0 { 0.5 } else { 0.0 });
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

#[test]
fn the_gradient_is_the_one_burn_finds() {
    let mut draw = Draw::new(21, 0);
    let (learner, played) = (learner(&mut draw), decisions(&mut draw, 200));
    let returns: Vec<f32> = (0..200).map(|_| 2.0 * draw.unit() - 1.0).collect();
    let ids: Vec<u32> = (0..200).collect();
    let mut losses = Vec::new();
    for bound in [0.0, 0.3] {
        let config = DmcConfig { bound, value_weight: 0.7, ..DmcConfig::default() };
        let task = Task { config: &config, decisions: &played, returns: &returns };
        let mut shard = Shard::default();
        task.gradients(&learner, &ids, 200, &mut shard);
        let Sums { action, value, square } = shard.sums;
        for (device, off) in crate::device::by_burn() {
            let told = card::Told { decisions: &played, columns: &[&returns], targets: &[] };
            let (gradients, sums) =
                card::differentiated(&learner, &device, told, &ids, |seen| task.judge_by_burn(seen));
            let largest = gradients[0].iter().fold(0.0f32, |most, g| most.max(g.abs()));
            assert_eq!(shard.desk.policy.len(), gradients[0].len());
            for (i, (found, expected)) in shard.desk.policy.iter().zip(&gradients[0]).enumerate() {
                assert!((found - expected).abs() < off * largest.max(1.0), "{i}: {found} and {expected}");
            }
            for (found, expected) in sums.into_iter().zip([action, value, square]) {
                let most = f64::from(off) * expected;
                assert!((f64::from(found) - expected).abs() < most, "{found} and {expected}");
            }
        }
        losses.push(action + 0.7 * value);
    }
    assert!(losses[1] < 0.9 * losses[0], "some outputs are off by more than the bound: {losses:?}");
}

#[test]
fn updates_are_the_same_on_any_number_of_threads_and_report_returns() {
    let mut draw = Draw::new(22, 0);
    let (first, played) = (learner(&mut draw), decisions(&mut draw, 500));
    let config = DmcConfig { minibatch: 90, shards: 3, epochs: 2, ..DmcConfig::default() };
    let device = Device::Cores;
    let run = |threads| {
        let mut learner = first.clone();
        let report = config.update(&mut learner, &played, &step(threads, &device)).expect("finite numbers");
        (learner, report)
    };
    let ((one, report), (two, again)) = (run(1), run(2));
    assert!(one == two && report.metrics == again.metrics);
    assert_ne!(one.policy.weights, first.policy.weights);
    let names: Vec<_> = report.metrics.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, config.metrics(false));
    assert_eq!(report.samples, 1000);
    // What a decision earned, and half of what its successor did.
    assert_eq!(report.returns[0], played.rewards[0] + 0.5 * played.rewards[1]);
    assert_eq!(report.returns[1], played.rewards[1]);
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let mut draw = Draw::new(23, 0);
    let (mut learner, mut played) = (learner(&mut draw), decisions(&mut draw, 100));
    played.rewards[3] = f32::NAN;
    let device = Device::Cores;
    let config = DmcConfig::default();
    let refused = config.update(&mut learner, &played, &step(1, &device)).map(|report| report.samples);
    assert_eq!(refused, Err(Diverged { step: 1 }.into()));
}

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use burn::tensor::Tensor;
use cardsharp_env::{ActionId, Draw};

use super::super::Diverged;
use super::*;
use crate::device::Device;
use crate::learner::NetState;
use crate::net::Shape;
use crate::nn::ops::Groups;
use crate::nn::{PerAction, Places, numbers};
use crate::rollout::{DistillTargets, NONE};

const CELLS: usize = 12;
const ACTIONS: usize = 10;

fn learner(draw: &mut Draw) -> Learner {
    let shape = Shape { inputs: CELLS, hidden: vec![20, 33], heads: vec![ACTIONS, 1] };
    let weights = shape.draw(&[1.0, 1.0], draw);
    let (scale, hidden_scale) = (vec![0.5; CELLS], Vec::new());
    Learner {
        policy: NetState::new(shape, weights),
        critic: None,
        reference_policy: None,
        replay_buffer: None,
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

fn step(threads: usize, device: &Device) -> UpdateContext<'_> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    static NO_TARGETS: LazyLock<DistillTargets> = LazyLock::new(DistillTargets::default);
    let (stop, distill) = (&NEVER, &*NO_TARGETS);
    UpdateContext { progress: 0.0, seed: 9, iteration: 4, imitate: false, distill, threads, device, stop }
}

#[test]
fn losses_are_those_of_their_definition_with_the_gradients_of_finite_differences() {
    let mut draw = Draw::new(21, 0);
    for bound in [0.0, 0.3] {
        let config = DmcConfig { huber: bound, value_weight: 0.7, ..DmcConfig::default() };
        let lists: [Vec<f32>; 3] =
            std::array::from_fn(|_| (0..40).map(|_| 2.0 * draw.unit() - 1.0).collect());
        let tensor = |list: &[f32]| Tensor::<1>::from_floats(list, &burn::tensor::Device::flex());
        let [outputs, values] = [&lists[0], &lists[1]].map(|list| tensor(list).autodiff().require_grad());
        let each = || Arc::new(Groups { at: None, ends: (1..=40).collect() });
        let played = Groups { at: Some((0..40).collect()), ends: (1..=40).collect() };
        let Loss { each, parts } = config.loss(Minibatch {
            logits: PerAction::ragged(outputs.clone(), &each()),
            value: values.clone(),
            reference: None,
            critic: None,
            played: Places::Ragged(Arc::new(played)),
            columns: vec![tensor(&lists[2])],
            targets: None,
        });
        assert_eq!(parts.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["action", "value", "square"]);
        let bound = f64::from(bound);
        let huber = |error: f64| match error.abs() {
            size if bound > 0.0 && size > bound => bound * (size - 0.5 * bound),
            size => 0.5 * size * size,
        };
        let expected =
            |output: f64, value: f64, wanted: f64| huber(output - wanted) + 0.7 * huber(value - wanted);
        let losses = numbers(each.clone().inner());
        let mut gradients = each.backward();
        let of =
            |leaf: &Tensor<1>, gradients: &mut _| numbers(leaf.grad_remove(gradients).expect("a gradient"));
        let (at_outputs, at_values) = (of(&outputs, &mut gradients), of(&values, &mut gradients));
        for place in 0..40 {
            let [output, value, wanted] = [0, 1, 2].map(|list| f64::from(lists[list][place]));
            let loss = expected(output, value, wanted);
            assert!((f64::from(losses[place]) - loss).abs() < 1e-6, "{place}: {} and {loss}", losses[place]);
            let slopes = [
                expected(output + 1e-6, value, wanted) - expected(output - 1e-6, value, wanted),
                expected(output, value + 1e-6, wanted) - expected(output, value - 1e-6, wanted),
            ];
            for (slope, found) in slopes.into_iter().zip([at_outputs[place], at_values[place]]) {
                assert!(
                    (slope / 2e-6 - f64::from(found)).abs() < 1e-5,
                    "{place}: {} and {found}",
                    slope / 2e-6
                );
            }
        }
    }
}

/// Whole updates with the CPU operations and with burn's own differ only by rounding.
#[test]
fn burns_own_operations_learn_the_same() {
    let mut draw = Draw::new(24, 0);
    let (first, played) = (learner(&mut draw), decisions(&mut draw, 500));
    let config = DmcConfig { minibatch: 90, epochs: 2, ..DmcConfig::default() };
    let run = |device: &Device| {
        let mut learner = first.clone();
        config.update(&mut learner, &played, &step(1, device)).expect("finite numbers");
        learner.policy.weights
    };
    let expected = run(&Device::Cpu);
    for (device, off) in crate::device::by_burn() {
        for (found, expected) in run(&Device::Burn(device)).iter().zip(&expected) {
            assert!((found - expected).abs() < 10.0 * off, "{found} and {expected}");
        }
    }
}

#[test]
fn updates_are_the_same_on_any_number_of_threads_and_report_returns() {
    let mut draw = Draw::new(22, 0);
    let (first, played) = (learner(&mut draw), decisions(&mut draw, 500));
    let config = DmcConfig { minibatch: 90, shards: 3, epochs: 2, ..DmcConfig::default() };
    let device = Device::Cpu;
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
    // The reward of a decision, and half of its successor's.
    assert_eq!(report.returns[0], played.rewards[0] + 0.5 * played.rewards[1]);
    assert_eq!(report.returns[1], played.rewards[1]);
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let mut draw = Draw::new(23, 0);
    let (mut learner, mut played) = (learner(&mut draw), decisions(&mut draw, 100));
    played.rewards[3] = f32::NAN;
    let device = Device::Cpu;
    let config = DmcConfig::default();
    let refused = config.update(&mut learner, &played, &step(1, &device)).map(|report| report.samples);
    assert_eq!(refused, Err(Diverged { step: 1 }.into()));
}

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use burn::module::Module;
use burn::nn::{Linear, LinearConfig};
use burn::tensor::activation::relu;
use burn::tensor::{IndexingUpdateOp, Int};
use cardsharp_bot::PolicyNet;
use cardsharp_bot::net::Scratch;
use cardsharp_env::{ActionId, Draw};

use super::super::{Diverged, Stopped};
use super::*;
use crate::device::Device;
use crate::learner::NetState;
use crate::net::Shape;
use crate::nn::custom::{Custom, PolicyModule};
use crate::nn::ops::Groups;
use crate::nn::{PerAction, Places, numbers};
use crate::rollout::NONE;

const CELLS: usize = 12;
const ACTIONS: usize = 10;

fn learner(draw: &mut Draw, critic: bool) -> Learner {
    let shape = Shape { inputs: CELLS, hidden: vec![20, 33], heads: vec![ACTIONS, 1] };
    let weights = shape.draw(&[1.0, 1.0], draw);
    let critic = critic.then(|| {
        let shape = Shape { inputs: CELLS + 3, hidden: vec![16], heads: vec![1] };
        let weights = shape.draw(&[1.0], draw);
        NetState::new(shape, weights)
    });
    let (scale, hidden_scale) = (vec![0.5; CELLS], vec![0.25; 3]);
    Learner {
        policy: NetState::new(shape, weights),
        critic,
        reference_policy: None,
        replay_buffer: None,
        scale,
        hidden_scale,
    }
}

/// Unlinked decisions with random observations and masks, and old probabilities near the learner's own.
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

fn step(threads: usize, device: &Device) -> UpdateContext<'_> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    static NO_TARGETS: LazyLock<DistillTargets> = LazyLock::new(DistillTargets::default);
    let (stop, distill) = (&NEVER, &*NO_TARGETS);
    UpdateContext { progress: 0.0, seed: 9, iteration: 4, imitate: false, distill, threads, device, stop }
}

/// Seat 0 decides at 0, 2 and 3, seat 1 at 1. A round ends after 2. γ is 0.9 within the round, 0.5 across.
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

/// The inputs of a loss for three decisions, the last of which has a target if there are targets.
#[derive(Clone)]
struct Case {
    logits: Vec<f64>,
    reference: Vec<f64>,
    values: [f64; 3],
    critic: [f64; 3],
    targets: Vec<f64>,
}

/// Legal actions of the three decisions, and which of them were played.
const LEGAL: [&[usize]; 3] = [&[0, 2, 3, 6], &[1, 5], &[0, 4, 9]];
const PLAYED: [usize; 3] = [2, 0, 1];
const BEFORE: [f64; 3] = [-1.1, -0.4, -1.3];
const WEIGHTS: [f64; 3] = [0.8, -1.3, 0.0];
const WANTED: [f64; 3] = [0.3, -0.9, 0.6];

impl Case {
    fn new(draw: &mut Draw) -> Self {
        let mut list =
            |count: usize| (0..count).map(|_| f64::from(2.0 * draw.unit() - 1.0)).collect::<Vec<_>>();
        let (logits, reference) = (list(9), list(9));
        let three = |list: Vec<f64>| [list[0], list[1], list[2]];
        let (values, critic) = (three(list(3)), three(list(3)));
        Self { logits, reference, values, critic, targets: vec![0.7, 0.3, 0.0] }
    }

    /// The loss by its definition, summed over the decisions.
    fn expected(&self, objective: &Objective<'_>, critic: bool, reference: bool, distill: bool) -> f64 {
        let config = objective.config;
        let [clip, bound, of_values, reference_policy] =
            [config.clip, config.value_huber, config.value_weight, config.reference_policy].map(f64::from);
        let [of_entropy, uniform_kl, of_target] =
            [objective.entropy, objective.uniform_kl, objective.distill].map(f64::from);
        let logs = |logits: &[f64]| {
            let total = logits.iter().map(|logit| logit.exp()).sum::<f64>().ln();
            logits.iter().map(|logit| logit - total).collect::<Vec<f64>>()
        };
        let huber = |error: f64| match error.abs() {
            size if bound > 0.0 && size > bound => bound * (size - 0.5 * bound),
            size => 0.5 * size * size,
        };
        let (mut start, mut loss) = (0, 0.0);
        for (number, legal) in LEGAL.iter().enumerate() {
            let range = start..start + legal.len();
            start = range.end;
            let (log, held) = (logs(&self.logits[range.clone()]), logs(&self.reference[range]));
            loss += of_values * huber(self.values[number] - WANTED[number]);
            loss += if critic { of_values * huber(self.critic[number] - WANTED[number]) } else { 0.0 };
            if distill && number == 2 {
                let terms = self.targets.iter().zip(&log).filter(|(target, _)| **target > 0.0);
                loss += of_target * terms.map(|(target, log)| target * (target.ln() - log)).sum::<f64>();
                continue;
            }
            let played = log[PLAYED[number]];
            if objective.imitate {
                loss -= played;
                continue;
            }
            let ratio = (played - BEFORE[number]).exp();
            let weight = WEIGHTS[number];
            loss -= (ratio * weight).min(ratio.clamp(1.0 - clip, 1.0 + clip) * weight);
            loss += of_entropy * log.iter().map(|log| log.exp() * log).sum::<f64>();
            let apart = log.iter().zip(&held).map(|(log, held)| log.exp() * (log - held)).sum::<f64>();
            loss += if reference { reference_policy * apart } else { 0.0 };
            let count = legal.len() as f64;
            loss += uniform_kl * (-log.iter().sum::<f64>() / count - count.ln());
        }
        loss
    }
}

/// The loss and its gradients with respect to logits, values and the critic's values. `masked` selects the form of the
/// batch.
fn by_burn(case: &Case, objective: &Objective<'_>, parts: [bool; 3], masked: bool) -> (f64, Vec<f64>) {
    let [critic, reference, distill] = parts;
    let device = burn::tensor::Device::flex();
    let tensor = |list: &[f64]| {
        let list: Vec<f32> = list.iter().map(|&number| number as f32).collect();
        Tensor::<1>::from_floats(&list[..], &device)
    };
    let leaf = |list: &[f64]| tensor(list).autodiff().require_grad();
    let places: Vec<i32> = LEGAL
        .iter()
        .enumerate()
        .flat_map(|(row, legal)| legal.iter().map(move |&action| (row * ACTIONS + action) as i32))
        .collect();
    let places = Tensor::<1, Int>::from_ints(&places[..], &device);
    let ends = vec![4, 6, 9];
    let groups = Arc::new(Groups { at: None, ends });
    let of = |numbers: Tensor<1>| match masked {
        false => PerAction::ragged(numbers, &groups),
        true => {
            let zeros = Tensor::<1>::zeros([3 * ACTIONS], &device);
            let legal = zeros.clone().select_assign(
                0,
                places.clone(),
                numbers.clone().inner().ones_like(),
                IndexingUpdateOp::Add,
            );
            let all = match numbers.is_autodiff() {
                true => zeros.autodiff().select_assign(0, places.clone(), numbers, IndexingUpdateOp::Add),
                false => zeros.select_assign(0, places.clone(), numbers, IndexingUpdateOp::Add),
            };
            PerAction::masked(all.reshape([3, ACTIONS]), legal.reshape([3, ACTIONS]).equal_elem(0.0))
        }
    };
    let played = match masked {
        false => Places::Ragged(Arc::new(Groups { at: Some(vec![2, 4, 7]), ends: vec![1, 2, 3] })),
        true => Places::Masked(Box::new(Tensor::<2, Int>::from_ints([[3], [1], [4]], &device))),
    };
    let (logits, values, of_critic) = (leaf(&case.logits), leaf(&case.values), leaf(&case.critic));
    let certainty: f64 = case.targets.iter().filter(|&&t| t > 0.0).map(|t| t * t.ln()).sum();
    let mut targets = vec![0.0; 6];
    targets.extend(&case.targets);
    let is_own = if distill { [1.0, 1.0, 0.0] } else { [1.0; 3] };
    let batch = Minibatch {
        logits: of(logits.clone()),
        value: values.clone(),
        reference: reference.then(|| of(tensor(&case.reference))),
        critic: critic.then(|| of_critic.clone()),
        played,
        columns: [BEFORE, WEIGHTS, WANTED, is_own, [0.0, 0.0, certainty]]
            .iter()
            .map(|list| tensor(list))
            .collect(),
        targets: distill.then(|| of(tensor(&targets))),
    };
    let Loss { each, .. } = objective.loss(batch);
    let value = numbers(each.clone().inner()).into_iter().map(f64::from).sum();
    let mut gradients = each.backward();
    let found = [logits, values, of_critic].into_iter().flat_map(|leaf| {
        let count = leaf.dims()[0];
        leaf.grad_remove(&mut gradients).map_or_else(|| vec![0.0; count], numbers)
    });
    (value, found.map(f64::from).collect())
}

/// Every variant of the loss has the value of its definition, and the gradients of finite differences in 64 bits. The
/// test uses the batches of a CPU and of a GPU.
#[test]
fn losses_are_those_of_their_definition_with_the_gradients_of_finite_differences() {
    let mut draw = Draw::new(31, 0);
    let plain = PpoConfig { clip: 0.2, value_weight: 0.7, ..PpoConfig::default() };
    let bounded = PpoConfig { value_huber: 0.4, ..plain.clone() };
    let held = PpoConfig { reference_policy: 0.4, ..plain.clone() };
    let wide = PpoConfig { uniform_kl: Schedule::constant(0.5), reference_policy: 0.4, ..bounded.clone() };
    let none = [false; 3];
    let variants = [
        (&plain, 0.0, none, false),
        (&plain, 0.3, none, false),
        (&bounded, 0.3, [true, false, false], false),
        (&held, 0.3, [false, true, false], false),
        (&wide, 0.3, [true, true, false], false),
        (&wide, 0.3, [true, true, true], false),
        (&plain, 0.3, [false, false, true], false),
        (&plain, 0.3, none, true),
        (&wide, 0.3, [true, true, true], true),
    ];
    for (number, (config, entropy, parts, imitate)) in variants.into_iter().enumerate() {
        for _ in 0..5 {
            let case = Case::new(&mut draw);
            let uniform_kl = config.uniform_kl.from;
            let objective = Objective { config, entropy, uniform_kl, distill: 1.5, imitate };
            let [critic, reference, distill] = parts;
            let expected = |case: &Case| case.expected(&objective, critic, reference, distill);
            for masked in [false, true] {
                let (value, found) = by_burn(&case, &objective, parts, masked);
                let all = expected(&case);
                assert!((value - all).abs() < 1e-5, "{number}, masked {masked}: {value} and {all}");
                for (place, found) in found.into_iter().enumerate() {
                    let at = |by: f64| {
                        let mut moved = case.clone();
                        match place {
                            0..9 => moved.logits[place] += by,
                            9..12 => moved.values[place - 9] += by,
                            _ => moved.critic[place - 12] += by,
                        }
                        expected(&moved)
                    };
                    let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                    assert!(
                        (slope - found).abs() < 1e-5,
                        "{number}, masked {masked}, {place}: {slope}, {found}"
                    );
                }
            }
        }
    }
}

/// Asserts that both differ only by rounding.
fn alike(found: &[f32], expected: &[f32], off: f32) {
    assert_eq!(found.len(), expected.len());
    let largest = expected.iter().fold(0.0f32, |most, g| most.max(g.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < off * largest.max(1.0), "{i}: {found} and {expected}");
    }
}

#[test]
fn updates_are_the_same_on_any_number_of_threads() {
    let mut draw = Draw::new(12, 0);
    let (mut first, decisions) = (learner(&mut draw, true), decisions(&mut draw, 500));
    first.reference_policy = Some(first.policy.shape.draw(&[1.0, 1.0], &mut draw));
    let config = PpoConfig {
        minibatch: 90,
        shards: 3,
        epochs: 2,
        reference_policy: 0.1,
        reference_policy_every: 2,
        uniform_kl: Schedule::linear(0.05, 0.0),
        ..PpoConfig::default()
    };
    let ppo = Ppo { config, ..Ppo::default() };
    let device = Device::Cpu;
    let run = |threads| {
        let mut learner = first.clone();
        let report = ppo.update(&mut learner, &decisions, &step(threads, &device)).expect("finite numbers");
        (learner, report)
    };
    let (one, report) = run(1);
    let (two, again) = run(2);
    assert!(one == two && report.metrics == again.metrics);
    assert_ne!(one.policy.weights, first.policy.weights);
    assert_ne!(one.critic.map(|c| c.weights), first.critic.map(|c| c.weights));
    let names: Vec<_> = report.metrics.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ppo.metrics(true));
    assert_eq!(one.reference_policy.as_ref(), Some(&first.policy.weights), "refreshed in an even iteration");
    assert_eq!(report.samples, 1000);
}

#[test]
fn a_target_divergence_ends_the_epochs() {
    let mut draw = Draw::new(13, 0);
    let (mut learner, decisions) = (learner(&mut draw, false), decisions(&mut draw, 100));
    let config = PpoConfig { minibatch: 10, target_kl: 1e-9, ..PpoConfig::default() };
    let ppo = Ppo { config, ..Ppo::default() };
    let device = Device::Cpu;
    let report = ppo.update(&mut learner, &decisions, &step(1, &device)).expect("finite numbers");
    assert_eq!(report.samples, 10);
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let mut draw = Draw::new(14, 0);
    let (mut learner, mut decisions) = (learner(&mut draw, false), decisions(&mut draw, 100));
    decisions.rewards[3] = f32::INFINITY;
    let ppo = Ppo::default();
    let by_burn = crate::device::by_burn().into_iter().map(|(device, _)| Device::Burn(device));
    for device in by_burn.chain([Device::Cpu]) {
        let refused = ppo.update(&mut learner, &decisions, &step(1, &device)).map(|report| report.samples);
        assert_eq!(refused, Err(Diverged { step: 1 }.into()));
    }
}

#[test]
fn an_update_that_is_asked_to_stop_does() {
    let mut draw = Draw::new(15, 0);
    for device in [Device::Cpu, Device::Burn(burn::tensor::Device::flex())] {
        for critic in [true, false] {
            let (mut learner, decisions) = (learner(&mut draw, critic), decisions(&mut draw, 100));
            let step = UpdateContext { stop: &AtomicBool::new(true), ..step(2, &device) };
            let stopped = Ppo::default().update(&mut learner, &decisions, &step).map(|report| report.samples);
            assert_eq!(stopped, Err(UpdateError::Stopped(Stopped)));
        }
    }
}

/// The layers of [`learner`] as a program would write them, with the same order of weights.
#[derive(Module, Debug)]
struct Plain {
    hidden: Vec<Linear>,
    policy: Linear,
    value: Linear,
}

impl PolicyModule for Plain {
    fn forward(&self, rows: Tensor<2>) -> (Tensor<2>, Tensor<1>) {
        let features = self.hidden.iter().fold(rows, |rows, layer| relu(layer.forward(rows)));
        (self.policy.forward(features.clone()), self.value.forward(features).flatten(0, 1))
    }
}

fn plain() -> Custom {
    Custom::new("plain", |spaces, device| Plain {
        hidden: vec![
            LinearConfig::new(spaces.cells, 20).init(device),
            LinearConfig::new(20, 33).init(device),
        ],
        policy: LinearConfig::new(33, spaces.actions).init(device),
        value: LinearConfig::new(33, 1).init(device),
    })
}

#[test]
fn a_module_gives_actors_the_outputs_of_its_layers() {
    let mut draw = Draw::new(18, 0);
    let (layers, decisions) = (learner(&mut draw, false), decisions(&mut draw, 7));
    let built = || plain().build(&layers.policy.shape, 5).expect("a network");
    let (module, weights) = built();
    assert!(built().1 == weights && weights.len() == layers.policy.weights.len());
    let mut own = layers.clone();
    own.policy.module = Some(module);
    let (own, layers) = (own.actor().expect("a network"), layers.actor().expect("a network"));
    assert_eq!((own.cells(), own.actions()), (CELLS, ACTIONS));
    let outputs = |net: &dyn PolicyNet, i: usize| {
        let mut logits = vec![0.0; ACTIONS];
        let row = &decisions.rows[i * CELLS..][..CELLS];
        let value = net.forward(row, &decisions.legal[i..=i], &mut Scratch::default(), &mut logits);
        let legal = cardsharp_env::mask::actions(&decisions.legal[i..=i]).count();
        assert_eq!(logits.iter().filter(|logit| logit.is_finite()).count(), legal);
        logits.into_iter().filter(|logit| logit.is_finite()).chain([value]).collect::<Vec<f32>>()
    };
    for i in 0..decisions.len() {
        alike(&outputs(&*own, i), &outputs(&*layers, i), 1e-5);
    }
}

/// Whole updates on both devices, and of a module with the same layers, differ only by rounding.
#[test]
fn burn_learns_what_the_cpu_learns() {
    let mut draw = Draw::new(16, 0);
    let (mut first, mut decisions) = (learner(&mut draw, true), decisions(&mut draw, 500));
    first.reference_policy = Some(first.policy.shape.draw(&[1.0, 1.0], &mut draw));
    decisions.next.iter_mut().enumerate().step_by(3).for_each(|(i, next)| *next = (i as u32 + 5).min(499));
    decisions.discounts.fill(0.9);
    let config = PpoConfig {
        minibatch: 90,
        epochs: 2,
        reference_policy: 0.1,
        reference_policy_every: 3,
        ..PpoConfig::default()
    };
    let ppo = Ppo { config, ..Ppo::default() };
    let module = plain().build(&first.policy.shape, 1).map(|(module, _)| module);
    let run = |device: &Device, module| {
        let mut learner = first.clone();
        learner.policy.module = module;
        let report = ppo.update(&mut learner, &decisions, &step(1, device)).expect("finite numbers");
        (learner, report)
    };
    let (cpu, expected) = run(&Device::Cpu, None);
    let ways =
        crate::device::by_burn().into_iter().flat_map(|way| [(way.clone(), None), (way, module.clone())]);
    for ((device, off), module) in ways {
        let (burn, report) = run(&Device::Burn(device), module);
        let critics = [&burn, &cpu].map(|learner| learner.critic.as_ref().expect("it has one"));
        alike(&burn.policy.weights, &cpu.policy.weights, 10.0 * off);
        alike(&burn.policy.adam.square, &cpu.policy.adam.square, off);
        alike(&critics[0].weights, &critics[1].weights, 10.0 * off);
        assert_eq!(burn.policy.adam.steps, cpu.policy.adam.steps);
        assert_eq!(report.samples, expected.samples);
        for ((name, found), (_, expected)) in report.metrics.iter().zip(&expected.metrics) {
            assert!((found - expected).abs() < 1e-3, "{name}: {found} and {expected}");
        }
    }
    let moved = cpu.policy.weights.iter().zip(&first.policy.weights);
    assert!(moved.clone().filter(|(now, before)| (**now - **before).abs() > 1e-3).count() > 500);
}

/// Single decisions of two kinds: cell 0 says which of two actions has reward 1. All others have −1.
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
    let ppo = Ppo { config, ..Ppo::default() };
    let device = Device::Cpu;
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
        let step = UpdateContext { seed: 1, iteration, ..step(2, &device) };
        ppo.update(&mut learner, &played, &step).expect("finite numbers");
    }
    assert!(means[0] < -0.2 && means[29] > 0.9, "{means:?}");
}

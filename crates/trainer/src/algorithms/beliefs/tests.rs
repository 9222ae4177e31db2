use std::collections::BTreeMap;

use cardsharp_env::{ActionId, Size, game};

use super::*;
use crate::device::Device;
use crate::nn::OutputLists;
use crate::rollout::{Decisions, RolloutConfig, TableConfig};

/// Calls `with` for `player` at the game's default table, in sessions of one round.
fn source<T>(name: &str, player: &Player, seed: u64, with: impl FnOnce(&SampleSource<'_>) -> T) -> T {
    let game = game(name).unwrap();
    let one = Size { players: None, rounds: Some(1) };
    let rules = game.default_rules().sized(one).unwrap_or_else(|_| game.default_rules());
    let rules = rules.json().as_object().cloned().unwrap();
    let config =
        RolloutConfig { tables: vec![TableConfig { weight: 1.0, rules }], ..RolloutConfig::default() };
    let tables = Tables::new(game, &config).unwrap();
    with(&SampleSource { game, tables: &tables, player, seed, threads: 2, stop: &AtomicBool::new(false) })
}

/// Three deals of one decision and two of another, by the outputs that they reach.
struct Deals;

impl OutputLists for Deals {
    fn lists(&self, decision: usize) -> Vec<&[u16]> {
        vec![vec![&[1, 4, 7][..], &[1, 2], &[4, 9]], vec![&[0], &[], &[0, 9]]].swap_remove(decision)
    }
}

#[test]
fn the_loss_of_deals_has_the_gradient_of_finite_differences() {
    const OUTPUTS: usize = 10;
    let seen = Decisions { rows: vec![1, 0, 0, 1], actions: vec![ActionId(0); 2], ..Decisions::default() };
    let rows = Rows { decisions: &seen, columns: &[], targets: &[], outputs: OutputSet::Lists(&Deals) };
    // The network's outputs are its biases.
    let shape = Shape { inputs: 2, hidden: vec![1], heads: vec![OUTPUTS] };
    let outputs = [-0.2, 0.3, -0.8, 0.0, 0.5, 0.0, 0.0, 0.1, 0.0, 1.2];
    let mut weights = vec![0.0; shape.len()];
    let first = shape.len() - OUTPUTS;
    weights[first..].copy_from_slice(&outputs);
    let loss_of = |outputs: &[f64]| -> f64 {
        let of = |decision| {
            let scores = Deals.lists(decision).into_iter();
            let scores: Vec<f64> =
                scores.map(|list| list.iter().map(|&at| outputs[usize::from(at)]).sum()).collect();
            scores.iter().map(|score: &f64| score.exp()).sum::<f64>().ln() - scores[0]
        };
        of(0) + of(1)
    };
    let outputs = outputs.map(f64::from);
    let expected = loss_of(&outputs);
    for device in [Device::Cpu, Device::Burn(burn::tensor::Device::flex())] {
        let part = NetState::new(shape.clone(), weights.clone());
        let mut learner = Learner {
            policy: part,
            critic: None,
            reference_policy: None,
            replay_buffer: None,
            scale: vec![1.0; 2],
            hidden_scale: Vec::new(),
        };
        // Without momentum Adam moves a weight by rate * g / (|g| + epsilon).
        let adam = AdamConfig { beta1: 0.0, beta2: 0.0, epsilon: 1e-1, ..AdamConfig::default() };
        let descent = Descent { epochs: 1, minibatch: 2, shards: 2, rate: 1.0, gradient_norm: 1e3, adam };
        let distill = DistillTargets::default();
        let step = UpdateContext {
            progress: 0.0,
            seed: 1,
            iteration: 1,
            imitate: false,
            distill: &distill,
            threads: 1,
            device: &device,
            stop: &AtomicBool::new(false),
        };
        let mut report = UpdateReport::default();
        let stats = descent.run(&mut learner, rows, &step, &mut report, loss, None).unwrap();
        assert!((stats.sums.get("loss") - expected).abs() < 1e-5, "{stats:?} and {expected}");
        assert_eq!(stats.sums.get("count"), 2.0);
        for (at, output) in outputs.iter().enumerate() {
            let moved = |by: f64| {
                let mut outputs = outputs;
                outputs[at] += by;
                loss_of(&outputs)
            };
            let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6 / 2.0;
            let expected = output - slope / (slope.abs() + 0.1);
            let found = f64::from(learner.policy.weights[first + at]);
            assert!((found - expected).abs() < 1e-4, "{at}: {found} and {expected}");
        }
    }
}

/// In Kuhn poker a model of the scripted player learns the odds that are counted over its games.
#[test]
fn beliefs_become_those_that_games_show() {
    let player = Player::scripted();
    let (model, samples) = source("kuhn", &player, 1, |source| {
        let rate = Schedule::linear(5e-3, 1e-4);
        let config = BeliefConfig { hidden: vec![32], deals: 3, rate, ..BeliefConfig::from(100_000) };
        let model = learn(source, &config, &mut |_| ()).unwrap();
        (model, sample(source, [u64::MAX, 0], 20_000, 8))
    });
    // For each observation: how often each other hand was the true one, and which hands are possible.
    let mut seen: BTreeMap<Vec<u8>, BTreeMap<Vec<u16>, f64>> = BTreeMap::new();
    for decision in 0..samples.len() {
        let hands = seen.entry(samples.row(decision).to_vec()).or_default();
        samples.deals(decision).for_each(|hand| _ = hands.entry(hand.to_vec()).or_default());
        let there = samples.deals(decision).next().unwrap();
        *hands.get_mut(there).unwrap() += 1.0;
    }
    let mut informative = 0;
    for (row, hands) in &seen {
        let outputs = model.outputs(row);
        let weight =
            |hand: &Vec<u16>| f64::from(cardsharp_bot::beliefs::ViewWeights::score(&outputs, hand)).exp();
        let (count, all): (f64, f64) = (hands.values().sum(), hands.keys().map(weight).sum());
        if count < 200.0 {
            continue;
        }
        for (hand, was) in hands {
            let (believed, was) = (weight(hand) / all, was / count);
            assert!((believed - was).abs() < 0.05, "{hand:?} of {hands:?}: {believed} and {was}");
            informative += usize::from((was - 1.0 / hands.len() as f64).abs() > 0.2);
        }
    }
    assert!(informative >= 4, "the bets of the player by rule tell nothing in {} views", seen.len());
}

#[test]
fn the_same_seed_makes_the_same_model_on_any_number_of_threads() {
    let player = Player::scripted();
    let learn_on = |threads| {
        source("tahimi", &player, 3, |source| {
            let source = SampleSource { threads, ..*source };
            let config = BeliefConfig { hidden: vec![16], ..BeliefConfig::from(500) };
            let model = learn(&source, &config, &mut |_| ()).unwrap();
            (model.to_bytes().unwrap(), calibrate(&source, &model, 50).unwrap())
        })
    };
    let (alone, calibration) = learn_on(1);
    assert!((alone.clone(), calibration.clone()) == learn_on(3));
    let tahimi = game("tahimi").unwrap();
    let read = Model::from_bytes(tahimi, &alone).unwrap();
    assert_eq!((read.to_bytes().unwrap(), read.about().player.as_str()), (alone, "scripted"));
    assert!(calibration.decisions >= 50 && calibration.forecasts > calibration.decisions);
    assert!(calibration.effective > 2.0 && calibration.effective <= 8.0, "{calibration:?}");
    let refused = Model::from_bytes(game("taki").unwrap(), &read.to_bytes().unwrap()).unwrap_err();
    assert_eq!(refused.to_string(), "the bot plays `tahimi`, not `taki`");
}

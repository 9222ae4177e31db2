use std::collections::BTreeMap;

use cardsharp_env::{Size, game};

use super::*;
use crate::rollout::{RolloutConfig, TableConfig};

/// Watches `player` at the game's own table, in sessions of one round.
fn watching<T>(name: &str, player: &Player, seed: u64, with: impl FnOnce(&Watching<'_>) -> T) -> T {
    let game = game(name).unwrap();
    let one = Size { players: None, rounds: Some(1) };
    let rules = game.default_rules().sized(one).unwrap_or_else(|_| game.default_rules());
    let rules = rules.json().as_object().cloned().unwrap();
    let config =
        RolloutConfig { tables: vec![TableConfig { weight: 1.0, rules }], ..RolloutConfig::default() };
    let tables = Tables::new(game, &config).unwrap();
    with(&Watching { game, tables: &tables, player, seed, threads: 2, stop: &AtomicBool::new(false) })
}

#[test]
fn the_gradient_is_that_of_the_loss() {
    let deals: [&[u16]; 3] = [&[1, 4, 7], &[1, 2], &[4, 9]];
    let asked = [1, 2, 4, 7, 9];
    let loss = |outputs: &[f32]| {
        let (mut gradient, mut sums) = (Vec::new(), Sums::default());
        judge(deals.iter().copied(), &asked, outputs, 1.0, &mut gradient, &mut sums);
        (sums.loss, gradient)
    };
    let outputs = [0.3, -0.8, 0.5, 0.1, 1.2];
    // exp(0.9), exp(-0.5) and exp(1.7), the first of which is there.
    let (found, gradient) = loss(&outputs);
    let expected = -(0.9 - (0.9f64.exp() + (-0.5f64).exp() + 1.7f64.exp()).ln());
    assert!((found - expected).abs() < 1e-6, "{found} and {expected}");
    for at in 0..outputs.len() {
        let moved = |by: f32| {
            let mut outputs = outputs;
            outputs[at] += by;
            loss(&outputs).0
        };
        let slope = (moved(1e-2) - moved(-1e-2)) / 2e-2;
        assert!((slope - f64::from(gradient[at])).abs() < 1e-4, "{at}: {slope} and {}", gradient[at]);
    }
}

/// In Kuhn poker a model of the player by rule comes to the odds that are counted over its games.
#[test]
fn beliefs_become_those_that_games_show() {
    let player = Player::scripted();
    let (model, watched) = watching("kuhn", &player, 1, |watching| {
        let rate = Schedule::linear(5e-3, 1e-4);
        let learning = Learning { hidden: vec![32], deals: 3, rate, ..Learning::from(100_000) };
        let model = learn(watching, &learning, &mut |_| ()).unwrap();
        (model, watch(watching, [u64::MAX, 0], 20_000, 8))
    });
    // By row: how often each other hand was there, and which ones are possible.
    let mut seen: BTreeMap<Vec<u8>, BTreeMap<Vec<u16>, f64>> = BTreeMap::new();
    for decision in 0..watched.len() {
        let hands = seen.entry(watched.row(decision).to_vec()).or_default();
        watched.deals(decision).for_each(|hand| _ = hands.entry(hand.to_vec()).or_default());
        let there = watched.deals(decision).next().unwrap();
        *hands.get_mut(there).unwrap() += 1.0;
    }
    let mut told = 0;
    for (row, hands) in &seen {
        let outputs = model.outputs(row);
        let weight = |hand: &Vec<u16>| f64::from(cardsharp_bot::beliefs::Asked::score(&outputs, hand)).exp();
        let (count, all): (f64, f64) = (hands.values().sum(), hands.keys().map(weight).sum());
        if count < 200.0 {
            continue;
        }
        for (hand, was) in hands {
            let (believed, was) = (weight(hand) / all, was / count);
            assert!((believed - was).abs() < 0.05, "{hand:?} of {hands:?}: {believed} and {was}");
            told += usize::from((was - 1.0 / hands.len() as f64).abs() > 0.2);
        }
    }
    assert!(told >= 4, "the bets of the player by rule tell nothing in {} views", seen.len());
}

#[test]
fn the_same_seed_makes_the_same_model_on_any_number_of_threads() {
    let player = Player::scripted();
    let learn_on = |threads| {
        watching("tahimi", &player, 3, |watching| {
            let watching = Watching { threads, ..*watching };
            let learning = Learning { hidden: vec![16], ..Learning::from(500) };
            let model = learn(&watching, &learning, &mut |_| ()).unwrap();
            (model.to_bytes().unwrap(), calibrate(&watching, &model, 50).unwrap())
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

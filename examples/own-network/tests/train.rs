//! A short run of the network: resumed to the same bytes, exported and read again.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_bot::file::{self, FileError};
use cardsharp_bot::net::Scratch;
use cardsharp_env::blocks::{scales, width};
use cardsharp_trainer::burn::tensor::{Device, Tensor};
use cardsharp_trainer::nn::custom::{PolicyModule, Spaces, load};
use cardsharp_trainer::train::{Progress, RunOutcome};
use own_network::{Residual, config, export, run};

const SHORT: [&str; 7] = [
    "iterations=3",
    "rollout.sessions=20",
    "ppo.minibatch=100",
    "evaluate.every=2",
    "evaluate.final_deals=20",
    "league.past=0.3",
    "league.every=1",
];

/// Trains until this number of iterations is complete.
fn train(folder: &Path, threads: usize, iterations: u64) -> RunOutcome {
    let stop = AtomicBool::new(false);
    let mut progress = |step: &Progress<'_>| stop.store(step.iteration >= iterations, Ordering::Relaxed);
    let mut overrides: Vec<String> = SHORT.iter().map(|&of| of.to_owned()).collect();
    overrides.extend([format!("threads={threads}"), "checkpoint.every=1".to_owned()]);
    let config = config(&overrides).expect("a configuration");
    run(folder, config, &mut progress, &stop).expect("a run").1
}

/// Returns the files of the last checkpoint except the configuration, which has the number of threads.
fn last(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.join("checkpoints/00000003")).expect("a checkpoint");
    let file = |entry: fs::DirEntry| (entry.file_name().to_string_lossy().into_owned(), entry.path());
    let files = entries.map(|entry| file(entry.expect("an entry")));
    let files =
        files.filter(|(name, _): &(String, _)| name.ends_with(".safetensors") || name == "state.json");
    files.map(|(name, path)| (name, fs::read(path).expect("a file"))).collect()
}

#[test]
fn a_run_is_resumed_to_the_same_bytes() {
    let temporary = tempfile::tempdir().expect("a folder");
    let [whole, parts] = ["whole", "parts"].map(|name| temporary.path().join(name));
    assert!(train(&whole, 1, u64::MAX).finished);
    for iterations in [1, 2, u64::MAX] {
        train(&parts, 2, iterations);
    }
    let (expected, found) = (last(&whole), last(&parts));
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    assert!(expected.contains_key("league-00000002.safetensors"), "{:?}", expected.keys());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name}");
    }
}

#[test]
fn the_exported_weights_are_those_of_the_trained_module() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = temporary.path().join("run");
    let outcome = train(&folder, 2, u64::MAX);
    let config = config(&[]).expect("a configuration");
    let model = temporary.path().join("model");
    export(&config, &outcome, &model).expect("a model");
    let trained: Residual = outcome.module().expect("a residual network");

    let game = config.game().expect("a game of the list");
    let spaces = Spaces { cells: width(game.observation()), actions: width(game.actions()) };
    let device = Device::flex();
    let table = game.default_rules().table(7);
    let view = table.asked().expect("a round that was just dealt");
    let mut row = vec![0; spaces.cells];
    view.row(&mut row);
    let scaled: Vec<f32> =
        row.iter().zip(scales(game.observation())).map(|(&cell, scale)| f32::from(cell) * scale).collect();
    let outputs = |module: &Residual| -> Vec<f32> {
        let rows = Tensor::<1>::from_floats(&scaled[..], &device).unsqueeze();
        let (logits, value) = module.forward(rows);
        Tensor::cat(vec![logits.flatten::<1>(0, 1), value], 0).into_data().try_into_vec_as().expect("floats")
    };
    let expected = outputs(&trained);
    let fresh = || Residual::new(spaces, &device);
    assert_ne!(outputs(&fresh()), expected);
    for file in [model.join("weights.safetensors"), folder.join("checkpoints/00000003/bot.safetensors")] {
        let read = load(fresh(), &fs::read(&file).expect("a file")).expect("the weights of the module");
        assert_eq!(outputs(&read), expected, "{}", file.display());
    }

    // The network for actors computes the same.
    let (mut logits, legal) = (vec![0.0; spaces.actions], view.legal_words());
    let value = outcome.net.forward(&row, &legal, &mut Scratch::default(), &mut logits);
    assert_eq!(value, expected[spaces.actions]);
    assert!(logits.iter().zip(&expected).all(|(&found, &all)| found == all || found == f32::NEG_INFINITY));

    // Commands cannot load this network.
    let bytes = fs::read(folder.join("checkpoints/00000003/bot.safetensors")).expect("a file");
    assert!(matches!(file::from_bytes(&bytes), Err(FileError::Layers { .. })));
    assert!(outcome.export(&config.games, &config, &temporary.path().join("bundle")).is_err());
    let onnx = fs::read(model.join("model.onnx")).expect("a file");
    assert_eq!(onnx, trained.to_onnx(&outcome.header, &scales(game.observation())));
}

//! Tests of the shipped bots at half precision, as browsers load them.

use std::path::Path;

use cardsharp_bot::Scratch;
use cardsharp_bot::bots::greedy;
use cardsharp_bot::bundle::vectors::{self, VECTORS, Vector};
use cardsharp_bot::file::{from_bytes, to_half_bytes};
use cardsharp_env::game;

/// Logits this close count as a tie: the odds between two such moves are less than 1.01 to 1.
const ALIKE: f32 = 0.01;

#[test]
fn shipped_bots_make_the_moves_of_their_vectors_at_half_precision_or_some_as_good() {
    for name in ["dalmuti", "tachtigen", "tahimi", "taki"] {
        let game = game(name).expect("one of the games");
        let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints").join(name).join("bot");
        let content = |file: &str| std::fs::read(bundle.join(file)).expect("a file of the bundle");
        let (header, net) = from_bytes(&content("bot.safetensors")).expect("a bot");
        let halved = to_half_bytes(&header, &net).expect("weights that fit");
        let (_, net) = from_bytes(&halved).expect("a bot");
        let (mut scratch, mut outputs) = (Scratch::default(), vec![0.0; net.policy.outputs]);
        let (mut count, mut others) = (0, 0);
        for line in vectors::lines(&content(vectors::FILE)) {
            let vector: Vector = serde_json::from_str(&line.expect("a line")).expect("a vector");
            let read = game.view(&vector.view.to_string()).expect("a view");
            let row = vector.dense_row(net.scale.len()).expect("a row");
            let legal = read.view().legal_words();
            net.forward(&row, &legal, &mut scratch, &mut outputs);
            let chosen = greedy(&legal, &outputs);
            let at = vector.legal.iter().position(|&action| action == chosen).expect("a legal move");
            let best = vector.logits.iter().copied().fold(f32::MIN, f32::max);
            let behind = best - vector.logits[at];
            assert!(
                behind < ALIKE,
                "{name}: {} is {behind} behind {}",
                read.view().label(chosen),
                vector.best
            );
            count += 1;
            others += usize::from(read.view().label(chosen) != vector.best);
        }
        assert_eq!(count, VECTORS, "{name}");
        assert!(others * 200 <= count, "{name}: {others} of {count} moves are others");
    }
}

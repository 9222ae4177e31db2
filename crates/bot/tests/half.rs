//! The shipped bots at half precision, as browsers fetch them.

use std::path::Path;

use cardsharp_bot::Scratch;
use cardsharp_bot::bots::greedy;
use cardsharp_bot::bundle::vectors::{self, VECTORS, Vector};
use cardsharp_bot::file::{from_bytes, to_half_bytes};
use cardsharp_env::game;

#[test]
fn every_shipped_bot_makes_every_move_of_its_vectors_at_half_precision() {
    for name in ["dalmuti", "tachtigen", "tahimi", "taki"] {
        let game = game(name).expect("one of the games");
        let bundle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints").join(name).join("bot");
        let content = |file: &str| std::fs::read(bundle.join(file)).expect("a file of the bundle");
        let (header, net) = from_bytes(&content("bot.safetensors")).expect("a bot");
        let halved = to_half_bytes(&header, &net).expect("weights that fit");
        let (_, net) = from_bytes(&halved).expect("a bot");
        let (mut scratch, mut outputs) = (Scratch::default(), vec![0.0; net.policy.outputs]);
        let mut count = 0;
        for line in vectors::lines(&content(vectors::FILE)) {
            let vector: Vector = serde_json::from_str(&line.expect("a line")).expect("a vector");
            let read = game.view(&vector.view.to_string()).expect("a view");
            let row = vector.dense_row(net.scale.len()).expect("a row");
            let legal = read.view().legal_words();
            net.forward(&row, &legal, &mut scratch, &mut outputs);
            assert_eq!(read.view().label(greedy(&legal, &outputs)), vector.best, "{name}: {}", vector.view);
            count += 1;
        }
        assert_eq!(count, VECTORS, "{name}");
    }
}

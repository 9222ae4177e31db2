//! Measures the speed of networks: `cargo run --release -p cardsharp-bot --example inference`.
//!
//! Prints microseconds per row, alone and in batches, and checks that all give the same bits. The network has 650 cells
//! (about 90 of them nonzero), two hidden layers of 256, and 262 actions (4 legal).

use std::time::Instant;

use cardsharp_bot::net::{Dense, Net, Scratch, ShapeError, Weights};
use cardsharp_env::Draw;
use ndarray::Array2;

const ROWS: usize = 1024;
const LAYERS: [usize; 4] = [650, 256, 256, 262];

fn dense(draw: &mut Draw, inputs: usize, outputs: usize) -> Dense {
    let scale = 2.0 / (inputs as f32).sqrt();
    let weight = (0..inputs * outputs).map(|_| (draw.unit() - 0.5) * scale).collect();
    Dense { inputs, outputs, weight, bias: vec![0.0; outputs] }
}

fn main() -> Result<(), ShapeError> {
    let draw = &mut Draw::new(1, 0);
    let [cells, first, second, actions] = LAYERS;
    let net = Net::new(Weights {
        scale: vec![1.0; cells],
        trunk: vec![dense(draw, cells, first), dense(draw, first, second)],
        policy: dense(draw, second, actions),
        value: dense(draw, second, 1),
    })?;
    let rows = Array2::from_shape_simple_fn((ROWS, cells), || u8::from(draw.below(cells as u32) < 90));
    let mut legal = Array2::<u64>::zeros((ROWS, actions.div_ceil(64)));
    for mut words in legal.rows_mut() {
        (0..4).for_each(|_| {
            let action = draw.below(actions as u32) as usize;
            words[action / 64] |= 1 << (action % 64);
        });
    }
    let mut scratch = Scratch::default();
    let mut expected = None;
    for batch in [1, 8, 16, 32, 64, 256] {
        let (mut logits, mut values) = (Array2::zeros((batch, actions)), vec![0.0; batch]);
        let lanes: Vec<usize> = (0..ROWS).collect();
        let (mut best, mut sum) = (f64::INFINITY, 0.0);
        for _ in 0..50 {
            let start = Instant::now();
            sum = 0.0;
            for lanes in lanes.chunks(batch) {
                net.forward_lanes(rows.view(), legal.view(), lanes, &mut scratch, &mut logits, &mut values);
                sum += values.iter().map(|&value| f64::from(value)).sum::<f64>();
            }
            best = best.min(start.elapsed().as_secs_f64());
        }
        let start = expected.get_or_insert(sum).to_bits();
        assert!((f64::from_bits(start) - sum).abs() < 1e-9, "every batch size gives the same values");
        println!("batch {batch:>3}: {:.2} µs per row", best * 1e6 / ROWS as f64);
    }
    Ok(())
}

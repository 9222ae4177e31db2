//! Measures the matrix products of training and inference, compared with the peak speed of the machine.
//!
//!     cargo run --release -p cardsharp-bot --example products [ROWS]
//!
//! The shapes are those of the quickstart: rows of 732 cells from random play, two layers of 256, and 3 legal of 262
//! actions. Each figure is the best of fifty. The last figures are the speed of reading memory.

use std::hint::black_box;
use std::time::Instant;

use cardsharp_bot::arithmetic::{
    Cells, CellsWorkspace, Left, Lists, Once, Scale, cells, dense, dots, sparse,
};
use cardsharp_env::endless::{Endless, LaneSource};
use cardsharp_env::{ActionId, Draw, Size, game};

const CELLS: usize = 732;
const WIDTH: usize = 256;
const ACTIONS: usize = 262;
const LEGAL: usize = 3;

fn main() {
    let rows = std::env::args().nth(1).map_or(1024, |rows| rows.parse().expect("a number of rows"));
    let mut draw = Draw::new(1, 0);
    let mut numbers = |count: usize| (0..count).map(|_| draw.unit() - 0.5).collect::<Vec<f32>>();
    let (weights, square, heads) = (numbers(CELLS * WIDTH), numbers(WIDTH * WIDTH), numbers(ACTIONS * WIDTH));
    let (bias, biases, features) = (numbers(WIDTH), numbers(ACTIONS), numbers(rows * WIDTH));
    let (mut lists, mut turned, mut at) = (Lists::default(), Lists::default(), Lists::default());
    let rows_of_cells = rows_of_random_play(rows);
    for row in rows_of_cells.chunks_exact(CELLS) {
        lists.push_cells(row, &[0.5; CELLS]);
        lists.end();
        (0..LEGAL).for_each(|number| at.push(number * 80 + draw.below(80) as usize, 0.1));
        at.end();
    }
    let (mut plain, mut turned_cells, mut cells_room) =
        (Cells::default(), Cells::default(), CellsWorkspace::default());
    plain.clear(CELLS);
    rows_of_cells.chunks_exact(CELLS).for_each(|row| plain.push(&[row]));
    let scale = [0.5; CELLS];
    let (mut to, mut room, mut said) = (vec![0.0; rows * WIDTH], Vec::new(), Vec::new());
    let (mut at_weights, mut at_square) = (vec![0.0; CELLS * WIDTH], vec![0.0; WIDTH * WIDTH]);
    let terms = (0..rows).map(|row| lists.row(row).len()).sum::<usize>() as f64 / rows as f64;
    let left = |turned| Left { numbers: &features, stride: WIDTH, turned };
    println!("{terms:.0} of {CELLS} cells set");
    println!("µs a row, {rows} rows                  µs   billion operations a second");
    let show = |what: &str, products: f64, work: &mut dyn FnMut()| {
        let mut best = f64::INFINITY;
        for _ in 0..50 {
            let start = Instant::now();
            work();
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!(
            "{what:36} {:.3}   {:.0}",
            best * 1e6 / rows as f64,
            2.0 * products * rows as f64 / best / 1e9
        );
    };
    let wide = WIDTH as f64;
    show("a list a row × first layer", terms * wide, &mut || {
        sparse(&lists, &weights, Some(&bias), WIDTH, black_box(&mut to))
    });
    show("cells turned", 0.0, &mut || turned_cells.turn(black_box(&plain)));
    show("the product, six rows at once", terms * wide, &mut || {
        let (scale, to) = (Scale::Terms(&scale), black_box(&mut to));
        cells::<Once>(&turned_cells, scale, &weights, Some(&bias), WIDTH, &mut cells_room, to);
    });
    show("features × second layer", wide * wide, &mut || {
        dense::<Once>(left(false), rows, &square, Some(&bias), WIDTH, &mut room, black_box(&mut to));
    });
    show("features turned × gradient", wide * wide, &mut || {
        dense::<Once>(left(true), WIDTH, &features, None, WIDTH, &mut room, black_box(&mut at_square));
    });
    show("lists turned", 0.0, &mut || turned.turn(black_box(&lists), CELLS));
    show("a list a cell × gradient", terms * wide, &mut || {
        sparse(&turned, &features, None, WIDTH, black_box(&mut at_weights));
    });
    show("the product, six cells at once", terms * wide, &mut || {
        let scale = Scale::Rows(&scale);
        cells::<Once>(&plain, scale, &features, None, WIDTH, &mut cells_room, black_box(&mut at_weights));
    });
    show("legal actions", LEGAL as f64 * wide, &mut || {
        for (row, features) in features.chunks_exact(WIDTH).enumerate() {
            let chosen: [u16; LEGAL] = std::array::from_fn(|number| at.row(row)[number].at as u16);
            dots(&chosen, &heads, &biases, features, black_box(&mut said));
        }
    });
    show("their gradient × heads", LEGAL as f64 * wide, &mut || {
        sparse(&at, &heads, None, WIDTH, black_box(&mut to))
    });
    println!("\nreading                              billion bytes a second");
    for (what, bytes) in
        [("the nearest cache, 32 KiB", 1 << 15), ("512 KiB", 1 << 19), ("memory, 256 MiB", 1 << 28)]
    {
        println!("{what:36} {:.0}", read(bytes));
    }
}

/// Returns the rows of observations of this number of lanes, at different places of their rounds.
fn rows_of_random_play(rows: usize) -> Vec<u8> {
    let rules = game("dalmuti").expect("one of the games").default_rules();
    let rules = rules.sized(Size { players: Some(5), rounds: None }).expect("five may play");
    let seeds = (0..rows as u64).collect();
    let (restart, skip_forced, reveal) = (true, false, false);
    let mut play =
        Endless::new(LaneSource { rules: vec![(rules, 1.0)], seeds, restart, skip_forced, reveal });
    let lanes: Vec<usize> = (0..rows).collect();
    for step in 0..200 {
        let some: Vec<usize> = lanes.iter().copied().filter(|lane| lane % 100 < 200 - step).collect();
        let picks: Vec<ActionId> = lanes.iter().map(|&lane| play.random(lane)).collect();
        play.step(&some, &picks);
    }
    play.batch().row.iter().copied().collect()
}

/// Returns the speed of reading and adding numbers, in gigabytes per second.
fn read(bytes: usize) -> f64 {
    let numbers = vec![1.0f32; bytes / 4];
    let rounds = ((1 << 28) / bytes).max(1);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..rounds {
            let numbers = black_box(&numbers);
            pulp::Arch::new().dispatch(|| {
                // Enough parallel sums that the core does not wait for additions.
                let mut sums = [0.0f32; 128];
                for line in numbers.as_chunks::<128>().0 {
                    sums.iter_mut().zip(line).for_each(|(sum, number)| *sum += number);
                }
                black_box(sums);
            });
        }
        best = best.min(start.elapsed().as_secs_f64());
    }
    (bytes * rounds) as f64 / best / 1e9
}

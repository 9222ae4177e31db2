//! Measures how strong the scripted player of The Great Dalmuti is against other rule-based players:
//! `cargo run --release -p cardsharp-bot --example simple_bots [DEALS]` (default 400).
//!
//! One scripted player plays against copies of the other, in every seat of every deal. It plays single hands from
//! random positions, and sessions of twenty. `three lines` plays all cards of its worst rank, keeps its Jesters, and
//! passes when it must.

use std::time::{Duration, Instant};

use cardsharp_bot::arena::Interval;
use cardsharp_bot::{Bot, Contest, Player};
use cardsharp_env::games::dalmuti::Move;
use cardsharp_env::{ActionId, SeatView, mask};
use serde_json::json;

struct ThreeLines;

impl Bot for ThreeLines {
    fn name(&self) -> &str {
        "three lines"
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        let legal = view.legal_words();
        // Worse ranks and more cards have higher numbers.
        let thrifty = |&action: &ActionId| match Move::of(action) {
            Some(Move::Play(set)) => set.set().wilds == 0,
            Some(Move::Give(_)) => true,
            _ => false,
        };
        let best = mask::actions(&legal).filter(thrifty).last();
        best.or_else(|| mask::actions(&legal).last()).unwrap_or_default()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let deals: u64 = std::env::args().nth(1).map_or(Ok(400), |deals| deals.parse())?;
    let game = cardsharp_env::game("dalmuti").ok_or("there is no game `dalmuti`")?;
    let start = Instant::now();
    let mut clock = || -> Duration { start.elapsed() };
    println!("players  hands  against      place score                first               deals   seconds");
    for players in [4, 5, 6, 8] {
        for hands in [1, 20] {
            for other in [Player::random(), Player::new("three lines", |_| Box::new(ThreeLines))] {
                let (rules, began) = (json!({"players": players, "hands": hands}), Instant::now());
                let rules = game.rules(&rules)?;
                let (name, bots) = (other.name().to_owned(), vec![Player::scripted(), other]);
                let report = Contest::new(&rules, bots, deals, 1)?.run(&mut clock);
                let show = |Interval { mean, low, high }| format!("{mean:+.3} ({low:+.3} … {high:+.3})");
                println!(
                    "{players:>7}  {hands:>5}  {name:<11}  {}  {}  {deals:>5}  {:>6.1}",
                    show(report.bots[0].place_score),
                    show(report.bots[0].first_rate),
                    began.elapsed().as_secs_f64()
                );
            }
        }
    }
    Ok(())
}

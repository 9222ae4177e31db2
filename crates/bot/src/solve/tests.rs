use cardsharp_env::enumerate::{AnyTree, Explored};
use cardsharp_env::games::{kuhn, leduc};
use cardsharp_env::{AnyGame, Game, Seat, game};
use serde_json::Value;

use super::*;
use crate::bots::Player;

fn tree(name: &str) -> (&'static dyn AnyGame, Box<dyn AnyTree>) {
    let game = game(name).unwrap();
    (game, game.enumerate(&Value::Null, 1_000_000).unwrap())
}

#[test]
fn scan() {
    for name in ["kuhn", "leduc"] {
        let t0 = std::time::Instant::now();
        let (_, any) = tree(name);
        let tree = any.tree();
        println!("{name} build {:?} {} {} {} {}", t0.elapsed(), tree.deals, tree.positions, tree.decisions.len(), tree.moves);
        let t0 = std::time::Instant::now();
        let m = measure(tree, &Strategy::uniform(tree));
        println!("{m:?} {} {} in {:?}", m.nash_conv(), m.exploitability(), t0.elapsed());
        let mut cfr = CfrPlus::new(tree).unwrap();
        let t0 = std::time::Instant::now();
        for i in 1..=1000 {
            cfr.step();
            if [1, 10, 100, 1000].contains(&i) {
                let m = measure(tree, &cfr.average());
                println!("{i} {} {:?} {:?}", m.exploitability(), m.value, t0.elapsed());
            }
        }
    }
}

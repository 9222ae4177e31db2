//! What an endgame of TAKI is worth, and how far from that the built-in bots are:
//! `cargo run --release -p cardsharp-bot --example endgame [CARDS [DECISIONS]]`.
//!
//! CARDS are those in hands (two each) and draw pile, below a red 5; after DECISIONS the game is cut off.

use std::error::Error;

use cardsharp_bot::bots::load;
use cardsharp_bot::solve::{CfrPlus, Strategy, measure};
use cardsharp_env::enumerate::{AnyTree, Explored};
use cardsharp_env::game;
use cardsharp_env::games::taki::Round;
use cardsharp_env::games::taki::deck;
use cardsharp_env::games::taki::endgame::Endgame;
use cardsharp_env::games::taki::rules::{MaxDecisions, Rules};

const MOST: u64 = 5_000_000;
const ITERATIONS: u64 = 1000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let cards = arguments.next().unwrap_or_else(|| "R1 R3 Rtaki Rstop B1 B1 B+2 color".to_owned());
    let decisions = arguments.next().map_or(Ok(5), |given| given.parse())?;
    let rules = Rules { players: 2, max_decisions: MaxDecisions::At(decisions), ..Rules::default() };
    let (top, unseen) = (deck::card_from("R5")?, deck::from_text(&cards)?);
    let deals = Endgame { rules, top, unseen, hand: 2 }.deals()?;
    let explored = Explored::<Round>::of(rules, &deals, MOST).ok_or("too many positions")?;
    let tree = explored.tree();
    let (deals, decisions, ends) = (tree.deals, tree.decisions.len(), tree.ends().count());
    println!("{deals} deals, {} positions, {decisions} decisions, {ends} ends", tree.positions);
    let show = |name: &str, strategy: &Strategy| {
        let measured = measure(tree, strategy);
        println!(
            "{name:<10}  value {:.7}  exploitability {:.7}",
            measured.value[0],
            measured.exploitability()
        );
    };
    let taki = game("taki").ok_or("no TAKI")?;
    for name in ["random", "scripted", "cautious", "aggressive"] {
        let mut bot = load(name, taki, 0.0)?.bot(0);
        show(name, &Strategy::of(bot.as_mut(), taki, &explored));
    }
    let mut solver = CfrPlus::new(tree)?;
    while solver.iterations() < ITERATIONS {
        solver.step();
    }
    show("CFR+", &solver.average());
    Ok(())
}

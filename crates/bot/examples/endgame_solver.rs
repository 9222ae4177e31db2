//! Counts how often the result of a move is certain, what the search costs, and how often a bot misses a certain win:
//! `cargo run --release -p cardsharp-bot --example endgame_solver -- GAME BOT [DECISIONS [POSITIONS]]`.
//!
//! The bot plays all seats. Half of the sessions use the default rules, half use random rules. The program stops after
//! DECISIONS exact searches (default 2,000) with at most POSITIONS positions each. A certain win counts as missed if
//! the bot plays another move.

use std::sync::Arc;
use std::time::Instant;

use cardsharp_bot::bots::{LoadOptions, load_with};
use cardsharp_bot::endgame_solver::{DEFAULT_POSITIONS, EndgameSolver};
use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::{ActionId, Foresight, Size, mask};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let name = given.first().ok_or("which game?")?;
    let game = cardsharp_env::game(name).ok_or("there is no such game")?;
    let begun = Instant::now();
    let spec = given.get(1).map_or("scripted", String::as_str);
    let wanted: usize = given.get(2).map_or(Ok(2000), |decisions| decisions.parse())?;
    let most: u64 = given.get(3).map_or(Ok(DEFAULT_POSITIONS), |positions| positions.parse())?;
    let means = LoadOptions { clock: Some(Arc::new(move || begun.elapsed())), ..LoadOptions::default() };
    let mut bot = load_with(spec, game, &means)?.bot(1);
    let (mut solver, mut micros, mut positions) = (EndgameSolver::default(), Vec::new(), Vec::new());
    let (mut found, mut given_up, mut choices, mut missed) = (0, 0, 0, 0);
    let mut session = 0;
    while found + given_up < wanted {
        session += 1;
        let rules = if session % 2 == 0 { game.default_rules() } else { game.random_rules(session) };
        let one = Size { players: None, rounds: Some(1) };
        let options = BatchOptions { lanes: 1, skip_forced: true, rows: true, reveal: false };
        let mut env = game.batch(&[rules.sized(one).unwrap_or(rules)], options);
        let (mut batch, mut picks) = (env.batch(), [ActionId(0)]);
        env.start(0, 0, session, &mut batch);
        while batch.state[0] != LaneState::Idle {
            if let (LaneState::Decide, Some(view)) = (batch.state[0], env.view(0)) {
                picks[0] = bot.pick(view);
                let start = Instant::now();
                let values = solver.solve(view, most);
                let took = start.elapsed();
                let choice = mask::single(&view.legal_words()).is_none();
                if let Some(values) = values {
                    found += 1;
                    micros.push(took.as_micros());
                    positions.push(values.positions);
                    let differ = values.moves.iter().any(|&(action, _)| !values.is_best(action));
                    choices += usize::from(differ);
                    missed += usize::from(differ && !values.is_best(picks[0]));
                } else if view.foresight() == Foresight::Round && choice {
                    given_up += 1;
                }
            }
            env.step(&picks, &mut batch);
        }
    }
    micros.sort_unstable();
    positions.sort_unstable();
    let share = |sorted: &[u128], of: usize| {
        sorted.get(sorted.len().saturating_sub(1) * of / 1000).copied().unwrap_or_default()
    };
    let as_wide: Vec<u128> = positions.iter().map(|&positions| positions.into()).collect();
    println!(
        "{name}: {found} decisions with something certain, {given_up} given up, {session} sessions; the choice mattered in \
         {choices}, {spec} missed {missed}; µs: half {}, 99 % {}, all {}; positions: half {}, 99 % {}, all {}",
        share(&micros, 500),
        share(&micros, 990),
        share(&micros, 1000),
        share(&as_wide, 500),
        share(&as_wide, 990),
        share(&as_wide, 1000),
    );
    Ok(())
}

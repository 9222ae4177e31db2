//! Judges the first moves of a deal in a file.

use std::error::Error;
use std::process::ExitCode;

use cardsharp_env::game;
use chosen_hands::first_moves;

const USAGE: &str = "usage: chosen-hands [GAME FILE [DEALS]]";
/// The maximum number of moves to print.
const SHOWN: usize = 12;
/// The default deal, for the question what to bid first in Tachtigen.
const OPENING: &str = include_str!("../deals/opening.json");

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("Error: {problem}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into()).collect();
    let (name, text) = match words.as_slice() {
        [] => ("tachtigen", OPENING.to_owned()),
        [name, file, ..] => {
            (name.as_str(), std::fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?)
        }
        [_] => return Err("a game needs the file of a deal".into()),
    };
    let deals = match words.get(2) {
        Some(word) => word.parse().map_err(|_| format!("{word:?} is not a number of deals"))?,
        None => 1000,
    };
    let game = game(name).ok_or_else(|| format!("there is no game {name:?}"))?;
    let rules = game.default_rules();
    let (seat, moves) = first_moves(&rules, &serde_json::from_str(&text)?, deals)?;
    println!("{}: seat {} moves first; points on average over {deals} deals", game.title(), seat.0);
    for worth in moves.iter().take(SHOWN) {
        println!("{:>8.2}  {}", worth.points, worth.label);
    }
    if let Some(rest) = moves.len().checked_sub(SHOWN).filter(|&rest| rest > 0) {
        println!("          and {rest} more");
    }
    Ok(())
}

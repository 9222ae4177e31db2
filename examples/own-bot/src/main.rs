//! Enters the bot in the arena, alone among copies of a player that everybody knows.

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use cardsharp_bot::arena::{BotReport, Interval};
use cardsharp_bot::{Contest, Player, workers};
use cardsharp_env::{GameRules, Size, game};
use own_bot::Rollouts;

const USAGE: &str = "usage: own-bot [GAME [DEALS [BUDGET]]]";

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
    let number = |at: usize, usual: u64| match words.get(at) {
        Some(word) => word.parse().map_err(|_| format!("{word:?} is not a number of rounds or deals")),
        None => Ok(usual),
    };
    let name = words.first().map_or("tachtigen", String::as_str);
    let (deals, budget) = (number(1, 320)?, number(2, 200)?);
    let game = game(name).ok_or_else(|| format!("there is no game {name:?}"))?;
    // Many single rounds tell sooner how strong a bot is than a few long sessions.
    let rules = game.default_rules().sized(Size { rounds: Some(1), ..Size::AS_GIVEN })?;
    println!("{name}, {} players, {deals} deals, {budget} rounds per decision", rules.players());
    println!("{:<10} {:<26} {:<26} ms per move", "against", "place score", "points ahead");
    for other in [Player::scripted(), Player::random()] {
        let (against, bot) = (other.name().to_owned(), measure(&rules, other, deals, budget as usize)?);
        let [score, ahead] = [(bot.place_score, 3), (bot.points_ahead.unwrap_or_default(), 2)].map(show);
        let time = bot.ms_per_move.unwrap_or_default().p50;
        println!("{against:<10} {score:<26} {ahead:<26} {time:.2}");
    }
    Ok(())
}

/// How the bot does in every seat of every deal, among copies of `other`.
fn measure(rules: &GameRules, other: Player, deals: u64, budget: usize) -> Result<BotReport, Box<dyn Error>> {
    let own = Player::new("rollouts", move |seed| Box::new(Rollouts::new(budget, seed)));
    let contest = Contest::new(rules, vec![own, other], deals, 1)?;
    // Each unit follows from its number alone: threads change the time that it takes, and nothing else.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let begun = Instant::now();
    let units = workers::in_order(threads, contest.units() as usize, |unit| {
        contest.play(unit as u64, &mut || begun.elapsed())
    });
    Ok(contest.report(&units).bots.swap_remove(0))
}

/// A mean and its 95 % interval, resampled by deal, because the games of one deal belong together.
fn show((figure, digits): (Interval, usize)) -> String {
    let Interval { mean, low, high } = figure;
    format!("{mean:+.digits$} ({low:+.digits$} … {high:+.digits$})")
}

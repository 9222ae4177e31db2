//! Measures the bot in the arena, alone among copies of a well-known player.

use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

use cardsharp_bot::arena::{BotReport, Interval};
use cardsharp_bot::bots::search::{Budget, SearchSettings};
use cardsharp_bot::{Contest, Player, workers};
use cardsharp_env::{GameRules, Size, game};
use own_bot::{Reader, Rollouts};

const USAGE: &str = "usage: own-bot [GAME [DEALS [BUDGET [rollouts|reader]]]]";

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
    let bot = words.get(3).map_or("rollouts", String::as_str);
    let search = SearchSettings::new(Budget::Simulations(budget as u32), None);
    let others = match bot {
        "rollouts" => [Player::scripted(), Player::random()],
        "reader" => [Player::scripted(), Player::search("search", search)],
        _ => return Err(format!("there is no bot {bot:?} here").into()),
    };
    let game = game(name).ok_or_else(|| format!("there is no game {name:?}"))?;
    // Many single rounds measure the strength of a bot faster than a few long sessions.
    let rules = game.default_rules().sized(Size { rounds: Some(1), ..Size::AS_GIVEN })?;
    println!("{bot} at {name}, {} players, {deals} deals, {budget} rounds per decision", rules.players());
    println!("{:<10} {:<26} {:<26} ms per move", "against", "place score", "points ahead");
    for other in others {
        let (against, own) = (other.name().to_owned(), own(bot, budget));
        let bot = measure(&rules, [own, other], deals)?;
        let [score, ahead] = [(bot.place_score, 3), (bot.points_ahead.unwrap_or_default(), 2)].map(show);
        let time = bot.ms_per_move.unwrap_or_default().p50;
        println!("{against:<10} {score:<26} {ahead:<26} {time:.2}");
    }
    Ok(())
}

/// Returns the bot with this name.
fn own(name: &str, budget: u64) -> Player {
    match name {
        "reader" => Player::new(name, move |seed| Box::new(Reader::new(budget as u32, seed))),
        _ => Player::new(name, move |seed| Box::new(Rollouts::new(budget as usize, seed))),
    }
}

/// Measures the first player in every seat of every deal, among copies of the other.
fn measure(rules: &GameRules, players: [Player; 2], deals: u64) -> Result<BotReport, Box<dyn Error>> {
    let contest = Contest::new(rules, players.into(), deals, 1)?;
    // A unit depends only on its number, so threads change nothing but the time.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let begun = Instant::now();
    let units = workers::in_order(threads, contest.units() as usize, |unit| {
        contest.play(unit as u64, &mut || begun.elapsed())
    });
    Ok(contest.report(&units).bots.swap_remove(0))
}

/// Formats a mean with its 95 % confidence interval, resampled by deal, because the games of one deal are not
/// independent.
fn show((figure, digits): (Interval, usize)) -> String {
    let Interval { mean, low, high } = figure;
    format!("{mean:+.digits$} ({low:+.digits$} … {high:+.digits$})")
}

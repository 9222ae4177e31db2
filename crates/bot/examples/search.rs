//! How fast and how strong the search is: `cargo run --release -p cardsharp-bot --example search -- GAME
//! [BOT DEALS [OTHER]]`.
//!
//! With only a game, prints nanoseconds per deal and per playout, at decisions of sessions between scripted players, in
//! one thread. With a bot, also prints its place score, points and time per move over DEALS deals, with 95 % confidence
//! intervals. The bot plays alone against copies of OTHER (default `scripted`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use cardsharp_bot::arena::Interval;
use cardsharp_bot::bots::search::{Budget, SearchSettings};
use cardsharp_bot::bots::{LoadOptions, Search, load_with};
use cardsharp_bot::{Bot, Contest};
use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::{ActionId, AnyGame, DealRng, Size};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let name = given.first().ok_or("which game?")?;
    let game = cardsharp_env::game(name).ok_or("there is no such game")?;
    let begun = Instant::now();
    let Some(bot) = given.get(1) else {
        speed(game);
        return Ok(());
    };
    let deals: u64 = given.get(2).map_or(Ok(200), |deals| deals.parse())?;
    let other = given.get(3).map_or("scripted", String::as_str);
    let means = LoadOptions { clock: Some(Arc::new(move || begun.elapsed())), ..LoadOptions::default() };
    let bots = vec![load_with(bot, game, &means)?, load_with(other, game, &means)?];
    let rules = game.default_rules().sized(Size { players: None, rounds: Some(1) })?;
    let report = Contest::new(&rules, bots, deals, 1)?.run(&mut || begun.elapsed());
    let time = report.bots[0].ms_per_move.ok_or("a contest that was just held has times")?;
    let show = |Interval { mean, low, high }| format!("{mean:+.3} ({low:+.3} … {high:+.3})");
    println!(
        "{name}, {} players, {deals} deals: {bot} against {other}: place score {}, points {}, {:.2} ms a move \
         (99 %: {:.2}), {:.0} s",
        report.players,
        show(report.bots[0].place_score),
        show(report.bots[0].points),
        time.p50,
        time.p99,
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn speed(game: &'static dyn AnyGame) {
    let options = BatchOptions { lanes: 1, skip_forced: true, rows: false, reveal: false };
    let mut env = game.default_rules().batch(options);
    let (mut batch, mut picks, mut held) = (env.batch(), [ActionId(0)], None);
    let mut bot = Search::new("search", SearchSettings::new(Budget::Simulations(200), None), 1);
    let (mut searching, mut dealing, mut moves, mut dealt, mut started) =
        (Duration::ZERO, Duration::ZERO, 0, 0, 0);
    for step in 0..3000 {
        if batch.state[0] == LaneState::Idle {
            env.start(0, 0, started, &mut batch);
            started += 1;
        }
        if let Some(view) = env.view(0) {
            if step % 16 == 0 {
                let start = Instant::now();
                bot.pick(view);
                searching += start.elapsed();
                let start = Instant::now();
                for deal in 0..64 {
                    let round = view.determinize(DealRng::new(5, deal), &mut held);
                    moves += u64::from(round.is_some_and(|round| round.turn().is_some()));
                }
                dealing += start.elapsed();
                dealt += 64;
            }
            picks[0] = view.scripted();
        }
        env.step(&picks, &mut batch);
    }
    let spent = bot.spent();
    println!(
        "{}: {} decisions, {} tries in {} deals; {:.0} ns per deal, {:.0} ns per try with its share of deals, \
         {:.0} tries a second ({moves} deals looked at)",
        game.name(),
        spent.decisions,
        spent.simulations,
        spent.deals,
        dealing.as_nanos() as f64 / dealt as f64,
        searching.as_nanos() as f64 / spent.simulations as f64,
        spent.simulations as f64 / searching.as_secs_f64()
    );
}

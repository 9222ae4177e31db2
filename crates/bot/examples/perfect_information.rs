//! Measures which share of the possible gain over the scripted player a bot takes:
//! `cargo run --release -p cardsharp-bot --example perfect_information [GAME [DEALS [BOT]]]`
//! (default `dalmuti 1000 checkpoints/dalmuti/bot`).
//!
//! The reference is a player that sees all hands. For each of its moves, it tries every legal move in the true deal:
//! the scripted player, which its opponents are, finishes the round in all seats. Without this knowledge no player can be
//! as good, so its gain is an upper limit for bots that answer the scripted player move by move. Both play single
//! rounds alone among scripted players, in every seat of the same deals.

use cardsharp_bot::stats::over_seeds;
use cardsharp_bot::{Bot, Player, bots, workers};
use cardsharp_env::{ActionId, AnyTable, GameRules, Payoff, Seat, Size, game};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "dalmuti".to_owned());
    let deals: usize = words.next().map_or(Ok(1000), |deals| deals.parse())?;
    let game = game(&name).ok_or_else(|| format!("there is no game {name:?}"))?;
    let bot = bots::load(&words.next().unwrap_or_else(|| format!("checkpoints/{name}/bot")), game, 0.0)?;
    let rules = game.default_rules().sized(Size { rounds: Some(1), ..Size::AS_GIVEN })?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let scores = workers::in_order(threads, deals, |deal| measure(&rules, deal as u64, &bot));
    println!("{}, {} players, {deals} deals, alone among scripted players", game.title(), rules.players());
    let mut means = [0.0; 2];
    for (nth, player) in ["sees all hands", bot.name()].into_iter().enumerate() {
        let of_deals: Vec<f64> = scores.iter().map(|scores| scores[nth]).collect();
        let score = over_seeds(&of_deals).ok_or("at least two deals are needed")?;
        println!("{player:<16} place score {:+.4} ({:+.4} … {:+.4})", score.mean, score.low, score.high);
        means[nth] = score.mean;
    }
    println!("share of the gain  {:.1} %", 100.0 * means[1] / means[0]);
    Ok(())
}

/// The place scores of the player that sees all hands and of the bot, over all seats of one deal.
fn measure(rules: &GameRules, deal: u64, bot: &Player) -> [f64; 2] {
    let mut bot = bot.bot(deal);
    let seats = rules.table(deal).seats();
    let mut sums = [0.0; 2];
    for seat in (0..seats).map(|seat| Seat(seat as u8)) {
        sums[0] += play(rules, deal, seat, best_move);
        sums[1] += play(rules, deal, seat, |table| pick(table, bot.as_mut()));
    }
    sums.map(|sum| sum / seats as f64)
}

/// The place score of a seat whose moves `decide` chooses; the scripted player has the other seats.
fn play(rules: &GameRules, deal: u64, seat: Seat, mut decide: impl FnMut(&dyn AnyTable) -> ActionId) -> f64 {
    let mut table = rules.table(deal);
    while let Some(turn) = table.turn() {
        let action = if turn == seat { decide(table.as_ref()) } else { scripted(table.as_ref()) };
        table.try_play(action).expect("players make legal moves");
        // No move is undone, so no history is needed.
        table.forget(table.steps());
    }
    score(&payoff(table.as_ref()), seat)
}

/// The move after which the round ends best for the seat, if the scripted player makes all moves after it.
fn best_move(table: &dyn AnyTable) -> ActionId {
    let (seat, legal, scripted) = (table.turn().expect("a decision"), table.legal(), scripted(table));
    if legal.len() == 1 {
        return scripted;
    }
    let mut best = (scripted, result(table, seat, scripted));
    for action in legal.into_iter().filter(|&action| action != scripted) {
        let result = result(table, seat, action);
        if result > best.1 {
            best = (action, result);
        }
    }
    best.0
}

/// The reward of a seat if `action` is played now and the scripted player finishes the round.
fn result(table: &dyn AnyTable, seat: Seat, action: ActionId) -> f32 {
    let mut table = table.copied();
    table.try_play(action).expect("a legal move");
    while table.turn().is_some() {
        let action = scripted(table.as_ref());
        table.try_play(action).expect("the scripted player makes legal moves");
    }
    payoff(table.as_ref()).reward[seat.index()]
}

fn scripted(table: &dyn AnyTable) -> ActionId {
    table.asked().expect("a decision").scripted()
}

fn pick(table: &dyn AnyTable, bot: &mut dyn Bot) -> ActionId {
    bot.pick(table.asked().expect("a decision"))
}

fn payoff(table: &dyn AnyTable) -> Payoff {
    table.payoff().expect("the round is over")
}

fn score(payoff: &Payoff, seat: Seat) -> f64 {
    let (margin, opponents) = payoff.margin(seat.index()).expect("a seat that played");
    f64::from(margin) / f64::from(opponents)
}

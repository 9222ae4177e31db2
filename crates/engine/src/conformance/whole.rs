//! Checks of whole sessions: payoffs, standings, replays, undo, batches.

use ndarray::ArrayView1;
use serde_json::json;

use super::{Violation, chosen};
use crate::base::hands::Positions;
use crate::base::mask;
use crate::base::rng::{DealRng, Draw, derive};
use crate::base::rules::Rules;
use crate::base::{ActionId, MAX_SEATS, Seat};
use crate::game::{Game, Payoff, Play};
use crate::runtime::batch::{Batch, BatchEnv, BatchOptions, LaneState, VecEnv};
use crate::runtime::log::Audience;
use crate::runtime::replay::{Replay, ReplayError};
use crate::runtime::session::Session;
use crate::runtime::table::{AnyTable, Table};

/// Settles a finished round and checks its payoff.
pub(super) fn settle<G: Play>(session: &mut Session<G>) -> Result<(), Violation> {
    let again = session.clone().settle();
    let payoff = session.settle();
    if again != payoff {
        return Err(Violation::Payoff("settled twice, it differs".to_owned()));
    }
    let linear = json!(session.rules()).get("reward").is_some_and(|reward| reward == "rank_linear");
    let present = session.round().present();
    check_payoff(&payoff, session.rules().seats(), present, linear).map_err(Violation::Payoff)?;
    let standing = json!(session.standing());
    match serde_json::from_value::<G::SessionState>(standing.clone()) {
        Ok(back) if back == *session.standing() => Ok(()),
        other => Err(Violation::SessionState(format!("{standing} is read back as {other:?}"))),
    }
}

fn check_payoff(payoff: &Payoff, seats: u8, present: Positions, linear: bool) -> Result<(), String> {
    if payoff.seats != seats {
        return Err(format!("for {} seats, not {seats}", payoff.seats));
    }
    let absent = |&seat: &usize| !present.has(seat as u8);
    let nothing =
        |seat: usize| payoff.place[seat] == 0 && payoff.points[seat] == 0 && payoff.reward[seat] == 0.0;
    if !present.is_within(Positions::first(seats)) || !(0..MAX_SEATS).filter(absent).all(nothing) {
        return Err("something for seats that do not play".to_owned());
    }
    let n = present.len() as usize;
    let mut places = Vec::with_capacity(n);
    let mut rewards = Vec::with_capacity(n);
    for seat in present.iter().map(usize::from) {
        places.push(payoff.place[seat]);
        rewards.push(payoff.reward[seat]);
    }
    let (places, rewards) = (&places, &rewards);
    for (i, &place) in places.iter().enumerate() {
        // Seats that share a place are not ahead of each other.
        let better = places.iter().filter(|&&other| other < place).count();
        if usize::from(place) != better + 1 {
            return Err(format!("player {i} is number {place} behind {better} others: {places:?}"));
        }
    }
    if rewards.iter().any(|reward| !reward.is_finite()) {
        return Err(format!("rewards {rewards:?}"));
    }
    if linear {
        let total: f32 = rewards.iter().sum();
        let first =
            places.iter().zip(rewards).all(|(&place, &reward)| (place == 1) == (reward == 1.0) || n > 2);
        let ordered = (0..n).all(|a| (0..n).all(|b| places[a] >= places[b] || rewards[a] > rewards[b]));
        if total.abs() > 1e-4 || !first || !ordered || rewards.iter().any(|r| r.abs() > 1.0) {
            return Err(format!("rewards by rank {rewards:?} for places {places:?}"));
        }
    }
    Ok(())
}

/// Checks that the round just dealt is a function of rules, standing, seed and number.
pub(super) fn dealt_from_standing<G: Play>(session: &Session<G>, seed: u64) -> Result<(), Violation> {
    let rng = DealRng::new(seed, u64::from(session.number()));
    if G::deal(session.rules(), session.standing(), rng) == *session.round() {
        Ok(())
    } else {
        Err(Violation::SessionState(format!("round {} is not the one its standing deals", session.number())))
    }
}

/// Replays a session with these actions twice and compares, then checks undo, batches and chosen deals.
pub(super) fn check<G: Game>(rules: G::Rules, seed: u64, actions: &[ActionId]) -> Result<(), Violation> {
    let replay = Replay::<G> { rules, seed, deal: None, actions: actions.to_vec() };
    let text = json!(replay).to_string();
    let replay: Replay<G> =
        serde_json::from_str(&text).map_err(|error| Violation::Replay(format!("{error}: {text}")))?;
    let refused = |error: ReplayError| Violation::Replay(error.to_string());
    let first = replay.table().map_err(refused)?;
    let second = replay.table().map_err(refused)?;
    if record(&first) != record(&second) || first.session() != second.session() {
        return Err(Violation::Replay("the same replay led to two states".to_owned()));
    }
    forget(&first)?;
    undo(&replay, first)?;
    chosen::check::<G>(rules, seed, actions)?;
    batches::<G>(rules, seed)
}

/// Returns everything visible at a table, as JSON text.
fn record<G: Game>(table: &Table<G>) -> String {
    let session = table.session();
    let round = session.round();
    let views: Vec<_> = round.present().iter().map(|seat| round.view(Seat(seat)).to_owned()).collect();
    json!([session.standing(), AnyTable::payoff(table), views]).to_string()
}

/// Checks that forgetting all but the last step leaves the lines and the undo of that step unchanged.
fn forget<G: Game>(whole: &Table<G>) -> Result<(), Violation> {
    let last = whole.steps();
    let mut table = whole.clone();
    table.forget(last);
    let last_step = |table: &Table<G>| (table.step(last), table.lines(last, Audience::Referee));
    let same = table.steps() == last && last_step(&table) == last_step(whole);
    let forgotten = last < 2 || table.lines(last - 1, Audience::Referee).is_empty();
    if same && forgotten && table.undo() == whole.step(last) && table.undo().is_none() {
        Ok(())
    } else {
        Err(Violation::Undo("with what came before it forgotten, the last step is another".to_owned()))
    }
}

/// Undoes the whole session and plays it again with detours.
fn undo<G: Game>(replay: &Replay<G>, mut table: Table<G>) -> Result<(), Violation> {
    let end = *table.session();
    let fresh = Table::<G>::new(replay.rules, replay.seed);
    while table.undo().is_some() {}
    if table.session() != fresh.session() {
        return Err(Violation::Undo("taken back to the first move, it is another session".to_owned()));
    }
    for (i, &action) in replay.actions.iter().enumerate() {
        AnyTable::deal_next(&mut table);
        let before = *table.session();
        let legal = table.legal();
        // Before every move, play some legal move and undo it.
        let detour = legal[i % legal.len()];
        table.try_play(detour).map_err(|error| Violation::Undo(error.to_string()))?;
        table.undo();
        if *table.session() != before {
            return Err(Violation::Undo(format!("action {i} left something behind")));
        }
        table.try_play(action).map_err(|error| Violation::Undo(error.to_string()))?;
    }
    if *table.session() == end {
        Ok(())
    } else {
        Err(Violation::Undo("played again, it ends elsewhere".to_owned()))
    }
}

/// What a batch shows of one lane.
#[derive(Debug, PartialEq)]
enum Shown {
    Decision { seat: Seat, legal: Vec<u64>, row: Vec<u8> },
    Round { state: LaneState, payoff: Payoff },
}

/// Checks that a lane shows the same decisions with and without skipping forced moves, whatever the other lanes
/// play.
fn batches<G: Game>(rules: G::Rules, seed: u64) -> Result<(), Violation> {
    let alone = trajectory::<G>(
        rules,
        seed,
        BatchOptions { lanes: 1, skip_forced: false, rows: true, reveal: false },
    )?;
    let beside =
        trajectory::<G>(rules, seed, BatchOptions { lanes: 3, skip_forced: true, rows: true, reveal: true })?;
    let differs = alone.iter().zip(&beside).position(|(a, b)| a != b);
    match differs {
        Some(i) => Err(Violation::Batch(format!(
            "entry {i}: {:?} alone, {:?} with forced moves skipped",
            alone[i], beside[i]
        ))),
        None if alone.len() != beside.len() => Err(Violation::Batch(format!(
            "{} entries alone, {} with forced moves skipped",
            alone.len(),
            beside.len()
        ))),
        None => Ok(()),
    }
}

/// Returns the choices and payoffs of a session in the last lane, under a fixed random policy.
fn trajectory<G: Game>(rules: G::Rules, seed: u64, options: BatchOptions) -> Result<Vec<Shown>, Violation> {
    let mut env = VecEnv::<G>::new(vec![rules], options);
    let mut batch = env.batch();
    let mut draws: Vec<Draw> =
        (0..options.lanes).rev().map(|lane| Draw::new(derive(seed, &[lane as u64]), 0)).collect();
    let watched = options.lanes - 1;
    for lane in 0..options.lanes {
        env.start(lane, 0, derive(seed, &[(watched - lane) as u64]), &mut batch);
    }
    let mut shown = Vec::new();
    let mut picks = vec![ActionId(0); options.lanes];
    while batch.state[watched] != LaneState::Idle {
        for lane in 0..options.lanes {
            let Some(entry) = look(&batch, lane, &mut draws[lane], &mut picks[lane]) else { continue };
            if options.skip_forced && matches!(entry, Shown::Decision { .. }) && is_forced(&batch, lane) {
                return Err(Violation::Batch("a forced move was not skipped".to_owned()));
            }
            if lane == watched && !is_forced(&batch, lane) {
                shown.push(entry);
            }
        }
        env.step(&picks, &mut batch);
    }
    Ok(shown)
}

fn legal(batch: &Batch, lane: usize) -> ArrayView1<'_, u64> {
    batch.legal.row(lane)
}

fn is_forced(batch: &Batch, lane: usize) -> bool {
    batch.state[lane] == LaneState::Decide
        && legal(batch, lane).iter().map(|word| word.count_ones()).sum::<u32>() == 1
}

/// Returns what a lane shows, and sets its pick. Draws only if there is a choice, so that skipped forced moves do
/// not change the draws.
fn look(batch: &Batch, lane: usize, draw: &mut Draw, pick: &mut ActionId) -> Option<Shown> {
    match batch.state[lane] {
        LaneState::Idle => None,
        state @ (LaneState::RoundOver | LaneState::SessionOver) => {
            Some(Shown::Round { state, payoff: batch.payoff[lane] })
        }
        LaneState::Decide => {
            let legal = legal(batch, lane).to_vec();
            let choices = mask::count(&legal);
            let place = if choices > 1 { draw.below(choices) } else { 0 };
            *pick = mask::nth(&legal, place).unwrap_or_default();
            Some(Shown::Decision { seat: batch.seat[lane], legal, row: batch.row.row(lane).to_vec() })
        }
    }
}

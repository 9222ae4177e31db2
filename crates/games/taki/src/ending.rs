//! The end of a turn, of a stage and of a game, and what the game was worth. At the end of a turn, players
//! announce "last card", or others catch a player who did not.

use cardsharp_engine::game::Payoff;
use cardsharp_engine::{MAX_SEATS, Seat};

use super::actions::Move;
use super::rules::{LastCard, Mode, Ranking};
use super::state::{End, Happened, Next, PublicState, Stage};
use super::turn::{self, give, has_emptied};
use super::{Round, SessionState, window};

/// Starts a stage with a public decision, or cuts the game off if `max_decisions` is reached.
#[inline]
pub(super) fn ask(round: &mut Round, stage: Stage) {
    let table = &mut round.table;
    table.stage = if table.decisions < table.rules.limit() { stage } else { Stage::Over(End::CutOff) };
}

/// Ends the turn after the played card's effect. `skipped` players lose their turn.
#[inline]
pub(super) fn end_turn(round: &mut Round, skipped: u8) {
    let seat = round.table.turn;
    if has_emptied(round) && go_out(round, seat) {
        return;
    }
    let table = &mut round.table;
    if table.idle >= table.rules.players {
        table.stage = Stage::Over(End::Stalemate);
        return;
    }
    let last = table.remained == Some(1) && table.sizes[seat.index()] == 1;
    let next = Next { seat: table.after(table.after(seat, 1), skipped), king: false, plus3: false };
    pass_on(round, last.then_some(seat), next);
}

/// Passes the turn on. If `last` is down to one card, that player first has to announce it.
#[inline]
pub(super) fn pass_on(round: &mut Round, last: Option<Seat>, next: Next) {
    match last {
        Some(seat) => check_last_card(round, seat, next),
        None => go_on(round, next),
    }
}

/// Starts the next player's turn. If they answered a +3 with a King or another +3, continues that turn
/// instead.
#[inline]
fn go_on(round: &mut Round, next: Next) {
    if next.king {
        turn::free(round);
    } else if next.plus3 {
        window::open(round);
    } else {
        round.table.turn = next.seat;
        round.table.remained = None;
        ask(round, Stage::Turn);
    }
}

/// Handles a player without cards: the player wins, or starts the next tournament stage with new cards.
/// Returns whether the game is over.
pub(super) fn go_out(round: &mut Round, seat: Seat) -> bool {
    let table = &mut round.table;
    let stage = &mut table.stages[seat.index()];
    if *stage < 2 {
        table.stage = Stage::Over(End::Won(seat));
        return true;
    }
    *stage -= 1;
    let cards = u32::from(*stage);
    give(round, seat, cards);
    round.log.add(Happened::Rose(seat));
    false
}

/// Distance from winning: stage first, then cards in hand. Lower is nearer.
fn distance(table: &PublicState, seat: usize) -> (u8, u8) {
    (table.stages[seat], table.sizes[seat])
}

/// Returns whether seat `a` ranks before seat `b` at the end of the game.
fn is_before(table: &PublicState, end: End, a: usize, b: usize) -> bool {
    let nearer = distance(table, a) < distance(table, b);
    match (end, table.rules.ranking) {
        (End::Stalemate, _) => false,
        (End::Won(winner), Ranking::WinnerOnly) => winner.index() == a && a != b,
        (End::Won(winner), Ranking::HandSize) => {
            a != b && winner.index() != b && (winner.index() == a || nearer)
        }
        (End::CutOff, Ranking::HandSize) => nearer,
        (End::CutOff, Ranking::WinnerOnly) => {
            let best = |seat| {
                let all = 0..usize::from(table.players());
                all.map(|other| distance(table, other)).min() == Some(distance(table, seat))
            };
            best(a) && !best(b)
        }
    }
}

/// The reward for a place (0 is best) that no two players share.
fn reward_at(ranking: Ranking, place: usize, players: usize) -> f32 {
    let others = (players - 1) as f32;
    match ranking {
        Ranking::WinnerOnly if place == 0 => 1.0,
        Ranking::WinnerOnly => -1.0 / others,
        Ranking::HandSize => 1.0 - 2.0 * place as f32 / others,
    }
}

/// Returns places, points and rewards of a finished game, and updates the standing for the next game.
pub(super) fn settle(round: &Round, standing: &mut SessionState) -> Payoff {
    let table = &round.table;
    let players = usize::from(table.players());
    let mut payoff = Payoff { seats: table.players(), ..Payoff::default() };
    let Stage::Over(end) = table.stage else { return payoff };
    let mut wins = table.wins;
    for seat in 0..players {
        let before = (0..players).filter(|&other| is_before(table, end, other, seat)).count();
        let behind = (0..players).filter(|&other| is_before(table, end, seat, other)).count();
        payoff.place[seat] = before as u8 + 1;
        // Players who share a place get the average reward of the places that they take together.
        let shared = before..players - behind;
        let sum: f32 = shared.clone().map(|place| reward_at(table.rules.ranking, place, players)).sum();
        payoff.reward[seat] = if end == End::Stalemate { 0.0 } else { sum / shared.len() as f32 };
        let won = end == End::Won(Seat(seat as u8));
        payoff.points[seat] = i32::from(won);
    }
    wins.iter_mut().zip(payoff.points).for_each(|(wins, won)| *wins += won);
    *standing = SessionState { games: table.game, wins };
    payoff
}

/// The standing before the first game.
pub(super) const FRESH: SessionState = SessionState { games: 0, wins: [0; MAX_SEATS] };

/// Returns whether the rules have tournament stages.
pub(super) fn has_stages(table: &PublicState) -> bool {
    table.rules.mode == Mode::Tournament
}

// Announcing "last card", and catching a player who did not.

/// Handles a player who laid a card and has one left: announces it automatically, or asks the player.
fn check_last_card(round: &mut Round, seat: Seat, next: Next) {
    if round.table.rules.last_card == LastCard::Auto {
        round.table.announced.insert(seat.0);
        go_on(round, next);
    } else {
        ask(round, Stage::LastCard { seat, next });
    }
}

/// Plays the decision of the player with one card: announce it or stay silent.
pub(super) fn play_last_card(round: &mut Round, seat: Seat, next: Next, chosen: Move) {
    match chosen {
        Move::Declare => {
            round.table.announced.insert(seat.0);
            go_on(round, next);
        }
        Move::Silent if round.table.rules.last_card == LastCard::Challenge => {
            let asked = round.table.after(seat, 1);
            ask(round, Stage::Catch { silent: seat, asked, next });
        }
        Move::Silent => pay(round, seat, next),
        Move::Colored(..)
        | Move::Change(_)
        | Move::Super(_)
        | Move::King
        | Move::Plus3
        | Move::Breaker
        | Move::Draw
        | Move::Close
        | Move::LeaveOpen
        | Move::EndTurn
        | Move::Decline
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
    }
}

/// Plays the decision of another player: catch the silent player or let them go.
pub(super) fn play_catch(round: &mut Round, [silent, asked]: [Seat; 2], next: Next, chosen: Move) {
    match chosen {
        Move::Catch => pay(round, silent, next),
        Move::LetGo => let_go(round, [silent, asked], next),
        Move::Colored(..)
        | Move::Change(_)
        | Move::Super(_)
        | Move::King
        | Move::Plus3
        | Move::Breaker
        | Move::Draw
        | Move::Close
        | Move::LeaveOpen
        | Move::EndTurn
        | Move::Decline
        | Move::Declare
        | Move::Silent => chosen.misplaced(),
    }
}

fn let_go(round: &mut Round, [silent, asked]: [Seat; 2], next: Next) {
    let asked = round.table.after(asked, 1);
    if asked == silent {
        go_on(round, next);
    } else {
        ask(round, Stage::Catch { silent, asked, next });
    }
}

fn pay(round: &mut Round, seat: Seat, next: Next) {
    give(round, seat, u32::from(round.table.rules.last_card_penalty));
    go_on(round, next);
}

//! Announcing "last card", and catching a player who did not.

use cardsharp_engine::Seat;

use super::Round;
use super::ending;
use super::moves::Move;
use super::pile::give;
use super::rules::LastCard;
use super::table::{Next, Stage};

/// Handles a player who laid a card and has one left: announces it automatically, or asks the player.
pub(super) fn check(round: &mut Round, seat: Seat, next: Next) {
    if round.table.rules.last_card == LastCard::Auto {
        round.table.announced.insert(seat.0);
        ending::go_on(round, next);
    } else {
        ending::ask(round, Stage::LastCard { seat, next });
    }
}

/// Plays the decision of the player with one card: announce it or stay silent.
pub(super) fn play_last_card(round: &mut Round, seat: Seat, next: Next, chosen: Move) {
    match chosen {
        Move::Declare => {
            round.table.announced.insert(seat.0);
            ending::go_on(round, next);
        }
        Move::Silent if round.table.rules.last_card == LastCard::Challenge => {
            let asked = round.table.after(seat, 1);
            ending::ask(round, Stage::Catch { silent: seat, asked, next });
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
        ending::go_on(round, next);
    } else {
        ending::ask(round, Stage::Catch { silent, asked, next });
    }
}

fn pay(round: &mut Round, seat: Seat, next: Next) {
    give(round, seat, u32::from(round.table.rules.last_card_penalty));
    ending::go_on(round, next);
}

//! Saying "last card", and being caught silent.

use super::Round;
use super::actions::{CATCH, DECLARE};
use super::ending;
use super::pile::give;
use super::rules::LastCard;
use super::table::{Next, Stage};
use crate::ground::{ActionId, Seat};

/// A player is down to one card that he did not draw: does he say so?
pub fn check(round: &mut Round, seat: Seat, next: Next) {
    if round.table.rules.last_card == LastCard::Auto {
        round.table.announced.insert(seat.0);
        ending::go_on(round, next);
    } else {
        ending::ask(round, Stage::LastCard { seat, next });
    }
}

/// He says it, or is silent.
pub fn play_last_card(round: &mut Round, seat: Seat, next: Next, action: ActionId) {
    if action == DECLARE.nth(0) {
        round.table.announced.insert(seat.0);
        ending::go_on(round, next);
    } else if round.table.rules.last_card == LastCard::Challenge {
        let asked = round.table.after(seat, 1);
        ending::ask(round, Stage::Catch { silent: seat, asked, next });
    } else {
        pay(round, seat, next);
    }
}

/// Another player catches him, or lets it go.
pub fn play_catch(round: &mut Round, [silent, asked]: [Seat; 2], next: Next, action: ActionId) {
    if action == CATCH.nth(0) {
        pay(round, silent, next);
        return;
    }
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

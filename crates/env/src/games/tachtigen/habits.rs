//! What moves tell of how somebody plays.

use super::actions::{ASK, BID, CALL, CLAIM, HOLD, PASS, PLAY, SOLO, TRUMP};
use super::deck::{ACE, Card, Trump};
use super::ladder::{Bid, Kind};
use super::table::Stage;
use super::{Round, View};
use crate::game::Habits;
use crate::ground::ActionId;
use crate::ground::mask::flags;

/// Kinds of moves.
pub const HABITS: [&str; 16] = [
    "open the bidding",
    "hold",
    "bid higher",
    "pass",
    "bid a fixed contract",
    "bid the next rung",
    "name trump",
    "play without trump",
    "ask for a partner",
    "play alone",
    "call the asked card",
    "lead trump",
    "lead an ace",
    "trump a plain suit",
    "play a trump on a trick",
    "claim roem",
];

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let (table, trump) = (view.table, view.table.trump());
        let bid = BID.index(action).and_then(|rung| Bid::new(rung as u8));
        let next = table.high().map_or(0, |high| high.rung() + 1);
        let card = PLAY.index(action).and_then(|number| Card::new(number as u8));
        let led = table.play.led();
        let is_trump = card.is_some_and(|card| trump.is(card.suit()));
        let named = TRUMP.index(action).map(|named| Trump::ALL[named]);
        flags([
            bid.is_some() && table.stage == Stage::Opening,
            action == HOLD.nth(0),
            bid.is_some() && table.stage == Stage::Auction,
            action == PASS.nth(0),
            bid.is_some_and(|bid| !matches!(bid.kind(), Kind::Points(_))),
            bid.is_some_and(|bid| bid.rung() == next),
            named.is_some_and(|named| named != Trump::None),
            named == Some(Trump::None),
            ASK.index(action).is_some(),
            action == SOLO.nth(0),
            action == CALL.nth(0),
            led.is_none() && is_trump,
            led.is_none() && card.is_some_and(|card| card.rank() == ACE),
            led.is_some_and(|led| !trump.is(led.suit())) && is_trump,
            led.is_some() && is_trump,
            CLAIM.index(action).is_some_and(|tens| tens > 0),
        ])
    }
}

//! Kinds of moves that characterize a player's style.

use cardsharp_engine::ActionId;
use cardsharp_engine::game::Habits;

use super::deck::{ACE, Card, Trump};
use super::ladder::{Bid, Kind};
use super::moves::Move;
use super::roem::Claim;
use super::table::{Round, Stage, Table, View};

/// Names of the kinds, in the order of [`Habit`].
const HABITS: [&str; 16] = [
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

/// Indices in [`HABITS`].
#[derive(Copy, Clone)]
enum Habit {
    Opens,
    Holds,
    Raises,
    Passes,
    BidsFixed,
    BidsNext,
    NamesTrump,
    GoesWithout,
    Asks,
    Alone,
    Calls,
    LeadsTrump,
    LeadsAce,
    Trumps,
    PlaysTrump,
    Claims,
}
use Habit::*;

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let Some(chosen) = Move::of(action) else { return 0 };
        match chosen {
            Move::Bid(bid) => of_bid(view.table, bid),
            Move::Hold => bits([(Holds, true)]),
            Move::Pass => bits([(Passes, true)]),
            Move::Trump(trump) => {
                bits([(NamesTrump, trump != Trump::None), (GoesWithout, trump == Trump::None)])
            }
            Move::Ask(_) => bits([(Asks, true)]),
            Move::Solo => bits([(Alone, true)]),
            Move::Call => bits([(Calls, true)]),
            Move::Play(card) => of_card(view.table, card),
            Move::Claim(claim) => bits([(Claims, claim > Claim::NOTHING)]),
            Move::Discard(_) => 0,
        }
    }
}

fn bits<const N: usize>(kinds: [(Habit, bool); N]) -> u32 {
    kinds.into_iter().fold(0, |bits, (habit, is)| bits | u32::from(is) << habit as u32)
}

fn of_bid(table: &Table, bid: Bid) -> u32 {
    let next = table.high().map_or(0, |high| high.rung() + 1);
    bits([
        (Opens, table.stage == Stage::Opening),
        (Raises, table.stage == Stage::Auction),
        (BidsFixed, !matches!(bid.kind(), Kind::Points(_))),
        (BidsNext, bid.rung() == next),
    ])
}

fn of_card(table: &Table, card: Card) -> u32 {
    let trump = table.trump();
    let is_trump = trump.is(card.suit());
    match table.play.led() {
        None => bits([(LeadsTrump, is_trump), (LeadsAce, card.rank() == ACE)]),
        Some(led) => bits([(Trumps, is_trump && !trump.is(led.suit())), (PlaysTrump, is_trump)]),
    }
}

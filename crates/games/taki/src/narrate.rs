//! A game as text and JSON events, for traces and for people.

use std::cmp::Ordering;
use std::fmt::Write;

use cardsharp_engine::Seat;
#[cfg(not(target_family = "wasm"))]
use cardsharp_engine::game::Scene;
use cardsharp_engine::game::{Aim, Narrate};
use serde_json::{Value, json};

use super::deck::{self, Card, Cards, card_name, list_to_text, to_text};
#[cfg(not(target_family = "wasm"))]
use super::scene;
use super::state::Happened;
use super::table::{Direction, End, Stage, Table};
use super::{Round, View, ending};

impl Narrate for Round {
    fn purpose(&self) -> Option<&'static str> {
        Some("the next player has to draw")
    }

    fn aim(&self, before: &Self, seat: Seat) -> Aim {
        let (then, now) = (&before.table.sizes, &self.table.sizes);
        // The mover drew, so the move had no such aim.
        if now[seat.index()] > then[seat.index()] {
            return Aim::Nothing;
        }
        let others = then.iter().zip(now).enumerate().filter(|(at, _)| *at != seat.index());
        match others.map(|(_, (then, now))| now.cmp(then)).find(|change| change.is_ne()) {
            None => Aim::Ahead,
            Some(Ordering::Greater) => Aim::Reached,
            Some(_) => Aim::Missed,
        }
    }

    fn describe_deal(&self) -> Option<serde_json::Value> {
        Some(describe_deal(self))
    }

    fn events(before: Option<&Round>, after: &Round) -> Vec<Value> {
        let Some(before) = before else { return Vec::new() };
        let mut events = Vec::new();
        happened(before, after, &mut events);
        if let Stage::Over(end) = after.table.stage {
            events.push(match end {
                End::Won(seat) => json!({ "event": "won", "seat": seat }),
                End::Stalemate => json!({ "event": "stalemate" }),
                End::CutOff => json!({ "event": "cut_off" }),
            });
        }
        events
    }

    fn hand(view: View<'_>) -> String {
        to_text(&view.own.hand)
    }

    fn picture(view: View<'_>) -> String {
        let (table, own) = (view.table, view.own);
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Game {} of {}", table.game, table.rules.games);
        for seat in (0..table.players()).map(Seat) {
            let you = if seat == view.seat { " (you)" } else { "" };
            let size = table.sizes[seat.index()];
            let stage = match ending::has_stages(table) {
                true => format!("stage {}  ", table.stages[seat.index()]),
                false => String::new(),
            };
            let turn = if seat == table.turn { "  <- turn" } else { "" };
            let last = if table.announced.has(seat.0) { "  last card!" } else { "" };
            let _ = writeln!(text, "  seat {:<2}{you:<6}  {stage}{size:3} cards{last}{turn}", seat.0);
        }
        known(table, &mut text);
        let _ = writeln!(text, "Your hand: {}", by_colors(own.hand));
        text
    }

    #[cfg(not(target_family = "wasm"))]
    fn scene(view: View<'_>) -> Scene {
        scene::of(view)
    }
}

/// Writes the public facts of a game except the hand sizes, one line each.
pub(super) fn known(table: &Table, text: &mut String) {
    let way = match table.direction {
        Direction::Left => "to the left, from seat 0 to seat 1",
        Direction::Right => "to the right, from seat 1 to seat 0",
    };
    // Writing to a String cannot fail.
    let _ = writeln!(text, "The turn goes {way}. Draw pile: {} cards.", table.pile);
    let symbol = table.symbol.map_or(String::new(), |symbol| format!(" or {}", symbol.name()));
    let _ = writeln!(text, "On top: {}. To match: {}{symbol}.", card_name(table.top), table.color.name());
    if table.debt > 0 {
        let _ = writeln!(text, "Owed for +2 cards: {} cards.", table.debt);
    }
    if table.open {
        text.push_str("The TAKI is open.\n");
    }
    match table.stage {
        Stage::Turn | Stage::Over(End::Won(_)) => {}
        Stage::Run => text.push_str("A TAKI is being played.\n"),
        Stage::Free => text.push_str("A King was played: any card may follow.\n"),
        Stage::Owe => text.push_str("A Plus was played: another card must follow.\n"),
        Stage::Window => text.push_str("A +3 was played.\n"),
        Stage::LastCard { seat, .. } => {
            let _ = writeln!(text, "Seat {} has one card left.", seat.0);
        }
        Stage::Catch { silent, .. } => {
            let _ = writeln!(text, "Seat {} has one card left and has not said so.", silent.0);
        }
        Stage::Over(End::Stalemate) => text.push_str("No player can move: a draw.\n"),
        Stage::Over(End::CutOff) => text.push_str("The game was cut off.\n"),
    }
}

/// Writes cards grouped by color, colorless cards last.
pub(super) fn by_colors(hand: Cards) -> String {
    let mut groups: Vec<String> = Vec::new();
    for group in 0..=4 {
        let cards: Vec<Card> = hand.cards().filter(|&card| (card / deck::SYMBOLS as u8) == group).collect();
        if !cards.is_empty() {
            groups.push(list_to_text(cards));
        }
    }
    groups.join(" | ")
}

/// Returns the `deal` line: hands by seat, the cards turned up, the first seat, and the draw pile from the
/// top down.
pub(super) fn describe_deal(round: &Round) -> Value {
    let table = &round.table;
    let hands: Vec<String> =
        round.own[..usize::from(table.players())].iter().map(|own| to_text(&own.hand)).collect();
    // `buried` starts with the bottom card, which was turned up last.
    let turned = table.buried.cards().iter().rev().copied().chain([table.first]);
    json!({
        "hands": hands,
        "turned": list_to_text(turned),
        "begins": table.turn,
        "pile": downwards(round, table.pile),
    })
}

/// Writes the lowest `cards` cards of the draw pile, from the top down. Works for cards drawn since, because
/// they stay in `pile`.
fn downwards(round: &Round, cards: u8) -> String {
    list_to_text(round.pile[..usize::from(cards)].iter().rev().copied())
}

fn happened(before: &Round, after: &Round, events: &mut Vec<Value>) {
    let mut recycles = before.table.recycles != after.table.recycles;
    let mut pile = &before.pile[..usize::from(before.table.pile)];
    for &happened in after.log.entries() {
        let (seat, cards) = match happened {
            Happened::Drew(seat, cards) => (seat, cards),
            Happened::Rose(seat) => {
                let stage = after.table.stages[seat.index()];
                events.push(json!({ "event": "stage", "seat": seat, "stage": stage }));
                continue;
            }
            Happened::Settled => {
                events.push(json!({ "event": "settled" }));
                continue;
            }
        };
        let mut drawn: Vec<Card> = Vec::new();
        for _ in 0..cards {
            if pile.is_empty() && recycles {
                draw(seat, &mut drawn, events);
                recycles = false;
                let size = after.table.stock.total() as u8;
                pile = &after.pile[..usize::from(size)];
                events.push(json!({ "event": "recycle", "pile": downwards(after, size) }));
            }
            if let Some((&card, rest)) = pile.split_last() {
                drawn.push(card);
                pile = rest;
            }
        }
        draw(seat, &mut drawn, events);
    }
}

fn draw(seat: Seat, cards: &mut Vec<Card>, events: &mut Vec<Value>) {
    if !cards.is_empty() {
        let text = list_to_text(cards.drain(..));
        events.push(json!({ "event": "draw", "seat": seat, "cards": text }));
    }
}

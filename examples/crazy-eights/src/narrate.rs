//! A game in words and cards: for traces and for people.

use std::fmt::Write;

use cardsharp_env::Seat;
use cardsharp_env::game::Narrate;
use serde_json::{Value, json};

use crate::cards::{Card, Cards, Suit, to_text};
use crate::state::{Direction, Stage};
use crate::{Round, View};

impl Narrate for Round {
    /// The dealer, the hands by seat, the card turned up, and the draw pile from the top down.
    fn describe_deal(&self) -> Option<Value> {
        let table = &self.table;
        let hands: Vec<String> =
            self.own[..usize::from(table.rules.players)].iter().map(|own| to_text(own.hand.iter())).collect();
        Some(json!({
            "dealer": table.dealer,
            "hands": hands,
            "turned": table.top,
            "pile": downwards(&self.pile[..usize::from(table.pile)]),
        }))
    }

    /// Which of two cards with the same face was laid, cards drawn, the discards that became the draw pile, and the end
    /// with the remaining hands.
    fn events(before: Option<&Self>, after: &Self) -> Vec<Value> {
        let Some(before) = before else { return Vec::new() };
        let mut events = Vec::new();
        let seat = before.table.turn;
        let old = &before.pile[..usize::from(before.table.pile)];
        let left = usize::from(after.table.pile);
        if after.table.rules.decks() > 1 && after.table.plays > before.table.plays {
            events.push(json!({ "event": "lay", "seat": seat, "card": after.table.top }));
        }
        if before.table.stock == after.table.stock {
            draw(seat, &old[left..], &mut events);
        } else {
            let made = &after.pile[..usize::from(after.table.stock.len())];
            draw(seat, old, &mut events);
            events.push(json!({ "event": "reshuffle", "pile": downwards(made) }));
            draw(seat, &made[left..], &mut events);
        }
        if after.table.stage == Stage::Over {
            let how = match () {
                () if after.table.sizes[after.table.turn.index()] == 0 => "out",
                () if after.table.passes > 0 => "stuck",
                () => "cut_off",
            };
            let hands = &after.own[..usize::from(after.table.rules.players)];
            let hands: Vec<String> = hands.iter().map(|own| to_text(own.hand.iter())).collect();
            events.push(json!({ "event": how, "seat": after.table.turn, "hands": hands }));
        }
        events
    }

    fn picture(view: View<'_>) -> String {
        let (table, rules) = (view.table, &view.table.rules);
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Game {} of {}", table.game, rules.games);
        for seat in (0..rules.players).map(Seat) {
            let you = if seat == view.seat { " (you)" } else { "" };
            let turn = if seat == table.turn && table.stage != Stage::Over { "  <- turn" } else { "" };
            let size = table.sizes[seat.index()];
            let _ = writeln!(text, "  seat {:<2}{you:<6} {size:3} cards{turn}", seat.0);
        }
        let way = match table.direction {
            Direction::Up => "from seat 0 to seat 1",
            Direction::Down => "from seat 1 to seat 0",
        };
        let _ = writeln!(text, "The turn goes {way}. Draw pile: {} cards.", table.pile);
        let _ = writeln!(text, "On top: {}. Suit to follow: {}.", table.top, table.suit.name());
        let left = rules.max_draw_cards - table.drawn;
        match table.stage {
            Stage::Turn if table.debt > 0 => {
                let _ = writeln!(text, "Owed for twos: {} cards.", table.debt);
            }
            Stage::Turn if table.pile > 0 && left > 0 => {
                let _ = writeln!(text, "Cards that may be drawn in this turn: {left}.");
            }
            Stage::Turn => text.push_str("No card may be drawn in this turn.\n"),
            Stage::Suit => text.push_str("An eight was laid: a suit is to be named.\n"),
            Stage::Over => text.push_str("The game is over.\n"),
        }
        let _ = writeln!(text, "Your hand: {}", by_suit(view.own.hand));
        text
    }
}

/// Cards of a pile from the top down.
fn downwards(pile: &[Card]) -> String {
    to_text(pile.iter().rev().copied())
}

fn draw(seat: Seat, cards: &[Card], events: &mut Vec<Value>) {
    if !cards.is_empty() {
        events.push(json!({ "event": "draw", "seat": seat, "cards": downwards(cards) }));
    }
}

fn by_suit(hand: Cards) -> String {
    let of = |suit: Suit| to_text(hand.iter().filter(move |card| card.face().suit() == suit));
    let groups: Vec<String> = Suit::ALL.into_iter().map(of).filter(|group| !group.is_empty()).collect();
    groups.join(" | ")
}

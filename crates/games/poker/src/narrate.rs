//! A hand as text and JSON events, for traces and for people.

use std::fmt::Write;

use cardsharp_engine::game::Narrate;
use serde_json::{Value, json};

use super::betting::{Betting, End};
use super::round::betting;
use super::words;
use super::{Round, Variant, View};

impl<V: Variant> Narrate for Round<V> {
    /// Returns the first seat to act, the card of each seat, and the card that will be turned up.
    fn describe_deal(&self) -> Option<Value> {
        let hands = self.own.map(|own| own.card);
        Some(json!({ "first": self.table.seat(0), "hands": hands, "board": self.board }))
    }

    /// Returns events for a card that was turned up, and for the cards at a showdown.
    fn events(before: Option<&Self>, after: &Self) -> Vec<Value> {
        let Some(before) = before else { return Vec::new() };
        let mut events = Vec::new();
        if before.table.board != after.table.board {
            events.push(json!({ "event": "board", "card": after.table.board }));
        }
        if before.table.acts != after.table.acts && after.betting().end == Some(End::Showdown) {
            events.push(json!({ "event": "showdown", "hands": after.own.map(|own| own.card) }));
        }
        events
    }

    fn picture(view: View<'_, V>) -> String {
        let table = view.table;
        let now = betting::<V>(table);
        // Writing to a String cannot fail.
        let mut text = format!("Hand {} of {}\n", table.hand, table.rules.hands);
        for place in 0..2 {
            let seat = table.seat(place);
            let you = if seat == view.seat { ", you" } else { "" };
            let order = ["first", "second"][place];
            let _ = writeln!(text, "  seat {} acts {order}, has put in {}{you}", seat.0, now.put[place]);
        }
        let mut said = Vec::new();
        let acts = table.acts.as_slice();
        for (i, &act) in acts.iter().enumerate() {
            let before = Betting::after(&V::STAKES, &acts[..i]);
            if before.is_some_and(|before| before.follows_a_card()) {
                said.push("(a card is turned up)");
            }
            said.push(words::name(before, act));
        }
        if !said.is_empty() {
            let _ = writeln!(text, "So far: {}", said.join(" "));
        }
        if let Some(card) = table.board {
            let _ = writeln!(text, "On the table: {card}");
        }
        let _ = writeln!(text, "Your hand: {}", view.own.card);
        text
    }
}

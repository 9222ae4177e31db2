//! Traces and event logs: their lines, a hand as text and JSON events, and a hand rebuilt from one seat's event log.

use std::fmt::Write;

use cardsharp_engine::Seat;
use cardsharp_engine::game::{EventLog, ImaginedRound, Lines, Narrate, Update};
use cardsharp_engine::rng::DealRng;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::betting::{Betting, HandEnd};
use super::cards::{Card, deck};
use super::encoding::act_name;
use super::round::{Rules, SEATS, betting};
use super::{Round, SessionState, Variant, View};

// Types of the trace lines `deal` and `event`, without the common fields `line` and `round`.

impl<V: Variant> Lines for Round<V> {
    type Deal = Deal;
    type Event = Event;
}

/// Everything that was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seat that acts first.
    pub first: Seat,
    /// The card of each seat.
    pub hands: [Card; 2],
    /// The card that will be turned up, or null.
    pub board: Option<Card>,
}

/// Cards that were shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A card was turned up.
    Board {
        /// The card that was turned up.
        card: Card,
    },
    /// No player folded: both show their cards.
    Showdown {
        /// The card of each seat.
        hands: [Card; 2],
    },
}

// A hand as text and JSON events, for traces and for people.

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
        if before.table.acts != after.table.acts && after.betting().end == Some(HandEnd::Showdown) {
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
            said.push(act_name(before, act));
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

// Rebuilds a hand from one seat's event log. Unseen cards are random until the log shows them: the other
// player's card and the one to be turned up.

impl<V: Variant> EventLog for Round<V> {
    /// Keeps the first seat, and the seat's own card as `hand`.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        let mut shown = json!({ "first": deal["first"] });
        if let Some(seat) = to {
            shown["hand"] = deal["hands"][seat.index()].clone();
        }
        shown
    }

    /// Both players see every event.
    fn conceal_event(event: Value, _: Option<Seat>) -> Option<Value> {
        Some(event)
    }

    fn imagine(
        rules: &Rules,
        standing: &SessionState,
        seat: Seat,
        update: &Update<'_>,
        mut rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        let own = card(update.deal.and_then(|deal| deal.get("hand")), "hand")?;
        let mut cards = deck(V::SUITS);
        if !cards.as_slice().contains(&own) {
            return Err(format!("there is no {own} in this deck"));
        }
        cards.remove(own);
        rng.draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let [theirs, board, ..] = cards.cards;
        let mut hands = [theirs; SEATS];
        hands[seat.index()] = own;
        Ok(ImaginedRound::begun(Self::new(*rules, standing.hands + 1, hands, board), seat))
    }

    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String> {
        let (seat, other) = (imagined.seat.index(), SEATS - 1 - imagined.seat.index());
        let round = &mut imagined.round;
        for event in update.events_of("board") {
            let turned = card(event.get("card"), "card")?;
            // If the guess gave this card to the other player, swap it with the guessed board card.
            if let Some(thought) = round.board.replace(turned)
                && round.own[other].card == turned
            {
                round.own[other].card = thought;
            }
        }
        for event in update.events_of("showdown") {
            round.own[other].card = card(event["hands"].get(other), "hands")?;
        }
        let held = [Some(round.own[seat].card), Some(round.own[other].card), round.board];
        for (i, twice) in held.iter().enumerate().filter_map(|(i, card)| Some((i, (*card)?))) {
            if held[..i].contains(&Some(twice)) {
                return Err(format!("there is only one {twice}"));
            }
        }
        match update.choice {
            Some((seat, Some(action))) => imagined.play(seat, action),
            Some((_, None)) => Err("every move is public: expected its `choice`".to_owned()),
            None => Ok(()),
        }
    }
}

fn card(value: Option<&Value>, field: &str) -> Result<Card, String> {
    let value = value.ok_or_else(|| format!("there is no `{field}`"))?;
    Card::deserialize(value).map_err(|error| format!("`{field}`: {error}"))
}

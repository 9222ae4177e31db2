//! A game as text and JSON events, for traces and for people, and the types of the trace lines `deal` and
//! `event`.

use std::cmp::Ordering;
use std::fmt::Write;

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Aim, Lines, MovePurpose, Narrate};
use cardsharp_engine::game::{Scene, Seated};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::deck::{self, Card, Cards, card_name, list_to_text, to_text};
use super::state::{ActionResult, Direction, GameEnd, PublicState, Stage};
use super::{Round, View};

impl Narrate for Round {
    fn purpose(&self) -> Option<MovePurpose> {
        Some(MovePurpose { name: "taki.aim", statement: "the next player has to draw" })
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
                GameEnd::Won(seat) => json!({ "event": "won", "seat": seat }),
                GameEnd::Stalemate => json!({ "event": "stalemate" }),
                GameEnd::CutOff => json!({ "event": "cut_off" }),
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
            let stage = match table.has_stages() {
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

    fn scene(view: View<'_>) -> Scene {
        scene(view)
    }
}

/// Writes the public facts of a game except the hand sizes, one line each.
fn known(table: &PublicState, text: &mut String) {
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
        Stage::Turn | Stage::Over(GameEnd::Won(_)) => {}
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
        Stage::Over(GameEnd::Stalemate) => text.push_str("No player can move: a draw.\n"),
        Stage::Over(GameEnd::CutOff) => text.push_str("The game was cut off.\n"),
    }
}

/// Writes cards grouped by color, colorless cards last.
fn by_colors(hand: Cards) -> String {
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
            ActionResult::Drew(seat, cards) => (seat, cards),
            ActionResult::Rose(seat) => {
                let stage = after.table.stages[seat.index()];
                events.push(json!({ "event": "stage", "seat": seat, "stage": stage }));
                continue;
            }
            ActionResult::Settled => {
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

/// Returns the parts of a view, seat by seat, for front ends with their own layout.
fn scene(view: View<'_>) -> Scene {
    let table = view.table;
    let is_turn = |seat| match table.stage {
        Stage::Turn | Stage::Run | Stage::Free | Stage::Owe => seat == table.turn,
        Stage::Window | Stage::LastCard { .. } | Stage::Catch { .. } | Stage::Over(_) => false,
    };
    let player = |seat: Seat| {
        let mut notes = Vec::new();
        if table.announced.has(seat.0) {
            notes.push("last card!".to_owned());
        }
        if table.has_stages() {
            notes.push(format!("stage {}", table.stages[seat.index()]));
        }
        let cards = Some(u32::from(table.sizes[seat.index()]));
        Seated { seat, cards, points: None, notes, is_turn: is_turn(seat) }
    };
    let mut text = String::new();
    known(table, &mut text);
    Scene {
        round: format!("Game {} of {}", table.game, table.rules.games),
        players: (0..table.players()).map(Seat).map(player).collect(),
        table: text.lines().map(str::to_owned).collect(),
        hand: Scene::groups(&by_colors(view.own.hand)),
    }
}

// Types of the trace lines `deal` and `event`, without the common fields `line` and `round`.

impl Lines for Round {
    type Deal = Deal;
    type Event = Event;
}

/// Everything that was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The cards dealt to each seat.
    #[schemars(with = "Vec<Cards>")]
    pub hands: Vec<String>,
    /// The cards turned up to start the discard pile, in order. The last one stays. The others go to the bottom
    /// of the draw pile, each below the previous one.
    #[schemars(with = "Cards")]
    pub turned: String,
    /// The seat that plays first.
    pub begins: Seat,
    /// The draw pile from the top down, the buried cards included.
    #[schemars(with = "Cards")]
    pub pile: String,
}

/// Cards that were drawn, and how stages and the game end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A player drew cards, for any reason.
    Draw {
        /// The seat of the player.
        seat: Seat,
        /// The cards, in the order in which they were drawn.
        #[schemars(with = "Cards")]
        cards: String,
    },
    /// All discards except the top one were shuffled into a new draw pile.
    Recycle {
        /// The new draw pile, from the top down.
        #[schemars(with = "Cards")]
        pile: String,
    },
    /// No player answered a +3, and no card is left to draw.
    Settled {},
    /// A player has finished a stage of the tournament and starts the next one.
    Stage {
        /// The seat of the player.
        seat: Seat,
        /// The number of the new stage, one lower than before.
        stage: u8,
    },
    /// The game is over: this player has won.
    Won {
        /// The seat of the player.
        seat: Seat,
    },
    /// The game is a draw: no card has moved for as many turns as there are players.
    Stalemate {},
    /// The game is over: `max_decisions` was reached.
    CutOff {},
}

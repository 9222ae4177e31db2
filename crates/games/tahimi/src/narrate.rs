//! A round as text and JSON, for traces and for people, and in separate parts for front ends with their own layout.

use std::fmt::Write;

use cardsharp_climbing::Set;
use cardsharp_climbing::narrate::seated;
use cardsharp_climbing::narrate::{self as climbing, ENDS, dealt, groups, note};
use cardsharp_engine::Seat;
use cardsharp_engine::game::{Aim, MovePurpose, Narrate};
use cardsharp_engine::game::{Scene, Seated};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rules::Rules as _;
use serde_json::{Value, json};

use super::actions::set_label;
use super::deck::{Cards, JOKER, named};
use super::rules::Decree;
use super::state::{Ask, Round, Stage, View, title};

impl Narrate for Round {
    fn purpose(&self) -> Option<MovePurpose> {
        (self.table.stage == Stage::Play).then_some(climbing::PURPOSE)
    }

    fn aim(&self, before: &Self, seat: Seat) -> Aim {
        if before.table.stage != Stage::Play {
            return Aim::Nothing;
        }
        climbing::aim(&self.table.trick, before.table.position_of(seat))
    }

    fn is_dealt(&self) -> bool {
        self.table.stage != Stage::Decree
    }

    fn describe_deal(&self) -> Option<Value> {
        if !self.is_dealt() {
            return None;
        }
        let players = self.players();
        let ladder = self.table.ladder();
        let hands: Vec<String> = self.own[..players]
            .iter()
            .zip(self.table.cards)
            .map(|(own, held)| {
                // Before the play only a tribute can have moved. Cards that are only picked are still in hand.
                let moved = own.hand.total() + own.given.total() == u32::from(held) + own.received.total();
                let given = if moved { own.given } else { Cards::NONE };
                named(&dealt(&own.hand, &given, &own.received), ladder)
            })
            .collect();
        Some(json!({
            "left": seats(self.table.left),
            "joined": seats(self.table.joined),
            "order": &self.table.order[..players],
            "decree": self.table.decree,
            "variant": self.table.variant,
            "hands": hands,
        }))
    }

    fn events(before: Option<&Round>, after: &Round) -> Vec<Value> {
        let mut events = Vec::new();
        taxes(before, after, &mut events);
        let announced = before.map_or(Positions(0), |b| b.table.one_card);
        for position in after.table.one_card.iter().filter(|&p| !announced.has(p)) {
            events.push(json!({ "event": "one card", "seat": seat(after, position) }));
        }
        events
    }

    fn hand(view: View<'_>) -> String {
        named(&view.own.hand, view.table.ladder())
    }

    fn picture(view: View<'_>) -> String {
        let (table, own) = (view.table, view.own);
        let (players, ladder) = (table.players, table.ladder());
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Round {} of {}", table.round, table.rules.rounds());
        for (seats, what) in [(table.left, "left the table"), (table.joined, "joined the table")] {
            for seat in seats.iter() {
                let _ = writeln!(text, "Seat {seat} {what}.");
            }
        }
        let called = |position| title(position, players, table.variant.is_progressive());
        let longest = (0..players).map(|position| called(position).len()).max().unwrap_or(0);
        for position in 0..players {
            let s = table.order[usize::from(position)];
            let you = if s == view.seat { " (you)" } else { "" };
            let state = match table.trick.place(position) {
                0 if table.one_card.has(position) => "one card".to_owned(),
                0 => format!("{:2} cards", table.held(position)),
                place => format!("place {place}"),
            };
            let (points, note) = (table.points[s.index()], note(&table.trick, position, ENDS));
            let _ = writeln!(
                text,
                "  {:<longest$}  seat {}{you:<6} {state:<8} {points:>4} points{note}",
                called(position),
                s.0
            );
        }
        known(view, &mut text);
        if table.stage != Stage::Decree {
            let _ = writeln!(text, "Your hand: {}", groups(&own.hand, |rank| ladder.name(rank)));
        }
        text
    }

    fn scene(view: View<'_>) -> Scene {
        scene(view)
    }
}

/// Appends the facts about the round that are not in the list of players, one in each line.
fn known(view: View<'_>, text: &mut String) {
    let (table, own) = (view.table, view.own);
    let ladder = table.ladder();
    if own.ask == Ask::Decree {
        menu(view, text);
    } else if let Some(entry) = table.decree {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "Decreed for this round: {}",
            entry_words(&table.rules.decree, usize::from(entry))
        );
    }
    for (what, cards) in [("gave", &own.given), ("received", &own.received)] {
        if *cards != Cards::NONE {
            let _ = writeln!(text, "You {what}: {}", named(cards, ladder));
        }
    }
    if table.stage == Stage::Decree {
        return;
    }
    if table.trick.size == 0 {
        text.push_str("On the table: nothing\n");
    } else {
        let (rank, size) = (JOKER - usize::from(table.trick.strength), table.trick.size);
        let wilds = if rank == JOKER { size } else { table.trick.wilds };
        text.push_str("On the table: ");
        let _ =
            set_label(ladder, Set { rank: rank as u8, naturals: size.saturating_sub(wilds), wilds }, text);
        text.push('\n');
    }
}

fn seat(round: &Round, position: u8) -> Seat {
    round.table.order[usize::from(position)]
}

fn seats(of: Positions) -> Vec<u8> {
    of.iter().collect()
}

fn taxes(before: Option<&Round>, after: &Round, events: &mut Vec<Value>) {
    let table = &after.table;
    let was_playing = before.is_some_and(|b| b.table.stage == Stage::Play);
    if was_playing || !table.taxes() || table.stage == Stage::Decree {
        return;
    }
    let ladder = table.ladder();
    let mut moved = |event: &str, from: u8, to: u8, cards: &Cards| {
        events.push(json!({
            "event": event, "from": seat(after, from), "to": seat(after, to), "cards": named(cards, ladder),
        }));
    };
    for &(high, low, _) in table.pairs() {
        let received = &after.own[usize::from(high)].received;
        let had = before.is_some_and(|b| b.own[usize::from(high)].received != Cards::NONE);
        if *received != Cards::NONE && !had {
            moved("tribute", low, high, received);
        }
    }
    if table.stage == Stage::Play {
        for &(high, low, _) in table.pairs() {
            moved("return", high, low, &after.own[usize::from(high)].given);
        }
    }
}

/// Appends the entries of the decree menu, one in each line.
fn menu(view: View<'_>, text: &mut String) {
    let Decree::Menu(menu) = &view.table.rules.decree else { return };
    text.push_str("You may decree for this round:\n");
    for entry in 0..menu.as_slice().len() {
        let words = entry_words(&view.table.rules.decree, entry);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  decree {entry}: {words}");
    }
}

fn entry_words(decree: &Decree, entry: usize) -> String {
    let Decree::Menu(menu) = decree else { return String::new() };
    let options = menu.as_slice().get(entry).map(|bundle| json!(bundle));
    let words: Vec<String> = match &options {
        Some(Value::Object(options)) => {
            options.iter().map(|(name, value)| format!("{name} = {value}")).collect()
        }
        _ => Vec::new(),
    };
    if words.is_empty() { "nothing is changed".to_owned() } else { words.join(", ") }
}

// A round in separate parts, for front ends with their own layout.

/// The viewer's view, with players from the Tahimi down.
fn scene(view: View<'_>) -> Scene {
    let (table, ladder) = (view.table, view.table.ladder());
    let player = |position: u8| {
        let seat = table.order[usize::from(position)];
        let title = title(position, table.players, table.variant.is_progressive());
        let trick = (table.stage == Stage::Play).then_some(&table.trick);
        let seated = seated(seat, title, u32::from(table.held(position)), trick, position);
        Seated { points: Some(table.points[seat.index()]), ..seated }
    };
    let mut text = String::new();
    known(view, &mut text);
    let is_dealt = table.stage != Stage::Decree;
    Scene {
        round: format!("Round {} of {}", table.round, table.rules.rounds()),
        players: (0..table.players).map(player).collect(),
        table: text.lines().map(str::to_owned).collect(),
        hand: Scene::groups(&if is_dealt {
            groups(&view.own.hand, |rank| ladder.name(rank))
        } else {
            String::new()
        }),
    }
}

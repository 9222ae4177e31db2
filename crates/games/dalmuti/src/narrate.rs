//! A hand as text and JSON, for traces and for people, and in separate parts for front ends with their own layout.

use std::fmt::Write;

use cardsharp_climbing::Set;
use cardsharp_climbing::narrate::seated;
use cardsharp_climbing::narrate::{self as climbing, ENDS, dealt, groups, note};
use cardsharp_engine::Seat;
use cardsharp_engine::game::{Aim, MovePurpose, Narrate};
use cardsharp_engine::game::{Scene, Seated};
use serde_json::{Value, json};

use super::actions::set_label;
use super::deck::{Cards, JESTER, NAMES, rank_name, title, to_text};
use super::state::{Exposed, ExposedFate, PROPOSER, Revolution, Round, Stage, View, pairs};

impl Narrate for Round {
    fn purpose(&self) -> Option<MovePurpose> {
        (self.table.stage == Stage::Play).then_some(climbing::PURPOSE)
    }

    fn aim(&self, before: &Self, seat: Seat) -> Aim {
        if before.table.stage != Stage::Play {
            return Aim::Nothing;
        }
        climbing::aim(&self.table.trick, before.table.position[seat.index()])
    }

    fn describe_deal(&self) -> Option<serde_json::Value> {
        Some(describe_deal(self))
    }

    fn events(before: Option<&Round>, after: &Round) -> Vec<Value> {
        let mut events = Vec::new();
        misdeal(before, after, &mut events);
        revolution(before, after, &mut events);
        taxes(before, after, &mut events);
        events
    }

    fn hand(view: View<'_>) -> String {
        to_text(&view.own.hand)
    }

    fn picture(view: View<'_>) -> String {
        let (table, own) = (view.table, view.own);
        let players = table.players();
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Hand {} of {}", table.hand, table.rules.hands);
        for position in 0..players {
            let s = table.order[usize::from(position)];
            let you = if s == view.seat { " (you)" } else { "" };
            let state = match table.trick.place(position) {
                0 => format!(
                    "{:2} cards",
                    if table.stage == Stage::Play { table.held(position) } else { table.dealt(position) }
                ),
                place => format!("out, place {place}"),
            };
            let (points, note) = (table.points[s.index()], note(&table.trick, position, ENDS));
            let _ = writeln!(
                text,
                "  {:<16} seat {:<2}{you:<6} {state:<13} {points:>4} points{note}",
                title(position, players),
                s.0
            );
        }
        known(view, &mut text);
        let _ = writeln!(text, "Your hand: {}", groups(&own.hand, rank_name));
        text
    }

    /// The viewer's view, with players from the Greater Dalmuti down.
    fn scene(view: View<'_>) -> Scene {
        let table = view.table;
        let players = table.players();
        let is_played = table.stage == Stage::Play;
        let player = |position| Seated {
            points: Some(table.points[table.order[usize::from(position)].index()]),
            ..seated(
                table.order[usize::from(position)],
                title(position, players),
                u32::from(if is_played { table.held(position) } else { table.dealt(position) }),
                is_played.then_some(&table.trick),
                position,
            )
        };
        let mut text = String::new();
        known(view, &mut text);
        Scene {
            round: format!("Hand {} of {}", table.hand, table.rules.hands),
            players: (0..players).map(player).collect(),
            table: text.lines().map(str::to_owned).collect(),
            hand: Scene::groups(&groups(&view.own.hand, rank_name)),
        }
    }
}

/// Appends the facts about the hand that are not in the list of players, one in each line.
fn known(view: View<'_>, text: &mut String) {
    let (table, own) = (view.table, view.own);
    match table.revolution {
        Revolution::None => {}
        Revolution::Revolution => text.push_str("A revolution was called: no taxes.\n"),
        Revolution::Greater => {
            text.push_str(
                "A greater revolution was called: no taxes, and all positions have turned around.\n",
            );
        }
    }
    if let Some(exposed) = table.exposed {
        let _ = writeln!(
            text,
            "Exposed while dealing: {} for seat {}{}.",
            card_words(usize::from(exposed.rank)),
            exposed.receiver.0,
            if exposed.fate == ExposedFate::ToPeon { "; it went to the Greater Peon" } else { "" }
        );
    }
    if own.given != Cards::NONE {
        let _ = writeln!(text, "You gave: {}", to_text(&own.given));
    }
    if own.received != Cards::NONE {
        let _ = writeln!(text, "You received: {}", to_text(&own.received));
    }
    if table.trick.size == 0 {
        text.push_str("On the table: nothing\n");
    } else {
        let (index, size) = (JESTER - usize::from(table.trick.strength), table.trick.size);
        let wilds = if index == JESTER { size } else { table.trick.wilds };
        text.push_str("On the table: ");
        // Writing to a String cannot fail.
        let _ = set_label(Set { rank: index as u8, naturals: size.saturating_sub(wilds), wilds }, text);
        let _ = writeln!(text, " ({})", NAMES[index]);
    }
}

fn seat(round: &Round, position: u8) -> Seat {
    round.table.order[usize::from(position)]
}

/// The deal as JSON: seats and dealt hands by position, and the exposed card.
pub fn describe_deal(round: &Round) -> Value {
    let players = round.players();
    let hands: Vec<String> = round.own[..players]
        .iter()
        // Right after the deal only a tribute can have moved.
        .map(|own| to_text(&dealt(&own.hand, &own.given, &own.received)))
        .collect();
    let exposed = round.table.exposed.map(|Exposed { rank, receiver, .. }| {
        json!({ "card": rank_name(usize::from(rank)), "receiver": receiver })
    });
    json!({ "order": &round.table.order[..players], "hands": hands, "exposed": exposed })
}

fn misdeal(before: Option<&Round>, after: &Round, events: &mut Vec<Value>) {
    let was_open = before.is_some_and(|b| b.table.stage == Stage::Misdeal);
    if was_open
        && let Some(Exposed { rank, receiver, fate: ExposedFate::ToPeon }) = after.table.exposed
        && let Some(card) = after.own[usize::from(after.table.greater_peon())].replacement
    {
        events.push(json!({
            "event": "misdeal", "peon": seat(after, after.table.greater_peon()), "receiver": receiver,
            "exposed": rank_name(usize::from(rank)), "replacement": rank_name(usize::from(card)),
        }));
    }
}

fn revolution(before: Option<&Round>, after: &Round, events: &mut Vec<Value>) {
    let was = before.map_or(Revolution::None, |b| b.table.revolution);
    if was != after.table.revolution {
        let event =
            if after.table.revolution == Revolution::Greater { "greater_revolution" } else { "revolution" };
        events.push(json!({ "event": event, "order": &after.table.order[..after.players()] }));
    }
}

fn taxes(before: Option<&Round>, after: &Round, events: &mut Vec<Value>) {
    let mut moved = |event: &str, from: u8, to: u8, cards: &Cards| {
        events.push(json!({
            "event": event, "from": seat(after, from), "to": seat(after, to), "cards": to_text(cards),
        }));
    };
    let none = |position: u8| before.is_none_or(|b| b.own[usize::from(position)].given == Cards::NONE);
    let was_playing = before.is_some_and(|b| b.table.stage == Stage::Play);
    let plays = after.table.stage == Stage::Play;
    if was_playing || !after.table.taxes() {
        return;
    }
    for (dalmuti, peon, _) in pairs(after.table.players()) {
        let paid = after.own[usize::from(peon)].given;
        if paid != Cards::NONE && none(peon) {
            moved("tribute", peon, dalmuti, &paid);
        }
    }
    if !plays {
        return;
    }
    for (dalmuti, peon, _) in pairs(after.table.players()) {
        moved("return", dalmuti, peon, &after.own[usize::from(dalmuti)].given);
    }
    if let Some(target) = after.table.exchange {
        moved("exchange", PROPOSER, target, &after.own[usize::from(PROPOSER)].given);
        moved("exchange", target, PROPOSER, &after.own[usize::from(target)].given);
    }
}

fn card_words(index: usize) -> String {
    if index == JESTER { "Jester".to_owned() } else { format!("{} ({})", rank_name(index), NAMES[index]) }
}

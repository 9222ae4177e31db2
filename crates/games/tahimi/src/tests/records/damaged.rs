//! Event logs with a damaged line.

use cardsharp_engine::Observer;
use cardsharp_engine::Seat;
use cardsharp_engine::game::{Actions, Play, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::record::Audience;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::table::{AnyTable, Table};
use serde_json::{Value, json};

use super::super::super::{Round, Rules};
use super::{heard, record, scripted_move};

/// A random value for a field.
fn nonsense(draw: &mut Draw) -> Value {
    let texts =
        ["", "A", "A A A A A A A A A", "* *", "2 2 K", "7x3", "pass", "give A", "pay 2 jokers", "decree 15"];
    match draw.below(8) {
        0 => Value::Null,
        1 => json!(draw.below(20)),
        2 => json!(u64::MAX),
        3 => json!(-1),
        4 => json!([draw.below(9), draw.below(9), 300]),
        5 => json!({"cards": draw.below(3)}),
        6 => json!("A ".repeat(600)),
        _ => json!(draw.pick(&texts)),
    }
}

/// Changes a random part of a value.
fn damage(value: &mut Value, draw: &mut Draw) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let name = fields.keys().nth(draw.below(fields.len() as u32) as usize).cloned().unwrap();
            match draw.below(4) {
                0 => drop(fields.remove(&name)),
                1 => fields[&name] = nonsense(draw),
                2 => drop(fields.insert("more".to_owned(), nonsense(draw))),
                _ => damage(&mut fields[&name], draw),
            }
        }
        Value::Array(list) if !list.is_empty() => {
            let place = draw.below(list.len() as u32) as usize;
            match draw.below(3) {
                0 => drop(list.remove(place)),
                1 => list.push(nonsense(draw)),
                _ => damage(&mut list[place], draw),
            }
        }
        Value::Number(number) => *value = json!(number.as_u64().unwrap_or_default() + 1),
        Value::String(text) if !text.is_empty() && draw.below(2) == 0 => {
            let mut words: Vec<&str> = text.split(' ').collect();
            let place = draw.below(words.len() as u32) as usize;
            words[place] = draw.pick(&["A", "*", "2", "5", "x", "11"]);
            *value = json!(words.join(" "));
        }
        other => *other = nonsense(draw),
    }
}

/// A session with random rules, in which half of the moves are random.
fn played(number: u64, draw: &mut Draw) -> Table<Round> {
    let mut table = Table::<Round>::new(Rules::random(draw), number);
    loop {
        while let Turn::Decide(seat) = table.session().round().turn() {
            if draw.below(2) == 0 {
                scripted_move(&mut table);
            } else {
                let action = Round::legal(table.session().round().view(seat)).random(draw).unwrap();
                AnyTable::try_play(&mut table, action).unwrap();
            }
        }
        if !table.deal_next() {
            return table;
        }
    }
}

#[test]
fn damaged_records_are_refused_or_heard() {
    let mut draw = Draw::new(1, 0);
    let mut refused = 0;
    for number in 0..40 {
        let table = played(number, &mut draw);
        let seat = Seat(draw.below(u32::from(table.session().rules().seats())) as u8);
        let whole = record(&table, Audience::Seat(seat));
        assert!(heard(&whole).is_ok());
        for _ in 0..40 {
            let mut lines = whole.clone();
            let place = draw.below(lines.len() as u32) as usize;
            match draw.below(4) {
                0 => drop(lines.remove(place)),
                1 => lines.swap(place, (place + 1) % whole.len()),
                _ => damage(&mut lines[place], &mut draw),
            }
            let Some(Ok(mut observer)) = lines.first().map(Observer::<Round>::new) else { continue };
            // An observer must survive more lines after a refusal.
            for line in &lines[1..] {
                refused += u32::from(observer.hear(line).is_err());
                if draw.below(16) == 0 {
                    refused += u32::from(observer.view().is_err());
                }
                if draw.below(64) == 0 {
                    refused += u32::from(observer.decide().is_err());
                }
            }
        }
    }
    assert!(refused > 1_000, "{refused}");
}

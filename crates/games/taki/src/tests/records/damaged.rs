//! Damaged event logs are refused or followed. They never cause a panic.

use cardsharp_engine::Observer;
use cardsharp_engine::Seat;
use cardsharp_engine::record::Audience;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::seed;
use cardsharp_engine::table::{AnyTable, Table};
use serde_json::{Value, json};

use super::super::super::rules::{MaxDecisions, Rules};
use crate::Round;

/// Returns an event log of random play.
fn random_record(draw: &mut Draw) -> Vec<Value> {
    let rules = Rules { max_decisions: MaxDecisions::At(80), games: 1, ..Rules::random(draw) };
    let mut table = Table::<Round>::new(rules, seed::drawn(draw));
    loop {
        let legal = AnyTable::legal(&table);
        if legal.is_empty() {
            break;
        }
        Table::try_play(&mut table, draw.pick(&legal)).unwrap();
    }
    let to = Audience::Seat(Seat(draw.below(u32::from(rules.players)) as u8));
    let told = (0..=table.steps()).flat_map(|step| table.told(step, to));
    std::iter::once(table.header(to, Vec::new())).chain(told).map(|line| line.json()).collect()
}

/// Returns a value to replace one in a line.
fn another(value: &Value, draw: &mut Draw) -> Value {
    let words = [
        "R5",
        "king +3 breaker",
        "R5 R5 R5",
        "",
        "draw",
        "color color color color color",
        "decline",
        "settled",
    ];
    match draw.below(8) {
        0 => json!(null),
        1 => json!(draw.pick(&words)),
        2 => json!(draw.below(12)),
        3 => json!(u64::MAX),
        4 => json!(-1),
        5 => json!([value, value]),
        _ => match value {
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or_default() as i64;
                json!(number.saturating_add(draw.pick(&[-1, 1])))
            }
            Value::String(text) => {
                let mut cards: Vec<&str> = text.split(' ').collect();
                let place = draw.below(cards.len() as u32) as usize;
                match draw.below(3) {
                    0 => drop(cards.remove(place)),
                    1 => cards[place] = draw.pick(&["R1", "+3", "breaker", "color", "king", "super", "B9"]),
                    _ => cards.push("Y7"),
                }
                json!(cards.join(" "))
            }
            other => other.clone(),
        },
    }
}

fn damage(lines: &mut Vec<Value>, draw: &mut Draw) {
    let n = lines.len() as u32 - 1;
    let [one, other] = [(); 2].map(|()| 1 + draw.below(n) as usize);
    match draw.below(6) {
        0 => lines.swap(one, other),
        1 => drop(lines.remove(one)),
        2 => lines.insert(other, lines[one].clone()),
        kind => {
            let Some(fields) = lines[one].as_object_mut() else { return };
            let names: Vec<String> = fields.keys().filter(|name| *name != "line").cloned().collect();
            if names.is_empty() {
                return;
            }
            let name = &names[draw.below(names.len() as u32) as usize];
            match kind {
                3 => drop(fields.remove(name)),
                _ => fields[name] = another(&fields[name], draw),
            }
        }
    }
}

#[test]
fn damaged_records_are_refused_or_followed() {
    let mut draw = Draw::new(16, 0);
    let (mut refused, mut followed) = (0, 0);
    for _ in 0..400 {
        let record = random_record(&mut draw);
        // The first time undamaged, then damaged.
        for time in 0..4 {
            let mut lines = record.clone();
            if time > 0 {
                (0..=draw.below(2)).for_each(|_| damage(&mut lines, &mut draw));
            }
            let mut observer = Observer::<Round>::new(&lines[0]).unwrap();
            let mut wrong = 0;
            for line in &lines[1..] {
                // After a refused line, the observer may refuse further lines.
                let heard = observer.hear(line);
                assert!(time > 0 || heard.is_ok(), "{heard:?} at {line} of {}", lines[0]);
                wrong += u32::from(heard.is_err());
                if line["line"] == "turn" {
                    let view = observer.view().map(|_| ());
                    assert!(time > 0 || view.is_ok(), "{view:?} at {line} of {}", lines[0]);
                    wrong += u32::from(view.is_err());
                }
            }
            assert!(time > 0 || wrong == 0, "{wrong} lines of a record were refused");
            if wrong > 0 { refused += 1 } else { followed += 1 }
        }
    }
    assert!(refused > 600 && followed >= 400, "{refused} refused, {followed} followed");
}

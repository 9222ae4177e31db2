//! Randomly changed event logs are refused, or still lead to views.

use cardsharp_engine::Observer;
use cardsharp_engine::Seat;
use cardsharp_engine::game::{Play, Scripted, Turn};
use cardsharp_engine::record::Audience;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules;
use cardsharp_engine::table::{AnyTable, Table};
use serde_json::{Value, json};

use crate::Round;

/// Returns the event log of one seat. The scripted player makes half of the moves.
fn told(draw: &mut Draw, seed: u64) -> Vec<Value> {
    let mut table = Table::<Round>::new(Rules::random(draw), seed);
    let to = Audience::Seat(Seat(draw.below(4) as u8));
    let mut lines = vec![table.header(to, Vec::new())];
    lines.extend(table.told(0, to));
    loop {
        match table.session().round().turn() {
            Turn::RoundOver if !table.deal_next() => break,
            Turn::RoundOver => {}
            Turn::Decide(seat) => {
                let scripted = Round::scripted(table.session().round().view(seat));
                let action = if draw.below(2) == 0 { scripted } else { draw.pick(&table.legal()) };
                table.try_play(action).unwrap();
            }
        }
        lines.extend(table.told(table.steps(), to));
    }
    lines.iter().map(|line| line.json()).collect()
}

/// Changes one thing in an event log, after its header.
fn change(lines: &mut Vec<Value>, draw: &mut Draw) {
    let any = |lines: &[Value], draw: &mut Draw| 1 + draw.below(lines.len() as u32 - 1) as usize;
    let (at, other) = (any(lines, draw), any(lines, draw));
    let from = lines[other].clone();
    let Some(fields) = lines[at].as_object_mut() else { return };
    let names: Vec<String> = fields.keys().cloned().collect();
    let name = &names[draw.below(names.len() as u32) as usize];
    let junk = [
        json!(null),
        json!(-1),
        json!(300),
        json!(1e300),
        json!([0, 0, 0]),
        json!({}),
        json!(""),
        json!("S7 S7"),
    ];
    match draw.below(8) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, other),
        2 => lines.insert(other, from),
        3 => drop(fields.remove(name)),
        4 => drop(fields.insert(name.clone(), junk[draw.below(8) as usize].clone())),
        5 => drop(fields.insert(name.clone(), from.get(name).cloned().unwrap_or_default())),
        // Other cards, another seat or other points replace one of these.
        6 => {
            let cards = ["S7", "SA", "HJ", "H6", "CT", "80", "discard S8", "S7 S8 S9 ST SJ SQ SK SA"];
            drop(fields.insert(name.clone(), json!(cards[draw.below(8) as usize])));
        }
        _ => drop(fields.insert(name.clone(), json!(10 * draw.below(4)))),
    }
}

#[test]
fn a_changed_record_is_refused_or_makes_views() {
    let mut refused = 0;
    for seed in 0..300 {
        let mut draw = Draw::new(seed, 6);
        let mut lines = told(&mut draw, seed);
        (0..=draw.below(2)).for_each(|_| change(&mut lines, &mut draw));
        let mut observer = Observer::<Round>::new(&lines[0]).unwrap();
        let mut wrong = false;
        for line in &lines[1..] {
            wrong |= observer.hear(line).is_err();
            if draw.below(4) == 0 {
                // Between rounds there is no view, and the last line may be wrong.
                if let Ok(view) = observer.view() {
                    assert_eq!(view.game(), "tachtigen");
                }
            }
        }
        refused += u32::from(wrong);
    }
    assert!(refused > 200, "{refused}");
}

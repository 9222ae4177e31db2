//! Views from outside: however one is changed, it is refused with a reason, or everything works on it.

use cardsharp_env::blocks::width;
use cardsharp_env::game::{Check as _, Narrate as _, Observe as _, Redeal as _, Scripted as _, ViewError};
use cardsharp_env::mask::Mask as _;
use cardsharp_env::{Actions as _, DealRng, Draw, OwnedView, Play as _, Rules as _, Seat, Session, Turn};
use serde_json::{Value, json};

use crate::observation::OBSERVATION;
use crate::{Round, Rules};

/// Texts that take the place of others.
const TEXTS: &[&str] =
    &["8h", "8h 8h", "2c", "As'", "2c 3d 4h 5s", "", "turn", "suit", "over", "up", "down", "clubs"];

/// True views, as JSON, of every seat.
fn views() -> Vec<Value> {
    let mut views = Vec::new();
    for seed in 0..60 {
        let mut draw = Draw::new(seed, 9);
        let mut session = Session::<Round>::new(Rules::random(&mut draw), seed);
        while let Turn::Decide(seat) = session.round().turn() {
            if draw.below(12) == 0 {
                let round = session.round();
                views.extend(round.present().iter().map(|seat| json!(round.view(Seat(seat)).to_owned())));
            }
            let action = Round::legal(session.round().view(seat)).random(&mut draw).unwrap();
            session.round_mut().play(action);
        }
    }
    views
}

/// Reads a view and does everything that can be done with it.
fn use_view(text: &str) -> Result<(), ViewError> {
    let read = OwnedView::<Round>::read(text)?;
    let view = read.view();
    Round::check_view(view)?;
    let mut row = vec![0; width(OBSERVATION)];
    Round::observe(view, &mut row);
    assert!(OBSERVATION.iter().all(|block| block.of(&row).iter().all(|&cell| cell <= block.max)), "{text}");
    let legal = Round::legal(view);
    assert!(legal.count() == 0 || legal.contains(Round::scripted(view)), "{text}");
    assert!(!Round::picture(view).is_empty());
    let round = Round::redeal(view, DealRng::new(1, 2)).unwrap();
    assert_eq!(round.view(view.seat).to_owned(), read);
    assert_eq!(round.audit(), Ok(()), "{text}");
    Ok(())
}

/// All places that hold no further values.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), found))
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{path}/{i}"), found));
        }
        _ => found.push(path.to_owned()),
    }
}

/// Another value of the same kind.
fn another(value: &Value, draw: &mut Draw) -> Value {
    match value {
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) => {
            let number = number.as_i64().unwrap();
            let any = i64::from(draw.below(60));
            json!(draw.pick(&[number + 1, number - 1, 0, 1, 2, 12, 104, 255, 256, any]))
        }
        Value::String(text) => match text.split_once(' ') {
            // A card less, or another one.
            Some((first, rest)) if draw.below(2) == 0 => json!(draw.pick(&[rest, first])),
            _ => json!(draw.pick(TEXTS)),
        },
        other => other.clone(),
    }
}

#[test]
fn true_views_are_accepted() {
    let views = views();
    assert!(views.len() > 2000, "{}", views.len());
    for view in views {
        use_view(&view.to_string()).unwrap_or_else(|error| panic!("{error}: {view}"));
    }
}

#[test]
fn changed_views_are_refused_or_work() {
    let (views, mut draw) = (views(), Draw::new(1, 1));
    let (mut refused, mut accepted) = (0, 0);
    for view in &views {
        let mut places = Vec::new();
        leaves(view, "", &mut places);
        for _ in 0..12 {
            let mut changed = view.clone();
            for _ in 0..1 + draw.below(2) {
                let place = &places[draw.below(places.len() as u32) as usize];
                let leaf = changed.pointer_mut(place).unwrap();
                *leaf = another(leaf, &mut draw);
            }
            // What belongs to one seat, from another view.
            if draw.below(6) == 0 {
                changed["own"] = views[draw.below(views.len() as u32) as usize]["own"].clone();
            }
            match use_view(&changed.to_string()) {
                Ok(()) => accepted += 1,
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 10_000 && accepted > 500, "{refused} refused, {accepted} accepted");
}

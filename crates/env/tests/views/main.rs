//! Views from outside: whatever text arrives, it is refused with a reason, or everything that takes
//! a view works on it. What holds in every game is here; a file for each game says how its views are
//! changed, and tests its refusals.

/// The tests that are the same for every game, for the file of a game whose round is `$round`.
macro_rules! tests_of_every_game {
    ($round:ty) => {
        #[test]
        fn changed_views_are_refused_or_work() {
            super::changed_views_are_refused_or_work::<$round>();
        }

        #[test]
        fn true_views_are_accepted() {
            super::true_views_are_accepted::<$round>();
        }
    };
}
use tests_of_every_game;

mod dalmuti;
mod tachtigen;
mod tahimi;
mod taki;

use cardsharp_env::blocks::width;
use cardsharp_env::game::ViewError;
use cardsharp_env::mask::{self, Mask};
use cardsharp_env::{ActionId, DealRng, Draw, Game, OwnedView, Rules, Seat, Session, Turn};
use serde_json::{Value, json};

/// How the views of a game are changed to see what happens.
trait Changed: Game {
    /// Cards, among them the best, the worst and the special ones.
    const CARDS: &'static [&'static str];
    /// Words that stand for a choice somewhere in a view.
    const WORDS: &'static [&'static str];
    /// Parts that may be taken whole from another view, as JSON pointers.
    const PARTS: &'static [&'static str] = &["/own", "/table/rules"];
    /// A part with so many numbers that it would take nearly all changes.
    const LARGE: &'static str = "/table/memory";
    /// Sessions from which true views are taken: more where rounds are short.
    const SESSIONS: u64 = 40;
}

fn random_action<G: Game>(round: &G, seat: Seat, draw: &mut Draw) -> ActionId {
    let legal = G::legal(round.view(seat));
    legal.random(draw).expect("there is a legal action")
}

/// Views of random sessions, as JSON: of every seat, one decision in `share`.
fn views<G: Game>(sessions: u64, share: u32) -> Vec<Value> {
    let mut views = Vec::new();
    for seed in 0..sessions {
        let mut draw = Draw::new(seed, 9);
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), seed);
        loop {
            let mut opening = 0..8u32;
            while let Turn::Decide(seat) = session.round().turn() {
                let round = session.round();
                if opening.next().is_some() || draw.below(share) == 0 {
                    for seat in round.present().iter().map(Seat) {
                        views.push(json!(round.view(seat).to_owned()));
                    }
                }
                let action = random_action(round, seat, &mut draw);
                session.round_mut().play(action);
            }
            session.settle();
            if session.is_last() {
                break;
            }
            session.deal_next();
        }
    }
    views
}

/// Random moves until the round is as wanted; false when it is over before.
fn play_until<G: Game>(
    session: &mut Session<G>,
    draw: &mut Draw,
    mut is_wanted: impl FnMut(&G) -> bool,
) -> bool {
    while !is_wanted(session.round()) {
        let Turn::Decide(seat) = session.round().turn() else { return false };
        let action = random_action(session.round(), seat, draw);
        session.round_mut().play(action);
    }
    true
}

/// Does everything that can be done with a view; the rows and the round it is dealt from it must fit.
fn use_view<G: Game>(text: &str) -> Result<(), ViewError> {
    let game = cardsharp_env::game(G::NAME).expect("it is on the list");
    {
        let read = game.view(text)?;
        let view = read.view();
        let mut row = vec![0; width(G::OBSERVATION)];
        view.row(&mut row);
        let blocks = G::OBSERVATION.iter();
        assert!(blocks.flat_map(|b| b.of(&row).iter().map(|cell| *cell <= b.max)).all(|fits| fits));
        let mut legal = vec![0; game.words()];
        if view.legal(&mut legal) > 0 {
            assert!(mask::contains(&legal, view.scripted()));
        }
        assert!(!view.picture().is_empty());
    }
    let view: OwnedView<G> = serde_json::from_str(text).expect("it was read before");
    let round = G::redeal(view.view(), DealRng::new(1, 2)).unwrap();
    assert_eq!(round.view(view.seat).to_owned(), view);
    assert_eq!(round.audit(), Ok(()));
    Ok(())
}

/// All places in a JSON value that hold no further values.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), found))
        }
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{path}/{i}"), found))
        }
        _ => found.push(path.to_owned()),
    }
}

/// Changes one leaf.
fn mutate<G: Changed>(value: &mut Value, other: &Value, draw: &mut Draw) {
    let mut all = Vec::new();
    leaves(value, "", &mut all);
    let path = loop {
        let path = &all[draw.below(all.len() as u32) as usize];
        if !path.starts_with(G::LARGE) || draw.below(8) == 0 {
            break path.clone();
        }
    };
    let taken = other.pointer(&path).cloned();
    let Some(leaf) = value.pointer_mut(&path) else { return };
    *leaf = match (draw.below(4), &*leaf) {
        (0, _) => taken.unwrap_or(Value::Null),
        (_, Value::Number(n)) => {
            let n = n.as_i64().unwrap_or(0);
            let small = i64::from(draw.below(14));
            let large = 1 << draw.below(33);
            json!(draw.pick(&[n + 1, n - 1, 0, 255, small, large]))
        }
        (1, Value::String(text)) => {
            let mut cards: Vec<&str> = text.split(' ').collect();
            let at = draw.below(cards.len() as u32) as usize;
            cards[at] = if draw.below(5) == 0 { "" } else { draw.pick(G::CARDS) };
            json!(cards.join(" "))
        }
        (2, Value::String(text)) => json!(format!("{text} {}", draw.pick(G::CARDS)).trim()),
        (_, Value::String(_)) => json!(draw.pick(G::WORDS)),
        (_, Value::Bool(yes)) => json!(!yes),
        (_, _) => json!(draw.below(12)),
    };
}

fn changed_views_are_refused_or_work<G: Changed>() {
    let views = views::<G>(40, 40);
    let mut draw = Draw::new(11, 0);
    let mut accepted = 0;
    let rounds = 30_000;
    for _ in 0..rounds {
        let one = |draw: &mut Draw| &views[draw.below(views.len() as u32) as usize];
        let mut view = one(&mut draw).clone();
        let other = one(&mut draw);
        match draw.below(2 * G::PARTS.len() as u32 + 2) as usize {
            0 => view["seat"] = json!(draw.below(13)),
            i if i <= G::PARTS.len() => {
                let part = G::PARTS[i - 1];
                let taken = other.pointer(part).unwrap_or_else(|| panic!("views have no {part}"));
                *view.pointer_mut(part).expect(part) = taken.clone();
            }
            _ => {}
        }
        for _ in 0..=draw.below(2) {
            mutate::<G>(&mut view, other, &mut draw);
        }
        let text = view.to_string();
        let used = std::panic::catch_unwind(|| use_view::<G>(&text).is_ok());
        accepted += u32::from(used.unwrap_or_else(|_| panic!("this view was accepted, and then:\n{text}")));
    }
    println!("{accepted} of {rounds} changed views accepted");
    assert!((rounds / 100..rounds / 2).contains(&accepted), "{accepted} of {rounds} changed views accepted");
}

fn true_views_are_accepted<G: Changed>() {
    let views = views::<G>(G::SESSIONS, 20);
    assert!(views.len() > 5_000, "{}", views.len());
    for view in views {
        use_view::<G>(&view.to_string()).unwrap_or_else(|error| panic!("{error}: {view}"));
    }
}

/// A view to which no deal leads is refused, for that reason.
#[track_caller]
fn refused_for_want_of_a_deal<G: Game>(view: &OwnedView<G>) {
    let error = use_view::<G>(&json!(view).to_string()).expect_err("no deal");
    assert!(error.to_string().contains("no deal of the cards leads to it"), "{error}: {view:?}");
}

/// `example`, changed at one place at a time, is refused with these words.
fn refusals_say_what_is_wrong<G: Game>(example: &Value, refusals: &[(&str, Value, &str)]) {
    use_view::<G>(&example.to_string()).expect("the view itself is accepted");
    for (path, value, expected) in refusals {
        let mut view = example.clone();
        *view.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = value.clone();
        let error = match use_view::<G>(&view.to_string()) {
            Ok(()) => panic!("{path} = {value} was accepted"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expected), "{path} = {value}: {error}");
    }
    let unknown = example.to_string().replacen("\"seat\"", "\"seta\"", 1);
    assert!(use_view::<G>(&unknown).is_err_and(|error| error.to_string().contains("unknown field `seta`")));
}

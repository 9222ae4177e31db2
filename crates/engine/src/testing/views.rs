//! Tests of views from outside: any text is refused with a reason, or everything that takes a view works on it.

use serde_json::{Value, json};

use super::random::random_move;
use crate::any::{AnyGame, Erased};
use crate::base::blocks::width;
use crate::base::mask;
use crate::base::rng::{DealRng, Draw};
use crate::base::rules::Rules;
use crate::base::{MAX_SEATS, Seat};
use crate::game::{Game, OwnedView, Turn, ViewError};
use crate::runtime::seat_view::SeatView;
use crate::runtime::session::Session;

/// How to change the views of a game for these tests.
#[derive(Copy, Clone, Debug)]
pub struct Changes {
    /// Cards as written in views, among them the best, the worst and the special ones.
    pub cards: &'static [&'static str],
    /// Words that are a choice somewhere in a view, and the empty one.
    pub words: &'static [&'static str],
    /// Parts that can be replaced by the same part of another view, as JSON pointers.
    pub parts: &'static [&'static str],
    /// A part with very many values, which would otherwise get nearly all changes. A JSON pointer, if there is such
    /// a part.
    pub large: Option<&'static str>,
}

impl Changes {
    /// Creates changes with these cards and words. The private state and the rules can be replaced as a whole.
    pub const fn with(cards: &'static [&'static str], words: &'static [&'static str]) -> Self {
        Self { cards, words, parts: &["/own", "/table/rules"], large: None }
    }
}

/// Returns views of random sessions by random rules, as JSON, of every seat. They are from the first eight
/// decisions of a round, and from one in `share` of the later ones. Every call plays the same sessions.
///
/// # Panics
/// The seat that must act has no legal action.
pub fn views<G: Game>(sessions: u64, share: u32) -> Vec<Value> {
    let mut views = Vec::new();
    for seed in 0..sessions {
        let mut draw = Draw::new(seed, 9);
        let mut session = Session::<G>::new(G::Rules::random(&mut draw), seed);
        loop {
            let mut opening = 0..8u32;
            while session.round().turn() != Turn::RoundOver {
                let round = session.round();
                if opening.next().is_some() || draw.below(share) == 0 {
                    for seat in round.present().iter().map(Seat) {
                        views.push(json!(round.view(seat).to_owned()));
                    }
                }
                random_move(session.round_mut(), &mut draw);
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

/// Reads a view and does everything that takes a view.
///
/// # Errors
/// The text is not a view of the game, or the view cannot occur.
///
/// # Panics
/// The view was accepted, but something does not work on it: its row, the scripted player, its picture, or its
/// determinization. The determinization must show the same view and pass the audit.
pub fn use_view<G: Game>(text: &str) -> Result<(), ViewError> {
    let read = OwnedView::<G>::read(text)?;
    G::check_view(read.view())?;
    let view = SeatView::alone(&read);
    let mut row = vec![0; width(G::OBSERVATION)];
    view.row(&mut row);
    for block in G::OBSERVATION {
        assert!(block.of(&row).iter().all(|&cell| cell <= block.max), "{} beyond its maximum", block.name);
    }
    let legal = view.legal_words();
    if mask::count(&legal) > 0 {
        assert!(mask::contains(&legal, view.scripted()), "the player by rule does what is not legal");
    }
    assert!(!view.picture().is_empty(), "an empty picture");
    let round =
        G::determinize(read.view(), DealRng::new(1, 2)).expect("a round for a view that was accepted");
    assert_eq!(round.view(read.seat).to_owned(), read, "the round dealt from a view shows another one");
    assert_eq!(round.audit(), Ok(()), "of the round dealt from a view");
    Ok(())
}

/// Asserts that views of random play are accepted, and that everything works on them.
///
/// # Panics
/// A view is refused, something does not work on it ([`use_view`]), or the sessions have no more than 5,000 views.
/// 40 sessions are enough where rounds are long.
pub fn true_views_are_accepted<G: Game>(sessions: u64) {
    let views = views::<G>(sessions, 20);
    assert!(views.len() > 5_000, "{sessions} sessions have {} views: expected more than 5000", views.len());
    for view in views {
        use_view::<G>(&view.to_string()).unwrap_or_else(|error| panic!("{error}: {view}"));
    }
}

/// Asserts that 30,000 views, each changed in one to three places, are refused or that everything works on them.
///
/// # Panics
/// A view was accepted, but something does not work on it; the message has the view. Or less than 1 % or more than
/// half of the views were accepted, so that the changes or the checks are too weak.
pub fn changed_views_are_refused_or_work<G: Game>(changes: &Changes) {
    let views = views::<G>(40, 40);
    let mut draw = Draw::new(11, 0);
    let mut accepted = 0;
    let rounds = 30_000;
    for _ in 0..rounds {
        let one = |draw: &mut Draw| &views[draw.below(views.len() as u32) as usize];
        let mut view = one(&mut draw).clone();
        let other = one(&mut draw);
        match draw.below(2 * changes.parts.len() as u32 + 2) as usize {
            0 => view["seat"] = json!(draw.below(13)),
            i if i <= changes.parts.len() => {
                let part = changes.parts[i - 1];
                let taken = other.pointer(part).unwrap_or_else(|| panic!("views have no {part}"));
                *view.pointer_mut(part).expect(part) = taken.clone();
            }
            _ => {}
        }
        for _ in 0..=draw.below(2) {
            mutate(changes, &mut view, other, &mut draw);
        }
        let text = view.to_string();
        let used = std::panic::catch_unwind(|| use_view::<G>(&text).is_ok());
        accepted += u32::from(used.unwrap_or_else(|_| panic!("this view was accepted, and then:\n{text}")));
    }
    assert!((rounds / 100..rounds / 2).contains(&accepted), "{accepted} of {rounds} changed views accepted");
}

/// Asserts that no number of a view outside of its rules can be large, because bots could need very long for such a view.
///
/// # Panics
/// A view with a large number is accepted.
pub fn large_numbers_are_refused<G: Game>() {
    const LARGE: u32 = 1 << 20;
    for view in views::<G>(12, 40) {
        let mut all = Vec::new();
        leaves(&view, "", &mut all);
        for path in all.iter().filter(|path| !path.starts_with("/table/rules/")) {
            if view.pointer(path).is_some_and(Value::is_number) {
                let mut large = view.clone();
                *large.pointer_mut(path).expect(path) = json!(LARGE);
                let refused = OwnedView::<G>::of(&large).and_then(|read| G::check_view(read.view()));
                assert!(refused.is_err(), "{path} = {LARGE} was accepted: {large}");
            }
        }
    }
}

/// Asserts that an impossible number anywhere in a view is refused, or that the rounds of that view have a normal length.
/// Otherwise a bot could need very long for it.
///
/// # Panics
/// A round has more than 20,000 moves of random play.
pub fn numbers_have_bounds<G: Game>() {
    const NUMBERS: [i64; 12] = [-1, 2, 17, 60, 80, 127, 200, 255, 4_000, 65_535, 1 << 31, 1 << 40];
    const MOST: u32 = 20_000;
    let mut draw = Draw::new(12, 0);
    for view in views::<G>(12, 40) {
        let mut all = Vec::new();
        leaves(&view, "", &mut all);
        for path in all.iter().filter(|path| view.pointer(path).is_some_and(Value::is_number)) {
            // Each place is in very many views.
            if draw.below(8) > 0 {
                continue;
            }
            let number = draw.pick(&NUMBERS);
            let mut changed = view.clone();
            *changed.pointer_mut(path).expect(path) = json!(number);
            let Ok(read) = OwnedView::<G>::of(&changed) else { continue };
            if G::check_view(read.view()).is_err() {
                continue;
            }
            let round = G::determinize(read.view(), DealRng::new(1, 2));
            let mut round = round.expect("a round for a view that was accepted");
            let mut moves = 0;
            while random_move(&mut round, &mut draw) {
                moves += 1;
                assert!(moves <= MOST, "{path} = {number}: more than {MOST} moves from {changed}");
            }
        }
    }
}

/// Collects the paths of all values in a JSON value that contain no further values, including empty lists.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            map.iter().for_each(|(key, value)| leaves(value, &format!("{path}/{key}"), found))
        }
        Value::Array(list) if !list.is_empty() => {
            list.iter().enumerate().for_each(|(i, value)| leaves(value, &format!("{path}/{i}"), found))
        }
        _ => found.push(path.to_owned()),
    }
}

/// Changes one random leaf.
pub(super) fn mutate(changes: &Changes, value: &mut Value, other: &Value, draw: &mut Draw) {
    let mut all = Vec::new();
    leaves(value, "", &mut all);
    let path = loop {
        let path = &all[draw.below(all.len() as u32) as usize];
        let is_large = changes.large.is_some_and(|large| path.starts_with(large));
        if !is_large || draw.below(8) == 0 {
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
            cards[at] = if draw.below(5) == 0 { "" } else { draw.pick(changes.cards) };
            json!(cards.join(" "))
        }
        (2, Value::String(text)) => json!(format!("{text} {}", draw.pick(changes.cards)).trim()),
        (_, Value::String(_)) => json!(draw.pick(changes.words)),
        (_, Value::Bool(yes)) => json!(!yes),
        (_, Value::Array(_)) => json!([draw.below(12)]),
        (_, _) => json!(draw.below(12)),
    };
}

/// Asserts that a view is refused because no deal leads to it ([`some_deal`](crate::game::some_deal)).
///
/// # Panics
/// The view is accepted, or refused for another reason.
#[track_caller]
pub fn refused_for_want_of_a_deal<G: Game>(view: &OwnedView<G>) {
    let error = use_view::<G>(&json!(view).to_string()).expect_err("no deal");
    assert!(error.to_string().contains("no deal of the cards leads to it"), "{error}: {view:?}");
}

/// Asserts that `example`, changed at one place at a time, is refused with the right message. Each refusal is a
/// JSON pointer, another value, and a part of the message. A field that views do not have must be refused, too.
///
/// # Panics
/// The example is refused or lacks such a place, or a changed view is accepted or refused with another message.
#[track_caller]
pub fn refusals_say_what_is_wrong<G: Game>(example: &Value, refusals: &[(&str, Value, &str)]) {
    use_view::<G>(&example.to_string()).unwrap_or_else(|error| panic!("the example itself: {error}"));
    for (path, value, expected) in refusals {
        let mut view = example.clone();
        *view.pointer_mut(path).unwrap_or_else(|| panic!("no {path}")) = value.clone();
        let error = match use_view::<G>(&view.to_string()) {
            Ok(()) => panic!("{path} = {value} was accepted"),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(expected), "{path} = {value}: {error}");
    }
    let mut unknown = example.clone();
    if let Some(fields) = unknown.as_object_mut() {
        let seat = fields.remove("seat").expect("an example has a seat");
        fields.insert("seta".to_owned(), seat);
    }
    let error = use_view::<G>(&unknown.to_string()).expect_err("a field `seta`").to_string();
    assert!(error.contains("unknown field `seta`"), "{error}");
}

/// Asserts that the game without its types reads the same views, and refuses those that cannot occur.
///
/// # Panics
/// It does not.
pub fn views_are_read_alike_without_types<G: Game>() {
    let game = &Erased::<G>::new() as &dyn AnyGame;
    for mut view in views::<G>(3, 40) {
        let read = game.view(&view.to_string()).unwrap_or_else(|error| panic!("{error}: {view}"));
        assert_eq!(read.view().json(), view);
        let read = game.view_of(&view).unwrap_or_else(|error| panic!("{error}: {view}"));
        assert_eq!(read.view().json(), view);
        view["seat"] = json!(MAX_SEATS);
        for refused in [game.view(&view.to_string()).err(), game.view_of(&view).err()] {
            assert!(matches!(refused, Some(ViewError::Impossible(_))), "{refused:?}: {view}");
        }
        view["version"] = json!(0);
        for refused in [game.view(&view.to_string()).err(), game.view_of(&view).err()] {
            assert!(matches!(refused, Some(ViewError::Version { given: 0, .. })), "{refused:?}: {view}");
        }
        view["game"] = json!("bridge");
        for refused in [game.view(&view.to_string()).err(), game.view_of(&view).err()] {
            assert!(matches!(refused, Some(ViewError::Game { .. })), "{refused:?}: {view}");
        }
    }
}

/// Defines the tests of a game that read views and event logs from outside: its round, its [`Changes`], and the number
/// of sessions for [`true_views_are_accepted`].
#[macro_export]
macro_rules! view_tests {
    ($round:ty, $changes:expr, $sessions:expr) => {
        #[test]
        fn changed_views_are_refused_or_work() {
            $crate::testing::changed_views_are_refused_or_work::<$round>(&$changes);
        }

        #[test]
        fn true_views_are_accepted() {
            $crate::testing::true_views_are_accepted::<$round>($sessions);
        }

        #[test]
        fn large_numbers_are_refused() {
            $crate::testing::large_numbers_are_refused::<$round>();
        }

        #[test]
        fn numbers_have_bounds() {
            $crate::testing::numbers_have_bounds::<$round>();
        }

        #[test]
        fn views_are_read_alike_without_types() {
            $crate::testing::views_are_read_alike_without_types::<$round>();
        }

        #[test]
        fn damaged_logs_are_refused_or_followed() {
            $crate::testing::damaged_logs_are_refused_or_followed::<$round>(&$changes);
        }
    };
}

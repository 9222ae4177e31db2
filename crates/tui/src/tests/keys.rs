//! Effects of keys.

use std::time::{Duration, Instant};

use cardsharp_env::Piece;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use serde_json::json;

use super::{begun, send};
use crate::keys::Effect;
use crate::messages::{Choices, Message, RoundResults};
use crate::state::{Overlay, Screen};

/// Returns a screen that asks for one of these choices.
fn asking(labels: &[&str]) -> Screen {
    let (mut screen, _) = begun("dalmuti", &json!({}), 1);
    screen.size = Size { width: 80, height: 24 };
    ask(&mut screen, labels, vec![true; labels.len()]);
    screen
}

fn ask(screen: &mut Screen, labels: &[&str], listed: Vec<bool>) {
    let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
    let names = labels.iter().map(|label| Piece { text: label.clone(), tint: None }).collect();
    let choices = Choices { title: "Your move".to_owned(), labels, names, listed };
    send(screen, [Message::Choices(choices), Message::Waiting]);
}

fn press(screen: &mut Screen, code: KeyCode) -> Option<Effect> {
    screen.press(KeyEvent::new(code, KeyModifiers::NONE))
}

fn press_with_control(screen: &mut Screen, key: char) -> Option<Effect> {
    screen.press(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL))
}

/// Returns the effect of Enter after these letters.
fn entered(labels: &[&str], typed: &str) -> Option<Effect> {
    let mut screen = asking(labels);
    for c in typed.chars() {
        assert_eq!(press(&mut screen, KeyCode::Char(c)), None);
    }
    press(&mut screen, KeyCode::Enter)
}

fn say(line: &str) -> Option<Effect> {
    Some(Effect::Send(line.to_owned()))
}

const SETS: [&str; 5] = ["7", "7x2", "12", "2x3+J", "pass"];

#[test]
fn arrows_and_enter_choose() {
    let mut screen = asking(&SETS);
    for code in [KeyCode::Right, KeyCode::Right, KeyCode::Left] {
        assert_eq!(press(&mut screen, code), None);
    }
    assert_eq!(press(&mut screen, KeyCode::Enter), say("#2"));
    // Nothing is chosen twice, or before the session asks.
    assert_eq!(press(&mut screen, KeyCode::Enter), None);
    let mut screen = asking(&SETS);
    press(&mut screen, KeyCode::End);
    assert_eq!(press(&mut screen, KeyCode::Enter), say("#5"));
    // One row down, or to the end of the list.
    let many: Vec<String> = (0..40).map(|i| format!("bid {i} clubs")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let mut screen = asking(&many);
    press(&mut screen, KeyCode::Down);
    let across = 78 / "#40 bid 39 clubs   ".len();
    assert_eq!(press(&mut screen, KeyCode::Enter), say(&format!("#{}", across + 1)));
}

#[test]
fn typed_text_is_a_name_or_a_number_as_in_plain_mode() {
    assert_eq!(entered(&SETS, "pa"), say("#5"));
    assert_eq!(entered(&SETS, "7"), say("#1"));
    assert_eq!(entered(&SETS, "7x"), say("#2"));
    assert_eq!(entered(&SETS, "#4"), say("#4"));
    assert_eq!(entered(&SETS, "3"), say("#3"), "a card of that name is not there, the third move is");
    assert_eq!(entered(&SETS, "12"), say("#3"));
    assert_eq!(entered(&SETS, "hint"), say("hint"));
    assert_eq!(entered(&SETS, "seven"), say("seven"), "the session says what is wrong with it");
}

#[test]
fn esc_clears_the_filter_first_then_leaves() {
    let mut screen = asking(&SETS);
    press(&mut screen, KeyCode::Char('x'));
    assert_eq!(screen.moves.as_ref().map(|moves| moves.matching.clone()), Some(vec![1, 3]));
    press(&mut screen, KeyCode::Esc);
    assert!(matches!(screen.overlay, Overlay::None));
    assert_eq!(screen.moves.as_ref().map(|moves| moves.matching.len()), Some(5));
    press(&mut screen, KeyCode::Esc);
    assert!(matches!(screen.overlay, Overlay::Quit));
    assert_eq!(press(&mut screen, KeyCode::Char('n')), None);
    assert!(matches!(screen.overlay, Overlay::None));
    press_with_control(&mut screen, 'c');
    assert_eq!(press_with_control(&mut screen, 'c'), Some(Effect::Leave));
}

#[test]
fn keys_send_commands() {
    assert_eq!(press(&mut asking(&SETS), KeyCode::F(2)), say("/hint"));
    assert_eq!(press(&mut asking(&SETS), KeyCode::F(3)), say("/undo"));
    assert_eq!(press(&mut asking(&SETS), KeyCode::Char('u')), say("/undo"));
    // Within a word, `u` is a letter.
    assert_eq!(entered(&["blue 3", "red 3"], "bu"), say("bu"));
    assert_eq!(entered(&["blue 3", "red 3"], "lu"), say("#1"));
    assert_eq!(press(&mut asking(&SETS), KeyCode::F(4)), say("/rules"));
    assert_eq!(press(&mut asking(&SETS), KeyCode::Char('?')), say("/help"));
}

#[test]
fn control_z_suspends_over_every_panel() {
    let mut screen = asking(&SETS);
    assert_eq!(press_with_control(&mut screen, 'z'), Some(Effect::Suspend));
    press(&mut screen, KeyCode::Esc);
    assert_eq!(press_with_control(&mut screen, 'z'), Some(Effect::Suspend));
    assert!(matches!(screen.overlay, Overlay::Quit));
}

#[test]
fn short_answers_are_below_the_moves_and_long_ones_over_the_table() {
    let mut screen = asking(&SETS);
    press(&mut screen, KeyCode::F(2));
    send(&mut screen, [Message::Line("  scripted would play pass".to_owned()), Message::Waiting]);
    assert_eq!(screen.answer.len(), 1);
    assert!(matches!(screen.overlay, Overlay::None));
    press(&mut screen, KeyCode::F(1));
    send(&mut screen, (0..60).map(|i| Message::Line(format!("line {i}"))).chain([Message::Waiting]));
    for _ in 0..9 {
        assert_eq!(press(&mut screen, KeyCode::PageDown), None);
    }
    let Overlay::Text { lines, top, .. } = &screen.overlay else { panic!("no text") };
    assert_eq!(*top, screen.rows(lines).len() - 20, "the last page is full");
    press(&mut screen, KeyCode::Esc);
    assert_eq!(press(&mut screen, KeyCode::Enter), say("#1"), "the moves are there as before");
}

#[test]
fn keys_of_the_table_also_work_over_a_text() {
    let mut screen = asking(&SETS);
    press(&mut screen, KeyCode::F(1));
    send(&mut screen, (0..60).map(|i| Message::Line(format!("line {i}"))).chain([Message::Waiting]));
    assert!(matches!(screen.overlay, Overlay::Text { .. }));
    assert_eq!(press(&mut screen, KeyCode::F(2)), say("/hint"));
    assert!(matches!(screen.overlay, Overlay::None));
}

#[test]
fn a_key_that_closes_a_panel_has_its_usual_effect() {
    let results = || Message::Results(RoundResults { round: 1, rows: Vec::new() });
    let mut screen = asking(&SETS);
    send(&mut screen, [results()]);
    press(&mut screen, KeyCode::Char('p'));
    assert!(matches!(screen.overlay, Overlay::None));
    assert_eq!(press(&mut screen, KeyCode::Enter), say("#5"), "p is the start of pass");
    let mut screen = asking(&SETS);
    press(&mut screen, KeyCode::F(1));
    send(&mut screen, (0..3).map(|i| Message::Line(format!("line {i}"))).chain([Message::Waiting]));
    assert!(matches!(screen.overlay, Overlay::Text { .. }));
    // A short text has nothing to scroll, so arrows select.
    press(&mut screen, KeyCode::Right);
    assert_eq!(press(&mut screen, KeyCode::Enter), say("#2"));
    let mut screen = asking(&SETS);
    press(&mut screen, KeyCode::Esc);
    press(&mut screen, KeyCode::Right);
    assert_eq!(press(&mut screen, KeyCode::Enter), say("#2"), "a key at the question whether to leave");
}

#[test]
fn listed_moves_come_first_and_keep_their_numbers() {
    let mut screen = asking(&SETS);
    ask(&mut screen, &SETS, vec![false, false, true, false, true]);
    assert_eq!(screen.moves.as_ref().map(|moves| moves.matching.clone()), Some(vec![2, 4, 0, 1, 3]));
    press(&mut screen, KeyCode::Right);
    assert_eq!(press(&mut screen, KeyCode::Enter), say("#5"));
}

#[test]
fn short_explanations_are_below_the_moves_and_long_ones_over_the_table() {
    let mut screen = asking(&SETS);
    for (count, is_long) in [(3, false), (9, true)] {
        press(&mut screen, KeyCode::Enter);
        send(&mut screen, (0..count).map(|i| Message::Line(format!("| lesson {i}"))));
        ask(&mut screen, &SETS, vec![true; 5]);
        assert_eq!(matches!(screen.overlay, Overlay::Text { .. }), is_long);
        assert_eq!(screen.answer.len(), if is_long { 0 } else { count });
        assert!(screen.log.visible(40, 40).is_empty());
    }
}

#[test]
fn moves_of_others_are_shown_one_after_another() {
    let (mut screen, table) = begun("taki", &json!({}), 5);
    screen.pause = Duration::from_secs(1);
    let begin = Instant::now();
    let moves =
        |n: usize| (0..n).flat_map(|i| [Message::Line(format!("move {i}")), super::position(table.as_ref())]);
    screen.queue.extend(moves(3));
    let seen = |screen: &mut Screen, seconds: f64| {
        screen.show(begin + Duration::from_secs_f64(seconds));
        screen.log.visible(40, 40).len()
    };
    assert_eq!([0.0, 0.9, 1.0, 1.5, 2.1].map(|s| seen(&mut screen, s)), [1, 1, 2, 2, 3]);
    screen.queue.extend(moves(4));
    assert_eq!(seen(&mut screen, 3.2), 4);
    press(&mut screen, KeyCode::Char(' '));
    assert_eq!(seen(&mut screen, 3.2), 7, "Space skips");
    // The results of a round stay until the person continues.
    screen.queue.push_back(Message::Results(RoundResults { round: 1, rows: Vec::new() }));
    screen.queue.extend(moves(1));
    assert_eq!([3.3, 9.0].map(|s| seen(&mut screen, s)), [8, 8]);
    press(&mut screen, KeyCode::Enter);
    assert_eq!(seen(&mut screen, 9.0), 9);
}

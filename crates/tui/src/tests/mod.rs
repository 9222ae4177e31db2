//! The screen as text, and the effects of keys.

mod keys;
mod screens;

use std::time::{Duration, Instant};

use cardsharp_env::games::game;
use cardsharp_env::{AnyTable, Seat, SeatView, teacher};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Size;
use serde_json::Value;

use crate::draw::draw;
use crate::messages::{Choices, Message, TableView};
use crate::state::Screen;

const ME: Seat = Seat(0);

/// Returns the screen of a new session of this game under these rules, and its table.
fn begun(name: &str, rules: &Value, seed: u64) -> (Screen, Box<dyn AnyTable>) {
    let game = game(name).expect("a game");
    let table = game.rules(rules).expect("rules").table(seed);
    let head = format!("{}, {} players, seed {seed}", game.title(), table.seats());
    (Screen::new(name, head, Duration::ZERO, true, false), table)
}

/// Shows messages on the screen.
fn send(screen: &mut Screen, messages: impl IntoIterator<Item = Message>) {
    screen.queue.extend(messages);
    screen.show(Instant::now());
}

/// Returns the current position, with names as in plain mode.
fn position(table: &dyn AnyTable) -> Message {
    let name = |seat| match Seat(seat) {
        ME => "you".to_owned(),
        _ => format!("seat {seat} (scripted)"),
    };
    let names = (0..table.seats() as u8).map(name).collect();
    Message::Position(Box::new(TableView { scene: table.view(ME).map(SeatView::scene), names }))
}

/// Asks the person for a move.
fn ask(screen: &mut Screen, table: &dyn AnyTable) {
    let (view, legal) = (table.asked().expect("a decision"), table.legal());
    let labels: Vec<String> = legal.iter().map(|&action| table.label(action)).collect();
    let teacher = teacher(table.game()).expect("a teacher");
    let names = labels.iter().map(|label| teacher.move_piece(label)).collect();
    let listed = legal.iter().map(|&action| teacher.is_likely(view, action)).collect();
    let title = "Your move".to_owned();
    send(screen, [Message::Choices(Choices { title, labels, names, listed }), Message::Waiting]);
}

/// Plays scripted moves in all seats and shows them on the screen. Stops when the person has a choice and `is_enough`
/// is true.
fn play_on(screen: &mut Screen, table: &mut dyn AnyTable, is_enough: impl Fn(&dyn AnyTable) -> bool) {
    send(screen, [position(table)]);
    while let Some(view) = table.asked() {
        let (seat, action) = (view.seat(), view.scripted());
        if seat == ME && table.legal().len() > 1 && is_enough(table) {
            return ask(screen, table);
        }
        let (label, is_visible) = (table.label(action), seat == ME || table.is_public(action));
        table.try_play(action).expect("legal");
        let who = if seat == ME { "you".to_owned() } else { format!("seat {} (scripted)", seat.0) };
        let name = teacher(table.game()).expect("a teacher").move_piece(&label).text;
        let line = is_visible.then(|| Message::Line(format!("  {who:<24} {name}")));
        send(screen, line.into_iter().chain([position(table)]));
    }
    panic!("the round is over");
}

/// Returns the text of a terminal of this size.
fn drawn(screen: &mut Screen, width: u16, height: u16) -> String {
    screen.size = Size { width, height };
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| draw(frame, screen)).expect("drawn");
    let text: String = terminal.backend().to_string();
    text.lines().map(|line| format!("{}\n", line.trim_matches('"').trim_end())).collect()
}

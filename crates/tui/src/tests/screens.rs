//! The layout of the screen. `SCREENS=overwrite` writes the expected screens.

use std::path::Path;

use cardsharp_env::{AnyTable, teacher};
use serde_json::{Value, json};

use super::{begun, drawn, play_on, send};
use crate::layout::fitting_notes;
use crate::messages::{Message, RoundResults};

/// The sizes of the terminals in which screens are compared.
const SIZES: [(u16, u16); 3] = [(60, 24), (80, 24), (120, 40)];

fn compare(name: &str, screen: &mut super::Screen) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
    for (width, height) in SIZES {
        let path = folder.join(format!("{name}-{width}x{height}.txt"));
        let shown = drawn(screen, width, height);
        assert!(shown.lines().all(|line| line.chars().count() <= usize::from(width)));
        if std::env::var_os("SCREENS").is_some_and(|word| word == "overwrite") {
            std::fs::write(&path, &shown).expect("written");
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(shown, expected, "{}: SCREENS=overwrite writes it anew", path.display());
    }
}

fn compare_at(name: &str, game: &str, rules: &Value, is_enough: impl Fn(&dyn AnyTable) -> bool) {
    let (mut screen, mut table) = begun(game, rules, 5);
    play_on(&mut screen, table.as_mut(), is_enough);
    compare(name, &mut screen);
    // The cards on the table and the person's own cards are always visible.
    let scene = table.view(super::ME).expect("a view").scene();
    let teacher = teacher(game).expect("a teacher");
    let known = scene.table.iter().flat_map(|line| line.split(' ').next_back());
    let known = known.last().map(|word| teacher.pieces(word)).into_iter();
    let held = scene.hand.iter().map(|group| teacher.hand_pieces(group));
    for (width, height) in SIZES {
        let text = drawn(&mut screen, width, height);
        for piece in known.clone().chain(held.clone()).flatten() {
            // A long name may be in two lines.
            for word in piece.text.split_whitespace() {
                assert!(text.contains(word), "no {word}: {text}");
            }
        }
    }
}

#[test]
fn a_table_of_every_game() {
    compare_at("dalmuti", "dalmuti", &json!({}), |table| table.steps() > 20 && table.legal().len() > 2);
    compare_at("tahimi", "tahimi", &json!({}), |table| table.steps() > 15 && table.legal().len() > 2);
    compare_at("taki", "taki", &json!({}), |table| table.steps() > 20 && table.legal().len() > 2);
    compare_at("tachtigen", "tachtigen", &json!({}), |table| table.phase() == "play" && table.steps() > 20);
}

#[test]
fn the_hand_stays_visible_at_the_largest_tables() {
    compare_at("dalmuti-12", "dalmuti", &json!({ "players": 12 }), |table| table.phase() == "play");
    compare_at("taki-10", "taki", &json!({ "players": 10 }), |table| table.steps() > 20);
    // No player has bid, so all bids are available.
    compare_at("tachtigen-auction", "tachtigen", &json!({}), |table| table.legal().len() > 40);
}

#[test]
fn panels_over_the_table() {
    let (mut screen, mut table) = begun("dalmuti", &json!({}), 5);
    play_on(&mut screen, table.as_mut(), |_| true);
    let row = |row: [&str; 4]| row.map(str::to_owned).to_vec();
    let rows = vec![row(["1", "seat 2 (scripted)", "4", "9"]), row(["2", "you", "3", "11"])];
    send(&mut screen, [Message::Results(RoundResults { round: 3, rows })]);
    compare("results", &mut screen);
    let small = drawn(&mut screen, 40, 10);
    assert!(small.starts_with("This terminal is too small: it needs 60"), "{small}");
}

#[test]
fn a_terminal_without_utf_8_shows_ascii() {
    let (mut screen, mut table) = begun("tachtigen", &json!({}), 5);
    screen.ascii = true;
    play_on(&mut screen, table.as_mut(), |table| table.phase() == "play" && table.steps() > 20);
    compare("ascii", &mut screen);
    assert!(drawn(&mut screen, 80, 24).is_ascii());
}

#[test]
fn notes_without_room_leave_a_mark() {
    let notes = ["bid 100", "passed", "bidder"].map(str::to_owned);
    let shown = [23, 22, 17, 16, 9, 8, 0].map(|width| fitting_notes(&notes, width));
    let some = [
        "bid 100, passed, bidder",
        "…, passed, bidder",
        "…, passed, bidder",
        "…, bidder",
        "…, bidder",
        "bidder…",
        "…",
    ];
    assert_eq!(shown, some);
}

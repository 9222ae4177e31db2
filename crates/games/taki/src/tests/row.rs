//! The cells of the observation row.

use serde_json::json;

use super::situation::{Inspect as _, setup};

#[test]
fn cards_are_shown_as_bits() {
    let s = setup(json!({}), &["R1 R1 B3 color color color king", "G1", "G3"], "R5");
    // Red 1 is cell 0, its second copy cell 58; blue 3 is 13 + 1; Change Color 52, 53 and 58 + 52.
    assert_eq!(s.ones(0, "hand"), [0, 14, 52, 53, 55, 58, 110]);
    let unseen = s.ones(0, "unseen");
    assert_eq!(unseen.len(), 116 - 7 - 1);
    assert_eq!(s.ones(0, "discards"), [3]);
    assert_eq!(s.ones(0, "drawable"), unseen, "nothing is known of where they are");
}

#[test]
fn the_table_is_shown() {
    let s = setup(json!({}), &["R+2 R1 R3", "R4 B6", "G3 G4"], "B+2");
    let s = s.after("R+2");
    assert_eq!(s.ones(1, "color"), [0]);
    assert_eq!(s.ones(1, "symbol"), [9]);
    assert_eq!(s.cells(1, "debt"), [2]);
    assert_eq!(s.ones(1, "debt_steps"), [0]);
    assert_eq!(s.ones(1, "phase"), [0]);
    assert_eq!(s.ones(0, "phase"), [] as [usize; 0]);
    assert_eq!(s.ones(0, "actor"), [1]);
    assert_eq!(s.ones(2, "actor"), [2]);
    assert_eq!(s.ones(1, "players"), [1]);
    assert_eq!(s.cells(1, "size"), [2]);
    assert_eq!(s.cells(1, "sizes")[..3], [2, 2, 0], "seat 2, then seat 0");
    assert_eq!(s.ones(1, "few_cards"), [0, 1, 8, 9]);
    let s = setup(json!({}), &["king R1 R3", "R4 B6", "G3 G4"], "B+2").after("king");
    assert_eq!((s.ones(0, "symbol"), s.ones(0, "top")), (vec![13], vec![2]));
    assert_eq!(s.ones(0, "phase"), [2]);
}

#[test]
fn the_others_stand_in_turn_order() {
    let s = setup(json!({}), &["Rdir R3 R1", "R4 B6 G1 G8", "G3 G4", "Y1"], "R5");
    assert_eq!(s.cells(0, "sizes")[..3], [4, 2, 1]);
    assert_eq!(s.after("Rdir").cells(0, "sizes")[..3], [1, 2, 4]);
    assert_eq!(s.after("Rdir").cells(0, "direction"), [1]);
}

#[test]
fn an_open_taki_and_last_cards_are_shown() {
    let s = setup(json!({}), &["Rtaki B3", "R4 B6 G1 G8", "G3 G4"], "R5").after("Rtaki, leave taki open");
    assert_eq!(s.cells(1, "open"), [1]);
    assert_eq!(s.ones(1, "last_cards"), [1], "seat 0 stands behind seat 2");
    assert_eq!(s.cells(0, "announced"), [1]);
}

#[test]
fn proofs_are_shown() {
    let s = setup(json!({}), &["B1 B3 B4", "R4 G6", "G3 G4"], "R5").after("draw");
    let lacks = s.cells(1, "lacks");
    // Seat 0 is the second player after seat 1. Each has 21 cells: 4 colors, 13 symbols, 4 colorless cards.
    let seat = &lacks[21..42];
    assert_eq!(seat[..4], [8, 0, 0, 0], "at most one red card");
    assert_eq!(seat[4 + 3], 8, "at most one five");
    assert_eq!(seat[17..], [8, 8, 8, 8]);
    assert_eq!(seat.iter().filter(|&&cell| cell != 0).count(), 6);
    assert!(lacks[..21].iter().all(|&cell| cell == 0));
    // A red card laid next shows that it was the drawn one.
    let hands = ["Rtaki R1 B1 B3", "G1 R8", "G4 G6"];
    let s = setup(json!({}), &hands, "R5").after("Rtaki, R1, close taki");
    assert_eq!(s.cells(1, "lacks")[21], 9, "no red card");
}

#[test]
fn after_recycling_the_row_tells_what_can_be_drawn() {
    let s = setup(json!({}), &["B1 B3", "R+2 R6 G8", "G1 Y9 Y8"], "R5").only_cards("Y1");
    let s = s.after("draw, R+2, draw");
    assert_eq!(s.cells(0, "recycles"), [1]);
    // Cards that the others held when the pile was made are not drawable.
    let held = |seat: usize| s.0.own[seat].hand;
    let drawable = s.ones(0, "drawable").len() as u32;
    let unseen = s.ones(0, "unseen").len() as u32;
    assert!(drawable < unseen);
    assert_eq!(unseen, held(1).total() + held(2).total() + u32::from(s.0.table.pile));
    assert!(drawable >= u32::from(s.0.table.pile));
}

#[test]
fn options_stage_and_decisions_are_shown() {
    let options =
        json!({"mode": "tournament", "taki_follow": "optional", "last_card": "declare", "max_decisions": 10});
    let s = setup(options, &["R1 R3 B1", "R4 B6", "G3 G4"], "R5").stage(0, 3).stage(2, 5);
    assert_eq!(s.ones(0, "options"), [0, 2, 12]);
    assert_eq!(s.cells(0, "penalty"), [4]);
    assert_eq!(s.ones(0, "stage"), [2]);
    assert_eq!(s.cells(0, "stages")[..3], [8, 5, 0]);
    assert_eq!(s.after("R1").cells(1, "decisions"), [20]);
}

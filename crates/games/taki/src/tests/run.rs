//! TAKI: closed, open, and continued by another player.

use serde_json::json;

use super::situation::{Inspect as _, setup};

#[test]
fn a_bare_taki_stays_open() {
    let s = setup(json!({}), &["Rtaki B4 G4", "R3 Btaki B4 B6 Y1", "G1"], "R5").after("Rtaki");
    s.expect(0, "leave taki open");
    let s = s.after("leave taki open");
    s.expect(1, "R3, Btaki");
    let run = s.after("R3");
    assert_eq!(run.0.table.stage, super::super::state::Stage::Run);
    run.expect(1, "close taki, leave taki open");
    let own = s.after("Btaki");
    own.expect(1, "B4, B6");
}

#[test]
fn only_the_last_card_acts() {
    let s = setup(json!({}), &["Rtaki Rstop R6 B1 B3", "R3", "G1"], "R5");
    assert_eq!(s.after("Rtaki, Rstop, R6, close taki").turn(), Some(1));
    assert_eq!(s.after("Rtaki, R6, Rstop, close taki").turn(), Some(2));
    let s = setup(json!({}), &["Rtaki Rdir R+2 Rplus R6 B1 B3", "R3", "G1"], "R5");
    let s = s.after("Rtaki, Rdir, R+2, Rplus, R6, close taki");
    assert_eq!((s.turn(), s.0.table.debt, s.sizes()[0]), (Some(1), 0, 2));
}

#[test]
fn a_taki_left_open_is_gone_on_with_or_closed_by_another_color() {
    let s = setup(json!({}), &["Rtaki R6 G1 G3", "R1 B6 Y8", "Y9 R8"], "R5");
    let s = s.after("Rtaki, R6, leave taki open");
    s.expect(1, "R1, B6");
    let run = s.after("R1");
    assert_eq!(run.0.table.stage, super::super::state::Stage::Run);
    let other = s.after("B6");
    assert_eq!((other.0.table.open, other.leading()), (false, "blue 6".into()));
    // Drawing leaves the TAKI open.
    let s = setup(json!({}), &["Rtaki R6 G1 G3", "B1 B8 Y8", "R8 R9 Y9"], "R5");
    let s = s.after("Rtaki, R6, leave taki open, draw");
    assert!(s.0.table.open);
    s.after("R8").expect(2, "R9");
}

#[test]
fn in_ones_own_run_another_taki_must_have_its_color() {
    let s = setup(json!({}), &["Rtaki Rtaki Btaki super R1", "G1", "G3"], "R5").after("Rtaki");
    s.expect(0, "R1, Rtaki, super R");
    let s = s.after("R1, super R");
    assert_eq!(s.leading(), "red taki");
    s.expect(0, "Rtaki");
}

#[test]
fn a_super_taki_takes_the_active_color() {
    let s = setup(json!({}), &["super B4 R1 R3", "G1", "G3"], "R5").after("super R");
    s.expect(0, "R1, R3");
    let s = s.after("R1, R3");
    s.expect(0, "close taki, leave taki open");
    // A TAKI without a card on it is open, and matches by its symbol.
    let s = setup(json!({}), &["super B4 B6", "Gtaki B3 R4", "G3"], "R5").after("super R, leave taki open");
    s.expect(1, "R4, Gtaki");
}

#[test]
fn change_color_may_end_a_run() {
    let s = setup(json!({}), &["Rtaki R4 color B1", "G1", "G3"], "R5").after("Rtaki, R4, color G");
    assert_eq!((s.leading(), s.0.table.open, s.turn()), ("green -".into(), false, Some(1)));
    let none = setup(json!({"run_wilds": "none"}), &["Rtaki R4 color king +3 B1", "G1", "G3"], "R5");
    none.after("Rtaki, R4").expect(0, "close taki, leave taki open");
}

#[test]
fn king_and_plus_three_may_end_a_run() {
    let s = setup(json!({}), &["Rtaki R4 king +3 B1", "G1", "G3"], "R5").after("Rtaki, R4");
    s.expect(0, "king, +3, close taki, leave taki open");
    let king = s.after("king");
    assert_eq!(king.leading(), "red -");
    king.expect(0, "B1, +3, end turn");
    let three = s.after("+3");
    assert_eq!((three.sizes(), three.turn(), three.leading()), (vec![2, 4, 4], Some(1), "red 4".into()));
}

#[test]
fn all_cards_of_the_color_must_be_played_or_may_be_kept() {
    let hands = ["Rtaki R4 Rstop super color B1", "G1", "G3"];
    let s = setup(json!({}), &hands, "R5").after("Rtaki");
    s.expect(0, "R4, Rstop, super R");
    // A player may keep Super TAKI and the other colorless cards.
    s.after("R4, Rstop")
        .expect(0, "color R, color B, color G, color Y, super R, close taki, leave taki open");
    let s = setup(json!({"taki_follow": "optional"}), &hands, "R5").after("Rtaki");
    s.expect(0, "R4, Rstop, color R, color B, color G, color Y, super R, leave taki open");
}

#[test]
fn a_taki_may_be_left_open_or_not() {
    let hands = ["Rtaki R4 B1", "G1", "G3"];
    let s = setup(json!({"taki_close": "auto"}), &hands, "R5").after("Rtaki, R4");
    s.expect(0, "close taki");
    // A TAKI without a card on it is open anyway.
    let s = setup(json!({"taki_close": "auto"}), &["Rtaki B4 B1", "G1", "G3"], "R5").after("Rtaki");
    s.expect(0, "leave taki open");
}

#[test]
fn a_plus_two_on_an_open_taki_is_faced_first() {
    let s = setup(json!({}), &["Rtaki R+2 B1 B3", "G1 R9", "R8 Y9 Y8"], "R5");
    let s = s.after("Rtaki, R+2, leave taki open");
    s.expect(1, "draw");
    let s = s.after("draw");
    assert_eq!(s.sizes()[1], 4);
    s.after("R8").expect(2, "close taki, leave taki open");
    // A +2 of the color leaves the TAKI open; one of another color or a King closes it.
    let s = setup(json!({}), &["Rtaki R+2 B1 B3", "R+2 B+2 king G1 R9", "R8 Y9 Y8"], "R5");
    let s = s.after("Rtaki, R+2, leave taki open");
    let same = s.after("R+2");
    assert_eq!((same.0.table.open, same.0.table.debt, same.turn()), (true, 4, Some(2)));
    let other = s.after("B+2");
    assert_eq!((other.0.table.open, other.0.table.debt), (false, 4));
    assert!(!s.after("king").0.table.open);
}

#[test]
fn colorless_cards_close_an_open_taki_but_not_a_breaker() {
    let hands = ["Rtaki B4 G4", "color king +3 breaker super Y8", "G1 R1 R3"];
    let s = setup(json!({}), &hands, "R5").after("Rtaki, leave taki open");
    assert!(!s.after("color R").0.table.open);
    assert!(!s.after("king").0.table.open);
    assert!(!s.after("+3").0.table.open);
    let broken = s.after("breaker");
    assert!(broken.0.table.open);
    broken.after("R1").expect(2, "R3");
    // A Super TAKI continues it.
    assert_eq!(s.after("super R").0.table.stage, super::super::state::Stage::Run);
}

#[test]
fn a_run_that_ends_on_a_plus_is_closed_and_owes_a_card() {
    let s = setup(json!({}), &["Rtaki R1 Rplus B1 Bplus", "G1", "G3"], "R5").after("Rtaki, R1, Rplus");
    s.expect(0, "close taki");
    s.after("close taki").expect(0, "Bplus");
    let kept = setup(json!({"taki_follow": "optional"}), &["Rtaki R1 Rplus B1 R9", "G1", "G3"], "R5");
    let s = kept.after("Rtaki, Rplus, close taki");
    s.expect(0, "R1, R9");
}

#[test]
fn a_run_that_empties_the_hand_ends_by_itself() {
    // A last ordinary card closes the TAKI, and a bare TAKI stays open. The player has won in both cases.
    let s = setup(json!({}), &["Rtaki R1", "G1", "G3"], "R5").after("Rtaki, R1");
    assert_eq!((s.turn(), s.0.table.open), (None, false));
    let s = setup(json!({}), &["R1 super", "G1", "G3"], "R5").after("super R, R1");
    assert_eq!(s.turn(), None);
    let s = setup(json!({}), &["Rtaki", "G1", "G3"], "R5").after("Rtaki");
    assert_eq!((s.turn(), s.0.table.open), (None, true));
}

#[test]
fn an_inherited_run_acts_with_its_last_card_and_may_be_closed() {
    let s = setup(json!({}), &["Rtaki B4 G4", "Rstop R1 B9 Y9", "G1", "G3"], "R5");
    let s = s.after("Rtaki, leave taki open");
    assert_eq!(s.after("R1, Rstop, close taki").turn(), Some(3), "the Stop skips seat 2");
    assert_eq!(s.after("Rstop, R1, close taki").turn(), Some(2));
    assert!(!s.after("Rstop, R1, close taki").0.table.open);
}

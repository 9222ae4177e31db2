//! Revolutions.

use serde_json::json;

use super::super::deck::Cards;
use super::super::state::{PrivateState, Revolution, Stage};
use super::situation::{Inspect as _, Situation, setup};

/// A deal of five players with both Jesters at one position.
fn jesters_at(position: usize, options: serde_json::Value) -> Situation {
    let mut hands = [""; 5];
    hands[position] = "J J";
    setup(options, &hands).dealt()
}

fn five() -> serde_json::Value {
    json!({"players": 5, "merchant_exchange": "blind_choice"})
}

#[test]
fn whoever_was_dealt_both_jesters_is_asked_and_nobody_else() {
    for position in 0..5u8 {
        let s = jesters_at(usize::from(position), five());
        s.expect(position, "call revolution, decline revolution");
        assert_eq!(s.0.table.stage, Stage::Dealt);
        let others = (0..5).filter(|&p| p != position);
        assert!(others.into_iter().all(|p| s.legal_of(s.seat(p)).is_empty()));
    }
    let s = setup(five(), &["J", "", "", "J"]).dealt();
    assert_eq!((s.0.table.stage, s.turn()), (Stage::Taxes, Some(0)), "one Jester each: no window");
}

#[test]
fn called_by_anyone_but_the_greater_peon_it_only_cancels_the_taxes() {
    for position in 0..4 {
        let s = jesters_at(position, five());
        let after = s.after("call revolution");
        assert_eq!(after.0.table.revolution, Revolution::Revolution);
        assert_eq!(after.0.table.caller, Some(after.seat(position as u8)), "everybody sees who calls");
        assert_eq!(after.order(), [0, 1, 2, 3, 4]);
        assert_eq!((after.0.table.stage, after.turn()), (Stage::Play, Some(0)));
        for p in 0..5 {
            assert_eq!(after.hand(p), s.hand(p));
            let own = &after.0.own[usize::from(p)];
            assert_eq!((own.given, own.received, own.partner), (Cards::NONE, Cards::NONE, None));
        }
        assert!(!after.0.table.taxes());
    }
}

#[test]
fn a_lesser_peon_makes_an_ordinary_revolution() {
    assert_eq!(jesters_at(3, five()).after("call revolution").0.table.revolution, Revolution::Revolution);
}

#[test]
fn called_by_the_greater_peon_every_position_turns_around() {
    let mut hands = [""; 5];
    hands[4] = "J J";
    let s = setup(five(), &hands).order(&[3, 0, 4, 2, 1]).dealt();
    s.expect(4, "call revolution, decline revolution");
    let after = s.after("call revolution");
    assert_eq!(after.0.table.revolution, Revolution::Greater);
    assert_eq!(after.0.table.caller.map(|seat| seat.0), Some(1));
    assert_eq!(after.order(), [1, 2, 4, 0, 3]);
    for seat in 0..5u8 {
        let (was, is) = (s.0.table.position[usize::from(seat)], after.0.table.position[usize::from(seat)]);
        assert_eq!(is, 4 - was, "position i becomes N - 1 - i");
        assert_eq!(after.hand(is), s.hand(was), "hands stay with their owners");
    }
    assert_eq!((after.0.table.stage, after.turn()), (Stage::Play, Some(0)), "the new first position leads");
    assert_eq!(after.seat(0).0, 1, "the former Greater Peon");
    assert!(
        after.0.own[..5].iter().all(|own: &PrivateState| own.given == Cards::NONE && own.partner.is_none())
    );
    // Turn order follows the new positions.
    let led = after.after("12");
    assert_eq!(led.turn().map(|p| led.seat(p).0), Some(2));
}

#[test]
fn turning_around_is_its_own_inverse_for_every_number_of_players() {
    for players in 4..=12u8 {
        let n = usize::from(players);
        let mut hands = vec![""; n];
        hands[n - 1] = "J J";
        let options = json!({"players": players, "merchant_exchange": "blind_random"});
        let s = setup(options, &hands).dealt();
        let once = s.after("call revolution").order();
        assert_eq!(once, (0..players).rev().collect::<Vec<_>>());
        let again: Vec<u8> = (0..n).map(|p| once[n - 1 - p]).collect();
        assert_eq!(again, s.order());
        assert_eq!(s.after("call revolution").0.table.stage, Stage::Play, "no taxes, no merchant exchange");
    }
}

#[test]
fn unequal_hands_stay_with_their_owners_too() {
    // Seven players: those dealt 12 cards had the first three positions and now have the last three.
    let s = setup(json!({"players": 7}), &["", "", "", "", "", "", "J J"]).dealt().after("call revolution");
    let sizes: Vec<u32> = s.0.own[..7].iter().map(|own| own.hand.total()).collect();
    assert_eq!(sizes, [11, 11, 11, 11, 12, 12, 12]);
    let table: Vec<u8> = (0..7).map(|p| s.0.table.dealt(p)).collect();
    assert_eq!(table, [11, 11, 11, 11, 12, 12, 12]);
}

#[test]
fn declined_by_anyone_the_taxes_proceed() {
    for position in 0..5 {
        let s = jesters_at(position, five()).after("decline revolution");
        assert_eq!((s.0.table.revolution, s.0.table.caller), (Revolution::None, None));
        assert_eq!((s.0.table.stage, s.turn()), (Stage::Taxes, Some(0)));
        assert_eq!(s.order(), [0, 1, 2, 3, 4]);
    }
}

#[test]
fn the_greater_peon_has_no_milder_choice() {
    jesters_at(4, five()).expect(4, "call revolution, decline revolution");
}

#[test]
fn a_tax_free_first_hand_asks_only_the_greater_peon() {
    let options = json!({"players": 5, "first_deal_revolution": true});
    for position in 0..4 {
        let s = jesters_at(position, options.clone());
        assert_eq!((s.0.table.stage, s.turn()), (Stage::Play, Some(0)), "calling would change nothing");
        assert_eq!(s.0.table.revolution, Revolution::None, "the automatic one shows as none");
    }
    let s = jesters_at(4, options.clone());
    s.expect(4, "call revolution, decline revolution");
    let called = s.after("call revolution");
    assert_eq!((called.0.table.revolution, called.order()), (Revolution::Greater, vec![4, 3, 2, 1, 0]));
    let declined = s.after("decline revolution");
    assert_eq!((declined.0.table.stage, declined.turn()), (Stage::Play, Some(0)), "still no taxes");
    assert_eq!(declined.0.table.revolution, Revolution::None);
    assert!(!declined.0.table.taxes());
}

#[test]
fn the_option_frees_only_the_first_hand() {
    let options = json!({"players": 5, "first_deal_revolution": true});
    let s = setup(options.clone(), &["", "J J"]).hand_number(2, &[]).dealt();
    s.expect(1, "call revolution, decline revolution");
    let s = setup(options, &[]).hand_number(2, &[]).dealt();
    assert_eq!(s.0.table.stage, Stage::Taxes);
}

#[test]
fn by_default_the_first_hand_is_taxed() {
    let s = setup(json!({"players": 5}), &[]).dealt();
    assert_eq!((s.0.table.hand, s.0.table.stage, s.turn()), (1, Stage::Taxes, Some(0)));
    assert!(s.0.table.taxes());
}

//! Calling the asked card, and the partner.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Play;
use serde_json::{Value, json};

use super::super::rules::Rules;
use super::situation::{HANDS, Inspect as _, Situation, card, setup};

/// Seat 0 bids 80, puts the kitty aside, names trump, and asks.
fn asked(options: Value, hands: [&str; 4], kitty: &str, trump: &str, ask: &str) -> Situation {
    setup(options, hands, kitty).bid("80").after(&format!("discard {kitty}, trump {trump}, ask {ask}"))
}

#[test]
fn the_holder_plays_the_called_card_and_nobody_trumps() {
    let s = asked(json!({}), HANDS, "SQ", "H", "SA");
    assert!(s.legal().contains(&"call".to_owned()));
    let s = s.after("call");
    // After a call the lead must be of the asked suit.
    s.expect(0, "S8, SK");
    let s = s.after("SK");
    s.expect(1, "SA");
    let s = s.after("SA");
    assert_eq!(s.0.table().partner, Some(Seat(1)));
    // A void player with trumps and other cards may not trump.
    s.expect(2, "DJ, DQ, DK, DA, C7, C8");
    s.after("DJ").expect(3, "S9, ST, SJ");
}

#[test]
fn who_has_only_trumps_plays_one_that_cannot_win() {
    let hands = ["SK S8 C9 CT CJ CQ CK CA", "SA S7 D7 D8 D9 DT DJ DQ", "H6 H7 H8 H9 HT HJ HQ HK", ""];
    let play = "call, SK, SA, HJ, S9";
    let s = asked(json!({}), hands, "DK", "H", "SA").after("call, SK, SA");
    s.expect(2, "H6, H7, H8, H9, HT, HJ, HQ, HK");
    assert_eq!(asked(json!({}), hands, "DK", "H", "SA").after(play).turn(), Some(1));
    let wins = json!({"forced_trump_wins_called": true});
    assert_eq!(asked(wins, hands, "DK", "H", "SA").after(play).turn(), Some(2));
}

#[test]
fn leading_the_suit_without_a_call_imposes_nothing() {
    let s = asked(json!({}), HANDS, "SQ", "H", "SA").after("SK");
    s.expect(1, "S7, SA, H6, H7");
    let s = s.after("S7");
    assert_eq!(s.0.table().partner, None);
    s.expect(2, "H8, HT");
}

#[test]
fn the_partner_may_play_his_card_before_it_is_called() {
    let s = asked(json!({}), HANDS, "SQ", "H", "SA").after("SK, SA");
    assert_eq!(s.0.table().partner, Some(Seat(1)));
    // Then no card is left to call.
    let mut s = s.after("H8, S9");
    assert_eq!(s.turn(), Some(2));
    while s.turn() != Some(0) || s.0.table().play.in_trick() != 0 {
        s.play(&s.legal()[0].clone());
        if s.turn().is_none() {
            return;
        }
    }
    assert!(!s.legal().contains(&"call".to_owned()));
}

#[test]
fn calling_needs_a_card_of_the_suit_and_the_lead() {
    let s = asked(json!({}), HANDS, "SQ", "H", "SA");
    // The bidder leads both of their spades without calling, and has no spade left for a call.
    let s = s.after("SK, S7, H8, S9");
    assert_eq!(s.turn(), Some(2));
    assert!(!s.legal().contains(&"call".to_owned()), "only the bidder calls");
}

#[test]
fn a_called_trump_must_be_played_even_as_lone_jack() {
    let hands = [
        "HK HQ C9 CT CJ CQ CK CA",
        "H9 H7 D7 D8 S7 S8 D9 DT",
        "HT H8 DQ DK DA C7 C8 DJ",
        "HJ S9 ST SJ SQ SK SA H6",
    ];
    let s = asked(json!({}), hands, "HA", "H", "H9").after("call, HK");
    s.expect(1, "H9");
    s.after("H9").expect(2, "H8, HT");
    let lone = ["HK HQ C9 CT CJ CQ CK CA", "HJ D7 D8 S7 S8 D9 DT S9", "", ""];
    let s = asked(json!({}), lone, "HA", "H", "HJ");
    s.after("HK").expect(1, "S7, S8, S9, HJ, D7, D8, D9, DT");
    s.after("call, HK").expect(1, "HJ");
}

#[test]
fn without_trump_a_call_binds_the_holder_only() {
    let s = asked(json!({"trump_points": "named_or_none"}), HANDS, "SQ", "none", "SA").after("call, SK");
    s.expect(1, "SA");
    s.after("SA").expect(2, "H8, HT, DJ, DQ, DK, DA, C7, C8");
}

#[test]
fn an_asked_discard_is_nobodys_and_can_be_called_again_and_again() {
    let options = json!({"ask_discard": true});
    let hands = [
        "SK SA C9 CT CJ CQ CK CA",
        "S7 D7 D8 H6 H7 D9 DT S8",
        "HT DJ DQ DK DA C7 C8 H8",
        "HJ H9 HA HK HQ S9 ST SJ",
    ];
    let s = asked(options, hands, "SQ", "H", "SQ").after("call, SA");
    s.expect(1, "S7, S8");
    let s = s.after("S7");
    s.expect(2, "DJ, DQ, DK, DA, C7, C8");
    let s = s.after("DJ, S9");
    assert_eq!(s.turn(), Some(0));
    assert!(s.legal().contains(&"call".to_owned()));
    let s = s.after("call, SK, S8");
    s.expect(2, "DQ, DK, DA, C7, C8");
    // All other players have shown that they lack it.
    let s = s.after("C7, ST");
    for seat in 1..4 {
        assert!(s.0.table().play.lacks[seat].has(card("SQ")));
    }
    let end = s.finish();
    assert_eq!(end.0.table().partner, None);
    // The score is not doubled, because this is no solo.
    let outcome = super::super::score::outcome(&end.0).unwrap();
    assert_eq!(outcome.points, [outcome.total - 80, 0, 0, 0]);
}

#[test]
fn presets_are_what_they_are_called() {
    let rules = Rules::rotterdam();
    assert!(!rules.ruff_while_able && rules.must_ruff_when_void && rules.must_overtake_trump_lead);
    let rules = Rules::pandoer();
    assert!(rules.ruff_while_able && !rules.must_ruff_when_void && rules.jack_exempt_count == 99);
}

use cardsharp_engine::Seat;
use cardsharp_engine::game::Narrate;
use cardsharp_engine::game::Play;

use super::Leduc;
use crate::testing::{
    choices, every_unseen_card_is_dealt_again, hand, listed_deals_are_those_that_are_dealt, play,
    views_that_occur_are_accepted_and_no_others, won,
};

#[test]
fn a_pair_comes_before_the_higher_card_and_equal_cards_share() {
    for (cards, chips) in [
        ("Ks Qs Jh", 1),
        ("Qs Ks Jh", -1),
        ("Js Kh Jh", 1),
        ("Kh Js Jh", -1),
        ("Ks Qs Qh", -1),
        ("Ks Js Kh", 1),
        ("Ks Kh Js", 0),
        ("Jh Js Qs", 0),
    ] {
        assert_eq!(won::<Leduc>(cards, "check check check check"), chips, "{cards}");
    }
}

#[test]
fn bets_are_two_chips_then_four() {
    for (acts, chips) in [
        ("bet call check check", 3),
        ("check check bet call", 5),
        ("bet call bet call", 7),
        ("bet raise call check check", 5),
        ("bet raise call bet raise call", 13),
        ("check bet raise call check bet raise call", 13),
    ] {
        assert_eq!(won::<Leduc>("Ks Qs Jh", acts), chips, "{acts}");
        assert_eq!(won::<Leduc>("Ks Kh Jh", acts), 0, "{acts}");
    }
}

#[test]
fn who_folds_loses_what_he_put_in() {
    for (acts, chips) in [
        ("bet fold", 1),
        ("check bet fold", -1),
        ("bet raise fold", -3),
        ("check bet raise fold", 3),
        ("check check bet fold", 1),
        ("bet call check bet fold", -3),
        ("bet raise call bet raise fold", -9),
    ] {
        assert_eq!(won::<Leduc>("Js Kh Qs", acts), chips, "{acts}");
    }
}

#[test]
fn two_bets_at_most_in_each_betting_round() {
    let round = hand::<Leduc>("Ks Qs Jh");
    for (acts, now) in [
        ("", "check bet"),
        ("check", "check bet"),
        ("bet", "fold call raise"),
        ("check bet", "fold call raise"),
        ("bet raise", "fold call"),
        ("check bet raise", "fold call"),
        ("bet raise call", "check bet"),
        ("bet raise call check bet raise", "fold call"),
    ] {
        assert_eq!(choices(&play(round, acts)), now, "after `{acts}`");
    }
}

#[test]
fn the_card_is_turned_up_after_the_first_betting_round() {
    let round = hand::<Leduc>("Ks Qs Jh");
    for (acts, shown) in [
        ("", false),
        ("check bet", false),
        ("bet fold", false),
        ("check check", true),
        ("bet call bet", true),
    ] {
        assert_eq!(play(round, acts).table().board.is_some(), shown, "after `{acts}`");
    }
    let before = play(round, "bet");
    let after = play(before, "call");
    let events = super::Round::events(Some(&before), &after);
    assert_eq!(serde_json::json!(events), serde_json::json!([{ "event": "board", "card": "Jh" }]));
    let text = super::Round::picture(after.view(Seat(1)));
    assert!(text.contains("So far: bet call\n") && text.contains("On the table: Jh\n"), "{text}");
    let text = super::Round::picture(play(after, "check").view(Seat(1)));
    assert!(
        text.contains("So far: bet call (a card is turned up) check\nOn the table: Jh\nYour hand: Qs\n"),
        "{text}"
    );
}

#[test]
fn the_deal_is_one_of_120() {
    listed_deals_are_those_that_are_dealt::<Leduc>();
    let round = hand::<Leduc>("Ks Qs Jh");
    every_unseen_card_is_dealt_again(round.view(Seat(0)), 5);
    every_unseen_card_is_dealt_again(play(round, "check check").view(Seat(1)), 4);
}

#[test]
fn views_are_checked() {
    views_that_occur_are_accepted_and_no_others::<Leduc>();
}

cardsharp_engine::conformance_tests!(super::Round);

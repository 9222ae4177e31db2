use cardsharp_engine::Observer;
use cardsharp_engine::game::Play;
use cardsharp_engine::{Seat, Turn};
use serde_json::json;

use super::{Kuhn, Round};
use crate::testing::{
    choices, every_unseen_card_is_dealt_again, hand, listed_deals_are_those_that_are_dealt, play,
    views_that_occur_are_accepted_and_no_others, won,
};

/// Actions that lead to a showdown, and the chips that the higher card wins.
const SHOWDOWNS: &[(&str, i32)] = &[("check check", 1), ("check bet call", 2), ("bet call", 2)];

#[test]
fn the_higher_card_takes_what_was_put_in() {
    for (high, low, third) in [("Ks", "Qs", "Js"), ("Ks", "Js", "Qs"), ("Qs", "Js", "Ks")] {
        for &(acts, chips) in SHOWDOWNS {
            assert_eq!(won::<Kuhn>(&format!("{high} {low} {third}"), acts), chips, "{acts}");
            assert_eq!(won::<Kuhn>(&format!("{low} {high} {third}"), acts), -chips, "{acts}");
        }
        assert_eq!(won::<Kuhn>(&format!("{low} {high} {third}"), "bet fold"), 1);
        assert_eq!(won::<Kuhn>(&format!("{high} {low} {third}"), "check bet fold"), -1);
    }
}

#[test]
fn one_bet_and_no_raise() {
    let round = hand::<Kuhn>("Ks Qs Js");
    for (acts, now) in
        [("", "check bet"), ("check", "check bet"), ("bet", "fold call"), ("check bet", "fold call")]
    {
        assert_eq!(choices(&play(round, acts)), now, "after `{acts}`");
    }
}

#[test]
fn the_players_take_turns_in_speaking_first() {
    let rules = crate::Rules::default();
    let mut session = cardsharp_engine::Session::<super::Round>::new(rules, 3);
    assert_eq!(session.round().turn(), Turn::Decide(Seat(0)));
    *session.round_mut() = play(*session.round(), "check check");
    session.settle();
    session.deal_next();
    assert_eq!(session.round().turn(), Turn::Decide(Seat(1)));
    assert_eq!(session.standing().hands, 1);
}

#[test]
fn the_deal_is_one_of_six() {
    listed_deals_are_those_that_are_dealt::<Kuhn>();
    every_unseen_card_is_dealt_again(hand::<Kuhn>("Ks Qs Js").view(Seat(0)), 2);
}

#[test]
fn views_are_checked() {
    views_that_occur_are_accepted_and_no_others::<Kuhn>();
}

#[test]
fn an_observer_keeps_no_endless_list_of_events() {
    let mut observer = Observer::<Round>::new(&json!({
        "line": "header", "protocol": 1, "game": "kuhn", "seat": 0, "players": 2, "rules": {},
    }))
    .unwrap();
    observer.hear(&json!({ "line": "deal", "round": 1, "first": 0, "hand": "Ks" })).unwrap();
    let event = json!({ "line": "event", "round": 1, "event": "board", "card": "Qs" });
    let refused = (0..1000).find_map(|_| observer.hear(&event).err()).expect("there is an end");
    assert_eq!(refused.to_string(), "line 258: impossible: more than 256 events of one move");
}

cardsharp_engine::conformance_tests!(super::Round);

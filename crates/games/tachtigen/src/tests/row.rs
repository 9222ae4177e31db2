//! The observation row shows what the view contains.

use cardsharp_engine::game::Observe;
use serde_json::json;

use super::super::rules::Rules;
use super::situation::{HANDS, Inspect as _, Situation, setup};

fn start() -> Situation {
    setup(json!({"deals": 3}), HANDS, "SQ")
}

#[test]
fn before_the_first_bid() {
    let s = start();
    assert_eq!(s.ones(0, "hand"), [1, 6, 27, 28, 29, 30, 31, 32].map(|n| n as usize));
    assert_eq!(s.ones(0, "phase"), [0]);
    assert_eq!(s.ones(1, "phase"), [0usize; 0]);
    assert_eq!(s.ones(1, "dealer"), [2], "seat 3 is two places on from seat 1");
    assert_eq!(s.cells(2, "order"), [3, 4, 1, 2]);
    assert_eq!(s.cells(0, "own_roem"), [12, 12, 12, 14, 12], "six clubs in a row, and stuk");
    assert_eq!(s.ones(0, "unseen").len(), 25);
    assert_eq!(s.cells(0, "scores"), [100; 4]);
    assert_eq!(s.cells(0, "deals_left"), [2]);
}

#[test]
fn the_auction() {
    let s = start().after("hold, bid 80, bid misere, pass");
    assert_eq!(s.turn(), Some(0));
    assert_eq!(s.ones(0, "phase"), [1]);
    assert_eq!(s.cells(0, "held"), [1, 0, 0, 0]);
    assert_eq!(s.cells(1, "held"), [0, 0, 0, 1]);
    assert_eq!(s.cells(0, "passed"), [0, 0, 0, 1]);
    assert_eq!(s.cells(0, "bids"), [0, 1, 9, 0]);
    assert_eq!((s.ones(0, "high"), s.ones(0, "high_seat")), (vec![8], vec![2]));
    assert_eq!((s.ones(0, "kind"), s.cells(0, "settled")), (vec![1], vec![0]));
}

#[test]
fn kitty_discard_trump_and_asking() {
    let s = start().bid("120");
    assert_eq!((s.ones(0, "kitty"), s.ones(2, "kitty")), (vec![5], vec![5]));
    assert_eq!((s.ones(0, "phase"), s.cells(0, "settled")), (vec![2], vec![1]));
    let s = s.after("discard S8");
    assert_eq!((s.ones(0, "discard"), s.ones(1, "discard")), (vec![1], vec![]));
    assert_eq!(s.ones(0, "unseen").len(), 24);
    assert_eq!(s.ones(1, "unseen").len(), 25);
    let s = s.after("trump C");
    assert_eq!((s.ones(0, "phase"), s.ones(3, "trump")), (vec![4], vec![3]));
    assert_eq!(s.ones(0, "askable"), [0, 2, 3, 4, 7, 25, 26]);
    let s = s.after("ask SA");
    assert_eq!(
        (s.ones(2, "asked"), s.cells(1, "is_partner"), s.cells(2, "is_partner")),
        (vec![7], vec![1], vec![0])
    );
    assert_eq!(s.ones(0, "phase"), [5]);
    assert_eq!(start().bid("120").after("discard S8, trump C, solo").cells(2, "solo"), [1]);
}

#[test]
fn the_play() {
    let s = start().bid("120").after("discard S8, trump H, ask SA, call, SQ, SA, DJ, S9, D7, DK, HJ");
    assert_eq!(s.turn(), Some(0));
    let trick: Vec<usize> = s.ones(0, "trick");
    assert_eq!(trick, [33 + 17, 2 * 33 + 23, 3 * 33 + 13]);
    assert_eq!((s.ones(0, "leader"), s.ones(0, "best"), s.ones(0, "led")), (vec![1], vec![3], vec![2]));
    assert_eq!(s.ones(0, "trick_number"), [1]);
    let when = s.cells(0, "when");
    assert_eq!([5, 7, 21, 2, 17, 23, 13].map(|card: usize| when[card]), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(s.cells(1, "won"), [1, 0, 0, 0]);
    assert_eq!(s.cells(0, "points"), [0, 14, 0, 0]);
    assert_eq!((s.ones(3, "partner"), s.cells(0, "announced")), (vec![2], vec![1, 1]));
    assert_eq!(s.cells(0, "roem"), [12, 5], "six clubs; seven to ten of diamonds");
    // In the called trick seat 2 showed that it has no spades. This proves nothing about trumps.
    assert_eq!(s.ones(0, "void"), [4], "seat 2, spades");
    assert_eq!(s.ones(0, "played"), [5, 33 + 7, 33 + 17, 66 + 21, 66 + 23, 99 + 2, 99 + 13]);
}

#[test]
fn the_rules_in_force() {
    let options = |rules: Rules| setup(json!(rules), HANDS, "SQ").cells(0, "options");
    let default = options(Rules::default());
    assert_eq!(default.iter().filter(|cell| **cell != 0).count(), 3, "two follow rules and early stop");
    let rotterdam = options(Rules::rotterdam());
    assert_eq!((rotterdam[9], rotterdam[10], rotterdam[11], rotterdam[12]), (0, 1, 1, 1));
    let s = setup(json!(Rules::pandoer()), HANDS, "SQ");
    assert_eq!((s.cells(0, "jack_exempt_count"), s.cells(0, "all_tricks_bonus")), (vec![8], vec![5]));
    assert_eq!(s.cells(0, "max_point_bid"), [66]);
}

#[test]
fn hidden_cards_are_revealed_to_a_critic() {
    let s = start().bid("120").after("discard S8, trump C, ask SA");
    let mut row = vec![0xAA; cardsharp_engine::blocks::width(super::super::Round::HIDDEN)];
    s.0.reveal(cardsharp_engine::Seat(3), &mut row);
    let block = |name: &str| {
        let block = super::super::Round::HIDDEN.iter().find(|block| block.name == name).unwrap();
        block.of(&row).iter().enumerate().filter(|(_, cell)| **cell == 1).map(|(i, _)| i).collect::<Vec<_>>()
    };
    assert_eq!(block("hands").len(), 24);
    assert_eq!(block("aside"), [1]);
    assert_eq!(block("holder"), [2], "seat 1 is two places on from seat 3");
}

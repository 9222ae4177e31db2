use serde_json::json;

use super::super::tests::situation::{Situation, label, setup};
use super::choose;
use crate::game::{Game, Seat, Turn};
use crate::games::tachtigen::Round;
use crate::games::tachtigen::rules::Rules;
use crate::mask;
use crate::rng::{Draw, derive};
use crate::session::Session;

/// What the player chooses where it is its turn.
fn choice(s: &Situation) -> String {
    let Turn::Decide(seat) = s.0.turn() else { panic!("the deal is over") };
    label(choose(s.0.view(seat)))
}

#[test]
fn a_hand_that_takes_everything_is_bid_high_or_alone() {
    let s = setup(json!({}), ["SJ S9 SA SK SQ ST HA DA", "", "", ""], "H6");
    let bid = choice(&s);
    assert!(bid.starts_with("bid "), "{bid}");
    let s = s.bid("80");
    assert_eq!(choice(&s), "discard H6");
    let s = s.after("discard H6");
    assert_eq!(choice(&s), "trump S");
    assert_eq!(choice(&s.after("trump S")), "solo");
}

#[test]
fn a_hand_without_tricks_is_not_bid_for_points() {
    let s = setup(json!({}), ["S7 S8 HQ H8 DQ D8 CK C9", "", "", ""], "");
    let bid = choice(&s);
    assert!(["hold", "bid misere", "bid ouverte"].contains(&bid.as_str()), "{bid}");
}

#[test]
fn a_low_hand_plays_misere_without_trumps() {
    let s = setup(json!({}), ["S7 S8 S9 D7 D8 D9 C7 C8", "", "", ""], "CA");
    let bid = choice(&s);
    assert!(
        ["bid misere", "bid ouverte", "bid praatje", "bid praatje uit de hand"].contains(&bid.as_str()),
        "{bid}"
    );
    let s = s.bid("misere");
    assert_eq!(choice(&s), "discard CA");
    assert_eq!(choice(&s.after("discard CA")), "trump H");
}

#[test]
fn the_asked_ace_is_called_with_a_ten_to_give_it() {
    let hands = ["SJ S9 SK H7 H8 DT D7 C7", "DA S7 S8 H9 HT C8 C9 CT", "", ""];
    let s = setup(json!({}), hands, "H6").bid("80").after("discard H6, trump S, ask DA, SJ");
    let mut s = s;
    while s.turn() != Some(0) || s.0.table().play.in_trick() != 0 {
        s.play(&choice(&s));
    }
    if s.legal().contains(&"call".to_owned()) {
        let s = s.after("call");
        assert_eq!(choice(&s), "DT");
    }
}

#[test]
fn nobody_wastes_points_on_the_other_side() {
    // The bidder's trump jack is winning: a defender throws a worthless card, the partner a ten.
    let hands = ["SJ S9 SA C7 C8 C9 H7 D8", "DA D7 DT H9 HA HK HQ HJ", "", ""];
    let s = setup(json!({}), hands, "H6").bid("80").after("discard H6, trump S, ask DA, SJ");
    assert_eq!(choice(&s), "DT");
    let s = setup(json!({}), hands, "H6").bid("80").after("discard H6, trump S, ask CA, SJ");
    assert_ne!(choice(&s), "DT");
}

/// Mean points per deal of the player in one seat among random ones, less that of a random one.
fn against_random(rules: Rules, deals: u64) -> f64 {
    let mut sum = 0;
    for deal in 0..deals {
        for place in 0..4u8 {
            let mut session = Session::<Round>::new(rules, deal);
            let mut draw = Draw::new(derive(deal, &[u64::from(place)]), 1);
            while let Turn::Decide(seat) = session.round().turn() {
                let view = session.round().view(seat);
                let legal = Round::legal(view).0;
                let action = if seat == Seat(place) {
                    choose(view)
                } else {
                    mask::nth(&legal, draw.below(mask::count(&legal))).unwrap()
                };
                session.round_mut().play(action);
            }
            let points = session.settle().points;
            sum += 3 * points[usize::from(place)]
                - (0..4).filter(|&s| s != usize::from(place)).map(|s| points[s]).sum::<i32>();
        }
    }
    f64::from(sum) / 3.0 / (4 * deals) as f64
}

#[test]
fn beats_random_players_by_a_wide_margin() {
    let score = against_random(Rules::default(), 150);
    assert!(score > 20.0, "{score}");
}

#[test]
fn answers_every_question_under_all_rules_with_legal_moves() {
    let mut draw = Draw::new(3, 0);
    for seed in 0..300 {
        let rules = <Rules as crate::rules::Rules>::random(&mut draw);
        let mut session = Session::<Round>::new(rules, seed);
        while let Turn::Decide(seat) = session.round().turn() {
            let view = session.round().view(seat);
            let action = choose(view);
            assert!(Round::is_legal(view, action), "{}", label(action));
            assert_eq!(action, choose(view.to_owned().view()));
            session.round_mut().play(action);
        }
    }
}

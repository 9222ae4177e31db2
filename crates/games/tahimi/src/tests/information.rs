//! What each seat knows.

use cardsharp_engine::game::{Narrate, Play};
use serde_json::{Value, json};

use super::super::Round;
use super::super::deck::Cards;
use super::situation::{Situation, setup};

/// Seven players with progressive taxes, where payers decide about their jokers.
fn taxed() -> Situation {
    let options = json!({
        "players": 7, "deck": "extra_suits", "jokers": "low", "joker_tax": "holder", "first_round_tax": true,
    });
    setup(options, &["2 2 2", "3 3", "", "", "", "K *", "A A A *"]).dealt()
}

/// The view of a position, and its observation.
fn seen(s: &Situation, position: u8) -> (Value, Vec<u8>) {
    (s.view_json(position), s.row(position))
}

#[test]
fn taxes_are_known_to_the_pair_and_nobody_else() {
    let before = taxed();
    let steps = [
        // The action, and the other positions that see a change.
        ("pay 1 joker", vec![5]),
        ("pay 0 jokers", vec![0, 1, 5, 6]),
        ("give 2", vec![]),
        ("give 2", vec![]),
        ("give 2", vec![1]),
        ("give 3", vec![]),
    ];
    let mut s = before;
    for (action, others) in steps {
        let actor = s.turn().unwrap();
        let next = s.after(action);
        for position in 0..7 {
            let news = seen(&s, position) != seen(&next, position);
            assert_eq!(news, position == actor || others.contains(&position), "{position} after {action}");
        }
        s = next;
    }
    // The last pick moves the cards. The others see that the taxes are over, but not the cards.
    let next = s.after("give 3");
    for position in [2, 3, 4] {
        let (mut was, mut is) = (s.view_json(position), next.view_json(position));
        assert_eq!(was["own"], is["own"]);
        for view in [&mut was, &mut is] {
            view["table"]["stage"].take();
        }
        assert_eq!(was, is);
    }
}

#[test]
fn a_seat_knows_its_own_side_of_the_taxes() {
    let s = taxed().after("pay 1 joker, pay 0 jokers, give 2, give 2, give 2, give 3, give 3");
    let own = |position: u8| s.view_json(position)["own"].clone();
    assert_eq!((&own(0)["received"], &own(0)["given"]), (&json!("A A *"), &json!("2 2 2")));
    assert_eq!((&own(6)["received"], &own(6)["given"]), (&json!("2 2 2"), &json!("A A *")));
    assert_eq!(
        (&own(0)["partner_position"], &own(6)["partner_position"], &own(3)["partner_position"]),
        (&json!(6), &json!(0), &json!(null))
    );
    assert_eq!((&own(3)["received"], &own(3)["given"]), (&json!(""), &json!("")));
}

#[test]
fn the_table_holds_no_hidden_card() {
    let s = taxed().after("pay 1 joker, pay 0 jokers, give 2, give 2, give 2, give 3, give 3");
    let mut other = s;
    // All hands in reverse order: the public state stays the same.
    other.0.own[..7].reverse();
    assert_eq!(other.0.table(), s.0.table());
    let table = s.view_json(0)["table"].clone();
    let mut keys: Vec<&str> = table.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let expected = [
        "cards",
        "deck",
        "decree",
        "first",
        "joined",
        "left",
        "memory",
        "one_card_positions",
        "order",
        "players",
        "points",
        "position",
        "round",
        "rules",
        "stage",
        "trick",
        "variant",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn plays_and_passes_are_seen_by_all() {
    let s = setup(json!({"jokers": "wild"}), &["* 9 9", "10 10 * 3", "4", "5"]).playing();
    let s = s.after("9x2, 10x2, pass");
    for position in 0..4 {
        let view = s.view_json(position);
        let trick = &view["table"]["trick"];
        assert_eq!(
            (&trick["set"], &trick["last"]),
            (&json!({"rank": "10", "size": 2, "wilds": 0}), &json!(1))
        );
        assert_eq!(trick["passed"], json!([2]));
        assert_eq!(view["table"]["one_card_positions"], json!([0]));
        let passed_on = &view["table"]["memory"]["passed_on"][2];
        assert_eq!(*passed_on, json!([null, "10", null, null, null, null]));
        assert_eq!(view["table"]["cards"][1], json!(2));
    }
}

#[test]
fn the_decree_is_known_to_all_and_the_question_to_one() {
    let s = setup(json!({"decree": [{}, {"jokers": "low"}]}), &[]).undecided();
    for position in 0..4 {
        let asked = if position == 0 { "decree" } else { "nothing" };
        assert_eq!(s.view_json(position)["own"]["ask"], asked);
        let after = s.after("decree 1");
        assert_eq!(after.view_json(position)["table"]["decree"], json!(1));
        assert_eq!(after.view_json(position)["table"]["variant"]["jokers"], json!("low"));
    }
}

#[test]
fn a_view_has_no_room_for_what_others_hold() {
    // Two rounds that differ only in the other hands have the same view.
    let hands = ["A K 2", "3 3 5 5", "9 9", "Q J 4"];
    let s = setup(json!({}), &hands).playing();
    let mut other = s;
    (other.0.own[1].hand, other.0.own[3].hand) = (Cards::NONE, Cards::NONE);
    for card in ["Q", "J", "4", "9"] {
        other.0.own[1].hand.add(&super::situation::hand(card));
    }
    assert_eq!(seen(&s, 0), seen(&other, 0));
    assert_eq!(Round::picture(s.0.view(s.seat(0))), Round::picture(other.0.view(other.seat(0))));
}

//! Taxes: who pays whom how many cards, and the returns.

use serde_json::{Value, json};

use super::super::deck::to_text;
use super::super::state::{Stage, pairs, tribute};
use super::super::variant::JokerOrder;
use super::situation::{Inspect as _, Situation, hand, setup};

/// A round with taxes, with these hands by position.
fn taxed(options: Value, hands: &[&str]) -> Situation {
    let mut options = options;
    options["first_round_tax"] = json!(true);
    setup(options, hands).dealt()
}

#[test]
fn who_pays_whom_how_many_cards() {
    let tables: [(u8, &[_], &[_]); 6] = [
        (3, &[(0, 2, 2)], &[(0, 2, 2)]),
        (4, &[(0, 3, 2), (1, 2, 1)], &[(0, 3, 2), (1, 2, 1)]),
        (5, &[(0, 4, 2), (1, 3, 1)], &[(0, 4, 2), (1, 3, 1)]),
        (6, &[(0, 5, 2), (1, 4, 1)], &[(0, 5, 3), (1, 4, 1)]),
        (7, &[(0, 6, 2), (1, 5, 1)], &[(0, 6, 3), (1, 5, 2)]),
        (8, &[(0, 7, 2), (1, 6, 1)], &[(0, 7, 3), (1, 6, 2), (2, 5, 1)]),
    ];
    for (players, basic, progressive) in tables {
        assert_eq!(pairs(players, false), basic);
        assert_eq!(pairs(players, true), progressive);
    }
}

/// The number of cards that each position gave, after all taxes and returns.
fn paid(options: Value) -> Vec<u32> {
    let mut s = taxed(options, &[]);
    while s.0.table.stage != Stage::Play {
        let first = s.legal()[0].clone();
        s.play(&first);
    }
    let sizes: Vec<u32> = s.0.own[..s.0.players()].iter().map(|own| own.given.total()).collect();
    for p in 0..s.players() {
        let own = s.0.own[usize::from(p)];
        assert_eq!((own.given.total(), own.received.total()), (sizes[usize::from(p)], sizes[usize::from(p)]));
        assert_eq!(own.partner, (own.given.total() > 0).then(|| s.players() - 1 - p));
        assert_eq!(own.hand.total(), u32::from(s.0.table.cards[usize::from(p)]), "exchanges are even");
    }
    assert_eq!(s.turn(), Some(0));
    sizes
}

#[test]
fn the_schedule_follows_the_deck_unless_it_is_chosen() {
    for (deck, auto) in [("standard", "basic"), ("extra_suits", "progressive"), ("special", "progressive")] {
        for players in 3..=8 {
            let of =
                |schedule: &str| paid(json!({"players": players, "deck": deck, "tax_schedule": schedule}));
            assert_eq!(of("auto"), of(auto), "{players} players, {deck}");
        }
    }
    let progressive = |players: u8| paid(json!({"players": players, "tax_schedule": "progressive"}));
    assert_eq!(progressive(3), [2, 0, 2]);
    assert_eq!(progressive(4), [2, 1, 1, 2]);
    assert_eq!(progressive(5), [2, 1, 0, 1, 2]);
    assert_eq!(progressive(6), [3, 1, 0, 0, 1, 3]);
    assert_eq!(progressive(7), [3, 2, 0, 0, 0, 2, 3]);
    assert_eq!(progressive(8), [3, 2, 1, 0, 0, 1, 2, 3]);
    assert_eq!(paid(json!({"players": 8})), [2, 1, 0, 0, 0, 0, 1, 2]);
    assert_eq!(
        paid(json!({"players": 8, "deck": "special", "tax_schedule": "basic"})),
        [2, 1, 0, 0, 0, 0, 1, 2]
    );
}

#[test]
fn the_tribute_is_the_highest_cards_and_pairs_do_not_matter() {
    let none = |cards: &str, k| to_text(&tribute(&hand(cards), k, JokerOrder::Low, 0));
    assert_eq!(none("A K K 9 9 9", 2), "A K");
    assert_eq!(none("A K K 9 9 9", 1), "A");
    assert_eq!(none("9 9 9 9 8 8", 3), "9 9 9");
    assert_eq!(none("K 15 14 J 2 2", 3), "K J 15", "a jack is higher than all numbers");
}

#[test]
fn where_jokers_stand_in_a_tribute() {
    let cases = [
        (JokerOrder::High, 0, "* A K 9 8 7", "A *"),
        (JokerOrder::High, 0, "* * A K 9 8", "* *"),
        (JokerOrder::Low, 0, "* * A K 9 8", "A K"),
        (JokerOrder::Holder, 0, "* A K 9 8 7", "A K"),
        (JokerOrder::Holder, 1, "* A K 9 8 7", "A *"),
        (JokerOrder::Holder, 1, "* * A K 9 8", "A *"),
        (JokerOrder::Holder, 2, "* * A K 9 8", "* *"),
    ];
    for (order, chosen, cards, expected) in cases {
        assert_eq!(
            to_text(&tribute(&hand(cards), 2, order, chosen)),
            expected,
            "{order:?} {chosen} of {cards}"
        );
    }
    assert_eq!(to_text(&tribute(&hand("* * A K 9 8"), 1, JokerOrder::High, 0)), "*", "no more than is due");
}

const SERF: &str = "A K K 9 9 8 7 7 6 5 4 3 *";

#[test]
fn the_joker_option_and_the_jokers_decide_together() {
    let received = |jokers: &str, joker_tax: &str| {
        let options = json!({"jokers": jokers, "joker_tax": joker_tax});
        taxed(options, &["", "", "", SERF]).received(0)
    };
    assert_eq!(received("wild", "coupled"), "A *");
    assert_eq!(received("low", "coupled"), "A K");
    for jokers in ["low", "wild"] {
        assert_eq!(received(jokers, "high"), "A *");
        assert_eq!(received(jokers, "low"), "A K");
    }
}

#[test]
fn the_holder_decides_how_many_jokers_are_among_the_taxes() {
    let options = json!({"jokers": "low", "joker_tax": "holder"});
    let s = taxed(options.clone(), &["*", "", "", SERF]);
    s.expect(3, "pay 0 jokers, pay 1 joker");
    assert_eq!(s.after("pay 0 jokers").received(0), "A K");
    assert_eq!(s.after("pay 1 joker").received(0), "A *");
    // Up to two jokers, and at most as many as are due.
    let both = "A K K 9 9 7 7 6 5 4 3 * *";
    taxed(options.clone(), &["", "", "", both]).expect(3, "pay 0 jokers, pay 1 joker, pay 2 jokers");
    taxed(options.clone(), &["", "", both, ""]).expect(2, "pay 0 jokers, pay 1 joker");
    // A player without jokers, or without taxes to pay, is not asked.
    let s = taxed(options, &["* *", "", "", "A A A A"]);
    assert_eq!((s.turn(), s.received(0).as_str()), (Some(0), "A A"));
}

#[test]
fn holders_are_asked_from_the_lowest_up_before_anything_moves() {
    let options = json!({
        "players": 8, "deck": "special", "jokers": "wild", "joker_tax": "holder", "tax_schedule": "progressive",
    });
    let mut s = taxed(options.clone(), &["", "", "", "", "", "A A *", "", "K K K *"]);
    s.expect(7, "pay 0 jokers, pay 1 joker");
    s.play("pay 1 joker");
    assert_eq!(s.received(0), "", "nothing has moved yet");
    s.expect(5, "pay 0 jokers, pay 1 joker");
    s.play("pay 0 jokers");
    assert_eq!((s.received(0).as_str(), s.received(2).as_str()), ("K K *", "A"));
    assert_eq!(s.turn(), Some(0));
    // The middle payer, the master serf's assistant, is skipped without jokers and asked with one.
    let s = taxed(options, &["", "", "", "", "", "", "A A *", "K K K *"]).after("pay 0 jokers");
    s.expect(6, "pay 0 jokers, pay 1 joker");
    assert_eq!(s.after("pay 1 joker").received(1), "A *");
}

#[test]
fn a_whole_taxation() {
    let hands = [
        "Q Q J J 10 10 9 9 8 7 6 6 5",
        "Q Q J J 10 10 8 8 8 7 4 4 3",
        "A K 9 7 7 6 5 5 4 3 3 2 2",
        "A A A K K K 9 6 5 4 3 2 2",
    ];
    let mut s = taxed(json!({}), &hands);
    assert_eq!(s.0.table.stage, Stage::Taxes);
    // Both tributes arrive before any receiver chooses.
    assert_eq!((s.received(0).as_str(), s.given(3).as_str()), ("A A", "A A"));
    assert_eq!((s.received(1).as_str(), s.given(2).as_str()), ("A", "A"));
    s.expect(0, "give 5, give 6, give 7, give 8, give 9, give 10, give J, give Q, give A");
    s.play("give 5");
    // The picked card is still in hand, but cannot be picked again.
    assert_eq!(s.hand(0), "A A Q Q J J 10 10 9 9 8 7 6 6 5");
    assert_eq!(s.hand(3), "A K K K 9 6 5 4 3 2 2");
    s.expect(0, "give 6, give 7, give 8, give 9, give 10, give J, give Q, give A");
    s.play("give A");
    s.expect(1, "give 3, give 4, give 7, give 8, give 10, give J, give Q, give A");
    assert_eq!(s.hand(3), "A K K K 9 6 5 4 3 2 2", "what comes back comes when all have chosen");
    s.play("give 3");
    assert_eq!((s.0.table.stage, s.turn()), (Stage::Play, Some(0)));
    assert_eq!(s.hand(0), "A Q Q J J 10 10 9 9 8 7 6 6");
    assert_eq!(s.hand(1), "A Q Q J J 10 10 8 8 8 7 4 4");
    assert_eq!(s.hand(2), "K 9 7 7 6 5 5 4 3 3 3 2 2");
    assert_eq!(s.hand(3), "A A K K K 9 6 5 5 4 3 2 2");
    assert_eq!((s.given(0).as_str(), s.received(3).as_str()), ("A 5", "A 5"));
    assert_eq!((s.given(1).as_str(), s.received(2).as_str()), ("3", "3"));
}

#[test]
fn received_cards_may_be_handed_straight_back() {
    let serf = "A A K K K 9 9 8 7 6 5 4 3";
    let s = taxed(json!({}), &["2 2 2 2", "3", "", serf]).after("give A, give A, give 3");
    assert_eq!((s.hand(3).as_str(), s.given(0).as_str(), s.received(0).as_str()), (serf, "A A", "A A"));
}

#[test]
fn jokers_may_be_given_back() {
    let s = taxed(json!({"jokers": "wild"}), &["2 2 2 *", "", "", SERF]);
    assert_eq!(s.received(0), "A *");
    let s = s.after("give *, give *");
    assert_eq!((s.turn(), s.given(0).as_str()), (Some(1), "* *"));
}

#[test]
fn merchants_and_the_middle_of_three_are_left_alone() {
    let untouched = |players: u8, position: u8| {
        let s = taxed(json!({"players": players, "tax_schedule": "progressive"}), &[]);
        let before = s.hand(position);
        let mut s = s;
        while s.0.table.stage != Stage::Play {
            assert_ne!(s.turn(), Some(position));
            let first = s.legal()[0].clone();
            s.play(&first);
        }
        assert_eq!(s.hand(position), before);
    };
    for (players, position) in [(3, 1), (5, 2), (6, 2), (6, 3), (7, 3), (8, 3), (8, 4)] {
        untouched(players, position);
    }
}

#[test]
fn eight_players_with_progressive_taxes() {
    let options = json!({"players": 8, "deck": "extra_suits"});
    let low = ["A A A A A A A A", "K K K K K K K K", "Q Q Q Q Q Q Q Q"];
    let hands = ["", "", "", "", "", low[2], low[1], low[0]];
    let mut s = taxed(options, &hands);
    let received: Vec<String> = (0..8).map(|p| s.received(p)).collect();
    assert_eq!(received, ["A A A", "K K", "Q", "", "", "", "", ""]);
    for (position, cards) in [(0, 3), (1, 2), (2, 1)] {
        for _ in 0..cards {
            assert_eq!(s.turn(), Some(position));
            let first = s.legal()[0].clone();
            s.play(&first);
        }
    }
    assert_eq!(s.0.table.stage, Stage::Play);
}

#[test]
fn the_first_round_is_free_of_taxes_unless_an_option_says_otherwise() {
    let stage = |options: Value, number| setup(options, &[]).round_number(number, &[]).dealt().0.table.stage;
    assert_eq!(stage(json!({}), 1), Stage::Play);
    assert_eq!(stage(json!({}), 2), Stage::Taxes);
    assert_eq!(stage(json!({"first_round_tax": true}), 1), Stage::Taxes);
    assert_eq!(stage(json!({"first_round_tax": true}), 2), Stage::Taxes);
}

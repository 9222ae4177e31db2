//! Event logs with impossible content.

use cardsharp_engine::testing::observed;
use serde_json::{Value, json};

use super::super::super::Round;
use super::{SERF, lines};

/// The error for the serf's event log after a change to one line. Lines count from 1.
fn problem(number: usize, change: impl FnOnce(&mut Value)) -> String {
    let mut record = lines(SERF);
    change(&mut record[number - 1]);
    match observed::<Round>(&record) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The error with a changed field in a line.
fn with(number: usize, field: &str, value: Value) -> String {
    problem(number, |line| line[field] = value)
}

/// The error without a line.
fn without(number: usize) -> String {
    let mut record = lines(SERF);
    record.remove(number - 1);
    match observed::<Round>(&record) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn hands_that_were_not_dealt_so() {
    let hand = |cards: &str| with(2, "hand", json!(cards));
    assert_eq!(
        hand("A A K K Q Q J J 10 10 9 9 7 7 6 6"),
        "line 2: impossible: `hand` has 16 cards, but 17 are dealt to this seat"
    );
    assert_eq!(
        hand("A A K K Q Q J J 10 10 8 8 8 8 6 6 5"),
        "line 2: impossible: `hand` holds more cards of a rank than the deck"
    );
    assert_eq!(
        hand("A A Z"),
        "line 2: impossible: `hand`: `Z` is not a card: expected a rank of this deck or *"
    );
    assert_eq!(with(2, "hand", json!(7)), "line 2: impossible: `hand` is 7, expected cards as a text");
    let missing = problem(2, |line| *line = json!({"line": "deal", "round": 1}));
    assert_eq!(missing, "line 2: impossible: there is no `hand`");
}

#[test]
fn deals_that_the_rules_do_not_give() {
    assert_eq!(with(2, "sizes", json!([17, 16, 18])), "line 2: sizes[1] is 16, but the rules give 17");
    assert_eq!(with(2, "order", json!([1, 0, 2])), "line 2: order[0] is 1, but the rules give 0");
    assert_eq!(with(2, "decree", json!(0)), "line 2: decree is 0, but the rules give null");
    assert_eq!(
        problem(2, |line| line["variant"]["jokers"] = json!("low")),
        "line 2: variant.jokers is \"low\", but the rules give \"none\""
    );
    assert_eq!(
        with(2, "line", json!("round")),
        "line 2: impossible: there is no decree before the deal: expected a line `deal`"
    );
    assert_eq!(
        problem(1, |line| line["rules"]["decree"] = json!([{}])),
        "line 2: impossible: a decree comes before the deal: expected a line `round`"
    );
}

#[test]
fn players_who_cannot_sit_so() {
    let seated = |order: Value| {
        let mut record = lines(SERF);
        record[0]["rules"]["seating"] = json!("random");
        record[1]["order"] = order;
        observed::<Round>(&record[..2]).unwrap_err().to_string()
    };
    let expected = |order: Value, problem: &str| {
        assert_eq!(seated(order), format!("line 2: impossible: `order` {problem}"));
    };
    expected(json!([0, 1, 0]), "names 0, expected each of seats 0, 1, 2 once");
    expected(json!([0, 1, 3]), "names 3, expected each of seats 0, 1, 2 once");
    expected(json!([0, 1, "two"]), "names \"two\", expected each of seats 0, 1, 2 once");
    expected(json!([0, 1]), "is not a list of the 3 seats that play");
    expected(json!(7), "is not a list of the 3 seats that play");
}

#[test]
fn taxes_that_were_not_paid_so() {
    assert_eq!(with(3, "cards", json!("K K")), "line 3: cards is \"K K\", but the rules give \"A A\"");
    assert_eq!(with(3, "to", json!(1)), "line 3: to is 1, but the rules give 0");
    assert_eq!(with(4, "cards", json!("3")), "line 2: impossible: `cards` holds 1 cards, expected 2");
    assert_eq!(
        with(4, "to", json!(1)),
        "line 2: impossible: seat 2 gets 2 cards back: expected an event `return`"
    );
    assert_eq!(
        without(4),
        "line 4: impossible: taxes are under way: the choice of seat 0 is secret, and no card is played"
    );
    assert!(without(3).starts_with("line 3: "), "{}", without(3));
}

#[test]
fn the_tahimi_hears_what_he_gets() {
    let mut record = lines(SERF);
    record[0]["seat"] = json!(0);
    record.truncate(3);
    record[2]["cards"] = json!("K Q");
    assert!(observed::<Round>(&record).is_ok());
    assert_eq!(
        observed::<Round>(&record[..2]).unwrap_err().to_string(),
        "line 2: impossible: seat 0 gets a tribute of 2: expected an event `tribute`"
    );
    for choice in ["give 5", "give 6"] {
        record.push(json!({"line": "move", "round": 1, "seat": 0, "choice": choice}));
    }
    record.push(json!({"line": "event", "round": 1, "event": "return", "from": 0, "to": 2, "cards": "6 5"}));
    for (seat, choice) in [(0, "7"), (1, "pass"), (2, "9"), (0, "pass"), (1, "10")] {
        record.push(json!({"line": "move", "round": 1, "seat": seat, "choice": choice}));
    }
    record.push(json!({"line": "move", "round": 1, "seat": 2, "choice": "Q"}));
    assert!(observed::<Round>(&record).is_ok(), "he may have had more of the worst that he paid");
    record.last_mut().unwrap()["choice"] = json!("K");
    assert_eq!(
        observed::<Round>(&record).unwrap_err().to_string(),
        "line 12: impossible: seat 2 cannot hold `K`: it contradicts the taxes"
    );
    record[3]["choice"] = json!("give 4");
    assert_eq!(
        observed::<Round>(&record[..4]).unwrap_err().to_string(),
        "line 4: impossible: seat 0 cannot play `give 4` now"
    );
    record[3]["choice"] = json!("pay 1 joker");
    assert!(observed::<Round>(&record[..4]).unwrap_err().to_string().contains("is asked of the viewer"));
}

#[test]
fn plays_that_nobody_can_make() {
    let play = |choice: &str| with(6, "choice", json!(choice));
    assert_eq!(
        play("9x3"),
        "line 6: impossible: seat 1 cannot hold `9x3`: it takes 3 x 9, but 2 x 9 are unseen"
    );
    assert_eq!(play("3x2"), "line 6: impossible: seat 1 cannot play `3x2` now");
    assert_eq!(
        play("4+*"),
        "line 6: impossible: seat 1 cannot hold `4+*`: it takes 1 x *, but 0 x * are unseen"
    );
    assert_eq!(
        play("11"),
        "line 6: impossible: seat 1 cannot hold `11`: it takes 1 x 11, but 0 x 11 are unseen"
    );
    assert_eq!(with(6, "seat", json!(0)), "line 6: impossible: it is not the turn of seat 0");
    assert_eq!(
        problem(6, |line| *line = json!({"line": "move", "round": 1, "seat": 1})),
        "line 6: impossible: every play is public: expected its `choice`"
    );
    assert_eq!(with(8, "choice", json!("8x2")), "line 8: impossible: seat 2 cannot play `8x2` now");
}

#[test]
fn a_payer_says_how_many_jokers_before_he_pays() {
    let mut record = lines(SERF);
    record.truncate(3);
    for (option, value) in [("jokers", "low"), ("joker_tax", "holder")] {
        record[0]["rules"][option] = json!(value);
        record[1]["variant"][option] = json!(value);
    }
    record[1]["sizes"] = json!([18, 18, 18]);
    record[1]["hand"] = json!("A A K K Q Q J J 10 10 9 9 7 7 6 6 5 *");
    let refused = |record: &[Value]| observed::<Round>(record).unwrap_err().to_string();
    let choice = |choice: &str| json!({"line": "move", "round": 1, "seat": 2, "choice": choice});
    assert_eq!(refused(&record), "line 2: impossible: seat 2 has not said yet how many jokers it pays");
    record.insert(2, choice("pay 1 joker"));
    assert_eq!(refused(&record), "line 4: cards is \"A A\", but the rules give \"A *\"");
    record[3]["cards"] = json!("A *");
    assert!(observed::<Round>(&record).is_ok());
    record.insert(3, choice("pay 1 joker"));
    assert!(refused(&record).starts_with("line 4: "), "{}", refused(&record));
    record[2]["choice"] = json!("pay 2 jokers");
    assert_eq!(refused(&record), "line 3: impossible: seat 2 cannot play `pay 2 jokers` now");
}

#[test]
fn asking_in_vain_changes_nothing() {
    let mut observer = observed::<Round>(&lines(SERF)[..5]).unwrap();
    for _ in 0..20 {
        let refused = observer.decide().unwrap_err();
        assert_eq!(refused.to_string(), "line 6: impossible: it is not the turn of seat 2");
    }
    observer.hear(&lines(SERF)[5]).unwrap();
    assert!(observer.decide().is_ok());
}

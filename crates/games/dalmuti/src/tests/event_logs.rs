//! Event logs, and the hands reconstructed from them.

use cardsharp_engine::Seat;
use cardsharp_engine::game::Play;
use cardsharp_engine::log::Audience;
use cardsharp_engine::testing::{imagined, observed};
use serde_json::{Value, json};

use super::super::Round;
use super::information::offered_and_not;
use super::situation::{Inspect as _, Situation, setup};

/// The lines for `to` about a hand and these moves.
fn lines(start: &Situation, moves: &str, to: Audience) -> Vec<Value> {
    start.log(&start.0.table.rules, moves, to).split_off(1)
}

/// Asserts that observers with the event logs of these seats reconstruct their exact views.
#[track_caller]
fn follow(start: &Situation, moves: &str, seats: &[u8]) {
    for seat in seats.iter().copied().map(Seat) {
        let log = start.log(&start.0.table.rules, moves, Audience::Seat(seat));
        let round: Result<Option<Round>, _> = observed(&log).and_then(|mut observer| imagined(&mut observer));
        let round = round.unwrap_or_else(|error| panic!("{seat:?}: {error}")).unwrap();
        assert_eq!(round.view(seat).to_owned(), start.after(moves).0.view(seat).to_owned(), "{seat:?}");
    }
}

/// A line in words. For a deal, whose cards the test names itself, only `deal`.
fn words(line: &Value) -> String {
    let text = |field: &str| line[field].as_str().map_or_else(|| line[field].to_string(), str::to_owned);
    match text("line").as_str() {
        "turn" => format!("turn: {}", text("phase")),
        "move" => format!("{}: {}", text("seat"), text("choice")),
        "event" if line.get("cards").is_some() => {
            format!("{} {} to {}: {}", text("event"), text("from"), text("to"), text("cards"))
        }
        "event" if line.get("count").is_some() => {
            format!("{} {} to {}, {} unseen", text("event"), text("from"), text("to"), text("count"))
        }
        "event" => {
            let mut fields = line.clone();
            let fields = fields.as_object_mut().unwrap();
            fields.retain(|field, _| field != "line" && field != "round");
            json!(fields).to_string()
        }
        other => other.to_owned(),
    }
}

#[track_caller]
fn assert_lines(start: &Situation, moves: &str, to: Audience, expected: &[&str]) {
    let lines: Vec<String> = lines(start, moves, to).iter().map(words).collect();
    let expected: Vec<String> = ["deal"].iter().chain(expected).map(|&line| line.to_owned()).collect();
    assert_eq!(lines, expected, "{to:?}");
}

#[test]
fn a_deal_tells_the_own_cards_and_how_many_the_others_have() {
    let hands = ["1 9 9 11", "2 2 3", "J 5 5", "4 4 6", "7 8 8"];
    let s = setup(json!({"players": 5, "strip": [12]}), &hands).dealt();
    let sizes = [14, 14, 14, 13, 13];
    for seat in 0..5 {
        assert_eq!(
            lines(&s, "", Audience::Seat(Seat(seat)))[0],
            json!({
                "line": "deal", "round": 1, "order": [0, 1, 2, 3, 4], "exposed": null, "sizes": sizes,
                "hand": s.hand(seat),
            })
        );
    }
    assert_eq!(
        lines(&s, "", Audience::Everybody),
        [json!({"line": "deal", "round": 1, "order": [0, 1, 2, 3, 4], "exposed": null, "sizes": sizes})]
    );
}

#[test]
fn the_card_that_replaced_an_exposed_one_is_told_to_two() {
    let hands = ["12 12", "12", "1 5", "2 9", "3 4 6 7 8 9 10 11 11 11 10 10 9 8 8 7"];
    let s = setup(json!({"players": 5, "misdeal_prob": 1.0}), &hands).exposed("1", 2).dealt();
    let after = s.after("misdeal to peon");
    let card = super::super::rank_name(usize::from(after.0.own[4].replacement.unwrap()));
    for seat in 0..5 {
        let lines = lines(&s, "misdeal to peon", Audience::Seat(Seat(seat)));
        assert_eq!(lines[0]["exposed"], json!({"card": "1", "receiver": 2}));
        let event = lines.iter().find(|line| line["event"] == "misdeal").unwrap();
        let knows = [2, 4].contains(&seat);
        assert_eq!(event.get("replacement"), knows.then(|| json!(card)).as_ref());
        assert_eq!(
            (&event["exposed"], &event["receiver"], &event["peon"]),
            (&json!("1"), &json!(2), &json!(4))
        );
    }
    follow(&s, "", &[0]);
    follow(&s, "misdeal to peon", &[0]);
    follow(&s, "misdeal to peon, give 12, give 12, give 12", &[0, 1, 2, 3, 4]);
    follow(&s, "keep misdeal, give 12, give 12, give 12", &[0, 1, 2, 3, 4]);
}

#[test]
fn a_declined_revolution_leaves_no_line() {
    let [offered, not_offered] = offered_and_not();
    for to in [0, 1, 4].map(|seat| Audience::Seat(Seat(seat))).into_iter().chain([Audience::Everybody]) {
        let picks = "give 12, give 12, give 12, 10x2";
        let declined = lines(&offered, &format!("decline revolution, {picks}"), to);
        assert_eq!(declined, lines(&not_offered, picks, to), "{to:?}");
    }
    let asked = ["turn: revolution", "2: decline revolution"];
    assert_lines(&offered, "decline revolution", Audience::Seat(Seat(2)), &asked);
    follow(&offered, "decline revolution", &[0]);
    follow(&offered, "decline revolution, give 12, give 12, give 12, 10x2", &[0, 1, 2, 3, 4]);
}

#[test]
fn a_revolution_is_told_to_everybody() {
    let s = setup(json!({"players": 5}), &["", "", "J J"]).dealt();
    let event = r#"{"event":"revolution","order":[0,1,2,3,4]}"#;
    assert_lines(
        &s,
        "call revolution",
        Audience::Seat(Seat(0)),
        &["2: call revolution", event, "turn: play"],
    );
    assert_lines(&s, "call revolution", Audience::Seat(Seat(1)), &["2: call revolution", event]);
    assert_lines(
        &s,
        "call revolution",
        Audience::Seat(Seat(2)),
        &["turn: revolution", "2: call revolution", event],
    );
    follow(&s, "call revolution", &[0, 1, 2, 3, 4]);
}

#[test]
fn a_greater_revolution_turns_the_order_around() {
    let s = setup(json!({"players": 5}), &["", "", "", "", "J J"]).dealt();
    let event = r#"{"event":"greater_revolution","order":[4,3,2,1,0]}"#;
    assert_lines(&s, "call revolution", Audience::Seat(Seat(1)), &["4: call revolution", event]);
    follow(&s, "call revolution", &[0, 1, 2, 3, 4]);
    // Where the first hand has no taxes, the other players may think that the play has begun.
    let first = json!({"players": 5, "first_deal_revolution": true});
    follow(&setup(first, &["", "", "", "", "J J"]).dealt(), "call revolution", &[0, 1, 2, 3, 4]);
}

/// A deal in which the tributes are a 1 and a 2 for two cards, and a 2 for one card.
fn taxed(options: Value) -> Situation {
    setup(options, &["12 12", "12", "", "2", "1 2"]).dealt()
}

#[test]
fn sealed_taxes_are_told_when_all_cards_move() {
    let s = taxed(json!({"players": 5}));
    let picks = "give 12, give 12, give 12";
    assert_lines(&s, "give 12, give 12", Audience::Seat(Seat(4)), &[]);
    assert_lines(
        &s,
        picks,
        Audience::Seat(Seat(0)),
        &[
            "turn: tax",
            "0: give 12",
            "turn: tax",
            "0: give 12",
            "tribute 4 to 0: 1 2",
            "tribute 3 to 1, 1 unseen",
            "return 0 to 4: 12 12",
            "return 1 to 3, 1 unseen",
            "turn: play",
        ],
    );
    assert_lines(
        &s,
        picks,
        Audience::Seat(Seat(3)),
        &["tribute 4 to 0, 2 unseen", "tribute 3 to 1: 2", "return 0 to 4, 2 unseen", "return 1 to 3: 12"],
    );
    let unseen = [
        "tribute 4 to 0, 2 unseen",
        "tribute 3 to 1, 1 unseen",
        "return 0 to 4, 2 unseen",
        "return 1 to 3, 1 unseen",
    ];
    assert_lines(&s, picks, Audience::Seat(Seat(2)), &unseen);
    assert_lines(&s, picks, Audience::Everybody, &unseen);
    follow(&s, "give 12, give 12", &[1]);
    follow(&s, picks, &[0, 1, 2, 3, 4]);
}

#[test]
fn seen_tributes_are_told_before_anybody_chooses() {
    let s = taxed(json!({"players": 5, "tax_visibility": "seen"}));
    let tributes = ["tribute 4 to 0: 1 2", "tribute 3 to 1, 1 unseen"];
    assert_lines(&s, "", Audience::Seat(Seat(4)), &tributes);
    assert_lines(&s, "give 12, give 12", Audience::Seat(Seat(4)), &tributes);
    assert_lines(
        &s,
        "give 1, give 2, give 12",
        Audience::Seat(Seat(4)),
        &[tributes[0], tributes[1], "return 0 to 4: 1 2", "return 1 to 3, 1 unseen"],
    );
    follow(&s, "give 1, give 2", &[1]);
    follow(&s, "give 1, give 2, give 12", &[0, 1, 2, 3, 4]);
}

#[test]
fn who_waits_for_a_seen_tribute_knows_that_somebody_is_thinking() {
    let options = json!({"players": 5, "tax_visibility": "seen"});
    for hands in [["12 12", "12", "J J", "2", "1 2"], ["12 J J", "12", "", "2", "1 2"]] {
        let s = setup(options.clone(), &hands).dealt();
        follow(&s, "", &[0, 1, 2, 3, 4]);
        follow(&s, "decline revolution", &[0, 1, 2, 3, 4]);
        follow(&s, "call revolution", &[0, 1, 2, 3, 4]);
    }
}

#[test]
fn merchants_are_told_each_others_cards_and_nobody_else_is() {
    let options = json!({"players": 7, "merchant_exchange": "blind_choice"});
    let s = setup(options, &["12 12", "12", "3 4 5", "6 7 8", "", "2", "1 2"]).dealt();
    let moves = "give 12, give 12, give 12, exchange with position 3, give 5, give 8";
    let last = |seat: u8| -> Vec<String> {
        let lines: Vec<String> = lines(&s, moves, Audience::Seat(Seat(seat))).iter().map(words).collect();
        lines.into_iter().filter(|line| !line.contains("tribute") && !line.contains("return")).collect()
    };
    let both = ["exchange 2 to 3: 5", "exchange 3 to 2: 8"];
    assert_eq!(
        last(2),
        [
            "deal",
            "turn: exchange offer",
            "2: exchange with position 3",
            "turn: exchange",
            "2: give 5",
            both[0],
            both[1]
        ]
    );
    assert_eq!(
        last(3),
        ["deal", "2: exchange with position 3", "turn: exchange", "3: give 8", both[0], both[1]]
    );
    let unseen = ["exchange 2 to 3, 1 unseen", "exchange 3 to 2, 1 unseen"];
    assert_eq!(last(4), ["deal", "2: exchange with position 3", unseen[0], unseen[1]]);
    follow(&s, moves, &[0, 1, 2, 3, 4, 5, 6]);
    follow(&s, "give 12, give 12, give 12", &[0, 1, 2, 3, 4, 5, 6]);
    follow(&s, "give 12, give 12, give 12, no exchange", &[0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_drawn_card_is_told_to_both_merchants() {
    let options = json!({"players": 7, "merchant_exchange": "blind_random"});
    let s = setup(options, &["12 12", "12", "3 4 5", "6 7 8", "", "2", "1 2"]).dealt();
    let moves = "give 12, give 12, give 12, exchange with position 4, give 5";
    let drawn = s.after(moves).0.own[4].given;
    for seat in [2, 4] {
        let lines = lines(&s, moves, Audience::Seat(Seat(seat)));
        let event = lines.iter().find(|line| line["event"] == "exchange" && line["from"] == 4).unwrap();
        assert_eq!(event["cards"], super::super::to_text(&drawn));
    }
    follow(&s, moves, &[0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn a_short_hand_is_told_so() {
    let options = json!({"players": 4, "strip": [2, 3, 4, 5, 6, 7, 8, 10, 11]});
    let hands = ["9 9 9 12 12 12", "9 9 9 12 12 12", "9 9 12 12 12 J", "1 9 12 12 12 J"];
    let s = setup(options, &hands).dealt();
    let moves = "give 12, give 12, give 12, 9x4, pass, pass, pass, 12, 9, pass, pass, 1, pass, pass, pass, \
                 9x3, pass, pass, 12x2, 9+J, pass, 12x4";
    assert_lines(
        &s,
        moves,
        Audience::Seat(Seat(3)),
        &[
            "tribute 3 to 0: 1 9",
            "tribute 2 to 1, 1 unseen",
            "return 0 to 3: 12 12",
            "return 1 to 2, 1 unseen",
            "0: 9x4",
            "1: pass",
            "2: pass",
            "turn: play",
            "3: pass",
            "0: 12",
            "1: 9",
            "2: pass",
            "turn: play",
            "3: pass",
            "0: 1",
            "1: pass",
            "2: pass",
            "turn: play",
            "3: pass",
            "1: 9x3",
            "2: pass",
            "turn: play",
            "3: pass",
            "1: 12x2",
            "2: 9+J",
            "turn: play",
            "3: pass",
            "2: 12x4",
        ],
    );
    follow(&s, moves, &[0, 1, 2, 3]);
}

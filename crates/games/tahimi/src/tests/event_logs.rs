//! Event logs, and the views reconstructed from them.

mod refused;
mod seats;

use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Determinize, EventLog, ImaginedRound, Narrate, Play, Scripted, Turn};
use cardsharp_engine::log::Audience;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::table::{AnyTable, Table};
use cardsharp_engine::testing::{event_log, imagined, observed, random_move};
use serde_json::{Value, json};

use super::super::{Round, Rules, Stage};
use super::situation::{Situation, setup};

/// The scripted player makes one move; returns false if the round is over.
fn scripted_move(table: &mut Table<Round>) -> bool {
    let round = table.session().round();
    let Turn::Decide(seat) = round.turn() else { return false };
    let action = Round::scripted(round.view(seat));
    table.try_play(action).unwrap();
    true
}

/// The lines that a seat receives for the events between two states, without moves.
fn event_lines(before: Option<&Situation>, after: &Situation, seat: Option<u8>) -> Vec<Value> {
    let events = Round::events(before.map(|s| &s.0), &after.0);
    events.into_iter().filter_map(|event| Round::conceal_event(event, seat.map(Seat))).collect()
}

#[test]
fn a_deal_tells_the_own_hand_and_how_many_cards_the_others_get() {
    let options =
        json!({"trim": "none", "roster_script": [{"round": 3, "join": 4}, {"round": 3, "join": 5}]});
    let s = setup(options, &["2 2", "3", "K", "A A"]).order(&[2, 0, 3, 1]).dealt();
    let deal = s.0.describe_deal().unwrap();
    let event_lines = s.0.conceal_deal(deal.clone(), Some(Seat(1)));
    assert_eq!((&event_lines["hand"], &event_lines["hands"]), (&deal["hands"][3], &Value::Null));
    assert_eq!(event_lines["sizes"], json!([13, 13, 13, 13, 0, 0]), "seats, of whom two come later");
    let mut keys: Vec<&String> = event_lines.as_object().unwrap().keys().collect();
    keys.sort_unstable();
    assert_eq!(keys, ["decree", "hand", "joined", "left", "order", "sizes", "variant"]);
    assert_eq!(s.0.conceal_deal(deal, None).get("hand"), None, "who watches sees no cards");
}

#[test]
fn cards_are_called_as_in_the_deck_in_play() {
    let s = setup(json!({"deuces_high": true}), &["A A A A", "2", "3", "4"]).dealt();
    let event_lines = s.0.conceal_deal(s.0.describe_deal().unwrap(), Some(Seat(0)));
    assert!(event_lines["hand"].as_str().unwrap().starts_with("2 2 2 2 "), "{event_lines}");
}

const TAXED: [&str; 5] = ["2 2 9 9", "3 3", "4 4", "K K", "A A"];

#[test]
fn taxes_are_seen_by_the_two_whom_they_concern() {
    let s = setup(json!({"players": 5, "first_round_tax": true}), &TAXED).order(&[2, 0, 3, 1, 4]).dealt();
    let tribute = json!({"event": "tribute", "from": 4, "to": 2, "cards": "A A"});
    assert_eq!([4, 2].map(|seat| event_lines(None, &s, Some(seat))), [vec![tribute.clone()], vec![tribute]]);
    assert_eq!(
        event_lines(None, &s, Some(1)),
        [json!({"event": "tribute", "from": 1, "to": 0, "cards": "K"})]
    );
    let (before, s) = (s.after("give 2").after("give 9"), s.after("give 2").after("give 9").after("give 3"));
    let [all, some] = [
        json!({"event": "return", "from": 2, "to": 4, "cards": "9 2"}),
        json!({"event": "return", "from": 2, "to": 4, "count": 2}),
    ];
    let [one, other] = [
        json!({"event": "return", "from": 0, "to": 1, "cards": "3"}),
        json!({"event": "return", "from": 0, "to": 1, "count": 1}),
    ];
    assert_eq!(event_lines(Some(&before), &s, Some(4)), [all.clone(), other.clone()]);
    assert_eq!(event_lines(Some(&before), &s, Some(2)), [all, other.clone()]);
    assert_eq!(event_lines(Some(&before), &s, Some(0)), [some.clone(), one]);
    for looks_on in [Some(3), None] {
        assert_eq!(event_lines(Some(&before), &s, looks_on), [some.clone(), other.clone()], "{looks_on:?}");
    }
}

#[test]
fn nobody_notices_who_thinks_about_his_jokers() {
    let options = json!({"players": 5, "first_round_tax": true, "jokers": "low", "joker_tax": "holder"});
    for holders in [[4, 4], [3, 4], [0, 4], [0, 3], [0, 0], [0, 1]] {
        let mut hands = ["3 3 3", "5 5", "4 4", "K", "A A"].map(str::to_owned);
        holders.iter().for_each(|&position: &usize| hands[position] += " *");
        let mut s = setup(options.clone(), &hands.each_ref().map(String::as_str)).dealt();
        // Whatever the payers decide, the Merchant and the spectators see nothing before the returns.
        for looks_on in [Some(2), None] {
            assert_eq!(event_lines(None, &s, looks_on), Vec::<Value>::new(), "{holders:?}");
        }
        while s.0.table.stage == Stage::Taxes {
            let before = s;
            s.play(&before.legal()[0]);
            for looks_on in [Some(2), None] {
                let heard = event_lines(Some(&before), &s, looks_on);
                let begins = s.0.table.stage == Stage::Play;
                assert_eq!(heard.len(), if begins { 2 } else { 0 }, "{holders:?}: {heard:?}");
            }
        }
    }
}

#[test]
fn what_a_seat_cannot_see_changes_nothing_that_it_is_told() {
    let mut draw = Draw::new(3, 0);
    let mut changed = 0;
    for seed in 0..400 {
        let mut session = Session::<Round>::new(Rules::random(&mut draw), seed);
        while session.round().table.stage == Stage::Decree {
            random_move(session.round_mut(), &mut draw);
        }
        let round = *session.round();
        for seat in round.present().iter().map(Seat) {
            let other = Round::determinize(round.view(seat), DealRng::new(seed, 9)).unwrap();
            assert_eq!(
                ImaginedRound::begun(other, seat).lines,
                ImaginedRound::begun(round, seat).lines,
                "{other:?}"
            );
            changed += u32::from(other.own != round.own);
        }
    }
    assert!(changed > 1_000, "{changed}");
}

#[test]
fn a_last_card_is_announced_to_all() {
    let s = setup(json!({}), &["5 5 2", "9 9 9", "6 6", "3 4"]).order(&[2, 0, 3, 1]).playing();
    let after = s.after("5x2");
    for seat in [Some(0), Some(1), Some(2), Some(3), None] {
        assert_eq!(event_lines(Some(&s), &after, seat), [json!({"event": "one card", "seat": 2})]);
    }
}

#[test]
fn before_a_decree_it_is_told_who_sits_where() {
    let options =
        json!({"players": 3, "decree": [{}, {"deuces_high": true}], "seating": "fixed", "rounds": 1});
    let mut table = Table::<Round>::new(super::situation::rules(options), 4);
    let kinds = |table: &Table<Round>, seat| -> Vec<Value> {
        event_log(table, Audience::Seat(Seat(seat))).iter().map(|line| line["line"].clone()).collect()
    };
    assert_eq!(kinds(&table, 0), ["header", "round", "turn"]);
    assert_eq!(kinds(&table, 2), ["header", "round"]);
    let opening = event_log(&table, Audience::Everybody).swap_remove(1);
    assert_eq!(opening, json!({"line": "round", "round": 1, "left": [], "joined": [], "order": [0, 1, 2]}));
    let decree = table.parse("decree 1").unwrap();
    AnyTable::try_play(&mut table, decree).unwrap();
    assert_eq!(kinds(&table, 0), ["header", "round", "turn", "move", "deal", "turn"]);
    assert_eq!(kinds(&table, 2), ["header", "round", "move", "deal"]);
    let deal = event_log(&table, Audience::Seat(Seat(2))).pop().unwrap();
    assert_eq!((&deal["decree"], &deal["variant"]["deuces_high"]), (&json!(1), &json!(true)));
}

/// A handwritten event log of the serf for a round of three players.
pub(super) const SERF: &str = r#"
{"line": "header", "protocol": 1, "game": "tahimi", "seat": 2, "players": 3, "rules": {"players": 3, "seating": "fixed", "first_round_tax": true, "rounds": 2}}
{"line": "deal", "round": 1, "left": [], "joined": [], "order": [0, 1, 2], "decree": null, "variant": {"deck": "standard", "jokers": "none", "joker_tax": "coupled", "deuces_high": false, "rank_privilege": true, "tax_schedule": "auto"}, "sizes": [17, 17, 17], "hand": "A A K K Q Q J J 10 10 9 9 7 7 6 6 5"}
{"line": "event", "round": 1, "event": "tribute", "from": 2, "to": 0, "cards": "A A"}
{"line": "event", "round": 1, "event": "return", "from": 0, "to": 2, "cards": "3 2"}
{"line": "move", "round": 1, "seat": 0, "choice": "4x2"}
{"line": "move", "round": 1, "seat": 1, "choice": "5x2"}
{"line": "turn", "round": 1, "phase": "play"}
{"line": "move", "round": 1, "seat": 2, "choice": "6x2"}
{"line": "move", "round": 1, "seat": 0, "choice": "Ax2"}
{"line": "move", "round": 1, "seat": 1, "choice": "pass"}
"#;

/// The lines of an event log.
pub(super) fn lines(text: &str) -> Vec<Value> {
    text.lines().filter(|line| !line.is_empty()).map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn what_was_written_down_by_hand_makes_a_view() {
    let mut observer = observed(&lines(SERF)).unwrap();
    let round: Round = imagined(&mut observer).unwrap().unwrap();
    let own = round.own(Seat(2));
    assert_eq!(super::super::to_text(&own.hand), "K K Q Q J J 10 10 9 9 7 7 5 3 2");
    assert_eq!(super::super::to_text(&own.given), "A A");
    assert_eq!(super::super::to_text(&own.received), "3 2");
    let table = round.table();
    assert_eq!((table.cards[..3].to_vec(), table.trick.size), (vec![13, 15, 15], 2));
    assert_eq!(super::super::to_text(&table.memory.gone), "A A 6 6 5 5 4 4");
    assert_eq!(
        observer.decide().unwrap().legal_words().iter().map(|w| w.count_ones()).sum::<u32>(),
        1,
        "pass"
    );
    assert_eq!(cardsharp_engine::game::Check::audit(&round), Ok(()), "a round that can be");
}

//! Kitty, discard, trump and asking.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Determinize, Play};
use serde_json::json;

use super::super::state::{AskedCard, Stage};
use super::situation::{Inspect as _, Situation, card, setup};

const SPECIALS: [&str; 8] =
    ["80", "misere", "zwabber", "ouverte", "praatje", "prive", "praatje uit de hand", "prive uit de hand"];

#[test]
fn the_bidder_takes_the_kitty_and_puts_one_of_nine_aside() {
    let s = setup(json!({}), [""; 4], "CA");
    for bid in &SPECIALS[..6] {
        let s = s.bid(bid);
        assert_eq!(s.0.table().kitty, Some(card("CA")));
        assert_eq!(s.legal().len(), 9);
        assert!(s.legal().contains(&"discard CA".to_owned()));
        for seat in 0..4 {
            assert_eq!(s.view_json(seat)["table"]["kitty"], "CA");
        }
        let s = s.after("discard CA");
        assert_eq!(s.0.own(Seat(0)).discard, Some(card("CA")));
    }
}

#[test]
fn from_the_hand_the_kitty_stays_unseen() {
    let s = setup(json!({}), [""; 4], "CA");
    for bid in &SPECIALS[6..] {
        let s = s.bid(bid);
        s.expect(0, "trump S, trump H, trump D, trump C");
        let other = Situation::of(
            super::super::Round::determinize(s.0.view(Seat(0)), cardsharp_engine::rng::DealRng::new(3, 3))
                .unwrap(),
        );
        assert_ne!(other.0.kitty, s.0.kitty, "this seed draws another kitty");
        let s = s.after("trump S");
        assert_eq!((s.turn(), s.0.table().stage), (Some(0), Stage::Play));
        for seat in 0..4 {
            assert_eq!(s.view_json(seat)["table"]["kitty"], json!(null));
            assert_eq!(s.ones(seat, "kitty"), [0usize; 0]);
        }
    }
}

#[test]
fn trump_is_named_as_the_contract_allows() {
    let options = [("trump_points", "80"), ("trump_zwabber", "zwabber"), ("trump_misere", "misere")];
    let more =
        [("trump_misere", "ouverte"), ("trump_misere", "praatje"), ("trump_misere", "praatje uit de hand")];
    let prive = [("trump_prive", "prive"), ("trump_prive", "prive uit de hand")];
    for (option, bid) in options.into_iter().chain(more).chain(prive) {
        let begun = |value: &str| {
            let s = setup(json!({option: value}), [""; 4], "").bid(bid);
            if bid.ends_with("hand") { s } else { s.after("discard S7") }
        };
        begun("named").expect(0, "trump S, trump H, trump D, trump C");
        begun("named_or_none").expect(0, "trump S, trump H, trump D, trump C, trump none");
        let none = begun("none");
        let stage = if bid == "80" { Stage::Ask } else { Stage::Play };
        assert_eq!((none.0.table().stage, none.0.table().trump().to_string()), (stage, "none".to_owned()));
    }
}

fn asking(options: serde_json::Value, hand: &str, discard: &str) -> Situation {
    setup(options, [hand, "", "", ""], discard).bid("80").after(&format!("discard {discard}, trump H"))
}

fn askable(s: &Situation) -> Vec<String> {
    s.legal().iter().filter_map(|l| l.strip_prefix("ask ")).map(str::to_owned).collect()
}

#[test]
fn cards_of_suits_he_holds_can_be_asked_for() {
    let s = asking(json!({}), "S7 SK SA H9 HJ D8 DT DJ", "DQ");
    let asked = askable(&s);
    assert!(asked.iter().all(|c| !c.starts_with('C')), "no club, having none");
    assert!(
        asked.iter().all(|c| !["S7", "SK", "SA", "H9", "HJ", "D8", "DT", "DJ", "DQ"].contains(&c.as_str()))
    );
    assert_eq!(asked.len(), 25 - 9);
    assert!(asked.contains(&"H6".to_owned()), "trumps can be asked for");
    assert!(s.legal().contains(&"solo".to_owned()));
    let s = asking(json!({"ask_discard": true}), "S7 SK SA H9 HJ D8 DT DJ", "DQ");
    assert!(askable(&s).contains(&"DQ".to_owned()));
}

#[test]
fn asking_follows_the_hand_after_the_discard() {
    // The bidder put the only club aside.
    let s = asking(json!({"ask_discard": true}), "S7 SK SA H9 HJ D8 DT DJ", "C7");
    assert!(askable(&s).iter().all(|c| !c.starts_with('C')));
}

#[test]
fn a_hand_of_one_whole_suit_plays_alone() {
    let s = asking(json!({}), "S7 S8 S9 ST SJ SQ SK SA", "H6");
    s.expect(0, "solo");
    let s = s.after("solo");
    assert_eq!(s.0.table().asked, AskedCard::Solo);
}

#[test]
fn aces_first_means_aces_then_kings_and_so_on() {
    let options = json!({"ask_scope": "aces_first"});
    let s = asking(options.clone(), "S7 SK SA H9 HJ D8 DT DJ", "DQ");
    s.expect(0, "ask HA, ask DA, solo");
    let s = asking(options.clone(), "SA HA HJ H9 H8 H7 S9 S8", "C7");
    s.expect(0, "ask SK, ask HK, solo");
    let s = asking(options.clone(), "SA SK SQ SJ ST S9 S8 C7", "CA");
    s.expect(0, "ask CK, solo");
    let s = asking(json!({"ask_scope": "aces_first", "ask_discard": true}), "SA SK SQ SJ ST S9 S8 C7", "CA");
    s.expect(0, "ask CA, solo");
}

#[test]
fn the_bidder_leads_unless_forehand_does() {
    let s = setup(json!({}), [""; 4], "").after("hold, hold, bid misere, pass, pass, pass");
    let first = |s: &Situation| s.after(&format!("{}, trump S", s.legal()[0])).turn();
    assert_eq!(first(&s), Some(2));
    let s = setup(json!({"first_leader": "forehand"}), [""; 4], "")
        .after("hold, hold, bid misere, pass, pass, pass");
    assert_eq!(first(&s), Some(0));
}

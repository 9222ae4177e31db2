//! The Tahimi's decree before the deal.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Narrate, Play};
use serde_json::{Value, json};

use super::super::Round;
use super::super::state::Stage;
use super::situation::{Inspect as _, Situation, rules, setup};

/// A menu with one entry for each option.
fn menu() -> Value {
    json!([
        {},
        {"deck": "special"},
        {"jokers": "wild"},
        {"joker_tax": "holder"},
        {"deuces_high": true},
        {"rank_privilege": false},
        {"tax_schedule": "progressive"},
    ])
}

fn round(options: Value, decree: &str) -> Situation {
    let mut s = setup(options, &[]).undecided();
    s.play(decree);
    s
}

#[test]
fn the_tahimi_decrees_before_the_deal_and_nobody_else() {
    let s = setup(json!({"players": 5, "decree": menu()}), &[]).order(&[3, 1, 4, 0, 2]).undecided();
    s.expect(0, "decree 0, decree 1, decree 2, decree 3, decree 4, decree 5, decree 6");
    assert_eq!(
        (s.0.turn(), s.0.table.stage),
        (cardsharp_engine::Turn::Decide(cardsharp_engine::Seat(3)), Stage::Decree)
    );
    for position in 0..5 {
        assert_eq!(s.hand(position), "", "no cards are dealt yet");
        assert!(position == 0 || s.legal_of(s.seat(position)).is_empty());
    }
    assert_eq!((s.0.table.deck.total(), s.0.describe_deal()), (0, None));
    assert_eq!(s.0.table.cards, [0; 12]);
}

#[test]
fn a_decree_overrides_what_it_names_and_nothing_else() {
    let options = json!({"players": 6, "decree": menu(), "jokers": "low"});
    let base = json!(round(options.clone(), "decree 0").0.table.variant);
    let changes = [
        (1, "deck", json!("special")),
        (2, "jokers", json!("wild")),
        (3, "joker_tax", json!("holder")),
        (4, "deuces_high", json!(true)),
        (5, "rank_privilege", json!(false)),
        (6, "tax_schedule", json!("progressive")),
    ];
    for (entry, option, value) in changes {
        let s = round(options.clone(), &format!("decree {entry}"));
        let mut expected = base.clone();
        expected[option] = value;
        assert_eq!(json!(s.0.table.variant), expected);
        assert_eq!(s.0.table.decree, Some(entry));
    }
}

#[test]
fn cards_are_dealt_from_the_decreed_deck() {
    let options = json!({"players": 6, "decree": menu()});
    assert_eq!(round(options.clone(), "decree 0").0.table.deck.total(), 48);
    assert_eq!(round(options.clone(), "decree 1").0.table.deck.total(), 78);
    assert_eq!(round(options.clone(), "decree 2").0.table.deck.total(), 54);
    let s = round(options, "decree 1");
    assert_eq!(
        (s.0.table.stage, s.turn(), s.0.table.cards[..6].to_vec()),
        (Stage::Play, Some(0), vec![13; 6])
    );
}

#[test]
fn a_decree_changes_taxes_names_and_leads() {
    let taxed = |entry: usize| {
        let options = json!({
            "players": 6, "decree": menu(), "first_round_tax": true, "jokers": "low",
        });
        setup(options, &["", "", "", "", "", "A A K *"]).decreed(entry).dealt()
    };
    assert_eq!(taxed(0).received(0), "A A");
    assert_eq!(taxed(1).received(0), "A A K", "the special deck brings progressive taxes");
    assert_eq!(taxed(2).received(0), "A *", "wild jokers are high");
    taxed(3).expect(5, "pay 0 jokers, pay 1 joker");
    assert_eq!(taxed(6).received(0), "A A K");
    let options = || json!({"decree": menu()});
    let hands = ["3 2", "4 2", "A", "5 2"];
    let s = setup(options(), &hands).decreed(4).turn(2).playing();
    s.expect(2, "2");
    let lead = |entry: usize, last: &str| {
        let s = setup(options(), &hands).decreed(entry).turn(2).playing();
        s.after(&format!("{last}, pass, pass, pass")).turn()
    };
    assert_eq!((lead(0, "A"), lead(5, "A"), lead(4, "2")), (Some(0), Some(3), Some(0)));
}

#[test]
fn only_a_menu_with_an_empty_entry_allows_no_decree() {
    let s = setup(json!({"decree": [{"jokers": "low"}, {"deuces_high": true}]}), &[]).undecided();
    s.expect(0, "decree 0, decree 1");
    assert!(
        s.legal()
            .iter()
            .all(|entry| round(json!(s.0.table.rules), entry).0.table.variant != s.0.table.rules.variant())
    );
}

#[test]
fn sixteen_entries_are_the_most() {
    let s = setup(json!({"decree": vec![json!({}); 16]}), &[]).undecided();
    assert_eq!(s.legal().len(), 16);
    let error =
        cardsharp_engine::rules::read::<super::super::rules::Rules>(&json!({"decree": vec![json!({}); 17]}));
    assert_eq!(error.unwrap_err().option(), "decree");
}

#[test]
fn without_a_menu_nobody_decrees() {
    let s = setup(json!({}), &[]).dealt();
    assert_eq!((s.0.table.stage, s.0.table.decree), (Stage::Play, None));
}

#[test]
fn a_decree_holds_for_one_round_and_is_made_before_each() {
    let rules = rules(json!({"rounds": 3, "decree": [{}, {"jokers": "wild", "deuces_high": true}]}));
    let mut session = Session::<Round>::new(rules, 4);
    for entry in [1, 0, 1] {
        let mut s = Situation::of(*session.round());
        s.expect(0, "decree 0, decree 1");
        assert!(!s.0.table.variant.deuces_high, "the rules of the session are in force until then");
        s.play(&format!("decree {entry}"));
        assert_eq!((s.0.table.variant.deuces_high, s.0.table.deck.0[18]), (entry == 1, 2 * entry));
        assert_eq!(s.0.table.variant.jokers == super::super::variant::Jokers::Wild, entry == 1);
        s.play_out();
        *session.round_mut() = s.0;
        let tahimi = s.0.table.order[usize::from(s.0.table.trick.out[0])];
        session.settle();
        if session.is_last() {
            break;
        }
        session.deal_next();
        assert_eq!(session.round().turn(), cardsharp_engine::Turn::Decide(tahimi), "the new Tahimi decrees");
    }
}

#[test]
fn the_same_seed_and_the_same_decree_deal_the_same_cards() {
    let options = json!({"players": 5, "decree": [{}, {"rank_privilege": false}]});
    let [one, two] = ["decree 0", "decree 1"].map(|entry| round(options.clone(), entry));
    for position in 0..5 {
        assert_eq!(one.hand(position), two.hand(position), "the same deck, shuffled by the same stream");
    }
}

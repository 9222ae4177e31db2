//! What each seat learns.

use cardsharp_engine::game::Play;
use serde_json::{Value, json};

use super::situation::{Inspect as _, Situation, setup};

fn views(s: &Situation) -> Vec<Value> {
    (0..s.players()).map(|p| s.view_json(p)).collect()
}

/// Asserts that exactly these positions see a difference between the two situations.
#[track_caller]
fn differ_for(a: &Situation, b: &Situation, positions: &[u8]) {
    let (left, right) = (views(a), views(b));
    let seen: Vec<u8> = (0..a.players()).filter(|&p| left[usize::from(p)] != right[usize::from(p)]).collect();
    assert_eq!(seen, positions);
    for p in (0..a.players()).filter(|p| !positions.contains(p)) {
        assert_eq!(a.row(p), b.row(p), "the row of position {p}");
    }
}

/// A deal in which positions 2 and 3 differ only in who has the Jesters.
fn jesters(hands: [&str; 5]) -> Situation {
    setup(json!({"players": 5}), &hands).dealt()
}

const A: &str = "5 6 7 7 8 8 9 9 9 10 10 11 11 12";
const B: &str = "4 6 6 7 8 8 9 9 10 10 10 11 11 11";

/// The same hand twice: with and without both Jesters at position 2.
pub(super) fn offered_and_not() -> [Situation; 2] {
    let two_jesters = format!("{A} J J");
    let one_and_a_twelve = format!("{A} J 12");
    let other_one = format!("{B} 12 12");
    let other_with_one = format!("{B} 12 J");
    let (gd, ld, gp) =
        ("1 4 5 6 8 9 10 10 11 11 12 12 12 12 12 12", "2 3 5 6 7 7 8 9 10 11 11 11 12 8 10 10", "");
    let offered = jesters([gd, ld, &two_jesters, &other_one, gp]);
    [offered, jesters([gd, ld, &one_and_a_twelve, &other_with_one, gp])]
}

#[test]
fn a_declined_revolution_leaves_no_trace() {
    let [offered, not_offered] = offered_and_not();
    offered.expect(2, "call revolution, decline revolution");
    let declined = offered.after("decline revolution");
    assert_eq!(declined.turn(), not_offered.turn());
    differ_for(&declined, &not_offered, &[2, 3]);
    // The situations stay alike later: the same random stream and counters.
    let picks = "give 12, give 12, give 12, 10x2";
    differ_for(&declined.after(picks), &not_offered.after(picks), &[2, 3]);
    for p in 0..5u8 {
        let row = |s: &Situation| s.cells(p, "phase");
        assert_eq!(row(&declined), row(&not_offered));
    }
}

#[test]
fn a_called_revolution_is_public() {
    let s = setup(json!({"players": 5}), &["", "", "J J"]).dealt();
    differ_for(&s.after("call revolution"), &s.after("decline revolution"), &[0, 1, 2, 3, 4]);
}

#[test]
fn only_the_holder_knows_that_he_is_asked() {
    let s = setup(json!({"players": 5}), &["", "", "J J"]).dealt();
    for p in 0..5 {
        let asked = if p == 2 { "revolution" } else { "nothing" };
        assert_eq!(s.view_json(p)["own"]["ask"], asked);
        assert_eq!(s.ones(p, "phase"), if p == 2 { vec![1] } else { vec![] });
    }
}

#[test]
fn sealed_picks_are_known_to_the_picker_alone_until_all_cards_move() {
    let s = setup(json!({"players": 5}), &["3 4 5 6", "7 8 9"]).dealt();
    differ_for(&s.after("give 3"), &s.after("give 4"), &[0]);
    differ_for(&s.after("give 3, give 4"), &s.after("give 5, give 6"), &[0]);
    let picked = s.after("give 3, give 4");
    differ_for(&picked.after("give 12"), &s.after("give 5, give 6, give 12"), &[0, 4]);
    differ_for(&picked.after("give 7"), &picked.after("give 8"), &[1, 3]);
}

#[test]
fn the_order_of_picks_does_not_matter() {
    let s = setup(json!({"players": 5}), &["3 4 5 6", "7 8 9"]).dealt();
    differ_for(&s.after("give 3, give 4"), &s.after("give 4, give 3"), &[]);
}

#[test]
fn seen_tributes_are_known_to_the_two_of_the_swap() {
    let options = json!({"players": 5, "tax_visibility": "seen"});
    // The two deals swap a 1 and a 2 between a Merchant (position 2) and the Greater Peon (position 4).
    let gp = "3 4 5 6 6 7 7 8 8 9 9 10 10 11 11";
    let merchant = "3 4 5 6 6 7 7 8 8 9 9 10 10 11 12";
    let with = |a: &str, b: &str| {
        let (a, b) = (format!("{merchant} {a}"), format!("{gp} {b}"));
        setup(options.clone(), &["J 12 12 12", "J 12 12", &a, "2 5", &b]).dealt()
    };
    let (one, two) = (with("2", "1"), with("1", "2"));
    // The Merchant and the Peon hold other cards, and the Greater Dalmuti received another one.
    differ_for(&one, &two, &[0, 2, 4]);
    // With sealed taxes the Greater Dalmuti does not see it yet.
    let sealed = json!({"players": 5});
    let with = |a: &str, b: &str| {
        let (a, b) = (format!("{merchant} {a}"), format!("{gp} {b}"));
        setup(sealed.clone(), &["J 12 12 12", "J 12 12", &a, "2 5", &b]).dealt()
    };
    let (one, two) = (with("2", "1"), with("1", "2"));
    differ_for(&one, &two, &[2, 4]);
    let picks = "give 12, give 12, give 12";
    differ_for(&one.after(picks), &two.after(picks), &[0, 2, 4]);
}

#[test]
fn an_exchange_is_public_and_its_cards_are_not() {
    let options = json!({"players": 7, "merchant_exchange": "blind_choice"});
    let s = setup(options, &["", "", "3 4 5", "6 7 8"]).dealt().after_giving(3);
    differ_for(&s.after("no exchange"), &s.after("exchange with position 3"), &[0, 1, 2, 3, 4, 5, 6]);
    differ_for(
        &s.after("exchange with position 4, give 3"),
        &s.after("exchange with position 4, give 4"),
        &[2],
    );
    let open = s.after("exchange with position 3, give 3");
    differ_for(&open.after("give 6"), &open.after("give 7"), &[2, 3]);
    differ_for(&open.after("give 6"), &s.after("exchange with position 3, give 4, give 6"), &[2, 3]);
}

#[test]
fn the_card_that_replaced_an_exposed_one_is_known_to_two() {
    let hands = ["12 12", "12", "1 5", "2 9", "3 4 6 7 8 9 10 11 11 11 10 10 9 8 8 7"];
    let options = json!({"players": 5, "misdeal_prob": 1.0});
    let moved = |seed: u64| {
        setup(options.clone(), &hands).exposed("1", 2).seed(seed).dealt().after("misdeal to peon")
    };
    let first = moved(0);
    let card = |s: &Situation| s.0.own[4].replacement;
    let other = (1..50).map(moved).find(|s| card(s) != card(&first)).unwrap();
    differ_for(&first, &other, &[2, 4]);
    for p in 0..5 {
        let knows = [2, 4].contains(&p);
        assert_eq!(first.view_json(p)["own"]["replacement"].is_null(), !knows);
        assert_eq!(first.ones(p, "replacement").is_empty(), !knows);
        // The exposed card and its receiver are public.
        assert_eq!((first.ones(p, "exposed_rank"), first.ones(p, "exposed_to_peon")), (vec![0], vec![0]));
    }
}

#[test]
fn hands_are_private() {
    // Two players swap a card: no other player sees a difference.
    let one = setup(json!({"players": 5}), &["9", "9", "9 3 J", "9 4 J"]).dealt();
    let two = setup(json!({"players": 5}), &["9", "9", "9 4 J", "9 3 J"]).dealt();
    differ_for(&one, &two, &[2, 3]);
}

#[test]
fn plays_and_passes_are_public() {
    let s = setup(json!({"players": 5}), &["9 8 8", "3 4", "12", "12", "12"]).playing();
    differ_for(&s.after("9"), &s.after("8"), &[0, 1, 2, 3, 4]);
    differ_for(&s.after("9, pass"), &s.after("9, 4"), &[0, 1, 2, 3, 4]);
}

#[test]
fn a_view_stands_on_its_own_and_reads_back() {
    use cardsharp_engine::game::OwnedView;
    let options =
        json!({"players": 7, "merchant_exchange": "blind_choice", "misdeal_prob": 1.0, "strip": [9]});
    let mut s = setup(options, &["", "J J"]).exposed("12", 3).dealt();
    let mut moves = "misdeal to peon, call revolution".split(", ");
    loop {
        for p in 0..7 {
            let owned = s.0.view(s.seat(p)).to_owned();
            let text = serde_json::to_string(&owned).unwrap();
            let back: OwnedView<super::super::Round> = serde_json::from_str(&text).unwrap();
            assert_eq!(back, owned);
            assert_eq!(back.view().seat, s.seat(p));
        }
        let Some(next) = moves.next() else { break };
        s.play(next);
    }
}

#[test]
fn a_view_with_unknown_fields_is_refused() {
    use cardsharp_engine::game::OwnedView;
    let s = setup(json!({"players": 5}), &[]).dealt();
    let mut view = s.view_json(0);
    view["own"]["peek"] = json!(1);
    assert!(serde_json::from_value::<OwnedView<super::super::Round>>(view).is_err());
}

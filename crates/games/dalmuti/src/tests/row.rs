//! The observation, block by block.

use cardsharp_engine::blocks::width;
use cardsharp_engine::game::Observe;
use serde_json::{Value, json};

use super::super::Round;
use super::super::deck::Cards;
use super::situation::{Inspect as _, Situation, hand, named, setup};

/// Six players in the middle of a trick. Position 0 led two 9s, 1 topped them with an 8 and a Jester, 2 passed, and 3
/// is to act.
pub(super) fn six() -> Situation {
    let hands = ["9 9 12", "8 J 12 12", "2 11 11", "7 7 J 10 10", "", "3 12 12 12 12 12 12 12 12"];
    setup(json!({"players": 6}), &hands).order(&[2, 4, 0, 1, 5, 3]).playing().after("9x2, 8+J, pass")
}

/// The expected thermometers of these cards: rank r has r cells, the Jesters 2.
fn thermometers(cards: &Cards) -> Vec<u8> {
    let copies = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2];
    let mut cells = Vec::new();
    for (rank, &copies) in copies.iter().enumerate() {
        cells.extend((0..copies).map(|i| u8::from(i < cards.0[rank])));
    }
    cells
}

#[test]
fn the_hand_and_the_unseen_cards_are_thermometers() {
    let s = six();
    let own = s.cells(3, "hand");
    assert_eq!(own, thermometers(&hand("7 7 10 10 J")));
    assert_eq!(own.len(), 80);
    // Rank 7 has the cells 21..28, rank 10 the cells 45..55, the Jesters 78 and 79.
    assert_eq!(s.ones(3, "hand"), [21, 22, 45, 46, 78]);
    // The hands are complete here, so the others hold all unseen cards.
    let others = "12 12 12 2 11 11 3 12 12 12 12 12 12 12 12";
    assert_eq!(s.cells(3, "unseen"), thermometers(&hand(others)));
    // Stripped ranks do not count as unseen.
    let options = json!({"players": 4, "strip": "recommended"});
    let s = setup(options, &["1 J"]).dealt();
    let unseen = s.cells(0, "unseen");
    assert!(unseen[55..78].iter().all(|&c| c == 0), "no Stonecutters, no Peasants");
    assert_eq!(unseen.iter().sum::<u8>(), 57 - 15);
}

#[test]
fn the_set_to_beat() {
    let s = six();
    for p in 0..6 {
        assert_eq!(s.ones(p, "table_rank"), [7], "rank 8 is cell 7");
        assert_eq!(s.ones(p, "table_size"), [1], "two cards are cell 1");
        assert_eq!(s.cells(p, "table_jesters"), [1]);
        // Clockwise from the viewer to position 1, who played it, and to position 2, who passed.
        assert_eq!(s.ones(p, "last"), [usize::from((1 + 6 - p) % 6)]);
        assert_eq!(s.ones(p, "passed"), [usize::from((2 + 6 - p) % 6)]);
    }
    let s = s.after("7x2");
    assert_eq!(s.ones(0, "passed"), Vec::<usize>::new(), "a play clears the passes");
    assert_eq!(s.ones(0, "last"), [3]);
    let s = s.after("pass, pass, pass, pass");
    for block in ["table_rank", "table_size", "last", "passed"] {
        assert_eq!(s.ones(0, block), Vec::<usize>::new(), "{block} of an empty table");
    }
    assert_eq!(s.cells(0, "table_jesters"), [0]);
}

#[test]
fn jesters_alone_are_rank_thirteen() {
    let s = setup(json!({"players": 5}), &["J J 9", "12 12 11", "12", "12", "12"]).playing();
    let pair = s.after("JJ");
    assert_eq!((pair.ones(1, "table_rank"), pair.ones(1, "table_size")), (vec![12], vec![1]));
    assert_eq!(pair.cells(1, "table_jesters"), [2]);
    let one = s.after("J");
    assert_eq!((one.ones(1, "table_rank"), one.ones(1, "table_size")), (vec![12], vec![0]));
    assert_eq!(one.cells(1, "table_jesters"), [1]);
}

#[test]
fn players_position_and_title() {
    for players in 4..=12u8 {
        let s = setup(json!({"players": players}), &[]).dealt();
        for p in 0..players {
            assert_eq!(s.ones(p, "players"), [usize::from(players) - 4]);
            assert_eq!(s.ones(p, "position"), [usize::from(p)]);
            let title = match p {
                0 => 0,
                1 => 1,
                p if p == players - 2 => 3,
                p if p == players - 1 => 4,
                _ => 2,
            };
            assert_eq!(s.ones(p, "title"), [title]);
        }
    }
    // After a greater revolution the cells show the new positions.
    let s = setup(json!({"players": 5}), &["", "", "", "", "J J"]).dealt().after("call revolution");
    assert_eq!((s.seat(0).0, s.ones(0, "position"), s.ones(0, "title")), (4, vec![0], vec![0]));
    assert_eq!((s.ones(0, "revolution"), s.ones(1, "caller")), (vec![1], vec![4]));
}

#[test]
fn the_phase_shows_the_viewers_own_decision_only() {
    let options = json!({"players": 6, "merchant_exchange": "blind_choice", "misdeal_prob": 0.5});
    let mut s = setup(options, &["12 12 12", "J J 9 12", "12 12", "12"]).exposed("9", 1).dealt();
    let steps = [
        (0, 0, "keep misdeal"),
        (1, 1, "decline revolution"),
        (0, 2, "give 12"),
        (0, 2, "give 12"),
        (1, 2, "give 12"),
        (2, 3, "exchange with position 3"),
        (2, 4, "give 12"),
        (3, 4, "give 12"),
        (0, 5, "12"),
        (1, 5, "pass"),
    ];
    for (position, phase, action) in steps {
        for p in 0..6 {
            let expected = if p == position { vec![phase] } else { vec![] };
            assert_eq!(s.ones(p, "phase"), expected, "position {p} before {action}");
        }
        s.play(action);
    }
}

#[test]
fn nobody_has_a_phase_when_the_hand_is_over() {
    let s = setup(json!({"players": 4}), &["", "", "7", "12"]).playing().after("7");
    assert!((0..4).all(|p| s.ones(p, "phase").is_empty()));
}

#[test]
fn taxes_show_in_the_rows_of_the_two() {
    let s = setup(json!({"players": 5}), &["12 12 11", "10 12", "", "2 3", "1 2"]).dealt();
    assert_eq!(s.cells(0, "picks"), [0]);
    let one = s.after("give 12");
    assert_eq!((one.cells(0, "picks"), one.cells(4, "picks")), (vec![1], vec![0]));
    let mut picked = [0; 13];
    picked[11] = 1;
    assert_eq!(one.cells(0, "given"), picked);
    assert_eq!(one.after("give 11").cells(1, "picks"), [0]);
    let s = s.after("give 12, give 11, give 10");
    let counts = |text: &str| hand(text).0.to_vec();
    assert_eq!((s.cells(0, "given"), s.cells(0, "received")), (counts("11 12"), counts("1 2")));
    assert_eq!((s.cells(4, "given"), s.cells(4, "received")), (counts("1 2"), counts("11 12")));
    assert_eq!((s.cells(1, "given"), s.cells(1, "received")), (counts("10"), counts("2")));
    assert_eq!((s.cells(3, "given"), s.cells(3, "received")), (counts("2"), counts("10")));
    assert_eq!((s.cells(2, "given"), s.cells(2, "received")), (counts(""), counts("")));
    // Partners clockwise: four steps from 0, two from 1 to 3.
    let partners: Vec<Vec<usize>> = (0..5).map(|p| s.ones(p, "partner")).collect();
    assert_eq!(partners, [vec![4], vec![2], vec![], vec![3], vec![1]]);
    assert!((0..5).all(|p| s.ones(p, "revolution").is_empty() && s.ones(p, "exchange").is_empty()));
}

#[test]
fn an_exchange_shows_its_two_merchants_to_everybody() {
    let options = json!({"players": 8, "merchant_exchange": "blind_choice"});
    let s = setup(options, &[]).dealt().after_giving(3).after("exchange with position 4").after_giving(2);
    for p in 0..8u8 {
        let mut both = [usize::from((2 + 8 - p) % 8), usize::from((4 + 8 - p) % 8)];
        both.sort_unstable();
        assert_eq!(s.ones(p, "exchange"), both);
    }
    assert_eq!((s.ones(2, "partner"), s.ones(4, "partner")), (vec![2], vec![6]));
}

#[test]
fn revolutions_show_in_all_rows() {
    let s = setup(json!({"players": 5}), &["", "", "J J"]).dealt();
    let called = s.after("call revolution");
    for p in 0..5u8 {
        assert_eq!(called.ones(p, "revolution"), [0]);
        assert_eq!(called.ones(p, "caller"), [usize::from((2 + 5 - p) % 5)]);
        assert!(s.after("decline revolution").ones(p, "caller").is_empty());
    }
    assert!((0..5).all(|p| s.after("decline revolution").ones(p, "revolution").is_empty()));
}

#[test]
fn an_exposed_card_shows_with_its_receiver() {
    let hands = ["", "", "7", "", "2"];
    let s = setup(json!({"players": 5, "misdeal_prob": 0.5}), &hands).exposed("7", 2).dealt();
    for state in [s, s.after("keep misdeal")] {
        for p in 0..5u8 {
            assert_eq!(state.ones(p, "exposed_rank"), [6]);
            assert_eq!(state.ones(p, "exposed_receiver"), [usize::from((2 + 5 - p) % 5)]);
            assert!(state.ones(p, "exposed_to_peon").is_empty() && state.ones(p, "replacement").is_empty());
        }
    }
    let moved = s.after("misdeal to peon");
    let card = usize::from(moved.0.own[4].replacement.unwrap());
    for p in 0..5 {
        assert_eq!(moved.ones(p, "exposed_to_peon"), [0]);
        let expected = if p == 2 || p == 4 { vec![card] } else { vec![] };
        assert_eq!(moved.ones(p, "replacement"), expected);
    }
    let none = setup(json!({"players": 5}), &[]).dealt();
    assert!(none.ones(0, "exposed_rank").is_empty() && none.ones(0, "exposed_receiver").is_empty());
}

#[test]
fn the_deck_and_the_options_are_part_of_the_row() {
    let cells = |options: Value, block: &str| setup(options, &[]).dealt().cells(0, block);
    let bits = |options: Value| setup(options, &[]).dealt().ones(0, "options");
    assert_eq!(cells(json!({}), "deck"), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2]);
    assert_eq!(
        cells(json!({"players": 4, "strip": [3, 11]}), "deck"),
        [1, 2, 0, 4, 5, 6, 7, 8, 9, 10, 0, 12, 2]
    );
    // Cell 5 is standard scoring, 9 the first hand, 11 taxes.
    assert_eq!(bits(json!({})), [5, 9, 11]);
    assert_eq!(bits(json!({"first_deal_revolution": true})), [0, 5, 9]);
    assert_eq!(bits(json!({"tax_visibility": "seen"})), [1, 5, 9, 11]);
    assert_eq!(bits(json!({"merchant_exchange": "blind_choice"})), [2, 5, 9, 11]);
    assert_eq!(bits(json!({"merchant_exchange": "blind_random"})), [3, 5, 9, 11]);
    assert_eq!(bits(json!({"scoring": "none"})), [4, 9, 11]);
    assert_eq!(bits(json!({"scoring": "philanthropic"})), [6, 9, 11]);
    assert_eq!(bits(json!({"reward": "score"})), [5, 7, 9, 11]);
    assert_eq!(bits(json!({"hand_count_view": "hidden"})), [5, 8, 9, 11]);
    assert_eq!(bits(json!({"hands": 1})), [5, 9, 10, 11]);
    let second = setup(json!({"hands": 2, "first_deal_revolution": true}), &[]).hand_number(2, &[]).dealt();
    assert_eq!(second.ones(0, "options"), [0, 5, 10, 11]);
    let revolution = setup(json!({}), &["J J"]).dealt().after("call revolution");
    assert_eq!(revolution.ones(0, "options"), [5, 9], "no taxes are due");
    for (probability, percent) in [(0.0, 0), (0.125, 13), (0.5, 50), (1.0, 100)] {
        let exposed = setup(json!({"misdeal_prob": probability}), &[]).dealt();
        assert_eq!(exposed.cells(0, "misdeal_percent"), [percent]);
    }
    for (hands, number, left) in
        [(1, 1, 0), (20, 1, 19), (20, 20, 0), (1000, 1, 40), (50, 10, 40), (50, 11, 39)]
    {
        let s = setup(json!({"hands": hands}), &[]).hand_number(number, &[]).dealt();
        assert_eq!(s.cells(0, "hands_left"), [left]);
    }
}

#[test]
fn the_critics_cells_are_the_others_hands_clockwise() {
    let s = six();
    let mut row = vec![0xa5; width(Round::HIDDEN)];
    s.0.reveal(s.seat(3), &mut row);
    let hands = named(Round::HIDDEN, "other_hands").of(&row);
    let of = |other: usize| hands[13 * other..13 * other + 13].to_vec();
    let expected = ["", "3 12 12 12 12 12 12 12 12", "12", "12 12", "2 11 11"];
    for (other, cards) in expected.iter().enumerate() {
        assert_eq!(of(other), hand(cards).0);
    }
    assert!(hands[65..].iter().all(|&c| c == 0));
    assert_eq!(hands.len(), 143);
}

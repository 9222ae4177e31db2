//! The deck and the titles.

use serde_json::json;

use super::super::deck::{DECK, NAMES, from_text, title, to_text};
use super::situation::{hand, rules};

fn deck(options: serde_json::Value) -> [u8; 13] {
    rules(options).deck().0
}

#[test]
fn eighty_cards_rank_r_has_r_copies_and_there_are_two_jesters() {
    let full = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2];
    for players in 4..=12 {
        assert_eq!(deck(json!({"players": players})), full);
    }
    assert_eq!(full.iter().sum::<u8>(), 80);
    assert_eq!(DECK, 80);
}

#[test]
fn recommended_stripping_depends_on_the_number_of_players() {
    let four = deck(json!({"players": 4, "strip": "recommended"}));
    assert_eq!(four, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 2]);
    assert_eq!(four.iter().sum::<u8>(), 57);
    let five = deck(json!({"players": 5, "strip": "recommended"}));
    assert_eq!(five, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 2]);
    assert_eq!(five.iter().sum::<u8>(), 68);
    for players in 6..=12 {
        assert_eq!(deck(json!({"players": players, "strip": "recommended"})).iter().sum::<u8>(), 80);
    }
}

#[test]
fn a_list_strips_exactly_its_ranks_and_never_the_jesters() {
    assert_eq!(deck(json!({"players": 4, "strip": [1, 12, 5]})), [0, 2, 3, 4, 0, 6, 7, 8, 9, 10, 11, 0, 2]);
    assert_eq!(deck(json!({"players": 4, "strip": []})).iter().sum::<u8>(), 80);
}

#[test]
fn the_ranks_have_their_names() {
    assert_eq!(
        NAMES.join(", "),
        "Dalmuti, Archbishop, Earl Marshal, Baroness, Abbess, Knight, Seamstress, Mason, Cook, Shepherdess, \
         Stonecutter, Peasant, Jester"
    );
}

#[test]
fn the_titles_follow_the_positions() {
    let (gd, ld, m, lp, gp) =
        ("Greater Dalmuti", "Lesser Dalmuti", "Merchant", "Lesser Peon", "Greater Peon");
    let titles = |players: u8| (0..players).map(|p| title(p, players)).collect::<Vec<_>>();
    assert_eq!(titles(4), [gd, ld, lp, gp]);
    assert_eq!(titles(5), [gd, ld, m, lp, gp]);
    assert_eq!(titles(8), [gd, ld, m, m, m, m, lp, gp]);
    assert_eq!(titles(12), [gd, ld, m, m, m, m, m, m, m, m, lp, gp]);
}

#[test]
fn cards_are_written_in_order_and_read_in_any() {
    let cards = hand("J 12 7 1 7 j 10");
    assert_eq!(cards.0, [1, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 1, 2]);
    assert_eq!(to_text(&cards), "1 7 7 10 12 J J");
    assert_eq!(to_text(&hand("")), "");
    for wrong in ["0", "13", "x", "7x2", "-1", "7,7"] {
        assert_eq!(from_text(wrong).unwrap_err(), format!("`{wrong}` is not a card: expected 1 to 12 or J"));
    }
}

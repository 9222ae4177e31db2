//! The 116 cards.

use super::super::deck::{self, Cards, kinds, parts, to_text};
use super::situation::hand;

#[test]
fn the_deck_has_116_cards_of_57_kinds() {
    assert_eq!(Cards::ALL.total(), 116);
    assert_eq!(kinds().count(), 57);
    let count = |fits: fn(&str) -> bool| -> u32 {
        kinds().filter(|&k| fits(deck::card_name(k))).map(|k| u32::from(Cards::ALL.count(k))).sum()
    };
    assert_eq!(
        count(|name| name.ends_with(|c: char| c.is_ascii_digit()) && !name.contains('+')),
        64,
        "numbers"
    );
    for symbol in ["stop", "dir", "plus", "taki"] {
        let cards = kinds().filter(|&k| parts(k).is_some_and(|(_, s)| s.name() == symbol));
        assert_eq!(cards.map(|k| Cards::ALL.count(k)).sum::<u8>(), 8, "{symbol}");
    }
    assert_eq!(count(|name| name.len() == 3 && name.ends_with("+2")), 8);
    assert_eq!(count(|name| ["super", "king", "+3", "breaker"].contains(&name)), 8);
    assert_eq!(count(|name| name == "color"), 4);
}

#[test]
fn there_is_no_plain_two() {
    let numbers: Vec<&str> = kinds().take(8).map(deck::card_name).collect();
    assert_eq!(numbers, ["R1", "R3", "R4", "R5", "R6", "R7", "R8", "R9"]);
    assert!(deck::card_from("R2").is_err());
}

#[test]
fn cards_are_written_and_read_back() {
    for text in ["R1 R5 R5 Bstop G+2 Ydir Ytaki color color color super king +3 breaker breaker", "Rplus"] {
        assert_eq!(to_text(&hand(text)), text);
        assert_eq!(hand(&text.to_ascii_uppercase()), hand(text));
    }
    assert_eq!(to_text(&hand("king R5 B1")), "R5 B1 king");
    assert!(deck::from_text("R5 R5 R5").unwrap_err().contains("only 2 cards `R5`"));
    assert!(deck::from_text("color color color color color").is_err());
    assert!(deck::from_text("R5 X1").unwrap_err().contains("`X1` is not a card"));
}

#[test]
fn sets_of_cards_add_and_subtract() {
    // Compare with counting each kind of card.
    let sets = [
        "",
        "R5",
        "R5 R5",
        "color",
        "color color",
        "color color color",
        "color color color color",
        "R5 B1 king",
    ];
    for a in sets.map(hand) {
        for b in sets.map(hand) {
            for kind in kinds() {
                let [x, y] = [&a, &b].map(|set| set.count(kind));
                assert_eq!(a.with(&b).count(kind), (x + y).min(Cards::ALL.count(kind)));
                assert_eq!(a.without(&b).count(kind), x.saturating_sub(y));
                assert_eq!(a.common(&b).count(kind), x.min(y));
            }
            assert_eq!(a.contains(&b), kinds().all(|k| a.count(k) >= b.count(k)));
        }
        assert_eq!(a.total(), kinds().map(|k| u32::from(a.count(k))).sum::<u32>());
        assert_eq!(a.among(u64::MAX), a.total());
        assert_eq!(a.among(deck::bit(deck::CHANGE)), u32::from(a.count(deck::CHANGE)));
        let mut rest = a;
        a.cards().for_each(|card| rest.remove(card));
        assert_eq!(rest, Cards::NONE);
    }
}

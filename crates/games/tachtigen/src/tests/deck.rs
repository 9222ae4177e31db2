//! The cards, their values, and the order of ranks in plain suits and in trump.

use super::super::deck::{CARDS, Card, Cards, Suit, Trump};
use super::situation::{card, cards};

#[test]
fn cards_are_numbered_by_suit_and_rank() {
    let all =
        "S7 S8 S9 ST SJ SQ SK SA H6 H7 H8 H9 HT HJ HQ HK HA D7 D8 D9 DT DJ DQ DK DA C7 C8 C9 CT CJ CQ CK CA";
    assert_eq!(Cards::ALL.to_string(), all);
    for (number, name) in all.split(' ').enumerate() {
        let card = card(name);
        assert_eq!((card.number(), Card::new(number as u8)), (number, Some(card)));
        assert_eq!(Card::of(card.suit(), card.rank()), Some(card));
        assert!(card.suit().cards().has(card));
        assert_eq!(name.chars().next(), Some(card.suit().letter()));
    }
    assert_eq!(Card::new(CARDS as u8), None);
    assert_eq!(Card::of(Suit::Spades, 0), None);
    for wrong in ["S6", "H5", "sj", "J", "", "S10", "X7"] {
        assert!(wrong.parse::<Card>().is_err(), "{wrong}");
    }
    assert!("SJ SJ".parse::<Cards>().is_err());
}

#[test]
fn trump_and_plain_suits_have_orders_of_their_own() {
    for (trump, order) in
        [(Trump::Hearts, "HJ H9 HA HK HQ HT H8 H7 H6"), (Trump::Clubs, "HA HK HQ HJ HT H9 H8 H7 H6")]
    {
        let order: Vec<Card> = order.split(' ').map(card).collect();
        for (i, low) in order.iter().enumerate() {
            assert_eq!(low.above(trump), order[..i].iter().copied().collect(), "{low} with {trump}");
        }
    }
    assert_eq!(card("SA").above(Trump::None), Cards::NONE);
    assert_eq!(card("CJ").above(Trump::None), cards("CQ CK CA"));
}

#[test]
fn the_deck_counts_141_with_trump_and_108_without() {
    for trump in Trump::ALL {
        let total = if trump == Trump::None { 108 } else { 141 };
        assert_eq!(Cards::ALL.value(trump), total);
        for suit in Suit::ALL {
            assert_eq!(suit.cards().value(trump), if trump.is(suit) { 60 } else { 27 });
        }
    }
    let values = |text: &str| -> Vec<u8> { text.split(' ').map(|c| card(c).value(Trump::Spades)).collect() };
    assert_eq!(values("SJ S9 SA SK SQ ST S8 S7"), [20, 14, 11, 3, 2, 10, 0, 0]);
    assert_eq!(values("HA HK HQ HJ HT H9 H8 H7 H6"), [11, 3, 2, 1, 10, 0, 0, 0, 0]);
}

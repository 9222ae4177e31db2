use cardsharp_env::{Draw, GAMES, mask};

use super::*;

/// Checks beliefs at decisions of sessions between scripted players. The expected number of cards matches each hand. No
/// card is believed to be where it cannot be. Repeated draws agree.
#[test]
fn beliefs_are_of_the_cards_that_others_hold() {
    for game in GAMES.iter().filter(|game| game.players().count() > 1) {
        let (mut looked, mut draw) = (0, Draw::new(4, 0));
        for seed in 0..6 {
            let mut table = game.default_rules().table(seed);
            while let Some(seat) = table.turn() {
                let view = table.view(seat).expect("whose turn it is has a view");
                let legal = view.legal_words();
                if draw.chance(0.05) {
                    let found = beliefs(view, 60, 9, None).expect("a view that a game has reached");
                    assert_eq!(beliefs(view, 60, 9, None).as_ref(), Some(&found));
                    assert!(found.seats.iter().all(|believed| believed.seat != seat));
                    for Believed { seat: other, cards, .. } in &found.seats {
                        let held =
                            table.view(*other).map_or(0, |seen| seen.hand().split_whitespace().count());
                        let mean: f64 = cards.iter().map(|chance| chance.mean).sum();
                        assert!((mean - held as f64).abs() < 1e-9, "{}: {mean} of {held}", game.name());
                        for Chance { card, any, mean } in cards {
                            assert!(*any > 0.0 && *any <= 1.0 && any <= mean, "{card}: {any} and {mean}");
                        }
                    }
                    looked += 1;
                }
                let action = match draw.below(3) {
                    0 => mask::nth(&legal, draw.below(mask::count(&legal))).expect("a legal move"),
                    _ => view.scripted(),
                };
                table.try_play(action).expect("a legal move");
            }
        }
        assert!(looked > 10, "{}: {looked}", game.name());
    }
}

/// The partner is the seat with the requested card. So its probabilities are those of that card, and sum to 1.
#[test]
fn a_seat_is_the_partner_as_probably_as_it_holds_the_called_card() {
    let game = cardsharp_env::game("tachtigen").expect("a game of the list");
    let mut looked = 0;
    for seed in 0..200 {
        let mut table = game.default_rules().table(seed);
        while let Some(seat) = table.turn() {
            let view = table.view(seat).expect("whose turn it is has a view");
            let json = view.json();
            let asked = &json["table"]["asked"]["card"];
            if let (Some(asked), true) = (asked.as_str(), json["table"]["partner"].is_null()) {
                let found = beliefs(view, 100, 3, None).expect("a view that a game has reached");
                let mut sum = f64::from(u8::from(view.is_partner() == Some(true)));
                for Believed { partner, cards, .. } in &found.seats {
                    let of =
                        cards.iter().find(|chance| chance.card == asked).map_or(0.0, |chance| chance.any);
                    assert_eq!(*partner, Some(of));
                    sum += of;
                }
                // Except if the bidder put the card aside.
                assert!(sum < 1.0 + 1e-9);
                looked += usize::from((sum - 1.0).abs() < 1e-9);
            }
            table.try_play(view.scripted()).expect("a legal move");
        }
    }
    assert!(looked > 20, "{looked}");
}

#[test]
fn cards_stand_in_the_order_of_hands() {
    let mut order = Order::default();
    for hand in ["A Q Q 2", "A 7", "K 7 2", "A K", "K Q", "Q 7"] {
        let mut last = "";
        for card in hand.split_whitespace() {
            order.follows(last, card);
            last = card;
        }
    }
    assert_eq!(order.all(), ["A", "K", "Q", "7", "2"]);
}

use cardsharp_env::game::Check as _;
use cardsharp_env::{DealRng, Play as _, Seat};

use super::situation::players;
use crate::cards::{Cards, Rank};
use crate::{Round, Rules, SessionState};

fn deal(rules: &Rules, seed: u64) -> Round {
    let round = Round::deal(rules, &SessionState::FRESH, DealRng::new(seed, 1));
    round.audit().unwrap();
    round
}

#[test]
fn five_cards_each_and_seven_for_two_players() {
    for (count, each) in [(2, 7), (3, 5), (5, 5), (12, 5)] {
        let round = deal(&players(count), 1);
        assert!(round.own[..usize::from(count)].iter().all(|own| own.hand.len() == each));
        assert!(round.own[usize::from(count)..].iter().all(|own| own.hand == Cards::NONE));
    }
}

#[test]
fn more_than_five_players_use_two_decks() {
    assert_eq!(deal(&players(5), 1).table.pile, 52 - 5 * 5 - 1);
    assert_eq!(deal(&players(6), 1).table.pile, 104 - 6 * 5 - 1);
}

#[test]
fn anybody_deals_and_who_sits_after_the_dealer_begins() {
    let mut dealt = [0; 3];
    for seed in 0..300 {
        let table = deal(&players(3), seed).table;
        dealt[table.dealer.index()] += 1;
        assert_eq!(table.turn, Seat((table.dealer.0 + 1) % 3));
    }
    assert!(dealt.iter().all(|times| (70..130).contains(times)), "{dealt:?}");
}

#[test]
fn every_card_but_an_eight_is_turned_up_equally_often() {
    let mut turned = [0; 52];
    for seed in 0..4800 {
        turned[usize::from(deal(&players(4), seed).table.top.0)] += 1;
    }
    let (eights, others): (Vec<_>, Vec<_>) =
        turned.iter().enumerate().partition(|(card, _)| card / 4 == usize::from(Rank::EIGHT.0));
    assert!(eights.iter().all(|&(_, times)| *times == 0));
    assert!(others.iter().all(|&(_, times)| (60..145).contains(times)), "{turned:?}");
}

#[test]
fn eights_that_were_put_back_lie_anywhere_in_the_pile() {
    // By depth in the pile: eights that were not turned up must not be more likely near the top.
    let mut eights = [0; 4];
    for seed in 0..3000 {
        let round = deal(&players(3), seed);
        let pile = &round.pile[..usize::from(round.table.pile)];
        for (quarter, cards) in pile.chunks(pile.len() / 4).take(4).enumerate() {
            eights[quarter] += cards.iter().filter(|card| card.face().rank() == Rank::EIGHT).count();
        }
    }
    let all: usize = eights.iter().sum();
    assert!(eights.iter().all(|&n| n * 4 > all * 9 / 10 && n * 4 < all * 11 / 10), "{eights:?}");
}

//! Replays games that OpenSpiel played, move by move.
//!
//! A line of `open_spiel.txt` is a game, in three parts with `|` between them. First: players, `max_draw_cards`,
//! `max_turns`, `use_special_cards`, `reshuffle`, dealer. Second: every dealt card as `=card`, and every decision as
//! `action:legal actions`, with OpenSpiel's numbers and legal actions as hexadecimal bits. Third: the returns.

use cardsharp_env::game::Check as _;
use cardsharp_env::{ActionId, Actions as _, DealRng, Play as _, Seat, Turn};

use crate::cards::{CARDS, Card, Cards, FACES, Face, Rank};
use crate::{Round, Rules, SessionState};

const GAMES: &str = include_str!("open_spiel.txt");

/// One step of a game.
#[derive(Copy, Clone, Debug)]
enum Step {
    Chance(Face),
    Decision { action: ActionId, legal: u64 },
}

fn step(word: &str) -> Step {
    if let Some(card) = word.strip_prefix('=') {
        return Step::Chance(Face(card.parse().unwrap()));
    }
    let (action, legal) = word.split_once(':').unwrap();
    Step::Decision {
        action: ActionId(action.parse().unwrap()),
        legal: u64::from_str_radix(legal, 16).unwrap(),
    }
}

/// The cards that chance deals from here on.
fn dealt(steps: &mut std::iter::Peekable<impl Iterator<Item = Step>>) -> Vec<Face> {
    std::iter::from_fn(|| match steps.peek() {
        Some(&Step::Chance(face)) => {
            steps.next();
            Some(face)
        }
        _ => None,
    })
    .collect()
}

/// Deals these cards, the last one turned up, whatever eights were turned up before it.
fn deal(rules: &Rules, dealer: Seat, dealt: &[Face]) -> Round {
    let mut left = Cards::decks(rules.decks());
    let mut take = |face: Face| {
        let card = left.card(face);
        left.remove(card);
        card
    };
    let hands = usize::from(rules.players * rules.dealt());
    let (hands, turned) = dealt.split_at(hands);
    let (first, eights) = turned.split_last().unwrap();
    assert!(eights.iter().all(|face| face.rank() == Rank::EIGHT));
    let upper: Vec<Card> = hands.iter().map(|&face| take(face)).collect();
    let first = take(*first);
    let pile: Vec<Card> = left.iter().chain([first]).chain(upper.into_iter().rev()).collect();
    let place = usize::from(left.len());
    let mut cards = [Card::default(); CARDS];
    cards[..pile.len()].copy_from_slice(&pile);
    assert_eq!(pile.len(), FACES * usize::from(rules.decks()));
    Round::begin(rules, &SessionState::FRESH, dealer, (cards, place), DealRng::new(1, 1))
}

/// Replaces the cards that `seat` has just drawn by those that OpenSpiel's game dealt.
fn exchange(before: &Round, after: &mut Round, seat: Seat, wanted: &[Face]) {
    let hand = &mut after.own[seat.index()].hand;
    let drawn = hand.without(before.own[seat.index()].hand);
    assert_eq!(usize::from(drawn.len()), wanted.len(), "cards drawn");
    let mut wanted = wanted.to_vec();
    // Cards of a pile that is now used up are drawn in both games. Cards of a new pile may differ.
    let (new, old): (Vec<Card>, Vec<Card>) = drawn.iter().partition(|&card| after.table.stock.has(card));
    for card in old.into_iter().chain(new) {
        if let Some(place) = wanted.iter().position(|&face| face == card.face()) {
            wanted.remove(place);
            hand.remove(card);
            hand.add(card);
        } else {
            hand.remove(card);
        }
    }
    let mut homeless: Vec<Card> = drawn.without(*hand).iter().collect();
    for face in wanted {
        let pile = &mut after.pile[..usize::from(after.table.pile)];
        let place = pile.iter().position(|card| card.face() == face).expect("it can be drawn");
        hand.add(pile[place]);
        pile[place] = homeless.pop().unwrap();
    }
}

#[track_caller]
fn replay(line: &str) -> usize {
    let [rules, steps, returns] = line.split('|').collect::<Vec<_>>().try_into().unwrap();
    let rules: Vec<u16> = rules.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let [players, draws, max_turns, special, reshuffle, dealer] = rules.try_into().unwrap();
    let rules = Rules {
        players: players as u8,
        max_draw_cards: draws as u8,
        max_turns,
        use_special_cards: special == 1,
        reshuffle: reshuffle == 1,
        ..Rules::default()
    };
    let mut steps = steps.split_whitespace().map(step).peekable();
    let mut round = deal(&rules, Seat(dealer as u8), &dealt(&mut steps));
    let mut decisions = 0;
    while let Some(step) = steps.next() {
        let Step::Decision { action, legal } = step else { panic!("a card is dealt to nobody") };
        let Turn::Decide(seat) = round.turn() else { panic!("the game is over") };
        let mine = Round::legal(round.view(seat));
        assert_eq!(mine.0, [legal], "legal actions at decision {decisions} of {line}");
        let before = round;
        round.play(action);
        exchange(&before, &mut round, seat, &dealt(&mut steps));
        round.audit().unwrap();
        decisions += 1;
    }
    assert_eq!(round.turn(), Turn::RoundOver, "{line}");
    let points = round.settle(&mut SessionState::FRESH.clone()).points;
    let returns: Vec<i32> = returns.split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert_eq!(points[..returns.len()], returns, "{line}");
    decisions
}

#[test]
fn games_that_open_spiel_played_are_played_alike() {
    let decisions: usize = GAMES.lines().map(replay).sum();
    println!("{} games, {decisions} decisions", GAMES.lines().count());
    assert!(GAMES.lines().count() >= 30 && decisions > 2000);
}

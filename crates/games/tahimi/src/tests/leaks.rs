//! Leaks in Tahimi: above all, how many jokers their holder chose to pay.

use cardsharp_climbing::Bounded;
use cardsharp_engine::Actions;
use cardsharp_engine::Play;
use cardsharp_engine::game::Determinize;
use cardsharp_engine::testing::leaks::{Secrets, play, questions, seen};
use cardsharp_engine::testing::random_action;
use cardsharp_engine::{ActionId, DealRng, Draw, Seat, Turn, mask};

use crate::{Ask, Deck, JOKER, JokerTax, Jokers, Move, Round, Rules, Stage};

impl Secrets for Round {
    /// Actions before the play may deal or move cards: a decree is followed by the deal.
    fn shows_only_itself(&self, _: ActionId) -> bool {
        self.table().stage == Stage::Play
    }

    fn visibly_moved_on(&self, after: &Self) -> bool {
        self.table().stage != after.table().stage
    }
}

cardsharp_engine::leak_tests!(Round, secret_choices);

/// Returns rounds in which a payer is asked how many jokers to pay. With eight players and progressive taxes, three
/// payers may be asked.
fn offers() -> impl Iterator<Item = (Round, Seat)> {
    let rules = Rules {
        players: 8,
        deck: Deck::ExtraSuits,
        jokers: Jokers::Low,
        joker_tax: JokerTax::Holder,
        first_round_tax: true,
        ..Rules::default()
    };
    questions(rules, |round: &Round, seat| round.own(seat).ask == Ask::TaxJokers)
}

#[test]
fn only_the_holder_sees_the_question_and_only_the_pair_the_answer() {
    for (round, holder) in offers().take(60) {
        // The serf, at position 7, pays three cards, position 6 pays two, and position 5 pays one.
        let due = round.table().position_of(holder) - 4;
        for seat in (0..8).map(Seat) {
            let asked = round.own(seat).ask == Ask::TaxJokers;
            assert_eq!(asked, seat == holder);
            let choices = if asked { 1 + u32::from(round.own(seat).hand.0[JOKER].min(due)) } else { 0 };
            assert_eq!(mask::count(&Round::legal(round.view(seat)).0), choices);
        }
        let [mut none, mut one] = [round; 2];
        let jokers = |number| Move::PayJokers(Bounded::new(number).expect("a joker at most")).id();
        none.play(jokers(0));
        one.play(jokers(1));
        let partner = round.table().order[7 - usize::from(round.table().position_of(holder))];
        for seat in (0..8).map(Seat).filter(|&seat| seat != holder && seat != partner) {
            assert_eq!(seen(&none, seat), seen(&one, seat));
        }
    }
}

#[test]
fn that_somebody_was_asked_leaves_no_trace() {
    // A viewer who receives no taxes and holds no joker sees the same round whether or not a payer was asked. Some
    // determinizations of the view give no payer a joker.
    let mut compared = 0;
    for (mut round, _) in offers().take(12) {
        let mut draw = Draw::new(5, 0);
        while let Turn::Decide(seat) = round.turn() {
            if round.table().stage == Stage::Play {
                break;
            }
            round.play(random_action(&round, seat, &mut draw));
        }
        for position in [3, 4] {
            let viewer = round.table().order[position];
            let asked = |round: &Round| {
                (5..8).any(|p| {
                    let own = round.own(round.table().order[p]);
                    // Jokers that were dealt: those in hand and those paid, without those received.
                    own.hand.0[JOKER] + own.given.0[JOKER] > own.received.0[JOKER]
                })
            };
            let deals: Vec<Round> = (0..200)
                .map(|seed| Round::determinize(round.view(viewer), DealRng::new(seed, 0)).unwrap())
                .collect();
            if round.own(viewer).hand.0[JOKER] < 2 {
                assert!(deals.iter().any(asked) && !deals.iter().all(asked));
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn tax_choices_are_never_public_and_everything_else_is() {
    play::<Round>(30, 29, |round, actor, action, _| {
        let secret = matches!(round.own(actor).ask, Ask::TaxJokers | Ask::Return);
        assert_eq!(Round::is_public(action), !secret);
        assert!(secret || !matches!(Move::of(action), Some(Move::PayJokers(_))));
    });
}

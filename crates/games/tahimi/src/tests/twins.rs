//! Pairs of sessions whose rules differ in one option that has no effect, or only one.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Observe, Play, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::Draw;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{ActionId, Seat};

use super::super::Round;
use super::super::rules::{DeucesSpecial, Rules};
use super::super::variant::Deck;

/// Random rules without decrees, so that an option is the same in all rounds.
fn plain(draw: &mut Draw) -> Rules {
    Rules { decree: super::super::rules::Decree::Off, ..Rules::random(draw) }
}

fn pick(round: &Round, seat: Seat, draw: &mut Draw) -> ActionId {
    let legal = Round::legal(round.view(seat));
    legal.random(draw).unwrap()
}

/// The same round with twos low.
fn twos_low(round: &Round) -> Round {
    let mut round = *round;
    round.table.rules.deuces_high = false;
    round.table.variant.deuces_high = false;
    round
}

#[test]
fn deuces_high_changes_nothing_but_names() {
    let mut draw = Draw::new(31, 0);
    for seed in 0..150 {
        let rules = Rules { deuces_special: DeucesSpecial::Relabel, deuces_high: false, ..plain(&mut draw) };
        let high = Rules { deuces_high: true, ..rules };
        let [mut one, mut two] = [rules, high].map(|rules| Session::<Round>::new(rules, seed));
        loop {
            while let Turn::Decide(seat) = one.round().turn() {
                assert_eq!(*one.round(), twos_low(two.round()));
                let rows = [one.round(), two.round()].map(|round| {
                    let mut row = vec![9; cardsharp_engine::blocks::width(Round::OBSERVATION)];
                    Round::observe(round.view(seat), &mut row);
                    row
                });
                assert_eq!(rows[0], rows[1]);
                assert_eq!(Round::legal(one.round().view(seat)), Round::legal(two.round().view(seat)));
                let action = pick(one.round(), seat, &mut draw);
                one.round_mut().play(action);
                two.round_mut().play(action);
            }
            assert_eq!(one.settle(), two.settle());
            assert_eq!((one.standing(), one.is_last()), (two.standing(), two.is_last()));
            if one.is_last() {
                break;
            }
            one.deal_next();
            two.deal_next();
        }
    }
}

#[test]
fn literal_deuces_differ_only_in_the_special_deck_of_five_and_more() {
    let mut draw = Draw::new(32, 0);
    let mut differ = 0;
    for seed in 0..300 {
        let rules = Rules { deuces_special: DeucesSpecial::Relabel, deuces_high: true, ..plain(&mut draw) };
        let literal = Rules { deuces_special: DeucesSpecial::Literal, ..rules };
        let [one, two] = [rules, literal].map(|rules| *Session::<Round>::new(rules, seed).round());
        if one.table.deck != two.table.deck {
            assert!(rules.deck == Deck::Special && rules.players > 4);
            differ += 1;
        }
        assert_eq!(one.table.deck.total(), two.table.deck.total());
        assert_eq!(rules.variant(), literal.variant());
    }
    assert!(differ > 20, "{differ}");
}

#[test]
fn rank_privilege_changes_only_leads_after_a_taker_who_is_out() {
    let mut draw = Draw::new(33, 0);
    let mut leads = [0u32; 2];
    for seed in 0..400 {
        let with = Rules { rank_privilege: true, ..plain(&mut draw) };
        let without = Rules { rank_privilege: false, ..with };
        let [mut one, mut two] = [with, without].map(|rules| Session::<Round>::new(rules, seed));
        while let Turn::Decide(seat) = one.round().turn() {
            let legal = Round::legal(one.round().view(seat));
            assert_eq!(legal, Round::legal(two.round().view(seat)));
            let was = one.round().table.trick;
            let action = pick(one.round(), seat, &mut draw);
            one.round_mut().play(action);
            two.round_mut().play(action);
            let mut other = *two.round();
            other.table.rules.rank_privilege = true;
            other.table.variant.rank_privilege = true;
            let is = one.round().table.trick;
            let out_took = was.size > 0 && is.size == 0 && !is.still_in.has(is.last);
            if out_took {
                leads[usize::from(is.turn == other.table.trick.turn)] += 1;
                other.table.trick.turn = is.turn;
            }
            assert_eq!(*one.round(), other);
            if one.round().turn() != two.round().turn() {
                break;
            }
        }
    }
    assert!(leads.iter().all(|&n| n > 50), "leads that differ and that do not: {leads:?}");
}

#[test]
fn fixed_seating_is_one_of_the_random_ones() {
    // The cards of a deal depend on the seed, not on the order of seats.
    let base = Rules::default();
    let random = Session::<Round>::new(base, 3);
    let fixed = Session::<Round>::new(Rules { seating: super::super::rules::Seating::Fixed, ..base }, 3);
    for p in 0..4 {
        assert_eq!(random.round().own[p].hand, fixed.round().own[p].hand);
    }
}

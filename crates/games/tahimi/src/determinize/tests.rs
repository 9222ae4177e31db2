//! Determinization: own exchanges, jokers of undecided payers, plausible taxes, and uniform deals.

use cardsharp_climbing::determinize::beyond;
use cardsharp_climbing::determinize::testing::{assert_near, assert_uniform, begun, walk};
use cardsharp_engine::Session;
use cardsharp_engine::game::{Check, Play, Scripted, Turn};
use cardsharp_engine::{MAX_SEATS, Seat};

use super::*;
use crate::deck::{NATURALS, RANKS, from_text};
use crate::rules::{Rules, Trim};
use crate::state::{Ask, Stage};
use crate::variant::{Deck, JokerTax, Jokers, TaxSchedule};

/// Rules for eight players with three pairs, and taxes from the first round on.
fn three_pairs(joker_tax: JokerTax) -> Rules {
    Rules {
        players: 8,
        deck: Deck::Special,
        trim: Trim::None,
        jokers: Jokers::Low,
        joker_tax,
        first_round_tax: true,
        tax_schedule: TaxSchedule::Progressive,
        rounds: 2,
        ..Rules::default()
    }
}

/// The first round of these rules, by seed, in which a player has the decision `ask` and `fits` is true.
fn find(rules: Rules, ask: Ask, fits: impl Fn(&Round) -> bool) -> Round {
    for seed in 0..20_000 {
        let mut session = Session::<Round>::new(rules, seed);
        while session.round().table.stage != Stage::Play {
            let round = session.round();
            if round.own[usize::from(round.asking)].ask == ask && fits(round) {
                return *round;
            }
            let Turn::Decide(seat) = round.turn() else { break };
            let action = Round::scripted(round.view(seat));
            session.round_mut().play(action);
        }
    }
    panic!("no such round");
}

/// The cards that the other players hold.
fn unseen(view: View<'_>) -> Cards {
    beyond(&beyond(&view.table.deck, &view.own.hand), &view.table.memory.gone)
}

fn seat_at(round: &Round, position: usize) -> Seat {
    round.table.order[position]
}

#[test]
fn unseen_cards_are_anywhere_with_equal_chances() {
    // The first round has no taxes, so players play the hands dealt: six hands of nine cards.
    let rules = Rules { players: 6, jokers: Jokers::Wild, ..Rules::default() };
    let round = begun::<Round>(rules, 3, 40);
    let view = round.view(Seat(2));
    let unseen = unseen(view);
    assert!(unseen.total() > 20 && unseen.0[JOKER] > 0, "{unseen:?}");
    let mut size = round.table.cards;
    size[usize::from(round.table.position_of(Seat(2)))] = 0;
    assert_uniform(&unseen, &size, 20_000, |seed| {
        Round::determinize(view, DealRng::new(seed, 0)).unwrap().own.map(|own| own.hand)
    });
}

#[test]
fn every_card_that_can_be_elsewhere_is() {
    for (seed, joker_tax) in [JokerTax::Low, JokerTax::High, JokerTax::Holder].into_iter().enumerate() {
        let round = begun::<Round>(three_pairs(joker_tax), seed as u64, 30);
        assert_eq!(round.table.stage, Stage::Play);
        for me in 0..8 {
            let view = round.view(seat_at(&round, me));
            let mut seen = [[false; RANKS]; MAX_SEATS];
            for seed in 0..6_000 {
                for (seen, own) in
                    seen.iter_mut().zip(Round::determinize(view, DealRng::new(seed, 0)).unwrap().own)
                {
                    seen.iter_mut().zip(own.hand.0).for_each(|(seen, n)| *seen |= n > 0);
                }
            }
            let (own, unseen) = (view.own, unseen(view));
            let partner = own.partner.map(usize::from);
            // The partner holds the cards that the viewer gave, except those returned or played.
            let gave = if me < 3 { own.given } else { beyond(&own.given, &own.received) };
            let known = partner.map_or(Cards::NONE, |p| beyond(&gave, &round.table.memory.played[p]));
            for p in (0..8).filter(|&p| p != me && round.table.held(p as u8) > 0) {
                let all_known = Some(p) == partner && known.total() == u32::from(round.table.held(p as u8));
                for rank in (0..RANKS).filter(|&rank| unseen.0[rank] > 0) {
                    // A payer keeps no card better than those paid, but may receive such cards.
                    let natural_paid = own.received.0[..NATURALS].iter().rposition(|&n| n > 0);
                    let kept = match (joker_tax, rank) {
                        (JokerTax::High, JOKER) => natural_paid.is_none(),
                        (_, JOKER) => true,
                        _ => natural_paid.is_none_or(|worst| rank >= worst),
                    };
                    let free = unseen.0[rank] > known.0[rank] && !all_known;
                    let can = match Some(p) == partner {
                        true => known.0[rank] > 0 || free && (kept || me > 2),
                        false => free,
                    };
                    assert_eq!(seen[p][rank], can, "{me} looks at {p}, rank index {rank}, {joker_tax:?}");
                }
            }
        }
    }
}

#[test]
fn own_exchanges_are_respected() {
    let mut checked = [[0; 2]; 3];
    for (number, joker_tax) in [JokerTax::Low, JokerTax::High, JokerTax::Holder].into_iter().enumerate() {
        walk(
            |draw| Rules {
                players: 4 + draw.below(5) as u8,
                deck: Deck::ExtraSuits,
                joker_tax,
                jokers: Jokers::Wild,
                first_round_tax: true,
                ..three_pairs(joker_tax)
            },
            20,
            |round: &Round, draw| {
                let pairs = round.table.pairs().len();
                if round.table.stage != Stage::Play || draw.below(4) != 0 {
                    return;
                }
                for high in 0..pairs {
                    let low = usize::from(round.table.players) - 1 - high;
                    let [mine, theirs] = [high, low].map(|p| round.own[p]);
                    let played = |p: usize| round.table.memory.played[p];
                    // From the receiver's view: the payer has the returned cards, and no card better than the tribute.
                    let other =
                        Round::determinize(round.view(seat_at(round, high)), DealRng::new(draw.bits(), 0))
                            .unwrap();
                    let below = sum(&other.own[low].hand, &played(low));
                    assert!(below.contains(&mine.given));
                    let kept = beyond(&below, &mine.given);
                    let paid = |rank: usize| mine.received.0[rank] > 0;
                    let worst = (0..NATURALS).rev().find(|&rank| paid(rank)).unwrap_or(0);
                    assert!((0..worst).all(|rank| kept.0[rank] == 0), "{kept:?} below {:?}", mine.received);
                    let jokers_left = kept.0[JOKER] > 0 && worst > 0;
                    assert!(
                        joker_tax != JokerTax::High || !jokers_left,
                        "{kept:?} after {:?}",
                        mine.received
                    );
                    // From the payer's view: the receiver has the cards paid, unless they came straight back.
                    let other =
                        Round::determinize(round.view(seat_at(round, low)), DealRng::new(draw.bits(), 0))
                            .unwrap();
                    let above = sum(&sum(&other.own[high].hand, &played(high)), &theirs.received);
                    assert!(above.contains(&theirs.given));
                    checked[number][0] += 1;
                    checked[number][1] += u32::from(mine.received.0[JOKER] > 0);
                }
            },
        );
    }
    assert!(checked.iter().all(|&[all, _]| all > 2_000), "{checked:?}");
    assert!(checked[0][1] == 0 && checked[1][1] > 200 && checked[2][1] > 100, "{checked:?}");
}

#[test]
fn somebody_who_decides_about_jokers_has_some() {
    // The serf holds no joker and waits while another payer decides: position 5 or 6.
    let round = find(three_pairs(JokerTax::Holder), Ask::TaxJokers, |round| {
        round.asking != 7 && round.own[7].hand.0[JOKER] == 0
    });
    let view = round.view(seat_at(&round, 7));
    let deals = 20_000u32;
    let (mut asked, mut jokers) = ([0u32; 8], [0u32; 8]);
    for seed in 0..u64::from(deals) {
        let other = Round::determinize(view, DealRng::new(seed, 0)).unwrap();
        let asking = usize::from(other.asking);
        assert!(other.own[asking].ask == Ask::TaxJokers && other.own[asking].hand.0[JOKER] > 0);
        asked[asking] += 1;
        jokers.iter_mut().zip(&other.own).for_each(|(all, own)| *all += u32::from(own.hand.0[JOKER]));
    }
    assert_eq!(asked.iter().sum::<u32>(), asked[5] + asked[6]);
    // All pairs of places for the two jokers are equally likely, if at least one place is at position 5 or 6.
    let places = |p: usize| f64::from(round.table.cards[p]);
    let here = places(5) + places(6);
    let others: f64 = (0..5).map(places).sum();
    let ways = here * (here - 1.0) / 2.0 + here * others;
    for (p, &found) in jokers[..7].iter().enumerate() {
        let with_other = if p < 5 { here } else { here - 1.0 + others };
        let expected = places(p) * with_other / ways * f64::from(deals);
        assert_near(found, expected, format_args!("jokers at position {p}"));
    }
    assert!(asked[5] > 8_000 && asked[6] > 8_000, "{asked:?}");
}

#[test]
fn who_has_decided_about_jokers_knows_that_a_higher_one_decides() {
    let round = find(three_pairs(JokerTax::Holder), Ask::TaxJokers, |round| round.asking == 7);
    let mut both = [false; 2];
    let mut decided = round;
    decided.own[7].ask = Ask::Nothing;
    decided.own[7].given.0[JOKER] = 1;
    decided.ask(6, Ask::TaxJokers);
    // The other joker is at position 5 or 6, and either of them may be deciding.
    let view = decided.view(seat_at(&decided, 7));
    for seed in 0..200 {
        let other = Round::determinize(view, DealRng::new(seed, 0)).unwrap();
        both[usize::from(other.asking) - 5] = true;
        assert_eq!(other.own[7], decided.own[7]);
        assert_eq!(other.audit(), Ok(()));
    }
    assert_eq!(both, [true; 2]);
    // With both jokers in the viewer's hand no other payer has one, so only the viewer can be asked.
    let mut impossible = decided;
    while impossible.own[7].hand.0[JOKER] < 2 {
        let card = impossible.own[7].hand.cards().next().expect("a card");
        impossible.own[7].hand.0[card] -= 1;
        impossible.own[7].hand.0[JOKER] += 1;
    }
    assert!(!is_possible(impossible.view(seat_at(&impossible, 7))));
    impossible.own[7].given = Cards::NONE;
    impossible.own[7].ask = Ask::TaxJokers;
    assert!(is_possible(impossible.view(seat_at(&impossible, 7))));
}

#[test]
fn others_may_be_choosing_what_to_give_back() {
    let round = find(three_pairs(JokerTax::High), Ask::Return, |round| round.asking == 1);
    let asked_by = |p: usize| {
        let view = round.view(seat_at(&round, p));
        let mut asked = [0u32; 8];
        for seed in 0..300 {
            let other = Round::determinize(view, DealRng::new(seed, 0)).unwrap();
            assert_eq!(other.audit(), Ok(()));
            asked[usize::from(other.asking)] += 1;
        }
        asked.map(|n| n > 0)
    };
    let any_of = |positions: [usize; 8]| positions.map(|n| n > 0);
    // Position 0 has chosen, 1 is choosing, and 2 has not been asked. The other players cannot see this.
    assert_eq!(asked_by(0), any_of([0, 1, 1, 0, 0, 0, 0, 0]));
    assert_eq!(asked_by(1), any_of([0, 1, 0, 0, 0, 0, 0, 0]));
    assert_eq!(asked_by(2), any_of([1, 1, 0, 0, 0, 0, 0, 0]));
    for p in 3..8 {
        assert_eq!(asked_by(p), any_of([1, 1, 1, 0, 0, 0, 0, 0]));
    }
}

#[test]
fn others_pay_with_the_best_cards_there_are() {
    // From a Merchant's view at the first lead, in most deals the serf holds neither the joker nor an ace.
    for (joker_tax, ranks) in [(JokerTax::High, &[0, JOKER][..]), (JokerTax::Low, &[0][..])] {
        let round = begun::<Round>(three_pairs(joker_tax), 8, 6);
        assert_eq!(round.table.stage, Stage::Play);
        let view = round.view(seat_at(&round, 3));
        let keeps = |seed: u64| {
            let hand = Round::determinize(view, DealRng::new(seed, 0)).unwrap().own[7].hand;
            ranks.iter().any(|&rank| hand.0[rank] > 0)
        };
        let kept = (0..2_000).filter(|&seed| keeps(seed)).count();
        assert!(kept < 300, "{kept} of 2000 keep {ranks:?}");
    }
}

#[test]
fn before_the_decree_there_are_no_cards() {
    let rules: Rules = cardsharp_engine::rules::read(&serde_json::json!({
        "players": 5, "decree": [{}, {"deuces_high": true}, {"jokers": "wild"}],
    }))
    .unwrap();
    let round = Session::<Round>::new(rules, 1);
    for seat in (0..5).map(Seat) {
        let view = round.round().view(seat);
        let mut dealt = [1, 2].map(|seed| Round::determinize(view, DealRng::new(seed, 0)).unwrap());
        for other in &mut dealt {
            assert_eq!(other.view(seat).to_owned(), view.to_owned());
            let Turn::Decide(first) = other.turn() else { panic!("nobody decides") };
            assert_eq!(other.table.position_of(first), 0);
            assert!(other.own.iter().all(|own| own.hand == Cards::NONE));
            other.play(Round::scripted(other.view(first)));
        }
        assert_ne!(dealt[0].own, dealt[1].own, "the cards are dealt from the new stream");
    }
}

#[test]
fn a_payer_cannot_have_kept_better_cards() {
    let round = find(three_pairs(JokerTax::High), Ask::Return, |round| round.asking == 0);
    let mut view = round.view(seat_at(&round, 0)).to_owned();
    assert!(is_possible(view.view()));
    // No hand has three twos as its best cards.
    view.own.hand.remove(&view.own.received);
    view.own.received = from_text("2 2 2").unwrap();
    view.own.hand.add(&view.own.received);
    assert!(!is_possible(view.view()));
}

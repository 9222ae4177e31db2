//! Determinization: the exact search, plausible taxes, and uniform deals.

use cardsharp_climbing::determinize::testing::{assert_uniform, begun, walk};
use cardsharp_climbing::determinize::{sum, worst};
use cardsharp_engine::Seat;
use cardsharp_engine::Session;
use cardsharp_engine::game::{Check, Play, Scripted, Turn};

use super::*;
use crate::deck::{Cards, JESTER, from_text};
use crate::rules::{MerchantExchange, Rules};
use crate::state::PROPOSER;

fn hand(text: &str) -> Cards {
    from_text(text).unwrap()
}

#[test]
fn the_exact_search_solves_every_view() {
    let mut solved = 0;
    walk(<Rules as cardsharp_engine::rules::Rules>::random, 120, |round: &Round, draw| {
        let seat = Seat(draw.below(u32::from(round.table.players())) as u8);
        let known = Known::of(round.view(seat));
        if known.moved != ExchangeProgress::All || draw.below(4) != 0 {
            return;
        }
        let deal = known.search(&known.plan, draw).expect("the true deal is one");
        let (own, asking) = known.owners(deal, draw);
        let other = Round { own, asking, ..*round };
        assert_eq!(other.audit(), Ok(()));
        assert_eq!(other.view(seat).to_owned(), round.view(seat).to_owned());
        solved += 1;
    });
    assert!(solved > 5_000, "{solved}");
}

#[test]
fn most_views_need_no_search() {
    let (mut all, mut failed) = (0, 0);
    walk(
        |_| Rules { hands: 2, ..Rules::default() },
        60,
        |round: &Round, draw| {
            for seat in (0..5).map(Seat) {
                let known = Known::of(round.view(seat));
                let mut hands = known.plan.deal(known.pool, draw).expect("nothing is marked");
                hands[known.me] = round.own(seat).hand;
                known.hidden_pairs().for_each(|pair| known.pay(pair, &mut hands, draw));
                failed += u32::from(known.explain(hands, draw).is_none());
                all += 1;
            }
        },
    );
    println!("{failed} of {all} first deals fail");
    assert!(failed * 10 < all, "{failed} of {all}");
}

#[test]
fn unseen_cards_are_anywhere_with_equal_chances() {
    // The first hand has no taxes under this option, so players play the hands dealt.
    let rules = Rules { players: 6, first_deal_revolution: true, ..Rules::default() };
    let round = begun::<Round>(rules, 3, 40);
    let view = round.view(Seat(2));
    let known = Known::of(view);
    assert_uniform(&known.pool, &known.plan.size, 20_000, |seed| {
        Round::determinize(view, DealRng::new(seed, 0)).unwrap().own.map(|own| own.hand)
    });
}

#[test]
fn a_dalmuti_knows_what_his_peon_cannot_hold() {
    // A Peon who paid a 3 and a 5 keeps no card better than a 5 except those received.
    walk(
        |_| Rules { hands: 3, ..Rules::default() },
        10,
        |round: &Round, _| {
            if round.table.stage != Stage::Play {
                return;
            }
            let own = &round.own[0];
            let paid = worst(&own.received, JESTER);
            let other = Round::determinize(round.view(round.table.order[0]), round.rng).unwrap();
            let peon = sum(&other.own[4].hand, &round.table.memory.played[4]);
            assert!(peon.contains(&own.given));
            let kept = beyond(&peon, &own.given);
            assert_eq!(kept.0[..paid].iter().sum::<u8>(), 0, "{kept:?} after paying {:?}", own.received);
        },
    );
}

#[test]
fn others_pay_with_the_best_cards_there_are() {
    // From a Merchant's view at the first lead, in most deals the Greater Peon holds neither the 1 nor a 2.
    let mut session = Session::<Round>::new(Rules { hands: 2, ..Rules::default() }, 8);
    while session.round().table.stage != Stage::Play {
        let Turn::Decide(seat) = session.round().turn() else { break };
        let action = Round::scripted(session.round().view(seat));
        session.round_mut().play(action);
    }
    let view = session.round().view(session.round().table.order[2]);
    let keeps = |seed: u64| {
        Round::determinize(view, DealRng::new(seed, 0)).unwrap().own[4].hand.0[..2].iter().any(|&n| n > 0)
    };
    let kept = (0..2_000).filter(|&seed| keeps(seed)).count();
    assert!(kept < 300, "{kept} of 2000");
}

#[test]
fn tributes_are_listed_once_each() {
    for (k, expected) in [(1, 12), (2, 78)] {
        let all: Vec<Cards> = taxes::tributes(k).collect();
        assert_eq!(all.len(), expected);
        assert!(
            all.iter().enumerate().all(|(i, a)| a.total() == u32::from(k) && all[..i].iter().all(|b| b != a))
        );
    }
    let parts = |text: &str, seen| taxes::handed_back(&hand(text), seen).collect::<Vec<_>>();
    assert_eq!(parts("3 5", false), [hand("")]);
    assert_eq!(parts("3", true), [hand(""), hand("3")]);
    assert_eq!(parts("5 5", true), [hand(""), hand("5"), hand("5 5")]);
    assert_eq!(parts("3 5", true), [hand(""), hand("3"), hand("5"), hand("3 5")]);
}

#[test]
fn any_merchant_may_have_exchanged_what_he_was_dealt() {
    // A card is exposed to a Merchant who then exchanges a card: the exposed card is either still there or gone.
    let mut seen = [false; 2];
    let rules = Rules {
        players: 7,
        misdeal_prob: 1.0,
        merchant_exchange: MerchantExchange::BlindChoice,
        ..Rules::default()
    };
    walk(
        |_| rules,
        200,
        |round: &Round, draw| {
            let Some(both) = round.table.exchange.map(|target| [PROPOSER, target]) else { return };
            let known = Known::of(round.view(round.table.order[0]));
            let Some((marked, rank)) = known.mark.filter(|&(p, _)| both.map(usize::from).contains(&p)) else {
                return;
            };
            if known.moved != ExchangeProgress::All || draw.below(8) != 0 {
                return;
            }
            let other =
                Round::determinize(round.view(round.table.order[0]), DealRng::new(draw.bits(), 0)).unwrap();
            seen[usize::from(other.own[marked].given.0[rank] > 0)] = true;
            assert_eq!(other.audit(), Ok(()));
        },
    );
    assert_eq!(seen, [true; 2]);
}

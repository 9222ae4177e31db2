//! Invariants of every deal, for random and scripted players.

use cardsharp_engine::Session;
use cardsharp_engine::game::{Actions, Check, Narrate, Payoff, Play, Scripted, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::Draw;
use serde_json::json;

use super::super::bids::{BidKind, CONTRACTS};
use super::super::deck::{Cards, Suit};
use super::super::rules::{Reward, RoundHalf, Rules, Shaping};
use super::super::score::{outcome, rounded};
use super::super::state::{AskedCard, HAND, Stage};
use super::super::{Round, follow};

/// Plays deals, half with random and half with scripted players, and shows every state.
fn deals(rules: Rules, number: u64, mut look: impl FnMut(&Round), mut end: impl FnMut(&Round, &Payoff)) {
    for seed in 0..number {
        let mut session = Session::<Round>::new(rules, seed);
        let mut draw = Draw::new(seed, 77);
        while let Turn::Decide(seat) = session.round().turn() {
            look(session.round());
            let view = session.round().view(seat);
            let legal = Round::legal(view);
            let action = match draw.below(3) {
                0 => legal.random(&mut draw).unwrap(),
                _ => Round::scripted(view),
            };
            session.round_mut().play(action);
        }
        let round = *session.round();
        round.audit().unwrap();
        end(&round, &session.settle());
    }
}

#[test]
fn bids_rise_and_who_has_passed_is_not_asked_again() {
    let mut last = None;
    let look = |round: &Round| {
        let table = round.table();
        if table.stage == Stage::Opening {
            last = None;
        } else if table.stage == Stage::Auction {
            assert!(!table.auction.passed.has(table.turn.0) && table.auction.high != Some(table.turn));
            assert!(table.high() >= last);
            last = table.high();
        }
    };
    deals(Rules::default(), 300, look, |_, _| {});
}

#[test]
fn points_add_up_to_141_and_rounded_to_140() {
    let mut full = 0;
    deals(
        Rules::default(),
        600,
        |_| {},
        |round, _| {
            let table = round.table();
            if table.play.trick() < HAND {
                return;
            }
            let aside = match table.bidder().and_then(|bidder| round.own[bidder.index()].discard) {
                Some(discard) => discard,
                None => round.kitty,
            };
            let points: u8 = table.play.points.iter().sum();
            assert_eq!(points, 141 - aside.value(table.trump()));
            if points == 141 {
                for mine in table.play.points {
                    let sides = rounded(u16::from(mine), RoundHalf::Down)
                        + rounded(141 - u16::from(mine), RoundHalf::Down);
                    assert_eq!(sides, 140);
                }
                full += 1;
            }
        },
    );
    assert!(full > 50, "{full}");
}

#[test]
fn a_called_card_falls_and_no_trump_takes_it() {
    let mut called = 0;
    deals(
        Rules::default(),
        1_500,
        |_| {},
        |round, _| {
            let table = round.table();
            let Some(asked) = table.asked_card() else { return };
            for trick in (0..table.play.trick()).filter(|trick| table.play.called >> trick & 1 == 1) {
                let cards: Vec<_> =
                    (4 * trick..4 * trick + 4).filter_map(|i| table.play.cards.get(i)).collect();
                assert!(cards.contains(&asked));
                let winner = table.play.leaders[trick + 1];
                let won = (0..4).find(|&n| table.play.player(4 * trick + n) == winner).unwrap();
                assert_eq!(cards[won].suit(), asked.suit());
                called += 1;
            }
        },
    );
    assert!(called > 20, "{called}");
}

#[test]
fn by_default_who_is_void_trumps_if_he_can_and_undertrumps_only_if_he_must() {
    let mut ruffs = 0;
    let look = |round: &Round| {
        let table = round.table();
        let (Stage::Play, Some(led)) = (table.stage, table.play.led()) else { return };
        let trump = table.trump();
        if trump.is(led.suit()) || table.play.is_called() {
            return;
        }
        let hand = round.own(table.turn).hand;
        let legal = follow::playable(table, table.turn, hand);
        let best = (table.play.cards.len() & !3..table.play.cards.len())
            .filter_map(|i| table.play.cards.get(i))
            .filter(|card| trump.is(card.suit()));
        let over = best.fold(trump.cards(), |over, card| over.and(card.above(trump)));
        let trumps = hand.and(trump.cards());
        if !hand.meets(led.suit().cards()) && hand.meets(over) {
            assert_eq!(legal, hand.and(over));
            ruffs += 1;
        }
        if legal.meets(trumps.minus(over)) {
            assert_eq!(hand, trumps);
        }
    };
    deals(Rules::default(), 400, look, |_, _| {});
    assert!(ruffs > 200, "{ruffs}");
}

#[test]
fn a_lone_jack_is_kept_at_most_twice() {
    deals(
        Rules::default(),
        800,
        |_| {},
        |round, _| {
            let table = round.table();
            for seat in 0..4 {
                assert!(!before(round, seat) || !table.play.played[seat].meets(table.trump().jack()));
            }
        },
    );
}

/// Returns whether the seat did not follow three trump leads before it played the trump jack.
fn before(round: &Round, seat: usize) -> bool {
    let play = &round.table().play;
    let mut refused = 0;
    for i in 0..play.cards.len() {
        let (card, led) = (play.cards.get(i).unwrap(), play.cards.get(i & !3).unwrap());
        if play.player(i).index() == seat {
            if round.table().trump().jack().has(card) {
                return refused > 2;
            }
            refused += u8::from(round.table().trump().is(led.suit()) && led.suit() != card.suit());
        }
    }
    false
}

#[test]
fn scores_are_what_the_side_gets() {
    let mut kinds = std::collections::BTreeMap::new();
    deals(
        Rules::default(),
        1_500,
        |_| {},
        |round, payoff| {
            let table = round.table();
            let points = &payoff.points[..4];
            assert!(points.iter().all(|points| points % 10 == 0));
            let side = [table.bidder(), table.partner];
            for (seat, points) in points.iter().enumerate() {
                assert!(side.iter().flatten().any(|member| member.index() == seat) || *points == 0);
            }
            if let (Some(bidder), Some(partner)) = (table.bidder(), table.partner) {
                assert_eq!(points[bidder.index()], points[partner.index()]);
            }
            if let Some(kind) = table.contract() {
                *kinds.entry(kind.number()).or_insert(0) += 1;
                let made = outcome(round).unwrap().made;
                let worth = points[table.bidder().unwrap().index()];
                match kind {
                    BidKind::Points(_) => assert!(made == (worth >= 0)),
                    fixed => assert_eq!(worth, if made { fixed.worth() } else { -fixed.worth() }),
                }
                if kind == BidKind::Zwabber && table.partner.is_some() {
                    let first = &table.play.leaders[1..6];
                    assert!(first.iter().all(|seat| Some(*seat) == table.bidder()));
                }
            }
        },
    );
    assert!(kinds.len() >= 6, "{kinds:?}");
}

#[test]
fn rewards_are_points_in_hundreds_or_less_the_mean_of_the_others() {
    let look = |_: &Round| {};
    deals(Rules::default(), 200, look, |_, payoff| {
        let sum: f32 = payoff.reward[..4].iter().sum();
        assert!(sum.abs() < 1e-5);
        for seat in 0..4 {
            let others: i32 = (0..4).filter(|&other| other != seat).map(|other| payoff.points[other]).sum();
            let expected = (payoff.points[seat] as f32 - others as f32 / 3.0) / 100.0;
            assert!((payoff.reward[seat] - expected).abs() < 1e-5);
        }
    });
    let shaping = Shaping { reward: Reward::Points };
    deals(Rules { shaping, ..Rules::default() }, 200, look, |_, payoff| {
        for seat in 0..4 {
            assert_eq!(payoff.reward[seat], payoff.points[seat] as f32 / 100.0);
        }
    });
}

#[test]
fn the_asked_card_is_in_another_hand_and_of_a_suit_he_holds() {
    let mut asked = 0;
    let look = |round: &Round| {
        let table = round.table();
        let (AskedCard::Card(card), Some(bidder)) = (table.asked, table.bidder()) else { return };
        if table.play.cards.is_empty() {
            let hand = round.own(bidder).hand;
            assert!(!hand.has(card) && hand.meets(card.suit().cards()));
            let others = (0..4).filter(|&seat| seat != bidder.index());
            assert_eq!(others.filter(|&seat| round.own[seat].hand.has(card)).count(), 1);
            asked += 1;
        }
    };
    deals(Rules::default(), 600, look, |_, _| {});
    assert!(asked > 100, "{asked}");
}

#[test]
fn the_same_seed_deals_the_same_cards() {
    let hands = |seed| {
        let round = *Session::<Round>::new(Rules::default(), seed).round();
        (round.own.map(|own| own.hand), round.kitty, round.table.dealer)
    };
    assert_eq!(hands(5), hands(5));
    assert_ne!(hands(5), hands(6));
    let all = hands(5).0.iter().fold(Cards::one(hands(5).1), |all, hand| all.or(*hand));
    assert_eq!(all, Cards::ALL);
    assert_eq!(Suit::ALL.map(|suit| suit.cards().len()), [8, 9, 8, 8]);
}

/// The contract of a finished deal agrees with its events.
#[test]
fn contracts_are_those_of_the_events() {
    let mut seen = [0u32; CONTRACTS.len()];
    let end = |round: &Round, payoff: &Payoff| {
        let mut before = *round;
        before.table.stage = Stage::Play;
        let events = Round::events(Some(&before), round);
        let ending = events.iter().find(|event| event["event"] == "result").expect("deals end with a result");
        let Some(contract) = round.contract() else {
            assert!(ending["bid"].is_null());
            return;
        };
        seen[contract.kind] += 1;
        let bid = ending["bid"].as_str().expect("a bid");
        let name = if bid.parse::<u16>().is_ok() { "points" } else { bid };
        assert_eq!(Round::CONTRACTS[contract.kind], name);
        assert_eq!((&ending["bidder"], &ending["made"]), (&json!(contract.seat), &json!(contract.made)));
        let points = payoff.points[contract.seat.index()];
        assert!(if contract.made { points >= 0 } else { points < 0 }, "{points}");
    };
    deals(Rules::default(), 400, |_| {}, end);
    assert!(seen.iter().filter(|&&count| count > 0).count() >= 6, "{seen:?}");
}

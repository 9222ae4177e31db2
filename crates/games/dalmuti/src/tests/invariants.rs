//! Properties of every hand, tested with random play over all options and player counts.

use cardsharp_climbing::EqualRank;
use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Actions, Play};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::testing::random_sessions;

use super::super::Round;
use super::super::actions::Move;
use super::super::deck::{Cards, JESTER, RANKS};
use super::super::rules::Scoring;
use super::super::state::{Ask, Revolution, Stage};
use super::situation::label;

#[test]
fn jesters_never_move_as_tribute_and_peons_keep_nothing_better() {
    let mut taxed = 0;
    random_sessions::<Round>(
        400,
        2,
        |before, _, _, after| {
            if before.table.stage == Stage::Play || after.table.stage != Stage::Play || !after.table.taxes() {
                return;
            }
            taxed += 1;
            let n = after.players();
            for (peon, cards) in [(n - 1, 2), (n - 2, 1)] {
                let own = &after.own[peon];
                assert_eq!((own.given.total(), own.received.total()), (cards, cards));
                assert_eq!(own.given.0[JESTER], 0);
                let mut kept = own.hand;
                kept.remove(&own.received);
                let worse = own.given.cards().max().unwrap();
                assert!(kept.cards().all(|card| card >= worse));
            }
            for (from, to) in [(0, n - 1), (1, n - 2)] {
                assert_eq!(after.own[from].given, after.own[to].received);
                assert_eq!(after.own[to].given, after.own[from].received);
            }
        },
        |_, _| {},
    );
    assert!(taxed > 300, "{taxed}");
}

#[test]
fn the_order_of_phases_and_who_is_asked() {
    let mut asked = [0u32; 6];
    // Counts in this hand: misdeal, revolution, tax, merchant exchange.
    let in_hand = std::cell::Cell::new([0u32; 4]);
    random_sessions::<Round>(
        600,
        3,
        |before, seat, action, after| {
            let kind = match before.own(seat).ask {
                Ask::Misdeal => Some(0),
                Ask::Revolution => Some(1),
                Ask::Tax => Some(2),
                Ask::Offer | Ask::Exchange => Some(3),
                Ask::Nothing => None,
            };
            if let Some(kind) = kind {
                let mut counts = in_hand.get();
                counts[kind] += 1;
                in_hand.set(counts);
            }
            let position = before.table.position[seat.index()];
            let n = before.table.players();
            match before.own(seat).ask {
                Ask::Misdeal => {
                    asked[0] += 1;
                    assert_eq!((position, before.table.stage), (0, Stage::Misdeal));
                }
                Ask::Revolution => {
                    asked[1] += 1;
                    assert_eq!(before.own(seat).hand.0[JESTER], 2, "only whoever was dealt both Jesters");
                    assert!(before.table.memory.gone == Cards::NONE && before.table.stage == Stage::Dealt);
                    let called = label(action) == "call revolution";
                    let revolution = match (called, position == n - 1) {
                        (false, _) => Revolution::None,
                        (true, false) => Revolution::Revolution,
                        (true, true) => Revolution::Greater,
                    };
                    assert_eq!(after.table.revolution, revolution);
                }
                Ask::Tax => {
                    asked[2] += 1;
                    assert!(position < 2 && before.table.stage == Stage::Taxes && before.table.taxes());
                }
                Ask::Offer => {
                    asked[3] += 1;
                    assert!(position == 2 && n >= 6 && before.table.taxes());
                }
                Ask::Exchange => {
                    asked[4] += 1;
                    assert!((2..=n - 3).contains(&position));
                }
                Ask::Nothing => {
                    asked[5] += 1;
                    assert_eq!(before.table.stage, Stage::Play);
                }
            }
            // Before the play exactly one player is asked, and none in the play.
            let open = after.own.iter().filter(|own| own.ask != Ask::Nothing).count();
            assert_eq!(open, usize::from(after.table.stage != Stage::Play));
        },
        |round, _| {
            let [misdeal, revolution, tax, exchange] = in_hand.take();
            assert!(misdeal <= 1 && revolution <= 1 && exchange <= 3);
            assert_eq!(tax, if round.table.taxes() { 3 } else { 0 });
        },
    );
    assert!(asked.iter().all(|&n| n > 50), "{asked:?}");
}

#[test]
fn follows_top_and_leaders_lead_and_the_out_never_act() {
    random_sessions::<Round>(
        60,
        4,
        |before, seat, action, after| {
            if before.table.stage != Stage::Play {
                return;
            }
            let (was, is) = (&before.table.trick, &after.table.trick);
            let position = before.table.position[seat.index()];
            assert!(was.still_in.has(position));
            let pass = label(action) == "pass";
            assert!(was.size > 0 || !pass, "leaders never pass");
            if let Some(Move::Play(set)) = Move::of(action)
                && was.size > 0
            {
                let (set, equals) = (set.set(), before.table.rules.equal_rank != EqualRank::Forbidden);
                let strength = set.strength::<RANKS>();
                assert_eq!(set.size(), was.size);
                assert!(strength > was.strength || equals && strength == was.strength);
                assert!(is.size == 0 || (is.size, is.strength) == (was.size, strength));
            }
            let legal = Round::legal(before.view(seat));
            assert_eq!(legal.contains(ActionId(236)), was.size > 0);
            assert!(was.size > 0 || legal.count() >= 1);
        },
        |round, _| {
            let trick = &round.table.trick;
            assert_eq!(u32::from(trick.out_count), u32::from(round.table.players()) - 1);
            assert_eq!(trick.still_in.len(), 1);
            let mut places: Vec<u8> = (0..round.table.players()).map(|p| trick.place(p)).collect();
            places.sort_unstable();
            assert_eq!(places, (1..=round.table.players()).collect::<Vec<_>>());
        },
    );
}

#[test]
fn tricks_go_to_whoever_played_last_or_the_next_clockwise() {
    // Derives the leader after a trick from a replay of the plays alone.
    let mut tricks = 0;
    random_sessions::<Round>(
        60,
        5,
        |before, seat, action, after| {
            if before.table.stage != Stage::Play || label(action) != "pass" || after.table.trick.size > 0 {
                return;
            }
            tricks += 1;
            let n = before.table.players();
            let last = before.table.trick.last;
            let leader = (0..n).map(|i| (last + i) % n).find(|&p| after.table.trick.still_in.has(p)).unwrap();
            assert_eq!(after.table.trick.turn, leader);
            assert_ne!(before.table.position[seat.index()], last, "nobody passes on his own play");
        },
        |_, _| {},
    );
    assert!(tricks > 1_000);
}

#[test]
fn decisions_are_bounded() {
    let mut most = 0;
    random_sessions::<Round>(
        200,
        6,
        |_, _, _, _| {},
        |round, decisions| {
            let bound = 79 * u32::from(round.table.players()) + 8;
            assert!(decisions <= bound, "{decisions} of {bound}");
            most = most.max(decisions);
        },
    );
    assert!(most > 200);
}

#[test]
fn points_add_up() {
    let mut bonuses = [0u32; 3];
    random_sessions::<Round>(
        300,
        7,
        |_, _, _, _| {},
        |round, _| {
            let mut standing = super::super::SessionState {
                hands: round.table.hand - 1,
                order: round.table.order,
                points: round.table.points,
            };
            let payoff = round.settle(&mut standing);
            let n = i32::from(round.table.players());
            let sum: i32 = payoff.points.iter().sum();
            let standard = n * (n - 1) / 2;
            match round.table.rules.scoring {
                Scoring::None => assert_eq!(sum, 0),
                Scoring::Standard => assert_eq!(sum, standard),
                Scoring::Philanthropic => bonuses[(sum - standard) as usize] += 1,
            }
            let rewards: f32 = payoff.reward.iter().sum();
            match round.table.rules.shaping.reward {
                super::super::rules::Reward::RankLinear => assert!(rewards.abs() < 1e-5),
                super::super::rules::Reward::Score => assert_eq!(rewards, sum as f32),
            }
        },
    );
    assert!(bonuses.iter().all(|&n| n > 5), "none, one or two bonus points: {bonuses:?}");
}

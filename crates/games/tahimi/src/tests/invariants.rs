//! Properties of every round, tested with random play over all options and player counts.

use cardsharp_climbing::EqualRank;
use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Actions, Play};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::testing::random_sessions;

use super::super::Round;
use super::super::actions::Move;
use super::super::deck::{Cards, JOKER, RANKS};
use super::super::rules::Trim;
use super::super::state::{Ask, Stage};
use super::super::variant::JokerOrder;

const PASS: ActionId = ActionId(470);

#[test]
fn hands_are_even_before_and_after_taxes() {
    let mut taxed = 0;
    random_sessions::<Round>(
        500,
        2,
        |before, _, _, after| {
            if before.table.stage == Stage::Play || after.table.stage != Stage::Play {
                return;
            }
            let (table, n) = (&after.table, u32::from(after.table.players));
            taxed += u32::from(table.taxes());
            let sizes: Vec<u32> = after.own[..after.players()].iter().map(|own| own.hand.total()).collect();
            let deck = table.deck.total();
            assert!(table.rules.trim == Trim::None || deck.is_multiple_of(n));
            for (p, size) in (0..).zip(sizes) {
                assert_eq!(size, deck / n + u32::from(p < deck % n));
            }
        },
        |_, _| {},
    );
    assert!(taxed > 300, "{taxed}");
}

#[test]
fn tributes_are_the_highest_cards_of_the_dealt_hand() {
    let mut paid = [0u32; 3];
    random_sessions::<Round>(
        600,
        3,
        |before, _, _, after| {
            if before.table.stage == Stage::Play || after.table.stage != Stage::Play || !after.table.taxes() {
                return;
            }
            let order = after.table.variant.joker_order();
            for &(high, low, k) in after.table.pairs() {
                let [above, own] = [high, low].map(|p| &after.own[usize::from(p)]);
                assert_eq!((own.given, own.received), (above.received, above.given));
                assert_eq!((own.given.total(), own.received.total()), (u32::from(k), u32::from(k)));
                let mut kept = own.hand;
                kept.remove(&own.received);
                // From the highest card down, with the jokers where their order puts them.
                let value = |card: usize| match (card, order) {
                    (JOKER, JokerOrder::High) => 100,
                    (JOKER, _) => -100,
                    (card, _) => -(card as i32),
                };
                let holder = order == JokerOrder::Holder;
                let counts = |card: &usize| !(holder && *card == JOKER);
                let lowest = own.given.cards().filter(counts).map(value).min();
                let left = kept.cards().filter(counts).map(value).max();
                assert!(lowest.is_none() || left <= lowest, "{:?} kept of {:?}", kept, own.given);
                assert!(order != JokerOrder::Low || own.given.0[JOKER] == 0);
                paid[order as usize] += 1;
            }
        },
        |_, _| {},
    );
    assert!(paid.iter().all(|&n| n > 100), "{paid:?}");
}

#[test]
fn the_order_of_phases_and_who_is_asked() {
    let mut asked = [0u32; 4];
    random_sessions::<Round>(
        400,
        4,
        |before, seat, _, after| {
            let (table, position) = (&before.table, before.table.position_of(seat));
            match before.own(seat).ask {
                Ask::Decree => {
                    asked[0] += 1;
                    assert_eq!((position, table.stage, table.deck.total()), (0, Stage::Decree, 0));
                    assert_ne!(after.table.stage, Stage::Decree);
                }
                Ask::TaxJokers => {
                    asked[1] += 1;
                    assert!(before.own(seat).hand.0[JOKER] > 0);
                    assert!(table.pairs().iter().any(|&(_, low, _)| low == position));
                    assert!(before.own.iter().all(|own| own.received == Cards::NONE), "nothing has moved");
                }
                Ask::Return => {
                    asked[2] += 1;
                    assert!(table.pairs().iter().any(|&(high, _, _)| high == position));
                    assert_eq!((table.stage, table.taxes()), (Stage::Taxes, true));
                }
                Ask::Nothing => {
                    asked[3] += 1;
                    assert_eq!(table.stage, Stage::Play);
                }
            }
            // Before the play exactly one player is asked, and none in the play.
            let open = after.own.iter().filter(|own| own.ask != Ask::Nothing).count();
            assert_eq!(open, usize::from(after.table.stage != Stage::Play));
        },
        |_, _| {},
    );
    assert!(asked.iter().all(|&n| n > 50), "{asked:?}");
}

#[test]
fn follows_top_and_leaders_lead_and_the_out_never_act() {
    let mut passed_leads = 0;
    random_sessions::<Round>(
        150,
        5,
        |before, seat, action, after| {
            if before.table.stage != Stage::Play {
                return;
            }
            let (was, is) = (&before.table.trick, &after.table.trick);
            assert!(was.still_in.has(before.table.position_of(seat)));
            let legal = Round::legal(before.view(seat));
            assert!(legal.contains(PASS) == (was.size > 0) || before.table.rules.pass_on_lead);
            assert!(legal.count() > usize::from(legal.contains(PASS)) || was.size > 0, "there is a lead");
            passed_leads += u32::from(was.size == 0 && action == PASS);
            if let Some(Move::Play(set)) = Move::of(action)
                && was.size > 0
            {
                let (set, equals) = (set.set(), before.table.rules.equal_rank != EqualRank::Forbidden);
                let strength = set.strength::<RANKS>();
                assert_eq!(set.size(), was.size);
                assert!(strength > was.strength || equals && strength == was.strength);
                assert!(is.size == 0 || (is.size, is.strength) == (was.size, strength));
            }
        },
        |round, _| {
            let (trick, n) = (&round.table.trick, round.table.players);
            assert_eq!((trick.out_count, trick.still_in.len()), (n - 1, 1));
            assert!(round.own[usize::from(trick.still_in.lowest())].hand.total() > 0);
            let mut places: Vec<u8> = (0..n).map(|p| trick.place(p)).collect();
            places.sort_unstable();
            assert_eq!(places, (1..=n).collect::<Vec<_>>());
        },
    );
    assert!(passed_leads > 100, "{passed_leads}");
}

#[test]
fn tricks_go_to_whoever_played_last_or_whom_the_privilege_names() {
    // Derives the leader after a trick from the plays alone. Counts by whether the taker is still in, and by rank
    // privilege.
    let mut tricks = [[0u32; 2]; 2];
    random_sessions::<Round>(
        150,
        6,
        |before, _, action, after| {
            let (was, is) = (&before.table.trick, &after.table.trick);
            if before.table.stage != Stage::Play || action != PASS || was.size == 0 || is.size > 0 {
                return;
            }
            let (n, privilege) = (before.table.players, before.table.variant.rank_privilege);
            let in_play = |p: &u8| is.still_in.has(*p);
            let leader = match (is.still_in.has(was.last), privilege) {
                (true, _) => was.last,
                (false, true) => (0..n).find(in_play).unwrap(),
                (false, false) => (1..n).map(|i| (was.last + i) % n).find(in_play).unwrap(),
            };
            assert_eq!(is.turn, leader);
            tricks[usize::from(is.still_in.has(was.last))][usize::from(privilege)] += 1;
        },
        |_, _| {},
    );
    assert!(tricks.as_flattened().iter().all(|&n| n > 50), "{tricks:?}");
}

#[test]
fn decisions_are_bounded() {
    let mut most = 0;
    random_sessions::<Round>(
        400,
        7,
        |_, _, _, _| {},
        |round, decisions| {
            let (cards, n) = (round.table.deck.total(), u32::from(round.table.players));
            let each = if round.table.rules.pass_on_lead { 2 * n - 1 } else { n };
            let bound = (cards - 1) * each + 10;
            assert!(decisions <= bound, "{decisions} of {bound}");
            most = most.max(decisions);
        },
    );
    assert!(most > 300, "{most}");
}

#[test]
fn a_last_card_is_announced_exactly_by_plays_that_leave_one() {
    random_sessions::<Round>(
        80,
        8,
        |before, seat, action, after| {
            let position = usize::from(before.table.position_of(seat));
            for p in 0..after.players() {
                let (was, is) = [before, after].map(|r| r.table.one_card.has(p as u8)).into();
                let left = after.table.cards[p];
                let announces =
                    p == position && before.table.stage == Stage::Play && action != PASS && left == 1;
                assert_eq!(is, left > 0 && (was || announces));
            }
        },
        |_, _| {},
    );
}

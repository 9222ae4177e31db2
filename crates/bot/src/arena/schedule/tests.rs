use super::*;

/// Counts how often each bot sat at a table, and how often each pair sat together.
fn counts(schedule: &LineupSchedule, bots: usize, deals: std::ops::Range<u64>) -> (Vec<usize>, Vec<usize>) {
    let (mut seats, mut pairs) = (vec![0; bots], vec![0; bots * bots]);
    for lineup in deals.map(|deal| schedule.lineup(deal)) {
        (0..lineup.players()).for_each(|seat| seats[lineup.bot(seat)] += 1);
        for one in lineup.sitting() {
            lineup.sitting().filter(|&other| other > one).for_each(|other| pairs[one * bots + other] += 1);
        }
    }
    (seats, pairs.into_iter().enumerate().filter(|(at, _)| at / bots < at % bots).map(|(_, n)| n).collect())
}

fn spread(counts: &[usize]) -> usize {
    counts.iter().max().unwrap() - counts.iter().min().unwrap()
}

#[test]
fn every_set_of_bots_sits_together_equally_often() {
    // 7 choose 3 is 35, and so is 7 choose 4.
    for (bots, players) in [(7, 3), (7, 4), (4, 4), (5, 4), (6, 2)] {
        let sets = binomial(bots, players);
        let schedule = LineupSchedule::round_robin(bots, players, 3 * sets, 9);
        assert_eq!(schedule.tables(3 * sets), sets);
        for begin in [0, sets, 2 * sets] {
            let (seats, pairs) = counts(&schedule, bots, begin..begin + sets);
            assert_eq!((spread(&seats), spread(&pairs)), (0, 0), "{bots} bots, {players} seats");
            assert_eq!(seats[0] as u64, binomial(bots - 1, players - 1));
        }
        for lineup in (0..3 * sets).map(|deal| schedule.lineup(deal)) {
            assert_eq!(lineup.sitting().count(), players, "nobody sits there twice");
        }
    }
}

#[test]
fn by_lot_no_bot_is_two_tables_ahead() {
    for (bots, players, deals) in [(30, 5, 200), (12, 5, 100), (13, 12, 12), (64, 12, 77), (5, 4, 3)] {
        let schedule = LineupSchedule::round_robin(bots, players, deals, 3);
        for deals in 1..=deals {
            let (seats, _) = counts(&schedule, bots, 0..deals);
            assert!(spread(&seats) <= 1, "{bots} bots, {players} seats, {deals} deals: {seats:?}");
            assert_eq!(seats.iter().sum::<usize>() as u64, deals * players as u64);
        }
        // Each bot meets varying opponents.
        let (_, pairs) = counts(&schedule, bots, 0..deals);
        let mean = pairs.iter().sum::<usize>() as f64 / pairs.len() as f64;
        assert!(spread(&pairs) as f64 <= 3.0 + 3.0 * mean, "{bots} bots, {players} seats: {pairs:?}");
    }
}

#[test]
fn few_bots_share_the_seats() {
    for (bots, players) in [(2, 5), (3, 5), (3, 8), (4, 12), (5, 12), (2, 4)] {
        let period = binomial(bots, players % bots);
        let schedule = LineupSchedule::round_robin(bots, players, 4 * period, 2);
        let (seats, pairs) = counts(&schedule, bots, 0..4 * period);
        assert_eq!((spread(&seats), spread(&pairs)), (0, 0), "{bots} bots, {players} seats");
        assert_eq!(schedule.tables(4 * period), period);
        for lineup in (0..4 * period).map(|deal| schedule.lineup(deal)) {
            let held = |bot| (0..players).filter(|&seat| lineup.bot(seat) == bot).count();
            assert!((0..bots).all(|bot| held(bot) == players / bots || held(bot) == players / bots + 1));
        }
    }
}

#[test]
fn neighbours_change_and_the_seed_decides() {
    let order = |seed, deal| {
        let lineup = LineupSchedule::round_robin(5, 5, 40, seed).lineup(deal);
        (0..5).map(|seat| lineup.bot(seat)).collect::<Vec<_>>()
    };
    let orders: BTreeSet<_> = (0..40).map(|deal| order(1, deal)).collect();
    assert!(orders.len() > 25, "of 120: {}", orders.len());
    assert_eq!(order(1, 7), order(1, 7));
    assert!((0..40).any(|deal| order(1, deal) != order(2, deal)));
}

#[test]
fn binomials_and_subsets_agree() {
    for of in 0..9 {
        for size in 0..=of {
            let sets = subsets(of, size);
            assert_eq!(sets.len() as u64, binomial(of, size));
            assert_eq!(sets.iter().collect::<BTreeSet<_>>().len(), sets.len());
            assert!(sets.iter().all(|set| set.len() == size && set.is_sorted()));
        }
    }
    assert_eq!(binomial(30, 5), 142_506);
    assert_eq!(binomial(64, 12), 3_284_214_703_056);
}

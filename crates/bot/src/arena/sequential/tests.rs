use cardsharp_env::Draw;
use serde_json::json;

use super::*;
use crate::bots::Player;
use crate::stats::SampleGroup;

/// Draws a deal mean from a distribution that is far from normal: one of five skewed values. The mean is `mean`, and
/// the standard deviation of 0.515 is close to that of a place score.
fn score(draw: &mut Draw, mean: f64) -> f64 {
    let value = [-0.5, -0.25, 0.0, 0.25, 1.0][draw.below(5) as usize];
    value - 0.1 + mean
}

/// Simulates a contest of at most `most` deals, with the blocks of a real one.
fn simulate(seed: u64, mean: f64, delta: f64, most: usize) -> (StrengthVerdict, usize) {
    let (mut draw, mut sums, mut deals) = (Draw::new(seed, 0), DealSums::default(), 0);
    while deals < most && sums.decision(delta) == StrengthVerdict::Unknown {
        let block = 16 * (deals / 16 / 8).max(4);
        (0..block).for_each(|_| sums.add(score(&mut draw, mean)));
        deals += block;
    }
    (sums.decision(delta), deals)
}

#[test]
fn it_is_wrong_no_more_often_than_it_says() {
    for (mean, delta, right) in [
        (0.02, 0.02, StrengthVerdict::Stronger),
        (-0.02, 0.02, StrengthVerdict::Weaker),
        (0.05, 0.05, StrengthVerdict::Stronger),
    ] {
        let runs: Vec<_> = (0..2000).map(|seed| simulate(seed, mean, delta, 1_000_000)).collect();
        let wrong = runs.iter().filter(|(decision, _)| *decision != right).count();
        // 5 % of 2000 are 100; three standard deviations are 29.
        assert!(wrong <= 129, "{mean}: {wrong} of 2000");
        assert!(wrong >= 40, "{mean}: so few errors cost deals: {wrong} of 2000");
        let deals = runs.iter().map(|(_, deals)| *deals).sum::<usize>() as f64 / 2000.0;
        // A test of fixed length with these errors needs (2 × 1.645 × 0.515 / 2δ)² deals.
        let fixed = (1.645 * 0.515 / delta) * (1.645 * 0.515 / delta);
        assert!(deals < 0.75 * fixed, "{deals} deals, {fixed} with a fixed number");
    }
}

#[test]
fn a_large_difference_is_known_soon_and_no_difference_late() {
    let soon = (0..50).map(|seed| simulate(seed, 0.3, 0.02, 100_000).1).max().unwrap();
    assert!(soon <= 512, "{soon}");
    let late = (0..50).map(|seed| simulate(seed, 0.0, 0.02, 100_000).1).sum::<usize>() / 50;
    assert!(late > 1000, "{late}");
}

#[test]
fn intervals_hold_at_all_times() {
    // Deals are checked in blocks. Counts the worst moment of each run, and the moment of its stop.
    let (mut left, mut stopped_outside, mut fixed_outside) = (0, 0, 0);
    for seed in 0..600 {
        let draw = &mut Draw::new(seed, 1);
        let (mut groups, mut sums, mut was_outside, mut stopped) =
            (Vec::new(), DealSums::default(), false, false);
        while groups.len() < 4096 {
            for _ in 0..(groups.len() / 8).max(64) {
                // In units of 1/400, two rounds to a deal, the mean is 0.01.
                let value = score(draw, 0.01);
                sums.add(value);
                groups.push(SampleGroup::<1> { sums: [(value * 800.0).round() as i64], count: 2 });
            }
            let [interval] = anytime(&groups);
            let outside = interval.low > 4.0 || interval.high < 4.0;
            was_outside |= outside;
            if !stopped && sums.decision(0.02) != StrengthVerdict::Unknown {
                stopped = true;
                stopped_outside += u32::from(outside);
                // The interval for a fixed number of deals.
                let half = crate::stats::Z * 0.515 * 400.0 / (groups.len() as f64).sqrt();
                fixed_outside += u32::from((interval.mean - 4.0).abs() > half);
            }
        }
        left += u32::from(was_outside);
    }
    // 5 % of 600 are 30; three standard deviations are 16.
    assert!(left <= 46, "{left} of 600 left the interval at some time");
    assert!(stopped_outside <= left);
    assert!(fixed_outside > stopped_outside, "{fixed_outside} {stopped_outside}");
}

#[test]
fn scores_that_are_all_alike() {
    let mut sums = DealSums::default();
    (0..100).for_each(|_| sums.add(0.0));
    assert_eq!((sums.decision(0.02), sums.log_likelihood_ratio(0.02)), (StrengthVerdict::Unknown, 0.0));
    let mut sums = DealSums::default();
    (0..100).for_each(|_| sums.add(-1.0));
    assert_eq!(sums.decision(0.02), StrengthVerdict::Weaker);
}

#[test]
fn contests_stop_when_they_know() {
    let game = cardsharp_env::game("dalmuti").unwrap();
    let rules = game.rules(&json!({"players": 5, "hands": 1})).unwrap();
    let still = &mut || std::time::Duration::ZERO;
    let mut contest = |bots: [Player; 2], deals| {
        let contest = Contest::new(&rules, bots.to_vec(), deals, 3).unwrap();
        let mut test = contest.sprt(DELTA).unwrap();
        let mut blocks = Vec::new();
        while let Some(block) = test.block() {
            blocks.push(block.clone());
            test.add(block.map(|unit| contest.play(unit, still)).collect());
        }
        (test.report(), blocks, contest)
    };
    let (report, blocks, _) = contest([Player::scripted(), Player::random()], 10_000);
    let known = report.sprt.unwrap();
    assert_eq!((known.decision, known.looks, known.most_deals), (StrengthVerdict::Stronger, 1, 10_000));
    assert_eq!((report.deals, blocks.len(), &blocks[0]), (64, 1, &(0..4)));
    let (reversed, ..) = contest([Player::random(), Player::scripted()], 10_000);
    assert_eq!(reversed.sprt.unwrap().decision, StrengthVerdict::Weaker);
    // Equal bots play to the end, and the last block is as short as necessary.
    let (report, blocks, all) = contest([Player::random(), Player::random()], 1000);
    let known = report.sprt.as_ref().unwrap();
    if known.decision == StrengthVerdict::Unknown {
        assert_eq!((report.deals, blocks.last().unwrap().end), (1000, 63));
    }
    assert!(blocks.windows(2).all(|pair| pair[0].end == pair[1].start));
    // With intervals for a fixed number, the same deals have the same means and narrower intervals.
    let same = Contest::new(&rules, vec![Player::random(); 2], report.deals, 3).unwrap();
    let fixed = same.run(still);
    for (one, other) in report.bots.iter().zip(&fixed.bots) {
        assert_eq!(one.place_score.mean, other.place_score.mean);
        let wide =
            (one.place_score.high - one.place_score.low) / (other.place_score.high - other.place_score.low);
        assert!((1.2..2.5).contains(&wide), "{wide}");
    }
    assert_eq!(serde_json::from_value::<Report>(json!(report)).unwrap(), report);
    for delta in [0.0, -0.1, 1.5, f64::NAN] {
        assert!(matches!(all.sprt(delta), Err(ArenaError::Delta(_))));
    }
    for deals in [1, 63] {
        let few = Contest::new(&rules, vec![Player::random(), Player::random()], deals, 2).unwrap();
        let refused = few.sprt(DELTA).err();
        assert_eq!(refused, Some(ArenaError::FewToKnow { given: deals, expected: 64 }));
        let decided = few.run(still).decision();
        assert!(deals >= crate::arena::report::FEW || decided == StrengthVerdict::Unknown);
    }
}

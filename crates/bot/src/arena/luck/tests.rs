use cardsharp_env::Draw;
use serde_json::json;

use super::*;
use crate::bots::Player;

/// Draws samples of a figure that grows by `slopes` with the covariates, which have the means 10 and 3.
fn drawn(count: usize, slopes: Gauge, seed: u64) -> Vec<Sample> {
    let draw = &mut Draw::new(seed, 0);
    let mut normal = || (0..12).map(|_| f64::from(draw.unit())).sum::<f64>() - 6.0;
    (0..count)
        .map(|_| {
            let (first, common, own) = (normal(), normal(), normal());
            let gauge = [10.0 + first + common, 3.0 + common];
            (slopes[0] * (gauge[0] - 10.0) + slopes[1] * (gauge[1] - 3.0) + own, gauge)
        })
        .collect()
}

/// Returns samples minus their mean, as [`samples`] does, and their interval without adjustment.
fn measured(mut samples: Vec<Sample>) -> (Vec<Sample>, Interval) {
    let (mean, error) = mean_and_error(samples.iter().map(|(figure, _)| *figure));
    samples.iter_mut().for_each(|(figure, _)| *figure -= mean);
    (samples, Interval { mean, low: mean - Z * error, high: mean + Z * error })
}

fn gauges(count: usize, seed: u64) -> Vec<Gauge> {
    drawn(count, [0.0, 0.0], seed).into_iter().map(|(_, gauge)| gauge).collect()
}

#[test]
fn least_squares_find_the_slopes() {
    let (samples, _) = measured(drawn(20_000, [0.5, -1.5], 3));
    let fit = fit(&samples);
    assert!((fit.coefficients[0] - 0.5).abs() < 0.05 && (fit.coefficients[1] + 1.5).abs() < 0.05);
    // Of a variance of 1 + 0.5² + (0.5 − 1.5)², 1 remains.
    assert!((fit.narrower - 1.5).abs() < 0.03, "{}", fit.narrower);
    // A constant covariate, a duplicate one, and no covariate.
    let same = |k: usize| samples.iter().map(|(figure, gauge)| (*figure, [gauge[k]; 2])).collect::<Vec<_>>();
    let double = super::fit(&same(0));
    assert!(double.coefficients[0] != 0.0 && double.coefficients[1] == 0.0);
    let fixed: Vec<Sample> = samples.iter().map(|(figure, gauge)| (*figure, [7.0, gauge[1]])).collect();
    assert!(super::fit(&fixed).coefficients[0] == 0.0 && super::fit(&fixed).coefficients[1] != 0.0);
    let none: Vec<Sample> = samples.iter().map(|(figure, _)| (*figure, [7.0, 1.0])).collect();
    assert_eq!((super::fit(&none).coefficients, super::fit(&none).narrower), ([0.0, 0.0], 1.0));
    assert_eq!(super::fit(&[]).narrower, 1.0);
}

#[test]
fn adjusted_intervals_are_narrower_and_hold_the_truth_as_often() {
    let (mut held, mut before, mut after) = (0, 0.0, 0.0);
    for seed in 0..400 {
        let (pilot, _) = measured(drawn(100, [0.6, 0.6], 3 * seed));
        let (samples, plain) = measured(drawn(400, [0.6, 0.6], 3 * seed + 1));
        let adjusted = adjust(&samples, &fit(&pilot), &gauges(3200, 3 * seed + 2), plain);
        assert!(adjusted.used && adjusted.narrower > 1.1, "{adjusted:?}");
        held += u32::from(adjusted.figure.low <= 0.0 && 0.0 <= adjusted.figure.high);
        (before, after) =
            (before + plain.high - plain.low, after + adjusted.figure.high - adjusted.figure.low);
    }
    // 95 % of 400 are 380; three standard deviations are 13.
    assert!((367..=393).contains(&held), "{held}");
    // √(1 + 0.6² + 1.2²) is 1.67; the error of the means takes some of it.
    assert!((1.45..1.67).contains(&(before / after)), "{}", before / after);
}

#[test]
fn what_does_not_help_is_left_alone() {
    let mut used = 0;
    for seed in 0..200 {
        let (pilot, _) = measured(drawn(100, [0.0, 0.0], 3 * seed));
        let (samples, plain) = measured(drawn(400, [0.0, 0.0], 3 * seed + 1));
        let adjusted = adjust(&samples, &fit(&pilot), &gauges(3200, 3 * seed + 2), plain);
        used += u32::from(adjusted.used);
        assert!(adjusted.narrower < 1.02, "{adjusted:?}");
        assert!(adjusted.used || adjusted.figure == plain);
    }
    assert!(used < 40, "{used} of 200");
}

#[test]
fn the_same_deals_are_measured_and_no_deal_twice() {
    let rules = cardsharp_env::game("tachtigen").unwrap().default_rules();
    let bots = vec![Player::random(), Player::scripted()];
    let contest = Contest::new(&rules, bots, 40, 5).unwrap();
    let adjusting = contest.adjusting();
    let still = &mut || std::time::Duration::ZERO;
    let mut play = |contest: &Contest| -> Vec<Unit> {
        (0..contest.units()).map(|unit| contest.play(unit, still)).collect()
    };
    let (units, pilot) = (play(&contest), play(adjusting.pilot()));
    let gauges: Vec<Gauged> = (0..adjusting.gauges()).map(|unit| adjusting.gauge(unit)).collect();
    let report = adjusting.report(&units, &pilot, &gauges);
    let luck = report.luck.clone().unwrap();
    assert_eq!((luck.fitted_deals, luck.reference_deals), (64, 320));
    let plain = contest.report(&units);
    for (bot, plain) in report.bots.iter().zip(&plain.bots) {
        assert_eq!(bot.place_score, plain.place_score, "the plain figures stay");
        let adjusted = bot.adjusted.unwrap();
        for (figure, plain) in
            [(adjusted.place_score, plain.place_score), (adjusted.points_ahead, plain.points_ahead.unwrap())]
        {
            assert!(figure.fitted > 0.5 && figure.narrower > 0.5, "{figure:?}");
            assert!(figure.used || figure.figure == plain);
        }
    }
    assert_eq!(serde_json::from_value::<Report>(json!(report)).unwrap(), report);
    let mut seeds: Vec<u64> = adjusting
        .parts()
        .into_iter()
        .flat_map(|part| (0..part.deals).map(|deal| part.deal_seed(deal)))
        .collect();
    seeds.sort_unstable();
    assert!(seeds.windows(2).all(|pair| pair[0] != pair[1]));
    // A gauge agrees with a session at a table.
    let mut table = rules.table(contest.deal_seed(17));
    let (mut decisions, mut spread) = (0.0, 0.0);
    loop {
        while let Some(view) = table.asked() {
            decisions += f64::from(u8::from(table.legal().len() > 1));
            let scripted = view.scripted();
            table.try_play(scripted).unwrap();
        }
        let points = &table.payoff().unwrap().points[..4];
        let mean = f64::from(points.iter().sum::<i32>()) / 4.0;
        spread += points.iter().map(|&points| (f64::from(points) - mean).abs()).sum::<f64>();
        if !table.deal_next() {
            break;
        }
    }
    assert_eq!(adjusting.gauge(1).0[1], [decisions, spread]);
}

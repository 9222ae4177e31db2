use cardsharp_env::MAX_SEATS;

use super::super::schedule::LineupSchedule;
use super::*;

/// Simulates deals between bots of these strengths, in rating points. The places of every pair at a table follow the
/// odds. Places are drawn in order, the best first, with probabilities that grow tenfold every 400 points.
fn play(strengths: &[f64], players: usize, deals: u64, seed: u64) -> Vec<PlayedDeal> {
    let schedule = LineupSchedule::round_robin(strengths.len(), players, deals, seed);
    let mut draw = Draw::new(seed, 5);
    let mut one = |deal: u64| {
        let lineup = schedule.lineup(deal);
        let places = (0..players).map(|_| {
            let mut left: Vec<usize> = (0..players).collect();
            let mut places = [0; MAX_SEATS];
            for place in 1..=players {
                let weight = |seat: usize| 10f64.powf(strengths[lineup.bot(seat)] / 400.0);
                let total: f64 = left.iter().map(|&seat| weight(seat)).sum();
                let mut point = f64::from(draw.unit()) * total;
                let at = left.iter().position(|&seat| {
                    point -= weight(seat);
                    point < 0.0
                });
                places[left.remove(at.unwrap_or(left.len() - 1))] = place as u8;
            }
            places
        });
        let places = places.collect();
        PlayedDeal { lineup, tallies: Vec::new(), places }
    };
    (0..deals).map(&mut one).collect()
}

/// Fits Bradley–Terry ratings to all pairs of all rounds at once, with Newton steps for one bot after the other. The
/// mean is 0.
fn explained(deals: &[PlayedDeal], bots: usize) -> Vec<f64> {
    let (mut won, mut met) = (vec![0.0; bots], vec![vec![0.0; bots]; bots]);
    for deal in deals {
        let players = deal.lineup.players();
        for places in &deal.places {
            for (a, b) in (0..players).flat_map(|a| (0..players).map(move |b| (a, b))) {
                let (one, other) = (deal.lineup.bot(a), deal.lineup.bot(b));
                if one != other {
                    met[one][other] += 1.0;
                    won[one] += f64::from(u8::from(places[a] < places[b]));
                    won[one] += 0.5 * f64::from(u8::from(places[a] == places[b]));
                }
            }
        }
    }
    let mut logits = vec![0.0f64; bots];
    for _ in 0..500 {
        for own in 0..bots {
            let (mut gap, mut slope) = (won[own], 0.0);
            for other in 0..bots {
                let p = 1.0 / (1.0 + (logits[other] - logits[own]).exp());
                gap -= met[own][other] * p;
                slope += met[own][other] * p * (1.0 - p);
            }
            logits[own] += gap / slope;
        }
    }
    let mean = logits.iter().sum::<f64>() / bots as f64;
    logits.iter().map(|logit| (logit - mean) * 400.0 / std::f64::consts::LN_10).collect()
}

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn rated(deals: &[PlayedDeal], bots: usize, seed: u64) -> (Vec<Interval>, Ratings) {
    rate(&deals.iter().collect::<Vec<_>>(), &NAMES[..bots], seed)
}

#[test]
fn ratings_are_those_that_explain_all_rounds_without_an_order() {
    for (players, deals) in [(2, 400), (4, 150), (5, 300)] {
        let deals = play(&[0.0, 40.0, 90.0, 250.0, -120.0, 0.0], players, deals, 4);
        let (ratings, made) = rated(&deals, 6, 1);
        let truth = explained(&deals, 6);
        for (rating, truth) in ratings.iter().zip(&truth) {
            let half = rating.high - rating.mean;
            assert!((rating.mean - truth).abs() < 0.5 * half, "{players}: {rating:?} {truth}");
        }
        assert_eq!(made.anchor, Anchor::Mean);
        assert!(ratings.iter().map(|rating| rating.mean).sum::<f64>().abs() < 1e-6);
    }
}

#[test]
fn intervals_hold_the_truth_and_an_order_adds_little() {
    let strengths = [0.0, 40.0, -40.0, 80.0, -80.0];
    let (mut held, mut orders, mut widths) = (0, 0.0f64, 0.0f64);
    for seed in 0..12 {
        let deals = play(&strengths, 2, 60, seed);
        let (ratings, made) = rated(&deals, 5, seed);
        for (rating, truth) in ratings.iter().zip(strengths) {
            held += u32::from(rating.low <= truth && truth <= rating.high);
            widths += (rating.high - rating.mean) / 60.0;
        }
        orders += made.order_noise / 12.0;
    }
    // 95 % of 60 are 57.
    assert!((51..=60).contains(&held), "{held}");
    // The share of the order noise that remains in the mean over all orders.
    assert!(orders / 32f64.sqrt() < 0.05 * widths, "{orders} {widths}");
}

#[test]
fn the_anchor_is_at_zero_and_the_seed_decides() {
    let deals = play(&[0.0, 100.0, 200.0], 3, 80, 2);
    let deals: Vec<&PlayedDeal> = deals.iter().collect();
    let (ratings, made) = rate(&deals, &["a", "random", "b"], 5);
    assert_eq!((made.anchor, ratings[1]), (Anchor::Random, Interval { mean: 0.0, low: 0.0, high: 0.0 }));
    assert!(ratings[0].high < 0.0 && ratings[2].low > 0.0);
    assert_eq!(rate(&deals, &["a", "random", "b"], 5), (ratings.clone(), made));
    assert_ne!(rate(&deals, &["a", "random", "b"], 6).0, ratings);
}

#[test]
fn shared_places_are_half_won() {
    let mut deals = play(&[0.0, 0.0], 2, 50, 3);
    deals.iter_mut().flat_map(|deal| &mut deal.places).for_each(|places| places[..2].fill(1));
    let (ratings, _) = rated(&deals, 2, 1);
    assert!(ratings.iter().all(|rating| rating.mean == 0.0 && rating.high == 0.0), "{ratings:?}");
    // A round does not count for a bot that sat it out.
    deals[0].places[0] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(rated(&deals, 2, 1).0, ratings);
}

#[test]
fn copies_of_a_bot_say_as_much_as_one() {
    // Two bots at a table of four.
    let deals = play(&[60.0, -60.0], 4, 200, 7);
    let (ratings, _) = rated(&deals, 2, 1);
    let truth = explained(&deals, 2);
    assert!((ratings[0].mean - truth[0]).abs() < 0.5 * (ratings[0].high - ratings[0].mean), "{ratings:?}");
}

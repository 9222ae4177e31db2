//! Habits: in random play every kind of move occurs, and every kind has a name.

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::{ActionId, Draw, GAMES, mask};

const LANES: usize = 8;

#[test]
fn every_habit_has_a_name_and_occurs() {
    for game in GAMES.iter() {
        let names = game.habits();
        assert!(names.len() <= 32 && game.is_reference() == names.is_empty(), "{}", game.name());
        assert!((1..names.len()).all(|n| !names[..n].contains(&names[n])), "{names:?}");
        let mut seen = vec![0; names.len()];
        let mut draw = Draw::new(5, 0);
        for number in 0..if names.is_empty() { 1 } else { 400 } {
            let options = BatchOptions { lanes: LANES, skip_forced: true, rows: false, reveal: false };
            let mut env = game.random_rules(number).batch(options);
            let mut batch = env.batch();
            (0..LANES).for_each(|lane| env.start(lane, 0, 8 * number + lane as u64, &mut batch));
            let mut picks = [ActionId::default(); LANES];
            for _ in 0..400 {
                for lane in (0..LANES).filter(|&lane| batch.state[lane] == LaneState::Decide) {
                    let legal: Vec<u64> = batch.legal.row(lane).to_vec();
                    picks[lane] = mask::nth(&legal, draw.below(mask::count(&legal))).unwrap();
                    let kinds = env.view(lane).unwrap().habits(picks[lane]);
                    assert_eq!(u64::from(kinds) >> names.len(), 0, "{}: {kinds:b}", game.name());
                    seen.iter_mut().enumerate().for_each(|(kind, n)| *n += kinds >> kind & 1);
                }
                env.step(&picks, &mut batch);
            }
        }
        let never: Vec<_> = names.iter().zip(&seen).filter(|(_, seen)| **seen == 0).collect();
        assert!(never.is_empty(), "{}: {never:?}", game.name());
    }
}

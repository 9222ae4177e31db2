//! Measurements of speed play what batches play.

use cardsharp_env::speed::random_play_again;
use cardsharp_env::{BatchOptions, GAMES};

#[test]
fn what_is_timed_is_what_the_batch_interface_plays() {
    let options = BatchOptions { lanes: 1, skip_forced: false, rows: true, reveal: false };
    for game in GAMES.iter() {
        for with_row in [false, true] {
            let rules = game.default_rules();
            let timed = rules.random_play(3, 20_000, with_row);
            let again = random_play_again(rules.batch(options).as_mut(), 3, 20_000, with_row);
            assert_eq!(timed, again, "{}, with row: {with_row}", game.name());
        }
    }
}

#[test]
#[should_panic(expected = "writes no rows")]
fn rows_that_are_not_written_cannot_be_looked_at() {
    let options = BatchOptions { lanes: 1, skip_forced: false, rows: false, reveal: false };
    random_play_again(GAMES[0].default_rules().batch(options).as_mut(), 3, 10, true);
}

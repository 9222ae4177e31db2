//! Views with random changes: each is refused with a reason, or works in all functions.

use cardsharp_env::testing::{Changes, changed_views_are_refused_or_work, true_views_are_accepted, views};

use crate::{CRAZY_EIGHTS, Round};

const CHANGES: Changes = Changes::with(
    &["8h", "2c", "As'", "Qd", "5s"],
    &["turn", "suit", "over", "up", "down", "clubs", "by_rank", "places", ""],
);

#[test]
fn views_of_random_play_are_accepted() {
    true_views_are_accepted::<Round>(40);
}

#[test]
fn changed_views_are_refused_or_everything_works_on_them() {
    let accepted = changed_views_are_refused_or_work::<Round>(&CHANGES);
    println!("{accepted} changed views accepted");
}

#[test]
fn the_game_without_its_types_reads_views_alike() {
    for mut view in views::<Round>(3, 40) {
        assert_eq!(CRAZY_EIGHTS.view(&view.to_string()).unwrap().view().json(), view);
        view["table"]["turn"] = 12.into();
        assert!(CRAZY_EIGHTS.view(&view.to_string()).is_err(), "{view}");
    }
}

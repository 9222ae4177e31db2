//! Views from outside: any text is refused with a reason, or everything that takes a view works on it. Tests of all
//! games are in `cardsharp_env::testing`; the file of each game says how its views are changed, and tests its
//! refusals.

/// The tests that are the same for every game, for a game whose round is `$round`. They change its views by
/// `$changes`, and take true views from `$sessions` sessions.
macro_rules! tests_of_every_game {
    ($round:ty, $changes:expr, $sessions:expr) => {
        #[test]
        fn changed_views_are_refused_or_work() {
            let accepted = cardsharp_env::testing::changed_views_are_refused_or_work::<$round>(&$changes);
            println!("{accepted} changed views accepted");
        }

        #[test]
        fn true_views_are_accepted() {
            cardsharp_env::testing::true_views_are_accepted::<$round>($sessions);
        }

        #[test]
        fn views_are_read_alike_without_types() {
            super::views_are_read_alike_without_types::<$round>();
        }
    };
}
use tests_of_every_game;

mod dalmuti;
mod tachtigen;
mod tahimi;
mod taki;

use cardsharp_env::game::ViewError;
use cardsharp_env::testing::views;
use cardsharp_env::{Game, MAX_SEATS};
use serde_json::json;

/// Asserts that the game in the list reads the same views, and refuses those that cannot occur.
fn views_are_read_alike_without_types<G: Game>() {
    let game = cardsharp_env::game(G::NAME).expect("it is on the list");
    for mut view in views::<G>(3, 40) {
        let read = game.view(&view.to_string()).unwrap_or_else(|error| panic!("{error}: {view}"));
        assert_eq!(read.view().json(), view);
        let read = game.view_of(&view).unwrap_or_else(|error| panic!("{error}: {view}"));
        assert_eq!(read.view().json(), view);
        view["seat"] = json!(MAX_SEATS);
        for refused in [game.view(&view.to_string()).err(), game.view_of(&view).err()] {
            assert!(matches!(refused, Some(ViewError::Impossible(_))), "{refused:?}: {view}");
        }
        view["version"] = json!(0);
        for refused in [game.view(&view.to_string()).err(), game.view_of(&view).err()] {
            assert!(matches!(refused, Some(ViewError::Version { given: 0, .. })), "{refused:?}: {view}");
        }
        view["game"] = json!("bridge");
        for refused in [game.view(&view.to_string()).err(), game.view_of(&view).err()] {
            assert!(matches!(refused, Some(ViewError::Game { .. })), "{refused:?}: {view}");
        }
    }
}

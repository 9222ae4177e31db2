//! Tools for the tests of games, for yours as well as for those of this crate. They panic with what they found.
//!
//! * [`Situation`] is a round that you play by the names of moves and inspect, so that tests can follow the rules
//!   and name cards. It needs only the rules of play and the actions of a game.
//! * [`random_sessions`] and related functions play at random, for what must hold in every round.
//! * [`against_random`] measures the scripted player; [`assert_scripted_answers`] calls it at many decisions.
//! * [`true_views_are_accepted`] and [`changed_views_are_refused_or_work`] test views from outside.
//! * [`Situation::log`], [`event_log`] and [`observed`] test event logs, and
//!   [`damaged_logs_are_refused_or_followed`] damages them.
//! * [`random_decisions_conform`] runs the conformance suite.
//! * [`conformance_tests`](crate::conformance_tests), [`view_tests`](crate::view_tests) and
//!   [`leak_tests`](crate::leak_tests) define the tests that every game has.
//! * [`leaks`] finds hidden information that a seat can see; [`golden`] compares playthroughs with files.
//! * [`assert_options_are_listed`] and [`assert_options_are_told`] compare pages and rows with the options.
//!
//! ```
//! use cardsharp_env::Check;
//! use cardsharp_env::games::leduc::Round;
//! use cardsharp_env::testing::{assert_scripted_answers, random_sessions};
//!
//! let mut rounds = 0;
//! random_sessions::<Round>(20, 1, |_, _, _, after| after.audit().unwrap(), |_, _| rounds += 1);
//! assert!(rounds >= 20);
//! assert_scripted_answers::<Round>(|_| {});
//! ```
//!
//! [`conformance`](crate::conformance) checks what must hold in every game. Tests with these tools check what holds
//! in yours; `examples/crazy-eights/src/tests` has examples.

mod conforming;
pub mod golden;
pub mod leaks;
mod logs;
mod options;
mod random;
mod scripted;
mod situation;
mod views;

pub use conforming::{random_decisions_conform, the_same_seed_checks_the_same_decisions};
pub use logs::{damaged_logs_are_refused_or_followed, event_log, imagined, observed};
pub use options::{assert_ids_are_moves, assert_options_are_listed, assert_options_are_told};
pub use random::{
    assert_words_agree, play_until, random_action, random_move, random_sessions, unseen_changes,
};
pub use scripted::{against_random, assert_scripted_answers, place_score};
pub use situation::{Placed, Situation, named};
pub use views::{
    Changes, changed_views_are_refused_or_work, large_numbers_are_refused, numbers_have_bounds,
    refusals_say_what_is_wrong, refused_for_want_of_a_deal, true_views_are_accepted, use_view, views,
    views_are_read_alike_without_types,
};

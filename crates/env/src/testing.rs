//! What the tests of games have in common, for a game of your own as for those of this crate. All of it
//! panics with what it found: it is for tests.
//!
//! * [`Situation`] is a round that is played by the names of moves and looked at: the rules in words become
//!   tests that name cards. It asks for no more than the rules of play and the actions of a game.
//! * [`random_sessions`] and its neighbours play at random, for what must hold of every round.
//! * [`against_random`] measures the player by rule, [`assert_scripted_answers`] asks it everything.
//! * [`true_views_are_accepted`] and [`changed_views_are_refused_or_work`] are about views from outside.
//! * [`assert_options_are_listed`] and [`assert_options_are_told`] hold pages and rows to the options.
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
//! [`conformance`](crate::conformance) checks what must hold of every game; tests with these tools say what
//! holds in yours: `examples/crazy-eights/src/tests` are such.

mod options;
mod random;
mod scripted;
mod situation;
mod views;

pub use options::{assert_options_are_listed, assert_options_are_told};
pub use random::{assert_words_agree, play_until, random_move, random_sessions, unseen_changes};
pub use scripted::{against_random, assert_scripted_answers, place_score};
pub use situation::{Placed, Situation, named};
pub use views::{
    Changes, changed_views_are_refused_or_work, refusals_say_what_is_wrong, refused_for_want_of_a_deal,
    true_views_are_accepted, use_view, views,
};

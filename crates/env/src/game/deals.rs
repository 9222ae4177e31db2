//! Rounds small enough to be written down whole.

use serde_json::Value;

use super::Play;

/// One way in which a round can be dealt.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Deal<G> {
    /// How probable it is, above 0; all deals together have 1.
    pub probability: f64,
    /// The round as dealt.
    pub round: G,
}

/// Why there is no such endgame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndgameError {
    /// The game has no endgames.
    #[error("endgames of {game} cannot be written down")]
    None {
        /// The game's name.
        game: &'static str,
    },
    /// What was given is no endgame.
    #[error("no endgame: {0}")]
    Refused(String),
}

/// Listing deals. All that chance will bring must be settled in a deal that is listed: play from there
/// depends on the actions alone. See [`crate::enumerate`].
pub trait Deals: Play {
    /// Every deal of a session's first round by checked `rules`, each round once; none of a game with
    /// too many to list.
    fn deals(_rules: &Self::Rules) -> Option<Vec<Deal<Self>>> {
        None
    }
    /// Every deal of an endgame by checked `rules`: a round under way of which few cards are left to
    /// guess. `cards` says which, in the game's own words, as its module of endgames explains.
    ///
    /// # Errors
    /// The game has no endgames, or this is none.
    fn endgame(_rules: &Self::Rules, _cards: &Value) -> Result<Vec<Deal<Self>>, EndgameError> {
        Err(EndgameError::None { game: Self::NAME })
    }
}

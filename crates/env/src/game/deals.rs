//! Rounds small enough to be written down whole, and rounds whose cards somebody chose.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Play;
use crate::ground::rng::DealRng;

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
    #[error("endgames of {game} cannot be written out")]
    None {
        /// The game's name.
        game: &'static str,
    },
    /// What was given is no endgame.
    #[error("no endgame: {0}")]
    Refused(String),
    /// There is more of it than was asked for.
    #[error(
        "the endgame has more than {most} decisions and ends: expected one with fewer cards, or rules that end it sooner"
    )]
    TooLarge {
        /// The number that was exceeded.
        most: u64,
    },
}

/// The highest number of a round that a deal may be of: sessions count their rounds in 32 bits.
const MOST_ROUNDS: u64 = u32::MAX as u64;

/// Why no round begins with what was chosen.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// In this game nobody chooses what is dealt.
    #[error("in {game} cards cannot be chosen, only dealt by a seed")]
    None {
        /// The game's name.
        game: &'static str,
    },
    /// A field that deals of this game do not have.
    #[error("a deal of {game} has no `{field}`{}: expected {expected}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// The game's name.
        game: &'static str,
        /// The field as given.
        field: String,
        /// The field with the most similar name, if any is similar.
        nearest: Option<String>,
        /// All fields.
        expected: String,
    },
    /// By the rules, and by what else was chosen, something is otherwise.
    #[error("`{at}` is {given}, but by these rules it is {expected}")]
    Differs {
        /// The field, as a path.
        at: String,
        /// What was given there.
        given: String,
        /// What would be right.
        expected: String,
    },
    /// Cards cannot lie so: which field, and what would be right.
    #[error("{0}")]
    Refused(String),
}

impl From<String> for DealError {
    fn from(problem: String) -> Self {
        Self::Refused(problem)
    }
}

/// What somebody chose of a deal: a JSON object with any fields of the game's `deal` line. A hand that is null, and
/// every field that is left out, is left to chance.
#[derive(Copy, Clone, Debug)]
pub struct Chosen<'a>(&'a Value);

impl<'a> Chosen<'a> {
    /// Takes a deal. It may be a whole line of a trace: `line` says so, and `round` is the number of any round.
    ///
    /// # Errors
    /// It is no JSON object, or another line than that of a deal, or its `round` is no number of a round.
    pub fn of(deal: &'a Value) -> Result<Self, DealError> {
        let Some(fields) = deal.as_object() else {
            return Err(format!("a deal is a JSON object with fields of the line `deal`, not {deal}").into());
        };
        if let Some(line) = fields.get("line").filter(|line| *line != "deal") {
            return Err(format!("`line` is {line}, expected \"deal\"").into());
        }
        let is_round = |round: &Value| round.as_u64().is_some_and(|round| (1..=MOST_ROUNDS).contains(&round));
        match fields.get("round").filter(|round| !is_round(round)) {
            Some(round) => {
                Err(format!("`round` is {round}, expected a whole number from 1 to {MOST_ROUNDS}").into())
            }
            None => Ok(Self(deal)),
        }
    }

    /// All of it.
    pub const fn json(self) -> &'a Value {
        self.0
    }

    /// The fields that say what is dealt, by name.
    pub fn fields(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let fields = self.0.as_object().into_iter().flatten();
        fields
            .map(|(name, value)| (name.as_str(), value))
            .filter(|(name, _)| !["line", "round"].contains(name))
    }

    /// A field; none where it is left out.
    pub fn field(self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// What a field holds; none where it is left out.
    ///
    /// # Errors
    /// It holds something else.
    pub fn read<T: DeserializeOwned>(self, name: &str) -> Result<Option<T>, DealError> {
        let read = |value| T::deserialize(value).map_err(|error| format!("`{name}`: {error}").into());
        self.field(name).map(read).transpose()
    }

    /// The field `hands` as `count` hands, each as `read` reads it, which is told whose it is; none where it is left to
    /// chance.
    ///
    /// # Errors
    /// There are more hands or fewer, or what `read` says.
    pub fn hands<T>(
        self,
        count: usize,
        mut read: impl FnMut(usize, &str) -> Result<T, String>,
    ) -> Result<Vec<Option<T>>, DealError> {
        let Some(hands) = self.field("hands") else { return Ok((0..count).map(|_| None).collect()) };
        let listed = hands.as_array().filter(|listed| listed.len() == count);
        let listed = listed.ok_or_else(|| {
            let given = hands
                .as_array()
                .map_or_else(|| hands.to_string(), |hands| format!("a list of {}", hands.len()));
            format!("`hands` is {given}, expected a list of {count}, each a text of cards or null")
        })?;
        let mut hand = |(i, hand): (usize, &Value)| match hand {
            Value::Null => Ok(None),
            Value::String(text) => {
                read(i, text).map(Some).map_err(|error| format!("`hands[{i}]`: {error}").into())
            }
            other => Err(format!("`hands[{i}]` is {other}, expected a text of cards or null").into()),
        };
        listed.iter().enumerate().map(&mut hand).collect()
    }
}

/// Listing deals, and choosing one. All that chance will bring must be settled in a deal that is listed: play from there
/// depends on the actions alone. See [`crate::enumerate`].
pub trait Deals: Play {
    /// Every deal of a session's first round by checked `rules`, each round once; none of a game with
    /// too many to list.
    fn deals(_rules: &Self::Rules) -> Option<Vec<Deal<Self>>> {
        None
    }
    /// Every deal of an endgame by checked `rules`: a round under way of which few cards are left to
    /// guess. `cards` says which, in the game's own words, as its module of endgames explains. Nobody needs a list of
    /// deals that have more than `most` decisions and ends together.
    ///
    /// # Errors
    /// The game has no endgames, this is none, or it has more than `most` decisions and ends.
    fn endgame(_rules: &Self::Rules, _cards: &Value, _most: u64) -> Result<Vec<Deal<Self>>, EndgameError> {
        Err(EndgameError::None { game: Self::NAME })
    }
    /// A round of checked `rules`, after rounds that led to `standing`, in which this was dealt: the way back from
    /// [`Narrate::describe_deal`](super::Narrate::describe_deal). In a session's first round `standing` takes the seating
    /// that the deal tells. What is left out is drawn from [`DealRng::beside`], and the round goes on with `rng` where
    /// [`Play::deal`] would leave it: the same deal, chosen or dealt, is the same round.
    ///
    /// What is told but follows from the rules need not be looked at: whoever asks compares what was chosen with what
    /// the round tells of its deal ([`Session::of`](crate::Session::of)).
    ///
    /// # Errors
    /// In this game nobody chooses, or no round begins so: what is wrong.
    fn dealt(
        _rules: &Self::Rules,
        _standing: &mut Self::Standing,
        _deal: Chosen<'_>,
        _rng: DealRng,
    ) -> Result<Self, DealError> {
        Err(DealError::None { game: Self::NAME })
    }
}

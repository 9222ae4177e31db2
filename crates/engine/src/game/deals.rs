//! Rounds that can be enumerated, and rounds with chosen cards.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Play;
use crate::base::rng::DealRng;

/// One way in which a round can be dealt.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PossibleDeal<G> {
    /// The probability of the deal, above 0. The probabilities of all deals sum to 1.
    pub probability: f64,
    /// The round as dealt.
    pub round: G,
}

/// Why an endgame cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EndgameError {
    /// The game has no endgames.
    #[error("endgames of {game} cannot be written out")]
    None { game: &'static str },
    /// The input is not an endgame.
    #[error("no endgame: {0}")]
    Refused(String),
    /// The endgame is larger than the limit.
    #[error(
        "the endgame has more than {most} decisions and ends: expected one with fewer cards, or rules that end it sooner"
    )]
    TooLarge { most: u64 },
}

/// The highest round number that a deal may have: sessions count their rounds in 32 bits.
const MOST_ROUNDS: u64 = u32::MAX as u64;

/// Why no round can start with the chosen deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum DealError {
    /// In this game, deals cannot be chosen.
    #[error("in {game} cards cannot be chosen, only dealt by a seed")]
    None { game: &'static str },
    /// A field that deals of this game do not have.
    #[error("a deal of {game} has no `{field}`{}: expected {expected}", nearest.as_ref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        game: &'static str,
        /// The name of the field.
        field: String,
        /// The field with the most similar name, if any is similar.
        nearest: Option<String>,
        expected: String,
    },
    /// A field contradicts the rules or the other chosen fields.
    #[error("`{at}` is {given}, but by these rules it is {expected}")]
    Differs {
        /// The field, as a path.
        at: String,
        given: String,
        expected: String,
    },
    /// The cards cannot be dealt like this. The text names the field and what is valid.
    #[error("{0}")]
    Refused(String),
}

impl From<String> for DealError {
    fn from(problem: String) -> Self {
        Self::Refused(problem)
    }
}

/// A chosen deal: a JSON object with any fields of the game's `deal` line. Null hands, and all fields that are left
/// out, are left to chance.
#[derive(Copy, Clone, Debug)]
pub struct Chosen<'a>(&'a Value);

impl<'a> Chosen<'a> {
    /// Wraps a deal. It may be a whole line of a trace: then `line` is `deal`, and `round` is any round number.
    ///
    /// # Errors
    /// It is not a JSON object, `line` is not `deal`, or `round` is not a round number.
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

    /// The whole JSON object.
    pub const fn json(self) -> &'a Value {
        self.0
    }

    /// The fields of the deal by name, without `line` and `round`.
    pub fn fields(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let fields = self.0.as_object().into_iter().flatten();
        fields
            .map(|(name, value)| (name.as_str(), value))
            .filter(|(name, _)| !["line", "round"].contains(name))
    }

    /// The value of a field; `None` if it is left out.
    pub fn field(self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    /// The parsed value of a field; `None` if it is left out.
    ///
    /// # Errors
    /// The field has another type of value.
    pub fn read<T: DeserializeOwned>(self, name: &str) -> Result<Option<T>, DealError> {
        let read = |value| T::deserialize(value).map_err(|error| format!("`{name}`: {error}").into());
        self.field(name).map(read).transpose()
    }

    /// The field `hands` as `count` hands. `read` parses one hand, from its index and text. `None` for a hand that
    /// is left to chance.
    ///
    /// # Errors
    /// The number of hands is wrong, or `read` fails.
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

/// Lists deals, and deals chosen cards. A listed deal must settle all chance in advance: from there, play depends
/// on the actions alone. See [`crate::enumerate`].
pub trait Deals: Play {
    /// Lists every deal of a session's first round by checked `rules`, each round once. `None` for a game with too
    /// many deals.
    fn deals(_rules: &Self::Rules) -> Option<Vec<PossibleDeal<Self>>> {
        None
    }
    /// Lists every deal of an endgame by checked `rules`: a round in progress with few unknown cards. `cards`
    /// selects it, in a format that the game's endgame module explains. The list may be refused if its deals
    /// together have more than `most` decisions and ends.
    ///
    /// # Errors
    /// The game has no endgames, `cards` is not one, or it has more than `most` decisions and ends.
    fn endgame(
        _rules: &Self::Rules,
        _cards: &Value,
        _most: u64,
    ) -> Result<Vec<PossibleDeal<Self>>, EndgameError> {
        Err(EndgameError::None { game: Self::NAME })
    }
    /// Deals a round of checked `rules` with these chosen cards, after rounds that led to `standing`. This is the
    /// inverse of [`Narrate::describe_deal`](super::Narrate::describe_deal). In a session's first round, `standing`
    /// takes the seating of the deal. Fields that are left out are drawn from [`DealRng::beside`]. The round
    /// continues with `rng` in the state in which [`Play::deal`] would leave it. So the same deal is the same
    /// round, whether chosen or drawn.
    ///
    /// Fields that follow from the rules need no check here. The caller compares the chosen deal with the
    /// description of the resulting round ([`Session::of`](crate::Session::of)).
    ///
    /// # Errors
    /// In this game deals cannot be chosen, or no round has this one; the error says what is wrong.
    fn dealt(
        _rules: &Self::Rules,
        _standing: &mut Self::SessionState,
        _deal: Chosen<'_>,
        _rng: DealRng,
    ) -> Result<Self, DealError> {
        Err(DealError::None { game: Self::NAME })
    }
}

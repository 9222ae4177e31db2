//! What one seat may know, and the rounds that fit it.

use serde::de::{DeserializeOwned, Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::Play;
use crate::base::Seat;
use crate::base::rng::DealRng;
use crate::base::rules::RulesError;

/// Everything that one seat may know: the public state, and the seat's own cards and memories. Legality, encodings,
/// bots and search take a `View`, never a round, so that no hidden information can leak.
pub struct View<'a, G: Play> {
    /// The seat whose view it is.
    pub seat: Seat,
    /// What every seat sees.
    pub table: &'a G::PublicState,
    /// The private state of the seat.
    pub own: &'a G::PrivateState,
}

impl<G: Play> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<G: Play> Copy for View<'_, G> {}

impl<G: Play> View<'_, G> {
    /// Returns an owned copy, for storing and sending.
    pub fn to_owned(&self) -> OwnedView<G> {
        OwnedView { seat: self.seat, table: *self.table, own: *self.own }
    }
}

/// An owned [`View`] that round-trips through JSON. The JSON has the name of the game and the version of the form
/// first: `{"game":"kuhn","version":2,"seat":0,"table":{…},"own":{…}}`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct OwnedView<G: Play> {
    /// The seat whose view it is.
    pub seat: Seat,
    /// What every seat sees.
    pub table: G::PublicState,
    /// The private state of the seat.
    pub own: G::PrivateState,
}

impl<G: Play> OwnedView<G> {
    /// Returns the view with borrowed parts.
    pub fn view(&self) -> View<'_, G> {
        View { seat: self.seat, table: &self.table, own: &self.own }
    }
}

/// The JSON form of a view.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form<N, T, O> {
    game: N,
    version: u32,
    seat: Seat,
    table: T,
    own: O,
}

impl<G: Play> Serialize for OwnedView<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { seat, table, own } = self;
        Form { game: G::NAME, version: G::VIEW, seat: *seat, table, own }.serialize(serializer)
    }
}

impl<'de, G: Play> Deserialize<'de> for OwnedView<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Form { game, version, seat, table, own } =
            Form::<String, G::PublicState, G::PrivateState>::deserialize(deserializer)?;
        if game != G::NAME {
            return Err(D::Error::custom(format!("a view of `{game}`, not of `{}`", G::NAME)));
        }
        if version != G::VIEW {
            return Err(D::Error::custom(format!("version {version} of views, not {}", G::VIEW)));
        }
        Ok(Self { seat, table, own })
    }
}

/// Why a view was refused.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ViewError {
    /// The text is not a view of the game; the JSON reader says what is wrong and where.
    #[error("not a {game} view: {source}")]
    Json {
        game: &'static str,
        /// The reader's error, with line and column.
        source: serde_json::Error,
    },
    /// It is a view of another game.
    #[error("a view of `{given}`, not of `{expected}`")]
    Game {
        /// The name in the view.
        given: String,
        /// The name of the game.
        expected: &'static str,
    },
    /// The view has the form of another version of the program.
    #[error("a {game} view of version {given}: expected version {expected}")]
    Version {
        game: &'static str,
        /// The version in the view.
        given: u64,
        /// The version of this program.
        expected: u32,
    },
    /// The rules inside the view are refused.
    #[error("the rules in the view: {0}")]
    Rules(#[from] RulesError),
    /// No round can look like this.
    #[error("this view cannot occur: {0}")]
    Impossible(String),
}

/// What a text claims to be a view of, read before anything else; empty for texts that are not views.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Claim {
    game: Option<String>,
    version: Option<u64>,
}

impl<G: Play> OwnedView<G> {
    /// Reads a view, without checking that it can occur.
    ///
    /// # Errors
    /// It is of another game or version, or not the JSON of a view; the error says what is wrong and where.
    pub fn read(json: &str) -> Result<Self, ViewError> {
        let wrong = |source| ViewError::Json { game: G::NAME, source };
        // Browsers get no line and column. They would have to download a second reader of every type.
        if cfg!(target_family = "wasm") {
            return Self::of(&serde_json::from_str(json).map_err(wrong)?);
        }
        let claim: Claim = serde_json::from_str(json).map_err(wrong)?;
        claimed::<G>(claim.game.as_deref(), claim.version)?;
        serde_json::from_str(json).map_err(wrong)
    }

    /// Reads a view from parsed JSON, without checking that it can occur.
    ///
    /// # Errors
    /// It is of another game or version, or not a view.
    pub fn of(json: &Value) -> Result<Self, ViewError> {
        claimed::<G>(json["game"].as_str(), json["version"].as_u64())?;
        read(json).map_err(|source| ViewError::Json { game: G::NAME, source })
    }
}

/// Deserializes parsed JSON. The error has the path of the field.
#[cfg(not(target_family = "wasm"))]
fn read<T: DeserializeOwned>(json: &Value) -> Result<T, serde_json::Error> {
    serde_path_to_error::deserialize(json)
        .map_err(|error| serde_json::Error::custom(format!("`{}`: {}", error.path(), error.inner())))
}

/// Deserializes parsed JSON. Browsers would have to download a larger reader of every type for the path of a field.
#[cfg(target_family = "wasm")]
fn read<T: DeserializeOwned>(json: &Value) -> Result<T, serde_json::Error> {
    T::deserialize(json)
}

/// Refuses a claim of another game or version.
fn claimed<G: Play>(game: Option<&str>, version: Option<u64>) -> Result<(), ViewError> {
    if let Some(given) = game.filter(|given| *given != G::NAME) {
        return Err(ViewError::Game { given: given.to_owned(), expected: G::NAME });
    }
    if let Some(given) = version.filter(|&given| given != u64::from(G::VIEW)) {
        return Err(ViewError::Version { game: G::NAME, given, expected: G::VIEW });
    }
    Ok(())
}

/// Deals again what a seat cannot see.
pub trait Determinize: Play {
    /// Draws a random full round that is consistent with the view: its view of the same seat equals `view`. `None`
    /// if no round fits. That never happens for the view of a round, nor for a view that
    /// [`Check::check_view`](super::Check::check_view) accepts.
    fn determinize(view: View<'_, Self>, rng: DealRng) -> Option<Self>;
    /// Whether the viewer's decision belongs to an auction, in which players bid for contracts. Bids tell about the
    /// cards behind them, and determinizations ignore this. So a search may leave bids to another policy.
    fn is_auction(_view: View<'_, Self>) -> bool {
        false
    }
}

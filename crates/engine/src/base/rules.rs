//! The rules of a game: read strictly, checked as a whole.

use std::borrow::Cow;
use std::fmt::Debug;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::rng::Draw;
use crate::base::Seat;

pub use super::options::{OptionDoc, ValidValues, schema};
#[doc(hidden)]
pub use super::options::{anything, word};
#[doc(hidden)]
pub use super::schema::choice;

/// The rules a round is played by.
pub trait Rules:
    Copy + Default + PartialEq + Debug + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Every option, in reading order; the first one is `players`, the number of players, a whole number.
    const OPTIONS: &'static [OptionDoc];
    /// Options that views and traces of earlier versions lack. Their defaults are the rules of those versions.
    const ADDED: &'static [&'static str] = &[];
    /// The fewest and the most players.
    const PLAYERS: std::ops::RangeInclusive<u8> = super::options::players(Self::OPTIONS);
    /// The option that says how many rounds a session has.
    const ROUNDS_OPTION: &'static str;
    /// Refuses values out of range and meaningless combinations.
    fn check(&self) -> Result<(), RulesError>;
    /// Number of players in the first round.
    fn players(&self) -> u8;
    /// Number of seats in a session, at most [`crate::base::MAX_SEATS`]: more than [`Rules::players`]
    /// where players join later.
    fn seats(&self) -> u8 {
        self.players()
    }
    /// Rounds in a session.
    fn rounds(&self) -> u32;
    /// The same rules with a player who joins or leaves just before round `round`.
    ///
    /// # Errors
    /// The players of this game stay for the whole session, or the change is invalid; the error says why.
    fn with_change(self, round: u32, change: RosterChange) -> Result<Self, RulesError> {
        let given = format!("changed before round {round}: {change}");
        Err(RulesError::invalid("players", given, "in this game the same players stay for the whole session"))
    }
    /// Draws valid rules over all options and player counts.
    fn random(draw: &mut Draw) -> Self;
    /// Returns the error for a value that the option does not allow.
    fn refused(option: &str, given: impl ToString) -> RulesError {
        let doc = Self::OPTIONS.iter().find(|doc| doc.name == option);
        let expected = doc.map(|doc| format!("expected {}", doc.values)).unwrap_or_default();
        RulesError::invalid(option, given, expected)
    }
}

/// The rules of a session as in views and traces: with every option.
pub struct AllOptions<R>(PhantomData<R>);

impl<R: Rules> JsonSchema for AllOptions<R> {
    fn schema_name() -> Cow<'static, str> {
        "Rules".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = R::OPTIONS.iter().map(|option| option.name);
        let names: Vec<&str> = names.filter(|name| !R::ADDED.contains(name)).collect();
        let properties: serde_json::Map<String, Value> =
            R::OPTIONS.iter().map(|option| (option.name.to_owned(), option.schema())).collect();
        json_schema!({
            "description": "Every option of the game with its value.",
            "type": "object", "properties": properties, "required": names, "additionalProperties": false,
        })
    }
}

/// Rules with a name, like `house`.
#[derive(Copy, Clone, Debug)]
pub struct RuleSet {
    /// The name, unique in its game.
    pub name: &'static str,
    /// The options as TOML, below a comment that describes them.
    pub text: &'static str,
}

impl RuleSet {
    /// Returns the description: the comment at the top of the text.
    pub fn about(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix('#'));
        comment.map(str::trim).collect::<Vec<_>>().join(" ")
    }
}

/// Lists the rule sets of a game by name: the files in the folder `rule-sets` of its crate.
#[macro_export]
macro_rules! rule_sets {
    ($($name:literal),* $(,)?) => {
        &[$($crate::rules::RuleSet {
            name: $name,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/rule-sets/", $name, ".toml")),
        }),*]
    };
}

/// A player who joins or leaves between two rounds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RosterChange {
    /// This seat, which does not play, joins the table.
    Join(Seat),
    /// This seat, which plays, leaves the table.
    Leave(Seat),
}

impl std::fmt::Display for RosterChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Join(seat) => write!(f, "seat {} joins", seat.0),
            Self::Leave(seat) => write!(f, "seat {} leaves", seat.0),
        }
    }
}

/// Why rules were refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RulesError {
    /// The key is not an option of the game.
    #[error("there is no rules option `{option}`; {}", meant(nearest.as_deref(), known.iter().map(String::as_str)))]
    Unknown {
        option: String,
        /// The option with the most similar name, if any is similar.
        nearest: Option<String>,
        /// All options of the game.
        known: Vec<String>,
    },
    /// The value of an option cannot be used.
    #[error("rules option `{option}` cannot be {given}: {expected}")]
    Invalid { option: String, given: String, expected: String },
}

impl RulesError {
    /// Returns an [`RulesError::Invalid`] for this option.
    pub fn invalid(option: &str, given: impl ToString, expected: impl ToString) -> Self {
        Self::Invalid { option: option.to_owned(), given: given.to_string(), expected: expected.to_string() }
    }

    /// The key that was refused.
    pub fn option(&self) -> &str {
        match self {
            Self::Unknown { option, .. } | Self::Invalid { option, .. } => option,
        }
    }
}

/// Returns the name most similar to `given`, if any is similar enough.
pub fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&given.to_ascii_lowercase(), name), name))
        .filter(|(score, _)| *score > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Returns a hint for an unknown name: the most similar name or, if there is none, all of `known`.
pub fn meant<'n>(nearest: Option<&str>, known: impl IntoIterator<Item = &'n str>) -> String {
    match nearest {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("expected one of {}", known.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// The size of a session, if it is set separately from the rules. `None` keeps the size of the rules.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of players in the first round.
    pub players: Option<u8>,
    /// Rounds in a session.
    pub rounds: Option<u32>,
}

impl Size {
    /// Keeps the size of the rules.
    pub const AS_GIVEN: Self = Self { players: None, rounds: None };

    /// For this number of players.
    pub const fn players(players: u8) -> Self {
        Self { players: Some(players), ..Self::AS_GIVEN }
    }
}

/// Reads and checks rules from a JSON object. Options left out keep their defaults.
///
/// # Errors
/// An unknown key, a value of the wrong type or out of range, or a refused combination.
pub fn read<R: Rules>(given: &Value) -> Result<R, RulesError> {
    read_sized(given, Size::AS_GIVEN)
}

/// [`read`], with the players and rounds of `size` where it sets them. Rules are checked as a whole, after all
/// options are set, so the order of the options does not matter.
///
/// # Errors
/// As [`read`].
pub fn read_sized<R: Rules>(given: &Value, size: Size) -> Result<R, RulesError> {
    let empty = Map::new();
    let given = match given {
        Value::Object(map) => map,
        Value::Null => &empty,
        other => return Err(RulesError::invalid("rules", other, "expected a table of options")),
    };
    let mut all = json!(R::default());
    if !all.is_object() {
        return Err(RulesError::invalid("rules", all, "the defaults must be a table"));
    }
    let mut rules = R::default();
    let players = size.players.map(|players| ("players", Value::from(players)));
    let rounds = size.rounds.map(|rounds| (R::ROUNDS_OPTION, Value::from(rounds)));
    let given = given.iter().map(|(key, value)| (key.as_str(), value.clone()));
    for (key, value) in given.chain(players).chain(rounds) {
        let Some(option) = R::OPTIONS.iter().find(|o| o.name == key) else {
            let names = || R::OPTIONS.iter().map(|o| o.name);
            let nearest = nearest(key, names()).map(str::to_owned);
            let known = names().map(str::to_owned).collect();
            return Err(RulesError::Unknown { option: key.to_owned(), nearest, known });
        };
        all[key] = value.clone();
        rules = R::deserialize(&all)
            .map_err(|_| RulesError::invalid(key, value, format!("expected {}", option.values)))?;
    }
    rules.check()?;
    Ok(rules)
}

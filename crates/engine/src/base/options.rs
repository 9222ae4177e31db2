//! Options of a game, each declared once. From a declaration, [`options!`](crate::options) generates the rules as a
//! struct, their defaults, valid values, meanings, range checks, random values, cells of rows, and a schema.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::schema::DIALECT;

/// One option of a game, as shown by `describe`, in docs and in error messages.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct OptionDoc {
    /// The name of the option, its key in files.
    pub name: &'static str,
    /// The valid values. In JSON, a text as displayed.
    pub values: ValidValues,
    /// What the option does.
    pub meaning: &'static str,
    /// Whether it has no effect on play, but only on what rows show or on rewards.
    #[serde(skip)]
    pub shaping: bool,
}

/// The valid values of an option, and its default.
#[derive(Copy, Clone, Debug)]
pub enum ValidValues {
    /// Whole numbers that are multiples of `step`.
    Whole {
        /// The smallest valid value.
        least: u64,
        /// The largest valid value.
        most: u64,
        /// The valid values are multiples of this; 1 for any.
        step: u64,
        /// The value if the option is not set.
        default: u64,
    },
    /// Any number of a range.
    Number {
        /// The smallest valid value.
        least: f64,
        /// The largest valid value.
        most: f64,
        /// The value if the option is not set.
        default: f64,
    },
    /// One of `true` and `false`.
    Switch {
        /// The value if the option is not set.
        default: bool,
    },
    /// One of some words.
    Choice {
        /// Returns all valid words.
        all: fn() -> Vec<Value>,
        /// Returns the word if the option is not set.
        default: fn() -> Value,
    },
    /// Values of another type, which words describe.
    Words {
        /// The valid values in words, with the default.
        words: &'static str,
        /// The same as a JSON schema; empty if there is none.
        schema: fn() -> Value,
    },
}

impl fmt::Display for ValidValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Whole { least, most, .. } if least == most => write!(f, "{least}"),
            Self::Whole { least, most, step, default } => {
                match step {
                    1 => f.write_str("a whole number")?,
                    _ => write!(f, "a multiple of {step}")?,
                }
                write!(f, ", {least} to {most} (default {default})")
            }
            Self::Number { least, most, default } => {
                write!(f, "a number, {least:?} to {most:?} (default {default:?})")
            }
            Self::Switch { default } => write!(f, "true or false (default {default})"),
            Self::Choice { all, default } => {
                let words: Vec<String> = all().iter().map(Value::to_string).collect();
                if let Some((last, others)) = words.split_last() {
                    write!(f, "{} or {last} ", others.join(", "))?;
                }
                write!(f, "(default {})", default())
            }
            Self::Words { words, .. } => f.write_str(words),
        }
    }
}

impl Serialize for ValidValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl OptionDoc {
    /// A JSON schema of the option, for editors of rules files.
    pub fn schema(&self) -> Value {
        let mut schema = match self.values {
            ValidValues::Whole { least, most, step, default } => json!({
                "type": "integer", "minimum": least, "maximum": most, "multipleOf": step, "default": default,
            }),
            ValidValues::Number { least, most, default } => {
                json!({ "type": "number", "minimum": least, "maximum": most, "default": default })
            }
            ValidValues::Switch { default } => json!({ "type": "boolean", "default": default }),
            ValidValues::Choice { all, default } => json!({ "enum": all(), "default": default() }),
            ValidValues::Words { schema, .. } => schema(),
        };
        schema["description"] = match self.values {
            ValidValues::Words { words, .. } => json!(format!("{} Takes {words}.", self.meaning)),
            _ => json!(self.meaning),
        };
        schema
    }
}

/// A choice as JSON, as in files.
#[doc(hidden)]
pub fn word<T: Serialize>(choice: &T) -> Value {
    json!(choice)
}

/// The empty schema, which allows everything.
#[doc(hidden)]
pub fn anything() -> Value {
    json!({})
}

/// The smallest and the largest number of players, from the first option.
pub const fn players(options: &[OptionDoc]) -> RangeInclusive<u8> {
    match options.first() {
        Some(OptionDoc { values: ValidValues::Whole { least, most, .. }, .. }) => *least as u8..=*most as u8,
        _ => panic!("the first option must be the number of players, a whole number"),
    }
}

/// Returns the JSON schema of a game's rules files.
pub fn schema(title: &str, options: &[OptionDoc]) -> Value {
    let properties: serde_json::Map<String, Value> =
        options.iter().map(|option| (option.name.to_owned(), option.schema())).collect();
    json!({
        "$schema": DIALECT,
        "title": format!("Rules of {title}"),
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    })
}

/// Declares an option with a few named values. The first one is the default. The crate needs `serde`.
#[macro_export]
macro_rules! choices {
    ($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $what:literal])* $choice:ident),* $(,)? }) => {
        $(#[doc = $doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($(#[doc = $what])* $choice),* }

        impl $name {
            /// All choices, the default first.
            pub const ALL: &'static [Self] = &[$(Self::$choice),*];
        }

        impl Default for $name {
            fn default() -> Self {
                Self::ALL[0]
            }
        }

        impl $crate::schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                let words = [$(($crate::rules::word(&Self::$choice), concat!($($what),*))),*];
                $crate::rules::choice(concat!($($doc),*), words)
            }
        }
    };
}

/// Declares the rules of a game: a struct with a field for each option. The comment of a field says what the option
/// does, and is shown wherever options are listed. The crate needs `serde`.
///
/// ```
/// use cardsharp_env::rules::{OptionDoc, read};
/// use cardsharp_env::{Draw, RulesError, choices, options};
/// use serde_json::json;
///
/// choices! {
///     /// When the taxes are seen.
///     Visibility {
///         /// By nobody.
///         Sealed,
///         /// By the two who exchange cards.
///         Seen
///     }
/// }
///
/// choices! {
///     /// What a learner maximises.
///     Reward {
///         /// Places.
///         Places,
///         /// Points.
///         Points
///     }
/// }
///
/// options! {
///     /// The rules of a session.
///     Rules {
///         /// Number of players.
///         players: u8 = 5, whole(4..=12);
///         /// Rounds in a session, in fives.
///         rounds: u16 = 5, multiple(5, 5..=100);
///         /// Whether the first round is free of taxes.
///         free_first: bool = false, switch, shown(true);
///         /// When the taxes are seen.
///         visibility: Visibility = Visibility::Sealed, choice, shown(Seen);
///         /// Probability of a misdeal.
///         misdeal: f64 = 0.0, number(0.0..=1.0), drawn(|draw| draw.pick(&[0.0, 0.5, 1.0]));
///         /// Decisions after which a round is cut off.
///         limit: Option<u16> = None, words("a whole number, or null for no limit"), drawn(|_| Some(500));
///     }
///     /// What shapes rows and rewards, and nothing that is played.
///     Shaping {
///         /// What a learner maximises.
///         reward: Reward = Reward::Places, choice, shown(Points);
///     }
/// }
///
/// impl cardsharp_env::Rules for Rules {
///     const OPTIONS: &'static [OptionDoc] = Self::OPTIONS;
///     const ROUNDS_OPTION: &'static str = "rounds";
///     fn check(&self) -> Result<(), RulesError> {
///         self.in_range()
///     }
///     fn players(&self) -> u8 {
///         self.players
///     }
///     fn rounds(&self) -> u32 {
///         self.rounds.into()
///     }
///     fn random(draw: &mut Draw) -> Self {
///         Self::drawn(draw)
///     }
/// }
///
/// let rules: Rules = read(&json!({ "visibility": "seen", "reward": "points" }))?;
/// assert_eq!((rules.players, rules.shaping.reward), (5, Reward::Points));
/// assert_eq!(rules.shown(), [0, 1, 1]);
/// let error = read::<Rules>(&json!({ "rounds": 7 })).unwrap_err();
/// let expected = "rules option `rounds` cannot be 7: expected a multiple of 5, 5 to 100 (default 5)";
/// assert_eq!(error.to_string(), expected);
/// # Ok::<(), RulesError>(())
/// ```
///
/// Kinds: `whole(a..=b)`, `multiple(step, a..=b)`, `number(a..=b)`, `switch`, `choice` and `words("…")`. `choice`
/// takes a type made by [`choices!`](crate::choices), or one with a list `ALL`. `words("…")` is for everything else
/// and needs `drawn`; `words("…", schema)` adds a function that returns a JSON schema. A random value is uniform
/// unless the option has `drawn`. The second struct is optional. It becomes the field `shaping` of the first; in
/// files, the options of both form one table.
///
/// `shown` selects the cells of rows. `shown(true)` or `shown(Seen, Open)` has one cell for each listed value, 1
/// where the option has it. `shown(number)` has one cell with the number of a choice.
///
/// `#[serde(default)]` before an option says that views and traces of earlier versions lack it.
///
/// The macro generates `Default`, the traits of serde, `OPTIONS`, `in_range(&self)` and `drawn(draw)`, from which
/// you write [`Rules`](crate::Rules). The error of `in_range` names the first option out of its range. The macro
/// also generates `SHOWN` and `shown(&self)`: the names and the values of the cells of rows.
#[macro_export]
macro_rules! options {
    (
        $(#[$doc:meta])*
        $name:ident { $(
            $(#[doc = $meaning:literal])+
            $(#[serde($added:ident)])?
            $field:ident: $type:ty = $default:expr, $kind:ident $(($($of:tt)*))?
                $(, drawn($draw:expr))? $(, shown($($seen:ident),+))?;
        )* }
    ) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $($(#[doc = $meaning])+ $(#[serde($added)])? pub $field: $type),* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        $crate::options!(@methods $name {
            [$($(#[doc = $meaning])+ $field: $type = $default, $kind ($($($of)*)?) [$($draw)?] [$($($seen)+)?];)*] []
        });
    };
    (
        $(#[$doc:meta])*
        $name:ident { $(
            $(#[doc = $meaning:literal])+
            $(#[serde($added:ident)])?
            $field:ident: $type:ty = $default:expr, $kind:ident $(($($of:tt)*))?
                $(, drawn($draw:expr))? $(, shown($($seen:ident),+))?;
        )* }
        $(#[$shaping_doc:meta])*
        $shaping:ident { $(
            $(#[doc = $s_meaning:literal])+
            $s_field:ident: $s_type:ty = $s_default:expr, $s_kind:ident $(($($s_of:tt)*))?
                $(, drawn($s_draw:expr))? $(, shown($($s_seen:ident),+))?;
        )* }
    ) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $meaning])+ pub $field: $type,)*
            $(#[$shaping_doc])*
            pub shaping: $shaping,
        }

        $(#[$shaping_doc])*
        #[derive(Copy, Clone, Debug, PartialEq)]
        pub struct $shaping { $($(#[doc = $s_meaning])+ pub $s_field: $s_type),* }

        // A separate block, so that the game can have its own `Table`.
        const _: () = {
            /// All options as one table: the form of rules in files.
            #[derive(serde::Serialize, serde::Deserialize)]
            #[serde(deny_unknown_fields)]
            struct Table { $($(#[serde($added)])? $field: $type,)* $($s_field: $s_type,)* }

            impl serde::Serialize for $name {
                fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let table = Table { $($field: self.$field,)* $($s_field: self.shaping.$s_field),* };
                    serde::Serialize::serialize(&table, serializer)
                }
            }

            impl<'de> serde::Deserialize<'de> for $name {
                fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let table: Table = serde::Deserialize::deserialize(deserializer)?;
                    Ok(Self { $($field: table.$field,)* shaping: $shaping { $($s_field: table.$s_field),* } })
                }
            }
        };

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* shaping: $shaping::default() }
            }
        }

        impl Default for $shaping {
            fn default() -> Self {
                Self { $($s_field: $s_default),* }
            }
        }

        $crate::options!(@methods $name {
            [$($(#[doc = $meaning])+ $field: $type = $default, $kind ($($($of)*)?) [$($draw)?] [$($($seen)+)?];)*]
            [$shaping $($(#[doc = $s_meaning])+ $s_field: $s_type = $s_default, $s_kind ($($($s_of)*)?) [$($s_draw)?] [$($($s_seen)+)?];)*]
        });
    };
    (@methods $name:ident {
        [$($(#[doc = $meaning:literal])+ $field:ident: $type:ty = $default:expr, $kind:ident ($($of:tt)*) [$($draw:expr)?] [$($seen:ident)*];)*]
        [$($shaping:ident $($(#[doc = $s_meaning:literal])+ $s_field:ident: $s_type:ty = $s_default:expr, $s_kind:ident ($($s_of:tt)*) [$($s_draw:expr)?] [$($s_seen:ident)*];)*)?]
    }) => {
        impl $name {
            /// Every option, in reading order.
            const OPTIONS: &'static [$crate::rules::OptionDoc] = &[
                $($crate::rules::OptionDoc {
                    name: stringify!($field),
                    values: $crate::options!(@values $kind ($($of)*) $type, $default),
                    meaning: concat!($($meaning),+).trim_ascii(),
                    shaping: false,
                },)*
                $($($crate::rules::OptionDoc {
                    name: stringify!($s_field),
                    values: $crate::options!(@values $s_kind ($($s_of)*) $s_type, $s_default),
                    meaning: concat!($($s_meaning),+).trim_ascii(),
                    shaping: true,
                },)*)?
            ];

            /// The options and values that rows show, one entry for each cell of `shown`.
            // A game may show its rules in another way.
            #[allow(dead_code)]
            pub(crate) const SHOWN: &'static [(&'static str, &'static str)] = &[
                $($($crate::options!(@name $field $seen),)*)*
                $($($($crate::options!(@name $s_field $s_seen),)*)*)?
            ];

            /// The cells of rows that show the options.
            #[allow(dead_code)]
            #[inline]
            pub(crate) fn shown(&self) -> [u8; Self::SHOWN.len()] {
                [
                    $($($crate::options!(@cell $kind $type, self.$field, $seen),)*)*
                    $($($($crate::options!(@cell $s_kind $s_type, self.shaping.$s_field, $s_seen),)*)*)?
                ]
            }

            /// Refuses the first option that is out of its range.
            fn in_range(&self) -> Result<(), $crate::RulesError> {
                $($crate::options!(@check $kind ($($of)*) self.$field, stringify!($field));)*
                $($($crate::options!(@check $s_kind ($($s_of)*) self.shaping.$s_field, stringify!($s_field));)*)?
                Ok(())
            }

            /// Draws options one after the other, each within its range.
            fn drawn(draw: &mut $crate::Draw) -> Self {
                Self {
                    $($field: $crate::options!(@draw draw, $kind ($($of)*) $type $(, $draw)?),)*
                    $(shaping: $shaping {
                        $($s_field: $crate::options!(@draw draw, $s_kind ($($s_of)*) $s_type $(, $s_draw)?),)*
                    },)?
                }
            }
        }
    };

    (@name $field:ident $seen:ident) => { (stringify!($field), stringify!($seen)) };

    (@cell switch $type:ty, $value:expr, $seen:ident) => { u8::from($value == $seen) };
    (@cell choice $type:ty, $value:expr, number) => { $value as u8 };
    (@cell choice $type:ty, $value:expr, $seen:ident) => { u8::from($value == <$type>::$seen) };

    (@values whole ($least:literal..=$most:expr) $type:ty, $default:expr) => {
        $crate::rules::ValidValues::Whole { least: $least as u64, most: $most as u64, step: 1, default: $default as u64 }
    };
    (@values multiple ($step:literal, $least:literal..=$most:expr) $type:ty, $default:expr) => {
        $crate::rules::ValidValues::Whole {
            least: $least as u64, most: $most as u64, step: $step, default: $default as u64,
        }
    };
    (@values number ($least:literal..=$most:expr) $type:ty, $default:expr) => {
        $crate::rules::ValidValues::Number { least: $least, most: $most, default: $default }
    };
    (@values switch () $type:ty, $default:expr) => { $crate::rules::ValidValues::Switch { default: $default } };
    (@values choice () $type:ty, $default:expr) => {
        $crate::rules::ValidValues::Choice {
            all: || <$type>::ALL.iter().map($crate::rules::word).collect(),
            default: || $crate::rules::word(&$default),
        }
    };
    (@values words ($words:expr) $type:ty, $default:expr) => {
        $crate::options!(@values words ($words, $crate::rules::anything) $type, $default)
    };
    (@values words ($words:expr, $schema:expr) $type:ty, $default:expr) => {
        $crate::rules::ValidValues::Words { words: $words, schema: $schema }
    };

    (@check whole ($($range:tt)*) $value:expr, $name:expr) => {
        if !($($range)*).contains(&$value) {
            return Err(<Self as $crate::Rules>::refused($name, $value));
        }
    };
    (@check multiple ($step:literal, $($range:tt)*) $value:expr, $name:expr) => {
        if !($($range)*).contains(&$value) || $value % $step != 0 {
            return Err(<Self as $crate::Rules>::refused($name, $value));
        }
    };
    (@check number ($($range:tt)*) $value:expr, $name:expr) => {
        if !($($range)*).contains(&$value) {
            return Err(<Self as $crate::Rules>::refused($name, $value));
        }
    };
    (@check $kind:ident ($($of:tt)*) $value:expr, $name:expr) => {};

    (@draw $draw:ident, $kind:ident ($($of:tt)*) $type:ty, $own:expr) => {{
        let drawn: fn(&mut $crate::Draw) -> $type = $own;
        drawn($draw)
    }};
    (@draw $draw:ident, whole ($least:literal..=$most:expr) $type:ty) => {
        $least + $draw.below(($most - $least) as u32 + 1) as $type
    };
    (@draw $draw:ident, multiple ($step:literal, $least:literal..=$most:expr) $type:ty) => {
        $least + $step * $draw.below((($most - $least) / $step) as u32 + 1) as $type
    };
    (@draw $draw:ident, switch () $type:ty) => { $draw.below(2) == 0 };
    (@draw $draw:ident, choice () $type:ty) => { $draw.pick(<$type>::ALL) };
}

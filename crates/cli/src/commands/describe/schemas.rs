//! Schemas of what the program reads and writes.

use cardsharp_env::game::Schemas;
use cardsharp_env::rules::schema as of_rules;
use cardsharp_env::{AnyGame, SCHEMAS};
use serde_json::Value;

use super::{record, trace};
use crate::error::CliError;

/// What has a schema.
#[derive(Copy, Clone, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum What {
    /// Rules files of the game
    Rules,
    /// Views of the game
    View,
    /// A line of the game's traces
    Trace,
    /// A line of a seat's event log of the game
    Record,
    /// The JSON files in a bundle, with a field for each
    Bundle,
    /// Configurations of training runs
    #[cfg(feature = "train")]
    Config,
    /// Sweep files
    #[cfg(feature = "train")]
    Sweep,
}

impl What {
    /// The word on the command line.
    const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::View => "view",
            Self::Trace => "trace",
            Self::Record => "record",
            Self::Bundle => "bundle",
            #[cfg(feature = "train")]
            Self::Config => "config",
            #[cfg(feature = "train")]
            Self::Sweep => "sweep",
        }
    }

    fn refused(self, expected: &str) -> CliError {
        CliError::Option { option: "--schema", given: self.word().to_owned(), expected: expected.to_owned() }
    }
}

/// Returns the schemas of a game that ships with the program.
pub(super) fn of(game: &dyn AnyGame) -> Result<&'static Schemas, CliError> {
    let expected = "expected a game that ships with the program";
    SCHEMAS.iter().find(|schemas| schemas.game == game.name()).ok_or_else(|| What::View.refused(expected))
}

/// Returns a schema. Some kinds need a game, the others refuse one.
pub(super) fn schema(what: What, game: Option<&dyn AnyGame>) -> Result<Value, CliError> {
    let of_a_game = || {
        game.ok_or_else(|| {
            what.refused(&format!("expected a game, like `describe dalmuti --schema {}`", what.word()))
        })
    };
    let of_all = || match game {
        None => Ok(()),
        Some(_) => Err(what.refused("expected no game: the schema is the same for all games")),
    };
    Ok(match what {
        What::Rules => of_rules(of_a_game()?.title(), of_a_game()?.options()),
        What::View => (of(of_a_game()?)?.view)(),
        What::Trace => trace::line(of_a_game()?, of(of_a_game()?)?),
        What::Record => record::line(of_a_game()?, of(of_a_game()?)?),
        What::Bundle => {
            of_all()?;
            cardsharp_bot::bundle::schema()
        }
        #[cfg(feature = "train")]
        What::Config => {
            of_all()?;
            cardsharp_trainer::config::Config::schema()
        }
        #[cfg(feature = "train")]
        What::Sweep => {
            of_all()?;
            cardsharp_trainer::sweep::SweepFile::schema()
        }
    })
}

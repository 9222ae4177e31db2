use std::path::{Path, PathBuf};

use cardsharp_bot::arena::command::{path as typed, toml};
use cardsharp_env::AnyGame;
use serde_json::json;

use crate::args::{GameArg, program};
use crate::error::{CliError, Failure};
use crate::files;
use crate::output::Output;
use crate::terminal::wrapped;

/// Configurations to start from, by game.
const CONFIGS: [(&str, &str); 4] = [
    ("dalmuti", include_str!("../../configs/dalmuti.toml")),
    ("tachtigen", include_str!("../../configs/tachtigen.toml")),
    ("tahimi", include_str!("../../configs/tahimi.toml")),
    ("taki", include_str!("../../configs/taki.toml")),
];

/// Write a training configuration and a rules file to start from.
///
/// Writes GAME.toml, a configuration that trains in minutes, and GAME-rules.toml, which lists every option of the game
/// with its default. Existing files are never replaced.
#[derive(clap::Args)]
#[command(after_help = concat!("\
Examples:
  cardsharp init
  cardsharp init taki --to my-bots
  cardsharp train my-bots/taki.toml

More: ", docs!("training.html")))]
pub(crate) struct Init {
    /// The game
    #[arg(value_parser = GameArg::parser(), default_value = "dalmuti")]
    game: GameArg,
    /// Folder for the files, created if it does not exist
    #[arg(long, value_name = "DIR", default_value = ".")]
    to: PathBuf,
}

/// A file to create exists already.
#[derive(Debug, thiserror::Error)]
#[error("{} already exists: remove it, or name another folder with --to", path.display())]
struct ExistsError {
    path: PathBuf,
}

impl Failure for ExistsError {
    fn code(&self) -> u8 {
        2
    }
}

impl Init {
    pub(crate) fn run(self, out: &mut Output) -> Result<(), CliError> {
        let game = self.game.0;
        let path = |name: String| if self.to == Path::new(".") { name.into() } else { self.to.join(name) };
        let (config, rules): (PathBuf, PathBuf) =
            (path(format!("{}.toml", game.name())), path(format!("{}-rules.toml", game.name())));
        if let Some(path) = [&config, &rules].into_iter().find(|path| path.symlink_metadata().is_ok()) {
            return Err(ExistsError { path: path.clone() }.into());
        }
        std::fs::create_dir_all(&self.to).map_err(files::refused(&self.to))?;
        files::write(&config, config_of(game, &config).as_bytes())?;
        files::write(&rules, rules_of(game, &rules).as_bytes())?;
        let train = format!("{} train {}", program(), typed(&config));
        let show = format!("{} rules {} --rules {}", program(), game.name(), typed(&rules));
        if out.json {
            let next = json!({ "train": train, "rules": show });
            return out
                .json_page(&json!({ "game": game.name(), "config": config, "rules": rules, "next": next }));
        }
        out.line(format!("Wrote {} and {}.", config.display(), rules.display()))?;
        out.command(format!("Train a bot:          {train}"))?;
        out.command(format!("Show the rules file:  {show}"))
    }
}

/// Returns the configuration to start from.
fn config_of(game: &dyn AnyGame, path: &Path) -> String {
    let body = match CONFIGS.iter().find(|(name, _)| *name == game.name()) {
        // The first comment is for contributors.
        Some((_, text)) => {
            text.lines().skip_while(|line| line.starts_with('#')).collect::<Vec<_>>().join("\n")
        }
        None => format!("game = \"{}\"\nseed = 1\niterations = 300", game.name()),
    };
    format!(
        "# Trains a bot for {}:\n\
         #   cardsharp train {}\n\
         # Fields left out have their defaults; `cardsharp describe config` lists all fields.\n\n{}\n",
        game.title(),
        typed(path),
        body.trim()
    )
}

/// Returns a rules file with every option, commented out.
fn rules_of(game: &dyn AnyGame, path: &Path) -> String {
    let defaults = game.default_rules();
    let mut text = format!(
        "# Rules of {}, as options. Remove the `#` before an option and change its value.\n\
         # Every value below is the default.\n\
         #   cardsharp play {} --rules {}\n",
        game.title(),
        game.name(),
        typed(path)
    );
    for option in game.options().iter().filter(|option| !option.shaping) {
        let about = format!("{}: {}", option.values, option.meaning);
        text += &format!("\n{}\n", wrapped(&about, 100, "# ").join("\n"));
        let default = &defaults.json()[option.name];
        text += &match default.is_null() {
            true => format!("# {} has no default\n", option.name),
            false => format!("#{} = {}\n", option.name, toml(default)),
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use cardsharp_document::parse_rules;
    use cardsharp_env::{GAMES, Size};
    use cardsharp_trainer::config::Config;

    use super::{config_of, rules_of};

    #[test]
    fn configurations_and_rules_files_are_accepted() {
        let folder = tempfile::tempdir().expect("a folder");
        for game in GAMES.iter() {
            let path = folder.path().join("game.toml");
            std::fs::write(&path, config_of(*game, Path::new("game.toml"))).expect("a file");
            let config = Config::read_among(crate::games::all(), &path, &[]).expect("a configuration");
            assert_eq!(config.game, game.name());
            let text = rules_of(*game, Path::new("rules.toml"));
            let bare: String = (text.lines())
                .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
                .flat_map(|line| [line, "\n"])
                .collect();
            for text in [&text, &bare] {
                let rules = parse_rules(*game, "rules.toml", text, &[], Size::AS_GIVEN).expect("rules");
                assert_eq!(rules.json(), game.default_rules().json(), "{text}");
            }
        }
    }
}

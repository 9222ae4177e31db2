//! The bots that ship with the project, embedded in the program by the feature `shipped`. They are the bytes of every
//! bundle in `checkpoints`, so a name and a path give the same bot.

pub use cardsharp_checkpoints::{SHIPPED, Shipped};

use crate::identity::Identity;

/// Returns the shipped bot with this name, which is that of its game, or with this name and version.
pub fn shipped(name: &str) -> Option<&'static Shipped> {
    let (game, version) = name.split_once('@').map_or((name, false), |(game, _)| (game, true));
    let found = SHIPPED.iter().find(|bot| bot.game == game)?;
    let is_meant = || Identity::from_bytes(found.identity).is_ok_and(|identity| identity.to_string() == name);
    (!version || is_meant()).then_some(found)
}

/// Lists their names for an error message about bot names.
pub(super) fn names() -> String {
    let names: Vec<String> = SHIPPED.iter().map(|bot| format!("`{}`", bot.game)).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("{} (the bot that ships for the game), ", names.join(", "))
    }
}

#[cfg(all(test, feature = "shipped"))]
mod tests {
    use std::path::{Path, PathBuf};

    use cardsharp_env::{GAMES, game};

    use super::*;
    use crate::bots::{LoadOptions, TRAINED, Trained, load, load_with, path_of, resolved};

    fn folder(game: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../checkpoints").join(game).join("bot")
    }

    #[test]
    fn every_bundle_of_the_project_is_in_the_program_as_it_is() {
        let bundles: Vec<&str> =
            GAMES.iter().map(|game| game.name()).filter(|name| folder(name).is_dir()).collect();
        let names: Vec<&str> = SHIPPED.iter().map(|bot| bot.game).collect();
        assert_eq!(names, bundles);
        for bot in SHIPPED {
            let file = |name: &str| std::fs::read(folder(bot.game).join(name)).unwrap();
            assert!(
                bot.network == file("bot.safetensors") && bot.levels == file("levels.json"),
                "{}",
                bot.game
            );
            let model = folder(bot.game).join("beliefs.safetensors");
            assert_eq!(bot.beliefs.map(<[u8]>::to_vec), std::fs::read(model).ok(), "{}", bot.game);
        }
    }

    #[test]
    fn a_name_is_the_same_bot_as_the_path_wherever_a_bot_is_named() {
        for bot in SHIPPED {
            let game = game(bot.game).unwrap();
            let path = folder(bot.game).display().to_string();
            let table = game.default_rules().table(3);
            let view = || table.asked().unwrap();
            let with_model = if bot.beliefs.is_some() { "search:4:beliefs+" } else { "search:4+" };
            for (before, after) in [("", ""), ("", "@3"), ("", "@10"), ("search:4+", ""), (with_model, "")] {
                let [named, read, trained] =
                    [bot.game, &path, TRAINED].map(|name| format!("{before}{name}{after}"));
                let asked = |spec: &str| load(spec, game, 0.0).unwrap().bot(7).advise(view());
                assert_eq!(asked(&named).moves, asked(&read).moves, "{named}");
                assert_eq!(resolved(&trained, bot.game), named);
                assert_eq!(load(&trained, game, 0.0).unwrap().name(), named);
            }
            assert_eq!(path_of(&format!("{}@3", bot.game)), Some(bot.game));
            assert!(Trained::read(bot.game, game).unwrap().levels().is_none());
        }
    }

    #[test]
    fn a_name_of_no_shipped_bot_is_refused_with_the_reason() {
        let refused = |spec: &str, name: &str| {
            let game = game(name).unwrap();
            load_with(spec, game, &LoadOptions::default()).unwrap_err().to_string()
        };
        assert_eq!(refused("taki", "dalmuti"), "taki: the bot plays `taki`, not `dalmuti`");
        assert_eq!(
            refused("taki@11", "taki"),
            "there is no bot `taki@11`: there is no level `11`: expected 1 to 10"
        );
        assert_eq!(
            refused("search:4:beliefs+taki", "taki"),
            "the shipped bot `taki` has no belief model: export it and learn one with `cardsharp beliefs`"
        );
        assert_eq!(
            refused("trained", "kuhn"),
            "there is no bot `trained` for `kuhn`: no bot ships for this game"
        );
        assert_eq!(resolved("search:4+trained", "kuhn"), "search:4+trained");
        assert_eq!(resolved("./trained", "taki"), "./trained");
        assert!(refused("dalmut", "dalmuti").ends_with("; did you mean `dalmuti`?"));
        // A name with a folder is always a path.
        assert!(refused("./taki", "taki").starts_with("there is no bot `./taki`"));
    }
}

//! Short names of bots at the table.

use std::borrow::Cow;
use std::path::Path;

use cardsharp_bot::bots::path_of;
use cardsharp_bot::bots::program::PREFIX;

use super::words::shortened;

/// Maximum length of a name, in characters.
const LONGEST: usize = 18;

/// Shortens a bot's name at a table of `game`. A path becomes its last folder, and a command the file of its last word.
/// The game's own bot at a level becomes the level.
pub(super) fn short(spec: &str, game: &str) -> String {
    let name: Cow<'_, str> = match path_of(spec) {
        Some(path) => match (spec.strip_prefix(path), spec.strip_suffix(path)) {
            (Some(level), _) if path == game => {
                level.strip_prefix('@').map_or(path.into(), |n| format!("level {n}").into())
            }
            (Some(level), _) => format!("{}{level}", last_of(path)).into(),
            (None, before) => format!("{}{}", before.unwrap_or_default(), last_of(path)).into(),
        },
        None => match spec.strip_prefix(PREFIX) {
            Some(command) => command.split_whitespace().last().map_or(command, file).into(),
            None => spec.into(),
        },
    };
    shortened(&name, LONGEST)
}

/// Returns the last folder of a path, with its parent if the last one is a generic name like `bundle`.
fn last_of(path: &str) -> Cow<'_, str> {
    let last = file(path);
    let before = Path::new(path).parent().and_then(Path::file_name).map(|name| name.to_string_lossy());
    match before {
        Some(before) if matches!(last, "bot" | "bundle" | "bot.safetensors") => {
            format!("{before}/{last}").into()
        }
        _ => last.into(),
    }
}

fn file(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn names_are_short() {
        for (spec, name) in [
            ("scripted", "scripted"),
            ("taki", "taki"),
            ("taki@4", "level 4"),
            ("checkpoints/taki/bot@4", "taki/bot@4"),
            ("checkpoints/taki/bot/", "taki/bot"),
            ("runs/a/best", "best"),
            ("search:500ms", "search:500ms"),
            ("search:200+checkpoints/taki/bot", "search:200+taki/b…"),
            ("exec:python3 bots/my_bot.py", "my_bot.py"),
        ] {
            assert_eq!(short(spec, "taki"), name, "{spec}");
        }
    }
}

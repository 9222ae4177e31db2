//! Weaker versions of a bot, so that a person can choose a fair opponent.
//!
//! Temperature weakens a network: its logits are divided by it before a move is drawn. So the network plays its
//! favorite move less often, and at the end all moves equally often. It never plays a move *because* it is bad. The
//! highest level uses the endgame solver ([`super::EndgameBot`]) and may search ([`super::search`]). The temperatures
//! of the levels are found by measurement. They are in a file next to the network, with the measured ratings.
//! [`Trained`](super::Trained) creates players from levels.

use std::io;
use std::ops::Not;
use std::path::{Path, PathBuf};

use cardsharp_env::seed;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::search::MOST_SIMULATIONS;
use crate::identity::version_of;
use crate::manifest::{self, BundleProblem};
use crate::stats::Interval;
use crate::text;

/// The name of the file, in the folder of the network.
pub const FILE: &str = "levels.json";
/// The largest file of levels that is read, in bytes.
pub const MAX_FILE: u64 = 1 << 20;
/// The number of levels. Level 1 is the weakest.
pub const LEVELS: u8 = 10;

/// The levels of a bot, and how they were measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// Name of the game.
    pub game: String,
    /// Rules of the round robin in which the ratings were measured.
    pub rules: Value,
    /// Number of deals in that round robin.
    pub deals: u64,
    /// Seed of that round robin.
    #[serde(with = "seed::recorded")]
    #[schemars(schema_with = "seed::recorded::schema")]
    pub seed: u64,
    /// Ratings of other bots in that round robin, for comparison. `random` has rating 0.
    pub others: Vec<Rated>,
    /// The 10 levels, weakest first.
    pub levels: Vec<Level>,
}

/// Settings and rating of one level.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Sampling temperature, 0 to 100. Logits are divided by it before a move is drawn; at 0, the most probable move is
    /// played.
    pub temperature: f32,
    /// Playouts per decision of a search with the network, 0 to 1000000; 0 means no search.
    pub simulations: u32,
    /// Whether the search draws deals with the belief model in the folder of the network. Missing if false.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub beliefs: bool,
    /// Whether the network decides in auctions instead of the search. Missing if false.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub play_only: bool,
    /// Rating in points; a player with random moves has 0. A lead of 400 points gives odds of 10 to 1 to be placed
    /// ahead.
    pub rating: Interval,
}

/// Name and rating of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Rated {
    /// Name of the bot.
    pub name: String,
    /// Rating of the bot, in points.
    pub rating: Interval,
}

/// Why a bot cannot play at a level.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum LevelError {
    /// There is no such level.
    #[error("there is no level `{0}`: expected 1 to {LEVELS}")]
    Range(String),
    /// The bot's levels were not loaded.
    #[error("the bot has no levels: also pass the `{FILE}` of its bundle")]
    Unmeasured,
    /// The level needs a belief model, which was not loaded.
    #[error("this level needs a belief model: also pass the `{}` of the bundle", crate::beliefs::FILE)]
    NoModel,
    /// The levels are those of a bot for another game.
    #[error("the levels are for a bot that plays `{levels}`, but this bot plays `{bot}`")]
    OtherGame {
        bot: String,
        /// The game of the levels.
        levels: String,
    },
    /// Only trained bots have levels.
    #[error("`{0}` has no levels: only trained bots do, like `trained`")]
    BuiltIn(String),
    /// The file cannot be read.
    #[error("{}: {source}; measure the levels with `cardsharp levels BOT`", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    /// The file differs from the manifest of its bundle.
    #[error("{}: {problem}; measure the levels again with `cardsharp levels BOT --overwrite`", path.display())]
    Bundle { path: PathBuf, problem: BundleProblem },
    /// The file is not a file of levels.
    #[error("{}: not a file of levels: {source}", path.display())]
    Json { path: PathBuf, source: serde_json::Error },
    /// The file has invalid content.
    #[error("{}: {problem}", path.display())]
    Content { path: PathBuf, problem: String },
}

/// Returns the path of the levels of a bundle, checkpoint or bot file.
pub fn path(bot: &Path) -> PathBuf {
    super::beside(bot, FILE)
}

impl Levels {
    /// Reads the levels of a bundle, checkpoint or bot file, from the folder of its network.
    ///
    /// # Errors
    /// There are no levels, or they are invalid.
    pub fn read(bot: &Path) -> Result<Self, LevelError> {
        let path = path(bot);
        match manifest::content(&path, MAX_FILE) {
            Ok(text) => Self::of_file(path, Some(&text)),
            Err(BundleProblem::Read(source)) if source.kind() == io::ErrorKind::FileTooLarge => {
                Self::of_file(path, None)
            }
            Err(BundleProblem::Read(source)) => Err(LevelError::Read { path, source }),
            Err(problem) => Err(LevelError::Bundle { path, problem }),
        }
    }

    /// Refuses levels for another game, or that need a belief model if the bot has none.
    ///
    /// # Errors
    /// The levels do not fit.
    pub fn fit(&self, game: &str, has_model: bool) -> Result<(), LevelError> {
        if self.game != game {
            let (bot, levels) = (game.to_owned(), self.game.clone());
            return Err(LevelError::OtherGame { bot, levels });
        }
        match self.levels.iter().any(|level| level.beliefs) && !has_model {
            true => Err(LevelError::NoModel),
            false => Ok(()),
        }
    }

    /// Reads the content of a file of levels.
    ///
    /// # Errors
    /// The content is invalid.
    pub fn from_bytes(text: &[u8]) -> Result<Self, LevelError> {
        Self::of_file(PathBuf::from(FILE), (text.len() as u64 <= MAX_FILE).then_some(text))
    }

    /// Returns the levels in the text of a file. `None` means that the file is too long.
    fn of_file(path: PathBuf, text: Option<&[u8]>) -> Result<Self, LevelError> {
        let Some(text) = text else {
            let problem = format!("too large: expected at most {MAX_FILE} bytes");
            return Err(LevelError::Content { path, problem });
        };
        let levels: Self =
            text::from_json(text).map_err(|source| LevelError::Json { path: path.clone(), source })?;
        match levels.problem() {
            Some(problem) => Err(LevelError::Content { path, problem }),
            None => Ok(levels),
        }
    }

    fn problem(&self) -> Option<String> {
        if self.levels.len() != usize::from(LEVELS) {
            return Some(format!("expected {LEVELS} levels, found {}", self.levels.len()));
        }
        (1..).zip(&self.levels).find_map(|(number, level)| {
            let Level { temperature, simulations, beliefs, play_only, .. } = level;
            if !(0.0..=100.0).contains(temperature) {
                return Some(format!("level {number} has temperature {temperature}: expected 0 to 100"));
            }
            if *simulations > MOST_SIMULATIONS {
                let expected = format!("expected 0 to {MOST_SIMULATIONS}");
                return Some(format!("level {number} has `simulations` {simulations}: {expected}"));
            }
            let idle = [("beliefs", beliefs), ("play_only", play_only)];
            let (idle, _) = idle.into_iter().find(|(_, asked)| **asked && *simulations == 0)?;
            Some(format!("level {number} has `{idle}` but no search: expected `simulations` above 0"))
        })
    }

    /// Returns level `number`, from 1.
    ///
    /// # Errors
    /// There is no such level.
    pub fn level(&self, number: u8) -> Result<&Level, LevelError> {
        let place = usize::from(number).checked_sub(1);
        place.and_then(|place| self.levels.get(place)).ok_or(LevelError::Range(number.to_string()))
    }
}

/// Returns the name of bot `name` at a level, like `checkpoints/dalmuti/bot@4`.
///
/// # Errors
/// There is no such level, or the bot has no levels.
pub fn at_level(name: &str, level: u8) -> Result<String, LevelError> {
    if !(1..=LEVELS).contains(&level) {
        return Err(LevelError::Range(level.to_string()));
    }
    match super::path_of(name) {
        Some(path) if path == name => Ok(format!("{name}@{level}")),
        _ => Err(LevelError::BuiltIn(name.to_owned())),
    }
}

/// Splits a bot's name into the name without its level, and the level, if there is one. A name that exists as a path
/// has no level. A version (`@v3`) is no level.
pub(super) fn split(spec: &str) -> (&str, Option<&str>) {
    match spec.rsplit_once('@') {
        Some((name, level))
            if !name.is_empty() && version_of(level).is_none() && !Path::new(spec).exists() =>
        {
            (name, Some(level))
        }
        _ => (spec, None),
    }
}

/// Temperature that replaces 0 in logarithms; 0 is the limit of small temperatures.
const COLDEST: f32 = 0.25;

/// Temperatures that are rated before levels are chosen, strongest play first.
pub const GRID: [f32; 16] =
    [0.0, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0, 5.6, 8.0, 12.0, 20.0, 33.0, 55.0, 90.0];

/// Returns the temperatures of `count` levels, the weakest first. `ratings` are those of [`GRID`]. The levels have
/// equal distances in rating, from the random player (rating 0, no level) to the strongest temperature. The strongest
/// temperature is the lowest one whose interval reaches the highest rating, because it plays least at random. Other
/// temperatures are interpolated in their logarithm. From the strongest on, a temperature counts as no stronger than
/// any lower one.
pub fn temperatures(ratings: &[Interval; GRID.len()], count: u8) -> Vec<f32> {
    let highest = ratings.iter().map(|rating| rating.mean).fold(f64::NEG_INFINITY, f64::max);
    let strongest = ratings.iter().position(|rating| rating.high >= highest).unwrap_or_default();
    let best = ratings[strongest].mean;
    let logarithm = |temperature: f32| libm::log2f(temperature.max(COLDEST));
    let mut known: Vec<(f64, f32)> = Vec::new();
    for (rating, &temperature) in ratings.iter().zip(&GRID).skip(strongest) {
        let lowest = known.last().map_or(rating.mean, |last| last.0.min(rating.mean));
        known.push((lowest, logarithm(temperature)));
    }
    let temperature = |level: u8| {
        if level == count {
            return GRID[strongest];
        }
        let target = best * f64::from(level) / f64::from(count);
        let below = known.partition_point(|(rating, _)| *rating > target);
        let (Some(&after), Some(&before)) = (known.get(below), known.get(below.wrapping_sub(1))) else {
            return GRID[GRID.len() - 1];
        };
        let share = ((before.0 - target) / (before.0 - after.0)) as f32;
        libm::exp2f(before.1 + share * (after.1 - before.1))
    };
    (1..=count).map(temperature).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels() -> Levels {
        let rating = |mean| Interval { mean, low: mean - 9.0, high: mean + 9.0 };
        let level = |n: u8| Level {
            temperature: f32::from(LEVELS - n),
            rating: rating(f64::from(n) * 60.0),
            ..Level::default()
        };
        Levels {
            game: "taki".to_owned(),
            rules: Value::Null,
            deals: 100,
            seed: 1,
            others: vec![Rated { name: "random".to_owned(), rating: rating(0.0) }],
            levels: (1..=LEVELS).map(level).collect(),
        }
    }

    #[test]
    fn levels_are_read_from_the_folder_and_from_a_file_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| Levels::read(path).unwrap_err().to_string();
        assert!(refused(folder.path()).contains("measure the levels with `cardsharp levels BOT`"));
        let mut written = levels();
        let write = |levels: &Levels| {
            std::fs::write(folder.path().join(FILE), serde_json::to_vec(levels).unwrap()).unwrap();
        };
        write(&written);
        for path in [folder.path().to_owned(), folder.path().join("bot.safetensors")] {
            assert_eq!(Levels::read(&path).unwrap(), written);
        }
        assert_eq!(written.level(1).unwrap().temperature, 9.0);
        assert_eq!([0, 11].map(|n| written.level(n).is_err()), [true; 2]);
        written.levels[3].temperature = -1.0;
        write(&written);
        assert!(refused(folder.path()).ends_with("level 4 has temperature -1: expected 0 to 100"));
        written.levels[3] = Level { beliefs: true, ..written.levels[4] };
        write(&written);
        assert!(
            refused(folder.path())
                .ends_with("level 4 has `beliefs` but no search: expected `simulations` above 0")
        );
        written.levels[3] = Level { play_only: true, ..written.levels[4] };
        write(&written);
        assert!(refused(folder.path()).contains("level 4 has `play_only` but no search"));
        written.levels[3] = Level { simulations: 1_000_001, ..written.levels[4] };
        write(&written);
        assert!(refused(folder.path()).ends_with("level 4 has `simulations` 1000001: expected 0 to 1000000"));
        written.levels.pop();
        write(&written);
        assert!(refused(folder.path()).ends_with("expected 10 levels, found 9"));
        std::fs::write(folder.path().join(FILE), "{}").unwrap();
        assert!(refused(folder.path()).contains("not a file of levels: missing field"));
    }

    #[test]
    fn temperatures_are_chosen_at_equal_distances_in_rating() {
        // Falls by 40 points for each doubling, from 500 at 0.35. Weaker at 0, and with a bump at 5.6.
        let rating = |&t: &f32| 500.0 - 40.0 * f64::from((t / 0.35).log2());
        let mut ratings = GRID.each_ref().map(rating);
        (ratings[0], ratings[9]) = (470.0, ratings[8] + 5.0);
        let known = |width: f64| ratings.map(|mean| Interval { mean, low: mean - width, high: mean + width });
        let found = temperatures(&known(9.0), 5);
        assert_eq!(found[4], 0.35, "the strongest");
        assert_eq!(temperatures(&known(30.0), 5)[4], 0.0, "none of the coldest can be told apart");
        for (level, temperature) in found.iter().enumerate().skip(1) {
            assert!((rating(temperature) - 100.0 * (level + 1) as f64).abs() < 2.0, "{level}: {temperature}");
        }
        assert_eq!(found[0], 90.0, "nothing that was rated is so weak");
        assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
    }

    #[test]
    fn names_have_levels_where_bots_do() {
        assert_eq!(at_level("a/b", 3).unwrap(), "a/b@3");
        let refused = |name, level| at_level(name, level).unwrap_err().to_string();
        assert!(refused("scripted", 3).starts_with("`scripted` has no levels"));
        assert!(refused("search:9+a", 3).starts_with("`search:9+a` has no levels"));
        assert_eq!(refused("a", 11), "there is no level `11`: expected 1 to 10");
        assert_eq!(split("a/b@3"), ("a/b", Some("3")));
        assert_eq!((split("a/b"), split("@3")), (("a/b", None), ("@3", None)));
        assert_eq!((split("a@v2"), split("a@v2@3")), (("a@v2", None), ("a@v2", Some("3"))));
        let folder = tempfile::tempdir().unwrap();
        let odd = folder.path().join("bot@3");
        std::fs::write(&odd, "").unwrap();
        let odd = odd.to_str().unwrap();
        assert_eq!(split(odd), (odd, None), "a file may be called so");
    }
}

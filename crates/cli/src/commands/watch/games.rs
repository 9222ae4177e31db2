//! Sessions that the checkpoints of a run play against themselves on request.

use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use cardsharp_bot::bots::{FILE, Trained};
use cardsharp_env::rng::derive;
use cardsharp_env::trace::problem_of_bots;
use cardsharp_env::{Audience, GameRules};
use cardsharp_report::live::LiveSessions;
use cardsharp_text::escape;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::bots;
use crate::error::CliError;
use crate::games;
use crate::recording;

/// Number of sessions for each checkpoint. Session n uses seed n, so that the same cards show how play changes.
const COUNT: u64 = 3;
/// Number of cached traces for each run: those of the newest checkpoint, and of the one before, which a page may still
/// link to.
const MOST_CACHED: usize = 2 * COUNT as usize;

/// Plays and caches the sessions of one run.
pub(super) struct Games {
    folder: PathBuf,
    cached: Mutex<VecDeque<CachedTrace>>,
}

struct CachedTrace {
    /// The iteration of the checkpoint, its modification time and the number of the session. The time differs if
    /// another run now uses the folder.
    asked: (u64, SystemTime, u64),
    trace: Arc<[u8]>,
}

/// Why a session is not available.
pub(super) enum Refused {
    /// There is no such session.
    Missing(String),
    /// The session could not be played.
    Failed(CliError),
}

impl From<CliError> for Refused {
    fn from(error: CliError) -> Self {
        Self::Failed(error)
    }
}

/// The fields of a configuration that say what the run plays.
#[derive(Deserialize)]
struct Config {
    game: String,
    rollout: Rollout,
}

#[derive(Deserialize)]
struct Rollout {
    tables: Vec<Table>,
    random: Option<Random>,
}

#[derive(Deserialize)]
struct Table {
    rules: Value,
}

#[derive(Deserialize)]
struct Random {
    share: f64,
}

impl Games {
    /// Serves the sessions of the run in a folder.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, cached: Mutex::default() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the available sessions; `None` before the first checkpoint.
    pub(super) fn sessions(&self) -> Result<Option<LiveSessions>, String> {
        let newest = self.newest().map_err(|error| format!("{}: {error}", self.checkpoints().display()))?;
        let Some(iteration) = newest else { return Ok(None) };
        let (rules, words) = self.rules()?;
        let rules = format!("{} players, {words}", rules.seats());
        Ok(Some(LiveSessions { iteration, count: COUNT, rules }))
    }

    /// Returns the trace of a session in the format of `cardsharp trace`.
    pub(super) fn trace(&self, iteration: u64, number: u64) -> Result<Arc<[u8]>, Refused> {
        if !(1..=COUNT).contains(&number) {
            let why = format!("there is no session {number}: expected 1 to {COUNT}");
            return Err(Refused::Missing(why));
        }
        // The lock stays held while a session is played, so that each is played once. A panic leaves the cache
        // consistent.
        let mut cached = self.cached.lock().unwrap_or_else(PoisonError::into_inner);
        let checkpoint = self.checkpoint(iteration);
        let Ok(written) = fs::metadata(checkpoint.join(FILE)).and_then(|file| file.modified()) else {
            let newest = match self.newest() {
                Ok(Some(newest)) => format!("the newest is of iteration {newest}"),
                _ => "there are no checkpoints".to_owned(),
            };
            let why = format!("there is no checkpoint of iteration {iteration}: {newest}");
            return Err(Refused::Missing(why));
        };
        let asked = (iteration, written, number);
        if let Some(known) = cached.iter().find(|cached| cached.asked == asked) {
            return Ok(Arc::clone(&known.trace));
        }
        let trace: Arc<[u8]> = self.play(&checkpoint, number)?.into();
        cached.push_back(CachedTrace { asked, trace: Arc::clone(&trace) });
        if cached.len() > MOST_CACHED {
            cached.pop_front();
        }
        Ok(trace)
    }

    /// Plays a session with the network of a checkpoint in all seats.
    fn play(&self, checkpoint: &Path, seed: u64) -> Result<Vec<u8>, Refused> {
        let (rules, _) = self.rules().map_err(Refused::Missing)?;
        let (header, net) = bots::read(checkpoint)?;
        let trained = Trained::new(rules.game(), header, net)
            .map_err(|source| CliError::BotFile { path: checkpoint.join(FILE), source })?;
        let mut table = rules.table(seed);
        let name = checkpoint.display().to_string();
        let names = vec![name.clone(); table.seats()];
        if let Some(problem) = problem_of_bots(&names, table.seats()) {
            return Err(Refused::Missing(problem));
        }
        let player = trained.player(name, 0.0);
        let bots = (0..table.seats()).map(|seat| player.bot(derive(seed, &[seat as u64]))).collect();
        let mut trace = Vec::new();
        recording::play(table.as_mut(), Audience::Referee, names, bots, |line| {
            let line = serde_json::to_string(line).map_err(CliError::Json)?;
            trace.extend_from_slice(escape::json(&line).as_bytes());
            trace.push(b'\n');
            Ok::<(), CliError>(())
        })?;
        Ok(trace)
    }

    /// Returns the rules of the run's first table, and a description of them.
    fn rules(&self) -> Result<(GameRules, String), String> {
        let file = self.folder.join("config.toml");
        let text = cardsharp_report::config(&file).map_err(|error| error.to_string())?;
        rules(&text).map_err(|error| format!("{}: {error}", file.display()))
    }

    fn checkpoints(&self) -> PathBuf {
        self.folder.join("checkpoints")
    }

    /// Returns the folder of the checkpoint of an iteration.
    fn checkpoint(&self, iteration: u64) -> PathBuf {
        self.checkpoints().join(format!("{iteration:08}"))
    }

    /// Returns the iteration of the newest checkpoint. Checkpoints that are being written or removed have other names.
    fn newest(&self) -> io::Result<Option<u64>> {
        let entries = match fs::read_dir(self.checkpoints()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            entries => entries?,
        };
        let mut newest = None;
        for entry in entries {
            let name = entry?.file_name();
            let iteration = name.to_str().and_then(|name| name.parse().ok());
            let written = iteration.filter(|&iteration| {
                let path = self.checkpoint(iteration);
                path.file_name() == Some(&name) && path.join(FILE).is_file()
            });
            newest = newest.max(written);
        }
        Ok(newest)
    }
}

/// Returns the rules of the first table in a configuration, and a description of them.
fn rules(config: &str) -> Result<(GameRules, String), String> {
    let config: Config = toml::from_str(config).map_err(|error| error.message().to_owned())?;
    let Config { game, rollout: Rollout { tables, random } } = config;
    let game = games::game(&game).ok_or_else(|| format!("there is no game `{}`", escape::quoted(&game)))?;
    let first = tables.first().ok_or("`rollout.tables` lists no table")?;
    let rules = game.rules(&first.rules).map_err(|error| error.to_string())?;
    let default = game.default_rules();
    let none = Map::new();
    let [own, usual] = [&rules, &default].map(|rules| rules.json().as_object().unwrap_or(&none));
    // The number of players is shown anyway.
    let unlike =
        own.iter().filter(|(option, value)| *option != "players" && usual.get(*option) != Some(value));
    let unlike: Vec<String> = unlike.map(|(option, value)| format!("{option} = {value}")).collect();
    let mut words = match unlike.as_slice() {
        [] => "default rules".to_owned(),
        unlike => unlike.join(", "),
    };
    if tables.len() > 1 {
        words += &format!(" (the first of {} rule sets)", tables.len());
    }
    if let Some(Random { share }) = random.filter(|random| random.share > 0.0) {
        let share = (100.0 * share).round();
        words += &format!("; {share} % of the training sessions use random rules");
    }
    Ok((rules, words))
}

#[cfg(test)]
mod tests {
    use super::rules;

    #[test]
    fn the_rules_are_those_of_the_first_table_and_named() {
        let described = |rollout: &str| {
            rules(&format!("game = \"dalmuti\"\n[rollout]\n{rollout}"))
                .map(|(rules, words)| (rules.seats(), words))
        };
        let one = "[[rollout.tables]]\nrules = { players = 6, hands = 2 }\n";
        assert_eq!(described(one), Ok((6, "hands = 2".to_owned())));
        assert_eq!(
            described("[[rollout.tables]]\nrules = { players = 4 }\n[rollout.random]\nshare = 0.0"),
            Ok((4, "default rules".to_owned()))
        );
        let two = format!(
            "{one}[[rollout.tables]]\nrules = {{ players = 5 }}\n[rollout.random]\nshare = 0.5\nrounds = 3"
        );
        assert_eq!(
            described(&two),
            Ok((
                6,
                "hands = 2 (the first of 2 rule sets); 50 % of the training sessions use random rules"
                    .to_owned()
            ))
        );
        assert_eq!(described("tables = []"), Err("`rollout.tables` lists no table".to_owned()));
        let unknown = rules("game = \"whist\"\n[rollout]\ntables = []").map(|_| ()).unwrap_err();
        assert_eq!(unknown, "there is no game `whist`");
        assert!(described("[[rollout.tables]]\nrules = { players = 99 }").is_err());
    }
}

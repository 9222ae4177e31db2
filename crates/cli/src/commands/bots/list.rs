//! The list of bots, with what their bundles say about them.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use cardsharp_bot::bots::levels::Levels;
use cardsharp_bot::bots::registry::{self, BotLocation};
use cardsharp_bot::bots::{FILE, SHIPPED};
use cardsharp_bot::bundle::card::CardContest;
use cardsharp_bot::bundle::manifest::{self, MAX_FILE};
use cardsharp_bot::bundle::{ExportError, Extras};
use cardsharp_bot::stats::Interval;
use cardsharp_text::input::InputError;
use serde::Serialize;
use serde_json::json;

use crate::bots;
use crate::error::CliError;
use crate::games;
use crate::output::Output;

/// The file of the model card in a bundle.
const CARD: &str = "card.md";
/// The bot that strength is measured against.
const OPPONENT: &str = "scripted";

/// What a bundle says about its bot.
#[derive(Serialize)]
pub(super) struct BotSummary {
    name: Option<String>,
    version: Option<u32>,
    license: Option<String>,
    game: String,
    /// The sets of rules that it was trained with.
    rules: Vec<serde_json::Value>,
    /// The share of sessions with random rules in its training.
    random_rules: f64,
    /// The number of its levels; 0 if they were not measured.
    levels: usize,
    strength: Option<Strength>,
    /// Multiplications for a decision of the network, at most.
    multiplications: usize,
    /// Playouts of its highest level; 0 if no level searches.
    playouts: u32,
    /// The length of its network, levels and belief model, in bytes.
    bytes: u64,
    /// Its bundle; `None` if it is in this program.
    path: Option<String>,
    /// Where it was downloaded from.
    source: Option<String>,
    #[serde(skip)]
    place: BotLocation,
}

/// The result against the scripted bot.
#[derive(Serialize)]
struct Strength {
    against: &'static str,
    players: usize,
    rounds: u64,
    deals: u64,
    place_score: Interval,
}

impl BotSummary {
    /// Reads what a bundle says about its bot.
    pub(super) fn of(place: &BotLocation) -> Result<Self, CliError> {
        let (header, _) = match place {
            BotLocation::Shipped(bot) => bots::read(Path::new(bot.game))?,
            BotLocation::Path(path) => bots::read(path)?,
        };
        let extras = Extras::at(place)?;
        let network = match place {
            BotLocation::Shipped(bot) => bot.network.len() as u64,
            BotLocation::Path(path) => {
                let file = if path.is_dir() { path.join(FILE) } else { path.clone() };
                fs::metadata(file).map_or(0, |file| file.len())
            }
        };
        let levels = extras.levels.as_deref().map(Levels::from_bytes).transpose();
        let levels = levels.map_err(ExportError::Levels)?;
        let length = |file: &Option<Vec<u8>>| file.as_ref().map_or(0, |bytes| bytes.len() as u64);
        Ok(Self {
            name: extras.identity.as_ref().map(|identity| identity.name.clone()),
            version: extras.identity.as_ref().map(|identity| identity.version),
            license: extras.identity.as_ref().map(|identity| identity.license.clone()),
            multiplications: header.multiplications(),
            game: header.game,
            rules: header.rules,
            random_rules: header.random_rules,
            levels: levels.as_ref().map_or(0, |levels| levels.levels.len()),
            playouts: levels
                .and_then(|levels| levels.levels.last().copied())
                .map_or(0, |level| level.simulations),
            strength: extras.contests.iter().find_map(strength),
            bytes: network + length(&extras.levels) + length(&extras.beliefs),
            path: place.path().map(|path| path.display().to_string()),
            source: None,
            place: place.clone(),
        })
    }

    /// Returns the model card.
    pub(super) fn card(&self) -> Result<Cow<'static, str>, CliError> {
        let path = match &self.place {
            BotLocation::Shipped(bot) => return Ok(bot.card.into()),
            BotLocation::Path(path) => path.join(CARD),
        };
        let read = manifest::content(&path, MAX_FILE).map_err(|problem| match problem {
            manifest::BundleProblem::Read(source) => {
                CliError::from(InputError::Read { name: path.display().to_string(), source })
            }
            problem => CliError::from(manifest::ManifestError { path: path.clone(), problem }),
        })?;
        Ok(String::from_utf8_lossy(&read).into_owned().into())
    }

    /// Writes a paragraph about the bot.
    fn write(&self, out: &mut Output) -> Result<(), CliError> {
        let address = match (&self.name, self.version) {
            (Some(name), Some(version)) => format!("{name}@v{version}"),
            _ => "a bot without a name".to_owned(),
        };
        let title = games::game(&self.game).map_or(self.game.as_str(), |game| game.title());
        let heading = out.bold(address).then(format!(": {title}"));
        out.line(heading)?;
        for (what, text) in self.facts() {
            out.line(format!("  {what:<9} {text}"))?;
        }
        Ok(())
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let strength = match &self.strength {
            None => "not measured".to_owned(),
            Some(Strength { against, players, rounds, deals, place_score: Interval { mean, low, high } }) => {
                let rounds = counted(*rounds as usize, "round", "rounds");
                format!(
                    "place score {mean:+.3} ({low:+.3} … {high:+.3}) against {against}; {players} players, {rounds}, {deals} deals"
                )
            }
        };
        let random = if self.random_rules > 0.0 {
            format!("; random rules in {:.0} % of the sessions", 100.0 * self.random_rules)
        } else {
            String::new()
        };
        let levels = match (self.levels, self.playouts) {
            (0, _) => "not measured".to_owned(),
            (levels, 0) => format!("1 to {levels}"),
            (levels, playouts) => format!("1 to {levels}; level {levels} searches with {playouts} playouts"),
        };
        let place = self.path.clone().unwrap_or_else(|| "this program".to_owned());
        let mut facts = vec![
            ("strength", strength),
            (
                "rules",
                format!(
                    "trained with {}{random}",
                    counted(self.rules.len(), "set of rules", "sets of rules")
                ),
            ),
            ("levels", levels),
            ("cost", format!("at most {} thousand multiplications a decision", self.multiplications / 1000)),
            ("size", format!("{:.1} MB", self.bytes as f64 / 1e6)),
            ("license", self.license.clone().unwrap_or_else(|| "not named".to_owned())),
            ("place", place),
        ];
        facts.extend(self.source.clone().map(|source| ("source", source)));
        facts
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Returns the strength in a contest in which all opponents are the scripted bot.
fn strength(contest: &CardContest) -> Option<Strength> {
    let report = &contest.report;
    let (own, others) = report.bots.split_first()?;
    let is_meant = !others.is_empty() && others.iter().all(|bot| bot.name == OPPONENT);
    is_meant.then_some(Strength {
        against: OPPONENT,
        players: report.players,
        rounds: report.rounds,
        deals: report.deals,
        place_score: own.place_score,
    })
}

/// Lists the bots in the program, then the installed ones. A damaged bundle is named with its error.
pub(super) fn all(out: &mut Output) -> Result<(), CliError> {
    let mut listed = Vec::new();
    for bot in SHIPPED {
        listed.push(BotSummary::of(&BotLocation::Shipped(bot))?);
    }
    let mut damaged = Vec::new();
    for bot in registry::installed() {
        match BotSummary::of(&BotLocation::Path(bot.path.clone())) {
            Ok(found) => listed.push(BotSummary { source: bot.source(), ..found }),
            Err(error) => damaged.push((bot, error)),
        }
    }
    if out.json {
        let damaged = damaged.iter().map(|(bot, error)| {
            let path = bot.path.display().to_string();
            json!({ "bot": bot.address(), "path": path, "error": error.to_string() })
        });
        let damaged: Vec<_> = damaged.collect();
        let folder = registry::folder().map(|folder| folder.display().to_string());
        return out.json_page(&json!({ "bots": listed, "damaged": damaged, "folder": folder }));
    }
    for (number, bot) in listed.iter().enumerate() {
        if number > 0 {
            out.line("")?;
        }
        bot.write(out)?;
    }
    for (bot, error) in &damaged {
        out.line(format!("\n{}: {error}", bot.address()))?;
    }
    if listed.is_empty() && damaged.is_empty() {
        out.line("There are no trained bots: `cardsharp bots get dalmuti` downloads one.")?;
    }
    Ok(())
}

//! The settings: the game, its rules, and the players.

use std::error::Error;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;

use cardsharp_bot::bots::ScriptedBot;
use cardsharp_bot::{Bot, Player, load};
use cardsharp_env::rng::derive;
use cardsharp_env::{Seat, game};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::parlour::Parlour;

/// The settings of a session. Unknown keys are errors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The name of a game.
    game: String,
    /// Options of its rules. Missing options have their defaults.
    #[serde(default)]
    rules: Map<String, Value>,
    /// The other players, from the seat after the person's on; repeated until every seat is taken.
    bots: Vec<String>,
    /// The bot that gives hints.
    adviser: String,
    /// The person's seat, from 0.
    #[serde(default)]
    seat: Seat,
    /// The seed of seating, deals and chance; random if it is missing.
    seed: Option<u64>,
    /// The file that the session is written to.
    record: Option<PathBuf>,
}

impl Settings {
    /// Opens the table, with the first round dealt. With `auto`, a bot makes all moves of the person's seat.
    pub fn open(self, auto: bool) -> Result<Parlour, Box<dyn Error>> {
        let game = game(&self.game).ok_or_else(|| format!("there is no game {:?}", self.game))?;
        let rules = game.rules(&Value::Object(self.rules))?;
        let (seats, me) = (rules.seats(), self.seat);
        if me.index() >= seats {
            return Err(format!("`seat` is {}: expected 0 to {}", me.0, seats - 1))?;
        }
        if self.bots.is_empty() {
            return Err("`bots` is empty: expected at least one")?;
        }
        // A network is read once, however many seats it plays.
        let read = |name: &String| load(name, game, 0.0);
        let players: Vec<Player> = self.bots.iter().map(read).collect::<Result<_, _>>()?;
        let seed = self.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        let bot = |seat: usize| -> Box<dyn Bot> {
            match (seat + seats - me.index()) % seats {
                0 => Box::new(ScriptedBot::default()),
                next => players[(next - 1) % players.len()].bot(derive(seed, &[1, seat as u64])),
            }
        };
        let bots = (0..seats).map(bot).collect();
        // A separate bot, so that hints do not change the random streams of the other bots.
        let adviser = read(&self.adviser)?.bot(derive(seed, &[2]));
        let (table, record, steps, choices) = (rules.table(seed), self.record, Vec::new(), Vec::new());
        Ok(Parlour { rules, seed, table, me, bots, adviser, auto, record, steps, choices })
    }
}

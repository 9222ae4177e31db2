//! The metadata in the footer of a shard.

use cardsharp_env::blocks::{Block, width};
use cardsharp_env::{ActionId, AnyGame};
use serde::Serialize;
use serde_json::Value;

use crate::columns::FORMAT;

/// The metadata in the footer of a shard, as JSON under the key [`KEY`](crate::KEY). The lists of rules and bots grow:
/// each shard repeats the entries of the shards before it and may append new ones.
#[derive(Clone, Debug, Serialize)]
pub struct ShardMetadata {
    /// The version of the format: [`FORMAT`].
    pub format: u32,
    pub game: &'static str,
    /// The version of the game's encodings: raised when a cell or an action id changes its meaning.
    pub encoding: u32,
    /// The shard's number, from 0.
    pub shard: u64,
    /// The seed of the bots and sessions; none for recorded sessions.
    pub seed: Option<u64>,
    /// Whether decisions with a single legal action have rows.
    pub forced: bool,
    /// The names of the bots.
    pub bots: Vec<String>,
    /// The rules, all options of each.
    pub rules: Vec<Value>,
    /// The cells of `observation`, in blocks.
    pub observation: &'static [Block],
    /// The actions, in blocks.
    pub actions: &'static [Block],
    /// The name of every action, by id, in the card notation of the standard deck.
    pub labels: Vec<String>,
}

impl ShardMetadata {
    /// Returns the metadata of a game's first shard, with empty lists of bots and rules.
    pub(crate) fn new(game: &'static dyn AnyGame, seed: Option<u64>, forced: bool) -> Self {
        let actions = game.actions();
        Self {
            format: FORMAT,
            game: game.name(),
            encoding: game.encoding(),
            shard: 0,
            seed,
            forced,
            bots: Vec::new(),
            rules: Vec::new(),
            observation: game.observation(),
            actions,
            labels: (0..width(actions) as u16).map(|id| game.label(ActionId(id))).collect(),
        }
    }

    /// Returns the index of a bot in the list. Appends the bot if it is new.
    pub(crate) fn bot(&mut self, name: &str) -> usize {
        place_of(&mut self.bots, |known| known == name, || name.to_owned())
    }

    /// Returns the index of rules in the list. Appends the rules if they are new.
    pub(crate) fn rules(&mut self, rules: &Value) -> usize {
        place_of(&mut self.rules, |known| known == rules, || rules.clone())
    }
}

fn place_of<T>(list: &mut Vec<T>, is_it: impl Fn(&T) -> bool, new: impl FnOnce() -> T) -> usize {
    list.iter().position(is_it).unwrap_or_else(|| {
        list.push(new());
        list.len() - 1
    })
}

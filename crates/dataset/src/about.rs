//! What a shard says about itself: the metadata in its footer.

use cardsharp_env::blocks::{Block, width};
use cardsharp_env::{ActionId, AnyGame};
use serde::Serialize;
use serde_json::Value;

use crate::columns::FORMAT;

/// What a shard says about itself, as JSON under the key [`KEY`](crate::KEY). The lists of rules and of bots of a later shard begin
/// with those of the shards before it.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// The version of the format: [`FORMAT`].
    pub format: u32,
    /// The game's name.
    pub game: &'static str,
    /// The version of the game's encodings: raised when a cell or an action id changes its meaning.
    pub encoding: u32,
    /// The shard's number, from 0.
    pub shard: u64,
    /// The seed that bots and sessions were drawn from; none where sessions were read.
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

impl About {
    /// Of a game's first shard, before anything is known of its sessions.
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

    /// The place of a bot in the list, where it is put if it is new.
    pub(crate) fn bot(&mut self, name: &str) -> usize {
        place_of(&mut self.bots, |known| known == name, || name.to_owned())
    }

    /// The place of rules in the list, where they are put if they are new.
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

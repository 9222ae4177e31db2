//! Counts which cells and actions of a game the test vectors cover.

use cardsharp_env::blocks::{Block, width};
use cardsharp_env::{ActionId, AnyGame};

/// The actions that were legal in some vector, and the cells that were not 0 in some row.
#[derive(Clone)]
pub struct Coverage {
    game: &'static dyn AnyGame,
    /// Whether each action was legal, `[actions]`.
    actions: Vec<bool>,
    /// Whether each cell was not 0, `[cells]`.
    cells: Vec<bool>,
}

impl Coverage {
    /// Covers nothing yet, for a network that reads the first `cells` cells of a row.
    pub fn none(game: &'static dyn AnyGame, cells: usize) -> Self {
        Self { game, actions: vec![false; width(game.actions())], cells: vec![false; cells] }
    }

    /// Returns whether a vector with these cells and legal actions covers something new.
    pub fn lacks(&self, row: &[(usize, u8)], legal: &[ActionId]) -> bool {
        row.iter().any(|(cell, _)| self.cells.get(*cell) == Some(&false))
            || legal.iter().any(|action| self.actions.get(usize::from(action.0)) == Some(&false))
    }

    /// Marks the cells and legal actions of a vector as covered.
    pub fn add(&mut self, row: &[(usize, u8)], legal: &[ActionId]) {
        for (cell, _) in row {
            if let Some(seen) = self.cells.get_mut(*cell) {
                *seen = true;
            }
        }
        for &action in legal {
            if let Some(seen) = self.actions.get_mut(usize::from(action.0)) {
                *seen = true;
            }
        }
    }

    /// Returns the number of actions that were legal in some vector.
    pub fn actions(&self) -> usize {
        self.actions.iter().filter(|seen| **seen).count()
    }

    /// Returns the number of cells that were not 0 in some vector.
    pub fn cells(&self) -> usize {
        self.cells.iter().filter(|seen| **seen).count()
    }

    /// Returns the names of the blocks of actions and cells that no vector covers.
    pub fn never(&self) -> Vec<String> {
        let of = |what: &str, blocks: &[Block], seen: &[bool]| -> Vec<String> {
            let blocks = blocks.iter().take_while(|block| block.end() <= seen.len());
            let never = blocks.filter(|block| !seen[block.offset..block.end()].contains(&true));
            never.map(|block| format!("{what} `{}`", block.name)).collect()
        };
        let actions = of("actions", self.game.actions(), &self.actions);
        actions.into_iter().chain(of("cells", self.game.observation(), &self.cells)).collect()
    }
}

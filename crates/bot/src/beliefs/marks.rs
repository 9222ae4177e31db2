//! What a model says something about: how many of a card somebody holds, in steps.

use cardsharp_env::AnyGame;

/// The most steps of a cell: at least one, two, three, four of it.
const STEPS: u8 = 4;

/// The steps of all hidden cells of a game, numbered through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The first step of each cell, and at last how many there are.
    first: Vec<u16>,
}

impl Marks {
    /// Those of a game.
    pub fn new(game: &dyn AnyGame) -> Self {
        let mut first = vec![0];
        let mut all = 0;
        for block in game.hidden() {
            for _ in 0..block.len {
                all += u16::from(block.max.min(STEPS));
                first.push(all);
            }
        }
        Self { first }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        usize::from(self.first.last().copied().unwrap_or_default())
    }

    /// How many hidden cells the game has.
    pub fn cells(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there are none, because the game hides nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the steps that hidden cells reach, ascending.
    pub fn reached(&self, hidden: &[u8], to: &mut Vec<u16>) {
        for (&cell, steps) in hidden.iter().zip(self.first.windows(2)).filter(|(cell, _)| **cell > 0) {
            to.extend((steps[0]..steps[1]).take(cell.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use cardsharp_env::game;

    use super::*;

    #[test]
    fn a_cell_reaches_as_many_steps_as_it_holds_and_no_more_than_four() {
        let dalmuti = game("dalmuti").unwrap();
        let (marks, cells) = (Marks::new(dalmuti), cardsharp_env::blocks::width(dalmuti.hidden()));
        assert_eq!(marks.len(), 4 * cells);
        let mut hidden = vec![0; cells];
        (hidden[1], hidden[5]) = (2, 9);
        let mut reached = Vec::new();
        marks.reached(&hidden, &mut reached);
        assert_eq!(reached, [4, 5, 20, 21, 22, 23]);
        // Where there is one of each, a cell is a step.
        let tachtigen = game("tachtigen").unwrap();
        assert_eq!(Marks::new(tachtigen).len(), cardsharp_env::blocks::width(tachtigen.hidden()));
    }
}

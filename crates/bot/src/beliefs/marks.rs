//! The outputs of a belief model: marks of the form "holds at least this many of a card".

use cardsharp_env::AnyGame;

/// The most marks of a cell: at least one, two, three or four cards.
const STEPS: u8 = 4;

/// Numbers the marks of all hidden cells of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks {
    /// The first mark of each cell, and at the end the number of all marks.
    first: Vec<u16>,
}

impl Marks {
    /// Creates the marks of a game.
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

    /// Returns the number of marks.
    pub fn len(&self) -> usize {
        usize::from(self.first.last().copied().unwrap_or_default())
    }

    /// Returns the number of hidden cells of the game.
    pub fn cells(&self) -> usize {
        self.first.len() - 1
    }

    /// Returns whether there are no marks, because the game hides nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the marks that hidden cells reach, ascending.
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
        // With one copy of each card, each cell has one mark.
        let tachtigen = game("tachtigen").unwrap();
        assert_eq!(Marks::new(tachtigen).len(), cardsharp_env::blocks::width(tachtigen.hidden()));
    }
}

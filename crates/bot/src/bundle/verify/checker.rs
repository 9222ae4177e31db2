//! Recomputes the outputs of a network for test vectors, and compares them.

use cardsharp_env::{ActionId, AnyGame, mask};

use super::{TOLERANCE, VerifyReason};
use crate::bundle::coverage::Coverage;
use crate::bundle::vectors::{Vector, greedy, sparse};
use crate::net::{Net, Scratch};

/// Recomputes vectors one by one.
pub(super) struct VectorChecker<'a> {
    pub(super) game: &'static dyn AnyGame,
    pub(super) net: &'a Net,
    pub(super) scratch: Scratch,
    pub(super) difference: f32,
    /// The cells and actions covered so far.
    pub(super) coverage: Coverage,
}

impl VectorChecker<'_> {
    /// Refuses the vector in a line if any part of it differs from the recomputed one.
    pub(super) fn check(&mut self, line: &str) -> Result<(), VerifyReason> {
        let vector: Vector = serde_json::from_str(line).map_err(VerifyReason::Json)?;
        let mut words = vec![0; self.game.words()];
        let read = self.game.view_of(&vector.view).map_err(VerifyReason::View)?;
        let view = read.view();
        let mut row = vec![0; view.cells()];
        view.row(&mut row);
        row.truncate(self.net.scale.len());
        view.legal(&mut words);
        let legal: Vec<ActionId> = mask::actions(&words).collect();
        let names: Vec<String> = legal.iter().map(|&action| view.label(action)).collect();
        if vector.dense_row(row.len()).as_deref() != Some(row.as_slice()) {
            return Err(self.cell(&vector.row, &sparse(&row)));
        }
        if vector.legal != legal {
            return Err(VerifyReason::Legal { found: self.labels(&vector.legal), now: self.labels(&legal) });
        }
        if vector.logits.len() != legal.len() {
            return Err(VerifyReason::Logits { found: vector.logits.len(), now: legal.len() });
        }
        let mut logits = vec![0.0; self.net.policy.outputs];
        let value = self.net.forward(&row, &words, &mut self.scratch, &mut logits);
        self.close("value", vector.value, value)?;
        for ((action, name), found) in legal.iter().zip(&names).zip(&vector.logits) {
            self.close(&format!("logit of `{name}`"), *found, logits[usize::from(action.0)])?;
        }
        let best = greedy(&legal, &logits);
        let named = legal.iter().zip(&names).find(|(action, _)| Some(**action) == best);
        let best = named.map(|(_, name)| name.clone()).unwrap_or_default();
        if vector.best != best {
            return Err(VerifyReason::Move { found: vector.best, now: best });
        }
        self.coverage.add(&vector.row, &legal);
        Ok(())
    }

    fn close(&mut self, what: &str, found: f32, now: f32) -> Result<(), VerifyReason> {
        let difference = (found - now).abs() / now.abs().max(1.0);
        self.difference = self.difference.max(difference);
        // In this form, NaN is refused.
        if difference <= TOLERANCE {
            Ok(())
        } else {
            Err(VerifyReason::Number { what: what.to_owned(), found, now })
        }
    }

    fn labels(&self, actions: &[ActionId]) -> String {
        let count = cardsharp_env::blocks::width(self.game.actions());
        let label = |a: &ActionId| match usize::from(a.0) < count {
            true => self.game.label(*a),
            false => format!("id {}", a.0),
        };
        actions.iter().map(label).collect::<Vec<_>>().join(" ")
    }

    /// Reports the first cell in which two rows differ.
    fn cell(&self, found: &[(usize, u8)], now: &[(usize, u8)]) -> VerifyReason {
        let same = found.iter().zip(now).take_while(|(a, b)| a == b).count();
        let cells = [found.get(same), now.get(same)];
        let cell = cells.iter().flatten().map(|(cell, _)| *cell).min().unwrap_or_default();
        let content =
            |entry: Option<&(usize, u8)>| entry.filter(|(at, _)| *at == cell).map_or(0, |(_, c)| *c);
        let block = self.game.observation().iter().find(|block| cell < block.end());
        let block = block.map_or_else(
            || "beyond the row".to_owned(),
            |block| format!("{}[{}]", block.name, cell - block.offset),
        );
        VerifyReason::Cell { cell, block, found: content(cells[0]), now: content(cells[1]) }
    }
}

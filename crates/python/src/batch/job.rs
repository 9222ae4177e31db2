//! What a thread does for some lanes of a batch.

use cardsharp_env::ActionId;
use cardsharp_env::endless::Endless;

use super::arrays::Shown;

/// The first of the lanes that are meant whose action (`actions[lane]`) is not legal; those that wait may have any.
pub(super) fn illegal(part: &Endless, selected: &[usize], actions: &[i64]) -> Option<usize> {
    let legal =
        |lane: usize| u16::try_from(actions[lane]).is_ok_and(|pick| part.is_legal(lane, ActionId(pick)));
    selected.iter().copied().find(|&lane| part.decides(lane) && !legal(lane))
}

/// A part of the lanes.
pub(super) struct Job<'a> {
    pub(super) part: &'a mut Endless,
    /// Which lanes are meant.
    pub(super) selected: &'a [usize],
    /// What is given for all lanes, if anything is played.
    pub(super) actions: Option<&'a [i64]>,
    /// Memory for the same as actions.
    pub(super) picks: &'a mut [ActionId],
    pub(super) shown: Shown<'a>,
}

impl Job<'_> {
    /// Whether all that is given is legal.
    pub(super) fn is_legal(&mut self) -> bool {
        self.actions.is_none_or(|actions| illegal(self.part, self.selected, actions).is_none())
    }

    /// Plays it, and shows all lanes or those that are meant.
    pub(super) fn play(self, everywhere: bool) {
        let Self { part, selected, actions, picks, mut shown } = self;
        if let Some(actions) = actions {
            for &lane in selected {
                picks[lane] = ActionId(actions[lane] as u16);
            }
            part.step(selected, picks);
        }
        match everywhere {
            true => shown.fill(part, &(0..part.lanes()).collect::<Vec<_>>()),
            false => shown.fill(part, selected),
        }
    }
}

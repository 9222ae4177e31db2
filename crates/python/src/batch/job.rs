//! What a thread does for some lanes of a batch.

use cardsharp_env::ActionId;
use cardsharp_env::endless::Endless;

use super::arrays::Shown;

/// The first of the lanes that are meant whose action (`actions[lane]`) is not legal; those that wait may have any.
pub(super) fn illegal(part: &Endless, selected: &[usize], actions: &[ActionId]) -> Option<usize> {
    selected.iter().copied().find(|&lane| part.decides(lane) && !part.is_legal(lane, actions[lane]))
}

/// Draws a legal action for the lanes.
pub(super) fn draw(part: &Endless, drawn: &mut [u16]) {
    drawn.iter_mut().enumerate().for_each(|(lane, action)| *action = part.random(lane).0);
}

/// A part of the lanes.
pub(super) struct Job<'a> {
    pub(super) part: &'a mut Endless,
    /// Which lanes are meant.
    pub(super) selected: &'a [usize],
    /// What is given for all lanes, if anything is played.
    pub(super) actions: Option<&'a [ActionId]>,
    /// Memory for a random action of every lane, or none.
    pub(super) drawn: &'a mut [u16],
    pub(super) shown: Shown<'a>,
}

impl Job<'_> {
    /// Whether all that is given is legal.
    pub(super) fn is_legal(&mut self) -> bool {
        self.actions.is_none_or(|actions| illegal(self.part, self.selected, actions).is_none())
    }

    /// Plays it, and shows all lanes or those that are meant.
    pub(super) fn play(self, everywhere: bool) {
        let Self { part, selected, actions, drawn, mut shown } = self;
        if let Some(actions) = actions {
            part.step(selected, actions);
        }
        draw(part, drawn);
        match everywhere {
            true => shown.fill(part, &(0..part.lanes()).collect::<Vec<_>>()),
            false => shown.fill(part, selected),
        }
    }
}

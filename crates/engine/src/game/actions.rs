//! Moves as ids: their blocks, their labels, which of them are legal, and kinds of moves.

use std::fmt::{self, Write};

use super::{Play, View};
use crate::base::ActionId;
use crate::base::blocks::{Block, width};
use crate::base::mask::Mask;

/// The fixed list of actions of a game.
pub trait Actions: Play {
    /// The blocks of action ids.
    const ACTIONS: &'static [Block];
    /// The set of legal actions, one bit an action id.
    type Legal: Mask;

    /// The legal actions of the viewing seat; empty if it has no decision.
    fn legal(view: View<'_, Self>) -> Self::Legal;
    /// Whether one action is legal, written directly from the rules and independent of [`Actions::legal`]. The two
    /// must agree.
    fn is_legal(view: View<'_, Self>, action: ActionId) -> bool;
    /// Whether everyone at the table sees this action. Otherwise only the seat and the dealer know the action, and
    /// that there was a decision.
    fn is_public(action: ActionId) -> bool;
    /// The phase of the pending decision, in the rules' words (`tax`, `play`, …).
    fn phase(&self) -> &'static str;
    /// Writes an action in plain card notation, unique for each action. It uses the card names at this table or,
    /// without a table, those of the game's standard deck. No label starts with `#` or `/`, because programs that
    /// read moves use these for numbers and commands.
    fn label(table: Option<&Self::PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A note on labels without a table, for every place that lists them.
pub const ABOUT_LABELS: &str = "Labels use the card names of the game's standard deck. If the rules in force rename \
    cards (deuces high in Tahimi), the same id has another label at the table, in traces and in advice. Ids, rows \
    and views stay the same.";

/// Displays an action of game `G` in card notation.
pub struct Label<'t, G: Actions> {
    action: ActionId,
    table: Option<&'t G::PublicState>,
}

impl<'t, G: Actions> Label<'t, G> {
    /// The label of `action` with the names of the game's standard deck.
    pub fn of(action: ActionId) -> Self {
        Self { action, table: None }
    }

    /// The label of `action` with the names that cards have at `table`.
    pub fn at(table: &'t G::PublicState, action: ActionId) -> Self {
        Self { action, table: Some(table) }
    }
}

impl<G: Actions> fmt::Display for Label<'_, G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        G::label(self.table, self.action, f)
    }
}

/// Returns the action with this label, ignoring surrounding spaces and letter case. Uses the card names at `table`
/// or, without one, those of the standard deck.
pub fn parse_label<G: Actions>(table: Option<&G::PublicState>, label: &str) -> Option<ActionId> {
    (0..width(G::ACTIONS) as u16).map(ActionId).find(|&action| has_label::<G>(table, action, label.trim()))
}

/// Returns whether this is the label of an action, in any letter case.
pub(crate) fn has_label<G: Actions>(table: Option<&G::PublicState>, action: ActionId, label: &str) -> bool {
    let mut unmatched = Unmatched(label);
    write!(unmatched, "{}", Label::<G> { action, table }).is_ok() && unmatched.0.is_empty()
}

/// The rest of a text that written text must match in any letter case. Writing fails at the first difference, so
/// most labels are not written to their end.
struct Unmatched<'a>(&'a str);

impl fmt::Write for Unmatched<'_> {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        let (start, rest) = self.0.split_at_checked(written.len()).ok_or(fmt::Error)?;
        self.0 = rest;
        if start.eq_ignore_ascii_case(written) { Ok(()) } else { Err(fmt::Error) }
    }
}

/// Kinds of moves, for descriptions of how a player plays. Bots do not use them.
pub trait Habits: Play {
    /// The names of the kinds of moves, at most 32; empty in a game without them.
    const HABITS: &'static [&'static str] = &[];

    /// The kinds of [`Habits::HABITS`] that a legal action of the viewing seat belongs to, one bit each.
    fn habits(_view: View<'_, Self>, _action: ActionId) -> u32 {
        0
    }
}

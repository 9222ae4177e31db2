//! Explanations for a person who does not know the game yet.

use std::collections::BTreeSet;

use cardsharp_env::{ActionId, AnyTable, SeatView, Teacher, teacher};

/// When the session explains the game without being asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Never,
    FirstRound,
    Always,
}

/// Explains a game, and never repeats a text.
pub(crate) struct Lessons {
    /// `None` if the game has no explanations.
    pub(super) teacher: Option<Box<dyn Teacher>>,
    when: When,
    said: BTreeSet<String>,
}

impl Lessons {
    /// Prepares explanations for the game of this name.
    pub(crate) fn new(game: &str, when: When) -> Self {
        Self { teacher: teacher(game), when, said: BTreeSet::new() }
    }

    /// Returns the texts that are new in this position: about the game, the decision and the moves.
    pub(super) fn news(&mut self, table: &dyn AnyTable, legal: &[ActionId]) -> Vec<String> {
        let due = match self.when {
            When::Never => false,
            When::FirstRound => table.round() == 1,
            When::Always => true,
        };
        let (true, Some(teacher)) = (due, &self.teacher) else { return Vec::new() };
        let mut texts = vec![teacher.lesson()];
        texts.extend(position(teacher.as_ref(), table, legal));
        texts.retain(|text| self.said.insert(text.clone()));
        texts
    }

    /// Returns all texts about the position, even if they were shown before.
    pub(super) fn explained(&self, table: &dyn AnyTable, legal: &[ActionId]) -> Vec<String> {
        self.teacher.as_deref().map(|teacher| position(teacher, table, legal)).unwrap_or_default()
    }

    /// Returns why a move is illegal: the game's reason, otherwise what the current phase asks for.
    pub(crate) fn why_not(&self, table: &dyn AnyTable, action: ActionId) -> Option<String> {
        let teacher = self.teacher.as_deref()?;
        let words = teacher.words();
        match teacher.why_not(table.asked()?, action) {
            Some(reason) => {
                let pieces = teacher.pieces(&words.text(&reason));
                Some(pieces.into_iter().map(|piece| piece.text).collect())
            }
            None => teacher.phase(table.phase()).map(|name| words.say(name, &[])),
        }
    }

    /// Whether a legal move is listed before the person asks for all moves.
    pub(super) fn is_listed(&self, view: SeatView<'_>, action: ActionId) -> bool {
        self.teacher.as_deref().is_none_or(|teacher| teacher.is_likely(view, action))
    }
}

/// Explains the decision and the listed moves.
fn position(teacher: &dyn Teacher, table: &dyn AnyTable, legal: &[ActionId]) -> Vec<String> {
    let Some(view) = table.asked() else { return Vec::new() };
    let listed = legal.iter().filter(|&&action| teacher.is_likely(view, action));
    let means = listed.filter_map(|&action| teacher.means(view, action));
    let mut names: Vec<&str> = teacher.phase(table.phase()).into_iter().collect();
    for name in means {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter().map(|name| teacher.words().say(name, &[])).collect()
}

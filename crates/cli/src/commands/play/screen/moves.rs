//! The moves to choose from, and what is typed to find one.

use super::link::Choices;

/// A list of choices, those that what was typed leaves, and which one is marked.
pub(super) struct Moves {
    pub(super) choices: Choices,
    /// What was typed so far.
    pub(super) typed: String,
    /// The numbers of the choices that are left, from 0: those that come first, then the others, each ascending.
    pub(super) left: Vec<usize>,
    /// Which of them is marked.
    pub(super) marked: usize,
}

impl Moves {
    pub(super) fn new(choices: Choices) -> Self {
        let mut moves = Self { choices, typed: String::new(), left: Vec::new(), marked: 0 };
        moves.type_text(String::new());
        moves
    }

    /// Something else was typed: what fits is left, and what fits best is marked: the move of that name, else that of
    /// that number, as in plain lines.
    pub(super) fn type_text(&mut self, typed: String) {
        self.typed = typed;
        let text = self.typed.trim().to_lowercase();
        let number = text.strip_prefix('#').unwrap_or(&text).parse::<usize>().ok();
        let labels = &self.choices.labels;
        let is_nth = |i: usize| number == Some(i + 1);
        let fits = |&i: &usize| labels[i].to_lowercase().contains(&text) || is_nth(i);
        self.left = (0..labels.len()).filter(fits).collect();
        self.left.sort_by_key(|&i| !self.choices.listed[i]);
        let find = |is: &dyn Fn(usize) -> bool| self.left.iter().position(|&i| is(i));
        let named = find(&|i| labels[i].to_lowercase() == text);
        self.marked = named.or_else(|| find(&is_nth)).unwrap_or(0);
    }

    /// Marks the choice that is so many places further on.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.left.len().saturating_sub(1);
        self.marked = self.marked.saturating_add_signed(by).min(last);
    }

    /// What is said to the session by Enter: the number of the marked choice; where nothing fits, the words themselves, which are a
    /// command or refused with a reason.
    pub(super) fn said(&self) -> Option<String> {
        let marked = self.left.get(self.marked).map(|i| format!("#{}", i + 1));
        let words = self.typed.trim();
        marked.or_else(|| (!words.is_empty()).then(|| words.to_owned()))
    }

    /// Choices beside each other in `width` columns, and the columns of each.
    pub(super) fn across(&self, width: usize) -> (usize, usize) {
        let widest = self.choices.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        // The number, a gap between number and name, and one between choices.
        let cell = self.choices.labels.len().to_string().len() + 1 + 1 + widest + 3;
        ((width / cell).max(1), cell)
    }
}

//! The list of choices, and the text that filters it.

use super::link::Choices;

/// The choices, those that match the typed text, and the selected one.
pub(super) struct Moves {
    pub(super) choices: Choices,
    /// The text typed so far.
    pub(super) typed: String,
    /// Indices of the matching choices: first those of `listed`, then the others, each in ascending order.
    pub(super) left: Vec<usize>,
    /// Position of the selected choice in `left`.
    pub(super) marked: usize,
}

impl Moves {
    pub(super) fn new(choices: Choices) -> Self {
        let mut moves = Self { choices, typed: String::new(), left: Vec::new(), marked: 0 };
        moves.type_text(String::new());
        moves
    }

    /// Filters the choices by a new text, and selects the best match: the move of that name, otherwise that of that
    /// number, as in plain mode.
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

    /// Moves the selection by this number of places.
    pub(super) fn step(&mut self, by: isize) {
        let last = self.left.len().saturating_sub(1);
        self.marked = self.marked.saturating_add_signed(by).min(last);
    }

    /// Returns the line that Enter sends: the number of the selected choice. If no choice matches, it is the typed
    /// text, which is a command or gets an error.
    pub(super) fn said(&self) -> Option<String> {
        let marked = self.left.get(self.marked).map(|i| format!("#{}", i + 1));
        let words = self.typed.trim();
        marked.or_else(|| (!words.is_empty()).then(|| words.to_owned()))
    }

    /// Returns how many choices fit next to each other in `width` columns, and the columns of each.
    pub(super) fn across(&self, width: usize) -> (usize, usize) {
        let widest = self.choices.labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        // `#` and the number, a gap, the name, and a gap before the next choice.
        let cell = self.choices.labels.len().to_string().len() + 1 + 1 + widest + 3;
        ((width / cell).max(1), cell)
    }
}

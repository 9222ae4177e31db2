//! What a person types.

use std::io::{self, BufRead, IsTerminal};

use cardsharp_env::{ActionId, AnyTable};

use crate::error::CliError;

/// What the person wants.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To play this move.
    Move(ActionId),
    /// To take back the last move.
    Undo,
    /// To know what a bot would do.
    Hint,
    /// To see the position again.
    Show,
    /// To know what can be typed.
    Help,
    /// To leave.
    Quit,
    /// Something that was not understood, with the reason.
    Unclear(String),
}

/// What can be typed.
pub(super) const HELP: &str = "\
  a move      as it is written in the list: 7x3+J, pass, give 7
  #N          the move with number N in the list
  hint, h     what a bot would play
  undo, u     take back your last move and everything after it
  show, s     the position again
  quit, q     leave the table
  help, ?     this list";

/// The next line of standard input, none at its end.
pub(super) fn read() -> Result<Option<String>, CliError> {
    let mut line = String::new();
    let read = io::stdin().lock().read_line(&mut line).map_err(CliError::Stdin)?;
    Ok((read != 0).then_some(line))
}

/// Whether nobody types: a terminal shows what is typed, a pipe does not.
pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal()
}

/// What a line means while `legal` are the moves on offer.
pub(super) fn understand(line: &str, table: &dyn AnyTable, legal: &[ActionId]) -> Wish {
    let text = line.trim();
    match text.to_lowercase().as_str() {
        "" | "s" | "show" => return Wish::Show,
        "u" | "undo" => return Wish::Undo,
        "h" | "hint" => return Wish::Hint,
        "?" | "help" => return Wish::Help,
        "q" | "quit" | "exit" => return Wish::Quit,
        _ => {}
    }
    let number = |digits: &str| digits.trim().parse::<usize>().ok();
    let nth = |n: usize| n.checked_sub(1).and_then(|i| legal.get(i)).copied();
    if let Some(digits) = text.strip_prefix('#') {
        return match number(digits).and_then(nth) {
            Some(action) => Wish::Move(action),
            None => Wish::Unclear(format!("there is no move {text}; they go from #1 to #{}", legal.len())),
        };
    }
    match table.parse(text) {
        Some(action) if legal.contains(&action) => Wish::Move(action),
        // A bare number means the card of that name first; only where no card has it, the list.
        Some(_) => match number(text).and_then(nth) {
            Some(listed) => {
                Wish::Unclear(format!("`{text}` is not legal now; for {} type #{text}", table.label(listed)))
            }
            None => Wish::Unclear(format!("`{text}` is not legal now")),
        },
        None => match number(text).and_then(nth) {
            Some(action) => Wish::Move(action),
            None => Wish::Unclear(format!(
                "`{text}` is neither a move nor a command; `help` shows what you can type"
            )),
        },
    }
}

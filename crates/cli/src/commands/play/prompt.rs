//! What a person types.

use std::io::{self, IsTerminal};

use cardsharp_env::{ActionId, AnyTable};

use super::between::{self, Between};
use crate::error::CliError;
use crate::input;
use crate::shown::quoted;

/// What the person wants; `C` is what there is to choose from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish<C> {
    /// This choice.
    Choice(C),
    /// To take back the last choice.
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
pub(super) const HELP: &str = "  a move      as it is written in the list: 7x3, pass, give 7
  #N          the move with number N in the list
  hint, h     what a bot would play
  undo, u     take back your last move or choice and everything after it
  show, s     the position again
  quit, q     stop playing
  help, ?     this list
Between rounds, in games whose players may come and go:
  Enter       deals the next round
  join        a new player joins before it; `join N`: seat N comes back
  leave N     seat N leaves before it; your own seat sits out until it joins again";

/// The next line of standard input, none at its end.
pub(super) fn read() -> Result<Option<String>, CliError> {
    Ok(input::typed()?)
}

/// Whether nobody types: a terminal shows what is typed, a pipe does not.
pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal()
}

/// What a line means while `legal` are the moves on offer.
pub(super) fn understand(line: &str, table: &dyn AnyTable, legal: &[ActionId]) -> Wish<ActionId> {
    let text = line.trim();
    if text.is_empty() {
        return Wish::Show;
    }
    if let Some(wish) = unreadable(text).or_else(|| command(text)).or_else(|| numbered(text, legal)) {
        return wish;
    }
    let nth = text.parse::<usize>().ok().and_then(|n| nth(n, legal));
    match table.parse(text) {
        Some(action) if legal.contains(&action) => Wish::Choice(action),
        // A bare number means the card of that name first; only where no card has it, the list.
        Some(_) => match nth {
            Some(listed) => {
                Wish::Unclear(format!("`{text}` is not legal now; for {} type #{text}", table.label(listed)))
            }
            None => Wish::Unclear(format!("`{}` is not legal now", quoted(text))),
        },
        None => match nth {
            Some(action) => Wish::Choice(action),
            None => Wish::Unclear(format!(
                "`{}` is neither a move nor a command; `help` shows what you can type",
                quoted(text)
            )),
        },
    }
}

/// What a line means between two rounds.
pub(super) fn understand_between(line: &str, choices: &[Between]) -> Wish<Between> {
    let text = line.trim();
    let choice = || between::named(text, choices).map(Wish::Choice);
    let wish = unreadable(text).or_else(|| command(text)).or_else(|| numbered(text, choices));
    wish.or_else(choice).unwrap_or_else(|| {
        let text = quoted(text);
        Wish::Unclear(format!("`{text}` cannot be done now; `show` lists what can, Enter deals"))
    })
}

/// What there is to say to a line with bytes that are no text, which [`read`] has replaced.
fn unreadable<C>(text: &str) -> Option<Wish<C>> {
    text.contains(char::REPLACEMENT_CHARACTER).then(|| {
        let text = quoted(text);
        Wish::Unclear(format!("`{text}` is not UTF-8 text where it shows �; `help` shows what you can type"))
    })
}

/// The words that mean the same at any time.
fn command<C>(text: &str) -> Option<Wish<C>> {
    Some(match text.to_lowercase().as_str() {
        "s" | "show" => Wish::Show,
        "u" | "undo" => Wish::Undo,
        "h" | "hint" => Wish::Hint,
        "?" | "help" => Wish::Help,
        "q" | "quit" | "exit" => Wish::Quit,
        _ => return None,
    })
}

/// `#2` for the second of a list.
fn numbered<C: Copy>(text: &str, list: &[C]) -> Option<Wish<C>> {
    let number = text.strip_prefix('#')?.trim().parse::<usize>().ok();
    Some(match number.and_then(|n| nth(n, list)) {
        Some(choice) => Wish::Choice(choice),
        None => {
            let (text, last) = (quoted(text), list.len());
            Wish::Unclear(format!("there is no move {text}; they go from #1 to #{last}"))
        }
    })
}

fn nth<C: Copy>(number: usize, list: &[C]) -> Option<C> {
    number.checked_sub(1).and_then(|i| list.get(i)).copied()
}

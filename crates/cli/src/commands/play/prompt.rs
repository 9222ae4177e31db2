//! What a person types, or a program that plays for one.

#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use cardsharp_env::{ActionId, AnyTable};

use super::between::{self, Between};
use crate::error::CliError;
use crate::input::{self, InputError};
use crate::shown::quoted;
use crate::signals::Signals;

/// What a line means; `C` is what there is to choose from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wish<C> {
    /// This choice.
    Choice(C),
    /// Something other than a choice.
    Command(Command),
    /// Something that was not understood, with the reason.
    Unclear(String),
}

/// What can be asked for besides a choice.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// To take back the last choice.
    Undo,
    /// To know what a bot would do.
    Hint,
    /// To see the position again.
    Show,
    /// To know all moves where only some are listed.
    More,
    /// To know the rules at this table.
    Rules,
    /// To have the position explained.
    Explain,
    /// To know what can be typed.
    Help,
    /// To leave.
    Quit,
}

/// The words for commands. None is a move's name in a game that ships with the project (there is no `q`,
/// which is a Queen); where another game has such a move, it is the move while it is legal.
const WORDS: [(&str, Command); 14] = [
    ("hint", Command::Hint),
    ("h", Command::Hint),
    ("undo", Command::Undo),
    ("u", Command::Undo),
    ("show", Command::Show),
    ("s", Command::Show),
    ("more", Command::More),
    ("bids", Command::More),
    ("rules", Command::Rules),
    ("explain", Command::Explain),
    ("help", Command::Help),
    ("?", Command::Help),
    ("quit", Command::Quit),
    ("exit", Command::Quit),
];

/// What can be typed while these are the choices.
pub(super) fn help(choices: &[String]) -> String {
    // The first, one in the middle, the last.
    let mut examples = vec![0, choices.len() / 2, choices.len().saturating_sub(1)];
    examples.dedup();
    let examples: Vec<&str> =
        examples.into_iter().filter_map(|at| choices.get(at)).map(String::as_str).collect();
    format!("  a move      by its name in the list: {}\n{HELP}", examples.join(", "))
}

const HELP: &str = "  #N          move number N in the list
  more, bids  list all moves
  hint, h     ask a bot for a move
  undo, u     take back your last move or choice and everything after it
  show, s     show the position again
  explain     explain this decision and its moves
  rules       show the rules and the options of this table
  quit, exit  stop playing
  help, ?     show this list
Between rounds, in games that let players join and leave:
  Enter       deal the next round
  join        a new player joins; `join N`: seat N returns
  leave N     seat N leaves; if it is yours, you sit out until you join again
A `/` before a command (`/quit`) is always allowed, and required with --json.";

/// Who types.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Typist {
    /// A person, whose commands need no mark and whose numbers may mean the list.
    Person,
    /// A program, which says what it means: `#3` and `/undo`, and everything else is a choice.
    Program,
}

/// What is typed at standard input.
pub(super) enum Typed {
    /// Read where it is asked for: a signal ends the program.
    Plain,
    /// Read by a thread of its own, so that whoever waits for a line notices a signal.
    Watched {
        /// A line is wanted.
        asks: Sender<()>,
        lines: Receiver<Result<Option<String>, InputError>>,
        signals: Signals,
    },
}

/// How long it takes at most until a signal is noticed.
const GLANCE: Duration = Duration::from_millis(50);

impl Typed {
    /// What is typed until there is a signal.
    ///
    /// # Errors
    /// The system does not let signals be caught.
    pub(super) fn until_signal() -> Result<Self, CliError> {
        let signals = Signals::catch()?;
        let (asks, asked) = mpsc::channel();
        let (told, lines) = mpsc::channel();
        thread::spawn(move || {
            // Until nobody asks any more, or waits for what was asked.
            while asked.recv().is_ok() && told.send(input::typed()).is_ok() {}
        });
        Ok(Self::Watched { asks, lines, signals })
    }

    /// The next line; none at the end, or once there was a signal.
    pub(super) fn next(&self) -> Result<Option<String>, CliError> {
        let Self::Watched { asks, lines, signals } = self else { return Ok(input::typed()?) };
        // The thread ends after this one.
        let _ = asks.send(());
        loop {
            match lines.recv_timeout(GLANCE) {
                Ok(line) => return Ok(line?),
                Err(RecvTimeoutError::Timeout) if !signals.stop().load(Ordering::Relaxed) => {}
                Err(_) => return Ok(None),
            }
        }
    }

    /// How the program ends if there was a signal.
    pub(super) fn interrupted(&self) -> Option<CliError> {
        match self {
            Self::Watched { signals, .. } if signals.stop().load(Ordering::Relaxed) => {
                Some(signals.interrupted())
            }
            _ => None,
        }
    }
}

/// Whether nobody types: a terminal shows what is typed, a pipe does not.
pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal()
}

impl Typist {
    /// What a line means while `legal` are the moves on offer; `why` says why another one is not.
    pub(super) fn understand(
        self,
        line: &str,
        table: &dyn AnyTable,
        legal: &[ActionId],
        why: &dyn Fn(ActionId) -> Option<String>,
    ) -> Wish<ActionId> {
        let text = line.trim();
        if text.is_empty() {
            return Wish::Command(Command::Show);
        }
        let named = table.parse(text);
        let choice = || named.filter(|action| legal.contains(action)).map(Wish::Choice);
        let wish = unreadable(text).or_else(|| marked(text, legal)).or_else(choice);
        wish.or_else(|| self.word(text)).unwrap_or_else(|| {
            let nth = match self {
                Self::Person => text.parse::<usize>().ok().and_then(|n| nth(n, legal)),
                Self::Program => None,
            };
            match (named, nth) {
                // A bare number means the card of that name first; only where no card has it, the list.
                (None, Some(action)) => Wish::Choice(action),
                (Some(_), Some(listed)) => {
                    let label = table.label(listed);
                    Wish::Unclear(format!("`{text}` is not legal now; for {label} type #{text}"))
                }
                (Some(action), None) => {
                    let why = why(action).map(|why| format!(": {why}")).unwrap_or_default();
                    Wish::Unclear(format!("`{}` is not legal now{why}", quoted(text)))
                }
                (None, None) => self.unclear(text, "is neither a move nor a command"),
            }
        })
    }

    /// What a line means between two rounds.
    pub(super) fn understand_between(self, line: &str, choices: &[Between]) -> Wish<Between> {
        let text = line.trim();
        let choice = || between::named(text, choices).map(Wish::Choice);
        let wish = unreadable(text).or_else(|| marked(text, choices)).or_else(choice);
        wish.or_else(|| self.word(text)).unwrap_or_else(|| self.unclear(text, "cannot be done now"))
    }

    /// A command by its word alone, which only a person may leave without its mark.
    fn word<C>(self, text: &str) -> Option<Wish<C>> {
        (self == Self::Person).then(|| command(text)).flatten()
    }

    /// What there is to say to a text that is neither a choice nor a command.
    fn unclear<C>(self, text: &str, problem: &str) -> Wish<C> {
        let mark = match command::<C>(text) {
            Some(_) => format!("; the command is `/{text}`"),
            None => "; `/help` lists the commands".to_owned(),
        };
        Wish::Unclear(format!("`{}` {problem}{mark}", quoted(text)))
    }
}

/// What there is to say to a line with bytes that are no text, which [`read`] has replaced.
fn unreadable<C>(text: &str) -> Option<Wish<C>> {
    text.contains(char::REPLACEMENT_CHARACTER).then(|| {
        let text = quoted(text);
        Wish::Unclear(format!("`{text}` is not UTF-8 text at each �; `/help` lists the commands"))
    })
}

/// The command that a word means at any time.
fn command<C>(word: &str) -> Option<Wish<C>> {
    let word = word.to_lowercase();
    WORDS.iter().find(|(name, _)| *name == word).map(|&(_, command)| Wish::Command(command))
}

/// What is marked as what it is, and never a choice by its name: `/undo` a command, `#2` the second of a list.
fn marked<C: Copy>(text: &str, list: &[C]) -> Option<Wish<C>> {
    if let Some(word) = text.strip_prefix('/') {
        return Some(command(word.trim()).unwrap_or_else(|| {
            let text = quoted(text);
            Wish::Unclear(format!("there is no command `{text}`; `/help` lists the commands"))
        }));
    }
    let number = text.strip_prefix('#')?.trim().parse::<usize>().ok();
    Some(match number.and_then(|n| nth(n, list)) {
        Some(choice) => Wish::Choice(choice),
        None => {
            let (text, last) = (quoted(text), list.len());
            Wish::Unclear(format!("there is no move {text}: expected #1 to #{last}"))
        }
    })
}

fn nth<C: Copy>(number: usize, list: &[C]) -> Option<C> {
    number.checked_sub(1).and_then(|i| list.get(i)).copied()
}

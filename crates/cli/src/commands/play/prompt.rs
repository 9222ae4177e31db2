//! Input from a person, or from a program that plays for one: moves, choices between rounds, and commands.

#[cfg(test)]
mod tests;

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use cardsharp_env::log::change_name;
use cardsharp_env::rules::RosterChange;
use cardsharp_env::{ActionId, AnyTable, MAX_SEATS, Seat};
use cardsharp_text::escape::quoted;
use cardsharp_text::input::{self, InputError};

use crate::error::CliError;
use crate::signals::Signals;

/// A choice between two rounds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Between {
    Deal,
    /// Let a player join or leave first.
    Change(RosterChange),
}

impl fmt::Display for Between {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal => f.write_str("deal"),
            Self::Change(change) => f.write_str(&change_name(*change)),
        }
    }
}

/// Returns all choices between two rounds that the table accepts now, the deal first. Games with fixed players have no
/// other choice.
pub(super) fn between_choices(table: &mut dyn AnyTable) -> Vec<Between> {
    let mut choices = vec![Between::Deal];
    for change in [RosterChange::Join, RosterChange::Leave] {
        for change in (0..MAX_SEATS as u8).map(|seat| change(Seat(seat))) {
            if table.change_roster(change).is_ok() {
                table.undo();
                choices.push(Between::Change(change));
            }
        }
    }
    choices
}

/// Returns the choice between two rounds that a text names. An empty line means the deal. `join` alone means a new
/// player if possible, otherwise the last seat that can return.
fn named_between(text: &str, choices: &[Between]) -> Option<Between> {
    let text = text.to_lowercase();
    let joins = |choice: &&Between| matches!(choice, Between::Change(RosterChange::Join(_)));
    match text.as_str() {
        "" => Some(Between::Deal),
        "join" => choices.iter().rfind(joins).copied(),
        text => choices.iter().copied().find(|choice| choice.to_string() == text),
    }
}

/// The meaning of a line; `C` is the type of the choices.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wish<C> {
    Choice(C),
    Command(Command),
    /// An invalid line, with the reason.
    Unclear(String),
}

/// Commands, in addition to the choices.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Take back the last choice.
    Undo,
    /// Ask a bot for its move.
    Hint,
    Show,
    /// List all moves, if only some are listed.
    More,
    /// Show the rules of this table.
    Rules,
    Explain,
    /// List what can be typed.
    Help,
    Quit,
}

/// The words for commands. No shipped game has a move with such a name, so there is no `q`, which is a Queen. In other
/// games, a legal move of that name takes precedence.
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

/// Returns the help text, with some of the choices as examples.
pub(super) fn help(choices: &[String]) -> String {
    // The first choice, one in the middle, and the last.
    let mut examples = vec![0, choices.len() / 2, choices.len().saturating_sub(1)];
    examples.dedup();
    let examples: Vec<&str> =
        examples.into_iter().filter_map(|at| choices.get(at)).map(String::as_str).collect();
    format!("  a move      by its short name: {}, or as in the list\n{HELP}", examples.join(", "))
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

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Typist {
    /// A person: commands need no `/`, and a number may mean an entry of the list.
    Person,
    /// A program: it writes `#3` and `/undo`, and everything else is a choice.
    Program,
}

/// Lines from standard input.
pub(crate) enum LineReader {
    /// Reads on demand. A signal ends the program.
    Blocking,
    /// Reads on a separate thread, so that waiting for a line ends at a signal.
    Watched { requests: Sender<()>, lines: Receiver<Result<Option<String>, InputError>>, signals: Signals },
}

/// The longest delay until a signal is noticed.
const POLL: Duration = Duration::from_millis(50);

impl LineReader {
    /// Reads lines until there is a signal.
    ///
    /// # Errors
    /// The system does not allow signal handlers.
    pub(super) fn until_signal() -> Result<Self, CliError> {
        let signals = Signals::catch()?;
        let (requests, requested) = mpsc::channel();
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            // The loop ends when the other ends of the channels are dropped.
            while requested.recv().is_ok() && sender.send(input::typed()).is_ok() {}
        });
        Ok(Self::Watched { requests, lines, signals })
    }

    /// Returns the next line; `None` at the end of the input or after a signal.
    pub(super) fn next(&self) -> Result<Option<String>, CliError> {
        let Self::Watched { requests, lines, signals } = self else { return Ok(input::typed()?) };
        // The thread runs as long as this value exists, so sending does not fail.
        let _ = requests.send(());
        loop {
            match lines.recv_timeout(POLL) {
                Ok(line) => return Ok(line?),
                Err(RecvTimeoutError::Timeout) if !signals.stop().load(Ordering::Relaxed) => {}
                Err(_) => return Ok(None),
            }
        }
    }

    /// Returns the error to exit with after a signal.
    pub(super) fn interrupted(&self) -> Option<CliError> {
        match self {
            Self::Watched { signals, .. } if signals.stop().load(Ordering::Relaxed) => {
                Some(signals.interrupted())
            }
            _ => None,
        }
    }
}

/// Whether standard input is no terminal, so that the output does not show what is typed.
pub(super) fn is_piped() -> bool {
    !io::stdin().is_terminal()
}

impl Typist {
    /// Interprets a line while `legal` are the legal moves; `why` returns why another move is illegal.
    pub(crate) fn understand(
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
                // A bare number means the card of that name. It means an entry of the list only if no card has that
                // name.
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

    /// Interprets a line between two rounds.
    pub(super) fn understand_between(self, line: &str, choices: &[Between]) -> Wish<Between> {
        let text = line.trim();
        let choice = || named_between(text, choices).map(Wish::Choice);
        let wish = unreadable(text).or_else(|| marked(text, choices)).or_else(choice);
        wish.or_else(|| self.word(text)).unwrap_or_else(|| self.unclear(text, "cannot be done now"))
    }

    /// Interprets a command without `/`, which only a person may type.
    fn word<C>(self, text: &str) -> Option<Wish<C>> {
        (self == Self::Person).then(|| command(text)).flatten()
    }

    /// Returns the answer to a text that is neither a choice nor a command.
    fn unclear<C>(self, text: &str, problem: &str) -> Wish<C> {
        let mark = match command::<C>(text) {
            Some(_) => format!("; the command is `/{text}`"),
            None => "; `/help` lists the commands".to_owned(),
        };
        Wish::Unclear(format!("`{}` {problem}{mark}", quoted(text)))
    }
}

/// Returns the answer to a line with invalid UTF-8, which [`input::typed`] has replaced.
fn unreadable<C>(text: &str) -> Option<Wish<C>> {
    text.contains(char::REPLACEMENT_CHARACTER).then(|| {
        let text = quoted(text);
        Wish::Unclear(format!("`{text}` is not UTF-8 text at each �; `/help` lists the commands"))
    })
}

/// Returns the command that a word names.
fn command<C>(word: &str) -> Option<Wish<C>> {
    let word = word.to_lowercase();
    WORDS.iter().find(|(name, _)| *name == word).map(|&(_, command)| Wish::Command(command))
}

/// Interprets a text with a mark: `/undo` is a command, and `#2` the second entry of a list. Neither is the name of a
/// choice.
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

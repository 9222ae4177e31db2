//! The effects of keys.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::text::Line;

use super::places::Places;
use super::state::{Over, Screen};

/// An action that the screen cannot do alone.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Send this line to the session.
    Say(String),
    Leave,
    /// Suspend the program, as Ctrl-Z does in plain mode.
    Suspend,
}

/// Every key with its effect.
pub(super) const KEYS: [(&str, &str); 11] = [
    ("arrows, Home, End", "select a move in the list"),
    ("letters, digits", "filter the moves by name or number; Esc clears the filter"),
    ("Enter", "play the selected move; text that matches no move is a command"),
    ("F1, ?", "this list and the rules in short"),
    ("F2", "ask a bot for a hint"),
    ("F3, u", "take back your last choice and everything after it"),
    ("F4", "the rules and the options of this table"),
    ("F5", "show opponents' moves at once or one by one; Space skips to your turn"),
    ("PageUp, PageDown", "scroll the events or the open text"),
    ("Ctrl-Z", "suspend the program; `fg` in the shell resumes it"),
    ("Esc, Ctrl-C", "leave; the file of --trace has the session so far"),
];

impl Screen {
    /// Handles a key press.
    pub(super) fn press(&mut self, key: KeyEvent) -> Option<Deed> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let is_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let code = match (is_ctrl, key.code) {
            (true, KeyCode::Char('c')) => KeyCode::Esc,
            (true, KeyCode::Char('z')) => return Some(Deed::Suspend),
            (true, KeyCode::Char(_)) => return None,
            (_, KeyCode::Char('?')) => KeyCode::F(1),
            (_, code) => code,
        };
        let rows = match &self.over {
            Over::Text { lines, .. } => self.rows(lines).len(),
            _ => 0,
        };
        match &mut self.over {
            Over::Nothing => self.press_at_table(code, is_ctrl),
            Over::Quit => match code {
                // Pressing Ctrl-C twice leaves, too.
                KeyCode::Enter | KeyCode::Char('y' | 'Y') => Some(Deed::Leave),
                KeyCode::Esc if is_ctrl => Some(Deed::Leave),
                _ => self.uncover(),
            },
            Over::End => {
                matches!(code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char(_)).then_some(Deed::Leave)
            }
            Over::Results => match code {
                KeyCode::Esc => self.cover(Over::Quit),
                KeyCode::Enter | KeyCode::Char(' ') => self.uncover(),
                _ => None,
            },
            Over::Text { top, .. } => {
                let page = usize::from(self.size.height.saturating_sub(4)).max(1);
                let last = rows.saturating_sub(page);
                *top = match code {
                    KeyCode::Up => top.saturating_sub(1),
                    KeyCode::Down => *top + 1,
                    KeyCode::PageUp => top.saturating_sub(page),
                    KeyCode::PageDown | KeyCode::Char(' ') => *top + page,
                    KeyCode::Home => 0,
                    KeyCode::End => last,
                    // Closes the text, and has its usual effect.
                    KeyCode::F(2..=5) => {
                        self.over = Over::Nothing;
                        return self.press_at_table(code, is_ctrl);
                    }
                    _ => return self.uncover(),
                }
                .min(last);
                None
            }
        }
    }

    fn cover(&mut self, over: Over) -> Option<Deed> {
        self.over = over;
        None
    }

    fn uncover(&mut self) -> Option<Deed> {
        self.cover(Over::Nothing)
    }

    fn press_at_table(&mut self, code: KeyCode, is_ctrl: bool) -> Option<Deed> {
        match code {
            KeyCode::PageUp => self.log.scroll(5),
            KeyCode::PageDown => self.log.scroll(-5),
            KeyCode::F(1) => return self.help(),
            KeyCode::F(5) => self.change_pause(),
            KeyCode::Esc if is_ctrl || self.moves.as_ref().is_none_or(|moves| moves.typed.is_empty()) => {
                self.over = Over::Quit;
            }
            _ if self.is_asked => return self.press_at_moves(code),
            KeyCode::Char(' ') => self.hurries = true,
            KeyCode::F(2..=4) | KeyCode::Char('u') => {
                self.answer = vec![Line::from("Hints, undo and rules are available on your turn.")];
            }
            _ => {}
        }
        None
    }

    fn press_at_moves(&mut self, code: KeyCode) -> Option<Deed> {
        let places = Places::of(self);
        let moves = self.moves.as_mut()?;
        let across = moves.across(usize::from(places.moves.width.saturating_sub(2))).0 as isize;
        match code {
            KeyCode::Left => moves.step(-1),
            KeyCode::Right => moves.step(1),
            KeyCode::Up => moves.step(-across),
            KeyCode::Down => moves.step(across),
            KeyCode::Home => moves.step(isize::MIN),
            KeyCode::End => moves.step(isize::MAX),
            KeyCode::Esc => moves.type_text(String::new()),
            KeyCode::Backspace => {
                let mut typed = moves.typed.clone();
                typed.pop();
                moves.type_text(typed);
            }
            KeyCode::Char('u') if moves.typed.is_empty() => return self.press_at_moves(KeyCode::F(3)),
            KeyCode::Char(c) => {
                let typed = format!("{}{c}", moves.typed);
                moves.type_text(typed);
            }
            KeyCode::F(2) => return self.ask_for("/hint"),
            KeyCode::F(4) => return self.ask_for("/rules"),
            KeyCode::F(3) => {
                self.takes_back = true;
                return self.ask_for("/undo");
            }
            KeyCode::Enter => {
                let said = moves.said()?;
                // A number is always a choice. After a command the session asks again with the same list.
                if said.starts_with('#') {
                    self.moves = None;
                } else {
                    moves.type_text(String::new());
                    self.takes_back = matches!(said.trim_start_matches('/'), "undo" | "u");
                }
                return self.ask_for(&said);
            }
            _ => {}
        }
        None
    }

    /// Sends a line that the session answers, or that ends the person's turn.
    fn ask_for(&mut self, line: &str) -> Option<Deed> {
        self.answer.clear();
        (self.is_asked, self.has_asked) = (false, true);
        self.title = match line.trim_start_matches('/') {
            "help" => "Help",
            "rules" => "Rules",
            "hint" | "h" => "Hint",
            _ => "Answer",
        };
        Some(Deed::Say(line.to_owned()))
    }

    /// Shows the keys, and the help of the session if it waits for the person.
    fn help(&mut self) -> Option<Deed> {
        let key = |(key, does): &(&str, &str)| Line::from(format!("{key:<19}{does}"));
        let keys = KEYS.iter().map(key).collect();
        if !self.is_asked {
            return self.cover(Over::Text { title: "Keys", lines: keys, top: 0 });
        }
        let said = self.ask_for("/help");
        self.answer = keys;
        self.answer.push(Line::default());
        said
    }
}

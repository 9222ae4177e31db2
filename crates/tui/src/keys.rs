//! The effects of keys on the state, and outside it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::text::Line;

use crate::layout::Panels;
use crate::state::{Overlay, Screen};

/// An effect of a key outside the state of the screen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Send this line to the session.
    Send(String),
    Leave,
    /// Suspend the program, as Ctrl-Z does in plain mode.
    Suspend,
}

/// Every key with its effect.
const KEYS: [(&str, &str); 11] = [
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
    ("Esc, Ctrl-C", "leave; the session so far is saved"),
];

impl Screen {
    pub(crate) fn press(&mut self, key: KeyEvent) -> Option<Effect> {
        if key.kind == KeyEventKind::Release {
            return None;
        }
        let is_ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let code = match (is_ctrl, key.code) {
            (true, KeyCode::Char('c')) => KeyCode::Esc,
            (true, KeyCode::Char('z')) => return Some(Effect::Suspend),
            (true, KeyCode::Char(_)) => return None,
            (_, KeyCode::Char('?')) => KeyCode::F(1),
            (_, code) => code,
        };
        let rows = match &self.overlay {
            Overlay::Text { lines, .. } => self.rows(lines).len(),
            _ => 0,
        };
        match &mut self.overlay {
            Overlay::None => self.press_at_table(code, is_ctrl),
            Overlay::Quit => match code {
                // Pressing Ctrl-C twice leaves, too.
                KeyCode::Enter | KeyCode::Char('y' | 'Y') => Some(Effect::Leave),
                KeyCode::Esc if is_ctrl => Some(Effect::Leave),
                KeyCode::Esc | KeyCode::Char('n' | 'N') => self.close_overlay(),
                _ => self.press_below(code, is_ctrl),
            },
            Overlay::End => {
                matches!(code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char(_)).then_some(Effect::Leave)
            }
            Overlay::Results => match code {
                KeyCode::Esc => self.show_overlay(Overlay::Quit),
                KeyCode::Enter | KeyCode::Char(' ') => self.close_overlay(),
                _ => self.press_below(code, is_ctrl),
            },
            Overlay::Text { top, .. } => {
                let page = usize::from(self.size.height.saturating_sub(4)).max(1);
                let last = rows.saturating_sub(page);
                let scrolls = matches!(
                    code,
                    KeyCode::Up
                        | KeyCode::Down
                        | KeyCode::PageUp
                        | KeyCode::PageDown
                        | KeyCode::Home
                        | KeyCode::End
                );
                // A text that fits has nothing to scroll.
                if last == 0 && scrolls {
                    return self.press_below(code, is_ctrl);
                }
                *top = match code {
                    KeyCode::Up => top.saturating_sub(1),
                    KeyCode::Down => *top + 1,
                    KeyCode::PageUp => top.saturating_sub(page),
                    KeyCode::PageDown | KeyCode::Char(' ') => *top + page,
                    KeyCode::Home => 0,
                    KeyCode::End => last,
                    KeyCode::Enter | KeyCode::Esc | KeyCode::F(1) => return self.close_overlay(),
                    _ => return self.press_below(code, is_ctrl),
                }
                .min(last);
                None
            }
        }
    }

    fn show_overlay(&mut self, overlay: Overlay) -> Option<Effect> {
        self.overlay = overlay;
        None
    }

    fn close_overlay(&mut self) -> Option<Effect> {
        self.show_overlay(Overlay::None)
    }

    /// Closes the panel over the table, so that a key has its usual effect there.
    fn press_below(&mut self, code: KeyCode, is_ctrl: bool) -> Option<Effect> {
        self.overlay = Overlay::None;
        self.press_at_table(code, is_ctrl)
    }

    fn press_at_table(&mut self, code: KeyCode, is_ctrl: bool) -> Option<Effect> {
        match code {
            KeyCode::PageUp => self.log.scroll(5),
            KeyCode::PageDown => self.log.scroll(-5),
            KeyCode::F(1) => return self.help(),
            KeyCode::F(5) => self.toggle_pause(),
            KeyCode::Esc if is_ctrl || self.moves.as_ref().is_none_or(|moves| moves.typed.is_empty()) => {
                self.overlay = Overlay::Quit;
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

    fn press_at_moves(&mut self, code: KeyCode) -> Option<Effect> {
        let panels = Panels::of(self);
        let moves = self.moves.as_mut()?;
        let across = moves.across(usize::from(panels.moves.width.saturating_sub(2))).0 as isize;
        match code {
            KeyCode::Left => moves.select(-1),
            KeyCode::Right => moves.select(1),
            KeyCode::Up => moves.select(-across),
            KeyCode::Down => moves.select(across),
            KeyCode::Home => moves.select(isize::MIN),
            KeyCode::End => moves.select(isize::MAX),
            KeyCode::Esc => moves.set_typed(String::new()),
            KeyCode::Backspace => {
                let mut typed = moves.typed.clone();
                typed.pop();
                moves.set_typed(typed);
            }
            KeyCode::Char('u') if moves.typed.is_empty() => return self.press_at_moves(KeyCode::F(3)),
            KeyCode::Char(c) => {
                let typed = format!("{}{c}", moves.typed);
                moves.set_typed(typed);
            }
            KeyCode::F(2) => return self.ask_for("/hint"),
            KeyCode::F(4) => return self.ask_for("/rules"),
            KeyCode::F(3) => {
                self.takes_back = true;
                return self.ask_for("/undo");
            }
            KeyCode::Enter => {
                let line = moves.entered()?;
                // A number is always a choice. After a command the session asks again with the same list.
                if line.starts_with('#') {
                    self.moves = None;
                } else {
                    moves.set_typed(String::new());
                    self.takes_back = matches!(line.trim_start_matches('/'), "undo" | "u");
                }
                return self.ask_for(&line);
            }
            _ => {}
        }
        None
    }

    /// Sends a line that the session answers, or that ends the person's turn.
    fn ask_for(&mut self, line: &str) -> Option<Effect> {
        self.answer.clear();
        (self.is_asked, self.has_asked) = (false, true);
        self.title = match line.trim_start_matches('/') {
            "help" => "Help",
            "rules" => "Rules",
            "hint" | "h" => "Hint",
            _ => "Answer",
        };
        Some(Effect::Send(line.to_owned()))
    }

    /// Shows the keys, and the help of the session if it waits for the person.
    fn help(&mut self) -> Option<Effect> {
        let key = |(key, does): &(&str, &str)| Line::from(format!("{key:<19}{does}"));
        let keys: Vec<Line<'static>> = KEYS.iter().map(key).collect();
        let keys: Vec<_> = self.theme.legend().into_iter().chain([Line::default()]).chain(keys).collect();
        if !self.is_asked {
            return self.show_overlay(Overlay::Text { title: "Keys", lines: keys, top: 0 });
        }
        let effect = self.ask_for("/help");
        self.answer = keys;
        self.answer.push(Line::default());
        effect
    }
}

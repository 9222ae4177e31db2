//! Channels between the session, which has its own thread, and the screen.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use cardsharp_env::Scene;

/// Messages from the session to the screen.
#[derive(Debug)]
pub(in crate::commands::play) enum Told {
    /// A line about an event, or of an answer, as in plain mode.
    Line(String),
    Position(Box<Position>),
    /// The choices of the person.
    Choices(Choices),
    /// The results of a round.
    Results(Results),
    /// The session waits for input from the person.
    Waiting,
}

/// The table as the person sees it.
#[derive(Clone, Debug)]
pub(in crate::commands::play) struct Position {
    /// The person's view; `None` while they sit out.
    pub(in crate::commands::play) scene: Option<Scene>,
    /// Names of the players, by seat.
    pub(in crate::commands::play) names: Vec<String>,
}

/// The choices of the person.
#[derive(Clone, Debug)]
pub(in crate::commands::play) struct Choices {
    /// The kind of decision.
    pub(in crate::commands::play) title: String,
    /// The choices, as the person types them.
    pub(in crate::commands::play) labels: Vec<String>,
    /// Whether each choice belongs to the first part of the list.
    pub(in crate::commands::play) listed: Vec<bool>,
}

/// The headings of [`Results`].
pub(in crate::commands::play) const RESULTS: [&str; 4] = ["place", "player", "points", "total"];

/// The results of a round.
#[derive(Clone, Debug)]
pub(in crate::commands::play) struct Results {
    /// The number of the round.
    pub(in crate::commands::play) round: u32,
    /// A row for each player, by place, with the columns of [`RESULTS`].
    pub(in crate::commands::play) rows: Vec<Vec<String>>,
}

/// The session's end of the channels.
pub(in crate::commands::play) struct Link {
    to: Sender<Told>,
    from: Receiver<String>,
    left: Arc<AtomicBool>,
}

/// The screen's end of the channels.
pub(super) struct Session {
    pub(super) told: Receiver<Told>,
    to: Sender<String>,
    left: Arc<AtomicBool>,
}

/// Connects a session and a screen.
pub(super) fn pair() -> (Link, Session) {
    let ((to_screen, told), (to_session, from)) = (channel(), channel());
    let left = Arc::new(AtomicBool::new(false));
    let link = Link { to: to_screen, from, left: Arc::clone(&left) };
    (link, Session { told, to: to_session, left })
}

impl Link {
    /// Sends a message. If the screen is gone, the session notices that in [`Link::ask`].
    pub(in crate::commands::play) fn tell(&self, told: Told) {
        let _ = self.to.send(told);
    }

    /// Returns the next line of the person; `None` if the screen is gone.
    pub(in crate::commands::play) fn ask(&self) -> Option<String> {
        self.tell(Told::Waiting);
        self.from.recv().ok()
    }

    /// Whether the person has left.
    pub(in crate::commands::play) fn is_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Returns a writer that sends lines to the screen.
    pub(super) fn lines(&self) -> Box<dyn Write + Send> {
        Box::new(Lines { to: self.to.clone(), begun: Vec::new() })
    }
}

impl Session {
    /// Sends a line of the person to the session.
    pub(super) fn say(&self, line: String) {
        // Ignore errors: the session may be over.
        let _ = self.to.send(line);
    }

    /// Ends the session: at once if it waits for the person, otherwise after the bot's current move.
    pub(super) fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
        self.say("/quit".to_owned());
    }
}

/// Sends complete lines to the screen.
struct Lines {
    to: Sender<Told>,
    /// The start of an incomplete line.
    begun: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        while let Some(end) = self.begun.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.begun.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line[..end]).into_owned();
            // Ignore errors, as in [`Link::tell`].
            let _ = self.to.send(Told::Line(text));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

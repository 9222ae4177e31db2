//! Between the session, which goes on in a thread of its own, and the screen that shows it.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use cardsharp_env::Scene;

/// What the session tells the screen.
#[derive(Debug)]
pub(in crate::commands::play) enum Told {
    /// A line of what happened, or of an answer, as plain play would write it.
    Line(String),
    /// Everything stands like this now.
    Position(Box<Position>),
    /// What the person may choose from.
    Choices(Choices),
    /// A round is over.
    Results(Results),
    /// Nothing goes on before the person has said something.
    Waiting,
}

/// What stands on the table.
#[derive(Clone, Debug)]
pub(in crate::commands::play) struct Position {
    /// As the person sees it; none while he sits out.
    pub(in crate::commands::play) scene: Option<Scene>,
    /// What the players are called, by seat.
    pub(in crate::commands::play) names: Vec<String>,
}

/// What the person may choose from.
#[derive(Clone, Debug)]
pub(in crate::commands::play) struct Choices {
    /// What is decided.
    pub(in crate::commands::play) title: String,
    /// The choices, as they are typed.
    pub(in crate::commands::play) labels: Vec<String>,
    /// Which of them come first in the list.
    pub(in crate::commands::play) listed: Vec<bool>,
}

/// What the columns of [`Results`] are called.
pub(in crate::commands::play) const RESULTS: [&str; 4] = ["place", "player", "points", "total"];

/// What a round was worth.
#[derive(Clone, Debug)]
pub(in crate::commands::play) struct Results {
    /// Its number.
    pub(in crate::commands::play) round: u32,
    /// A row for each player, the first one first, in the columns of [`RESULTS`].
    pub(in crate::commands::play) rows: Vec<Vec<String>>,
}

/// The session's end.
pub(in crate::commands::play) struct Link {
    to: Sender<Told>,
    from: Receiver<String>,
    left: Arc<AtomicBool>,
}

/// The screen's end.
pub(super) struct Session {
    pub(super) told: Receiver<Told>,
    to: Sender<String>,
    left: Arc<AtomicBool>,
}

/// Both ends.
pub(super) fn pair() -> (Link, Session) {
    let ((to_screen, told), (to_session, from)) = (channel(), channel());
    let left = Arc::new(AtomicBool::new(false));
    let link = Link { to: to_screen, from, left: Arc::clone(&left) };
    (link, Session { told, to: to_session, left })
}

impl Link {
    /// A screen that has gone needs to hear nothing: the session notices when it asks.
    pub(in crate::commands::play) fn tell(&self, told: Told) {
        let _ = self.to.send(told);
    }

    /// What the person says next; none once the screen has gone.
    pub(in crate::commands::play) fn ask(&self) -> Option<String> {
        self.tell(Told::Waiting);
        self.from.recv().ok()
    }

    /// Whether the person wants to go.
    pub(in crate::commands::play) fn is_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Where lines are written to.
    pub(super) fn lines(&self) -> Box<dyn Write + Send> {
        Box::new(Lines { to: self.to.clone(), begun: Vec::new() })
    }
}

impl Session {
    /// Says something as the person.
    pub(super) fn say(&self, line: String) {
        // A session that is over is asked nothing any more.
        let _ = self.to.send(line);
    }

    /// The person goes: at once where he is asked, else after the move that somebody thinks about.
    pub(super) fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
        self.say("/quit".to_owned());
    }
}

/// Tells the screen whole lines.
struct Lines {
    to: Sender<Told>,
    /// The beginning of a line that is not whole.
    begun: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        while let Some(end) = self.begun.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.begun.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line[..end]).into_owned();
            // As for all that is told.
            let _ = self.to.send(Told::Line(text));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

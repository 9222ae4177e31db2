//! Messages and channels between the session, which has its own thread, and the screen.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};

use cardsharp_env::{Piece, Scene};

/// Messages from the session to the screen.
#[derive(Debug)]
pub enum Message {
    /// A line about an event, or of an answer, as in plain mode. Explanations start with [`EXPLANATION`].
    Line(String),
    Position(Box<TableView>),
    /// The choices of the person.
    Choices(Choices),
    /// The results of a round.
    Results(RoundResults),
    /// The session waits for input from the person.
    Waiting,
}

/// The start of a line that explains the game.
pub const EXPLANATION: &str = "| ";

/// The table as the person sees it.
#[derive(Clone, Debug)]
pub struct TableView {
    /// The person's view; `None` while they sit out.
    pub scene: Option<Scene>,
    /// Names of the players, by seat.
    pub names: Vec<String>,
}

/// The choices of the person.
#[derive(Clone, Debug)]
pub struct Choices {
    /// The kind of decision.
    pub title: String,
    /// The choices, as the person types them.
    pub labels: Vec<String>,
    /// The choices in players' words.
    pub names: Vec<Piece>,
    /// Whether each choice belongs to the first part of the list.
    pub listed: Vec<bool>,
}

/// The headings of [`RoundResults`].
pub const RESULTS: [&str; 4] = ["place", "player", "points", "total"];

/// The results of a round.
#[derive(Clone, Debug)]
pub struct RoundResults {
    /// The number of the round.
    pub round: u32,
    /// A row for each player, by place, with the columns of [`RESULTS`].
    pub rows: Vec<Vec<String>>,
}

/// The session's link to the screen.
pub struct ScreenLink {
    to: Sender<Message>,
    from: Receiver<String>,
    left: Arc<AtomicBool>,
}

/// The screen's link to the session.
pub(crate) struct SessionLink {
    from: Receiver<Message>,
    to: Sender<String>,
    left: Arc<AtomicBool>,
}

/// Connects a session and a screen.
pub(crate) fn pair() -> (ScreenLink, SessionLink) {
    let ((to_screen, from_session), (to_session, from_screen)) = (channel(), channel());
    let left = Arc::new(AtomicBool::new(false));
    let screen = ScreenLink { to: to_screen, from: from_screen, left: Arc::clone(&left) };
    (screen, SessionLink { from: from_session, to: to_session, left })
}

impl ScreenLink {
    /// Sends a message. If the screen is gone, the session notices that in [`ScreenLink::next_line`].
    pub fn send(&self, message: Message) {
        let _ = self.to.send(message);
    }

    /// Returns the next line of the person; `None` if the screen is gone.
    pub fn next_line(&self) -> Option<String> {
        self.send(Message::Waiting);
        self.from.recv().ok()
    }

    /// Whether the person has left.
    pub fn has_left(&self) -> bool {
        self.left.load(Ordering::Relaxed)
    }

    /// Returns a writer that sends each line as a [`Message::Line`].
    pub fn lines(&self) -> Box<dyn Write + Send> {
        Box::new(Lines { to: self.to.clone(), line: Vec::new() })
    }
}

impl SessionLink {
    /// Returns the next message; `None` if there is none yet.
    ///
    /// # Errors
    /// The session is over.
    pub(crate) fn next_message(&self) -> Result<Option<Message>, SessionOver> {
        match self.from.try_recv() {
            Ok(message) => Ok(Some(message)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(SessionOver),
        }
    }

    /// Sends a line of the person to the session.
    pub(crate) fn send(&self, line: String) {
        // Ignore errors: the session may be over.
        let _ = self.to.send(line);
    }

    /// Ends the session: at once if it waits for the person, otherwise after the bot's current move.
    pub(crate) fn leave(&self) {
        self.left.store(true, Ordering::Relaxed);
        self.send("/quit".to_owned());
    }
}

/// The session is over, so no more messages come.
#[derive(Debug)]
pub(crate) struct SessionOver;

/// Sends complete lines to the screen.
struct Lines {
    to: Sender<Message>,
    /// The start of an incomplete line.
    line: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        while let Some(end) = self.line.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            let text = String::from_utf8_lossy(&line[..end]).into_owned();
            // Ignore errors, as in [`ScreenLink::send`].
            let _ = self.to.send(Message::Line(text));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

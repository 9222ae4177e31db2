//! Runs a session and its screen, until the session is over or the person leaves.

use std::io;
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::Event;

use crate::draw::draw;
use crate::keys::Effect;
use crate::messages::{ScreenLink, SessionLink, pair};
use crate::state::Screen;
use crate::terminal::{JobControl, Suspend, next_event};

/// Time between two updates without a key press.
const FRAME: Duration = Duration::from_millis(40);

/// Why the screen cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum ScreenError {
    /// The terminal cannot be written.
    #[error("cannot write to the terminal: {0}")]
    Write(io::Error),
    /// The terminal cannot be read.
    #[error("cannot read the terminal: {0}")]
    Read(io::Error),
    /// The system does not allow signal handlers.
    #[error("cannot catch signals: {0}")]
    Signals(io::Error),
}

/// Runs `session` on its own thread, and shows it on the screen until `stop` is set, the session is over or the person
/// leaves. Returns the result of the session.
///
/// # Errors
/// The terminal cannot be used. The session has ended in any case.
pub fn run<R: Send>(
    screen: &mut Screen,
    stop: &AtomicBool,
    job: JobControl,
    session: impl FnOnce(ScreenLink) -> R + Send,
) -> Result<R, ScreenError> {
    let suspend = Suspend::catch(job).map_err(ScreenError::Signals)?;
    let (to_screen, to_session) = pair();
    // Never dropped: if the terminal is gone, the destructor would print an error.
    let mut terminal = ManuallyDrop::new(ratatui::try_init().map_err(ScreenError::Write)?);
    let has_panicked = note_panics();
    thread::scope(|scope| {
        let played = scope.spawn(move || session(to_screen));
        // Moved here, so that the session ends even if the screen panics.
        let to_session = to_session;
        let shown = show(&mut terminal, screen, &to_session, &suspend, [stop, &has_panicked]);
        suspend.end();
        to_session.leave();
        // Ignore errors: the terminal may be gone. `ratatui::restore` would print them, which panics without a
        // terminal.
        let _ = terminal.show_cursor();
        let _ = ratatui::try_restore();
        let ended = played.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked));
        shown.map(|()| ended)
    })
}

/// Returns a flag that a panic sets. After a panic has restored the terminal, nothing may be drawn.
fn note_panics() -> Arc<AtomicBool> {
    let has_panicked = Arc::new(AtomicBool::new(false));
    let (noted, hook) = (Arc::clone(&has_panicked), panic::take_hook());
    panic::set_hook(Box::new(move |info| {
        noted.store(true, Ordering::SeqCst);
        hook(info);
    }));
    has_panicked
}

/// Draws the screen and handles keys, until one of the flags in `stops` is set or the person leaves.
fn show(
    terminal: &mut DefaultTerminal,
    screen: &mut Screen,
    session: &SessionLink,
    suspend: &Suspend,
    stops: [&AtomicBool; 2],
) -> Result<(), ScreenError> {
    screen.size = terminal.size().map_err(ScreenError::Write)?;
    let mut has_changed = true;
    loop {
        has_changed |= screen.receive(session, Instant::now());
        if stops.iter().any(|stop| stop.load(Ordering::SeqCst)) {
            return Ok(());
        }
        has_changed |= suspend.follow(terminal).map_err(ScreenError::Write)?;
        let size = terminal.size().map_err(ScreenError::Write)?;
        if std::mem::take(&mut has_changed) || size != screen.size {
            screen.size = size;
            terminal.draw(|frame| draw(frame, screen)).map_err(ScreenError::Write)?;
        }
        let mut wait = FRAME;
        while let Some(event) = next_event(wait).map_err(ScreenError::Read)? {
            (wait, has_changed) = (Duration::ZERO, true);
            let Event::Key(key) = event else { continue };
            match screen.press(key) {
                None => {}
                Some(Effect::Send(line)) => session.send(line),
                Some(Effect::Leave) => return Ok(()),
                Some(Effect::Suspend) => suspend.ask().map_err(ScreenError::Write)?,
            }
            // Show an answer that is already there before reading the next key.
            screen.receive(session, Instant::now());
        }
    }
}

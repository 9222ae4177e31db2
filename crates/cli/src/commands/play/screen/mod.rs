//! The full screen: the table, the events, and the moves to choose from.
//!
//! The session has its own thread, runs the same code as in plain mode, and sends messages to the screen. Keys become
//! the lines that the person would have typed. So the screen reacts to keys while a bot thinks, and both modes play the
//! same session.

mod draw;
mod keyboard;
mod keys;
mod link;
mod log;
mod moves;
mod places;
mod state;
mod styles;
mod suspend;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};
use std::mem::ManuallyDrop;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cardsharp_env::AnyTable;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::Event;

use super::company::Company;
use super::lessons::Lessons;
use super::parlour::{Asked, Parlour};
use super::recording::Recording;
use crate::error::CliError;
use crate::input::InputError;
use crate::output::Output;
use crate::signals::Signals;
use crate::tables;
use crate::terminal::Stream;
use keys::Deed;
pub(super) use link::{Choices, Link, Position, RESULTS, Results, Told};
use link::{Session, pair};
use state::Over;
pub(super) use state::Screen;
use suspend::Suspend;

/// Time between two updates without a key press.
const FRAME: Duration = Duration::from_millis(40);

/// Whether standard output is a terminal that can be drawn on, and standard input is a terminal.
pub(super) fn is_possible() -> bool {
    Stream::Out.is_drawable() && io::stdin().is_terminal()
}

/// Plays a session on the screen until it is over or the person leaves.
pub(super) fn play(
    out: &mut Output,
    mut screen: Screen,
    table: Box<dyn AnyTable>,
    company: Company,
    lessons: Lessons,
    recording: Option<Recording>,
) -> Result<(), CliError> {
    let signals = Signals::catch()?;
    let suspend = Suspend::catch()?;
    let (link, session) = pair();
    let mut lines = Output::text_to(link.lines(), out.colour);
    // Never dropped: if the terminal is gone, the destructor would print an error.
    let mut terminal = ManuallyDrop::new(ratatui::try_init().map_err(CliError::from_stdout)?);
    let broken = note_panics();
    let (shown, ended) = thread::scope(|scope| {
        let played = scope.spawn(move || {
            Parlour::new(&mut lines, table, company, lessons, recording, Asked::Screen(link)).run()
        });
        // Moved here, so that the session ends even if the screen panics.
        let session = session;
        let shown = show(&mut terminal, &mut screen, &session, (&signals, &suspend), &broken);
        suspend.end();
        session.leave();
        // Ignore errors: the terminal may be gone. `ratatui::restore` would print them, which panics without a
        // terminal.
        let _ = terminal.show_cursor();
        let _ = ratatui::try_restore();
        (shown, played.join().unwrap_or_else(|panicked| panic::resume_unwind(panicked)))
    });
    if signals.stop().load(Ordering::Relaxed) {
        return Err(signals.interrupted());
    }
    shown?;
    ended?;
    last_words(out, &screen)
}

/// Prints the lines that stay in the terminal after the screen has closed.
fn last_words(out: &mut Output, screen: &Screen) -> Result<(), CliError> {
    out.line(out.bold(&screen.head))?;
    if let Some(results) = &screen.results {
        out.line(tables::table(&RESULTS, &[0, 2, 3], results.rows.clone()))?;
    }
    match screen.over {
        Over::End => out.line(&screen.last),
        _ => out.line("You left the table."),
    }
}

/// Returns a flag that a panic sets. After a panic has restored the terminal, nothing may be drawn.
fn note_panics() -> Arc<AtomicBool> {
    let broken = Arc::new(AtomicBool::new(false));
    let (noted, hook) = (Arc::clone(&broken), panic::take_hook());
    panic::set_hook(Box::new(move |info| {
        noted.store(true, Ordering::SeqCst);
        hook(info);
    }));
    broken
}

fn unread(source: io::Error) -> CliError {
    InputError::Read { name: "the terminal".to_owned(), source }.into()
}

/// Draws the screen and handles keys.
fn show(
    terminal: &mut DefaultTerminal,
    screen: &mut Screen,
    session: &Session,
    (signals, suspend): (&Signals, &Suspend),
    broken: &AtomicBool,
) -> Result<(), CliError> {
    screen.size = terminal.size().map_err(CliError::from_stdout)?;
    let mut has_changed = true;
    loop {
        has_changed |= screen.hear(session, Instant::now());
        if broken.load(Ordering::SeqCst) || signals.stop().load(Ordering::Relaxed) {
            return Ok(());
        }
        has_changed |= suspend.follow(terminal).map_err(CliError::from_stdout)?;
        let size = terminal.size().map_err(CliError::from_stdout)?;
        if std::mem::take(&mut has_changed) || size != screen.size {
            screen.size = size;
            terminal.draw(|frame| draw::draw(frame, screen)).map_err(CliError::from_stdout)?;
        }
        let mut wait = FRAME;
        while let Some(event) = keyboard::next(wait).map_err(unread)? {
            (wait, has_changed) = (Duration::ZERO, true);
            let Event::Key(key) = event else { continue };
            match screen.press(key) {
                None => {}
                Some(Deed::Say(line)) => session.say(line),
                Some(Deed::Leave) => return Ok(()),
                Some(Deed::Suspend) => suspend.ask().map_err(CliError::from_stdout)?,
            }
            // Show an answer that is already there before reading the next key.
            screen.hear(session, Instant::now());
        }
    }
}

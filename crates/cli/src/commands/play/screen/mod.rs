//! The whole terminal as a table: what stands where, what happened, and the moves to choose from.
//!
//! The session goes on in a thread of its own, by the same code as in plain lines, and tells what happens; the person's keys
//! become the lines that he would have typed. So a bot that thinks holds up no key, and both ways play the same session.

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

/// How long the screen stands still when nobody presses a key.
const FRAME: Duration = Duration::from_millis(40);

/// Whether there is a terminal that can be drawn on: both ends, and it says what it is.
pub(super) fn is_possible() -> bool {
    Stream::Out.is_drawable() && io::stdin().is_terminal()
}

/// Plays the session on the screen until it is over or the person leaves.
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
    // It is not dropped, which would complain, too.
    let mut terminal = ManuallyDrop::new(ratatui::try_init().map_err(CliError::from_stdout)?);
    let broken = note_panics();
    let (shown, ended) = thread::scope(|scope| {
        let played = scope.spawn(move || {
            Parlour::new(&mut lines, table, company, lessons, recording, Asked::Screen(link)).run()
        });
        // Here, so that the session ends even when the screen panics.
        let session = session;
        let shown = show(&mut terminal, &mut screen, &session, (&signals, &suspend), &broken);
        suspend.end();
        session.leave();
        // A terminal that has gone takes nothing back; what would tell it so panics.
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

/// What stays in the terminal after the screen has gone.
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

/// Nothing may be drawn once a panic has given the terminal back.
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

/// Draws and listens to keys.
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
            // What was said may be answered before the next key is read.
            screen.hear(session, Instant::now());
        }
    }
}

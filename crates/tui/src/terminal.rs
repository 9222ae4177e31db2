//! The terminal: its events, and Ctrl-Z.
//!
//! While the program is suspended, the shell gets its terminal back. After `fg` the screen is drawn again.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};

#[cfg(unix)]
pub(crate) use unix::Suspend;

#[cfg(not(unix))]
pub(crate) use without_jobs::Suspend;

/// How a shell started the process.
#[derive(Copy, Clone, Debug, Default)]
pub struct JobControl {
    /// Whether the program was started with the signal TSTP ignored.
    pub ignores_suspend: bool,
    /// Whether the process is the first one of its session, which no shell could continue.
    pub leads_session: bool,
}

/// Returns the next event of the terminal; `None` if there is none within `wait`.
///
/// # Errors
/// The terminal is gone, or cannot be read.
pub(crate) fn next_event(wait: Duration) -> io::Result<Option<Event>> {
    // crossterm reads nothing if the time is zero.
    const AT_ONCE: Duration = Duration::from_millis(1);
    // crossterm does not report that the terminal is gone.
    has_input(Duration::ZERO)?;
    if event::poll(AT_ONCE)? || has_input(wait)? && event::poll(AT_ONCE)? {
        return event::read().map(Some);
    }
    Ok(None)
}

/// Whether there is input within `wait`.
#[cfg(unix)]
fn has_input(wait: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = io::stdin();
    let mut input = [PollFd::new(&input, PollFlags::IN)];
    let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
    match poll(&mut input, Some(&wait)) {
        // The caller handles signals and changes of the size.
        Err(rustix::io::Errno::INTR) => return Ok(false),
        polled => polled?,
    };
    let found = input[0].revents();
    if found.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it has hung up"));
    }
    Ok(found.contains(PollFlags::IN))
}

/// Whether there is input within `wait`. A console reports its end as an error of `poll`.
#[cfg(not(unix))]
fn has_input(wait: Duration) -> io::Result<bool> {
    event::poll(wait)
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use ratatui::DefaultTerminal;
    use ratatui::crossterm::execute;
    use ratatui::crossterm::terminal::{EnterAlternateScreen, disable_raw_mode, enable_raw_mode};
    use ratatui::layout::Rect;
    use rustix::process::{Signal, kill_current_process_group};
    use signal_hook::consts::{SIGCONT, SIGTSTP};
    use signal_hook::{flag, low_level};

    use crate::terminal::JobControl;

    /// Requests by the signals of job control.
    pub(crate) struct Suspend {
        job: JobControl,
        stop: Arc<AtomicBool>,
        continued: Arc<AtomicBool>,
        /// Set when the screen is closed. From then on the signal has its default effect.
        closed: Arc<AtomicBool>,
    }

    impl Suspend {
        /// Catches the signals from now on.
        ///
        /// # Errors
        /// The system does not allow signal handlers.
        pub(crate) fn catch(job: JobControl) -> io::Result<Self> {
            let new = Self { job, stop: Arc::default(), continued: Arc::default(), closed: Arc::default() };
            if !job.ignores_suspend {
                flag::register_conditional_default(SIGTSTP, Arc::clone(&new.closed))?;
                flag::register(SIGTSTP, Arc::clone(&new.stop))?;
            }
            flag::register(SIGCONT, Arc::clone(&new.continued))?;
            Ok(new)
        }

        /// Suspends all programs of the job, like a terminal that handles Ctrl-Z itself. The first program of a session
        /// is not suspended, because no shell could continue it.
        pub(crate) fn ask(&self) -> io::Result<()> {
            if self.job.leads_session {
                return Ok(());
            }
            kill_current_process_group(Signal::TSTP).map_err(io::Error::from)
        }

        /// Suspends the program if that was requested. Takes the terminal back if the program was continued. Returns
        /// whether the screen must be drawn again.
        pub(crate) fn follow(&self, terminal: &mut DefaultTerminal) -> io::Result<bool> {
            if self.stop.swap(false, Ordering::SeqCst) {
                terminal.show_cursor()?;
                ratatui::try_restore()?;
                low_level::emulate_default_handler(SIGTSTP)?;
                self.continued.store(true, Ordering::SeqCst);
            }
            if !self.continued.swap(false, Ordering::SeqCst) {
                return Ok(false);
            }
            // Shells change the modes of the terminal while the program is suspended.
            disable_raw_mode()?;
            enable_raw_mode()?;
            execute!(io::stdout(), EnterAlternateScreen)?;
            terminal.hide_cursor()?;
            // `Terminal::clear` waits for an answer of the terminal, and a key press could delay it.
            let size = terminal.size()?;
            terminal.resize(Rect::new(0, 0, size.width, size.height))?;
            Ok(true)
        }

        /// Restores the default effect of the signal, because the screen is closed.
        pub(crate) fn end(&self) {
            self.closed.store(true, Ordering::SeqCst);
        }
    }
}

#[cfg(not(unix))]
mod without_jobs {
    use std::io;

    use ratatui::DefaultTerminal;

    use crate::terminal::JobControl;

    /// A system without job control.
    pub(crate) struct Suspend;

    impl Suspend {
        pub(crate) fn catch(_: JobControl) -> io::Result<Self> {
            Ok(Self)
        }

        pub(crate) fn ask(&self) -> io::Result<()> {
            Ok(())
        }

        pub(crate) fn follow(&self, _: &mut DefaultTerminal) -> io::Result<bool> {
            Ok(false)
        }

        pub(crate) fn end(&self) {}
    }
}

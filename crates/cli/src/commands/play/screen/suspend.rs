//! Ctrl-Z and `fg`: the shell gets its terminal back while the program is suspended. Then the screen is drawn again.

#[cfg(unix)]
pub(super) use unix::Suspend;

#[cfg(not(unix))]
pub(super) use elsewhere::Suspend;

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

    use crate::error::CliError;
    use crate::signals::ending::ignored;
    #[cfg(target_os = "linux")]
    use crate::signals::ending::status;

    /// Requests by the signals of job control.
    pub(in super::super) struct Suspend {
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
        pub(in super::super) fn catch() -> Result<Self, CliError> {
            let new = Self { stop: Arc::default(), continued: Arc::default(), closed: Arc::default() };
            if !ignored(SIGTSTP) {
                flag::register_conditional_default(SIGTSTP, Arc::clone(&new.closed))
                    .and_then(|_| flag::register(SIGTSTP, Arc::clone(&new.stop)))
                    .map_err(CliError::Signals)?;
            }
            flag::register(SIGCONT, Arc::clone(&new.continued)).map_err(CliError::Signals)?;
            Ok(new)
        }

        /// Suspends all programs of the job, like a terminal that handles Ctrl-Z itself. The first program of a session
        /// is not suspended, because no shell could continue it.
        pub(in super::super) fn ask(&self) -> io::Result<()> {
            if leads_its_session() {
                return Ok(());
            }
            kill_current_process_group(Signal::TSTP).map_err(io::Error::from)
        }

        /// Suspends the program if that was requested. Takes the terminal back if the program was continued. Returns
        /// whether the screen must be drawn again.
        pub(in super::super) fn follow(&self, terminal: &mut DefaultTerminal) -> io::Result<bool> {
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
        pub(in super::super) fn end(&self) {
            self.closed.store(true, Ordering::SeqCst);
        }
    }

    /// Whether this is the first program of its session.
    #[cfg(target_os = "linux")]
    fn leads_its_session() -> bool {
        // Not `getsid` of rustix: in a container it returns 0 if the session began outside, and rustix treats 0 as
        // impossible.
        let own = |name| status(name).and_then(|ids| ids.split_whitespace().next_back()?.parse::<u32>().ok());
        own("NSsid").is_some_and(|session| own("NSpid") == Some(session))
    }

    /// Whether this is the first program of its session.
    #[cfg(not(target_os = "linux"))]
    fn leads_its_session() -> bool {
        use rustix::process::{getpid, getsid};
        getsid(None).is_ok_and(|session| session == getpid())
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io;

    use ratatui::DefaultTerminal;

    use crate::error::CliError;

    /// A system without job control.
    pub(in super::super) struct Suspend;

    impl Suspend {
        pub(in super::super) fn catch() -> Result<Self, CliError> {
            Ok(Self)
        }

        pub(in super::super) fn ask(&self) -> io::Result<()> {
            Ok(())
        }

        pub(in super::super) fn follow(&self, _: &mut DefaultTerminal) -> io::Result<bool> {
            Ok(false)
        }

        pub(in super::super) fn end(&self) {}
    }
}

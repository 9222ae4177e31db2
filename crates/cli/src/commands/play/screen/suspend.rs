//! Ctrl-Z and `fg`: the shell has its terminal while the program is suspended, and the screen is drawn anew afterwards.

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

    /// What the signals of job control have asked for.
    pub(in super::super) struct Suspend {
        stop: Arc<AtomicBool>,
        continued: Arc<AtomicBool>,
        /// Set once the screen is closed: from then on the signal does what it does to any program.
        closed: Arc<AtomicBool>,
    }

    impl Suspend {
        /// Catches the signals from here on.
        ///
        /// # Errors
        /// The system does not let them be caught.
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

        /// Suspends all programs of the job, as the terminal does where it handles Ctrl-Z itself. The first program of a session
        /// has no shell that could continue it, so it is not suspended.
        pub(in super::super) fn ask(&self) -> io::Result<()> {
            if leads_its_session() {
                return Ok(());
            }
            kill_current_process_group(Signal::TSTP).map_err(io::Error::from)
        }

        /// Suspends the program where that was asked for, and takes the terminal again where the program was continued: whether the
        /// screen must be drawn anew.
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
            // Shells change the modes of a terminal while another program has it.
            disable_raw_mode()?;
            enable_raw_mode()?;
            execute!(io::stdout(), EnterAlternateScreen)?;
            terminal.hide_cursor()?;
            // `Terminal::clear` waits for an answer of the terminal, which a key could delay.
            let size = terminal.size()?;
            terminal.resize(Rect::new(0, 0, size.width, size.height))?;
            Ok(true)
        }

        /// The screen is closed.
        pub(in super::super) fn end(&self) {
            self.closed.store(true, Ordering::SeqCst);
        }
    }

    /// Whether this is the first program of its session.
    #[cfg(target_os = "linux")]
    fn leads_its_session() -> bool {
        // Not `getsid` of rustix: in a container it is 0 when the session began outside, and rustix takes that for impossible.
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

    /// There is no job control.
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

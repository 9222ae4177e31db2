//! Signals: they end the program and remove its temporary files, or ask a command to stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use cardsharp_tui::JobControl;
#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::CliError;

pub(crate) struct Signals {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Signals {
    /// Catches signals from now on. The first one asks to stop, and a second one ends the program at once. A closed
    /// terminal only asks to stop: a shell that ends sends the same signal again.
    ///
    /// # Errors
    /// The system does not allow signal handlers.
    pub(crate) fn catch() -> Result<Self, CliError> {
        let signals = Self::catch_for_server()?;
        #[cfg(unix)]
        if !ending::ignored(SIGHUP) {
            signals.note(SIGHUP)?;
            ending::STAYS.store(true, Ordering::SeqCst);
        }
        Ok(signals)
    }

    /// Like [`Signals::catch`], for a server, which ends when its terminal closes.
    ///
    /// # Errors
    /// The system does not allow signal handlers.
    pub(crate) fn catch_for_server() -> Result<Self, CliError> {
        let signals = Self { stop: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            ending::at_the_second(signal, &signals.stop).map_err(CliError::Signals)?;
            signals.note(signal)?;
        }
        ending::STOPS.store(true, Ordering::SeqCst);
        Ok(signals)
    }

    /// Stores the signal before it sets the flag, so that its number is known once the flag is set.
    fn note(&self, signal: i32) -> Result<(), CliError> {
        flag::register_usize(signal, Arc::clone(&self.signal), signal as usize).map_err(CliError::Signals)?;
        flag::register(signal, Arc::clone(&self.stop)).map_err(CliError::Signals)?;
        Ok(())
    }

    /// Returns the flag that a signal sets.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// Returns the flag that a signal sets, for another thread.
    #[cfg(feature = "serve")]
    pub(crate) fn into_stop(self) -> Arc<AtomicBool> {
        self.stop
    }

    pub(crate) fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the error to exit with after a signal.
    pub(crate) fn interrupted(&self) -> CliError {
        CliError::Interrupted { signal: self.signal.load(Ordering::Relaxed) }
    }
}

/// Returns what the full screen must know about the job of this process.
#[cfg(unix)]
pub(crate) fn job_control() -> JobControl {
    let ignores_suspend = ending::ignored(signal_hook::consts::SIGTSTP);
    JobControl { ignores_suspend, leads_session: ending::leads_session() }
}

/// Returns what the full screen must know about the job of this process: only Unix has jobs.
#[cfg(not(unix))]
pub(crate) fn job_control() -> JobControl {
    JobControl::default()
}

/// Prepares the program for signals. A signal that ends it removes its temporary files first. A write beyond the limit
/// of `ulimit -f` fails as on a full disk, instead of ending the program.
///
/// # Errors
/// The system does not allow signal handlers.
#[cfg(unix)]
pub(crate) fn prepare() -> Result<(), CliError> {
    // With a handler, even one whose flag is never read, the write returns an error. Programs that this one starts do not
    // inherit the handler.
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(CliError::Signals)?;
    ending::watch().map_err(CliError::Signals)
}

/// Does nothing: only Unix needs preparation.
#[cfg(not(unix))]
pub(crate) fn prepare() -> Result<(), CliError> {
    Ok(())
}

/// How signals end the program.
mod ending {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    #[cfg(unix)]
    use std::{mem, sync::OnceLock, sync::atomic::Ordering, thread};

    #[cfg(unix)]
    use cardsharp_bot::disk;
    use signal_hook::flag;
    #[cfg(unix)]
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::{Handle, Signals},
        low_level,
    };

    /// Whether the command stops without help after the first INT or TERM.
    pub(super) static STOPS: AtomicBool = AtomicBool::new(false);
    /// Whether the command stops without help after any number of HUP.
    #[cfg(unix)]
    pub(super) static STAYS: AtomicBool = AtomicBool::new(false);

    /// The signals that [`watch`] waits for.
    #[cfg(unix)]
    static WATCHED: OnceLock<Handle> = OnceLock::new();

    /// Makes the second signal end the program.
    pub(super) fn at_the_second(signal: i32, stop: &Arc<AtomicBool>) -> io::Result<()> {
        #[cfg(unix)]
        if let Some(watched) = WATCHED.get() {
            return watched.add_signal(signal);
        }
        // Register this before the flag, so that the first signal does not see its own effect.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(stop)).map(|_| ())
    }

    /// Starts a thread that waits for signals that end the program. Signals that were ignored from the start, for
    /// example by `nohup`, stay ignored.
    #[cfg(unix)]
    pub(super) fn watch() -> io::Result<()> {
        let mut signals =
            Signals::new([SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !ignored(signal)))?;
        let _ = WATCHED.set(signals.handle());
        let end = move || {
            let mut asked = false;
            for signal in signals.forever() {
                let stops = signal != SIGHUP && STOPS.load(Ordering::SeqCst);
                let by_itself = stops && !mem::replace(&mut asked, true);
                if by_itself || signal == SIGHUP && STAYS.load(Ordering::SeqCst) {
                    continue;
                }
                let _abandoned = disk::abandon();
                if stops {
                    low_level::exit(128 + signal);
                }
                // This does not return, because these signals end a program by default.
                let _ = low_level::emulate_default_handler(signal);
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(end).map(|_| ())
    }

    /// Whether the program was started with this signal ignored, for example by `nohup`. Only Linux can tell.
    #[cfg(unix)]
    pub(super) fn ignored(signal: i32) -> bool {
        let mask = status("SigIgn").and_then(|mask| u64::from_str_radix(&mask, 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// Whether this is the first process of its session.
    #[cfg(target_os = "linux")]
    pub(super) fn leads_session() -> bool {
        // Not `getsid` of rustix: in a container it returns 0 if the session began outside, and rustix treats 0 as
        // impossible.
        let own = |name| status(name).and_then(|ids| ids.split_whitespace().next_back()?.parse::<u32>().ok());
        own("NSsid").is_some_and(|session| own("NSpid") == Some(session))
    }

    /// Whether this is the first process of its session.
    #[cfg(all(unix, not(target_os = "linux")))]
    pub(super) fn leads_session() -> bool {
        use rustix::process::{getpid, getsid};
        getsid(None).is_ok_and(|session| session == getpid())
    }

    /// Returns a field of this process's status on Linux; `None` elsewhere.
    #[cfg(unix)]
    fn status(name: &str) -> Option<String> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(value.trim().to_owned())
    }
}

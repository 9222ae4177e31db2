//! Signals: they end the program without its temporary files, or ask a command to stop where it can.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[cfg(unix)]
use signal_hook::consts::SIGHUP;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::CliError;

/// What signals have asked for so far.
pub(crate) struct Signals {
    stop: Arc<AtomicBool>,
    /// The last one.
    signal: Arc<AtomicUsize>,
}

impl Signals {
    /// From here on the first signal asks to stop; a second one ends the program at once. A closed terminal
    /// only ever asks, because a shell that ends passes on what the terminal has said already.
    ///
    /// # Errors
    /// The system does not let signals be caught.
    pub(crate) fn catch() -> Result<Self, CliError> {
        let signals = Self::catch_for_server()?;
        #[cfg(unix)]
        if !ending::ignored(SIGHUP) {
            signals.note(SIGHUP)?;
            ending::STAYS.store(true, Ordering::SeqCst);
        }
        Ok(signals)
    }

    /// As [`Signals::catch`], for a server, which ends with its terminal.
    ///
    /// # Errors
    /// As there.
    pub(crate) fn catch_for_server() -> Result<Self, CliError> {
        let signals = Self { stop: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            ending::at_the_second(signal, &signals.stop).map_err(CliError::Signals)?;
            signals.note(signal)?;
        }
        ending::STOPS.store(true, Ordering::SeqCst);
        Ok(signals)
    }

    /// Which one it was must be known as soon as there was one.
    fn note(&self, signal: i32) -> Result<(), CliError> {
        flag::register_usize(signal, Arc::clone(&self.signal), signal as usize).map_err(CliError::Signals)?;
        flag::register(signal, Arc::clone(&self.stop)).map_err(CliError::Signals)?;
        Ok(())
    }

    /// Set once there was a signal.
    pub(crate) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The same, for another thread.
    #[cfg(feature = "serve")]
    pub(crate) fn into_stop(self) -> Arc<AtomicBool> {
        self.stop
    }

    /// Whether there was a signal.
    #[cfg(feature = "train")]
    pub(crate) fn is_set(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How the program ends if there was one.
    pub(crate) fn interrupted(&self) -> CliError {
        CliError::Interrupted { signal: self.signal.load(Ordering::Relaxed) }
    }
}

/// Prepares the program for signals. A signal that ends it removes its temporary files first. A write beyond the limit of
/// `ulimit -f` fails as on a full disk, instead of ending the program.
///
/// # Errors
/// The system does not let signals be caught.
#[cfg(unix)]
pub(crate) fn prepare() -> Result<(), CliError> {
    // With a handler, even one whose flag is never read, the write returns an error. Programs that this one starts do not
    // inherit the handler.
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default()).map_err(CliError::Signals)?;
    ending::watch().map_err(CliError::Signals)
}

/// Elsewhere there is nothing to prepare.
#[cfg(not(unix))]
pub(crate) fn prepare() -> Result<(), CliError> {
    Ok(())
}

/// How signals end the program.
pub(crate) mod ending {
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

    /// A command stops by itself after the first INT or TERM.
    pub(super) static STOPS: AtomicBool = AtomicBool::new(false);
    /// A command stops by itself after a HUP, however many come.
    #[cfg(unix)]
    pub(super) static STAYS: AtomicBool = AtomicBool::new(false);

    /// The signals that [`watch`] waits for.
    #[cfg(unix)]
    static WATCHED: OnceLock<Handle> = OnceLock::new();

    /// Lets the second signal end the program.
    pub(super) fn at_the_second(signal: i32, stop: &Arc<AtomicBool>) -> io::Result<()> {
        #[cfg(unix)]
        if let Some(watched) = WATCHED.get() {
            return watched.add_signal(signal);
        }
        // Before the flag: what the first signal sets must not yet be seen by the first.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(stop)).map(|_| ())
    }

    /// Waits in a thread for signals that end the program. What is ignored from the start, as by `nohup`, stays ignored.
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
                // It does not return: these signals end a program by default.
                let _ = low_level::emulate_default_handler(signal);
            }
        };
        thread::Builder::new().name("signals".to_owned()).spawn(end).map(|_| ())
    }

    /// Whether the program was started to ignore this signal, as by `nohup`. Only Linux says so.
    #[cfg(unix)]
    pub(crate) fn ignored(signal: i32) -> bool {
        let mask = status("SigIgn").and_then(|mask| u64::from_str_radix(&mask, 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    /// What Linux says of this process under a name; nothing elsewhere.
    #[cfg(unix)]
    pub(crate) fn status(name: &str) -> Option<String> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let value = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        Some(value.trim().to_owned())
    }
}

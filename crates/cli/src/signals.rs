//! Signals that ask a command to stop where it can.

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
        let signals = Self { stop: Arc::default(), signal: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // In this order: what the first signal sets must not yet be seen by the first.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&signals.stop))
                .map_err(CliError::Signals)?;
            signals.note(signal)?;
        }
        #[cfg(unix)]
        if !ignored(SIGHUP) {
            signals.note(SIGHUP)?;
        }
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

/// Whether the program was started to ignore this signal, as by `nohup`. Only Linux says so.
#[cfg(unix)]
pub(crate) fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

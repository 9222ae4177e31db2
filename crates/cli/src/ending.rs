//! Servers that go on until a signal ends them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::error::CliError;

/// The flag that the first INT or TERM sets from here on; a second one ends the program at once.
///
/// # Errors
/// The system does not let signals be caught.
pub(crate) fn by_signal() -> Result<Arc<AtomicBool>, CliError> {
    let stop = Arc::default();
    for signal in [SIGINT, SIGTERM] {
        // In this order: what the first signal sets must not yet be seen by the first.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))
            .map_err(CliError::Signals)?;
        flag::register(signal, Arc::clone(&stop)).map_err(CliError::Signals)?;
    }
    Ok(stop)
}

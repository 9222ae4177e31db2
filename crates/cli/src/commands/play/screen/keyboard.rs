//! Events of the terminal, and whether it is still there.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};

/// The next event of the terminal; none if nothing comes for so long.
///
/// # Errors
/// The terminal is gone, or cannot be read.
pub(super) fn next(wait: Duration) -> io::Result<Option<Event>> {
    // What was read already waits in crossterm. It would look for more without an end at a terminal that has hung up.
    is_there(Duration::ZERO)?;
    if event::poll(Duration::ZERO)? || is_there(wait)? && event::poll(Duration::ZERO)? {
        return event::read().map(Some);
    }
    Ok(None)
}

/// Whether there is something to read before so long.
#[cfg(unix)]
fn is_there(wait: Duration) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = io::stdin();
    let mut input = [PollFd::new(&input, PollFlags::IN)];
    let wait = Timespec::try_from(wait).map_err(io::Error::other)?;
    match poll(&mut input, Some(&wait)) {
        // A signal, or another size: whoever asks looks at those.
        Err(rustix::io::Errno::INTR) => return Ok(false),
        polled => polled?,
    };
    let found = input[0].revents();
    if found.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
        return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it has hung up"));
    }
    Ok(found.contains(PollFlags::IN))
}

/// A console tells of its end by itself.
#[cfg(not(unix))]
fn is_there(wait: Duration) -> io::Result<bool> {
    event::poll(wait)
}

//! Events of the terminal, and a check that it still exists.

use std::io;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event};

/// Returns the next event of the terminal; `None` if there is none within `wait`.
///
/// # Errors
/// The terminal is gone, or cannot be read.
pub(super) fn next(wait: Duration) -> io::Result<Option<Event>> {
    // crossterm reads nothing if the time is zero.
    const AT_ONCE: Duration = Duration::from_millis(1);
    // crossterm does not report that the terminal is gone.
    is_there(Duration::ZERO)?;
    if event::poll(AT_ONCE)? || is_there(wait)? && event::poll(AT_ONCE)? {
        return event::read().map(Some);
    }
    Ok(None)
}

/// Whether there is input within `wait`.
#[cfg(unix)]
fn is_there(wait: Duration) -> io::Result<bool> {
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

/// A console reports its end as an error of `poll`.
#[cfg(not(unix))]
fn is_there(wait: Duration) -> io::Result<bool> {
    event::poll(wait)
}

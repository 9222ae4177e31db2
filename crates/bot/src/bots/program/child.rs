//! A program that was started: lines go in and come out, and nobody waits longer than he wants to.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::words::Answer;

/// The longest line that is read of a program, in bytes.
const LINE: u64 = 1 << 20;
/// Lines that wait to be read by the program, at most.
const WAITING: usize = 100_000;
/// Lines of the program that nobody has read yet, at most; one that has more to say waits.
const UNREAD: usize = 16;
/// How long a program may take to end by itself once it is not needed.
const FAREWELL: Duration = Duration::from_secs(1);

/// What a program did instead of answering.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Silence {
    /// It took too long.
    #[error("no answer in {0:?}")]
    Late(Duration),
    /// It ended, or reads and writes no more.
    #[error("it ended")]
    Ended,
    /// It wrote something that means nothing.
    #[error("{0}")]
    Nonsense(String),
}

/// A running program.
#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    /// None once it shall end.
    to: Option<SyncSender<String>>,
    from: Receiver<String>,
    /// Lines that were said to it.
    said: Cell<u64>,
}

impl Running {
    /// Starts a program of these words. What it writes to standard error goes where ours does.
    pub(super) fn start(words: &[String]) -> io::Result<Self> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no program"));
        };
        let mut child =
            Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("it has no standard streams"));
        };
        let (to, lines) = sync_channel::<String>(WAITING);
        let (said, from) = sync_channel(UNREAD);
        // A program that does not read must not hold up who writes, nor one that does not write who reads.
        thread::spawn(move || {
            // It ends with the program, or when nobody has anything to say any more.
            while let Ok(line) = lines.recv() {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut line = Vec::new();
            loop {
                line.clear();
                match (&mut reader).take(LINE).read_until(b'\n', &mut line) {
                    Ok(1..) if said.send(String::from_utf8_lossy(&line).into_owned()).is_ok() => {}
                    _ => return,
                }
            }
        });
        Ok(Self { child, to: Some(to), from, said: Cell::new(0) })
    }

    /// Ends the program at once.
    pub(super) fn end(mut self) {
        // Who cannot be ended has ended already.
        let _ = self.child.kill();
    }

    /// Says a line (without its end); its number, from 1.
    pub(super) fn say(&self, line: String) -> Result<u64, Silence> {
        let Some(to) = &self.to else { return Err(Silence::Ended) };
        self.said.set(self.said.get() + 1);
        match to.try_send(line + "\n") {
            Ok(()) => Ok(self.said.get()),
            Err(TrySendError::Full(_)) => Err(Silence::Nonsense(format!("it leaves {WAITING} lines unread"))),
            Err(TrySendError::Disconnected(_)) => Err(Silence::Ended),
        }
    }

    /// The next answer that `wanted` takes; what it leaves is passed over.
    pub(super) fn answer<T>(
        &self,
        within: Duration,
        wanted: impl Fn(Answer) -> Option<Result<T, Silence>>,
    ) -> Result<T, Silence> {
        let begun = Instant::now();
        loop {
            // Also where there are always more lines, as of a program that writes without end.
            let Some(left) = within.checked_sub(begun.elapsed()) else { return Err(Silence::Late(within)) };
            let line = match self.from.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(Silence::Late(within)),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
            };
            let answer = serde_json::from_str(&line).map_err(|error| {
                let shown: String = line.trim_end().chars().take(80).collect();
                Silence::Nonsense(format!("`{shown}` is no line of the protocol: {error}"))
            })?;
            if let Some(taken) = wanted(answer) {
                return taken;
            }
        }
    }
}

impl Drop for Running {
    /// Lets the program read to the end, and ends it if it stays.
    fn drop(&mut self) {
        self.to = None;
        let begun = Instant::now();
        while begun.elapsed() < FAREWELL {
            match self.child.try_wait() {
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                // It ended, or the system does not know it any more.
                _ => return,
            }
        }
        // Who cannot be ended has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

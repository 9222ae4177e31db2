//! A running program: exchanges lines with it, with a time limit for every wait.

use std::cell::Cell;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::log::{Conversation, Speaker};
use super::watchdog;
use super::words::ProgramReply;
use crate::bot::{Fault, shortened};

/// The longest line that is read from a program, in bytes.
const LINE: u64 = 1 << 20;
/// The most lines that wait for the program to read them.
const WAITING: usize = 100_000;
/// The most unread lines of the program. Then it blocks before it writes more.
const UNREAD: usize = 16;
/// How long a program may take to end after its input ended, and its last output to arrive.
const FAREWELL: Duration = Duration::from_secs(1);
/// The number of last lines of standard error that are stored.
const LAST: usize = 10;
/// The most characters of such a line.
const WIDE: usize = 300;

/// Why a program gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum NoReply {
    /// The program took too long.
    #[error("it gave no answer within {0:?}")]
    Late(Duration),
    /// The program ended, or closed its streams.
    #[error("it ended")]
    Ended,
    /// The program wrote an invalid line.
    #[error("{problem}")]
    Nonsense {
        /// The line, if it was a line.
        line: Option<String>,
        problem: String,
    },
}

impl NoReply {
    /// Creates an error for an invalid line.
    pub(super) fn line(line: &str, problem: impl Into<String>) -> Self {
        Self::Nonsense { line: Some(line.trim_end().to_owned()), problem: problem.into() }
    }
}

/// How to start a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Start {
    /// The program and its arguments.
    pub(super) words: Vec<String>,
    /// Whether its standard error also goes to that of this process.
    pub(super) forward: bool,
}

#[derive(Debug)]
pub(super) struct Running {
    child: Child,
    /// The input of the program; `None` when it shall end.
    to: Option<SyncSender<String>>,
    from: Receiver<String>,
    /// Number of lines sent to it.
    sent: Cell<u64>,
    /// Its exit status, once known.
    status: Option<ExitStatus>,
    /// The last lines of its standard error.
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Disconnected once its standard error has ended.
    errors_end: Receiver<()>,
    log: Option<Conversation>,
}

impl Running {
    /// Starts a program, and logs its conversation if there is a log.
    pub(super) fn start(start: &Start, log: Option<Conversation>) -> io::Result<Self> {
        let Some((program, arguments)) = start.words.split_first() else {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no program"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        watchdog::prepare(&mut command);
        let mut child = command.spawn()?;
        if let Some(log) = &log {
            log.write(Speaker::Process, &format!("started {:?}, process id {}", start.words, child.id()));
        }
        let watched = watchdog::watch(&child);
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Ok(()), (Some(stdin), Some(stdout), Some(stderr))) = (&watched, streams) else {
            watchdog::kill(&mut child);
            child.wait()?;
            watchdog::release(&child);
            return Err(watched.err().unwrap_or_else(|| io::Error::other("it has no standard streams")));
        };
        // Threads with queues, because a program that does not read or write must not block the table.
        let (to, lines) = sync_channel::<String>(WAITING);
        thread::spawn(move || write_to(stdin, &lines));
        let (tell, from) = sync_channel(UNREAD);
        let of_program = log.clone();
        thread::spawn(move || read_from(stdout, &tell, of_program.as_ref()));
        let errors = Arc::new(Mutex::default());
        let (ends, errors_end) = channel();
        let (kept, of_errors, forward) = (Arc::clone(&errors), log.clone(), start.forward);
        thread::spawn(move || {
            keep_errors(stderr, &kept, forward, of_errors.as_ref());
            drop(ends);
        });
        Ok(Self { child, to: Some(to), from, sent: Cell::new(0), status: None, errors, errors_end, log })
    }

    pub(super) fn end(mut self) {
        self.kill();
    }

    fn kill(&mut self) {
        if self.status.is_none() {
            watchdog::kill(&mut self.child);
            if let Ok(status) = self.child.wait() {
                self.ended(status);
            }
        }
    }

    /// Returns the exit status of the program, if it has ended.
    fn poll(&mut self) -> Option<ExitStatus> {
        if self.status.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.ended(status);
        }
        self.status
    }

    fn ended(&mut self, status: ExitStatus) {
        watchdog::release(&self.child);
        self.status = Some(status);
        if let Some(log) = &self.log {
            log.write(Speaker::Process, &format!("ended: {status}"));
        }
    }

    /// Waits for the program to end. Returns its exit status, or `None` after [`FAREWELL`].
    fn wait(&mut self) -> Option<ExitStatus> {
        let begun = Instant::now();
        while self.poll().is_none() && begun.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(2));
        }
        self.status
    }

    /// Returns the number of the next line to it, from 1.
    pub(super) fn next(&self) -> u64 {
        self.sent.get() + 1
    }

    /// Sends a line (without its line end), and returns the line's number, from 1.
    pub(super) fn say(&self, line: String) -> Result<u64, NoReply> {
        let Some(to) = &self.to else { return Err(NoReply::Ended) };
        self.sent.set(self.sent.get() + 1);
        if let Some(log) = &self.log {
            log.write(Speaker::Table, &line);
        }
        match to.try_send(line + "\n") {
            Ok(()) => Ok(self.sent.get()),
            Err(TrySendError::Full(_)) => {
                Err(NoReply::Nonsense { line: None, problem: format!("it leaves {WAITING} lines unread") })
            }
            Err(TrySendError::Disconnected(_)) => Err(NoReply::Ended),
        }
    }

    /// Returns the next answer that `wanted` accepts, with its line. Skips answers for which `wanted` returns `None`.
    pub(super) fn answer<T>(
        &self,
        within: Duration,
        wanted: impl Fn(ProgramReply) -> Option<Result<T, String>>,
    ) -> Result<(T, String), NoReply> {
        let begun = Instant::now();
        loop {
            // Check the time even if lines keep coming, because a program may write without end.
            let Some(left) = within.checked_sub(begun.elapsed()) else { return Err(NoReply::Late(within)) };
            let line = match self.from.recv_timeout(left) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Err(NoReply::Late(within)),
                Err(RecvTimeoutError::Disconnected) => return Err(NoReply::Ended),
            };
            let answer = ProgramReply::read(&line).map_err(|problem| {
                let shown = shortened(line.trim_end(), 80);
                NoReply::line(&line, format!("`{shown}` is no line of the protocol: {problem}"))
            })?;
            match answer.and_then(&wanted) {
                Some(Ok(taken)) => return Ok((taken, line)),
                Some(Err(problem)) => return Err(NoReply::line(&line, problem)),
                None => {}
            }
        }
    }

    /// Returns the fault for a missing answer: the line that was sent, and what the program did instead.
    pub(super) fn fault(&mut self, silence: &NoReply, sent: Option<&str>) -> Fault {
        let answer = match silence {
            NoReply::Nonsense { line, .. } => line.as_deref(),
            NoReply::Late(_) | NoReply::Ended => None,
        };
        let mut fault = Fault::new(silence.to_string(), sent, answer);
        if *silence == NoReply::Ended && self.wait().is_some() {
            // A thread reads the last output, which is complete when standard error has ended.
            let _ = self.errors_end.recv_timeout(FAREWELL);
        }
        fault.ended = self.poll().map(|status| status.to_string());
        fault.stderr = self.errors.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        fault
    }

    /// Returns the fault for an illegal move.
    pub(super) fn illegal(&self, problem: String, sent: &str, answer: &str) -> Fault {
        let stderr = self.errors.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        Fault { stderr, ..Fault::new(problem, Some(sent), Some(answer)) }
    }
}

impl Drop for Running {
    /// Ends the program's input and waits; kills the program if it does not end.
    fn drop(&mut self) {
        self.to = None;
        if self.wait().is_none() {
            self.kill();
        }
    }
}

/// Writes lines until the program ends or the table closes the queue.
fn write_to(mut stdin: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Forwards the program's lines until it ends or the table closes the queue.
fn read_from(stdout: impl Read, tell: &SyncSender<String>, log: Option<&Conversation>) {
    let mut lines = Lossy::new(stdout);
    while let Some(line) = lines.next() {
        if let Some(log) = log {
            log.write(Speaker::Program, &line);
        }
        if tell.send(line).is_err() {
            return;
        }
    }
}

/// Stores the last lines of standard error.
fn keep_errors(stderr: impl Read, kept: &Mutex<VecDeque<String>>, forward: bool, log: Option<&Conversation>) {
    let mut lines = Lossy::new(stderr);
    while let Some(line) = lines.next() {
        if let Some(log) = log {
            log.write(Speaker::Errors, &line);
        }
        if forward {
            // Ignore errors: the terminal may be closed.
            let _ = io::stderr().write_all(&lines.line);
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back(shortened(line.trim_end(), WIDE));
        if kept.len() > LAST {
            kept.pop_front();
        }
    }
}

/// Reads lines of at most [`LINE`] bytes each. Replaces bytes that are not UTF-8.
struct Lossy<R> {
    from: BufReader<R>,
    /// The last line in its original bytes, with its line end.
    line: Vec<u8>,
}

impl<R: Read> Lossy<R> {
    fn new(from: R) -> Self {
        Self { from: BufReader::new(from), line: Vec::new() }
    }

    fn next(&mut self) -> Option<String> {
        self.line.clear();
        match (&mut self.from).take(LINE).read_until(b'\n', &mut self.line) {
            Ok(1..) => Some(String::from_utf8_lossy(&self.line).into_owned()),
            _ => None,
        }
    }
}

//! Programs as bots: `exec:COMMAND` plays the answers of a program, written in any language.
//!
//! Program and table use the line protocol of `docs/protocol.md`. Each bot of a [`Player`](super::Player) has its own
//! process, and the next bot reuses the process. So there are as many processes as bots that play at the same time, one
//! for each thread of a contest.
//!
//! A contest continues if a program is slow, breaks or cheats. If it does not name a legal move in time, a random move
//! replaces it. [`Faults`] counts the reasons, and a [`Fault`] shows the first failed exchange. A program that ended is
//! started again; one that was too slow is killed first. After [`GIVE_UP`] failures in a row, it is not used again.
//! Programs end with the process that started them.

mod child;
mod log;
pub mod split;
mod watchdog;
pub mod words;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cardsharp_env::log::Line;
use cardsharp_env::{ActionId, Draw, Seat, SeatView, mask, seed};
use serde::Serialize;
use serde_json::{Value, json};

pub use child::NoReply;
use child::{Running, Start};
pub use log::ProgramLog;
use words::{PROTOCOL, ProgramReply, ProgramRequest, Want};

use super::LoadOptions;
use crate::bot::{Bot, shortened};
pub use crate::bot::{Fault, Faults};

/// The prefix of the name of such a bot.
pub const PREFIX: &str = "exec:";
/// The default timeout of a program for a move.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// The minimal timeout for its start.
const START: Duration = Duration::from_secs(30);
/// Failures in a row after which a program is not used again.
pub const GIVE_UP: u32 = 3;

/// Why a program cannot be a bot.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ProgramError {
    /// The command is empty.
    #[error("`{PREFIX}` needs a command, like `{PREFIX}python3 my_bot.py`")]
    Empty,
    /// A quote is not closed.
    #[error("`{0}` has a quote that is not closed")]
    Quotes(String),
    /// The program does not start.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The first word of the command.
        program: String,
        source: std::io::Error,
    },
    /// The program does not answer `hello`.
    #[error("`{program}` did not answer `hello`: {fault}")]
    Hello {
        /// The first word of the command.
        program: String,
        fault: Box<Fault>,
    },
    /// The program has another version of the protocol.
    #[error("`{program}` speaks protocol {given}; expected {PROTOCOL}")]
    Protocol {
        /// The first word of the command.
        program: String,
        /// The version in its answer.
        given: u32,
    },
    /// The program does not play the game.
    #[error("`{program}` does not play `{game}`: it plays {}", games.join(", "))]
    Game {
        /// The first word of the command.
        program: String,
        game: String,
        /// The games in its answer.
        games: Vec<String>,
    },
}

/// A program that plays a game.
#[derive(Debug)]
pub struct Program {
    name: String,
    start: Start,
    game: String,
    timeout: Duration,
    /// The log of conversations, if there is one.
    log: Option<Arc<ProgramLog>>,
    wants: Vec<Want>,
    /// Processes that no bot uses at the moment.
    idle: Mutex<Vec<Running>>,
    /// The fault counts, and the first fault.
    faults: Mutex<(Faults, Option<Fault>)>,
    /// Failures since its last legal move.
    in_a_row: AtomicU32,
}

impl Program {
    /// Starts the program for `game`. `name` is a bot's name, which starts with [`PREFIX`]. Of `means`, it uses the
    /// timeout, the log, and the target of standard error.
    ///
    /// # Errors
    /// There is no such program, or its answer does not include the game.
    pub fn open(name: &str, game: &str, means: &LoadOptions) -> Result<Self, ProgramError> {
        let command = name.strip_prefix(PREFIX).unwrap_or(name);
        let words = split::words(command).ok_or_else(|| ProgramError::Quotes(command.to_owned()))?;
        let Some(program) = words.first().cloned() else { return Err(ProgramError::Empty) };
        let mut this = Self {
            name: name.to_owned(),
            start: Start { words, forward: means.forward_errors },
            game: game.to_owned(),
            timeout: means.timeout,
            log: means.log.clone(),
            wants: Vec::new(),
            idle: Mutex::default(),
            faults: Mutex::default(),
            in_a_row: AtomicU32::new(0),
        };
        let mut running =
            this.run().map_err(|source| ProgramError::Start { program: program.clone(), source })?;
        let Hello { protocol: given, games, wants } = match this.greet(&mut running) {
            Ok(hello) => hello,
            Err(fault) => return Err(ProgramError::Hello { program, fault }),
        };
        if given != PROTOCOL {
            return Err(ProgramError::Protocol { program, given });
        }
        if let Some(games) = games
            && !games.iter().any(|played| played.eq_ignore_ascii_case(game))
        {
            return Err(ProgramError::Game { program, game: game.to_owned(), games });
        }
        this.wants = wants;
        this.hand_back(running);
        Ok(this)
    }

    /// Returns the fault counts so far.
    pub fn faults(&self) -> Faults {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// Returns the first fault, if there is one.
    pub fn first_fault(&self) -> Option<Fault> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    fn run(&self) -> std::io::Result<Running> {
        Running::start(&self.start, self.log.as_ref().map(ProgramLog::process))
    }

    /// Exchanges `hello` with a new process.
    fn greet(&self, running: &mut Running) -> Result<Hello, Box<Fault>> {
        let (program, version) = ("cardsharp".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let timeout_ms = u64::try_from(self.timeout.as_millis()).ok();
        let hello = line(&ProgramRequest::Hello { protocol: PROTOCOL, program, version, timeout_ms });
        let said = running.say(hello.clone()).and_then(|_| {
            running.answer(self.timeout.max(START), |answer| match answer {
                ProgramReply::Hello { protocol, games, wants, .. } => {
                    Some(Ok(Hello { protocol, games, wants }))
                }
                ProgramReply::Info { .. } => None,
                ProgramReply::Error { problem, .. } => Some(Err(format!("it answered `error`: {problem}"))),
                ProgramReply::Move { .. } => Some(Err(unasked("`move`", "`hello`"))),
                ProgramReply::Pong { .. } => Some(Err(unasked("`pong`", "`hello`"))),
            })
        });
        said.map(|(hello, _)| hello).map_err(|silence| Box::new(running.fault(&silence, Some(&hello))))
    }

    fn wants(&self, want: Want) -> bool {
        self.wants.contains(&want)
    }

    /// Returns an idle process, or starts one.
    fn take(&self) -> Result<Running, Box<Fault>> {
        let idle = self.idle.lock().map_or(None, |mut idle| idle.pop());
        if let Some(running) = idle {
            return Ok(running);
        }
        let start =
            |error: std::io::Error| Box::new(Fault::new(format!("it does not start: {error}"), None, None));
        let mut running = self.run().map_err(start)?;
        self.greet(&mut running)?;
        Ok(running)
    }

    fn hand_back(&self, running: Running) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(running);
        }
    }

    /// Adds a fault to the counts.
    fn count(&self, faults: Faults, fault: &Fault) {
        let mut all = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        all.0.add(faults);
        all.1.get_or_insert_with(|| fault.clone());
    }
}

/// The answer of a program to `hello`.
struct Hello {
    protocol: u32,
    games: Option<Vec<String>>,
    wants: Vec<Want>,
}

/// Describes an answer of the wrong kind.
fn unasked(kind: &str, expected: &str) -> String {
    format!("it wrote {kind}, which was not asked for: expected {expected}")
}

/// The most characters of moves in a message.
const LEGAL: usize = 200;

/// Returns the index of the label that the program means: the exact one, or else the one that differs only in case and
/// blanks.
fn place_of(labels: &[String], choice: &str) -> Option<usize> {
    let place = |same: &dyn Fn(&str) -> bool| labels.iter().position(|label| same(label));
    place(&|label| label == choice).or_else(|| place(&|label| label.eq_ignore_ascii_case(choice.trim())))
}

/// Returns whether a value is this number. Some languages write `7.0`.
fn is(value: &Value, number: u64) -> bool {
    value.as_u64() == Some(number) || value.as_f64() == Some(number as f64)
}

/// Serializes a line of the protocol. Plain data cannot fail.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A seat that the program plays.
#[derive(Debug)]
struct Seated {
    /// The number of this seat at its table, unique in this process.
    table: u64,
    seat: Seat,
    /// The event log so far, if the program wants it.
    record: Vec<String>,
    /// The number of lines that the process has received; `None` if it does not know the seat.
    sent: Option<usize>,
}

/// A bot that plays the answers of a [`Program`].
#[derive(Debug)]
pub struct Outside {
    program: Arc<Program>,
    running: Option<Running>,
    /// The seats, by the caller's table and the seat.
    seats: BTreeMap<(usize, u8), Seated>,
    tables: u64,
    seed: u64,
    /// The random stream of replacement moves.
    draw: Draw,
    faults: Faults,
    /// The first fault since the last [`Bot::take_fault`].
    fault: Option<Fault>,
    /// Number of random replacement moves, by the caller's table and the seat.
    drawn: BTreeMap<(usize, u8), u64>,
}

/// Why there is no move.
enum Failed {
    /// The program did not name a legal move.
    Illegal(Box<Fault>),
    /// The program took too long.
    Late(Box<Fault>),
    /// The program ended, or wrote an invalid line.
    Broken(Box<Fault>),
}

impl Outside {
    /// Creates a bot that plays as the program does. Each of its seats receives a seed that is derived from `seed`.
    pub fn new(program: Arc<Program>, seed: u64) -> Self {
        let draw = Draw::new(seed, 0);
        Self {
            program,
            running: None,
            seats: BTreeMap::new(),
            tables: 0,
            seed,
            draw,
            faults: Faults::default(),
            fault: None,
            drawn: BTreeMap::new(),
        }
    }

    fn sit(&mut self, table: usize, seat: Seat) -> &mut Seated {
        let tables = &mut self.tables;
        self.seats.entry((table, seat.0)).or_insert_with(|| {
            *tables += 1;
            Seated { table: *tables, seat, record: Vec::new(), sent: None }
        })
    }

    /// Starts a process if there is none.
    fn start(&mut self) -> Result<(), Box<Fault>> {
        if self.running.is_none() {
            self.running = Some(self.program.take()?);
        }
        Ok(())
    }

    /// Sends the process the lines of a seat that it has not received yet.
    fn tell(&mut self, key: (usize, u8)) -> Result<(), NoReply> {
        let (Some(running), Some(seated)) = (&self.running, self.seats.get_mut(&key)) else { return Ok(()) };
        if seated.sent.is_none() {
            let (table, game, seat) = (seated.table, self.program.game.clone(), seated.seat);
            running.say(line(&ProgramRequest::Begin {
                table,
                game,
                seat,
                seed: seed::derived(self.seed, &[table]),
            }))?;
        }
        let sent = seated.sent.unwrap_or(0);
        for text in &seated.record[sent..] {
            running.say(text.clone())?;
        }
        seated.sent = Some(seated.record.len());
        Ok(())
    }

    /// Asks the program for a move.
    fn ask(&mut self, key: (usize, u8), view: SeatView<'_>) -> Result<ActionId, Failed> {
        self.start().map_err(Failed::Broken)?;
        let legal: Vec<ActionId> = mask::actions(&view.legal_words()).collect();
        let labels: Vec<String> = legal.iter().map(|&action| view.label(action)).collect();
        let sent = self.tell(key);
        let id = self.running.as_ref().map_or(0, Running::next);
        let go = self.question(key, id, view, &legal, &labels);
        let (table, timeout) = (self.seats.get(&key).map_or(0, |seated| seated.table), self.program.timeout);
        let due = format!("`move` of table {table}");
        let broken = || Failed::Broken(Box::new(Fault::new("there is no process", Some(&go), None)));
        let Some(running) = &mut self.running else { return Err(broken()) };
        let answered = sent.and_then(|()| running.say(go.clone())).and_then(|asked| {
            running.answer(timeout, |answer| match answer {
                // An answer to an earlier question. Programs may leave out the id.
                ProgramReply::Move { id, .. } | ProgramReply::Error { id, .. }
                    if !id.is_null() && !is(&id, asked) =>
                {
                    None
                }
                ProgramReply::Move { table: at, choice, .. } if at == table => Some(Ok(Ok(choice))),
                // The program has no move. An error about an earlier line is not an answer.
                ProgramReply::Error { input, problem, .. } if input == asked || input == 0 => {
                    Some(Ok(Err(problem)))
                }
                ProgramReply::Error { .. } | ProgramReply::Info { .. } | ProgramReply::Pong { .. } => None,
                ProgramReply::Move { table: at, .. } => {
                    Some(Err(unasked(&format!("`move` of table {at}"), &due)))
                }
                ProgramReply::Hello { .. } => Some(Err(unasked("`hello`", &due))),
            })
        });
        let (choice, line) = match answered {
            Ok(answered) => answered,
            Err(silence) => {
                let fault = Box::new(running.fault(&silence, Some(&go)));
                return Err(match silence {
                    NoReply::Late(_) => Failed::Late(fault),
                    NoReply::Ended | NoReply::Nonsense { .. } => Failed::Broken(fault),
                });
            }
        };
        let problem = match choice {
            Ok(choice) => match place_of(&labels, &choice) {
                Some(place) => return Ok(legal[place]),
                None => {
                    let legal = shortened(&labels.join(", "), LEGAL);
                    format!("`{}` is not legal: expected one of {legal}", shortened(&choice, LEGAL))
                }
            },
            Err(problem) => format!("it answered `error`: {problem}"),
        };
        Err(Failed::Illegal(Box::new(running.illegal(problem, &go, &line))))
    }

    /// Returns the line that asks for a move. Its id is the number of this line, so it is unique in the process.
    fn question(
        &self,
        key: (usize, u8),
        id: u64,
        view: SeatView<'_>,
        legal: &[ActionId],
        labels: &[String],
    ) -> String {
        let program = &self.program;
        let seated = self.seats.get(&key);
        // A program that receives the event log can derive the view, unless its lines were not forwarded.
        let hears = seated.is_some_and(|seated| !seated.record.is_empty());
        let mut row = Vec::new();
        if program.wants(Want::Row) {
            row.resize(view.cells(), 0);
            view.row(&mut row);
        }
        line(&ProgramRequest::Go {
            table: seated.map_or(0, |seated| seated.table),
            id: id.into(),
            time_ms: None,
            tries: None,
            advice: false,
            legal: if program.wants(Want::Legal) { labels.to_vec() } else { Vec::new() },
            view: (program.wants(Want::View) || !hears).then(|| view.json()),
            actions: if program.wants(Want::Row) { legal.to_vec() } else { Vec::new() },
            row,
        })
    }

    /// Returns the fault of a failure. A process that gave no answer is not reused.
    fn failed(&mut self, failed: Failed) -> (Faults, Fault) {
        let none = Faults::default();
        let (faults, fault) = match failed {
            Failed::Illegal(fault) => return (Faults { illegal: 1, ..none }, *fault),
            Failed::Late(fault) => (Faults { late: 1, ..none }, fault),
            Failed::Broken(fault) => (Faults { broken: 1, ..none }, fault),
        };
        self.program.in_a_row.fetch_add(1, Ordering::Relaxed);
        self.lose();
        (faults, *fault)
    }

    /// Ends the process. Its successor knows no seats.
    fn lose(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
        self.seats.values_mut().for_each(|seated| seated.sent = None);
    }
}

impl Bot for Outside {
    fn name(&self) -> &str {
        &self.program.name
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.pick_at(0, view)
    }

    fn pick_at(&mut self, table: usize, view: SeatView<'_>) -> ActionId {
        let program = Arc::clone(&self.program);
        let seat = view.seat();
        self.sit(table, seat);
        let gave_up = program.in_a_row.load(Ordering::Relaxed) >= GIVE_UP;
        let key = (table, seat.0);
        let asked = if gave_up { None } else { Some(self.ask(key, view)) };
        let (faults, fault) = match asked {
            Some(Ok(action)) => {
                program.in_a_row.store(0, Ordering::Relaxed);
                return action;
            }
            Some(Err(failed)) => self.failed(failed),
            None => {
                let problem = format!("it failed {GIVE_UP} times in a row and is asked no more");
                (Faults { given_up: 1, ..Faults::default() }, Fault::new(problem, None, None))
            }
        };
        program.count(faults, &fault);
        self.faults.add(faults);
        self.fault.get_or_insert(fault);
        *self.drawn.entry(key).or_default() += 1;
        let legal = view.legal_words();
        mask::nth(&legal, self.draw.below(mask::count(&legal).max(1))).unwrap_or_default()
    }

    fn faults(&self) -> Option<Faults> {
        Some(self.faults)
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }

    fn random_moves(&self, table: usize, seat: Seat) -> u64 {
        self.drawn.get(&(table, seat.0)).copied().unwrap_or_default()
    }

    fn listens(&self) -> bool {
        self.program.wants(Want::Record)
    }

    fn hear(&mut self, table: usize, seat: Seat, line: &Line) {
        if !self.listens() {
            return;
        }
        let key = (table, seat.0);
        if matches!(line, Line::Beginning(_)) {
            self.leave(key);
        }
        let number = self.sit(table, seat).table;
        // As JSON text, so that numbers have the same form as in event logs.
        let mut text = line.json();
        text["table"] = json!(number);
        if let Some(seated) = self.seats.get_mut(&key) {
            seated.record.push(text.to_string());
        }
        // A process that ended is started again at the next move.
        if self.tell(key).is_err() {
            self.lose();
        }
        if matches!(line, Line::End { .. }) {
            self.leave(key);
        }
    }
}

impl Outside {
    /// Forgets a seat that is no longer played.
    fn leave(&mut self, key: (usize, u8)) {
        let Some(seated) = self.seats.remove(&key) else { return };
        if let Some(running) = self.running.as_ref().filter(|_| seated.sent.is_some())
            && running.say(line(&ProgramRequest::Forget { table: seated.table })).is_err()
        {
            self.lose();
        }
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let keys: Vec<(usize, u8)> = self.seats.keys().copied().collect();
        keys.into_iter().for_each(|key| self.leave(key));
        if let Some(running) = self.running.take() {
            self.program.hand_back(running);
        }
    }
}

#[cfg(test)]
mod tests;

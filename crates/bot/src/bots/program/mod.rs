//! Programs as bots: `exec:COMMAND` plays by what a program answers, in whatever language it is written.
//!
//! Program and table speak the protocol of `docs/protocol.md`, line by line. Each bot of a [`Player`](super::Player)
//! has a process of its own while it lives, and hands it on to the next: there are as many processes as bots
//! play side by side, one a thread in a contest.
//!
//! A program may be slow, break or cheat, and the contest goes on: where it has not named a legal move in time, a move
//! drawn at random is played in its place, and [`Faults`] counts why. One that ended is started again, one that was too
//! slow is ended first; after [`GIVE_UP`] failures in a row it is asked no more.

mod child;
pub mod words;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cardsharp_env::record::Line;
use cardsharp_env::{ActionId, Draw, Seat, SeatView, mask, seed};
use serde::Serialize;
use serde_json::json;

use child::Running;
pub use child::Silence;
use words::{Answer, Ask, PROTOCOL, Want};

use crate::bot::Bot;
pub use crate::bot::Faults;

/// How the name of such a bot begins.
pub const PREFIX: &str = "exec:";
/// What a program may take for a move where nothing else is said.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// What it may take to start, at least.
const START: Duration = Duration::from_secs(30);
/// Failures in a row after which a program is asked no more.
pub const GIVE_UP: u32 = 3;

/// Why a program cannot be a bot.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// No command.
    #[error("`{PREFIX}` is followed by no command: expected one like `{PREFIX}python3 my_bot.py`")]
    Empty,
    /// Quotes that do not end.
    #[error("`{0}` cannot be read as words: a quote is not closed")]
    Quotes(String),
    /// It does not start.
    #[error("cannot start `{program}`: {source}")]
    Start {
        /// The first word.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// It does not introduce itself.
    #[error("`{program}` did not answer `hello`: {source}")]
    Hello {
        /// The first word.
        program: String,
        /// What it did instead.
        source: Silence,
    },
    /// It speaks another version of the protocol.
    #[error("`{program}` speaks protocol {given}, not {PROTOCOL}")]
    Protocol {
        /// The first word.
        program: String,
        /// What it said.
        given: u32,
    },
    /// It does not play the game.
    #[error("`{program}` does not play `{game}`: it plays {}", games.join(", "))]
    Game {
        /// The first word.
        program: String,
        /// The game.
        game: String,
        /// What it plays.
        games: Vec<String>,
    },
}

/// A program that plays a game.
#[derive(Debug)]
pub struct Program {
    name: String,
    words: Vec<String>,
    game: String,
    patience: Duration,
    wants: Vec<Want>,
    /// Processes that nobody plays with now.
    idle: Mutex<Vec<Running>>,
    faults: Mutex<Faults>,
    /// Failures since the last move that it named.
    in_a_row: AtomicU32,
}

impl Program {
    /// Starts the program of a bot's name, which begins with [`PREFIX`], for `game`; it has `patience` for a move.
    ///
    /// # Errors
    /// There is no such program, or it does not say that it plays the game.
    pub fn open(name: &str, game: &str, patience: Duration) -> Result<Self, ProgramError> {
        let command = name.strip_prefix(PREFIX).unwrap_or(name);
        let words = shlex::split(command).ok_or_else(|| ProgramError::Quotes(command.to_owned()))?;
        let Some(program) = words.first().cloned() else { return Err(ProgramError::Empty) };
        let mut this = Self {
            name: name.to_owned(),
            words,
            game: game.to_owned(),
            patience,
            wants: Vec::new(),
            idle: Mutex::default(),
            faults: Mutex::default(),
            in_a_row: AtomicU32::new(0),
        };
        let running = Running::start(&this.words)
            .map_err(|source| ProgramError::Start { program: program.clone(), source })?;
        let hello = this.greet(&running);
        let (given, games, wants) =
            hello.map_err(|source| ProgramError::Hello { program: program.clone(), source })?;
        if given != PROTOCOL {
            return Err(ProgramError::Protocol { program, given });
        }
        if let Some(games) = games
            && !games.iter().any(|played| played == game)
        {
            return Err(ProgramError::Game { program, game: game.to_owned(), games });
        }
        this.wants = wants;
        this.hand_back(running);
        Ok(this)
    }

    /// What the program did wrong so far.
    pub fn faults(&self) -> Faults {
        *self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Greets a program that was just started.
    #[expect(clippy::type_complexity, reason = "three fields of one line, used once")]
    fn greet(&self, running: &Running) -> Result<(u32, Option<Vec<String>>, Vec<Want>), Silence> {
        let (program, version) = ("cardsharp".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        let patience_ms = u64::try_from(self.patience.as_millis()).ok();
        running.say(line(&Ask::Hello { protocol: PROTOCOL, program, version, patience_ms }))?;
        running.answer(self.patience.max(START), |answer| match answer {
            Answer::Hello { protocol, games, wants, .. } => Some(Ok((protocol, games, wants))),
            Answer::Info { .. } => None,
            Answer::Error { problem, .. } => Some(Err(Silence::Nonsense(problem))),
            Answer::Move { .. } | Answer::Pong { .. } => Some(Err(unasked())),
        })
    }

    fn wants(&self, want: Want) -> bool {
        self.wants.contains(&want)
    }

    /// A process to play with.
    fn take(&self) -> Result<Running, Silence> {
        let idle = self.idle.lock().map_or(None, |mut idle| idle.pop());
        if let Some(running) = idle {
            return Ok(running);
        }
        let running = Running::start(&self.words).map_err(|error| Silence::Nonsense(error.to_string()))?;
        self.greet(&running)?;
        Ok(running)
    }

    fn hand_back(&self, running: Running) {
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(running);
        }
    }
}

fn unasked() -> Silence {
    Silence::Nonsense("it answered what was not asked".to_owned())
}

/// A line of the protocol: plain data, which always can be written.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A seat that the program plays.
#[derive(Debug)]
struct Seated {
    /// Its number in this process.
    table: u64,
    seat: Seat,
    /// What it is to be told, if it wants to be.
    record: Vec<String>,
    /// How much of it the process was told; none if it does not know of the seat.
    told: Option<usize>,
}

/// The bot of a [`Program`].
#[derive(Debug)]
pub struct Outside {
    program: Arc<Program>,
    running: Option<Running>,
    /// By the caller's table and the seat.
    seats: BTreeMap<(usize, u8), Seated>,
    tables: u64,
    seed: u64,
    /// What is played in the place of the program.
    draw: Draw,
    faults: Faults,
}

impl Outside {
    /// A bot that plays as the program does; `seed` is told to it for each of its seats.
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
        }
    }

    fn sit(&mut self, table: usize, seat: Seat) -> &mut Seated {
        let tables = &mut self.tables;
        self.seats.entry((table, seat.0)).or_insert_with(|| {
            *tables += 1;
            Seated { table: *tables, seat, record: Vec::new(), told: None }
        })
    }

    /// Tells the process what it does not know of a seat.
    fn tell(&mut self, key: (usize, u8)) -> Result<(), Silence> {
        if self.running.is_none() {
            self.running = Some(self.program.take()?);
        }
        let (Some(running), Some(seated)) = (&self.running, self.seats.get_mut(&key)) else { return Ok(()) };
        if seated.told.is_none() {
            let (table, game, seat) = (seated.table, self.program.game.clone(), seated.seat);
            running.say(line(&Ask::Begin { table, game, seat, seed: seed::derived(self.seed, &[table]) }))?;
        }
        let told = seated.told.unwrap_or(0);
        for text in &seated.record[told..] {
            running.say(text.clone())?;
        }
        seated.told = Some(seated.record.len());
        Ok(())
    }

    /// What the program plays; none if it names no legal move.
    fn ask(&mut self, key: (usize, u8), view: SeatView<'_>) -> Result<Option<ActionId>, Silence> {
        self.tell(key)?;
        let (Some(running), Some(seated)) = (&self.running, self.seats.get(&key)) else { return Ok(None) };
        let program = &self.program;
        let legal: Vec<ActionId> = mask::actions(&view.legal_words()).collect();
        let labels: Vec<String> = legal.iter().map(|&action| view.label(action)).collect();
        // Who hears the record has the view; but nobody has to have forwarded it.
        let hears = !seated.record.is_empty();
        let mut row = Vec::new();
        if program.wants(Want::Row) {
            row.resize(view.cells(), 0);
            view.row(&mut row);
        }
        let table = seated.table;
        let asked = running.say(line(&Ask::Go {
            table,
            time_ms: None,
            tries: None,
            advice: false,
            legal: if program.wants(Want::Legal) { labels.clone() } else { Vec::new() },
            view: (program.wants(Want::View) || !hears).then(|| view.json()),
            actions: if program.wants(Want::Row) { legal.clone() } else { Vec::new() },
            row,
        }))?;
        let choice = running.answer(program.patience, |answer| match answer {
            Answer::Move { table: at, choice, .. } if at == table => Some(Ok(Some(choice))),
            // It did not understand: it has no move. Of another line it says so besides.
            Answer::Error { input, .. } if input == asked || input == 0 => Some(Ok(None)),
            Answer::Error { .. } | Answer::Info { .. } | Answer::Pong { .. } => None,
            Answer::Move { .. } | Answer::Hello { .. } => Some(Err(unasked())),
        })?;
        let place = choice.and_then(|choice| labels.iter().position(|label| *label == choice));
        Ok(place.map(|place| legal[place]))
    }

    /// The process is not to be used any more, and knows of no seat.
    fn lose(&mut self) {
        if let Some(running) = self.running.take() {
            running.end();
        }
        self.seats.values_mut().for_each(|seated| seated.told = None);
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
        let asked = if gave_up { None } else { Some(self.ask((table, seat.0), view)) };
        let mut fault = Faults::default();
        match asked {
            Some(Ok(Some(action))) => {
                program.in_a_row.store(0, Ordering::Relaxed);
                return action;
            }
            Some(Ok(None)) => fault.illegal = 1,
            Some(Err(silence)) => {
                program.in_a_row.fetch_add(1, Ordering::Relaxed);
                match silence {
                    Silence::Late(_) => fault.late = 1,
                    Silence::Ended | Silence::Nonsense(_) => fault.broken = 1,
                }
                self.lose();
            }
            None => fault.given_up = 1,
        }
        self.faults.add(fault);
        program.faults.lock().unwrap_or_else(PoisonError::into_inner).add(fault);
        let legal = view.legal_words();
        mask::nth(&legal, self.draw.below(mask::count(&legal).max(1))).unwrap_or_default()
    }

    fn faults(&self) -> Option<Faults> {
        Some(self.faults)
    }

    fn listens(&self) -> bool {
        self.program.wants(Want::Record)
    }

    fn hear(&mut self, table: usize, seat: Seat, told: &Line) {
        if !self.listens() {
            return;
        }
        let key = (table, seat.0);
        if matches!(told, Line::Beginning(_)) {
            self.leave(key);
        }
        let number = self.sit(table, seat).table;
        // Through text, so that numbers are as records write them.
        let mut text = told.json();
        text["table"] = json!(number);
        if let Some(seated) = self.seats.get_mut(&key) {
            seated.record.push(text.to_string());
        }
        // A process that ended is started again when a move is due.
        if self.running.is_some() && self.tell(key).is_err() {
            self.lose();
        }
        if matches!(told, Line::End { .. }) {
            self.leave(key);
        }
    }
}

impl Outside {
    /// A seat that is not played any more.
    fn leave(&mut self, key: (usize, u8)) {
        let Some(seated) = self.seats.remove(&key) else { return };
        if let Some(running) = self.running.as_ref().filter(|_| seated.told.is_some())
            && running.say(line(&Ask::Forget { table: seated.table })).is_err()
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

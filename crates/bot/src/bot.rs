//! The interface of bots: a bot picks a move from what one seat may know.

use std::fmt;
use std::iter::Sum;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_env::log::Line;
use cardsharp_env::{ActionId, AnyTable, Audience, Batch, BatchEnv, Seat, SeatView, mask, sort_few};
use ndarray::{Array2, ArrayView2};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A batch of decisions that one bot has to make.
#[derive(Copy, Clone)]
pub struct DecisionBatch<'a> {
    /// The games. [`BatchEnv::view`] returns the view of the deciding seat of a lane.
    pub env: &'a dyn BatchEnv,
    /// Action masks of all lanes, and observation rows if the batch has them.
    pub batch: &'a Batch,
    /// The lanes in which this bot decides. Each of them is in state `Decide`.
    pub lanes: &'a [usize],
    /// Once it is set, the caller no longer needs the answers, and missing ones may stay missing.
    pub stop: &'a AtomicBool,
}

/// Returns true once a bot must end its decision early; see [`Bot::stop_when`].
pub type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// A bot that picks moves. A bot created with the same seed and asked the same questions gives the same answers.
///
/// [`Bot::pick`] is the only decision that a bot must implement. The other methods have defaults. Override them for
/// networks that evaluate batches, for bots that rate every move, and for bots that keep a memory of the event log.
pub trait Bot: Send {
    /// Returns its name, for reports.
    fn name(&self) -> &str;
    /// Returns a legal move for a view that has a decision.
    fn pick(&mut self, view: SeatView<'_>) -> ActionId;
    /// Writes a legal action to `picks[lane]` for every lane in `ask.lanes` and leaves the other lanes unchanged. The
    /// default calls [`Bot::pick_at`] lane by lane.
    fn choose(&mut self, ask: DecisionBatch<'_>, picks: &mut [ActionId]) {
        for &lane in ask.lanes.iter().take_while(|_| !ask.stop.load(Ordering::Relaxed)) {
            if let Some(view) = ask.env.view(lane) {
                picks[lane] = self.pick_at(lane, view);
            }
        }
    }
    /// Works as [`Bot::pick`], with the number of the table, for bots that remember what they heard there.
    fn pick_at(&mut self, _table: usize, view: SeatView<'_>) -> ActionId {
        self.pick(view)
    }
    /// Returns whether it wants to receive the event logs of its seats, line by line.
    fn listens(&self) -> bool {
        false
    }
    /// Receives a line of the event log of one of its seats at this table (in a batch, the table is the lane). A
    /// session starts with [`Line::Beginning`], which replaces everything that the seat heard at this table before.
    fn hear(&mut self, _table: usize, _seat: Seat, _line: &Line) {}
    /// Rates every legal move of a view that has a decision. The default gives its own move probability 1.
    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        Advice::certain(&view.legal_words(), self.pick(view))
    }
    /// Returns the probability that [`Bot::choose`] plays each legal move of a view that has a decision. Lists every
    /// legal move, in any order; the probabilities sum to 1. The default returns those of [`Bot::advise`].
    fn distribution(&mut self, view: SeatView<'_>) -> Vec<Ranked> {
        self.advise(view).moves
    }
    /// Evaluates observation rows (`[rows, cells]`) with their action masks (`[rows, words]`, at least one legal action
    /// each). Only networks decide from rows alone; the default returns `None`.
    fn evaluate(&mut self, _rows: ArrayView2<'_, u8>, _legal: ArrayView2<'_, u64>) -> Option<Evaluation> {
        None
    }
    /// Makes it end each decision early from when `stop` returns true. A search then decides by the playouts that it has
    /// completed; without any, it plays its player's own move. Other bots decide fast and ignore this.
    fn stop_when(&mut self, _stop: Stop) {}
    /// Returns its fault counts so far, if it is an external program.
    fn faults(&self) -> Option<Faults> {
        None
    }
    /// Returns and clears the first fault since the last call. Bots that are not external programs return `None`.
    fn take_fault(&mut self) -> Option<Fault> {
        None
    }
    /// Returns how many moves of this seat at this table were random because a program failed.
    fn random_moves(&self, _table: usize, _seat: Seat) -> u64 {
        0
    }
}

/// Sends a listening bot the new lines of the event log of one of its seats at table `number`. `heard` counts what the
/// bot has received: 0 at first, afterwards the table's steps plus 1. At 0 the header of the session comes first. After
/// taking moves back, set `heard` to 0, so that the bot receives the whole event log again.
pub fn tell(bot: &mut dyn Bot, number: usize, seat: Seat, table: &dyn AnyTable, heard: &mut usize) {
    let (from, to) = (std::mem::replace(heard, table.steps() + 1), Audience::Seat(seat));
    if !bot.listens() {
        return;
    }
    if from == 0 {
        bot.hear(number, seat, &table.header(to, Vec::new()));
    }
    for step in from..=table.steps() {
        table.lines(step, to).iter().for_each(|line| bot.hear(number, seat, line));
    }
}

/// Number of failures of a program to name a legal move in time, by cause. After each failure, a random legal move was
/// played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Faults {
    /// Answers that name an illegal move, or that are an error message.
    pub illegal: u64,
    /// Timeouts. The program was killed each time.
    pub late: u64,
    /// Decisions at which the program did not start, had ended, or wrote an invalid line.
    pub broken: u64,
    /// Decisions for which the program was no longer asked, because it was late or broken 3 times in a row.
    pub given_up: u64,
}

impl Sum for Faults {
    fn sum<I: Iterator<Item = Self>>(faults: I) -> Self {
        faults.fold(Self::default(), |mut all, faults| {
            all.add(faults);
            all
        })
    }
}

impl Faults {
    /// Returns the number of all faults.
    pub fn total(&self) -> u64 {
        self.illegal + self.late + self.broken + self.given_up
    }

    /// Adds the counts of `other`.
    pub fn add(&mut self, other: Self) {
        self.illegal += other.illegal;
        self.late += other.late;
        self.broken += other.broken;
        self.given_up += other.given_up;
    }

    /// Describes the faults of the program `name` and its first fault. Returns `None` if there were no faults.
    pub fn summary(&self, name: &str, first: Option<&Fault>) -> Option<String> {
        let Self { illegal, late, broken, given_up } = self;
        let total = self.total();
        if total == 0 {
            return None;
        }
        let moves = if total == 1 { "1 of its moves was" } else { &format!("{total} of its moves were") };
        let mut text = format!(
            "{name}: {moves} drawn at random: {illegal} illegal, {late} late, {broken} where it broke, {given_up} after it \
             was given up."
        );
        if let Some(first) = first {
            text.push_str(&format!("\nThe first fault: {first}"));
        }
        Some(text)
    }
}

/// The most characters of a line that a [`Fault`] stores.
const KEPT: usize = 2000;
/// The most characters of such a line in a message.
const SHOWN: usize = 300;

/// An exchange in which a program failed. Lines of more than 2,000 characters have `…` in place of their middle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What went wrong, in words.
    pub problem: String,
    /// The line that the program had to answer. Missing if the program did not start, or was no longer asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<String>,
    /// The line that the program wrote instead of a legal move; missing if it wrote none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How the process ended; missing if it did not end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// The last lines that the program wrote to standard error; missing if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

impl Fault {
    /// Creates a fault from the problem, the line that was sent, and the answer.
    pub(crate) fn new(problem: impl Into<String>, sent: Option<&str>, answer: Option<&str>) -> Self {
        let kept = |line: &str| shortened(line.trim_end(), KEPT);
        let (problem, sent, answer) = (problem.into(), sent.map(kept), answer.map(kept));
        Self { problem, sent, answer, ..Self::default() }
    }
}

impl fmt::Display for Fault {
    /// Writes the problem on one line, then one line for each known detail.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { problem, sent, answer, ended, stderr } = self;
        f.write_str(problem)?;
        for (what, line) in [("sent", sent), ("answer", answer), ("process", ended)] {
            if let Some(line) = line {
                write!(f, "\n  {what}: {}", shortened(line, SHOWN))?;
            }
        }
        if !stderr.is_empty() {
            f.write_str("\n  standard error ends with:")?;
        }
        stderr.iter().try_for_each(|line| write!(f, "\n    {}", shortened(line, SHOWN)))
    }
}

/// Shortens a line to at most `most` characters: its start and its end, with `…` between them.
pub(crate) fn shortened(line: &str, most: usize) -> String {
    let length = line.chars().count();
    if length <= most {
        return line.to_owned();
    }
    let (head, tail) = (most - 1 - most / 4, most / 4);
    let begin: String = line.chars().take(head).collect();
    let end: String = line.chars().skip(length - tail).collect();
    format!("{begin}…{end}")
}

/// How a bot rates a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The return that the viewing seat can expect, if the bot estimates it.
    pub value: Option<f32>,
    /// Every legal move, best first.
    pub moves: Vec<Ranked>,
}

/// What a bot plays and expects at many decisions; see [`Bot::evaluate`].
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The move that [`Bot::choose`] plays, `[rows]`.
    pub actions: Vec<ActionId>,
    /// The probabilities of [`Bot::advise`], `[rows, actions]`; 0 for illegal actions.
    pub probabilities: Array2<f32>,
    /// The return that the deciding seat can expect, `[rows]`.
    pub values: Vec<f32>,
}

/// A move and how the bot rates it.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The id of the move.
    pub action: ActionId,
    /// The probability that the bot plays it, 0 to 1. The probabilities of all moves sum to 1.
    pub probability: f64,
    /// The return that the viewing seat can expect after the move, if the bot estimates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
}

impl Advice {
    /// Creates advice with the moves sorted by probability, then by value, then by action.
    pub fn new(value: Option<f32>, mut moves: Vec<Ranked>) -> Self {
        sort_few(&mut moves, |a, b| {
            let by_value = b.value.unwrap_or_default().total_cmp(&a.value.unwrap_or_default());
            b.probability.total_cmp(&a.probability).then(by_value).then(a.action.cmp(&b.action)).is_lt()
        });
        Self { value, moves }
    }

    /// Returns the advice of a bot that always plays `own`, one of the `legal` actions (as mask words), and does not
    /// rate the others.
    pub fn certain(legal: &[u64], own: ActionId) -> Self {
        Self::new(None, certain(legal, own).collect())
    }
}

/// Returns every legal action, ascending: `own` with probability 1, the others with 0.
pub(crate) fn certain(legal: &[u64], own: ActionId) -> impl Iterator<Item = Ranked> + '_ {
    mask::actions(legal).map(move |action| {
        let probability = f64::from(u8::from(action == own));
        Ranked { action, probability, value: None }
    })
}

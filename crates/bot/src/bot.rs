//! What a bot is: something that decides, from what one seat may know.

use std::fmt;
use std::iter::Sum;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_env::record::Line;
use cardsharp_env::{ActionId, AnyTable, Audience, Batch, BatchEnv, Seat, SeatView, mask, sort_few};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Decisions that are due in a batch.
#[derive(Copy, Clone)]
pub struct Ask<'a> {
    /// The games: [`BatchEnv::view`] tells what each seat may know.
    pub env: &'a dyn BatchEnv,
    /// Masks of all lanes, and their rows where the batch has them.
    pub batch: &'a Batch,
    /// The lanes whose decision this bot makes; each of them is in state `Decide`.
    pub lanes: &'a [usize],
    /// Once it is set nobody waits for the answers, and those that are missing may stay so.
    pub stop: &'a AtomicBool,
}

/// A player. The same bot, made with the same seed and asked the same questions, gives the same answers.
///
/// [`Bot::pick`] is all that it must answer. The rest follows from it, and is there for those who can do
/// better: networks that decide for many games at once, bots with an opinion of every move, and bots that remember
/// what they were told.
pub trait Bot: Send {
    /// Its name, for reports.
    fn name(&self) -> &str;
    /// A legal move for a view that has a decision.
    fn pick(&mut self, view: SeatView<'_>) -> ActionId;
    /// Writes a legal action to `picks[lane]` for every lane in `ask.lanes` and leaves the others alone: what
    /// [`Bot::pick`] says, lane after lane.
    fn choose(&mut self, ask: Ask<'_>, picks: &mut [ActionId]) {
        for &lane in ask.lanes.iter().take_while(|_| !ask.stop.load(Ordering::Relaxed)) {
            if let Some(view) = ask.env.view(lane) {
                picks[lane] = self.pick_at(lane, view);
            }
        }
    }
    /// [`Bot::pick`] at a table that has a number, for bots that remember what they heard there.
    fn pick_at(&mut self, _table: usize, view: SeatView<'_>) -> ActionId {
        self.pick(view)
    }
    /// Whether it wants to hear what its seats are told: their records, line by line.
    fn listens(&self) -> bool {
        false
    }
    /// A line of the record of a seat that it plays at the table with this number (in a batch its lane). A session
    /// begins with [`Line::Beginning`], which takes the place of whatever the seat heard there before.
    fn hear(&mut self, _table: usize, _seat: Seat, _line: &Line) {}
    /// What it thinks of every legal move of a view that has a decision: it would surely play its own.
    fn advise(&mut self, view: SeatView<'_>) -> Advice {
        Advice::certain(&view.legal_words(), self.pick(view))
    }
    /// How probable it is that [`Bot::choose`] plays each legal move of a view that has a decision: every one
    /// of them, in any order, together 1. What it advises, unless it plays otherwise.
    fn distribution(&mut self, view: SeatView<'_>) -> Vec<Ranked> {
        self.advise(view).moves
    }
    /// What it did wrong so far, if it is a program that plays from outside.
    fn faults(&self) -> Option<Faults> {
        None
    }
    /// Takes the first fault since this was last called. None of bots that are no programs.
    fn take_fault(&mut self) -> Option<Fault> {
        None
    }
    /// How many moves of this seat at the table with this number were drawn at random because a program failed.
    fn random_moves(&self, _table: usize, _seat: Seat) -> u64 {
        0
    }
}

/// Tells a bot that listens what one of its seats was told at a table, which has a number, since it heard `heard` of
/// the table's steps: nothing yet at 0, where the session's beginning goes first. Whoever takes moves back sets
/// `heard` to 0, and the bot is told the whole record again.
pub fn tell(bot: &mut dyn Bot, number: usize, seat: Seat, table: &dyn AnyTable, heard: &mut usize) {
    let (from, to) = (std::mem::replace(heard, table.steps() + 1), Audience::Seat(seat));
    if !bot.listens() {
        return;
    }
    if from == 0 {
        bot.hear(number, seat, &table.header(to, Vec::new()));
    }
    for step in from..=table.steps() {
        table.told(step, to).iter().for_each(|line| bot.hear(number, seat, line));
    }
}

/// What a program did instead of naming a legal move in time; a move drawn at random was played each time.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Faults {
    /// It named a move that was not legal.
    pub illegal: u64,
    /// It took too long, and was ended.
    pub late: u64,
    /// It had ended, or wrote something that means nothing.
    pub broken: u64,
    /// It was not asked any more.
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
    /// All of them.
    pub fn total(&self) -> u64 {
        self.illegal + self.late + self.broken + self.given_up
    }

    /// Adds those of another time.
    pub fn add(&mut self, other: Self) {
        self.illegal += other.illegal;
        self.late += other.late;
        self.broken += other.broken;
        self.given_up += other.given_up;
    }

    /// Says in words what the program of this name did wrong, and shows its first fault; none if it did nothing wrong.
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

/// Characters of a line of a conversation that [`Fault`] keeps.
const KEPT: usize = 2000;
/// Characters of such a line in a message.
const SHOWN: usize = 300;

/// An exchange in which a program failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// What was wrong.
    pub problem: String,
    /// The line that the program was to answer; a long one without its middle. None if the program did not start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent: Option<String>,
    /// The line that it wrote instead of a legal move, if it wrote one; a long one without its middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How its process ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// The last lines that it wrote to standard error.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stderr: Vec<String>,
}

impl Fault {
    /// A problem with the line that was to be answered and the answer.
    pub(crate) fn new(problem: impl Into<String>, sent: Option<&str>, answer: Option<&str>) -> Self {
        let kept = |line: &str| shortened(line.trim_end(), KEPT);
        let (problem, sent, answer) = (problem.into(), sent.map(kept), answer.map(kept));
        Self { problem, sent, answer, ..Self::default() }
    }
}

impl fmt::Display for Fault {
    /// The problem on one line, then a line for each thing that is known of it.
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

/// At most `most` characters of a line: its beginning and its end.
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

/// What a bot thinks of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// The return that the viewing seat can expect, if the bot estimates it.
    pub value: Option<f32>,
    /// Every legal move, the best first.
    pub moves: Vec<Ranked>,
}

/// A move and how much a bot likes it.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The move.
    pub action: ActionId,
    /// How probable it is that the bot plays it, 0 to 1; all moves together have 1.
    pub probability: f64,
    /// The return that the viewing seat can expect if it plays the move, where the bot estimates that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
}

impl Advice {
    /// Sorts moves by probability, then by value, then by action.
    pub fn new(value: Option<f32>, mut moves: Vec<Ranked>) -> Self {
        sort_few(&mut moves, |a, b| {
            let by_value = b.value.unwrap_or_default().total_cmp(&a.value.unwrap_or_default());
            b.probability.total_cmp(&a.probability).then(by_value).then(a.action.cmp(&b.action)).is_lt()
        });
        Self { value, moves }
    }

    /// That of a bot that surely plays `own`, one of the `legal` actions (as words), and has no opinion of the
    /// others.
    pub fn certain(legal: &[u64], own: ActionId) -> Self {
        Self::new(None, certain(legal, own).collect())
    }
}

/// Every legal action, ascending: `own` with probability 1, the others with 0.
pub(crate) fn certain(legal: &[u64], own: ActionId) -> impl Iterator<Item = Ranked> + '_ {
    mask::actions(legal).map(move |action| {
        let probability = f64::from(u8::from(action == own));
        Ranked { action, probability, value: None }
    })
}

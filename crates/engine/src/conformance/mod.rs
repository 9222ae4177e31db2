//! The conformance suite: checks what every game must satisfy, in random play over all of its rules.
//!
//! A [`Suite`] plays random sessions and checks every decision: legality against the naive answer, rows, copies,
//! views as JSON, and payoffs. This needs only the rules of play and the encodings. Methods of the suite add
//! further checks: invariants, the scripted players, determinizations of every seat's view, foresight, event logs,
//! and whole sessions. Whole sessions are replayed, undone and played in batches. The first violation is returned
//! as a [`Finding`] with the session that leads to it.

mod chosen;
mod decision;
mod encodings;
mod event_logs;
mod foresight;
mod options;
mod whole;

use serde::Serialize;
use serde_json::{Value, json};

use crate::base::mask::{self, Mask};
use crate::base::rng::{DealRng, Draw};
use crate::base::rules::Rules;
use crate::base::seed::derived;
use crate::base::{ActionId, Seat};
use crate::game::{
    Actions, Check, Determinize, Foresee, Game, Label, Narrate, Observe, Play, Scripted, Turn, View,
    ViewError,
};
use crate::runtime::session::Session;
use decision::DecisionChecker;

/// The most decisions in a round: no round of any game is longer.
pub const LONGEST_ROUND: u64 = 4096;
/// One decision in this many gets the expensive checks: JSON and determinizations of every view.
const THOROUGH: u32 = 16;
/// The same within the first [`OPENING`] decisions of a round, where the rules differ most.
const THOROUGH_OPENING: u32 = 4;
/// Decisions at the start of a round that get the expensive checks more often.
const OPENING: u64 = 10;
/// One session in this many is replayed, undone, played in batches, and followed through its event logs.
const WHOLE: u64 = 4;

/// Counts of what a run of the suite covered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SuiteReport {
    /// Number of decisions that were checked.
    pub decisions: u64,
    /// Of these, decisions with a single legal action.
    pub forced: u64,
    /// Decisions whose views went through JSON and were determinized, for every seat.
    pub thorough: u64,
    /// Rounds that were played to their end.
    pub rounds: u64,
    /// Number of sessions that were started.
    pub sessions: u64,
    /// Sessions that were replayed, undone and played in batches.
    pub whole: u64,
    /// Views that were derived from a seat's event log alone, and compared with the seat's true view.
    pub observed: u64,
    /// Of these, views of an imagined round whose hidden cards differ from those of the real round.
    pub imagined: u64,
    /// Most decisions in a round.
    pub longest_round: u64,
    /// Sessions by number of players, starting at 0 players.
    pub players: Vec<u64>,
}

/// A violation, with the session up to the point where it was found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{game}: {violation}\n  rules {rules}\n  seed {seed}, after actions {}", json!(actions))]
pub struct Finding {
    /// The name of the game.
    pub game: &'static str,
    /// The rules of the session.
    pub rules: Value,
    /// The seed of the session.
    pub seed: u64,
    /// The actions played so far, forced ones included; a [`crate::runtime::replay::Replay`] plays them.
    pub actions: Box<[ActionId]>,
    /// What the suite found.
    pub violation: Violation,
}

/// The kinds of violations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Violation {
    /// A block table is not contiguous, or names a block twice.
    #[error("blocks: {0}")]
    Blocks(String),
    /// The options are not those that the engine reads, or rules that the game generates are refused.
    #[error("options: {0}")]
    Options(String),
    /// A label is not unique, does not parse back, or starts with a reserved character.
    #[error("labels: {0}")]
    Labels(String),
    /// A seat with a decision has no legal action, or a seat without one has some.
    #[error("seat {seat} has {count} legal actions, but its turn is {turn}")]
    Turn {
        seat: u8,
        /// Legal actions in its mask.
        count: usize,
        /// Whether it must decide.
        turn: bool,
    },
    /// The action mask and [`Actions::is_legal`] differ.
    #[error("seat {seat}: `{label}` is {} by the mask, {} by the rules' words", word(*mask), word(!*mask))]
    Legality {
        seat: u8,
        label: String,
        /// Whether the action mask has the action.
        mask: bool,
    },
    /// A cell of a row is not written, or exceeds its block's maximum.
    #[error("seat {seat}: cell {cell} of block `{block}` {problem}")]
    Cell {
        seat: u8,
        block: &'static str,
        /// The cell within the block.
        cell: u16,
        /// What is wrong with it.
        problem: String,
    },
    /// An invariant of the rules does not hold.
    #[error("invariant: {0}")]
    Invariant(String),
    /// A copy of a round continues differently after the same action.
    #[error("a copy of the round, given the same action, differs")]
    Copy,
    /// A view does not survive JSON, or is refused.
    #[error("seat {seat}, view as JSON: {problem}")]
    Json { seat: u8, problem: String },
    /// A determinization of a view does not show that view.
    #[error("seat {seat}, dealt again: {problem}")]
    Determinize { seat: u8, problem: String },
    /// A round did not continue as foreseen.
    #[error("seat {seat}, foresight: {problem}")]
    Foresight { seat: u8, problem: String },
    /// The scripted player chose an illegal action.
    #[error("seat {seat}: the scripted player chose `{label}`, which is not legal")]
    Scripted { seat: u8, label: String },
    /// A round does not end.
    #[error("the round has had {0} decisions")]
    Endless(u64),
    /// Places, points or rewards do not add up.
    #[error("payoff: {0}")]
    Payoff(String),
    /// A standing does not survive JSON, or does not determine the next round.
    #[error("standing: {0}")]
    SessionState(String),
    /// The same rules, seed and actions led to another state.
    #[error("replay: {0}")]
    Replay(String),
    /// A seat's event log does not reproduce its view, or reveals more.
    #[error("event log of seat {seat}: {problem}")]
    EventLog { seat: u8, problem: String },
    /// An undone move left something changed.
    #[error("undo: {0}")]
    Undo(String),
    /// Choosing the cards that were dealt gives another round.
    #[error("deal: {0}")]
    Chosen(String),
    /// A lane shows other decisions than the same session in another batch.
    #[error("batch: {0}")]
    Batch(String),
    /// The code of the game panicked.
    #[error("panic: {0}")]
    Panic(String),
}

fn word(legal: bool) -> &'static str {
    if legal { "legal" } else { "illegal" }
}

/// A function of a view.
type OfView<G, Answer> = fn(View<'_, G>) -> Answer;
/// Checks the invariants of a round.
type Auditing<G> = fn(&G) -> Result<(), String>;
/// Refuses an impossible view.
type Refusing<G> = fn(View<'_, G>) -> Result<(), ViewError>;
type Determinizing<G> = fn(View<'_, G>, DealRng) -> Option<G>;
/// Continues two rounds that look the same to a seat at its decision, and compares them.
type Foreseeing<G> = fn((&G, &G), Seat, &mut Draw) -> Result<(), String>;
/// Checks a whole session from its rules, its seed and its actions.
type OfSession<G> = fn(<G as Play>::Rules, u64, &[ActionId]) -> Result<(), Violation>;

/// Follows a whole session through the event logs of its seats. Returns how many views were compared, and how many
/// of them belong to an imagined round with other hidden cards.
type OfEventLogs<G> = fn(<G as Play>::Rules, u64, &[ActionId]) -> Result<[u64; 2], Violation>;

/// A selection of checks for game `G`.
pub struct Suite<G: Observe + Actions> {
    audit: Option<Auditing<G>>,
    check_view: Option<Refusing<G>>,
    determinize: Option<Determinizing<G>>,
    foresight: Option<Foreseeing<G>>,
    scripted: Option<OfView<G, ActionId>>,
    picture: Option<OfView<G, String>>,
    sessions: Option<OfSession<G>>,
    event_logs: Option<OfEventLogs<G>>,
}

impl<G: Observe + Actions> Default for Suite<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Observe + Actions> Suite<G> {
    /// Creates a suite that checks the rules of play and the encodings: options, legality against
    /// [`Actions::is_legal`], labels, rows, copies, views as JSON, payoffs and standings.
    pub const fn new() -> Self {
        Self {
            audit: None,
            check_view: None,
            determinize: None,
            foresight: None,
            scripted: None,
            picture: None,
            sessions: None,
            event_logs: None,
        }
    }

    /// Creates a suite with all checks.
    pub fn whole() -> Self
    where
        G: Game,
    {
        Self::new()
            .with_checks()
            .with_foresight()
            .with_players()
            .with_pictures()
            .with_sessions()
            .with_event_logs()
    }

    /// Adds checks that invariants hold at every decision, and that no view of a round is refused.
    pub fn with_checks(self) -> Self
    where
        G: Check,
    {
        Self { audit: Some(G::audit), check_view: Some(G::check_view), ..self }
    }

    /// Adds determinizations: every view must have one, and it must look the same to the viewer.
    pub fn with_determinizations(self) -> Self
    where
        G: Determinize,
    {
        Self { determinize: Some(G::determinize), ..self }
    }

    /// Adds foresight: rounds that look the same to a seat must continue identically, as far as the seat foresees
    /// them.
    pub fn with_foresight(self) -> Self
    where
        G: Foresee + Determinize,
    {
        Self { foresight: Some(foresight::check::<G>), ..self.with_determinizations() }
    }

    /// Adds the scripted player, which must make legal moves. Some sessions follow it half of the time, so that
    /// rounds also take realistic courses.
    pub fn with_players(self) -> Self
    where
        G: Scripted,
    {
        Self { scripted: Some(G::scripted), ..self }
    }

    /// Adds pictures: every view must have one.
    pub fn with_pictures(self) -> Self
    where
        G: Narrate,
    {
        Self { picture: Some(G::picture), ..self }
    }

    /// Adds whole sessions: some are replayed, undone, played in batches, and started again with their own deal as
    /// a chosen one.
    pub fn with_sessions(self) -> Self
    where
        G: Game,
    {
        Self { sessions: Some(whole::check::<G>), ..self }
    }

    /// Adds event logs: in some sessions, the views derived from each seat's log must equal the views of the seats.
    pub fn with_event_logs(self) -> Self
    where
        G: Game,
    {
        Self { event_logs: Some(event_logs::check::<G>), ..self }
    }

    /// Plays sessions by random rules and checks `decisions` random decisions. The same arguments check the same
    /// decisions.
    ///
    /// # Errors
    /// The first violation.
    pub fn run(&self, decisions: u64, seed: u64) -> Result<SuiteReport, Finding> {
        let found = |rules: Value, seed, actions: Vec<ActionId>, violation| {
            let actions = actions.into_boxed_slice();
            Finding { game: G::NAME, rules, seed, actions, violation }
        };
        let unplayed = |violation| found(Value::Null, seed, Vec::new(), violation);
        options::check::<G::Rules>().map_err(unplayed)?;
        encodings::check::<G>().map_err(unplayed)?;
        let mut report = SuiteReport {
            players: vec![0; usize::from(*G::Rules::PLAYERS.end()) + 1],
            ..SuiteReport::default()
        };
        let mut checker = DecisionChecker::<G>::new(self);
        while report.decisions < decisions {
            let number = report.sessions;
            let mut draw = Draw::new(seed, number);
            let rules = caught(|| Ok(G::Rules::random(&mut draw))).map_err(unplayed)?;
            let seed = derived(seed, &[number]);
            let mut actions = Vec::new();
            report.sessions += 1;
            let played = caught(|| {
                options::valid(&rules)?;
                report.players[usize::from(rules.players())] += 1;
                let mut trial = Trial { rules, seed, left: decisions, draw, actions: &mut actions };
                trial.play(&mut checker, &mut report)?;
                if let Some(sessions) = self.sessions
                    && number.is_multiple_of(WHOLE)
                {
                    sessions(rules, seed, &actions)?;
                    report.whole += 1;
                }
                if let Some(event_logs) = self.event_logs
                    && number.is_multiple_of(WHOLE)
                {
                    let [observed, imagined] = event_logs(rules, seed, &actions)?;
                    report.observed += observed;
                    report.imagined += imagined;
                }
                Ok(())
            });
            played.map_err(|violation| found(json!(rules), seed, actions, violation))?;
        }
        Ok(report)
    }
}

/// Turns a panic into a violation, so that the session that leads to it is reported.
fn caught<R>(play: impl FnOnce() -> Result<R, Violation>) -> Result<R, Violation> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(play)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Violation::Panic(text.unwrap_or_else(|| "without a message".to_owned())))
    })
}

struct Trial<'a, G: Play> {
    rules: G::Rules,
    seed: u64,
    /// Number of checked decisions after which the run ends.
    left: u64,
    draw: Draw,
    actions: &'a mut Vec<ActionId>,
}

impl<G: Observe + Actions> Trial<'_, G> {
    fn play(
        &mut self,
        checker: &mut DecisionChecker<'_, G>,
        report: &mut SuiteReport,
    ) -> Result<(), Violation> {
        checker.begin(&self.rules)?;
        let mut session = Session::<G>::new(self.rules, self.seed);
        let follows = self.draw.below(3) == 0;
        loop {
            let mut length = 0;
            while let Turn::Decide(seat) = session.round().turn() {
                if report.decisions == self.left {
                    return Ok(());
                }
                let legal = checker.decision(session.round(), seat, &mut self.draw)?;
                let share = if length < OPENING { THOROUGH_OPENING } else { THOROUGH };
                if self.draw.below(share) == 0 {
                    checker.thorough(session.round(), self.draw.bits())?;
                    report.thorough += 1;
                }
                let choices = mask::count(legal.words());
                if length < OPENING && report.decisions.is_multiple_of(u64::from(THOROUGH)) {
                    let one = mask::nth(legal.words(), report.decisions as u32 % choices).unwrap_or_default();
                    encodings::labels_at::<G>(session.round().table(), one)?;
                }
                let action = match checker.suite.scripted.filter(|_| follows && self.draw.below(2) == 0) {
                    Some(scripted) => scripted(session.round().view(seat)),
                    None => legal.random(&mut self.draw).unwrap_or_default(),
                };
                if !legal.contains(action) {
                    let label = Label::<G>::at(session.round().table(), action).to_string();
                    return Err(Violation::Scripted { seat: seat.0, label });
                }
                let mut copy = *session.round();
                self.actions.push(action);
                session.round_mut().play(action);
                copy.play(action);
                if copy != *session.round() {
                    return Err(Violation::Copy);
                }
                report.decisions += 1;
                report.forced += u64::from(choices == 1);
                length += 1;
                if length > LONGEST_ROUND {
                    return Err(Violation::Endless(length));
                }
            }
            report.longest_round = report.longest_round.max(length);
            report.rounds += 1;
            checker.audit(session.round()).map_err(Violation::Invariant)?;
            if self.draw.below(4) == 0 {
                checker.thorough(session.round(), self.draw.bits())?;
            }
            whole::settle(&mut session)?;
            if session.is_last() {
                return Ok(());
            }
            session.deal_next();
            whole::dealt_from_standing(&session, self.seed)?;
        }
    }
}

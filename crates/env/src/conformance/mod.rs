//! What every game must satisfy, checked on random play over all of its rules.
//!
//! A [`Suite`] plays random sessions and checks every decision: legality against the naive answer, rows,
//! copies, views as JSON, what rounds are worth. That asks for no more than the rules of play and the
//! encodings. What else a game has is checked where the suite is told so: invariants, the players by rule,
//! rounds dealt again from every seat's view, what a seat foresees in them, and whole sessions that are replayed, taken back and played in
//! batches. The first violation comes back as a [`Finding`] with the session that leads to it.

mod certain;
mod chosen;
mod decision;
mod encodings;
mod options;
mod records;
mod whole;

use serde::Serialize;
use serde_json::{Value, json};

use crate::drive::session::Session;
use crate::game::{
    Actions, Certain, Check, Game, Label, Narrate, Observe, Play, Redeal, Scripted, Turn, View, ViewError,
};
use crate::ground::mask::{self, Mask};
use crate::ground::rng::{DealRng, Draw};
use crate::ground::rules::Rules;
use crate::ground::seed::derived;
use crate::ground::{ActionId, Seat};
use decision::Checker;

/// No round of any game is longer.
pub const LONGEST_ROUND: u64 = 4096;
/// One decision in so many is checked through JSON and dealt again from every view …
const THOROUGH: u32 = 16;
/// … and one in so many of the first [`OPENING`] of a round, where the rules differ most.
const THOROUGH_OPENING: u32 = 4;
/// Decisions at the beginning of a round that are looked at more often.
const OPENING: u64 = 10;
/// One session in so many is replayed, taken back, played in batches, and followed by its records.
const WHOLE: u64 = 4;

/// What a run covered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Decisions checked.
    pub decisions: u64,
    /// Of these, decisions with a single legal action.
    pub forced: u64,
    /// Decisions whose views went through JSON and were dealt again from every seat.
    pub thorough: u64,
    /// Rounds that were played to their end.
    pub rounds: u64,
    /// Sessions begun.
    pub sessions: u64,
    /// Sessions that were replayed, taken back and played in batches.
    pub whole: u64,
    /// Views that were made of a seat's record alone, and compared with the seat's own.
    pub observed: u64,
    /// Of these, views of rounds in which hidden cards lay elsewhere than in the one that was imagined.
    pub imagined: u64,
    /// Most decisions in a round.
    pub longest_round: u64,
    /// Sessions by number of players, from 0 players on.
    pub players: Vec<u64>,
}

/// A violation, and the shortest beginning of the session that leads to it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{game}: {breach}\n  rules {rules}\n  seed {seed}, after actions {}", json!(actions))]
pub struct Finding {
    /// The game's name.
    pub game: &'static str,
    /// The rules of the session.
    pub rules: Value,
    /// The seed of the session.
    pub seed: u64,
    /// The actions played so far, forced ones included; a [`crate::drive::replay::Replay`] plays them.
    pub actions: Box<[ActionId]>,
    /// What is wrong.
    pub breach: Breach,
}

/// What a game got wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// A table of blocks is not contiguous, or names a block twice.
    #[error("blocks: {0}")]
    Blocks(String),
    /// The options are not what the engine reads, or rules that the game makes are refused.
    #[error("options: {0}")]
    Options(String),
    /// A label is not unique, does not parse back, or begins with a mark that is kept for other things.
    #[error("labels: {0}")]
    Labels(String),
    /// A seat with a decision has no legal action, or one without a decision has some.
    #[error("seat {seat} has {count} legal actions, but its turn is {turn}")]
    Turn {
        /// The seat.
        seat: u8,
        /// Legal actions in its mask.
        count: usize,
        /// Whether it must decide.
        turn: bool,
    },
    /// The mask and the naive answer differ.
    #[error("seat {seat}: `{label}` is {} by the mask, {} by the rules' words", word(*mask), word(!*mask))]
    Legality {
        /// The seat.
        seat: u8,
        /// The action.
        label: String,
        /// What the mask says.
        mask: bool,
    },
    /// A cell of a row is not written, or beyond its block's maximum.
    #[error("seat {seat}: cell {cell} of block `{block}` {problem}")]
    Cell {
        /// The seat.
        seat: u8,
        /// The block's name.
        block: &'static str,
        /// The cell within the block.
        cell: u16,
        /// What is wrong with it.
        problem: String,
    },
    /// An invariant of the rules does not hold.
    #[error("invariant: {0}")]
    Invariant(String),
    /// A copy of a round played on differently.
    #[error("a copy of the round, given the same action, differs")]
    Copy,
    /// A view does not survive JSON, or is refused.
    #[error("seat {seat}, view as JSON: {problem}")]
    Json {
        /// The seat.
        seat: u8,
        /// What is wrong.
        problem: String,
    },
    /// A round dealt from a view does not show that view.
    #[error("seat {seat}, dealt again: {problem}")]
    Redeal {
        /// The seat.
        seat: u8,
        /// What is wrong.
        problem: String,
    },
    /// What was said to be foreseen came otherwise.
    #[error("seat {seat}, foresight: {problem}")]
    Certain {
        /// The seat.
        seat: u8,
        /// What is wrong.
        problem: String,
    },
    /// The rule-based player chose an illegal action.
    #[error("seat {seat}: the scripted player chose `{label}`, which is not legal")]
    Scripted {
        /// The seat.
        seat: u8,
        /// What it chose.
        label: String,
    },
    /// A round does not end.
    #[error("the round has had {0} decisions")]
    Endless(u64),
    /// Places, points or rewards do not add up.
    #[error("payoff: {0}")]
    Payoff(String),
    /// The standing is not carried on.
    #[error("standing: {0}")]
    Standing(String),
    /// The same rules, seed and actions led elsewhere.
    #[error("replay: {0}")]
    Replay(String),
    /// What a seat is told does not make its view, or tells more than that.
    #[error("record of seat {seat}: {problem}")]
    Record {
        /// The seat.
        seat: u8,
        /// What is wrong.
        problem: String,
    },
    /// A move taken back left something behind.
    #[error("undo: {0}")]
    Undo(String),
    /// What was dealt, chosen for another session, is another round.
    #[error("deal: {0}")]
    Chosen(String),
    /// Batches play another session.
    #[error("batch: {0}")]
    Batch(String),
    /// The game panicked.
    #[error("panic: {0}")]
    Panic(String),
}

fn word(legal: bool) -> &'static str {
    if legal { "legal" } else { "illegal" }
}

/// A question about a view.
type OfView<G, Answer> = fn(View<'_, G>) -> Answer;
/// Checking the invariants of a round.
type Auditing<G> = fn(&G) -> Result<(), String>;
/// Refusing a view that cannot be.
type Refusing<G> = fn(View<'_, G>) -> Result<(), ViewError>;
/// Dealing again what a view does not show.
type Redealing<G> = fn(View<'_, G>, DealRng) -> Option<G>;
/// Playing two rounds on that look the same to a seat at its decision.
type Foreseeing<G> = fn((&G, &G), Seat, &mut Draw) -> Result<(), String>;
/// Checking a whole session: its rules, its seed, its actions.
type OfSession<G> = fn(<G as Play>::Rules, u64, &[ActionId]) -> Result<(), Breach>;

/// Following a whole session by the records of its seats: how many views were compared, and how many of them
/// were imagined otherwise.
type OfRecords<G> = fn(<G as Play>::Rules, u64, &[ActionId]) -> Result<[u64; 2], Breach>;

/// What is checked of game `G`.
pub struct Suite<G: Observe + Actions> {
    audit: Option<Auditing<G>>,
    check_view: Option<Refusing<G>>,
    redeal: Option<Redealing<G>>,
    certain: Option<Foreseeing<G>>,
    scripted: Option<OfView<G, ActionId>>,
    picture: Option<OfView<G, String>>,
    sessions: Option<OfSession<G>>,
    records: Option<OfRecords<G>>,
}

impl<G: Observe + Actions> Default for Suite<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Observe + Actions> Suite<G> {
    /// The rules of play and the encodings: options, legality against [`Actions::is_legal`], labels, rows,
    /// copies, views as JSON, payoffs and standings.
    pub const fn new() -> Self {
        Self {
            audit: None,
            check_view: None,
            redeal: None,
            certain: None,
            scripted: None,
            picture: None,
            sessions: None,
            records: None,
        }
    }

    /// Everything.
    pub fn whole() -> Self
    where
        G: Game,
    {
        Self::new()
            .with_checks()
            .with_certainty()
            .with_players()
            .with_pictures()
            .with_sessions()
            .with_records()
    }

    /// Invariants hold at every decision, and no view of a round is refused.
    pub fn with_checks(self) -> Self
    where
        G: Check,
    {
        Self { audit: Some(G::audit), check_view: Some(G::check_view), ..self }
    }

    /// From every view a round can be dealt again, which looks the same to the viewer.
    pub fn with_redeals(self) -> Self
    where
        G: Redeal,
    {
        Self { redeal: Some(G::redeal), ..self }
    }

    /// What a seat foresees comes: rounds that look the same to it go on alike as far as that goes.
    pub fn with_certainty(self) -> Self
    where
        G: Certain + Redeal,
    {
        Self { certain: Some(certain::check::<G>), ..self.with_redeals() }
    }

    /// The rule-based player makes legal moves; a share of the sessions follows it half of the time, so that
    /// rounds take the course that sensible play gives them, too.
    pub fn with_players(self) -> Self
    where
        G: Scripted,
    {
        Self { scripted: Some(G::scripted), ..self }
    }

    /// Every view has a picture.
    pub fn with_pictures(self) -> Self
    where
        G: Narrate,
    {
        Self { picture: Some(G::picture), ..self }
    }

    /// A share of the sessions is replayed, taken back, played through the batch interface, and begun with what was dealt
    /// as what somebody chose.
    pub fn with_sessions(self) -> Self
    where
        G: Game,
    {
        Self { sessions: Some(whole::check::<G>), ..self }
    }

    /// A share of the sessions is followed by what each seat is told: the views made of it are those of the
    /// seats, at every decision.
    pub fn with_records(self) -> Self
    where
        G: Game,
    {
        Self { records: Some(records::check::<G>), ..self }
    }

    /// Plays and checks `decisions` random decisions by rules drawn at random, session after session; the
    /// same arguments check the same decisions.
    ///
    /// # Errors
    /// The first violation.
    pub fn run(&self, decisions: u64, seed: u64) -> Result<Report, Finding> {
        let found = |rules: Value, seed, actions: Vec<ActionId>, breach| {
            let actions = actions.into_boxed_slice();
            Finding { game: G::NAME, rules, seed, actions, breach }
        };
        let unplayed = |breach| found(Value::Null, seed, Vec::new(), breach);
        options::check::<G::Rules>().map_err(unplayed)?;
        encodings::check::<G>().map_err(unplayed)?;
        let mut report =
            Report { players: vec![0; usize::from(*G::Rules::PLAYERS.end()) + 1], ..Report::default() };
        let mut checker = Checker::<G>::new(self);
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
                if let Some(records) = self.records
                    && number.is_multiple_of(WHOLE)
                {
                    let [observed, imagined] = records(rules, seed, &actions)?;
                    report.observed += observed;
                    report.imagined += imagined;
                }
                Ok(())
            });
            played.map_err(|breach| found(json!(rules), seed, actions, breach))?;
        }
        Ok(report)
    }
}

/// A panic becomes a breach, so that the session that leads to it is not lost.
fn caught<R>(play: impl FnOnce() -> Result<R, Breach>) -> Result<R, Breach> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(play)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Err(Breach::Panic(text.unwrap_or_else(|| "without a message".to_owned())))
    })
}

/// One random session.
struct Trial<'a, G: Play> {
    rules: G::Rules,
    seed: u64,
    /// Decisions after which the run ends.
    left: u64,
    draw: Draw,
    actions: &'a mut Vec<ActionId>,
}

impl<G: Observe + Actions> Trial<'_, G> {
    fn play(&mut self, checker: &mut Checker<'_, G>, report: &mut Report) -> Result<(), Breach> {
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
                    return Err(Breach::Scripted { seat: seat.0, label });
                }
                let mut copy = *session.round();
                self.actions.push(action);
                session.round_mut().play(action);
                copy.play(action);
                if copy != *session.round() {
                    return Err(Breach::Copy);
                }
                report.decisions += 1;
                report.forced += u64::from(choices == 1);
                length += 1;
                if length > LONGEST_ROUND {
                    return Err(Breach::Endless(length));
                }
            }
            report.longest_round = report.longest_round.max(length);
            report.rounds += 1;
            checker.audit(session.round()).map_err(Breach::Invariant)?;
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

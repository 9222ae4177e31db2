//! The table itself: the session, its journal, and what is about to be told. Whoever has it has it alone; it may be kept
//! as long as a bot thinks.

mod replay;

use std::sync::Arc;
use std::time::{Duration, Instant};

use cardsharp_env::rng::derive;
use cardsharp_env::rules::{RosterChange, RulesError};
use cardsharp_env::{ActionId, AnyGame, AnyTable, Seat};
use serde_json::json;

pub use replay::ReplayError;
pub(crate) use replay::{Replayed, listeners, opening, replay, sit};
use replay::{joined, names};

use crate::front::{Due, Front, Listener, Log, Stand, Telling, Told};
use crate::journal::{Entry, Journal, Opened, Sitter};
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::shelf::Shelf;

/// How long bots may move on before what they did is told, where nothing else says when.
const TELL_AFTER: Duration = Duration::from_millis(20);

/// The table itself.
pub(crate) struct Live {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) table: Box<dyn AnyTable>,
    pub(crate) journal: Journal,
    pub(crate) opened: Opened,
    pub(crate) course: Course,
    /// What happened and is not told yet.
    pending: Pending,
    /// When something was last told.
    told_at: Instant,
    /// Somebody makes the bots' moves.
    pub(crate) driven: bool,
    /// The table has ended or was put aside; whoever waited for it comes too late.
    pub(crate) gone: bool,
}

/// How a session came about, as far as it matters for what may be taken back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Course {
    /// Moves, deals and changes so far.
    pub(crate) steps: usize,
    /// How many of them stay: those up to the last deal.
    pub(crate) floor: usize,
    /// The decisions of the round: whose, and after how many steps.
    pub(crate) decisions: Vec<(Seat, usize)>,
    /// Who wants to come or go before the next round.
    pub(crate) wishes: Vec<RosterChange>,
}

#[derive(Default)]
struct Pending {
    entries: Vec<Entry>,
    steps: Vec<Told>,
    dealt: Option<usize>,
    newcomers: Vec<(Listener, Log)>,
    before: Course,
}

/// What happens next at a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// A person decides.
    Person,
    /// This bot decides.
    Bot(Seat),
    /// The round is over, and the next one is dealt.
    Deal,
    /// The round is over, and somebody has to ask for the next one.
    Asked,
    /// The session is over.
    Over,
}

/// What a listener is told of the last step.
pub(crate) fn lines(table: &dyn AnyTable, to: Listener) -> Vec<Arc<str>> {
    let lines = table.told(table.steps(), to.audience());
    lines.iter().map(|line| line.json().to_string().into()).collect()
}

/// How the session stands.
pub(crate) fn stand(table: &dyn AnyTable) -> Stand {
    let labels = || table.legal().into_iter().map(|action| table.label(action)).collect::<Vec<_>>();
    let due = table.turn().map(|seat| Due { seat, legal: json!({ "legal": labels() }).to_string().into() });
    Stand { due, present: table.present(), over: table.over() }
}

impl Live {
    pub(crate) fn new(
        game: &'static dyn AnyGame,
        table: Box<dyn AnyTable>,
        journal: Journal,
        opened: Opened,
        course: Course,
    ) -> Self {
        let pending = Pending::default();
        Self {
            game,
            table,
            journal,
            opened,
            course,
            pending,
            told_at: Instant::now(),
            driven: false,
            gone: false,
        }
    }

    /// What happens next.
    pub(crate) fn next(&self, sitters: &[Sitter]) -> Next {
        match self.table.turn() {
            Some(seat) => match sitters.get(seat.index()) {
                Some(Sitter::Bot(_)) => Next::Bot(seat),
                _ => Next::Person,
            },
            None if self.table.over() => Next::Over,
            None if self.opened.deal => Next::Deal,
            None => Next::Asked,
        }
    }

    /// The move of a person in `seat`, who must decide.
    pub(crate) fn play(&mut self, front: &Front, seat: Seat, choice: &str) -> Result<(), Refusal> {
        let action = self.table.parse(choice).ok_or_else(|| Refusal::NoMove {
            given: choice.chars().take(80).collect(),
            game: self.game.name(),
        })?;
        self.act(front, seat, action)
    }

    fn act(&mut self, front: &Front, seat: Seat, action: ActionId) -> Result<(), Refusal> {
        let choice = self.table.label(action);
        self.table.try_play(action).map_err(Refusal::Move)?;
        self.begin();
        self.course.decisions.push((seat, self.course.steps));
        self.step(front, Entry::Move { seat, choice });
        Ok(())
    }

    /// Deals the next round, after those have come and gone who wanted to.
    pub(crate) fn deal(&mut self, front: &Front) -> Result<(), Refusal> {
        if self.table.payoff().is_none() {
            return Err(Refusal::RoundInPlay);
        }
        if self.table.over() {
            return Err(Refusal::Over);
        }
        self.begin();
        let wishes = std::mem::take(&mut self.course.wishes);
        if !wishes.is_empty() {
            self.pending.entries.push(Entry::WishesDone);
        }
        for change in wishes {
            // What was possible when it was wished may have become impossible by what others wished since; then it
            // does not happen.
            if self.table.change_roster(change).is_ok() {
                self.step(front, Entry::Change(change));
                if let Err(refusal) = self.welcome(front, change) {
                    self.drop_pending();
                    return Err(refusal);
                }
            }
        }
        if self.table.deal_next() {
            self.pending.dealt = Some(self.pending.steps.len());
            self.step(front, Entry::Deal);
            (self.course.floor, self.course.decisions) = (self.course.steps, Vec::new());
        }
        Ok(())
    }

    fn begin(&mut self) {
        if self.pending.entries.is_empty() {
            self.pending.before = self.course.clone();
        }
    }

    fn step(&mut self, front: &Front, entry: Entry) {
        self.course.steps += 1;
        let mut listeners: Vec<Listener> = front.lock().logs.keys().copied().collect();
        listeners.extend(self.pending.newcomers.iter().map(|(listener, _)| *listener));
        let table = self.table.as_ref();
        let told = listeners.into_iter().map(|to| (to, lines(table, to))).collect();
        self.pending.entries.push(entry);
        self.pending.steps.push(told);
    }

    /// Takes back what was not told.
    fn drop_pending(&mut self) {
        let Pending { steps, before, .. } = std::mem::take(&mut self.pending);
        steps.iter().for_each(|_| {
            self.table.undo();
        });
        self.course = before;
    }

    /// Begins the record of a person who has just joined, if it has none.
    fn welcome(&mut self, front: &Front, change: RosterChange) -> Result<(), Refusal> {
        let RosterChange::Join(seat) = change else { return Ok(()) };
        let to = Listener::Seat(seat);
        let is_person = matches!(front.lock().sitters.get(seat.index()), Some(Sitter::Person { .. }));
        if is_person && !front.lock().logs.contains_key(&to) {
            let mut kept = self.journal.read().map_err(|_| Refusal::Disk)?;
            kept.entries.extend(self.pending.entries.iter().cloned());
            let names = names(&self.opened);
            let log =
                joined(self.game, &kept, &self.table.rules(), &names, seat).map_err(|_| Refusal::Internal)?;
            self.pending.newcomers.push((to, log));
        }
        Ok(())
    }

    /// Plays for bots and the dealer until a person must decide, or there is something to tell. False if there is
    /// nothing to be done.
    ///
    /// What nobody sees is never a reason to tell: others are told of the next thing that they see.
    ///
    /// # Errors
    /// No more lines are to be kept, or the disk refused what a newcomer's record is made of.
    pub(crate) fn go_on(&mut self, front: &Front, shelf: &Shelf, limits: &Limits) -> Result<bool, Refusal> {
        let begun = Instant::now();
        let sitters = front.lock().sitters.clone();
        front.lock().has_room(limits)?;
        self.journal.has_room()?;
        loop {
            let done = match self.next(&sitters) {
                Next::Bot(seat) => self.decide(front, shelf, seat, sitters[seat.index()].name()),
                Next::Deal => self.deal(front).map(|()| true),
                Next::Person | Next::Asked | Next::Over => break,
            };
            match done {
                Ok(is_seen) if is_seen && (self.opened.pace > 0 || begun.elapsed() > TELL_AFTER) => break,
                Ok(_) => {}
                // What was done before is told first.
                Err(_) if !self.pending.entries.is_empty() => break,
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(!self.pending.entries.is_empty())
    }

    /// The move of a bot; whether anybody else saw it.
    fn decide(&mut self, front: &Front, shelf: &Shelf, seat: Seat, bot: &str) -> Result<bool, Refusal> {
        let player = shelf.player(bot, self.game, 0.0)?;
        // A bot for each decision: none is kept, and a server that was started again plays the same.
        let mut bot = player.bot(derive(self.opened.bots, &[self.course.steps as u64]));
        let view = self.table.view(seat).ok_or(Refusal::NotYourTurn(seat.0))?;
        let action = bot.pick(view);
        self.act(front, seat, action)?;
        Ok(!lines(self.table.as_ref(), Listener::Everybody).is_empty())
    }

    /// When the bots' moves may be told.
    pub(crate) fn may_tell_at(&self) -> Instant {
        self.told_at + Duration::from_millis(self.opened.pace.into())
    }

    /// Writes down what happened, then tells it.
    ///
    /// # Errors
    /// The journal is full, or the disk refused it; then it did not happen.
    pub(crate) fn tell(&mut self, front: &Front) -> Result<(), Refusal> {
        if self.pending.entries.is_empty() {
            return Ok(());
        }
        if let Err(refusal) = self.journal.append(&self.pending.entries) {
            self.drop_pending();
            return Err(refusal);
        }
        let Pending { steps, dealt, newcomers, .. } = std::mem::take(&mut self.pending);
        front.tell(Telling { steps, dealt, newcomers, stand: stand(self.table.as_ref()) });
        self.forget();
        self.told_at = Instant::now();
        Ok(())
    }

    /// Forgets what can neither be taken back nor be told any more; the journal has it.
    pub(crate) fn forget(&mut self) {
        self.table.forget(self.course.floor);
    }

    /// How many steps are left if the last decision of `seat` in this round is taken back.
    pub(crate) fn before_last_of(&self, seat: Seat) -> Option<usize> {
        let own = self.course.decisions.iter().rfind(|(by, _)| *by == seat);
        own.map(|(_, steps)| *steps).filter(|steps| *steps >= self.course.floor)
    }

    /// Takes steps back until `to` are left.
    pub(crate) fn undo(&mut self, front: &Front, to: usize) -> Result<(), Refusal> {
        let count = self.course.steps.saturating_sub(to);
        self.journal.append(&[Entry::Undo(count)])?;
        (0..count).for_each(|_| {
            self.table.undo();
        });
        self.course.take_back_to(to);
        front.take_back_to(to, stand(self.table.as_ref()));
        Ok(())
    }

    /// Whether this change is possible before the next round, after those that were wished before.
    pub(crate) fn can_change(&mut self, change: RosterChange) -> Result<(), RulesError> {
        let wishes = self.course.wishes.clone();
        let done = wishes.iter().filter(|wish| self.table.change_roster(**wish).is_ok()).count();
        let result = self.table.change_roster(change);
        (0..done + usize::from(result.is_ok())).for_each(|_| {
            self.table.undo();
        });
        result
    }

    /// Refuses a seat that has nothing to decide.
    pub(crate) fn must_decide(&self, seat: Seat) -> Result<(), Refusal> {
        if self.table.turn() == Some(seat) { Ok(()) } else { Err(Refusal::NotYourTurn(seat.0)) }
    }
}

impl Course {
    /// Forgets the steps after `to`.
    pub(crate) fn take_back_to(&mut self, to: usize) {
        self.steps = to;
        self.decisions.retain(|(_, before)| *before < to);
    }
}

//! The live part of a table: the session, its journal, and steps that are not sent yet. One task at a time holds it, and
//! never while a bot searches.

mod checkpoint;
mod replay;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cardsharp_bot::{Player, Stop};
use cardsharp_env::log::Line;
use cardsharp_env::rng::derive;
use cardsharp_env::rules::{RosterChange, RulesError};
use cardsharp_env::{ActionId, AnyGame, AnyTable, AnyView, Audience, Seat};
use serde_json::json;

use checkpoint::Marked;
pub(crate) use checkpoint::resume;
pub(crate) use replay::{RebuildError, Replayed, replay, trace};
use replay::{joined, listeners, opening};

use crate::catalog::BotCatalog;
use crate::clock::Then;
use crate::deals::SeedSource;
use crate::feed::{Due, Listener, ListenerLog, NewLines, Stand, TableFeed, Telling};
use crate::journal::{Journal, JournalLine, Opened, Sitter};
use crate::limits::Limits;
use crate::players::Players;
use crate::refusal::Refusal;
use crate::thinking::Halt;

/// The bot that plays for people whose time is over.
const IN_TIME: &str = "scripted";
/// How long bots may move before their moves are sent, if the table has no `pace`.
const TELL_AFTER: Duration = Duration::from_millis(20);

/// The live part of a table.
pub(crate) struct Live {
    pub(crate) game: &'static dyn AnyGame,
    pub(crate) table: Box<dyn AnyTable>,
    pub(crate) journal: Journal,
    pub(crate) opened: Opened,
    pub(crate) course: SessionSteps,
    /// Whether the session has not started, because some people are not ready. `table` is then only a placeholder, which no
    /// client sees.
    pub(crate) waits: bool,
    marked: Marked,
    /// The number of steps after which the journal gets a checkpoint.
    mark_after: usize,
    /// Steps that are neither in the journal nor sent yet.
    pending: Pending,
    /// Ends the search of a bot whose seat must decide.
    thinking: Option<Halt>,
    /// When steps were last sent.
    sent_at: Instant,
    /// Whether a task makes the moves of the bots.
    pub(crate) driven: bool,
    /// Whether the table has ended or was saved. Jobs that still wait for it are refused.
    pub(crate) gone: bool,
}

/// The steps of a session, as far as undo and changes of players need them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SessionSteps {
    /// The number of moves, deals and changes of players so far.
    pub(crate) steps: usize,
    /// The number of steps that cannot be taken back: those up to the last deal.
    pub(crate) floor: usize,
    /// The decisions of the round: the seat, and the number of steps before the decision.
    pub(crate) decisions: Vec<(Seat, usize)>,
    /// Requests to join or leave before the next round.
    pub(crate) wishes: Vec<RosterChange>,
}

#[derive(Default)]
struct Pending {
    entries: Vec<JournalLine>,
    steps: Vec<NewLines>,
    dealt: Option<usize>,
    newcomers: Vec<(Listener, ListenerLog)>,
    /// Whether everyone at the table sees one of the steps.
    seen: bool,
    /// Whether everyone at the table sees that a person moved, which refuses an open request to take a move back.
    refuses: bool,
    /// The time that the person who moved has used, if it is limited.
    used: Option<(Seat, Duration)>,
    before: SessionSteps,
}

/// Steps that are not sent, and were taken back for a while.
pub(crate) struct Unsent {
    pending: Pending,
    course: SessionSteps,
}

/// What the bots of a table do next.
pub(crate) enum Go {
    /// They wait for people, or the session is over.
    Rest,
    /// Their moves are written and sent.
    Tell,
    /// One of them searches.
    Think(Thought),
}

/// A decision of a bot that searches.
pub(crate) struct Thought {
    pub(crate) seat: Seat,
    /// An estimate of its time; see [`BotCatalog::cost`].
    pub(crate) cost: u32,
    /// Cancelled when the table has changed, so that the decision is not needed.
    pub(crate) halt: Halt,
    view: Box<dyn AnyView>,
    player: Player,
    seed: u64,
}

impl Thought {
    /// Returns the bot's move, once `stop` returns true or earlier.
    pub(crate) fn pick(self, stop: Stop) -> ActionId {
        let mut bot = self.player.bot(self.seed);
        bot.stop_when(stop);
        bot.pick(self.view.view())
    }
}

/// What happens next at a table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum NextStep {
    Person,
    /// All people are ready, and the session starts.
    Start,
    Bot(Seat),
    /// The round is over, and the next one is dealt.
    Deal,
    /// The round is over, and a client must request the next one.
    Asked,
    /// The session is over.
    Over,
}

/// Returns the lines that the last step adds to each of these event logs. Event logs share the text of equal lines.
pub(crate) fn new_lines(table: &dyn AnyTable, listeners: impl IntoIterator<Item = Listener>) -> NewLines {
    let mut written: Vec<(Line, Arc<str>)> = Vec::new();
    let mut text = |line: Line| match written.iter().find(|(other, _)| *other == line) {
        Some((_, text)) => Arc::clone(text),
        None => {
            let text: Arc<str> = line.json().to_string().into();
            written.push((line, Arc::clone(&text)));
            text
        }
    };
    let mut lines =
        |to: Listener| table.lines(table.steps(), to.audience()).into_iter().map(&mut text).collect();
    listeners.into_iter().map(|to| (to, lines(to))).collect()
}

/// Returns the round in play, if a player in this seat sees cards of it.
fn exposed(table: &dyn AnyTable, seat: Seat) -> Option<u32> {
    let is_present = seat.index() < table.seats() && table.present().has(seat.0);
    (is_present && table.turn().is_some()).then(|| table.round())
}

/// Returns the state of the session that the feed needs. `waits` is as in [`Live`].
pub(crate) fn stand(table: &dyn AnyTable, waits: bool) -> Stand {
    if waits {
        return Stand { waiting: true, ..Stand::default() };
    }
    let labels = || table.legal().into_iter().map(|action| table.label(action)).collect::<Vec<_>>();
    let due = table.turn().map(|seat| Due { seat, legal: json!({ "legal": labels() }).to_string().into() });
    Stand { due, present: table.present(), over: table.over(), waiting: false }
}

impl Live {
    /// Returns the live part of a table, and what its feed needs.
    pub(crate) fn new(
        journal: Journal,
        opened: Opened,
        replayed: Replayed,
        mark_after: usize,
    ) -> (Self, Players, BTreeMap<Listener, ListenerLog>, u64) {
        let Replayed { game, table, course, players, logs, epoch, waits, marked } = replayed;
        let live = Self {
            game,
            table,
            journal,
            opened,
            course,
            waits,
            marked,
            mark_after,
            pending: Pending::default(),
            thinking: None,
            sent_at: Instant::now(),
            driven: false,
            gone: false,
        };
        (live, players, logs, epoch)
    }

    /// Returns what happens next.
    pub(crate) fn next(&self, players: &Players) -> NextStep {
        match self.table.turn() {
            _ if self.waits => {
                if players.all_ready() {
                    NextStep::Start
                } else {
                    NextStep::Person
                }
            }
            Some(seat) if players.bot(seat).is_some() => NextStep::Bot(seat),
            Some(_) => NextStep::Person,
            None if self.table.over() => NextStep::Over,
            None if self.opened.deal => NextStep::Deal,
            None => NextStep::Asked,
        }
    }

    /// Plays the move of a person in `seat`, which must be the seat to move.
    pub(crate) fn play(&mut self, feed: &TableFeed, seat: Seat, choice: &str) -> Result<(), Refusal> {
        let action = self.table.parse(choice).ok_or_else(|| Refusal::NoMove {
            given: choice.chars().take(80).collect(),
            game: self.game.name(),
        })?;
        let used = feed.lock().time_used(seat);
        self.act(feed, seat, action)?;
        self.count_time(seat, used);
        Ok(())
    }

    /// Notes the time that the person in `seat` has used, with that for the move just made; none if it is not limited.
    fn count_time(&mut self, seat: Seat, used: Option<Duration>) {
        if let Some(used) = used {
            self.pending.entries.push(JournalLine::Time { seat, used: used.as_millis() as u64 });
            self.pending.used = Some((seat, used));
        }
    }

    /// Plays a legal move of the seat to move.
    pub(crate) fn act(&mut self, feed: &TableFeed, seat: Seat, action: ActionId) -> Result<(), Refusal> {
        let choice = self.table.label(action);
        self.table.try_play(action).map_err(Refusal::Move)?;
        self.begin();
        self.course.decisions.push((seat, self.course.steps));
        self.step(feed, JournalLine::Move { seat, choice });
        Ok(())
    }

    /// Carries out the requests to join and leave, then deals the next round.
    pub(crate) fn deal(&mut self, feed: &TableFeed) -> Result<(), Refusal> {
        if self.table.payoff().is_none() {
            return Err(Refusal::RoundInPlay);
        }
        if self.table.over() {
            return Err(Refusal::Over);
        }
        self.begin();
        let wishes = std::mem::take(&mut self.course.wishes);
        if !wishes.is_empty() {
            self.pending.entries.push(JournalLine::WishesDone);
        }
        for change in wishes {
            // Other requests may have made this one impossible meanwhile. It is then ignored.
            if self.table.change_roster(change).is_ok() {
                self.step(feed, JournalLine::Change(change));
                if let Err(refusal) = self.welcome(feed, change) {
                    self.take_unsent();
                    return Err(refusal);
                }
            }
        }
        if self.table.deal_next() {
            self.pending.dealt = Some(self.pending.steps.len());
            self.step(feed, JournalLine::Deal);
            (self.course.floor, self.course.decisions) = (self.course.steps, Vec::new());
        }
        Ok(())
    }

    fn begin(&mut self) {
        if self.pending.entries.is_empty() {
            self.pending.before = self.course.clone();
        }
    }

    fn step(&mut self, feed: &TableFeed, entry: JournalLine) {
        self.course.steps += 1;
        let inner = feed.lock();
        let mut listeners: Vec<Listener> = inner.logs.keys().copied().collect();
        listeners.extend(self.pending.newcomers.iter().map(|(listener, _)| *listener));
        let table = self.table.as_ref();
        let public = table.lines(table.steps(), Audience::Everybody);
        self.pending.seen |= !public.is_empty();
        // A move that others do not see refuses nothing: they would notice that the request is gone.
        let is_person = |seat: &Seat| inner.players.bot(*seat).is_none();
        let by_person = |line: &Line| matches!(line, Line::Move { seat, .. } if is_person(seat));
        self.pending.refuses |= public.iter().any(by_person);
        drop(inner);
        self.pending.entries.push(entry);
        self.pending.steps.push(new_lines(table, listeners));
    }

    /// Undoes the steps that are not sent, and returns them.
    fn take_unsent(&mut self) -> Option<Unsent> {
        let pending = std::mem::take(&mut self.pending);
        if pending.entries.is_empty() {
            return None;
        }
        pending.steps.iter().for_each(|_| {
            self.table.undo();
        });
        let course = std::mem::replace(&mut self.course, pending.before.clone());
        Some(Unsent { pending, course })
    }

    /// Makes the steps again that [`Live::take_unsent`] returned. The table is the same again.
    fn put_back(&mut self, Unsent { pending, course }: Unsent) {
        let table = self.table.as_mut();
        for entry in &pending.entries {
            let done = match entry {
                JournalLine::Move { choice, .. } => {
                    table.parse(choice).is_some_and(|action| table.try_play(action).is_ok())
                }
                JournalLine::Deal => table.deal_next(),
                JournalLine::Change(change) => table.change_roster(*change).is_ok(),
                _ => true,
            };
            debug_assert!(done, "{entry:?} was possible before");
        }
        (self.pending, self.course) = (pending, course);
    }

    /// Runs a job that may change the table. The job sees the table as clients know it, without the steps that are not
    /// sent yet. If it writes to the journal or ends the table, the bots decide anew. Otherwise they continue.
    pub(crate) fn change<T>(
        &mut self,
        feed: &TableFeed,
        job: impl FnOnce(&mut Self, &TableFeed) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let unsent = self.take_unsent();
        let before = self.journal.length();
        let result = job(self, feed);
        if self.gone || self.journal.length() != before {
            self.thinking.take().iter().for_each(Halt::cancel);
            feed.set_stopped(None);
        } else if let Some(unsent) = unsent {
            self.put_back(unsent);
        }
        if let Err(refusal @ (Refusal::Disk | Refusal::LongRecord(_))) = &result {
            feed.set_stopped(Some(refusal));
        }
        result
    }

    /// Makes the event log of a person who has just joined, if there is none.
    fn welcome(&mut self, feed: &TableFeed, change: RosterChange) -> Result<(), Refusal> {
        let RosterChange::Join(seat) = change else { return Ok(()) };
        let to = Listener::Seat(seat);
        let is_person = feed.lock().players.has_person(seat);
        if is_person && !feed.lock().logs.contains_key(&to) {
            let mut kept = self.journal.read().map_err(|_| Refusal::Disk)?;
            kept.entries.extend(self.pending.entries.iter().cloned());
            let log = joined(self.game, &kept, &self.table.rules(), seat).map_err(|_| Refusal::Internal)?;
            self.pending.newcomers.push((to, log));
        }
        Ok(())
    }

    /// Plays for the bots and deals rounds, until a person must decide, a bot must search, or there are steps to send.
    ///
    /// Steps that others do not see are never sent alone, but with the next step that they see.
    ///
    /// # Errors
    /// The event logs or the journal are full, or the journal cannot be read for the event log of a new player.
    pub(crate) fn go_on(
        &mut self,
        feed: &TableFeed,
        catalog: &BotCatalog,
        limits: &Limits,
        halt: Halt,
    ) -> Result<Go, Refusal> {
        let begun = Instant::now();
        let mut players = feed.lock().players.clone();
        feed.lock().has_room(limits)?;
        self.journal.has_room()?;
        loop {
            let done = match self.next(&players) {
                NextStep::Bot(seat) => {
                    let bot = players.bot(seat).unwrap_or_default();
                    let cost = catalog.cost(bot);
                    if cost > 1 && self.table.legal().len() > 1 {
                        // Others see at once what was done before the search.
                        if self.pending.seen {
                            return Ok(Go::Tell);
                        }
                        return self.thought(catalog, seat, bot, cost, halt).map(Go::Think);
                    }
                    self.decide(feed, catalog, seat, bot)
                }
                NextStep::Deal => {
                    let dealt = self.deal(feed);
                    // With this deal, other players decide, whom `players` does not have. A checkpoint follows a deal at once.
                    if dealt.is_ok() && (players.change_at_deal() || self.is_mark_due()) {
                        break;
                    }
                    dealt
                }
                NextStep::Start => {
                    let started = self.start(feed);
                    players = feed.lock().players.clone();
                    started
                }
                NextStep::Person | NextStep::Asked | NextStep::Over => break,
            };
            match done {
                Ok(()) if self.pending.seen && (self.opened.pace > 0 || begun.elapsed() > TELL_AFTER) => {
                    break;
                }
                Ok(()) => {}
                // Steps before the error are sent first.
                Err(_) if !self.pending.entries.is_empty() => break,
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(if self.pending.entries.is_empty() { Go::Rest } else { Go::Tell })
    }

    /// Starts the session of a table with a ready-check: the salts are complete, so they determine the seed.
    fn start(&mut self, feed: &TableFeed) -> Result<(), Refusal> {
        let players = feed.lock().players.clone();
        let salts = players.salts();
        let deals = self.opened.secret.clone().map(|secret| SeedSource { secret, salts: salts.clone() });
        let seed = deals.map_or(self.opened.seed, |deals| deals.seed());
        let table = self.game.rules(&self.opened.rules)?.table(seed);
        self.journal.append(&[JournalLine::Start { seed, salts: salts.clone() }])?;
        let listeners = listeners(self.opened.spectators, &players.sitters, table.seats());
        let names: Vec<String> = players.sitters.iter().map(|sitter| sitter.name().to_owned()).collect();
        let logs = opening(table.as_ref(), &names, listeners);
        (self.table, self.waits) = (table, false);
        feed.start(salts, logs, stand(self.table.as_ref(), false));
        Ok(())
    }

    /// Returns the round in play, if a player in this seat sees cards of it.
    pub(crate) fn exposed(&self, seat: Seat) -> Option<u32> {
        if self.waits { None } else { exposed(self.table.as_ref(), seat) }
    }

    /// Notes that no task makes the moves of the bots any more.
    pub(crate) fn rest(&mut self, _: &TableFeed) -> Result<(), Refusal> {
        self.driven = false;
        Ok(())
    }

    /// Does what the table's clock demands when the time of the person in `seat` is over.
    ///
    /// # Errors
    /// The journal is full or cannot be written.
    pub(crate) fn time_over(
        &mut self,
        feed: &TableFeed,
        catalog: &BotCatalog,
        seat: Seat,
        then: Then,
    ) -> Result<(), Refusal> {
        match then {
            Then::Move => {
                let used = feed.lock().time_used(seat);
                self.decide(feed, catalog, seat, IN_TIME)?;
                self.count_time(seat, used);
                self.tell(feed)
            }
            Then::Substitute => self.substitute(feed, seat, Some(IN_TIME.to_owned()), false),
            Then::Leave => self.seat_bot(feed, seat, IN_TIME.to_owned()),
        }
    }

    /// Lets a bot play for the person in a seat, or the person again.
    ///
    /// # Errors
    /// The journal is full or cannot be written.
    pub(crate) fn substitute(
        &mut self,
        feed: &TableFeed,
        seat: Seat,
        bot: Option<String>,
        at_deal: bool,
    ) -> Result<(), Refusal> {
        self.journal.append(&[JournalLine::Substitute { seat, bot: bot.clone(), at_deal }])?;
        feed.hand(seat, bot, at_deal);
        Ok(())
    }

    /// Puts a bot into a seat at once.
    ///
    /// # Errors
    /// The journal is full or cannot be written.
    pub(crate) fn seat_bot(&mut self, feed: &TableFeed, seat: Seat, bot: String) -> Result<(), Refusal> {
        let sitter = Sitter::Bot(bot);
        self.journal.append(&[JournalLine::Sits { seat, sitter: sitter.clone() }])?;
        feed.sit(seat, sitter, None, None);
        Ok(())
    }

    /// Makes the move of a bot that does not search.
    fn decide(
        &mut self,
        feed: &TableFeed,
        catalog: &BotCatalog,
        seat: Seat,
        bot: &str,
    ) -> Result<(), Refusal> {
        let player = catalog.player(bot, self.game, 0.0)?;
        let view = self.table.view(seat).ok_or(Refusal::NotYourTurn(seat.0))?;
        let action = player.bot(self.bot_seed()).pick(view);
        self.act(feed, seat, action)
    }

    /// Returns the decision of a bot that searches.
    fn thought(
        &mut self,
        catalog: &BotCatalog,
        seat: Seat,
        bot: &str,
        cost: u32,
        halt: Halt,
    ) -> Result<Thought, Refusal> {
        let player = catalog.player(bot, self.game, 0.0)?;
        let view = self.table.view(seat).ok_or(Refusal::NotYourTurn(seat.0))?.kept();
        self.thinking = Some(halt.clone());
        Ok(Thought { seat, cost, halt, view, player, seed: self.bot_seed() })
    }

    /// Returns the seed for the next decision of a bot. Each decision has a new bot, with a seed from the step. So a
    /// restarted server plays the same moves.
    fn bot_seed(&self) -> u64 {
        derive(self.opened.bots, &[self.course.steps as u64])
    }

    /// When the next moves of bots may be sent.
    pub(crate) fn may_tell_at(&self) -> Instant {
        self.sent_at + Duration::from_millis(self.opened.pace.into())
    }

    /// Writes the pending steps to the journal, then sends them.
    ///
    /// # Errors
    /// The journal is full or cannot be written. The pending steps are then undone.
    pub(crate) fn tell(&mut self, feed: &TableFeed) -> Result<(), Refusal> {
        if self.pending.entries.is_empty() {
            return Ok(());
        }
        if let Err(refusal) = self.journal.append(&self.pending.entries) {
            self.take_unsent();
            return Err(refusal);
        }
        let Pending { steps, dealt, newcomers, refuses, used, .. } = std::mem::take(&mut self.pending);
        let is_dealt = dealt.is_some_and(|dealt| dealt + 1 == steps.len());
        feed.tell(Telling {
            steps,
            dealt,
            newcomers,
            refuses,
            used,
            stand: stand(self.table.as_ref(), false),
        });
        self.forget();
        self.sent_at = Instant::now();
        if is_dealt && self.is_mark_due() {
            self.mark(feed);
        }
        Ok(())
    }

    /// Frees the memory of steps that cannot be taken back and were already sent. The journal still has them.
    pub(crate) fn forget(&mut self) {
        self.table.forget(self.course.floor);
    }

    /// Returns the number of steps before the last decision of `seat` in this round, if it can be taken back.
    pub(crate) fn before_last_of(&self, seat: Seat) -> Option<usize> {
        let own = self.course.decisions.iter().rfind(|(by, _)| *by == seat);
        own.map(|(_, steps)| *steps).filter(|steps| *steps >= self.course.floor)
    }

    /// Undoes steps until `to` are left.
    pub(crate) fn undo(&mut self, feed: &TableFeed, to: usize) -> Result<(), Refusal> {
        let count = self.course.steps.saturating_sub(to);
        self.journal.append(&[JournalLine::Undo(count)])?;
        (0..count).for_each(|_| {
            self.table.undo();
        });
        self.course.take_back_to(to);
        feed.take_back_to(to, stand(self.table.as_ref(), false));
        Ok(())
    }

    /// Returns an error if this change is impossible before the next round, after the changes that were requested
    /// earlier.
    pub(crate) fn can_change(&mut self, change: RosterChange) -> Result<(), RulesError> {
        let wishes = self.course.wishes.clone();
        let done = wishes.iter().filter(|wish| self.table.change_roster(**wish).is_ok()).count();
        let result = self.table.change_roster(change);
        (0..done + usize::from(result.is_ok())).for_each(|_| {
            self.table.undo();
        });
        result
    }
}

impl SessionSteps {
    /// Removes the steps after the first `to`.
    pub(crate) fn take_back_to(&mut self, to: usize) {
        self.steps = to;
        self.decisions.retain(|(_, before)| *before < to);
    }
}

//! Event logs of seats, and imagined rounds that follow them.

use serde_json::Value;

use super::{Actions, Label, Narrate, Turn};
use crate::base::mask::Mask;
use crate::base::rng::DealRng;
use crate::base::{ActionId, Seat};

/// The event log of a seat during a round: the lines of a trace without what the seat may not see. Also the
/// inverse: an imagined round derived from an event log. Its hidden cards are guessed, but the seat's view of it
/// equals the seat's real view.
pub trait EventLog: Narrate + Actions {
    /// What is known of a round before its cards are dealt: the seating. Called only while
    /// [`Narrate::describe_deal`] returns `None`.
    fn seated(&self) -> Value {
        Value::Object(serde_json::Map::new())
    }
    /// Returns the part of a deal ([`Narrate::describe_deal`]) that a seat may see or, without a seat, that
    /// everyone sees.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value;
    /// Returns the part of an event (from [`Narrate::events`]) that a seat or, without a seat, everyone may see.
    /// `None` if they must not notice the event.
    fn conceal_event(event: Value, to: Option<Seat>) -> Option<Value>;
    /// Whether everyone notices that an action which is not public was taken, though not which one.
    fn is_noticed(&self, _action: ActionId) -> bool {
        false
    }
    /// Creates a round that starts with the lines that `seat` received, after rounds that led to `standing`. In a
    /// session's first round, the seating in `standing` is arbitrary. A seat that sits the round out received the
    /// public lines.
    ///
    /// # Errors
    /// No round can start with these lines; the text says why.
    fn imagine(
        rules: &Self::Rules,
        standing: &Self::SessionState,
        seat: Seat,
        update: &Update<'_>,
        rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String>;
    /// Continues a round with the lines that its seat received: arranges hidden cards so that they produce these
    /// lines, and plays. It first plays the unseen choices of other seats since the last call.
    ///
    /// # Errors
    /// The round cannot continue with these lines; the text says why.
    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String>;
}

/// Returns the number of cards in a text of cards.
pub fn cards_in(text: &Value) -> usize {
    text.as_str().map_or(0, |cards| cards.split_whitespace().count())
}

/// The lines that a seat received at once: a choice with its consequences, or events that it noticed without a
/// choice.
#[derive(Copy, Clone, Debug, Default)]
pub struct Update<'a> {
    /// The seat that chose, and its action; no action if only the choice itself was noticed.
    pub choice: Option<(Seat, Option<ActionId>)>,
    /// What is known before the deal, as [`EventLog::seated`] returns it.
    pub seated: Option<&'a Value>,
    /// The deal, as [`EventLog::conceal_deal`] returns it.
    pub deal: Option<&'a Value>,
    /// The events after it, as [`EventLog::conceal_event`] returns them, in order.
    pub events: &'a [Value],
    /// Whether the seat must decide after these lines.
    pub turn: bool,
}

impl<'a> Update<'a> {
    /// The events of one kind.
    pub fn events_of(&self, kind: &str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| event["event"] == kind)
    }
}

/// An imagined round that fits everything a seat knows.
#[derive(Clone, Debug)]
pub struct ImaginedRound<G> {
    /// A round in which hidden cards may differ from the real ones.
    pub round: G,
    /// The seat whose view of the round is correct.
    pub seat: Seat,
    /// The content of the lines that the seat would have received from this round since these lines were last
    /// taken.
    pub lines: Vec<Value>,
}

impl<G: EventLog> ImaginedRound<G> {
    /// Wraps a round that has just begun.
    pub fn begun(round: G, seat: Seat) -> Self {
        let mut imagined = Self { round, seat, lines: Vec::new() };
        match imagined.round.describe_deal() {
            None => imagined.lines.push(imagined.round.seated()),
            Some(deal) => imagined.lines.push(imagined.round.conceal_deal(deal, imagined.viewer())),
        }
        imagined.tell(G::events(None, &imagined.round));
        imagined
    }

    /// The seat for which lines are concealed; `None` for the public lines if the seat sits the round out.
    fn viewer(&self) -> Option<Seat> {
        self.round.present().has(self.seat.0).then_some(self.seat)
    }

    fn tell(&mut self, events: Vec<Value>) {
        let to = self.viewer();
        self.lines.extend(events.into_iter().filter_map(|event| G::conceal_event(event, to)));
    }

    /// Plays an action of `seat`.
    ///
    /// # Errors
    /// It is not the turn of `seat` in this round, or the action is not legal there.
    pub fn play(&mut self, seat: Seat, action: ActionId) -> Result<(), String> {
        self.play_and(seat, action, |_| {})
    }

    /// Plays an action as [`ImaginedRound::play`] does; then `arrange` corrects hidden cards before the lines are
    /// written.
    ///
    /// # Errors
    /// As [`ImaginedRound::play`].
    pub fn play_and(
        &mut self,
        seat: Seat,
        action: ActionId,
        arrange: impl FnOnce(&mut G),
    ) -> Result<(), String> {
        if self.round.turn() != Turn::Decide(seat) {
            return Err(format!("it is not the turn of seat {}", seat.0));
        }
        if !G::legal(self.round.view(seat)).contains(action) {
            let label = Label::<G>::at(self.round.table(), action);
            return Err(format!("seat {} cannot play `{label}` now", seat.0));
        }
        let before = self.round;
        self.round.play(action);
        arrange(&mut self.round);
        if !before.is_dealt()
            && let Some(deal) = self.round.describe_deal()
        {
            self.lines.push(self.round.conceal_deal(deal, self.viewer()));
        }
        self.tell(G::events(Some(&before), &self.round));
        Ok(())
    }
}

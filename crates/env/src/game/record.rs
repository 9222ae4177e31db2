//! What a seat is told, and how one who was told it follows the round.

use serde_json::Value;

use super::{Actions, Label, Narrate, Turn};
use crate::ground::mask::Mask;
use crate::ground::rng::DealRng;
use crate::ground::{ActionId, Seat};

/// What seats are told of a round while it is played: the lines of a trace, less what a seat may not see.
/// And the way back: a round made of what a seat was told, in which hidden cards lie anyhow, so that
/// its view of that seat is the seat's own.
pub trait Record: Narrate + Actions {
    /// What is known of a round before its cards are dealt: who sits where. Asked only while
    /// [`Narrate::describe_deal`] says nothing.
    fn seated(&self) -> Value {
        Value::Object(serde_json::Map::new())
    }
    /// What a seat may be told of this round's deal (as [`Narrate::describe_deal`] describes it), or, without a seat,
    /// what everybody sees.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value;
    /// What a seat, or everybody, may be told of an event (of [`Narrate::events`]); none where it must
    /// not notice.
    fn conceal_event(event: Value, to: Option<Seat>) -> Option<Value>;
    /// Whether everybody notices that an action which is not public was taken, though not which.
    fn is_noticed(&self, _action: ActionId) -> bool {
        false
    }
    /// A round that begins as `seat` was told, after rounds that led to `standing`; in a session's first
    /// round the seating of `standing` is anyone's. A seat that sits the round out is told what everybody sees.
    ///
    /// # Errors
    /// No round begins so: what is wrong.
    fn imagine(
        rules: &Self::Rules,
        standing: &Self::Standing,
        seat: Seat,
        told: &Told<'_>,
        rng: DealRng,
    ) -> Result<Shadow<Self>, String>;
    /// Goes on in a round as its seat was told: arranges hidden cards so that what was told comes out, and plays.
    /// What others chose unseen since the last time is played first.
    ///
    /// # Errors
    /// The round cannot go on so: what is wrong.
    fn follow(shadow: &mut Shadow<Self>, told: &Told<'_>) -> Result<(), String>;
}

/// Number of cards in a text of cards.
pub fn cards_in(text: &Value) -> usize {
    text.as_str().map_or(0, |cards| cards.split_whitespace().count())
}

/// What a seat was told at once: a choice and what came of it, or what happened without one that it noticed.
#[derive(Copy, Clone, Debug, Default)]
pub struct Told<'a> {
    /// Who chose, and what; without the action where it was only noticed.
    pub choice: Option<(Seat, Option<ActionId>)>,
    /// What is known before the deal, as [`Record::seated`] tells it.
    pub seated: Option<&'a Value>,
    /// The deal, as [`Record::conceal_deal`] leaves it.
    pub deal: Option<&'a Value>,
    /// The events after it, as [`Record::conceal_event`] leaves them, in their order.
    pub events: &'a [Value],
    /// Whether the seat must decide then.
    pub turn: bool,
}

impl<'a> Told<'a> {
    /// The events of a kind.
    pub fn events_of(&self, kind: &str) -> impl Iterator<Item = &'a Value> {
        self.events.iter().filter(move |event| event["event"] == kind)
    }
}

/// A round as it may be, for all that a seat knows.
#[derive(Clone, Debug)]
pub struct Shadow<G> {
    /// The round.
    pub round: G,
    /// Whose view of it is right.
    pub seat: Seat,
    /// What the seat would have been told of this round since the last time it was told something: the content of
    /// its lines.
    pub told: Vec<Value>,
}

impl<G: Record> Shadow<G> {
    /// A round that has just begun.
    pub fn begun(round: G, seat: Seat) -> Self {
        let mut shadow = Self { round, seat, told: Vec::new() };
        match shadow.round.describe_deal() {
            None => shadow.told.push(shadow.round.seated()),
            Some(deal) => shadow.told.push(shadow.round.conceal_deal(deal, shadow.viewer())),
        }
        shadow.tell(G::events(None, &shadow.round));
        shadow
    }

    /// Who is told: nobody in particular where the seat sits the round out.
    fn viewer(&self) -> Option<Seat> {
        self.round.present().has(self.seat.0).then_some(self.seat)
    }

    fn tell(&mut self, events: Vec<Value>) {
        let to = self.viewer();
        self.told.extend(events.into_iter().filter_map(|event| G::conceal_event(event, to)));
    }

    /// Plays an action of `seat`.
    ///
    /// # Errors
    /// It is not its turn in this round, or the action is not legal there.
    pub fn play(&mut self, seat: Seat, action: ActionId) -> Result<(), String> {
        self.play_and(seat, action, |_| {})
    }

    /// [`Shadow::play`]; then `arrange` puts right what came of hidden cards, before anybody is told.
    ///
    /// # Errors
    /// As [`Shadow::play`].
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
            self.told.push(self.round.conceal_deal(deal, self.viewer()));
        }
        self.tell(G::events(Some(&before), &self.round));
        Ok(())
    }
}

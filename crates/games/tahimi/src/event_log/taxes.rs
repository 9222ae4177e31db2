//! The taxes in an event log. Hidden choices of the other players are filled in arbitrarily.

use cardsharp_climbing::event_log::read_cards;
use cardsharp_engine::game::{Actions, Check, ImaginedRound, Play as _, Turn, Update};
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, Seat};
use serde_json::Value;

use super::may;
use crate::actions::Move;
use crate::check::{self, Part};
use crate::deck::{Cards, JOKER};
use crate::determinize::{self, ExtraFacts};
use crate::state::{Ask, PrivateState, PublicState, Round, Stage, View, tribute};
use crate::variant::JokerOrder;

/// Applies the next step of the taxes.
///
/// # Errors
/// No consistent round has this step.
pub(super) fn follow(imagined: &mut ImaginedRound<Round>, update: &Update<'_>) -> Result<(), String> {
    let (round, seat) = (imagined.round, imagined.seat);
    if !round.present().has(seat.0) {
        ensure_hidden(update)?;
        let after = from_outside(&round, update)?;
        return go_on(imagined, after);
    }
    let mut seen = TaxView::of(&round, seat);
    let Some((_, action)) = update.choice.filter(|&(chooser, _)| chooser == seat) else {
        ensure_hidden(update)?;
        if seen.own.ask != Ask::Nothing && !update.events.is_empty() {
            return Err(format!("seat {} has not chosen yet: expected a line `move`", seat.0));
        }
        let after = seen.read_tax(update, round.rng)?;
        return go_on(imagined, after);
    };
    let action = action.ok_or("a seat knows its own choice: expected `choice`")?;
    seen.answer(action)?;
    if round.own(seat).ask != seen.own.ask {
        imagined.round = seen.round(round.rng)?;
    }
    if !may(&imagined.round, seat, action) {
        return imagined.play(seat, action);
    }
    seen.chosen(action);
    let after = seen.read_tax(update, round.rng)?;
    imagined.play_and(seat, action, |round| *round = after)
}

/// Refuses choices of other players: in the taxes they are secret.
fn ensure_hidden(update: &Update<'_>) -> Result<(), String> {
    match update.choice {
        None => Ok(()),
        Some((seat, _)) => Err(format!(
            "taxes are under way: the choice of seat {} is secret, and no card is played",
            seat.0
        )),
    }
}

/// Replaces the round with `after`, which follows unseen choices of other players.
fn go_on(imagined: &mut ImaginedRound<Round>, after: Round) -> Result<(), String> {
    match (imagined.round.turn(), first_legal(&imagined.round)) {
        (Turn::Decide(other), Some(action)) if other != imagined.seat => {
            imagined.play_and(other, action, |round| *round = after)
        }
        _ => {
            imagined.round = after;
            Ok(())
        }
    }
}

/// The first legal action of the player to decide.
fn first_legal(round: &Round) -> Option<ActionId> {
    let Turn::Decide(seat) = round.turn() else { return None };
    mask::actions(Round::legal(round.view(seat)).words()).next()
}

/// The round for a seat that sits out. Makes arbitrary choices up to the end of the taxes if the event log says that
/// they are over.
///
/// # Errors
/// A player must decide but has no legal action.
pub(super) fn from_outside(round: &Round, update: &Update<'_>) -> Result<Round, String> {
    let mut after = *round;
    while is_over(update) && after.table.stage == Stage::Taxes {
        after.play(first_legal(&after).ok_or("no player can give a card back")?);
    }
    Ok(after)
}

// Taxes as one player sees them: updates the player's view from the event log, and determinizes the round from it.

/// Whether all returned cards have moved.
fn is_over(update: &Update<'_>) -> bool {
    update.events_of("return").next().is_some()
}

/// The view of one player during the taxes.
#[derive(Copy, Clone)]
pub(super) struct TaxView {
    pub(super) table: PublicState,
    pub(super) own: PrivateState,
    pub(super) seat: Seat,
    /// Whether the player has decided how many jokers to pay.
    pub(super) decided: bool,
}

impl TaxView {
    /// The player's view of a round.
    fn of(round: &Round, seat: Seat) -> Self {
        let own = *round.own(seat);
        let mut seen = Self { table: round.table, own, seat, decided: false };
        // The lowest payer decides first.
        seen.decided = seen.has_to_decide() && round.asking < seen.position();
        seen
    }

    fn view(&self) -> View<'_> {
        View { seat: self.seat, table: &self.table, own: &self.own }
    }

    fn position(&self) -> u8 {
        self.table.position_of(self.seat)
    }

    fn part(&self) -> Part {
        check::part(&self.table, self.position())
    }

    /// Whether tributes have moved, as far as the player can see.
    fn has_paid(&self) -> bool {
        check::has_paid(&self.table, self.position(), self.part(), &self.own)
    }

    /// Whether the player pays, holds jokers and still has to decide how many of them to pay.
    fn has_to_decide(&self) -> bool {
        let chooses = self.table.variant.joker_order() == JokerOrder::Holder && !self.decided;
        matches!(self.part(), Part::Low(_)) && chooses && !self.has_paid() && self.own.hand.0[JOKER] > 0
    }

    /// Whether no lower payer can have jokers to decide about.
    fn is_first_to_decide(&self) -> bool {
        self.position() + 1 == self.table.players || self.jokers_elsewhere() == 0
    }

    /// Number of jokers that the player does not hold.
    fn jokers_elsewhere(&self) -> u8 {
        self.table.deck.0[JOKER].saturating_sub(self.own.hand.0[JOKER])
    }

    /// Whether no payer can still have a decision, so that the tributes must have moved.
    fn must_have_paid(&self) -> bool {
        if self.table.variant.joker_order() != JokerOrder::Holder {
            return true;
        }
        let highest = self.table.pairs().last().map_or(0, |pair| pair.1);
        let last = self.decided && self.position() == highest;
        !self.has_to_decide() && (last || self.jokers_elsewhere() == 0)
    }

    /// Prepares the decision that this action answers.
    ///
    /// # Errors
    /// The action answers no decision, or the player has already made it.
    fn answer(&mut self, action: ActionId) -> Result<(), String> {
        self.own.ask = match Move::of(action) {
            Some(Move::PayJokers(_)) if self.decided => {
                return Err(format!("seat {} has said how many jokers it pays", self.seat.0));
            }
            Some(Move::PayJokers(_)) => Ask::TaxJokers,
            Some(Move::Give(_)) => Ask::Return,
            _ => return Err("taxes are under way: no card is played".to_owned()),
        };
        Ok(())
    }

    /// Applies the player's own choice.
    fn chosen(&mut self, action: ActionId) {
        self.own.ask = Ask::Nothing;
        match Move::of(action) {
            Some(Move::PayJokers(jokers)) => {
                self.own.given.0[JOKER] = jokers.get() as u8;
                self.decided = true;
            }
            Some(Move::Give(rank)) => self.own.given.0[rank.get()] += 1,
            _ => {}
        }
    }

    /// Applies an event log line, and returns a round consistent with it.
    ///
    /// # Errors
    /// No round is consistent with it.
    pub(super) fn read_tax(mut self, update: &Update<'_>, rng: DealRng) -> Result<Round, String> {
        if self.table.stage == Stage::Taxes {
            self.hear_tribute(update)?;
            self.hear_return(update)?;
            self.ask(update.turn);
        }
        self.round(rng)
    }

    /// Moves the tribute that the player pays or receives.
    fn hear_tribute(&mut self, update: &Update<'_>) -> Result<(), String> {
        let event = update.events_of("tribute").next();
        if self.has_paid() || event.is_none() && !self.must_have_paid() {
            return Ok(());
        }
        match self.part() {
            Part::None => {}
            Part::Low(_) if self.has_to_decide() => {
                return Err(format!("seat {} has not said yet how many jokers it pays", self.seat.0));
            }
            Part::Low(cards) => {
                let jokers = self.own.given.0[JOKER];
                let paid = tribute(&self.own.hand, cards, self.table.variant.joker_order(), jokers);
                self.own.hand.remove(&paid);
                self.own.given = paid;
            }
            Part::High(cards) => {
                let event = event.ok_or_else(|| {
                    format!("seat {} gets a tribute of {cards}: expected an event `tribute`", self.seat.0)
                })?;
                self.own.received = self.cards(event, cards)?;
                self.own.hand.add(&self.own.received);
            }
        }
        Ok(())
    }

    /// Moves all returned cards, and starts the play.
    fn hear_return(&mut self, update: &Update<'_>) -> Result<(), String> {
        let part = self.part();
        let given = self.own.given.total();
        let was_last = match part {
            Part::High(cards) => {
                let last = usize::from(self.position()) + 1 == self.table.pairs().len();
                last && self.has_paid() && given == u32::from(cards)
            }
            Part::Low(_) | Part::None => false,
        };
        if !was_last && !is_over(update) {
            return Ok(());
        }
        match part {
            Part::None => {}
            Part::High(cards) if given != u32::from(cards) => {
                return Err(format!("seat {} gives {cards} cards back, {given} are chosen", self.seat.0));
            }
            Part::High(_) => self.own.hand.remove(&self.own.given),
            Part::Low(cards) => {
                let to = |event: &&Value| event["to"] == self.seat.0;
                let event = update.events_of("return").find(to).ok_or_else(|| {
                    format!("seat {} gets {cards} cards back: expected an event `return`", self.seat.0)
                })?;
                self.own.received = self.cards(event, cards)?;
                self.own.hand.add(&self.own.received);
            }
        }
        self.table.stage = Stage::Play;
        Ok(())
    }

    /// The cards of an event, which must be `due` cards.
    fn cards(&self, event: &Value, due: u8) -> Result<Cards, String> {
        let cards = read_cards(event, "cards", |text| self.table.ladder().read(text))?;
        if cards.total() != u32::from(due) {
            return Err(format!("`cards` holds {} cards, expected {due}", cards.total()));
        }
        Ok(cards)
    }

    /// Determines the player's decision: one that is certain, one that `turn` indicates, or none.
    fn ask(&mut self, turn: bool) {
        let given = self.own.given.total();
        let asked = match (self.table.stage, self.part()) {
            (Stage::Taxes, Part::Low(_)) if self.has_to_decide() && (turn || self.is_first_to_decide()) => {
                Ask::TaxJokers
            }
            (Stage::Taxes, Part::High(cards)) if self.has_paid() && given < u32::from(cards) => {
                let certain = self.position() == 0 || given > 0;
                if turn || certain { Ask::Return } else { Ask::Nothing }
            }
            _ => Ask::Nothing,
        };
        self.own.ask = asked;
    }

    /// A round that is consistent with this view.
    ///
    /// # Errors
    /// Why no such round exists.
    fn round(&self, rng: DealRng) -> Result<Round, String> {
        Round::check_view(self.view()).map_err(|error| error.to_string())?;
        let waits = self.has_to_decide() && self.own.ask == Ask::Nothing;
        let decided = if self.decided { Some(true) } else { waits.then_some(false) };
        let facts = ExtraFacts { decided, ..ExtraFacts::default() };
        determinize::knowing(self.view(), facts, rng)
            .ok_or_else(|| "no deal of the other cards leads to this".to_owned())
    }
}

//! Taxes as one player sees them: what he is told makes his view, and the round is dealt again around it.

use serde_json::Value;

use crate::game::{Check, Play as _, Told, View};
use crate::games::climbing::record::cards_told;
use crate::games::tahimi::check::owner::{self, Part};
use crate::games::tahimi::deck::{Cards, JOKER};
use crate::games::tahimi::moves::Move;
use crate::games::tahimi::redeal::{self, Besides};
use crate::games::tahimi::state::Round;
use crate::games::tahimi::table::{Ask, Own, Stage, Table, tribute};
use crate::games::tahimi::variant::JokerOrder;
use crate::ground::rng::DealRng;
use crate::ground::{ActionId, Seat};

/// Whether everything that is given back has moved.
pub(super) fn is_over(told: &Told<'_>) -> bool {
    told.events_of("return").next().is_some()
}

/// What a player sees while taxes are under way.
#[derive(Copy, Clone)]
pub(super) struct Seen {
    pub(super) table: Table,
    pub(super) own: Own,
    pub(super) seat: Seat,
    /// Whether he has said how many jokers he pays.
    pub(super) decided: bool,
}

impl Seen {
    /// What he sees of a round.
    pub(super) fn of(round: &Round, seat: Seat) -> Self {
        let own = *round.own(seat);
        let mut seen = Self { table: round.table, own, seat, decided: false };
        // The lowest is asked first.
        seen.decided = seen.has_to_decide() && round.asking < seen.position();
        seen
    }

    fn view(&self) -> View<'_, Round> {
        View { seat: self.seat, table: &self.table, own: &self.own }
    }

    fn position(&self) -> u8 {
        self.table.position_of(self.seat)
    }

    fn part(&self) -> Part {
        owner::part(&self.table, self.position())
    }

    /// Whether tributes have moved, as far as he can tell.
    fn has_paid(&self) -> bool {
        owner::has_paid(&self.table, self.position(), self.part(), &self.own)
    }

    /// Whether he pays, holds jokers and has yet to say how many of them he pays.
    fn has_to_decide(&self) -> bool {
        let chooses = self.table.variant.joker_order() == JokerOrder::Holder && !self.decided;
        matches!(self.part(), Part::Low(_)) && chooses && !self.has_paid() && self.own.hand.0[JOKER] > 0
    }

    /// Whether nobody below him can have jokers to decide about.
    fn is_first_to_decide(&self) -> bool {
        self.position() + 1 == self.table.players || self.jokers_elsewhere() == 0
    }

    /// Jokers that he does not hold.
    fn jokers_elsewhere(&self) -> u8 {
        self.table.deck.0[JOKER].saturating_sub(self.own.hand.0[JOKER])
    }

    /// Whether no payer can have anything to decide.
    fn must_have_paid(&self) -> bool {
        if self.table.variant.joker_order() != JokerOrder::Holder {
            return true;
        }
        let highest = self.table.pairs().last().map_or(0, |pair| pair.1);
        let last = self.decided && self.position() == highest;
        !self.has_to_decide() && (last || self.jokers_elsewhere() == 0)
    }

    /// He is asked what this action answers.
    ///
    /// # Errors
    /// It answers nothing, or he has answered.
    pub(super) fn answer(&mut self, action: ActionId) -> Result<(), String> {
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

    /// He has chosen this.
    pub(super) fn chosen(&mut self, action: ActionId) {
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

    /// The round after what he was told then.
    ///
    /// # Errors
    /// There is no such round.
    pub(super) fn told(mut self, told: &Told<'_>, rng: DealRng) -> Result<Round, String> {
        if self.table.stage == Stage::Taxes {
            self.hear_tribute(told)?;
            self.hear_return(told)?;
            self.ask(told.turn);
        }
        self.round(rng)
    }

    /// The tribute that he pays or gets moves.
    fn hear_tribute(&mut self, told: &Told<'_>) -> Result<(), String> {
        let event = told.events_of("tribute").next();
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

    /// All that is given back moves, and the play begins.
    fn hear_return(&mut self, told: &Told<'_>) -> Result<(), String> {
        let part = self.part();
        let given = self.own.given.total();
        let was_last = match part {
            Part::High(cards) => {
                let last = usize::from(self.position()) + 1 == self.table.pairs().len();
                last && self.has_paid() && given == u32::from(cards)
            }
            Part::Low(_) | Part::None => false,
        };
        if !was_last && !is_over(told) {
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
                let event = told.events_of("return").find(to).ok_or_else(|| {
                    format!("seat {} gets {cards} cards back: expected an event `return`", self.seat.0)
                })?;
                self.own.received = self.cards(event, cards)?;
                self.own.hand.add(&self.own.received);
            }
        }
        self.table.stage = Stage::Play;
        Ok(())
    }

    /// The cards of an event, so many.
    fn cards(&self, event: &Value, due: u8) -> Result<Cards, String> {
        let cards = cards_told(event, "cards", |text| self.table.ladder().read(text))?;
        if cards.total() != u32::from(due) {
            return Err(format!("`cards` holds {} cards, expected {due}", cards.total()));
        }
        Ok(cards)
    }

    /// Who is asked: himself for certain, or as he was told, or somebody else.
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

    /// A round in which he sees this.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn round(&self, rng: DealRng) -> Result<Round, String> {
        Round::check_view(self.view()).map_err(|error| error.to_string())?;
        let waits = self.has_to_decide() && self.own.ask == Ask::Nothing;
        let decided = if self.decided { Some(true) } else { waits.then_some(false) };
        let besides = Besides { decided, ..Besides::default() };
        redeal::knowing(self.view(), besides, rng)
            .ok_or_else(|| "no deal of the other cards leads to this".to_owned())
    }
}

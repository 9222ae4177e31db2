//! Live sessions.

use cardsharp_env::record::named_change;
use cardsharp_env::table::MoveError;
use cardsharp_env::{ActionId, AnyTable, Audience, Seat, trace as traces};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::answers::{Move, Worth};
use crate::input::{self, Named};
use crate::output;
use crate::view::View;

/// A live session: knows everything, checks moves, takes them back.
#[wasm_bindgen]
pub struct Table(Box<dyn AnyTable>);

impl Table {
    pub(crate) fn of(table: Box<dyn AnyTable>) -> Self {
        Self(table)
    }

    fn audience(&self, to: &JsValue) -> Result<Audience, JsError> {
        if to.is_string() {
            return match input::text("the audience", to)?.as_str() {
                "everybody" => Ok(Audience::Everybody),
                "referee" => Ok(Audience::Referee),
                _ => Err(JsError::new("the audience is none: expected a seat, \"everybody\" or \"referee\"")),
            };
        }
        let seat = input::seat(to)?;
        if seat.index() < self.0.seats() {
            return Ok(Audience::Seat(seat));
        }
        Err(JsError::new(&format!("there is no seat {}: the session has {} seats", seat.0, self.0.seats())))
    }

    fn names(&self, names: &JsValue, to: Audience) -> Result<Vec<String>, JsError> {
        let names = input::names(names)?;
        match names.len() {
            // A trace names everybody; who plays is free of meaning.
            0 if to == Audience::Referee => Ok(vec!["unknown".to_owned(); self.0.seats()]),
            0 => Ok(names),
            given if given == self.0.seats() => Ok(names),
            given => {
                let seats = self.0.seats();
                Err(JsError::new(&format!("there are {given} names: expected {seats}, one for each seat")))
            }
        }
    }

    fn action(&self, given: &JsValue) -> Result<ActionId, JsError> {
        match input::action(given)? {
            Named::Id(action) => Ok(action),
            Named::Label(_) if self.0.turn().is_none() => Err(MoveError::RoundOver.into()),
            Named::Label(label) => self.0.parse(&label).ok_or_else(|| {
                let short: String = label.chars().take(40).collect();
                let legal: Vec<String> = self.0.legal().into_iter().map(|id| self.0.label(id)).collect();
                JsError::new(&format!("there is no move {short:?}; legal: {}", legal.join(", ")))
            }),
        }
    }
}

#[wasm_bindgen]
impl Table {
    /// Seats the players and deals the first round. The same rules, seed and moves are the same session everywhere.
    ///
    /// # Errors
    /// There is no such game, its rules are refused, or the seed is none.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Partial<Rules> | undefined")] rules: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number | bigint")] seed: JsValue,
    ) -> Result<Table, JsError> {
        let rules = input::any_game(&game)?.rules(&input::json("the rules", &rules)?)?;
        Ok(Self(rules.table(input::seed(&seed)?)))
    }

    /// Plays a trace again, to where it ends: every line must be what the rules give.
    ///
    /// # Errors
    /// The first line that is not, and what the rules give.
    pub fn replay(#[wasm_bindgen(unchecked_param_type = "string")] trace: JsValue) -> Result<Table, JsError> {
        Ok(Self::of(traces::replay(&input::trace(&trace)?)?))
    }

    /// The name of the game.
    #[wasm_bindgen(getter, unchecked_return_type = "GameName")]
    pub fn game(&self) -> String {
        self.0.game().to_owned()
    }

    /// The seed of the session, from 0 to 2^53 - 1.
    #[wasm_bindgen(getter)]
    pub fn seed(&self) -> f64 {
        self.0.seed() as f64
    }

    /// The rules as they have come to be, all options.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "Rules")]
    pub fn rules(&self) -> Result<JsValue, JsError> {
        output::object(&self.0.rules())
    }

    /// Seats of the session.
    #[wasm_bindgen(getter)]
    pub fn seats(&self) -> usize {
        self.0.seats()
    }

    /// The seats that play this round.
    pub fn present(&self) -> Vec<u8> {
        let present = self.0.present();
        (0..self.0.seats() as u8).filter(|&seat| present.has(seat)).collect()
    }

    /// The number of the round, from 1.
    #[wasm_bindgen(getter)]
    pub fn round(&self) -> u32 {
        self.0.round()
    }

    /// The seat that must decide; none when the round is over.
    #[wasm_bindgen(getter)]
    pub fn turn(&self) -> Option<u8> {
        self.0.turn().map(|seat| seat.0)
    }

    /// The phase of the decision that is due.
    #[wasm_bindgen(getter)]
    pub fn phase(&self) -> String {
        self.0.phase().to_owned()
    }

    /// Whether the session is over.
    #[wasm_bindgen(getter)]
    pub fn over(&self) -> bool {
        self.0.over()
    }

    /// Moves, deals and changes of players so far: what can be taken back.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> usize {
        self.0.steps()
    }

    /// The legal moves of the seat that must decide; empty when the round is over.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "Move[]")]
    pub fn moves(&self) -> Result<JsValue, JsError> {
        let named = |action| Move::of(action, self.0.label(action));
        output::object(&self.0.legal().into_iter().map(named).collect::<Vec<_>>())
    }

    /// The name of an action, as cards are named this round.
    ///
    /// # Errors
    /// It is no number of an action.
    pub fn label(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] action: JsValue,
    ) -> Result<String, JsError> {
        Ok(self.0.label(input::id(&action, input::named(self.0.game())?)?))
    }

    /// Plays a move, by its label or the number of its action.
    ///
    /// # Errors
    /// It is not legal now, or the round is over; nothing changed.
    pub fn play(
        &mut self,
        #[wasm_bindgen(js_name = "move", unchecked_param_type = "string | number")] given: JsValue,
    ) -> Result<(), JsError> {
        let action = self.action(&given)?;
        Ok(self.0.try_play(action)?)
    }

    /// What happened right after the deal, or with the last move, beyond the move itself: to whoever may know all.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "GameEvent[]")]
    pub fn events(&self) -> Result<JsValue, JsError> {
        output::object(&self.0.events())
    }

    /// What the round was worth; none while it is in play.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "Worth | undefined")]
    pub fn payoff(&self) -> Result<JsValue, JsError> {
        self.0.payoff().map_or(Ok(JsValue::UNDEFINED), |payoff| output::object(&Worth::from(payoff)))
    }

    /// Ranks and scores so far.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn standing(&self) -> Result<JsValue, JsError> {
        output::object(&self.0.standing())
    }

    /// Deals the next round; false, and nothing done, while a round is in play or after the last.
    #[wasm_bindgen(js_name = dealNext)]
    pub fn deal_next(&mut self) -> bool {
        self.0.deal_next()
    }

    /// Takes back the last move, deal or change of players; false if there is none.
    pub fn undo(&mut self) -> bool {
        self.0.undo().is_some()
    }

    /// Lets a player join or leave before the next round: `"join 4"`, `"leave 2"`.
    ///
    /// # Errors
    /// The game or its rules refuse it, or it is the last round; nothing changed.
    pub fn change(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "`join ${number}` | `leave ${number}`")] change: JsValue,
    ) -> Result<(), JsError> {
        let change = named_change(&input::text("the change", &change)?);
        let change =
            change.ok_or_else(|| JsError::new("the change is none: expected `join SEAT` or `leave SEAT`"))?;
        Ok(self.0.change_roster(change)?)
    }

    /// What a seat may know; without one that of the seat that must decide.
    ///
    /// # Errors
    /// The seat does not play this round, or nobody must decide.
    pub fn view(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] seat: JsValue,
    ) -> Result<View, JsError> {
        let seat = if seat.is_undefined() {
            self.0.turn().ok_or_else(|| JsError::new("the round is over: say whose view"))?
        } else {
            input::seat(&seat)?
        };
        self.view_of(seat)
    }

    /// The first line of a record: of a seat, of `"everybody"` who watches, or, as a trace, of the `"referee"`.
    ///
    /// # Errors
    /// There is no such seat, or there are not as many names as seats.
    pub fn header(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Audience")] to: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] names: JsValue,
    ) -> Result<String, JsError> {
        let to = self.audience(&to)?;
        let line = self.0.header(to, self.names(&names, to)?);
        Ok(serde_json::to_string(&line)?)
    }

    /// The lines that step number `step` brought, 0 being the beginning of the session, each as its text: to send
    /// to whoever may know them.
    ///
    /// # Errors
    /// There is no such seat.
    pub fn told(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] step: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Audience")] to: JsValue,
    ) -> Result<Vec<String>, JsError> {
        let lines = self.0.told(input::step(&step)?, self.audience(&to)?);
        Ok(lines.iter().map(serde_json::to_string).collect::<Result<_, _>>()?)
    }

    /// All lines so far, the header first: the record of a seat, or the session's trace.
    ///
    /// # Errors
    /// There is no such seat, or there are not as many names as seats.
    pub fn record(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Audience")] to: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] names: JsValue,
    ) -> Result<String, JsError> {
        let to = self.audience(&to)?;
        let names = self.names(&names, to)?;
        let told = (0..=self.0.steps()).flat_map(|step| self.0.told(step, to));
        let mut record = String::new();
        for line in std::iter::once(self.0.header(to, names)).chain(told) {
            record.push_str(&serde_json::to_string(&line)?);
            record.push('\n');
        }
        Ok(record)
    }
}

impl Table {
    fn view_of(&self, seat: Seat) -> Result<View, JsError> {
        let view = self.0.view(seat).map(View::of);
        view.ok_or_else(|| JsError::new(&format!("seat {} does not play this round", seat.0)))
    }
}

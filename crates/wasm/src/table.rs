use cardsharp_env::log::named_change;
use cardsharp_env::table::MoveError;
use cardsharp_env::{ActionId, AnyTable, Audience, Seat, trace as traces};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::answers;
use crate::answers::{Move, Worth};
use crate::input::{self, MoveInput};
use crate::view::View;

/// A session in play. It holds all cards, validates moves and undoes them.
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
                _ => Err(JsError::new(
                    "unknown audience: expected a seat number, \"everybody\" or \"referee\"",
                )),
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
            // A trace needs a name for each seat; the names have no meaning.
            0 if to == Audience::Referee => Ok(vec!["unknown".to_owned(); self.0.seats()]),
            0 => Ok(names),
            given if given == self.0.seats() => Ok(names),
            given => {
                let seats = self.0.seats();
                Err(JsError::new(&format!("found {given} names: expected {seats}, one for each seat")))
            }
        }
    }

    fn action(&self, given: &JsValue) -> Result<ActionId, JsError> {
        match input::action(given)? {
            MoveInput::Id(action) => Ok(action),
            MoveInput::Label(_) if self.0.turn().is_none() => Err(MoveError::RoundOver.into()),
            MoveInput::Label(label) => self.0.parse(&label).ok_or_else(|| {
                let short: String = label.chars().take(40).collect();
                let legal: Vec<String> = self.0.legal().into_iter().map(|id| self.0.label(id)).collect();
                JsError::new(&format!("there is no move {short:?}: expected one of {}", legal.join(", ")))
            }),
        }
    }
}

#[wasm_bindgen]
impl Table {
    /// Seats the players and deals the first round. The same rules, seed and moves give the same session everywhere.
    ///
    /// # Errors
    /// If there is no such game, or the rules or the seed are not valid.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Partial<Rules> | undefined")] rules: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number | bigint")] seed: JsValue,
    ) -> Result<Table, JsError> {
        let rules = input::any_game(&game)?.rules(&input::json("the rules", &rules)?)?;
        Ok(Self(rules.table(input::seed(&seed)?)))
    }

    /// Restores the session of a trace, up to its last line. Every line is validated.
    ///
    /// # Errors
    /// If a line contradicts the rules. The message names the line and what the rules expect.
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

    /// Returns the rules with all options.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "Rules")]
    pub fn rules(&self) -> Result<JsValue, JsError> {
        answers::object(&self.0.rules())
    }

    /// The number of seats in the session.
    #[wasm_bindgen(getter)]
    pub fn seats(&self) -> usize {
        self.0.seats()
    }

    /// Returns the seats that play this round.
    pub fn present(&self) -> Vec<u8> {
        let present = self.0.present();
        (0..self.0.seats() as u8).filter(|&seat| present.has(seat)).collect()
    }

    /// The number of the round. The first is 1.
    #[wasm_bindgen(getter)]
    pub fn round(&self) -> u32 {
        self.0.round()
    }

    /// The seat to move; undefined when the round is over.
    #[wasm_bindgen(getter)]
    pub fn turn(&self) -> Option<u8> {
        self.0.turn().map(|seat| seat.0)
    }

    /// The phase of the pending decision.
    #[wasm_bindgen(getter)]
    pub fn phase(&self) -> String {
        self.0.phase().to_owned()
    }

    /// Whether the session is over.
    #[wasm_bindgen(getter)]
    pub fn over(&self) -> bool {
        self.0.over()
    }

    /// The number of steps so far. A step is a move, a deal or a change of players.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> usize {
        self.0.steps()
    }

    /// Returns the legal moves of the seat to move, or an empty array when the round is over.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "Move[]")]
    pub fn moves(&self) -> Result<JsValue, JsError> {
        let named = |action| Move::of(action, self.0.label(action));
        answers::object(&self.0.legal().into_iter().map(named).collect::<Vec<_>>())
    }

    /// Returns the label of an action, in the card notation of this round.
    ///
    /// # Errors
    /// If the game has no such action.
    pub fn label(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] action: JsValue,
    ) -> Result<String, JsError> {
        Ok(self.0.label(input::id(&action, input::named(self.0.game())?)?))
    }

    /// Plays a move, given as a label or an action number.
    ///
    /// # Errors
    /// If the move is not legal or the round is over. The state does not change.
    pub fn play(
        &mut self,
        #[wasm_bindgen(js_name = "move", unchecked_param_type = "string | number")] given: JsValue,
    ) -> Result<(), JsError> {
        let action = self.action(&given)?;
        Ok(self.0.try_play(action)?)
    }

    /// Returns the events of the last step: what happened in addition to the move. They can contain hidden cards.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "GameEvent[]")]
    pub fn events(&self) -> Result<JsValue, JsError> {
        answers::object(&self.0.events())
    }

    /// Returns the result of the round, or undefined while it is in play.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "Worth | undefined")]
    pub fn payoff(&self) -> Result<JsValue, JsError> {
        self.0.payoff().map_or(Ok(JsValue::UNDEFINED), |payoff| answers::object(&Worth::from(payoff)))
    }

    /// Returns the ranks and scores so far.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "Record<string, unknown>")]
    pub fn standing(&self) -> Result<JsValue, JsError> {
        answers::object(&self.0.standing())
    }

    /// Deals the next round. Returns false and does nothing while a round is in play, or after the last round.
    #[wasm_bindgen(js_name = dealNext)]
    pub fn deal_next(&mut self) -> bool {
        self.0.deal_next()
    }

    /// Undoes the last step. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        self.0.undo().is_some()
    }

    /// Lets a player join or leave before the next round: `"join 4"`, `"leave 2"`.
    ///
    /// # Errors
    /// If the game or its rules do not allow it, or this is the last round. The state does not change.
    pub fn change(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "`join ${number}` | `leave ${number}`")] change: JsValue,
    ) -> Result<(), JsError> {
        let change = named_change(&input::text("the change", &change)?);
        let change =
            change.ok_or_else(|| JsError::new("unknown change: expected `join SEAT` or `leave SEAT`"))?;
        Ok(self.0.change_roster(change)?)
    }

    /// Returns the view of a seat. The default is the seat to move.
    ///
    /// # Errors
    /// If the seat does not play this round, or the round is over and you name no seat.
    pub fn view(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "number")] seat: JsValue,
    ) -> Result<View, JsError> {
        let seat = if seat.is_undefined() {
            self.0
                .turn()
                .ok_or_else(|| JsError::new("the round is over: pass the seat whose view you want"))?
        } else {
            input::seat(&seat)?
        };
        self.view_of(seat)
    }

    /// Returns the first line of an event log: of a seat, of `"everybody"` (spectators), or of the `"referee"` (a trace).
    ///
    /// # Errors
    /// If there is no such seat, or the number of names is not the number of seats.
    pub fn header(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Audience")] to: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] names: JsValue,
    ) -> Result<String, JsError> {
        let to = self.audience(&to)?;
        let line = self.0.header(to, self.names(&names, to)?);
        Ok(serde_json::to_string(&line)?)
    }

    /// Returns the lines of one step for an audience, each as text. Step 0 is the start of the session.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn lines(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] step: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Audience")] to: JsValue,
    ) -> Result<Vec<String>, JsError> {
        let lines = self.0.lines(input::step(&step)?, self.audience(&to)?);
        Ok(lines.iter().map(serde_json::to_string).collect::<Result<_, _>>()?)
    }

    /// Returns all lines so far, with the header first: the event log of a seat or of spectators, or a trace.
    ///
    /// # Errors
    /// If there is no such seat, or the number of names is not the number of seats.
    pub fn record(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Audience")] to: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] names: JsValue,
    ) -> Result<String, JsError> {
        let to = self.audience(&to)?;
        let names = self.names(&names, to)?;
        let lines = (0..=self.0.steps()).flat_map(|step| self.0.lines(step, to));
        let mut record = String::new();
        for line in std::iter::once(self.0.header(to, names)).chain(lines) {
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

use cardsharp_bot::beliefs::beliefs;
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyView, SeatView, explainer, game, mask};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::answers::Move;
use crate::{answers, input};

/// Everything that one seat may know. Bots decide from it.
#[wasm_bindgen]
pub struct View(Box<dyn AnyView>);

impl View {
    pub(crate) fn of(view: SeatView<'_>) -> Self {
        Self(view.kept())
    }

    pub(crate) fn seen(&self) -> SeatView<'_> {
        self.0.view()
    }

    fn actions(&self) -> Vec<ActionId> {
        mask::actions(&self.seen().legal_words()).collect()
    }

    /// Returns the action that a number names.
    fn action(&self, number: &JsValue) -> Result<ActionId, JsError> {
        input::id(number, input::named(self.seen().game())?)
    }

    /// Returns the number of actions of the game.
    fn width(&self) -> usize {
        game(self.seen().game()).map_or(0, |game| width(game.actions()))
    }
}

#[wasm_bindgen]
impl View {
    /// Reads a view from its JSON, as `json()` returns it. Validates that the position can occur.
    ///
    /// # Errors
    /// If it is not a view, or it cannot occur in the game.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "ViewJson | string")] json: JsValue,
    ) -> Result<View, JsError> {
        let given: Value = input::parsed("the view", &json)?;
        let name = given["game"].as_str().ok_or_else(|| JsError::new("the view has no field `game`"))?;
        Ok(Self(input::named(name)?.view_of(&given)?))
    }

    /// The name of the game.
    #[wasm_bindgen(getter, unchecked_return_type = "GameName")]
    pub fn game(&self) -> String {
        self.seen().game().to_owned()
    }

    /// The seat of the view.
    #[wasm_bindgen(getter)]
    pub fn seat(&self) -> u8 {
        self.seen().seat().0
    }

    /// Returns the legal action numbers in ascending order, or an empty array if the seat has no decision.
    pub fn legal(&self) -> Vec<u16> {
        self.actions().into_iter().map(|action| action.0).collect()
    }

    /// Returns the legal moves with their labels.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "Move[]")]
    pub fn moves(&self) -> Result<JsValue, JsError> {
        let named = |action| Move::of(action, self.seen().label(action));
        answers::object(&self.actions().into_iter().map(named).collect::<Vec<_>>())
    }

    /// Returns the label of an action, in the card notation of this round.
    ///
    /// # Errors
    /// If the game has no such action.
    pub fn label(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] action: JsValue,
    ) -> Result<String, JsError> {
        Ok(self.seen().label(self.action(&action)?))
    }

    /// Returns the name of the text that explains the decision in a phase, or undefined if there is none.
    ///
    /// # Errors
    /// If the phase is not a string.
    pub fn asks(
        &self,
        #[wasm_bindgen(unchecked_param_type = "string")] phase: JsValue,
    ) -> Result<Option<String>, JsError> {
        let phase = input::text("the phase", &phase)?;
        let explainer = explainer(self.seen().game());
        Ok(explainer.and_then(|explainer| explainer.phase(&phase)).map(str::to_owned))
    }

    /// Returns the name of the text that explains what a move does, or undefined if its label says enough.
    ///
    /// # Errors
    /// If the game has no such action.
    pub fn means(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] action: JsValue,
    ) -> Result<Option<String>, JsError> {
        let action = self.action(&action)?;
        let explainer = explainer(self.seen().game());
        Ok(explainer.and_then(|explainer| explainer.means(self.seen(), action)).map(str::to_owned))
    }

    /// Returns the text that explains why an action is not legal for the seat, which must decide: its name and the values
    /// of its placeholders. Undefined without a reason.
    ///
    /// # Errors
    /// If the game has no such action.
    #[wasm_bindgen(js_name = whyNot, unchecked_return_type = "KeyedText | undefined")]
    pub fn why_not(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] action: JsValue,
    ) -> Result<JsValue, JsError> {
        let action = self.action(&action)?;
        let reason =
            explainer(self.seen().game()).and_then(|explainer| explainer.why_not(self.seen(), action));
        reason.map_or(Ok(JsValue::UNDEFINED), |reason| answers::object(&reason))
    }

    /// Returns the observation row, one byte per cell.
    pub fn row(&self) -> Vec<u8> {
        let mut row = vec![0; self.seen().cells()];
        self.seen().row(&mut row);
        row
    }

    /// Returns the action mask, one byte per action: 1 if it is legal, else 0.
    pub fn mask(&self) -> Vec<u8> {
        let mut mask = vec![0; self.width()];
        for action in self.actions() {
            mask[usize::from(action.0)] = 1;
        }
        mask
    }

    /// Returns the view as a plain object, which `new View` reads.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "ViewJson")]
    pub fn json(&self) -> Result<JsValue, JsError> {
        answers::object(&self.seen().json())
    }

    /// Counts who may hold which cards, in `deals` random deals that fit the view. All deals count the same. Returns
    /// undefined if no deal fits the view or the game does not support it.
    ///
    /// # Errors
    /// If `deals` is not an integer from 1 to 1,000,000.
    #[wasm_bindgen(unchecked_return_type = "Beliefs | undefined")]
    pub fn beliefs(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] deals: JsValue,
    ) -> Result<JsValue, JsError> {
        let deals = input::deals(&deals)?;
        let believed = beliefs(self.seen(), deals, 0, None);
        believed.map_or(Ok(JsValue::UNDEFINED), |beliefs| answers::object(&beliefs))
    }

    /// Returns the view as text for people.
    pub fn picture(&self) -> String {
        self.seen().picture()
    }
}

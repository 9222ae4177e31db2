//! What one seat may know.

use cardsharp_bot::beliefs::beliefs;
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyView, SeatView, game, mask};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::answers::Move;
use crate::{input, output};

/// What one seat may know: all that bots and rows are made of.
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

    /// How many actions its game has.
    fn width(&self) -> usize {
        game(self.seen().game()).map_or(0, |game| width(game.actions()))
    }
}

#[wasm_bindgen]
impl View {
    /// Reads a view from its JSON, as `json()` gives it. One that no game can reach is refused.
    ///
    /// # Errors
    /// It is no view, or one that cannot occur.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "ViewJson | string")] json: JsValue,
    ) -> Result<View, JsError> {
        let given: Value = input::parsed("the view", &json)?;
        let name = given["game"].as_str().ok_or_else(|| JsError::new("the view names no `game`"))?;
        Ok(Self(input::named(name)?.view_of(&given)?))
    }

    /// The name of the game.
    #[wasm_bindgen(getter, unchecked_return_type = "GameName")]
    pub fn game(&self) -> String {
        self.seen().game().to_owned()
    }

    /// Whose view it is.
    #[wasm_bindgen(getter)]
    pub fn seat(&self) -> u8 {
        self.seen().seat().0
    }

    /// The numbers of the legal actions, ascending; empty where the seat has no decision.
    pub fn legal(&self) -> Vec<u16> {
        self.actions().into_iter().map(|action| action.0).collect()
    }

    /// The legal moves with their names.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "Move[]")]
    pub fn moves(&self) -> Result<JsValue, JsError> {
        let named = |action| Move::of(action, self.seen().label(action));
        output::object(&self.actions().into_iter().map(named).collect::<Vec<_>>())
    }

    /// The name of an action, as the seat's cards are named.
    ///
    /// # Errors
    /// There is no such action.
    pub fn label(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] action: JsValue,
    ) -> Result<String, JsError> {
        Ok(self.seen().label(input::id(&action, input::named(self.seen().game())?)?))
    }

    /// The observation row, a byte for each cell.
    pub fn row(&self) -> Vec<u8> {
        let mut row = vec![0; self.seen().cells()];
        self.seen().row(&mut row);
        row
    }

    /// The mask, a byte for each action: 1 where it is legal.
    pub fn mask(&self) -> Vec<u8> {
        let mut mask = vec![0; self.width()];
        for action in self.actions() {
            mask[usize::from(action.0)] = 1;
        }
        mask
    }

    /// The view as an object: what `new View` reads.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "ViewJson")]
    pub fn json(&self) -> Result<JsValue, JsError> {
        output::object(&self.seen().json())
    }

    /// What the seat may believe of the others' cards, counted in so many deals that the view allows, all alike; none
    /// in a game that tells no hands.
    ///
    /// # Errors
    /// The number of deals is none, or more than 1,000,000.
    #[wasm_bindgen(unchecked_return_type = "Beliefs | undefined")]
    pub fn beliefs(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] deals: JsValue,
    ) -> Result<JsValue, JsError> {
        let deals = input::deals(&deals)?;
        let believed = beliefs(self.seen(), deals, 0, None);
        believed.map_or(Ok(JsValue::UNDEFINED), |beliefs| output::object(&beliefs))
    }

    /// The view in words and cards, for a person.
    pub fn picture(&self) -> String {
        self.seen().picture()
    }
}

//! The view of a seat, from its event log.

use cardsharp_env::AnyObserver;
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::input;
use crate::view::View;

/// Reads the event log of a seat line by line and builds the view of the seat.
#[wasm_bindgen]
pub struct Observer(Box<dyn AnyObserver>);

#[wasm_bindgen]
impl Observer {
    /// Reads the first line of an event log.
    ///
    /// # Errors
    /// If it is not the header of a seat's event log.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "object | string")] header: JsValue,
    ) -> Result<Observer, JsError> {
        let header: Value = input::parsed("the header", &header)?;
        let name = header["game"].as_str().ok_or_else(|| JsError::new("the header has no field `game`"))?;
        Ok(Self(input::named(name)?.observer(&header)?))
    }

    /// The seat of the event log.
    #[wasm_bindgen(getter)]
    pub fn seat(&self) -> u8 {
        self.0.seat().0
    }

    /// The number of lines read so far.
    #[wasm_bindgen(getter)]
    pub fn lines(&self) -> usize {
        self.0.lines()
    }

    /// Whether the session is over.
    #[wasm_bindgen(getter)]
    pub fn over(&self) -> bool {
        self.0.over()
    }

    /// Reads the next line. The state does not change if the line is refused.
    ///
    /// # Errors
    /// If the rules do not allow the line. The message says why.
    pub fn hear(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "object | string")] line: JsValue,
    ) -> Result<(), JsError> {
        let line: Value = input::parsed("the line", &line)?;
        Ok(self.0.hear(&line)?)
    }

    /// Returns the current view of the seat.
    ///
    /// # Errors
    /// If no round is in play, or the seat does not play in it.
    pub fn view(&mut self) -> Result<View, JsError> {
        Ok(View::of(self.0.view()?))
    }

    /// Returns the view at the seat's decision, for event logs without `turn` lines. Call it when it is the seat's turn.
    ///
    /// # Errors
    /// As for `view`, or if it is not the seat's turn.
    pub fn decide(&mut self) -> Result<View, JsError> {
        Ok(View::of(self.0.decide()?))
    }
}

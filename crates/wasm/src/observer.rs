//! What a seat knows, from its record.

use cardsharp_env::AnyObserver;
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::input;
use crate::view::View;

/// Hears the record of a seat, line by line, and knows what the seat knows.
#[wasm_bindgen]
pub struct Observer(Box<dyn AnyObserver>);

#[wasm_bindgen]
impl Observer {
    /// Begins with the first line of a record.
    ///
    /// # Errors
    /// It is not the header of a seat's record.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "object | string")] header: JsValue,
    ) -> Result<Observer, JsError> {
        let header: Value = input::parsed("the header", &header)?;
        let name = header["game"].as_str().ok_or_else(|| JsError::new("the header names no `game`"))?;
        Ok(Self(input::named(name)?.observer(&header)?))
    }

    /// Whose record it is.
    #[wasm_bindgen(getter)]
    pub fn seat(&self) -> u8 {
        self.0.seat().0
    }

    /// Lines heard so far.
    #[wasm_bindgen(getter)]
    pub fn lines(&self) -> usize {
        self.0.lines()
    }

    /// Whether the session is over.
    #[wasm_bindgen(getter)]
    pub fn over(&self) -> bool {
        self.0.over()
    }

    /// Hears the next line. One that the rules do not give is refused and forgotten.
    ///
    /// # Errors
    /// The line, and what is wrong with it.
    pub fn hear(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "object | string")] line: JsValue,
    ) -> Result<(), JsError> {
        let line: Value = input::parsed("the line", &line)?;
        Ok(self.0.hear(&line)?)
    }

    /// What the seat knows now.
    ///
    /// # Errors
    /// It has no view: no round is in play, or it sits this one out.
    pub fn view(&mut self) -> Result<View, JsError> {
        Ok(View::of(self.0.view()?))
    }

    /// The same at the seat's own decision, for records that leave `turn` lines out: it is asked now.
    ///
    /// # Errors
    /// As `view`; and it is not the seat's turn.
    pub fn decide(&mut self) -> Result<View, JsError> {
        Ok(View::of(self.0.decide()?))
    }
}

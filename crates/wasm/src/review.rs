use cardsharp_bot::bots::Trained;
use cardsharp_bot::bots::search::{Budget, MOST_SIMULATIONS, SearchSettings};
use cardsharp_bot::review::{Reviewer, Thoroughness};
use cardsharp_env::trace as traces;
use schemars::JsonSchema;
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::bot::weights;
use crate::{answers, input};

/// Options of a review.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ReviewOptions {
    /// Playouts of the search that names the better move, 1 to 1,000,000. Default: 400.
    pub tries: u32,
    /// Deals in which two moves are compared, 1 to 1,000,000. Default: 400.
    pub deals: u32,
    /// How often each round is played from its deal, to measure luck, 2 to 1,000,000. Default: 100.
    pub playouts: u32,
    /// The seed, 0 to 2^53 - 1. Default: 0.
    pub seed: u64,
}

impl Default for ReviewOptions {
    fn default() -> Self {
        let Thoroughness { deals, playouts, seed } = Thoroughness::default();
        Self { tries: 400, deals, playouts, seed }
    }
}

/// A review of one seat in a session. Call `advance` until it returns undefined.
#[wasm_bindgen]
pub struct Review(Reviewer);

#[wasm_bindgen]
impl Review {
    /// Starts a review of a seat in a trace. The search uses the network or, without one, the scripted player.
    ///
    /// # Errors
    /// If the trace is not valid, it has no such seat, or the network is for another game.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "string")] trace: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] seat: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Uint8Array | Bundle")] network: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Partial<ReviewOptions>")] options: JsValue,
    ) -> Result<Review, JsError> {
        let ReviewOptions { tries, deals, playouts, seed } =
            input::parsed_or_default("the options", &options)?;
        for (option, given, least) in [("tries", tries, 1), ("deals", deals, 1), ("playouts", playouts, 2)] {
            if !(least..=MOST_SIMULATIONS).contains(&given) {
                let expected = format!("expected {least} to {MOST_SIMULATIONS}");
                return Err(JsError::new(&format!("`{option}` is {given}: {expected}")));
            }
        }
        let seed = input::option_seed(seed)?;
        let table = traces::replay(&input::trace(&trace)?)?;
        let seat = input::seat(&seat)?;
        if seat.index() >= table.seats() {
            let seats = table.seats();
            return Err(JsError::new(&format!("there is no seat {}: the session has {seats} seats", seat.0)));
        }
        let bytes = (!network.is_undefined()).then(|| weights(&network)).transpose()?;
        let game = input::named(table.game())?;
        let trained = bytes.map(|bytes| Trained::from_bytes(game, &bytes)).transpose()?;
        let net = trained.map(|trained| trained.net().clone());
        let settings = SearchSettings::new(Budget::Simulations(tries), net);
        Ok(Self(Reviewer::new(table, seat, settings, Thoroughness { deals, playouts, seed })))
    }

    /// The number of reviewed steps.
    #[wasm_bindgen(getter)]
    pub fn done(&self) -> usize {
        self.0.progress().0
    }

    /// The number of steps in the session.
    #[wasm_bindgen(getter)]
    pub fn steps(&self) -> usize {
        self.0.progress().1
    }

    /// Reviews the next step. The result has a decision of the seat, the end of a round, or neither. It is undefined
    /// after the last step.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "Reviewed | undefined")]
    pub fn advance(&mut self) -> Result<JsValue, JsError> {
        self.0.advance().map_or(Ok(JsValue::UNDEFINED), |reviewed| answers::object(&reviewed))
    }
}

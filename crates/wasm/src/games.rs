//! Games and rules by name.

use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, GAMES, Size};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::answers::{Description, Game, GameOption, Run};
use crate::{input, output};

fn summary(game: &dyn AnyGame) -> Game {
    Game {
        name: game.name(),
        title: game.title(),
        least: *game.players().start(),
        most: *game.players().end(),
        encoding: game.encoding(),
        cells: width(game.observation()),
        actions: width(game.actions()),
        reference: game.is_reference(),
    }
}

/// All games; those that are there for reference come last.
///
/// # Errors
/// None that is known.
#[wasm_bindgen(unchecked_return_type = "Game[]")]
pub fn games() -> Result<JsValue, JsError> {
    output::object(&GAMES.iter().map(|game| summary(*game)).collect::<Vec<_>>())
}

/// What there is to know of a game: its options with defaults and descriptions, what the cells of a row mean, and
/// the names of its actions.
///
/// # Errors
/// There is no such game.
#[wasm_bindgen(unchecked_return_type = "Description")]
pub fn describe(
    #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
) -> Result<JsValue, JsError> {
    let game = input::any_game(&game)?;
    let defaults = game.default_rules();
    let option = |option: &cardsharp_env::rules::OptionDoc| GameOption {
        name: option.name,
        values: option.values.to_string(),
        schema: option.schema(),
        meaning: option.meaning,
        default: defaults.json()[option.name].clone(),
    };
    output::object(&Description {
        game: summary(game),
        options: game.options().iter().map(option).collect(),
        observation: game.observation().iter().map(Run::from).collect(),
        actions: game.actions().iter().map(Run::from).collect(),
        labels: (0..width(game.actions())).map(|id| game.label(ActionId(id as u16))).collect(),
    })
}

/// Checked rules: all options of a game, those given and the defaults of the others.
///
/// # Errors
/// There is no such game, or the option that was refused and what would be right.
#[wasm_bindgen(unchecked_return_type = "Rules")]
pub fn rules(
    #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<Rules>")] given: JsValue,
) -> Result<JsValue, JsError> {
    let rules = input::any_game(&game)?.sized_rules(&input::json("the rules", &given)?, Size::AS_GIVEN)?;
    output::object(&rules)
}

//! Games and rules by name.

use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, GAMES, Size};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsError, JsValue};

use crate::answers::{Description, Game, GameOption, NamedRange};
use crate::{answers, input};

fn summary(game: &dyn AnyGame) -> Game {
    Game {
        name: game.name(),
        title: game.title(),
        least: *game.players().start(),
        most: *game.players().end(),
        encoding: game.encoding(),
        cells: width(game.observation()),
        actions: width(game.actions()),
        rounds: game.rounds_option(),
        reference: game.is_reference(),
    }
}

/// Lists all games. The reference games come last.
///
/// # Errors
/// None are expected.
#[wasm_bindgen(unchecked_return_type = "Game[]")]
pub fn games() -> Result<JsValue, JsError> {
    answers::object(&GAMES.iter().map(|game| summary(*game)).collect::<Vec<_>>())
}

/// Describes a game: the options of its rules, the cells of an observation row, and its actions.
///
/// # Errors
/// If there is no such game.
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
    answers::object(&Description {
        game: summary(game),
        options: game.options().iter().map(option).collect(),
        observation: game.observation().iter().map(NamedRange::from).collect(),
        actions: game.actions().iter().map(NamedRange::from).collect(),
        labels: (0..width(game.actions())).map(|id| game.label(ActionId(id as u16))).collect(),
    })
}

/// Validates rules and returns all options of the game. Options that you leave out get their defaults.
///
/// # Errors
/// If there is no such game, or an option is not valid. The message names the valid values.
#[wasm_bindgen(unchecked_return_type = "Rules")]
pub fn rules(
    #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "Partial<Rules>")] given: JsValue,
) -> Result<JsValue, JsError> {
    let rules = input::any_game(&game)?.sized_rules(&input::json("the rules", &given)?, Size::AS_GIVEN)?;
    answers::object(&rules)
}

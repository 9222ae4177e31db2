use std::sync::Arc;
use std::time::Duration;

use cardsharp_bot::beliefs;
use cardsharp_bot::bots::search::{
    Budget, Clock, DEFAULT_SIMULATIONS, MOST_SIMULATIONS, Search, SearchSettings,
};
use cardsharp_bot::bots::{BUILT_IN, FILE, Trained, levels};
use cardsharp_bot::{Net, Player, bot};
use cardsharp_env::{Character, SeatView, mask};
use schemars::JsonSchema;
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsError, JsValue};

use crate::answers::{Advice, Level};
use crate::view::View;
use crate::{answers, input};

/// The maximum time per decision, in milliseconds.
const LONGEST: u32 = 600_000;

#[wasm_bindgen]
extern "C" {
    /// In browsers, workers and node.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Returns a clock that counts from the start of the page or process.
fn clock() -> Clock {
    Arc::new(|| Duration::from_secs_f64((now() / 1000.0).max(0.0)))
}

/// How a bot plays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BotOptions {
    /// The bot's name, for messages.
    pub name: Option<String>,
    /// The seed of its random stream, 0 to 2^53 - 1. Default: 0. The same seed gives the same moves.
    pub seed: u64,
    /// The sampling temperature of a network, 0 to 100. Default: 0, which always plays the most probable move. Above 0,
    /// moves are sampled after the logits are divided by it.
    pub temperature: Option<f32>,
    /// A level of the bundle, 1 to 10, instead of a temperature.
    pub level: Option<u8>,
    /// Options of a search, which uses the network if there is one.
    pub search: Option<SearchOptions>,
}

/// How a search plays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SearchOptions {
    /// Playouts per decision, 1 to 1,000,000. Default: 400.
    pub tries: Option<u32>,
    /// Milliseconds per decision, 1 to 600,000, instead of `tries`.
    pub ms: Option<u32>,
    /// Whether deals are sampled with the bundle's belief model instead of uniformly. Default: false.
    pub beliefs: bool,
    /// Whether only the card play is searched. The network (or the scripted player) then decides in the auction.
    /// Default: false.
    pub play_only: bool,
}

/// Why options do not make a bot.
#[derive(Debug, thiserror::Error)]
enum OptionError {
    #[error("there is no built-in bot `{0}`: expected {known}{hint}", known = BUILT_IN.join(", "), hint = trained(.0))]
    Unknown(String),
    #[error("`{option}` is {given}: expected {expected}")]
    Range { option: &'static str, given: String, expected: String },
    #[error("the bot `{1}` has no option `{0}`")]
    Idle(&'static str, String),
    #[error("`{0}` and `{1}` exclude each other: pass one of them")]
    Both(&'static str, &'static str),
    #[error("`beliefs` is true: expected a bundle with a `{}`", beliefs::FILE)]
    NoModel,
    #[error("the bundle has no `{FILE}`")]
    NoNetwork,
}

/// Explains how to get the shipped bot of a game, if the name is that of a game.
fn trained(name: &str) -> String {
    match cardsharp_env::games::played().any(|game| game.name() == name) {
        true => format!("; the trained bot is `Bot.fromBytes(\"{name}\", await trained(\"{name}\"))`"),
        false => String::new(),
    }
}

/// Returns the bytes of a bot file, from a bundle or as passed.
pub(crate) fn weights(network: &JsValue) -> Result<Vec<u8>, JsError> {
    match network.is_instance_of::<js_sys::Uint8Array>() {
        true => input::bytes("the network", network),
        false => Ok(input::file(network, FILE)?.ok_or(OptionError::NoNetwork)?),
    }
}

/// A network. All bots made from it share its memory.
#[wasm_bindgen]
pub struct Network {
    game: &'static str,
    trained: Trained,
}

#[wasm_bindgen]
impl Network {
    /// Reads a network from the bytes of a bot file, or from an object with the files of a bundle by name. It reads
    /// `bot.safetensors` and, for levels, `levels.json` and `beliefs.safetensors`.
    ///
    /// # Errors
    /// If the bytes are invalid or the network is for another game.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(
        #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | Bundle")] network: JsValue,
    ) -> Result<Network, JsError> {
        let game = input::any_game(&game)?;
        let trained = Trained::from_bytes(game, &weights(&network)?)?;
        if network.is_instance_of::<js_sys::Uint8Array>() {
            return Ok(Self { game: game.name(), trained });
        }
        let trained = match input::file(&network, levels::FILE)? {
            Some(measured) => trained.with_levels(&measured)?,
            None => trained,
        };
        let trained = match input::file(&network, beliefs::FILE)? {
            Some(model) => trained.with_beliefs(game, &model)?,
            None => trained,
        };
        Ok(Self { game: game.name(), trained })
    }

    /// Makes a bot from this network.
    ///
    /// # Errors
    /// If an option is unknown, out of range, or not available for this network.
    pub fn bot(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "BotOptions")] options: JsValue,
    ) -> Result<Bot, JsError> {
        let options: BotOptions = input::parsed_or_default("the options", &options)?;
        let seed = input::option_seed(options.seed)?;
        let (trained, name) = (&self.trained, options.name.as_deref().unwrap_or("network"));
        let player = match (options.level, options.temperature, &options.search) {
            (Some(_), Some(_), _) => return Err(OptionError::Both("level", "temperature").into()),
            (Some(_), _, Some(_)) => return Err(OptionError::Both("level", "search").into()),
            (_, Some(_), Some(_)) => return Err(OptionError::Both("temperature", "search").into()),
            (Some(level), None, None) => trained.at_level(name, level, 1)?,
            (None, None, Some(search)) => trained.search(name, settings(Some(search), Some(trained))?),
            (None, temperature, None) => trained.player(name, checked(temperature.unwrap_or_default())?),
        };
        let levels = trained.levels().map_or(&[][..], |levels| &levels.levels);
        let level =
            |(at, level): (usize, &levels::Level)| Level { level: at as u8 + 1, rating: level.rating.mean };
        let levels = levels.iter().enumerate().map(level).collect();
        let net = Some(trained.net().clone());
        Ok(Bot { game: Some(self.game), bot: player.bot(seed), levels, net })
    }
}

/// A bot. It picks moves from the view of one seat.
#[wasm_bindgen]
pub struct Bot {
    /// The game that it plays; `None` for all games.
    game: Option<&'static str>,
    bot: Box<dyn bot::Bot>,
    levels: Vec<Level>,
    /// The network that plays on in comparisons; `None` for the scripted player.
    net: Option<Arc<Net>>,
}

#[wasm_bindgen]
impl Bot {
    /// Makes a built-in bot. Built-in bots need no network and play all games.
    ///
    /// # Errors
    /// If there is no such bot, or it does not have an option.
    #[wasm_bindgen(js_name = builtIn)]
    pub fn built_in(
        #[wasm_bindgen(unchecked_param_type = "BuiltIn")] name: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "BotOptions")] options: JsValue,
    ) -> Result<Bot, JsError> {
        let name = input::text("the bot", &name)?;
        let options: BotOptions = input::parsed_or_default("the options", &options)?;
        let seed = input::option_seed(options.seed)?;
        for (option, given) in
            [("temperature", options.temperature.is_some()), ("level", options.level.is_some())]
        {
            if given {
                return Err(OptionError::Idle(option, name).into());
            }
        }
        if name != "search" && options.search.is_some() {
            return Err(OptionError::Idle("search", name).into());
        }
        let player = match name.as_str() {
            "random" => Player::random(),
            "scripted" => Player::scripted(),
            "search" => Player::search(&name, settings(options.search.as_ref(), None)?),
            _ => match Character::ALL.into_iter().find(|character| character.name() == name) {
                Some(character) => Player::character(character),
                None => return Err(OptionError::Unknown(name.chars().take(40).collect()).into()),
            },
        };
        Ok(Self { game: None, bot: player.bot(seed), levels: Vec::new(), net: None })
    }

    /// Makes a bot from the bytes of a bot file, or from an object with the files of a bundle by name, as `trained` from
    /// `cardsharp/bots` returns it.
    ///
    /// # Errors
    /// If the bytes are invalid, the network is for another game, or an option is unknown or not available.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(
        #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | Bundle")] network: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "BotOptions")] options: JsValue,
    ) -> Result<Bot, JsError> {
        Network::from_bytes(game, network)?.bot(options)
    }

    /// The name of the bot, as in contests.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.bot.name().to_owned()
    }

    /// The game that the bot plays; undefined if it plays all games.
    #[wasm_bindgen(getter, unchecked_return_type = "GameName | undefined")]
    pub fn game(&self) -> Option<String> {
        self.game.map(str::to_owned)
    }

    /// Returns the levels of its bundle, weakest first, or an empty array without `levels.json`.
    ///
    /// # Errors
    /// None are expected.
    #[wasm_bindgen(unchecked_return_type = "Level[]")]
    pub fn levels(&self) -> Result<JsValue, JsError> {
        answers::object(&self.levels)
    }

    /// Returns the action number of the move that the bot plays.
    ///
    /// # Errors
    /// If the seat has no decision, or the view is of another game.
    pub fn pick(&mut self, view: &View) -> Result<u16, JsError> {
        let view = self.asked(view)?;
        Ok(self.bot.pick(view).0)
    }

    /// Ranks all legal moves.
    ///
    /// # Errors
    /// If the seat has no decision, or the view is of another game.
    #[wasm_bindgen(unchecked_return_type = "Advice")]
    pub fn advise(&mut self, view: &View) -> Result<JsValue, JsError> {
        let view = self.asked(view)?;
        answers::object(&Advice::of(self.bot.advise(view), view))
    }

    /// Compares two legal moves, given by action number. Each is played to the end of the round in the same `deals` deals,
    /// which fit the view. The bot's network (or, without one, the scripted player) plays all seats.
    ///
    /// # Errors
    /// If the seat has no decision, the view is of another game, a move is not legal, or `deals` is out of range.
    #[wasm_bindgen(unchecked_return_type = "Compared")]
    pub fn compare(
        &mut self,
        view: &View,
        #[wasm_bindgen(unchecked_param_type = "number")] one: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] other: JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] deals: JsValue,
    ) -> Result<JsValue, JsError> {
        let view = self.asked(view)?;
        let legal = view.legal_words();
        let deals = input::deals(&deals)?;
        let [one, other] = [one, other].map(|action| {
            let action = input::action_number(&action)?;
            if mask::actions(&legal).any(|other| other == action) {
                return Ok(action);
            }
            Err(JsError::new(&format!("action {} is not legal now", action.0)))
        });
        // There is no search: the caller names the moves.
        let settings = SearchSettings::new(Budget::Simulations(1), self.net.clone());
        answers::object(&Search::new("compare", settings, 0).compare(view, [one?, other?], deals))
    }
}

impl Bot {
    /// Returns the view, if this bot can decide in it.
    fn asked<'v>(&self, view: &'v View) -> Result<SeatView<'v>, JsError> {
        let view = view.seen();
        if let Some(game) = self.game.filter(|game| *game != view.game()) {
            return Err(JsError::new(&format!("the bot plays `{game}`, not `{}`", view.game())));
        }
        if view.legal(&mut vec![0; view.words()]) == 0 {
            return Err(JsError::new(&format!("seat {} has no decision in this view", view.seat().0)));
        }
        Ok(view)
    }
}

fn checked(temperature: f32) -> Result<f32, OptionError> {
    if (0.0..=100.0).contains(&temperature) {
        return Ok(temperature);
    }
    let expected = "0 to 100".to_owned();
    Err(OptionError::Range { option: "temperature", given: temperature.to_string(), expected })
}

/// Returns the settings of a search, with the network of `trained` if there is one.
fn settings(
    options: Option<&SearchOptions>,
    trained: Option<&Trained>,
) -> Result<SearchSettings, OptionError> {
    let default = SearchOptions::default();
    let SearchOptions { tries, ms, beliefs, play_only } = options.unwrap_or(&default);
    let within = |option, given: u32, most: u32| match (1..=most).contains(&given) {
        true => Ok(given),
        false => {
            Err(OptionError::Range { option, given: given.to_string(), expected: format!("1 to {most}") })
        }
    };
    let budget = match (tries, ms) {
        (Some(_), Some(_)) => return Err(OptionError::Both("tries", "ms")),
        (tries, None) => {
            Budget::Simulations(within("tries", tries.unwrap_or(DEFAULT_SIMULATIONS), MOST_SIMULATIONS)?)
        }
        (None, Some(ms)) => {
            let each = Duration::from_millis(within("ms", *ms, LONGEST)?.into());
            Budget::Time { each, clock: clock() }
        }
    };
    let beliefs = match beliefs {
        true => Some(trained.and_then(Trained::beliefs).cloned().ok_or(OptionError::NoModel)?),
        false => None,
    };
    Ok(SearchSettings { beliefs, play_only: *play_only, ..SearchSettings::new(budget, None) })
}

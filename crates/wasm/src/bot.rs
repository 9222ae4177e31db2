//! Bots.

use std::sync::Arc;
use std::time::Duration;

use cardsharp_bot::beliefs;
use cardsharp_bot::bots::search::{Budget, DEFAULT_SIMULATIONS, Horizon, Method, Search, Settings};
use cardsharp_bot::bots::{BUILT_IN, FILE, Trained, levels};
use cardsharp_bot::{Net, Player, bot};
use cardsharp_env::{Character, SeatView, mask};
use schemars::JsonSchema;
use serde::Deserialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsError, JsValue};

use crate::answers::{Advice, Level};
use crate::clock::clock;
use crate::view::View;
use crate::{input, output};

/// The most tries of a decision.
const MOST_TRIES: u32 = 1_000_000;
/// The longest time of a decision, in milliseconds.
const LONGEST: u32 = 600_000;

/// How a bot plays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BotOptions {
    /// Its name, for messages.
    pub name: Option<String>,
    /// The seed of its random stream, 0 to 2^53 - 1; 0 where nothing is said. The same seed plays the same.
    pub seed: u64,
    /// Of a network: 0 (where nothing is said) always plays the most probable move, above that moves are drawn after
    /// dividing logits by it; at most 100.
    pub temperature: Option<f32>,
    /// Of a bundle: one of its levels, 1 to 10, instead of a temperature.
    pub level: Option<u8>,
    /// Looks ahead, with the network where there is one.
    pub search: Option<SearchOptions>,
}

/// How a search plays.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SearchOptions {
    /// Tries per decision, 1 to 1,000,000; 400 where nothing is said.
    pub tries: Option<u32>,
    /// Milliseconds per decision instead, 1 to 600,000.
    pub ms: Option<u32>,
    /// How tries are spent: `"halving"` where nothing is said.
    pub method: SearchMethod,
    /// How far moves are played out: `"end"` where nothing is said.
    pub horizon: SearchHorizon,
    /// Whether deals are drawn by the bundle's model of beliefs instead of all alike.
    pub beliefs: bool,
    /// Whether an auction is left to the network (or the built-in player), and only the play is searched.
    pub play_only: bool,
}

/// How tries are spent.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchMethod {
    /// Every move in the same deals; the better half again in more of them, until two are left.
    #[default]
    Halving,
    /// A tree of what everybody may do, over all deals.
    Tree,
}

/// How far moves are played out.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SearchHorizon {
    /// To the end of the round.
    #[default]
    End,
    /// To the seat's next decision, by what the network expects there; by halving, and with a network.
    Value,
}

/// A player, made of options.
#[derive(Debug, thiserror::Error)]
enum OptionError {
    #[error("there is no bot `{0}`: expected {known}", known = BUILT_IN.join(", "))]
    Unknown(String),
    #[error("`{option}` is {given}: expected {expected}")]
    Range { option: &'static str, given: String, expected: String },
    #[error("`{0}` is nothing to `{1}`")]
    Idle(&'static str, String),
    #[error("`{0}` and `{1}` are both given: expected one of them")]
    Both(&'static str, &'static str),
    #[error("`horizon` is \"value\": expected a network to ask, and `method` \"halving\"")]
    NoValue,
    #[error("`beliefs` is true: expected a bundle with a `{}`", beliefs::FILE)]
    NoModel,
    #[error("the bundle has no `{FILE}`")]
    NoNetwork,
}

/// The bytes of a bot file, which are given or in a bundle.
pub(crate) fn weights(network: &JsValue) -> Result<Vec<u8>, JsError> {
    match network.is_instance_of::<js_sys::Uint8Array>() {
        true => input::bytes("the network", network),
        false => Ok(input::file(network, FILE)?.ok_or(OptionError::NoNetwork)?),
    }
}

/// A network that was read: bots made of it share it, so that a table of them takes no more memory than one.
#[wasm_bindgen]
pub struct Network {
    game: &'static str,
    trained: Trained,
}

#[wasm_bindgen]
impl Network {
    /// A network: the bytes of a bot file, or the files of a bundle by name, of which `bot.safetensors` and, for its
    /// levels, `levels.json` and `beliefs.safetensors` are read.
    ///
    /// # Errors
    /// They are no such bytes, or the network plays another game.
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

    /// A bot of it.
    ///
    /// # Errors
    /// An option that it does not have.
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

/// Somebody who decides, from what one seat may know.
#[wasm_bindgen]
pub struct Bot {
    /// The game that it plays; none if it plays any.
    game: Option<&'static str>,
    bot: Box<dyn bot::Bot>,
    levels: Vec<Level>,
    /// Who plays on where moves are compared; none: the built-in player.
    net: Option<Arc<Net>>,
}

#[wasm_bindgen]
impl Bot {
    /// One of the bots that need no network, for any game: `random`, `scripted`, `cautious`, `aggressive`, `search`.
    ///
    /// # Errors
    /// There is no such bot, or an option that it does not have.
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

    /// A network: the bytes of a bot file, or the files of a bundle by name, of which `bot.safetensors` and, for its
    /// levels, `levels.json` and `beliefs.safetensors` are read.
    ///
    /// # Errors
    /// They are no such bytes, the network plays another game, or an option that it does not have.
    #[wasm_bindgen(js_name = fromBytes)]
    pub fn from_bytes(
        #[wasm_bindgen(unchecked_param_type = "GameName")] game: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Uint8Array | Bundle")] network: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "BotOptions")] options: JsValue,
    ) -> Result<Bot, JsError> {
        Network::from_bytes(game, network)?.bot(options)
    }

    /// Its name.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.bot.name().to_owned()
    }

    /// The game that it plays; none if it plays any.
    #[wasm_bindgen(getter, unchecked_return_type = "GameName | undefined")]
    pub fn game(&self) -> Option<String> {
        self.game.map(str::to_owned)
    }

    /// The levels of its bundle, the weakest first; empty if it came without.
    ///
    /// # Errors
    /// None that is known.
    #[wasm_bindgen(unchecked_return_type = "Level[]")]
    pub fn levels(&self) -> Result<JsValue, JsError> {
        output::object(&self.levels)
    }

    /// The move it plays: the number of an action.
    ///
    /// # Errors
    /// The view has no decision, or is another game's.
    pub fn pick(&mut self, view: &View) -> Result<u16, JsError> {
        let view = self.asked(view)?;
        Ok(self.bot.pick(view).0)
    }

    /// What it thinks of every legal move.
    ///
    /// # Errors
    /// The view has no decision, or is another game's.
    #[wasm_bindgen(unchecked_return_type = "Advice")]
    pub fn advise(&mut self, view: &View) -> Result<JsValue, JsError> {
        let view = self.asked(view)?;
        output::object(&Advice::of(self.bot.advise(view), view))
    }

    /// Two legal moves, by the numbers of their actions, each played to the end of the round in the same `deals` deals that the
    /// view allows: its network (or, without one, the built-in player) plays in all seats.
    ///
    /// # Errors
    /// The view has no decision, or is another game's; a move is not legal, or the number of deals is none.
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
        // Nothing is searched: moves are named by whoever asks.
        let settings = Settings::new(Budget::Simulations(1), self.net.clone());
        output::object(&Search::new("compare", settings, 0).compare(view, [one?, other?], deals))
    }
}

impl Bot {
    /// The view, if this bot can be asked about it.
    fn asked<'v>(&self, view: &'v View) -> Result<SeatView<'v>, JsError> {
        let view = view.seen();
        if let Some(game) = self.game.filter(|game| *game != view.game()) {
            return Err(JsError::new(&format!("the bot plays {game}, not {}", view.game())));
        }
        if view.legal(&mut vec![0; view.words()]) == 0 {
            return Err(JsError::new(&format!("seat {} has nothing to decide", view.seat().0)));
        }
        Ok(view)
    }
}

/// A temperature that is one.
fn checked(temperature: f32) -> Result<f32, OptionError> {
    if (0.0..=100.0).contains(&temperature) {
        return Ok(temperature);
    }
    let expected = "0 to 100".to_owned();
    Err(OptionError::Range { option: "temperature", given: temperature.to_string(), expected })
}

/// The settings of a search, with the network of `trained` where there is one.
fn settings(options: Option<&SearchOptions>, trained: Option<&Trained>) -> Result<Settings, OptionError> {
    let default = SearchOptions::default();
    let SearchOptions { tries, ms, method, horizon, beliefs, play_only } = options.unwrap_or(&default);
    let within = |option, given: u32, most: u32| match (1..=most).contains(&given) {
        true => Ok(given),
        false => {
            Err(OptionError::Range { option, given: given.to_string(), expected: format!("1 to {most}") })
        }
    };
    let budget = match (tries, ms) {
        (Some(_), Some(_)) => return Err(OptionError::Both("tries", "ms")),
        (tries, None) => {
            Budget::Simulations(within("tries", tries.unwrap_or(DEFAULT_SIMULATIONS), MOST_TRIES)?)
        }
        (None, Some(ms)) => {
            let each = Duration::from_millis(within("ms", *ms, LONGEST)?.into());
            Budget::Time { each, clock: clock() }
        }
    };
    if *horizon == SearchHorizon::Value && (trained.is_none() || *method == SearchMethod::Tree) {
        return Err(OptionError::NoValue);
    }
    let method = match method {
        SearchMethod::Halving => Method::Halving,
        SearchMethod::Tree => Method::Tree,
    };
    let horizon = match horizon {
        SearchHorizon::End => Horizon::End,
        SearchHorizon::Value => Horizon::Value,
    };
    let beliefs = match beliefs {
        true => Some(trained.and_then(Trained::beliefs).cloned().ok_or(OptionError::NoModel)?),
        false => None,
    };
    Ok(Settings { method, horizon, beliefs, play_only: *play_only, ..Settings::new(budget, None) })
}

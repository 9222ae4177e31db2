//! What can be played, and the description of all this.

use axum::http::Method;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::endpoints as all;
use crate::endpoint::{Asked, Doc, Endpoint, Kind, Who, json};
use crate::openapi;
use crate::refusal::Refusal;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "The OpenAPI description of this server.";
    let describe = Doc { name: "openapi", summary: "This description", text, who: Who::Itself };
    let text = "Every game with its options and the bots that can be named for it.";
    let games = Doc { name: "games", summary: "What can be played", text, who: Who::Token };
    let page = "A page has a file of this name, which says that it plays alone; served from here it finds this instead.";
    let page =
        Doc { name: "server", summary: "Whether tables can be opened here", text: page, who: Who::Itself };
    vec![
        Endpoint::get(Method::GET, "/server.json", page, serves),
        Endpoint::raw(
            "/v1/openapi.json",
            describe,
            Kind::Json(|_| schemars::json_schema!({ "type": "object" })),
            described,
        ),
        Endpoint::get(Method::GET, "/v1/games", games, list),
    ]
}

async fn described(_: Asked) -> Result<Response, Refusal> {
    json(&openapi::describe(&all()))
}

/// What a page may do here.
#[derive(Serialize, JsonSchema)]
struct Serves {
    /// Whether there are tables: true.
    tables: bool,
    /// Whether a token is needed to open one.
    token: bool,
}

async fn serves(asked: Asked) -> Result<Serves, Refusal> {
    Ok(Serves { tables: true, token: asked.token.is_some() })
}

/// What can be played.
#[derive(Serialize, JsonSchema)]
struct Games {
    games: Vec<Game>,
}

/// A game.
#[derive(Serialize, JsonSchema)]
struct Game {
    game: &'static str,
    title: &'static str,
    /// The fewest and the most players.
    players: [u8; 2],
    /// The rules by default, all options.
    rules: Value,
    /// What options there are.
    options: Vec<GameOption>,
    /// The bots that can be named. Networks may have a level, 1 to 10: `NAME@4`; `search` may have tries and a network:
    /// `search:400+NAME`.
    bots: Vec<String>,
}

/// An option of a game's rules.
#[derive(Serialize, JsonSchema)]
struct GameOption {
    option: &'static str,
    /// What it may be.
    values: String,
    /// What it does.
    meaning: &'static str,
}

async fn list(asked: Asked) -> Result<Games, Refusal> {
    let hall = &asked.hall;
    let options = |game: &dyn cardsharp_env::AnyGame| {
        let option = |option: &cardsharp_env::rules::OptionDoc| GameOption {
            option: option.name,
            values: option.values.to_string(),
            meaning: option.meaning,
        };
        game.options().iter().map(option).collect()
    };
    let games = hall.games.iter().filter(|game| !game.is_reference()).map(|game| Game {
        game: game.name(),
        title: game.title(),
        players: [*game.players().start(), *game.players().end()],
        rules: game.default_rules().json().clone(),
        options: options(*game),
        bots: hall.shelf.names(game.name()),
    });
    Ok(Games { games: games.collect() })
}

//! The list of games, the features of this server, and the OpenAPI description.

use axum::http::Method;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::endpoints as all;
use crate::endpoint::{ClientRequest, Doc, Endpoint, ResponseKind, Who, json};
use crate::openapi;
use crate::refusal::Refusal;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "Returns the OpenAPI description of this server.";
    let describe = Doc { name: "openapi", summary: "Get this description", text, who: Who::Itself };
    let text = "Returns every game with its players, rules and bots.";
    let games = Doc { name: "games", summary: "List games and bots", text, who: Who::Token };
    let page = "For the page in the browser: other web servers have a static file of this name, which says that there are no tables.";
    let page = Doc {
        name: "server",
        summary: "Check whether this server runs tables",
        text: page,
        who: Who::Itself,
    };
    vec![
        Endpoint::bare(Method::GET, "/server.json", page, serves),
        Endpoint::raw(
            "/v1/openapi.json",
            describe,
            ResponseKind::Json(|_| schemars::json_schema!({ "type": "object" })),
            described,
        ),
        Endpoint::bare(Method::GET, "/v1/games", games, list),
    ]
}

async fn described(_: ClientRequest) -> Result<Response, Refusal> {
    json(&openapi::describe(&all()))
}

/// What this server offers a page.
#[derive(Serialize, JsonSchema)]
struct Serves {
    /// Whether the server runs tables: always true.
    tables: bool,
    /// Whether you need a token to open a table.
    token: bool,
}

async fn serves(asked: ClientRequest) -> Result<Serves, Refusal> {
    Ok(Serves { tables: true, token: asked.token.is_some() })
}

#[derive(Serialize, JsonSchema)]
struct Games {
    games: Vec<Game>,
}

/// A game, its rules and its bots.
#[derive(Serialize, JsonSchema)]
struct Game {
    game: &'static str,
    title: &'static str,
    /// The minimum and the maximum number of players.
    players: [u8; 2],
    /// The default rules, with all options.
    rules: Value,
    /// The options of the rules.
    options: Vec<GameOption>,
    /// The bots of this game. You can add a level from 1 to 10 to a network: `NAME@4`. You can add playouts and a network
    /// to `search`: `search:400+NAME`.
    bots: Vec<String>,
}

/// An option of a game's rules.
#[derive(Serialize, JsonSchema)]
struct GameOption {
    option: &'static str,
    /// The allowed values, for people.
    values: String,
    /// What the option does.
    meaning: &'static str,
}

async fn list(asked: ClientRequest) -> Result<Games, Refusal> {
    let registry = &asked.registry;
    let options = |game: &dyn cardsharp_env::AnyGame| {
        let option = |option: &cardsharp_env::rules::OptionDoc| GameOption {
            option: option.name,
            values: option.values.to_string(),
            meaning: option.meaning,
        };
        game.options().iter().map(option).collect()
    };
    let games = registry.games.iter().filter(|game| !game.is_reference()).map(|game| Game {
        game: game.name(),
        title: game.title(),
        players: [*game.players().start(), *game.players().end()],
        rules: game.default_rules().json().clone(),
        options: options(*game),
        bots: registry.catalog.names(game.name()),
    });
    Ok(Games { games: games.collect() })
}

//! Advice of bots, and hints.

use std::sync::Arc;

use cardsharp_bot::{Advice, Player, Ranked, Stop};
use cardsharp_env::{AnyGame, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::endpoint::{ClientRequest, Doc, Endpoint, Who};
use crate::feed::TableFeed;
use crate::live::Live;
use crate::refusal::Refusal;
use crate::registry::TableRegistry;
use crate::thinking::Flow;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "Each position is a view, as in `GET /v1/tables/{id}/view`, or a record: the event log of a seat, up to its \
                decision. The answers have the order of the positions. An invalid position gets an `error`.";
    let advise = Doc { name: "advise", summary: "Get advice for positions", text, who: Who::Token };
    let text = "Only for the seat to move. The response takes as long as the bot needs.";
    let hint = Doc { name: "hint", summary: "Get a hint for a seat", text, who: Who::Seat };
    vec![Endpoint::post("/v1/advise", advise, advised), Endpoint::post("/v1/tables/{id}/hint", hint, hinted)]
}

/// Positions for which you want advice.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AdviseRequest {
    /// The name of a bot from `GET /v1/games`.
    bot: String,
    /// The temperature of a network's probabilities, 0.01 to 100. Below 1 sharpens them, above 1 softens them.
    #[serde(default = "one")]
    temperature: f32,
    positions: Vec<Position>,
}

fn one() -> f32 {
    1.0
}

/// A position, as one seat sees it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Position {
    /// A view, as in `GET /v1/tables/{id}/view`.
    View(Value),
    /// The lines of an event log.
    Record(Vec<Value>),
}

/// Advice of a bot.
#[derive(Serialize, JsonSchema)]
struct Advised {
    /// One answer for each position, in the same order.
    answers: Vec<Answered>,
}

/// The answer for one position.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Answered {
    Answer(Answer),
    /// The position is not valid.
    Error {
        /// What is wrong with the position.
        error: String,
    },
}

/// Ranked moves.
#[derive(Serialize, JsonSchema)]
struct Answer {
    game: &'static str,
    /// The seat to move.
    seat: u8,
    /// The expected reward of the seat; null if the bot does not estimate it.
    value: Option<f32>,
    /// All legal moves, best first.
    moves: Vec<Move>,
}

/// A legal move.
#[derive(Serialize, JsonSchema)]
struct Move {
    /// The move, as `POST /v1/tables/{id}/moves` takes it.
    r#move: String,
    /// The number of the action in the encodings of the game.
    action: u16,
    /// The probability that the bot plays it.
    probability: f64,
    /// The expected reward after this move; missing if the bot does not estimate it.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f32>,
}

impl Answer {
    fn new(game: &'static str, view: SeatView<'_>, advice: &Advice) -> Self {
        let named = |ranked: &Ranked| Move {
            r#move: view.label(ranked.action),
            action: ranked.action.0,
            probability: ranked.probability,
            value: ranked.value,
        };
        let moves = advice.moves.iter().map(named).collect();
        Self { game, seat: view.seat().0, value: advice.value, moves }
    }
}

async fn advised(asked: ClientRequest, given: AdviseRequest) -> Result<Advised, Refusal> {
    let AdviseRequest { bot, temperature, positions } = given;
    if !(0.01..=100.0).contains(&temperature) {
        let expected = "0.01 to 100".to_owned();
        return Err(Refusal::Value { what: "a temperature", given: temperature.to_string(), expected });
    }
    let limits = &asked.registry.limits;
    let (found, most) = (positions.len(), limits.positions);
    if found > most {
        return Err(Refusal::Many { what: "positions", found, most });
    }
    let found = (asked.registry.catalog.tries(&bot) as usize).saturating_mul(found);
    let most = limits.tries_of_request as usize;
    if found > most {
        return Err(Refusal::Many { what: "playouts", found, most });
    }
    let registry = asked.registry;
    let _places = registry.places(None)?;
    // A client that has disconnected needs no more answers.
    let (flow, halt, cost) = (Flow::new(), registry.halt(), registry.catalog.cost(&bot));
    let _connected = halt.when_dropped();
    let bot: Arc<str> = bot.into();
    let mut answers = Vec::with_capacity(positions.len());
    for position in positions {
        let (of, bot) = (Arc::clone(&registry), Arc::clone(&bot));
        let thought = move |stop| answer(&of, &bot, temperature, &position, stop);
        answers.push(match registry.think(flow, cost, halt.clone(), thought).await? {
            Ok(answer) => Answered::Answer(answer),
            Err(refusal @ Refusal::NoBot { .. }) => return Err(refusal),
            Err(refusal) => Answered::Error { error: refusal.to_string() },
        });
    }
    Ok(Advised { answers })
}

fn answer(
    registry: &TableRegistry,
    bot: &str,
    temperature: f32,
    position: &Position,
    stop: Stop,
) -> Result<Answer, Refusal> {
    let wrong = |error: &dyn std::fmt::Display| Refusal::Position(error.to_string());
    let nameless = || Refusal::Position("the position has no field `game`".to_owned());
    let named =
        |value: &Value| value["game"].as_str().ok_or_else(nameless).and_then(|name| registry.game(name));
    match position {
        Position::View(view) => {
            let game = named(view)?;
            let read = game.view_of(view).map_err(|error| wrong(&error))?;
            judge(game, &registry.catalog.player(bot, game, temperature)?, read.view(), stop)
        }
        Position::Record(lines) => {
            let (header, lines) = lines.split_first().ok_or_else(nameless)?;
            let game = named(header)?;
            let mut observer = game.observer(header).map_err(|error| wrong(&error))?;
            for line in lines {
                observer.hear(line).map_err(|error| wrong(&error))?;
            }
            let view = observer.view().map_err(|error| wrong(&error))?;
            judge(game, &registry.catalog.player(bot, game, temperature)?, view, stop)
        }
    }
}

fn judge(
    game: &'static dyn AnyGame,
    player: &Player,
    view: SeatView<'_>,
    stop: Stop,
) -> Result<Answer, Refusal> {
    if view.legal(&mut vec![0; view.words()]) == 0 {
        return Err(Refusal::NotYourTurn(view.seat().0));
    }
    let mut bot = player.bot(0);
    bot.stop_when(stop);
    let advice = bot.advise(view);
    Ok(Answer::new(game.name(), view, &advice))
}

/// The bot that gives a hint.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct HintRequest {
    /// The name of a bot from `GET /v1/games`.
    #[serde(default = "adviser")]
    bot: String,
}

fn adviser() -> String {
    "scripted".to_owned()
}

async fn hinted(asked: ClientRequest, given: HintRequest) -> Result<Answer, Refusal> {
    let (table, seat, registry) = (asked.table()?, asked.seat()?, asked.registry);
    table.feed.must_decide(seat)?;
    let of = Arc::clone(&registry);
    let bot = given.bot.clone();
    let job = move |live: &mut Live, feed: &TableFeed| {
        feed.must_decide(seat)?;
        let player = of.catalog.player(&bot, live.game, 1.0)?;
        Ok((live.game, player, live.table.view(seat).ok_or(Refusal::NotYourTurn(seat.0))?.kept()))
    };
    let (game, player, view) = registry.look(&table, job).await?;
    let _places = registry.places(Some(&table))?;
    let (cost, halt) = (registry.catalog.cost(&given.bot), registry.halt());
    let _connected = halt.when_dropped();
    registry.think(table.flow, cost, halt, move |stop| judge(game, &player, view.view(), stop)).await?
}

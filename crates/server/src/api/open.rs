//! Opening, viewing and ending tables.

use std::sync::Arc;

use axum::http::Method;
use cardsharp_env::{AnyGame, Seat, seed, trace};
use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::catalog::BotCatalog;
use crate::clock::{self, TimeLimits};
use crate::deals::SeedSource;
use crate::endpoint::{self, ClientRequest, Doc, Done, Endpoint, Who};
use crate::feed::{Listener, TableFeed};
use crate::journal::{Opened, Sitter};
use crate::live::Live;
use crate::now::{Spectators, State, TableNow};
use crate::refusal::Refusal;
use crate::registry::HostedTable;
use crate::secret::{self, Secret};

/// The maximum number of characters in a person's name.
const NAME: usize = 40;
/// The maximum number of characters in a bot's name. Names are sent many times to all clients, and no bot needs a
/// longer one.
const BOT: usize = 200;
/// The maximum of `pace`, in milliseconds.
const PACE: u32 = 10_000;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "Returns a secret for each seat of a person, one for spectators and one for the host. The server shows them \
                only once. A chosen seed reveals all cards to you; use one only for tests.";
    let open = Doc { name: "open", summary: "Open a table", text, who: Who::Token };
    let text = "Returns the public facts of a table outside its event log: its players, and a pending request to take back a \
                move. `last` is the id of the last event of your event log.";
    let look = Doc { name: "table", summary: "Get the state of a table", text, who: Who::Secret };
    let text = "Returns the view and the legal moves of the seat to move. With `any=true` also while others decide: the view \
                is then made from the event log of the seat, and `legal` is empty.";
    let view = Doc { name: "view", summary: "Get the view of a seat", text, who: Who::Seat };
    let text = "Deletes the table.";
    let end = Doc { name: "end", summary: "End a table", text, who: Who::Host };
    let list = "Returns the tables whose hosts have listed them, with their public facts, while someone uses them and until \
                their session is over.";
    let list = Doc { name: "tables", summary: "List tables", text: list, who: Who::Token };
    vec![
        Endpoint::bare(Method::GET, "/v1/tables", list, listed),
        Endpoint::post("/v1/tables", open, opened).changes(),
        Endpoint::bare(Method::GET, "/v1/tables/{id}", look, looked),
        Endpoint::bare(Method::GET, "/v1/tables/{id}/view", view, viewed),
        Endpoint::bare(Method::DELETE, "/v1/tables/{id}", end, ended).changes(),
    ]
}

/// A table to open.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OpenRequest {
    /// The name of the game.
    game: String,
    /// The options of the rules. Missing options have their defaults.
    #[serde(default)]
    rules: Value,
    /// The seed of seating, deals and chance, from 0 to 2^53 - 1. By default the server draws it and keeps it secret until
    /// the session is over.
    #[serde(default, deserialize_with = "seed_or_none")]
    #[schemars(extend("maximum" = seed::MAX))]
    seed: Option<u64>,
    /// The player in each seat.
    seats: Vec<Taker>,
    /// What spectators see.
    #[serde(default)]
    spectators: Spectators,
    /// Whether people may, without the host, take seats of bots, and join in games where players may join.
    #[serde(default)]
    open: bool,
    /// Whether the server deals the next round at once. If false, send `POST /v1/tables/{id}/deal`.
    #[serde(default = "endpoint::yes")]
    deal: bool,
    /// The minimum time between two events of bots in milliseconds, at most 10,000.
    #[serde(default)]
    pace: u32,
    /// Whether people can take moves back.
    #[serde(default = "endpoint::yes")]
    undo: bool,
    /// Whether the table is in the list of tables.
    #[serde(default)]
    listed: bool,
    /// Whether the session starts only when all people have sent `POST /v1/tables/{id}/ready`.
    #[serde(default)]
    ready_check: bool,
    /// Limits of time for people. Default: none.
    #[serde(default)]
    clock: Option<TimeLimits>,
}

/// The player for a seat.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Taker {
    /// A person with this name of 1 to 40 visible characters.
    Person(String),
    /// The name of a bot from `GET /v1/games`.
    Bot(String),
}

impl Taker {
    /// Returns the player for the seat, and a new secret if the player is a person.
    pub(super) fn sits(
        self,
        catalog: &BotCatalog,
        game: &dyn AnyGame,
    ) -> Result<(Sitter, Option<Secret>), Refusal> {
        let name = match self {
            Self::Bot(bot) if bot.chars().count() > BOT => {
                let given = bot.chars().take(80).collect();
                let expected = format!("a name of at most {BOT} characters");
                return Err(Refusal::NoBot { given, game: game.name().to_owned(), expected });
            }
            Self::Bot(bot) => return catalog.player(&bot, game, 0.0).map(|_| (Sitter::Bot(bot), None)),
            Self::Person(name) => name_of(&name)?,
        };
        let secret = Secret::new().map_err(|_| Refusal::Internal)?;
        Ok((Sitter::Person { name, secret: secret.digest() }, Some(secret)))
    }
}

/// Returns a person's name without spaces around it, if it is valid.
pub(super) fn name_of(given: &str) -> Result<String, Refusal> {
    let name = given.trim();
    let is_blank = name.chars().all(|c| c.is_whitespace() || joins(c));
    if is_blank || name.chars().count() > NAME || name.chars().any(is_hidden) {
        return Err(Refusal::text("a name", name, NAME, format!("1 to {NAME} visible characters")));
    }
    Ok(name.to_owned())
}

/// Returns whether a character joins or separates its neighbours. Names may contain it, but not consist of it.
fn joins(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Returns whether a character is invisible: control characters that a terminal obeys, and other hidden marks.
fn is_hidden(c: char) -> bool {
    trace::is_hidden(c)
        || matches!(
            c,
            '\u{ad}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The id of a new table, and its secrets. The server shows the secrets only once.
#[derive(Serialize, JsonSchema)]
struct TableOpened {
    table: String,
    /// The secret of the host, who opened it.
    host: String,
    /// The secret of spectators; null if the table has none.
    watch: Option<String>,
    /// For each seat the secret of its person; null for bots.
    seats: Vec<Option<String>>,
}

/// Reads a seed and checks its range. Null means no seed.
fn seed_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let given = Option::<u64>::deserialize(deserializer)?;
    given.map(seed::check).transpose().map_err(D::Error::custom)
}

async fn opened(asked: ClientRequest, given: OpenRequest) -> Result<TableOpened, Refusal> {
    let game = asked.registry.game(&given.game)?;
    let rules = game.rules(&given.rules)?;
    if given.seats.len() != rules.seats() {
        return Err(Refusal::Seats { expected: rules.seats(), given: given.seats.len() });
    }
    if given.pace > PACE {
        let (given, expected) = (given.pace.to_string(), format!("0 to {PACE}"));
        return Err(Refusal::Value { what: "a pace", given, expected });
    }
    if let Some(seconds) = given.clock.and_then(TimeLimits::wrong) {
        let (given, expected) = (seconds.to_string(), format!("1 to {} seconds", clock::MOST));
        return Err(Refusal::Value { what: "a limit of time", given, expected });
    }
    let taken = given.seats.into_iter().map(|taker| taker.sits(&asked.registry.catalog, game));
    let taken = taken.collect::<Result<Vec<_>, _>>()?;
    let (seats, secrets): (Vec<_>, Vec<_>) = taken.into_iter().unzip();
    let deals = match given.seed {
        Some(_) => None,
        None => {
            Some(SeedSource { secret: secret::digits().map_err(|_| Refusal::Internal)?, salts: Vec::new() })
        }
    };
    let secret = || Secret::new().map_err(|_| Refusal::Internal);
    let (host, watch) = (secret()?, secret()?);
    let opened = Opened {
        journal: Opened::VERSION,
        id: format!("{:016x}", secret::number().map_err(|_| Refusal::Internal)?),
        game: given.game,
        rules: rules.json().clone(),
        seed: given.seed.or(deals.as_ref().map(SeedSource::seed)).unwrap_or_default(),
        bots: secret::seed().map_err(|_| Refusal::Internal)?,
        seats,
        host: host.digest(),
        watch: watch.digest(),
        spectators: given.spectators,
        open: given.open,
        deal: given.deal,
        pace: given.pace,
        clock: given.clock,
        no_undo: !given.undo,
        listed: given.listed,
        secret: deals.map(|deals| deals.secret),
        ready_check: given.ready_check,
    };
    let table = asked.registry.open(game, opened).await?;
    Ok(TableOpened {
        table: table.id.clone(),
        host: host.reveal(),
        watch: (given.spectators != Spectators::Off).then(|| watch.reveal()),
        seats: secrets.into_iter().map(|secret| secret.map(|secret| secret.reveal())).collect(),
    })
}

#[derive(Serialize, JsonSchema)]
struct Tables {
    /// The tables, by id.
    tables: Vec<Listed>,
}

/// The id and the public facts of a table.
#[derive(Serialize, JsonSchema)]
struct Listed {
    table: String,
    #[serde(flatten)]
    now: TableNow,
}

async fn listed(asked: ClientRequest) -> Result<Tables, Refusal> {
    let tables = asked.registry.listed().into_iter().map(|(table, now)| Listed { table, now });
    Ok(Tables { tables: tables.collect() })
}

async fn looked(asked: ClientRequest) -> Result<State, Refusal> {
    let listener = asked.listener()?;
    Ok(asked.table()?.feed.lock().state(listener))
}

/// A view and the legal moves.
#[derive(Serialize, JsonSchema)]
struct Viewed {
    /// What the seat sees. `cardsharp describe GAME --schema view` prints its schema.
    view: Value,
    /// Empty while others decide.
    legal: Vec<String>,
}

async fn viewed(asked: ClientRequest) -> Result<Viewed, Refusal> {
    let (table, seat) = (asked.table()?, asked.seat()?);
    if let Err(refusal) = table.feed.must_decide(seat) {
        return if asked.value("any") == Some("true") {
            observed(&asked, &table, seat).await
        } else {
            Err(refusal)
        };
    }
    let job = move |live: &mut Live, feed: &TableFeed| {
        feed.must_decide(seat)?;
        let legal = live.table.legal().into_iter().map(|action| live.table.label(action)).collect();
        let view = live.table.view(seat).ok_or(Refusal::NotYourTurn(seat.0))?;
        Ok(Viewed { view: view.json(), legal })
    };
    asked.registry.look(&table, job).await
}

/// Makes the view of a seat from its event log alone. So it cannot show what others do secretly.
async fn observed(asked: &ClientRequest, table: &Arc<HostedTable>, seat: Seat) -> Result<Viewed, Refusal> {
    let _places = asked.registry.places(Some(table))?;
    let (lines, game) =
        (table.feed.lines(Listener::Seat(seat)), asked.registry.game(table.feed.lock().about.game)?);
    let turn = asked.registry.turn(table.flow, lines.len()).await;
    let observing = move || {
        let _turn = turn;
        let lines = lines.iter().map(|line| serde_json::from_str(line));
        let lines = lines.collect::<Result<Vec<Value>, _>>().map_err(|_| Refusal::Internal)?;
        let (header, lines) = lines.split_first().ok_or(Refusal::NoView(seat.0))?;
        let mut observer = game.observer(header).map_err(|_| Refusal::Internal)?;
        for line in lines {
            observer.hear(line).map_err(|_| Refusal::Internal)?;
        }
        let view = observer.view().map_err(|_| Refusal::NoView(seat.0))?;
        Ok(Viewed { view: view.json(), legal: Vec::new() })
    };
    tokio::task::spawn_blocking(observing).await.map_err(|_| Refusal::Internal)?
}

async fn ended(asked: ClientRequest) -> Result<Done, Refusal> {
    let registry = Arc::clone(&asked.registry);
    asked.change(move |live, feed| registry.end(live, feed)).await.map(|()| Done {})
}

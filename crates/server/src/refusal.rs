//! Why a request was refused. A message depends only on the request, on public facts of the table, and on what the
//! client's seat may know. So it never reveals anything else.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cardsharp_env::rules::RulesError;
use cardsharp_env::table::MoveError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::now::State;

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("there is no path `{0}`: see the list in GET /v1/openapi.json")]
    NoPath(String),
    #[error("the method {0} is not allowed for this path: see the list in GET /v1/openapi.json")]
    Method(String),
    #[error("the host `{given}` is not a name of this server: expected {expected}")]
    Host { given: String, expected: String },
    #[error(
        "pages of `{0}` may not use this server: start it with `cardsharp serve --origin {0}` to allow them"
    )]
    Origin(String),
    #[error(
        "a proxy forwarded this request, and the server has no token: start it with `cardsharp serve --token-file FILE`"
    )]
    Forwarded,
    #[error("expected the header `Authorization: Bearer` with {0}")]
    Unauthorized(&'static str),
    #[error("this request is only for {0}")]
    Forbidden(&'static str),
    #[error("the body has more than {0} bytes")]
    Large(usize),
    #[error("the body did not arrive within {0} s")]
    Slow(u64),
    #[error("the body is not valid: {0}")]
    Body(String),
    #[error("`{option}` cannot be {given}: expected {expected}")]
    Query { option: &'static str, given: String, expected: &'static str },
    #[error("the header `Idempotency-Key` must have 1 to {0} visible ASCII characters")]
    Key(usize),
    #[error("this `Idempotency-Key` was sent with another request")]
    OtherKey,
    #[error("the table has changed since the event in `after`: the last one is {}", .0.last)]
    Stale(Box<State>),
    #[error("there is no game `{given}`: expected one of {games}")]
    NoGame { given: String, games: String },
    #[error(transparent)]
    Rules(#[from] RulesError),
    #[error("expected {expected} seats for these rules, found {given}")]
    Seats { expected: usize, given: usize },
    #[error("`{given}` cannot be {what}: expected {expected}")]
    Value { what: &'static str, given: String, expected: String },
    #[error("there is no bot `{given}` for {game}: expected {expected}")]
    NoBot { given: String, game: String, expected: String },
    #[error("{0}")]
    Position(String),
    #[error("{found} {what} are too many: expected at most {most}")]
    Many { what: &'static str, found: usize, most: usize },
    #[error("there is no table `{0}`: it may have ended, or been deleted after a long time without requests")]
    NoTable(String),
    #[error("there is no such save, or it was already restored")]
    NoSave,
    #[error("this server cannot continue the table: {0}")]
    Unusable(String),
    #[error("there is no view now: no round is in play, or seat {0} sits it out")]
    NoView(u8),
    #[error("seat {0} has no decision to make now")]
    NotYourTurn(u8),
    #[error(transparent)]
    Move(MoveError),
    #[error("`{given}` is not a move of {game}")]
    NoMove { given: String, game: &'static str },
    #[error("the session is over")]
    Over,
    #[error("the session has not started: some people are not ready")]
    Waiting,
    #[error("the session has started")]
    Started,
    #[error("the session is not over yet")]
    NotOver,
    #[error("the round is not over yet")]
    RoundInPlay,
    #[error("{0}")]
    Seat(&'static str),
    #[error("moves cannot be taken back at this table")]
    NoUndo,
    #[error("seat {0} has no move in this round to take back")]
    NothingToUndo(u8),
    #[error("the event log of this table has reached its limit of {0} bytes: no more moves are possible")]
    LongRecord(usize),
    #[error("the limit of {most} {what} is reached")]
    Full { what: &'static str, most: usize },
    #[error("too many requests from your address: at most {most} in a second; try again in {seconds} s")]
    Often { most: u32, seconds: u64 },
    #[error("one emote in {0} s is the limit: try again later")]
    Emotes(u64),
    #[error("too many connections from your address: at most {most} at a time")]
    Crowd { most: usize },
    #[error("the server is busy: try again")]
    Busy,
    #[error("the server could not write to its disk, so the step was not made")]
    Disk,
    #[error("the data folder of the server is gone")]
    NoData,
    #[error("internal error of the server: the request was not carried out")]
    Internal,
}

impl Refusal {
    /// Refuses a text that cannot be `what`, and quotes its first `most` characters.
    pub(crate) fn text(what: &'static str, text: &str, most: usize, expected: String) -> Self {
        let given = text.chars().take(most).flat_map(char::escape_default).collect();
        Self::Value { what, given, expected }
    }

    fn status(&self) -> StatusCode {
        match self {
            Self::NoPath(_) | Self::NoTable(_) | Self::NoSave => StatusCode::NOT_FOUND,
            Self::Method(_) => StatusCode::METHOD_NOT_ALLOWED,
            Self::Host { .. } => StatusCode::MISDIRECTED_REQUEST,
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::Origin(_) | Self::Forwarded | Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Large(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Slow(_) => StatusCode::REQUEST_TIMEOUT,
            Self::Body(_)
            | Self::Query { .. }
            | Self::Key(_)
            | Self::NoGame { .. }
            | Self::Rules(_)
            | Self::Seats { .. }
            | Self::Value { .. }
            | Self::NoBot { .. }
            | Self::Position(_)
            | Self::Many { .. } => StatusCode::BAD_REQUEST,
            Self::OtherKey
            | Self::Stale(_)
            | Self::Unusable(_)
            | Self::NoView(_)
            | Self::NotYourTurn(_)
            | Self::Move(_)
            | Self::NoMove { .. }
            | Self::Over
            | Self::Waiting
            | Self::Started
            | Self::NotOver
            | Self::RoundInPlay
            | Self::Seat(_)
            | Self::NoUndo
            | Self::NothingToUndo(_)
            | Self::LongRecord(_) => StatusCode::CONFLICT,
            Self::Often { .. } | Self::Crowd { .. } | Self::Emotes(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Full { .. } | Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Disk | Self::NoData => StatusCode::INSUFFICIENT_STORAGE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The kind in one word, for programs.
    fn code(&self) -> &'static str {
        match self {
            Self::NoPath(_) => "no_path",
            Self::Method(_) => "method",
            Self::Host { .. } => "host",
            Self::Origin(_) => "origin",
            Self::Forwarded => "forwarded",
            Self::Unauthorized(_) => "unauthorized",
            Self::Forbidden(_) => "forbidden",
            Self::Large(_) => "large",
            Self::Slow(_) => "slow",
            Self::Body(_) => "body",
            Self::Query { .. } => "query",
            Self::Key(_) | Self::OtherKey => "key",
            Self::Stale(_) => "stale",
            Self::NoGame { .. } => "no_game",
            Self::Rules(_) => "rules",
            Self::Seats { .. } => "seats",
            Self::Value { .. } => "value",
            Self::NoBot { .. } => "no_bot",
            Self::Position(_) => "position",
            Self::Many { .. } => "many",
            Self::NoTable(_) => "no_table",
            Self::NoSave => "no_save",
            Self::Unusable(_) => "unusable",
            Self::NoView(_) => "no_view",
            Self::NotYourTurn(_) => "not_your_turn",
            Self::Move(_) => "illegal",
            Self::NoMove { .. } => "no_move",
            Self::Over => "over",
            Self::Waiting => "waiting",
            Self::Started => "started",
            Self::NotOver => "not_over",
            Self::RoundInPlay => "round_in_play",
            Self::Seat(_) => "seat",
            Self::NoUndo => "no_undo",
            Self::NothingToUndo(_) => "nothing_to_undo",
            Self::LongRecord(_) => "long_record",
            Self::Full { .. } => "full",
            Self::Often { .. } | Self::Crowd { .. } | Self::Emotes(_) => "rate",
            Self::Busy => "busy",
            Self::Disk | Self::NoData => "disk",
            Self::Internal => "internal",
        }
    }

    /// Returns the body of the error response.
    pub(crate) fn answer(&self) -> ErrorAnswer {
        let table = match self {
            Self::Stale(state) => Some((**state).clone()),
            _ => None,
        };
        debug_assert!(CODES.contains(&self.code()), "{} is not in the list of codes", self.code());
        ErrorAnswer { error: Reason { code: self.code(), message: self.to_string() }, table }
    }
}

/// All codes of errors.
pub(crate) const CODES: &[&str] = &[
    "no_path",
    "method",
    "host",
    "origin",
    "forwarded",
    "unauthorized",
    "forbidden",
    "large",
    "slow",
    "body",
    "query",
    "key",
    "stale",
    "no_game",
    "rules",
    "seats",
    "value",
    "no_bot",
    "position",
    "many",
    "no_table",
    "no_save",
    "unusable",
    "no_view",
    "not_your_turn",
    "illegal",
    "no_move",
    "over",
    "waiting",
    "started",
    "not_over",
    "round_in_play",
    "seat",
    "no_undo",
    "nothing_to_undo",
    "long_record",
    "full",
    "rate",
    "busy",
    "disk",
    "internal",
];

/// The body of every error response.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Refusal")]
pub(crate) struct ErrorAnswer {
    error: Reason,
    /// The state of the table, if the code is `stale`.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<State>,
}

/// What went wrong.
#[derive(Debug, Serialize, JsonSchema)]
struct Reason {
    /// The kind of error. Codes are stable; later versions can have more.
    #[schemars(extend("enum" = CODES))]
    code: &'static str,
    /// What is wrong and what is expected, for people.
    message: String,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = serde_json::to_string(&self.answer()).unwrap_or_default();
        let mut response =
            (self.status(), [(header::CONTENT_TYPE, "application/json")], body).into_response();
        let headers = response.headers_mut();
        match self {
            Self::Unauthorized(_) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::Busy | Self::Full { .. } => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            // The connection is one too many.
            Self::Crowd { .. } => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Self::Often { seconds, .. } | Self::Emotes(seconds) => {
                headers.insert(header::RETRY_AFTER, seconds.into());
            }
            // The rest of the body is not read, so the connection cannot be used again.
            Self::Large(_) | Self::Slow(_) => {
                headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            _ => {}
        }
        response
    }
}

//! Event streams.

use std::time::Duration;

use axum::http::HeaderValue;
use axum::response::Response;
use schemars::JsonSchema;
use serde::Serialize;

use crate::endpoint::{ClientRequest, Doc, Endpoint, Nothing, ResponseKind, Who, text_of};
use crate::refusal::Refusal;
use crate::secret::Secret;
use crate::stream;

/// The longest time that a client can wait for events, in seconds.
const WAIT: u64 = 60;
const WHO: &str = "people in seats and spectators, with their secret";

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "Server-sent events. An event without a name is a line of the event log. Its id lets you resume the stream. \
                `legal` has the legal moves of the seat to move. `table` has public facts outside the event log. `reset` \
                means that moves were taken back: the whole event log follows. The last event `closed` says why the stream \
                ends. With `wait` the response ends after the first events, for clients that cannot read streams.";
    let events = Doc {
        name: "events",
        summary: "Stream the event log of a seat or of spectators",
        text,
        who: Who::Itself,
    };
    let text = "For clients that cannot set a header, such as `EventSource` in browsers. A ticket opens one stream within a short time.";
    let ticket = Doc { name: "ticket", summary: "Get a ticket for a stream", text, who: Who::Secret };
    vec![
        Endpoint::raw("/v1/tables/{id}/events", events, ResponseKind::Events, listened),
        Endpoint::post("/v1/tables/{id}/tickets", ticket, ticketed),
    ]
}

async fn listened(asked: ClientRequest) -> Result<Response, Refusal> {
    let table = asked.table()?;
    let (listener, secret) = match (asked.value("ticket"), &asked.secret) {
        (Some(ticket), _) => {
            let admitted = asked.registry.admit(&table, &Secret::given(ticket));
            admitted.ok_or(Refusal::Unauthorized(
                "a secret of this table, or the query `?ticket=` with an unused ticket",
            ))?
        }
        (None, Some(secret)) => {
            let listener = asked.asker().and_then(|asker| table.listener(asker));
            (listener.ok_or(Refusal::Forbidden(WHO))?, secret.digest())
        }
        (None, None) => return Err(Refusal::Unauthorized("a secret of this table")),
    };
    let header = asked.headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let last = header.or(asked.value("after")).filter(|last| !last.is_empty());
    let cursor = table.feed.lock().cursor(listener, last)?;
    let wait = asked.value("wait").map(wait).transpose()?;
    let open = asked.registry.open_stream(table, listener)?;
    let body = match wait {
        Some(wait) => stream::poll(open, listener, secret, cursor, wait).await.into(),
        None => stream::body(open, listener, secret, cursor, asked.registry.limits.sign_of_life),
    };
    let mut response = text_of("text/event-stream", body);
    // Tells nginx to send events at once.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

/// Reads the time that a client waits for events.
fn wait(given: &str) -> Result<Duration, Refusal> {
    let seconds = given.parse().ok().filter(|seconds| *seconds <= WAIT);
    let wrong = || Refusal::Query {
        option: "wait",
        given: given.chars().take(40).collect(),
        expected: "a number of seconds from 0 to 60",
    };
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

/// A ticket for one event stream.
#[derive(Serialize, JsonSchema)]
struct Ticket {
    /// The value for `?ticket=`.
    ticket: String,
    /// Use it within this number of seconds.
    seconds: u64,
}

async fn ticketed(asked: ClientRequest, _: Nothing) -> Result<Ticket, Refusal> {
    let table = asked.table()?;
    let listener = asked.asker().and_then(|asker| table.listener(asker)).ok_or(Refusal::Forbidden(WHO))?;
    let secret = asked.secret.as_ref().ok_or(Refusal::Unauthorized("a secret of this table"))?;
    let ticket = asked.registry.ticket(&table, listener, secret)?;
    Ok(Ticket { ticket: ticket.reveal(), seconds: asked.registry.limits.ticket.as_secs() })
}

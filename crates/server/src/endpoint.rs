//! Endpoints, each declared once. The router and the OpenAPI description are made from the same list.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cardsharp_bot::text;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::feed::{Listener, TableFeed};
use crate::live::Live;
use crate::refusal::Refusal;
use crate::registry::{Asker, HostedTable, TableRegistry};
use crate::secret::{Digest, Secret};

/// Who may send a request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Clients with the server's token, or all if it has none.
    Token,
    /// The person who opened the table.
    Host,
    /// The person in a seat.
    Seat,
    /// Clients with a secret of the table.
    Secret,
    /// The endpoint decides that itself.
    Itself,
}

/// The documentation of an endpoint, and who may use it.
pub(crate) struct Doc {
    /// The operation id in the OpenAPI description.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) text: &'static str,
    pub(crate) who: Who,
}

/// A request, with the role of its client.
pub(crate) struct ClientRequest {
    pub(crate) registry: Arc<TableRegistry>,
    /// The hash of the server's token, if it has one.
    pub(crate) token: Option<Digest>,
    pub(crate) headers: HeaderMap,
    pub(crate) query: String,
    pub(crate) secret: Option<Secret>,
    table: Option<(Arc<HostedTable>, Option<Asker>)>,
    /// The table's id in the path.
    id: Option<String>,
}

impl ClientRequest {
    pub(crate) fn new(
        registry: Arc<TableRegistry>,
        token: Option<Digest>,
        headers: HeaderMap,
        query: String,
        id: Option<String>,
    ) -> Self {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret =
            bearer.and_then(|value| value.strip_prefix("Bearer ")).map(|text| Secret::given(text.trim()));
        Self { registry, token, headers, query, secret, table: None, id }
    }

    /// Finds the table and the client's role. Returns an error if the client may not send this request.
    pub(crate) async fn admit(mut self, who: Who) -> Result<Self, Refusal> {
        let Some(id) = &self.id else {
            if who == Who::Token {
                self.demand_token()?;
            }
            return Ok(self);
        };
        // Clients without a secret get the same error for every id, so they do not learn which tables exist.
        if self.secret.is_none() && who != Who::Itself {
            return Err(Refusal::Unauthorized("a secret of this table"));
        }
        let table = self.registry.table(id).await?;
        let asker = self.secret.as_ref().and_then(|secret| table.asker(secret));
        match (who, asker) {
            (Who::Itself, _)
            | (Who::Host, Some(Asker::Host))
            | (Who::Seat, Some(Asker::Seat(_)))
            | (Who::Secret | Who::Token, Some(_)) => {}
            (_, None) => return Err(Refusal::Forbidden("people with a secret of this table")),
            (Who::Host, Some(_)) => return Err(Refusal::Forbidden("the host, with the host's secret")),
            (Who::Seat, Some(_)) => {
                return Err(Refusal::Forbidden("the person in a seat, with the seat's secret"));
            }
        }
        self.table = Some((table, asker));
        Ok(self)
    }

    /// Returns an error if the request does not have the server's token.
    pub(crate) fn demand_token(&self) -> Result<(), Refusal> {
        let Some(token) = self.token else { return Ok(()) };
        match &self.secret {
            None => Err(Refusal::Unauthorized("the server's token")),
            Some(given) if given.digest() == token => Ok(()),
            Some(_) => Err(Refusal::Forbidden("clients with the server's token")),
        }
    }

    /// The table that the path names.
    pub(crate) fn table(&self) -> Result<Arc<HostedTable>, Refusal> {
        self.table.as_ref().map(|(table, _)| Arc::clone(table)).ok_or(Refusal::Internal)
    }

    /// Returns the client's role at the table; none without a secret of the table.
    pub(crate) fn asker(&self) -> Option<Asker> {
        self.table.as_ref().and_then(|(_, asker)| *asker)
    }

    /// Returns the client's seat.
    pub(crate) fn seat(&self) -> Result<cardsharp_env::Seat, Refusal> {
        match self.asker() {
            Some(Asker::Seat(seat)) => Ok(seat),
            _ => Err(Refusal::Forbidden("the person in a seat, with the seat's secret")),
        }
    }

    /// Returns whose event log tells the client how far the table is. The host has none and uses that of the
    /// spectators.
    pub(crate) fn listener(&self) -> Result<Listener, Refusal> {
        let table = self.table()?;
        Ok(self.asker().and_then(|asker| table.listener(asker)).unwrap_or(table.watched()))
    }

    /// Returns an error if `?after=` names an event before the last one.
    pub(crate) fn is_current(&self) -> Result<(), Refusal> {
        let Some(after) = self.value("after") else { return Ok(()) };
        self.table()?.feed.is_last(self.listener()?, after)
    }

    /// Runs a job that may change the table, as [`TableRegistry::change`] does. Returns an error if `?after=` names an
    /// event before the last one.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Live, &TableFeed) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (table, listener) = (self.table()?, self.listener()?);
        let after = self.value("after").map(str::to_owned);
        let job = move |live: &mut Live, feed: &TableFeed| {
            after.map_or(Ok(()), |after| feed.is_last(listener, &after))?;
            job(live, feed)
        };
        self.registry.change(&table, job).await
    }

    /// Returns a value of the query string. Valid values need no percent escapes, so nothing is decoded.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    }
}

/// Returns the default of fields that are true if they are missing.
pub(crate) fn yes() -> bool {
    true
}

/// An empty body.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

/// The request was carried out.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Done {}

/// The kind of a response.
pub(crate) enum ResponseKind {
    /// JSON with this schema.
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// Lines of this media type.
    Lines(&'static str),
    /// Server-sent events.
    Events,
}

type Answering = Pin<Box<dyn Future<Output = Result<Response, Refusal>> + Send>>;

/// A path and a method, and what they do.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) doc: Doc,
    /// The schema of the request's body; none if it has no body.
    pub(crate) body: Option<fn(&mut SchemaGenerator) -> Schema>,
    pub(crate) kind: ResponseKind,
    /// Whether a second request does more than the first. Such requests may have a key, and name the last event.
    pub(crate) changes: bool,
    pub(crate) answer: Arc<dyn Fn(ClientRequest, Bytes) -> Answering + Send + Sync>,
}

impl Endpoint {
    /// Declares an endpoint that reads and returns JSON.
    pub(crate) fn post<Req, Resp, F>(path: &'static str, doc: Doc, job: fn(ClientRequest, Req) -> F) -> Self
    where
        Req: DeserializeOwned + JsonSchema + Send + 'static,
        Resp: Serialize + JsonSchema,
        F: Future<Output = Result<Resp, Refusal>> + Send + 'static,
    {
        let answer = move |asked: ClientRequest, body: Bytes| -> Answering {
            Box::pin(async move {
                let given = read(&body)?;
                job(asked, given).await.and_then(|answer| json(&answer))
            })
        };
        let body = Some(SchemaGenerator::subschema_for::<Req> as fn(&mut SchemaGenerator) -> Schema);
        let kind = ResponseKind::Json(SchemaGenerator::subschema_for::<Resp>);
        Self { method: Method::POST, path, doc, body, kind, changes: false, answer: Arc::new(answer) }
    }

    /// Declares an endpoint that reads no body and returns JSON.
    pub(crate) fn bare<Resp, F>(
        method: Method,
        path: &'static str,
        doc: Doc,
        job: fn(ClientRequest) -> F,
    ) -> Self
    where
        Resp: Serialize + JsonSchema,
        F: Future<Output = Result<Resp, Refusal>> + Send + 'static,
    {
        let answer = move |asked: ClientRequest, _: Bytes| -> Answering {
            Box::pin(async move { job(asked).await.and_then(|answer| json(&answer)) })
        };
        let kind = ResponseKind::Json(SchemaGenerator::subschema_for::<Resp>);
        Self { method, path, doc, body: None, kind, changes: false, answer: Arc::new(answer) }
    }

    /// Declares an endpoint that reads no body and returns something other than one JSON value.
    pub(crate) fn raw<F>(
        path: &'static str,
        doc: Doc,
        kind: ResponseKind,
        job: fn(ClientRequest) -> F,
    ) -> Self
    where
        F: Future<Output = Result<Response, Refusal>> + Send + 'static,
    {
        let answer = move |asked: ClientRequest, _: Bytes| -> Answering { Box::pin(job(asked)) };
        Self { method: Method::GET, path, doc, body: None, kind, changes: false, answer: Arc::new(answer) }
    }

    /// Declares that a second request does more than the first.
    pub(crate) fn changes(self) -> Self {
        Self { changes: true, ..self }
    }
}

/// Parses a body. An empty body is an empty object.
fn read<Req: DeserializeOwned>(body: &[u8]) -> Result<Req, Refusal> {
    let body = if body.is_empty() { b"{}" } else { body };
    text::from_json(body).map_err(|error| Refusal::Body(error.to_string()))
}

/// Returns a response with a value as JSON.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, Refusal> {
    let text = serde_json::to_string(value).map_err(|_| Refusal::Internal)?;
    Ok(json_text(text))
}

/// Returns a response with a text that is JSON.
pub(crate) fn json_text(text: impl Into<Body>) -> Response {
    text_of("application/json", text.into())
}

/// Returns a response of this media type, which proxies and browsers must not store.
pub(crate) fn text_of(kind: &'static str, body: Body) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::OK, headers, body).into_response()
}

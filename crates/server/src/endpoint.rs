//! What a path does, declared once: the router and the description are made of the same list.

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

use crate::hall::{Asker, Hall, Table};
use crate::refusal::Refusal;
use crate::secret::{Digest, Secret};

/// Who may ask.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Anybody with the server's token, if it has one.
    Token,
    /// The person who opened the table.
    Host,
    /// The person in a seat.
    Seat,
    /// Anybody with a secret of the table.
    Secret,
    /// The endpoint says itself.
    Itself,
}

/// What an endpoint is for.
pub(crate) struct Doc {
    /// Its name in the description.
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) text: &'static str,
    pub(crate) who: Who,
}

/// A request whose asker is known.
pub(crate) struct Asked {
    pub(crate) hall: Arc<Hall>,
    /// What the server demands for what is not a table's.
    pub(crate) token: Option<Digest>,
    pub(crate) headers: HeaderMap,
    pub(crate) query: String,
    pub(crate) secret: Option<Secret>,
    table: Option<(Arc<Table>, Option<Asker>)>,
    /// The table's id in the path.
    id: Option<String>,
}

impl Asked {
    pub(crate) fn new(
        hall: Arc<Hall>,
        token: Option<Digest>,
        headers: HeaderMap,
        query: String,
        id: Option<String>,
    ) -> Self {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let secret =
            bearer.and_then(|value| value.strip_prefix("Bearer ")).map(|text| Secret::given(text.trim()));
        Self { hall, token, headers, query, secret, table: None, id }
    }

    /// Refuses who may not ask.
    pub(crate) fn admit(mut self, who: Who) -> Result<Self, Refusal> {
        if let Some(id) = &self.id {
            let table = self.hall.table(id);
            // Without a secret nobody learns which tables there are.
            let asker = match (&table, &self.secret) {
                (Ok(table), Some(secret)) => table.asker(secret),
                _ => None,
            };
            match (who, asker) {
                (Who::Itself, _) => {}
                (_, None) if self.secret.is_none() => {
                    return Err(Refusal::Unauthorized("a secret of this table"));
                }
                (_, None) => {
                    table?;
                    return Err(Refusal::Forbidden("people with a secret of this table"));
                }
                (Who::Host, Some(Asker::Host))
                | (Who::Seat, Some(Asker::Seat(_)))
                | (Who::Secret, Some(_)) => {}
                (Who::Host, Some(_)) => {
                    return Err(Refusal::Forbidden("the host, with the host's secret"));
                }
                (Who::Seat, Some(_)) => {
                    return Err(Refusal::Forbidden("the person in a seat, with the seat's secret"));
                }
                (Who::Token, Some(_)) => {}
            }
            self.table = Some((self.hall.table(id)?, asker));
        } else if who == Who::Token {
            self.demand_token()?;
        }
        Ok(self)
    }

    /// Refuses who has not the server's token.
    pub(crate) fn demand_token(&self) -> Result<(), Refusal> {
        let Some(token) = self.token else { return Ok(()) };
        match &self.secret {
            None => Err(Refusal::Unauthorized("the server's token")),
            Some(given) if given.digest() == token => Ok(()),
            Some(_) => Err(Refusal::Forbidden("clients with the server's token")),
        }
    }

    /// The table that the path names.
    pub(crate) fn table(&self) -> Result<Arc<Table>, Refusal> {
        self.table.as_ref().map(|(table, _)| Arc::clone(table)).ok_or(Refusal::Internal)
    }

    /// Who asks something of it; none who has no secret of it.
    pub(crate) fn asker(&self) -> Option<Asker> {
        self.table.as_ref().and_then(|(_, asker)| *asker)
    }

    /// The seat of who asks.
    pub(crate) fn seat(&self) -> Result<cardsharp_env::Seat, Refusal> {
        match self.asker() {
            Some(Asker::Seat(seat)) => Ok(seat),
            _ => Err(Refusal::Forbidden("the person in a seat, with the seat's secret")),
        }
    }

    /// A value of the query, which holds no letters that would have to be escaped.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        let pairs = self.query.split('&').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(key, _)| *key == name).map(|(_, value)| value).next()
    }
}

/// What a field of a body is that is true unless it is given.
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

/// What is answered.
pub(crate) enum Kind {
    /// This.
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// Lines of JSON.
    Lines,
    /// Server-sent events.
    Events,
}

type Answering = Pin<Box<dyn Future<Output = Result<Response, Refusal>> + Send>>;

/// What a path does for a method.
pub(crate) struct Endpoint {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) doc: Doc,
    /// The schema of the body; none where none is read.
    pub(crate) body: Option<fn(&mut SchemaGenerator) -> Schema>,
    pub(crate) kind: Kind,
    pub(crate) answer: Arc<dyn Fn(Asked, Bytes) -> Answering + Send + Sync>,
}

impl Endpoint {
    /// Reads a body and answers with one.
    pub(crate) fn post<Req, Resp, F>(path: &'static str, doc: Doc, job: fn(Asked, Req) -> F) -> Self
    where
        Req: DeserializeOwned + JsonSchema + Send + 'static,
        Resp: Serialize + JsonSchema,
        F: Future<Output = Result<Resp, Refusal>> + Send + 'static,
    {
        let answer = move |asked: Asked, body: Bytes| -> Answering {
            Box::pin(async move {
                let given = read(&body)?;
                job(asked, given).await.and_then(|answer| json(&answer))
            })
        };
        let body = Some(SchemaGenerator::subschema_for::<Req> as fn(&mut SchemaGenerator) -> Schema);
        let kind = Kind::Json(SchemaGenerator::subschema_for::<Resp>);
        Self { method: Method::POST, path, doc, body, kind, answer: Arc::new(answer) }
    }

    /// Answers without a body.
    pub(crate) fn get<Resp, F>(method: Method, path: &'static str, doc: Doc, job: fn(Asked) -> F) -> Self
    where
        Resp: Serialize + JsonSchema,
        F: Future<Output = Result<Resp, Refusal>> + Send + 'static,
    {
        let answer = move |asked: Asked, _: Bytes| -> Answering {
            Box::pin(async move { job(asked).await.and_then(|answer| json(&answer)) })
        };
        let kind = Kind::Json(SchemaGenerator::subschema_for::<Resp>);
        Self { method, path, doc, body: None, kind, answer: Arc::new(answer) }
    }

    /// Answers with something that is no JSON value.
    pub(crate) fn raw<F>(path: &'static str, doc: Doc, kind: Kind, job: fn(Asked) -> F) -> Self
    where
        F: Future<Output = Result<Response, Refusal>> + Send + 'static,
    {
        let answer = move |asked: Asked, _: Bytes| -> Answering { Box::pin(job(asked)) };
        Self { method: Method::GET, path, doc, body: None, kind, answer: Arc::new(answer) }
    }
}

/// What a body says; an empty one is an empty object.
fn read<Req: DeserializeOwned>(body: &[u8]) -> Result<Req, Refusal> {
    let body = if body.is_empty() { b"{}" } else { body };
    text::from_json(body).map_err(|error| Refusal::Body(error.to_string()))
}

/// A value as an answer.
pub(crate) fn json(value: &impl Serialize) -> Result<Response, Refusal> {
    let text = serde_json::to_string(value).map_err(|_| Refusal::Internal)?;
    Ok(text_of("application/json", text.into()))
}

/// An answer of this type. Nothing of it may be kept by anybody on the way.
pub(crate) fn text_of(kind: &'static str, body: Body) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
    (StatusCode::OK, headers, body).into_response()
}

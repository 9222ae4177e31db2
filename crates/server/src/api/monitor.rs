//! The state of the server, for operators.

use axum::body::Body;
use axum::http::Method;
use axum::response::Response;

use crate::endpoint::{ClientRequest, Doc, Done, Endpoint, ResponseKind, Who, text_of};
use crate::guard::HEALTH;
use crate::refusal::Refusal;

/// The media type of metrics.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "For monitoring and load balancers, under any host name. Refused if the data folder is gone.";
    let health = Doc { name: "health", summary: "Check whether the server works", text, who: Who::Itself };
    let text = "Requests by endpoint and status, response times, tables, streams and sizes, in the text format of \
                OpenMetrics, which Prometheus reads.";
    let metrics = Doc { name: "metrics", summary: "Get metrics", text, who: Who::Token };
    vec![
        Endpoint::bare(Method::GET, HEALTH, health, checked),
        Endpoint::raw("/metrics", metrics, ResponseKind::Lines(OPEN_METRICS), measured),
    ]
}

async fn checked(asked: ClientRequest) -> Result<Done, Refusal> {
    asked.registry.is_sound().await.map(|()| Done {})
}

async fn measured(asked: ClientRequest) -> Result<Response, Refusal> {
    let text = asked.registry.metrics.text(&asked.registry.sizes());
    Ok(text_of(OPEN_METRICS, Body::from(text)))
}

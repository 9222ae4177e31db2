//! What operators see: the metrics, and the access log.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::client::Client;

/// The upper ends of the buckets of response times, in seconds.
const BUCKETS: [f64; 8] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0];
/// The maximum number of characters of a path in the log.
const SHOWN: usize = 200;

/// The name of the endpoint that made a response, as an extension of the response.
#[derive(Copy, Clone)]
pub(crate) struct Route(pub(crate) &'static str);

/// The labels of a count of requests.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    endpoint: &'static str,
    status: u32,
}

/// The label of response times.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
    endpoint: &'static str,
}

/// How much a server has to do.
pub(crate) struct Sizes {
    pub(crate) tables: usize,
    pub(crate) saves: usize,
    pub(crate) streams: usize,
    /// Requests that wait for a table or a bot.
    pub(crate) waiting: usize,
    /// The size of the event logs of all tables.
    pub(crate) bytes: usize,
}

type Size = Gauge<u64, AtomicU64>;

/// The metrics of a server.
pub(crate) struct ServerMetrics {
    registry: Registry,
    requests: Family<Kind, Counter>,
    seconds: Family<Of, Histogram>,
    tables: Size,
    saves: Size,
    streams: Size,
    waiting: Size,
    bytes: Size,
}

impl ServerMetrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("cardsharp");
        let requests = Family::<Kind, Counter>::default();
        registry.register("requests", "Requests by endpoint and status", requests.clone());
        let seconds = Family::<Of, Histogram>::new_with_constructor(|| Histogram::new(BUCKETS));
        let help = "Time until the head of a response";
        registry.register_with_unit("response", help, Unit::Seconds, seconds.clone());
        let mut size = |name: &str, help: &str| {
            let size = Size::default();
            registry.register(name, help, size.clone());
            size
        };
        Self {
            requests,
            seconds,
            tables: size("tables", "Live tables"),
            saves: size("saves", "Saved tables"),
            streams: size("streams", "Open event streams"),
            waiting: size("waiting_requests", "Requests that wait for a table or a bot"),
            bytes: size("event_log_bytes", "Size of the event logs of all tables"),
            registry,
        }
    }

    fn count(&self, endpoint: &'static str, status: StatusCode, time: Duration) {
        self.requests.get_or_create(&Kind { endpoint, status: status.as_u16().into() }).inc();
        self.seconds.get_or_create(&Of { endpoint }).observe(time.as_secs_f64());
    }

    /// Returns all metrics in the text format of OpenMetrics.
    pub(crate) fn text(&self, sizes: &Sizes) -> String {
        let Sizes { tables, saves, streams, waiting, bytes } = *sizes;
        self.tables.set(tables as u64);
        self.saves.set(saves as u64);
        self.streams.set(streams as u64);
        self.waiting.set(waiting as u64);
        self.bytes.set(bytes as u64);
        let mut page = String::new();
        // Only a writer can fail, and a string does not.
        let _ = text::encode(&mut page, &self.registry);
        page
    }
}

/// Counts a request and writes it to the access log. The log has no headers and no query, because they can have secrets.
pub(crate) async fn observe(
    State(metrics): State<Arc<ServerMetrics>>,
    request: Request,
    next: Next,
) -> Response {
    let begun = Instant::now();
    let client = request.extensions().get::<Client>().map(|client| client.address.to_string());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let response = next.run(request).await;
    let (status, time) = (response.status(), begun.elapsed());
    let endpoint = response.extensions().get::<Route>().map_or("none", |route| route.0);
    metrics.count(endpoint, status, time);
    tracing::info!(
        target: "cardsharp::access",
        client = client.as_deref().unwrap_or_default(),
        method = method.as_str(),
        path = path.chars().take(SHOWN).collect::<String>(),
        endpoint,
        status = status.as_u16(),
        ms = time.as_secs_f64() * 1000.0,
    );
    response
}

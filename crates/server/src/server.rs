//! The server: its options, its router, and its main loop.

use std::fs::File;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request};
use axum::http::{Method, header};
use axum::middleware::from_fn_with_state;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{MethodRouter, any};
use cardsharp_env::AnyGame;

use crate::addresses::{Addresses, limit};
use crate::answers::{Answers, RequestKey};
use crate::api;
use crate::catalog::{BotCatalog, NamedNetwork};
use crate::client::{Proxies, identify};
use crate::endpoint::{ClientRequest, Endpoint};
use crate::files::files;
use crate::guard::{self, Guard};
use crate::limits::Limits;
use crate::monitor::{Route, observe};
use crate::refusal::Refusal;
use crate::registry::{self, Notices, TableRegistry};
use crate::secret::{Digest, Secret};
use crate::serve;
use crate::start::{self, StartError};

/// Threads for rules and disk, in addition to those for bots.
const HANDS: usize = 16;
/// How long the last steps may take when the server stops, after the last answers. Bots stop at once, and journals need
/// no end.
const LAST_STEPS: Duration = Duration::from_secs(1);
/// The longest time between two searches for idle tables.
const SWEEP: Duration = Duration::from_secs(60);

/// The options of a server.
#[derive(Default)]
pub struct Options {
    /// The games that tables can have. Clients do not get the reference games in the list of games.
    pub games: Vec<&'static dyn AnyGame>,
    /// Networks that clients may name, in addition to the built-in bots.
    pub bots: Vec<NamedNetwork>,
    /// The token that clients need to open tables and to get advice. Required unless the server listens on loopback, and
    /// has neither `hosts` nor `proxies`.
    pub token: Option<String>,
    /// Host names that requests may use, in addition to those of this machine, like `cards.example`.
    pub hosts: Vec<String>,
    /// Addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed, like `127.0.0.1`.
    pub proxies: Vec<String>,
    /// Origins whose pages may send requests, in addition to the server's own, like `https://cards.example`.
    pub origins: Vec<String>,
    /// A folder with a page for browsers. All clients can read its files.
    pub page: Option<PathBuf>,
    /// The data folder, where the server stores tables. Without it, they are lost when the server ends.
    pub data: Option<PathBuf>,
    /// The limits, which the open files of the process can lower.
    pub limits: Limits,
    /// Gets messages for the person who operates the server.
    pub notices: Option<Notices>,
}

/// A server of tables that already listens. It answers in [`Server::run`].
pub struct Server {
    registry: Arc<TableRegistry>,
    listener: TcpListener,
    address: SocketAddr,
    token: Option<Digest>,
    guard: Guard,
    proxies: Proxies,
    page: Option<PathBuf>,
    /// Keeps other servers out of the data folder.
    _lock: Option<File>,
}

impl Server {
    /// Returns a server at this address, with the tables in its data folder. It answers requests in [`Server::run`].
    ///
    /// # Errors
    /// The options are not valid, the data folder cannot be used, or the server cannot listen at the address.
    pub fn new(address: SocketAddr, options: Options) -> Result<Self, StartError> {
        let Options { games, bots, token, hosts, proxies, origins, page, data, mut limits, notices } =
            options;
        token.as_deref().map_or(Ok(()), start::check_token)?;
        let is_loopback = address.ip().is_loopback();
        if !is_loopback && token.is_none() {
            return Err(StartError::NoToken(address));
        }
        if token.is_none() && !(hosts.is_empty() && proxies.is_empty()) {
            return Err(StartError::NoTokenBehind);
        }
        let named = hosts.iter().map(|host| start::host(host)).collect::<Result<Vec<_>, _>>()?;
        let proxies = proxies.iter().map(|proxy| start::proxy(proxy)).collect::<Result<_, _>>()?;
        let origins = origins.iter().map(|origin| start::origin(origin)).collect::<Result<_, _>>()?;
        page.as_deref().map_or(Ok(()), start::check_page)?;
        let catalog = BotCatalog::new(&games, &bots, limits.tries)?;
        let files = start::open_files();
        start::fit(&mut limits, files);
        let (lock, time) = data.as_deref().map(registry::prepare).transpose()?.unzip();
        let registry = TableRegistry::new(games, catalog, limits, data, time.unwrap_or_default(), notices);
        registry.list()?;
        let (listener, address) = start::listen(address)?;
        // Beyond loopback, any host name may lead to this machine unless some are named, and the token keeps strangers out.
        let hosts = match is_loopback || !named.is_empty() {
            true => start::own_names(address.ip()).into_iter().chain(named).collect(),
            false => Vec::new(),
        };
        let token = token.map(|token| Secret::given(token).digest());
        let guard = Guard { hosts, origins, forwards: token.is_some() };
        let proxies = Proxies::new(proxies);
        Ok(Self { registry: Arc::new(registry), listener, address, token, guard, proxies, page, _lock: lock })
    }

    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns its limits. They are lower than those in its options if the process may open few files.
    pub fn limits(&self) -> &Limits {
        &self.registry.limits
    }

    /// Serves until `stop` completes. Then answers running requests, and ends all streams.
    ///
    /// # Errors
    /// The system cannot start threads, or cannot use the listener.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), StartError> {
        let threads = self.registry.limits.thinkers.max(1);
        let runtime = start::runtime(threads, 2 * threads + HANDS)?;
        let Self { registry, listener, token, guard, proxies, page, .. } = self;
        let addresses = Addresses::new(&registry.limits, proxies.clone());
        let router = router(&registry, token, page)
            .layer(from_fn_with_state(Arc::clone(&addresses), limit))
            .layer(from_fn_with_state(guard, guard::guard))
            .layer(from_fn_with_state(Arc::clone(&registry.metrics), observe))
            .layer(from_fn_with_state(Arc::new(proxies), identify));
        let served = runtime.block_on(async {
            let (sweeping, recent) = (Arc::clone(&registry), Arc::clone(&addresses));
            let Limits { idle, idle_over, asleep, aside, .. } = registry.limits;
            let every =
                (idle.min(idle_over).min(asleep).min(aside) / 4).clamp(Duration::from_millis(10), SWEEP);
            let sweep = tokio::spawn(async move {
                loop {
                    tokio::time::sleep(every).await;
                    sweeping.sweep().await;
                    recent.forget();
                }
            });
            let served =
                serve::serve(listener, router, &registry.limits, &addresses, stop, || registry.close()).await;
            sweep.abort();
            served
        });
        registry.keep_time();
        runtime.shutdown_timeout(LAST_STEPS);
        served.map_err(start::refused)
    }
}

/// Returns the router of all endpoints, and of the page if there is one.
fn router(registry: &Arc<TableRegistry>, token: Option<Digest>, page: Option<PathBuf>) -> Router {
    let mut router: Router = Router::new();
    let answers = Arc::new(Answers::default());
    let mut paths: Vec<(&'static str, MethodRouter)> = Vec::new();
    for endpoint in api::endpoints() {
        let path = endpoint.path;
        let method = endpoint.method.clone();
        let endpoint = Arc::new(endpoint);
        let (registry, answers) = (Arc::clone(registry), Arc::clone(&answers));
        let answer = move |path: Result<RawPathParams, RawPathParamsRejection>, request: Request| {
            let (endpoint, registry, answers) =
                (Arc::clone(&endpoint), Arc::clone(&registry), Arc::clone(&answers));
            async move {
                // An id that is no valid text.
                let Ok(path) = path else { return no_path(request).await.into_response() };
                let id = path.iter().find(|(name, _)| *name == "id").map(|(_, id)| id.to_owned());
                let answered = answer(&endpoint, registry, &answers, token, id, request).await;
                let mut response = answered.unwrap_or_else(IntoResponse::into_response);
                response.extensions_mut().insert(Route(endpoint.doc.name));
                response
            }
        };
        let at = match paths.iter().position(|(known, _)| *known == path) {
            Some(at) => at,
            None => {
                paths.push((path, MethodRouter::new().fallback(other_method)));
                paths.len() - 1
            }
        };
        let route = std::mem::take(&mut paths[at].1);
        paths[at].1 = match method {
            Method::GET => route.get(answer),
            Method::DELETE => route.delete(answer),
            _ => route.post(answer),
        };
    }
    for (path, route) in paths {
        router = router.route(path, route);
    }
    match page {
        Some(page) => router.fallback_service(files(page, no_path)),
        None => router.route("/", any(front_page)).fallback(no_path),
    }
}

async fn other_method(request: Request) -> Refusal {
    Refusal::Method(request.method().to_string())
}

/// Answers browsers at `/` where no page is served; other clients get the same error as at any unknown path.
async fn front_page(request: Request) -> Response {
    let accepted = request.headers().get_all(header::ACCEPT);
    let is_read = [Method::GET, Method::HEAD].contains(request.method());
    let is_browser =
        accepted.iter().any(|value| value.to_str().is_ok_and(|accepted| accepted.contains("text/html")));
    match is_read && is_browser {
        true => Html(include_str!("front_page.html")).into_response(),
        false => no_path(request).await.into_response(),
    }
}

async fn no_path(request: Request) -> Refusal {
    Refusal::NoPath(request.uri().path().chars().take(80).collect())
}

async fn answer(
    endpoint: &Arc<Endpoint>,
    registry: Arc<TableRegistry>,
    answers: &Arc<Answers>,
    token: Option<Digest>,
    id: Option<String>,
    request: Request,
) -> Result<Response, Refusal> {
    let (parts, body) = request.into_parts();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let (most, time) = (registry.limits.body, registry.limits.body_time);
    let line = format!("{} {}", parts.method, parts.uri);
    let asked = ClientRequest::new(registry, token, parts.headers, query, id);
    let key = match endpoint.changes {
        true => RequestKey::of(&asked.headers, asked.secret.as_ref(), &line)?,
        false => None,
    };
    let Some(key) = key else {
        let asked = asked.admit(endpoint.doc.who).await?;
        let body = read(body, most, time).await?;
        return (endpoint.answer)(asked, body).await;
    };
    // A request that was carried out may have ended the table, or the client's right to send it.
    let (known, who) = (answers.has(key), endpoint.doc.who);
    let asked = if known { asked } else { asked.admit(who).await? };
    let body = read(body, most, time).await?;
    let (endpoint, given) = (Arc::clone(endpoint), body.clone());
    let job = async move {
        let asked = if known { asked.admit(who).await? } else { asked };
        (endpoint.answer)(asked, given).await
    };
    answers.once(key, &body, job).await
}

/// Reads a whole body of at most `most` bytes, within `time`.
async fn read(body: Body, most: usize, time: Duration) -> Result<axum::body::Bytes, Refusal> {
    let read = tokio::time::timeout(time, to_bytes(body, most)).await;
    let read = read.map_err(|_| Refusal::Slow(time.as_secs()))?;
    // The only other reason is a client that has disconnected, and does not get this error.
    read.map_err(|_| Refusal::Large(most))
}

//! A small server for pages on this machine: a callback answers by path, and a folder of files can be served, too.
//!
//! It has no access control: every program on the machine can read all of it. So it listens on loopback only, and
//! allows only GET and HEAD, which change nothing.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use crate::addresses::Addresses;
use crate::client::Proxies;
use crate::files::files;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::refusal::Refusal;
use crate::serve;
use crate::start::{self, StartError};

/// Connections at a time: a person has a few pages open.
const CONNECTIONS: usize = 128;
/// Threads that answer; other requests wait for them.
const HANDS: usize = 4;
/// The maximum number of characters of a path in a message.
const SHOWN: usize = 80;

/// An answer to a request for a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageResponse {
    /// The status that the browser gets.
    pub status: StatusCode,
    /// The media type of the body, like `text/html; charset=utf-8`.
    pub kind: &'static str,
    /// The bytes that follow the head.
    pub body: Vec<u8>,
}

impl PageResponse {
    /// Returns an answer with status 200.
    pub fn of(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: StatusCode::OK, kind, body: body.into() }
    }

    /// Returns an answer with status 404 and a text.
    pub fn missing(why: &str) -> Self {
        Self { status: StatusCode::NOT_FOUND, ..Self::words(why) }
    }

    /// Returns an answer with status 500 and a text.
    pub fn failed(why: &str) -> Self {
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, ..Self::words(why) }
    }

    fn words(why: &str) -> Self {
        Self::of("text/plain; charset=utf-8", format!("{why}\n"))
    }
}

/// The callback for a path. The path starts with a slash, and its percent escapes are not decoded.
type Answers = Arc<dyn Fn(&str) -> PageResponse + Send + Sync>;

/// A small server for pages on this machine.
pub struct Site {
    listener: TcpListener,
    address: SocketAddr,
    policy: HeaderValue,
    folder: Option<(&'static str, PathBuf)>,
    answers: Answers,
}

impl Site {
    /// Returns a site at a loopback address. It answers requests in [`Site::run`].
    ///
    /// `folder` is a URL path, with a slash at both ends, and the folder to serve below it. `answers` answers all other
    /// paths, several requests at a time. `policy` is the content security policy of its answers.
    ///
    /// # Errors
    /// The address is not a loopback address, the site cannot listen at it, or the folder has no page.
    pub fn new(
        address: SocketAddr,
        policy: &'static str,
        folder: Option<(&'static str, PathBuf)>,
        answers: impl Fn(&str) -> PageResponse + Send + Sync + 'static,
    ) -> Result<Self, StartError> {
        if !address.ip().is_loopback() {
            return Err(StartError::Others(address));
        }
        if let Some((_, folder)) = &folder {
            start::check_page(folder)?;
        }
        let (listener, address) = start::listen(address)?;
        let policy = HeaderValue::from_static(policy);
        Ok(Self { listener, address, policy, folder, answers: Arc::new(answers) })
    }

    /// Returns the address at which the site listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `stop` completes. Then answers running requests.
    ///
    /// # Errors
    /// The system cannot start threads, or cannot use the listener.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), StartError> {
        let Self { listener, address, policy, folder, answers } = self;
        let limits = Limits { connections: CONNECTIONS, ..Limits::default() };
        let addresses = Addresses::new(&limits, Proxies::default());
        let guard = Guard { hosts: start::own_names(address.ip()), origins: Vec::new(), forwards: true };
        let asked = move |request: Request| answer(Arc::clone(&answers), policy.clone(), request);
        let mut router = Router::new().fallback(asked);
        if let Some((path, folder)) = folder {
            let above = path.trim_end_matches('/');
            router = router
                .route(above, get(move || async move { Redirect::permanent(path) }))
                .nest_service(path, files(folder, no_file));
        }
        let router = router.layer(middleware::from_fn_with_state(guard, admit));
        start::runtime(1, HANDS)?
            .block_on(serve::serve(listener, router, &limits, &addresses, stop, || {}))
            .map_err(start::refused)
    }
}

/// Refuses requests with another host name or origin, and methods other than GET and HEAD.
async fn admit(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    if let Err(refusal) = guard.check(request.headers(), false) {
        let (status, why) = match refusal {
            Refusal::Origin(origin) => {
                (StatusCode::FORBIDDEN, format!("pages of `{origin}` may not use this server"))
            }
            other => (StatusCode::MISDIRECTED_REQUEST, other.to_string()),
        };
        return respond(PageResponse { status, ..PageResponse::words(&why) });
    }
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        let why = format!("the method {} is not allowed: expected GET or HEAD", request.method());
        let status = StatusCode::METHOD_NOT_ALLOWED;
        let mut response = respond(PageResponse { status, ..PageResponse::words(&why) });
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        return response;
    }
    next.run(request).await
}

async fn answer(answers: Answers, policy: HeaderValue, request: Request) -> Response {
    let path = request.uri().path().to_owned();
    // Not on a thread that serves connections, because the callback may read files or take long.
    let answered = tokio::task::spawn_blocking(move || answers(&path)).await;
    let answer = answered.unwrap_or_else(|_| PageResponse::failed("internal error of the server"));
    let mut response = respond(answer);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

async fn no_file(request: Request) -> Response {
    let path: String = request.uri().path().chars().take(SHOWN).collect();
    respond(PageResponse::missing(&format!("there is no file `{path}` in this folder")))
}

fn respond(answer: PageResponse) -> Response {
    let PageResponse { status, kind, body } = answer;
    let fixed = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-store")];
    let headers: HeaderMap = fixed
        .into_iter()
        .map(|(name, value): (HeaderName, &'static str)| (name, HeaderValue::from_static(value)))
        .collect();
    (status, headers, body).into_response()
}

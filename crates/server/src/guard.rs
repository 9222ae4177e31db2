//! Checks which pages may send requests, because browsers send requests for any page that they show, and whether proxies
//! may forward requests.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::client::Client;
use crate::refusal::Refusal;

/// The path that says whether the server works.
pub(crate) const HEALTH: &str = "/healthz";

/// The hosts and origins that may send requests.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The host names that requests may use; all if empty. This stops DNS rebinding: a page of another site that
    /// resolves its own name to this machine still sends that name.
    pub(crate) hosts: Vec<String>,
    /// The origins whose pages may send requests, in addition to the server's own.
    pub(crate) origins: Vec<String>,
    /// Whether proxies may forward requests. Then other machines can reach the server, so it needs a token.
    pub(crate) forwards: bool,
}

impl Guard {
    /// Returns the origin that the answer must allow, if the page has another one. `is_https` tells whether browsers use
    /// this server by HTTPS.
    pub(crate) fn check(&self, headers: &HeaderMap, is_https: bool) -> Result<Option<HeaderValue>, Refusal> {
        let text = |name: header::HeaderName| {
            headers.get(name).map(|value: &HeaderValue| value.to_str().unwrap_or_default())
        };
        // A proxy and this server could read different ones of two names.
        let is_one = headers.get_all(header::HOST).iter().count() == 1;
        let host = text(header::HOST).filter(|_| is_one).unwrap_or_default();
        let named = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|c| c.is_ascii_digit()));
        let name = named.map_or(host, |(name, _)| name);
        if !self.hosts.is_empty() && !self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name)) {
            let given = host.chars().take(80).collect();
            return Err(Refusal::Host { given, expected: self.hosts.join(", ") });
        }
        let Some(origin) = text(header::ORIGIN) else { return Ok(None) };
        let scheme = if is_https { "https://" } else { "http://" };
        if origin.strip_prefix(scheme).is_some_and(|own| own == host) {
            return Ok(None);
        }
        if !self.origins.iter().any(|allowed| allowed == origin) {
            return Err(Refusal::Origin(origin.chars().take(80).collect()));
        }
        Ok(headers.get(header::ORIGIN).cloned())
    }
}

/// Refuses requests from pages of other origins, and adds the CORS headers for allowed ones.
pub(crate) async fn guard(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    // Monitors ask from anywhere, with the address of the machine as its name. The answer reveals nothing.
    if request.uri().path() == HEALTH {
        return next.run(request).await;
    }
    let client = request.extensions().get::<Client>();
    if !guard.forwards && client.is_some_and(|client| client.is_forwarded) {
        return Refusal::Forwarded.into_response();
    }
    let is_https = client.is_some_and(|client| client.is_https);
    let origin = match guard.check(request.headers(), is_https) {
        Ok(origin) => origin,
        Err(refusal) => return refusal.into_response(),
    };
    let is_asking = request.method() == Method::OPTIONS && origin.is_some();
    let mut response =
        if is_asking { StatusCode::NO_CONTENT.into_response() } else { next.run(request).await };
    let headers = response.headers_mut();
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        if is_asking {
            let allow = [
                (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
                (
                    header::ACCESS_CONTROL_ALLOW_HEADERS,
                    "authorization, content-type, last-event-id, idempotency-key",
                ),
                (header::ACCESS_CONTROL_MAX_AGE, "600"),
            ];
            allow.into_iter().for_each(|(name, value)| {
                headers.insert(name, HeaderValue::from_static(value));
            });
        }
    }
    if !guard.origins.is_empty() {
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

//! Who sends a request: the address of the connection or, behind a trusted proxy, the address that the proxy names.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use ipnet::IpNet;

use crate::refusal::Refusal;

/// Headers that proxies add. A request with any of them does not come from this machine, even if its connection does.
const FORWARDED: [&str; 5] =
    ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/// The connection of a request.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// Why requests on the connection are refused, if they are.
    pub(crate) refused: Option<Refusal>,
}

/// The client of a request.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Client {
    pub(crate) address: IpAddr,
    /// Whether a proxy forwarded the request.
    pub(crate) is_forwarded: bool,
    /// Whether a trusted proxy named the address, so that the connection is not the client's.
    pub(crate) is_named: bool,
    /// Whether a trusted proxy says that the client uses HTTPS.
    pub(crate) is_https: bool,
}

/// The proxies whose headers are believed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Proxies(Vec<IpNet>);

impl Proxies {
    pub(crate) fn new(trusted: Vec<IpNet>) -> Self {
        Self(trusted)
    }

    /// Whether this is the address of a trusted proxy.
    pub(crate) fn has(&self, address: IpAddr) -> bool {
        self.0.iter().any(|proxies| proxies.contains(&address))
    }

    /// Returns the client of a request with these headers on a connection from `peer`.
    ///
    /// Each proxy appends the address of its client to `X-Forwarded-For`. So the addresses are read from the end, and
    /// those before the first address that is no trusted proxy may be forged.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> Client {
        let is_forwarded = FORWARDED.iter().any(|name| headers.contains_key(*name));
        let mut client = Client { address: peer, is_forwarded, is_named: false, is_https: false };
        if !self.has(peer) {
            return client;
        }
        let values = |name| headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        let named: Vec<&str> = values("x-forwarded-for").flat_map(|value| value.split(',')).collect();
        for named in named.into_iter().rev() {
            let Some(address) = address(named.trim()) else { break };
            (client.address, client.is_named) = (address, true);
            if !self.has(address) {
                break;
            }
        }
        client.is_https = values("x-forwarded-proto").next_back().is_some_and(|scheme| scheme == "https");
        client
    }
}

/// Parses an address, which may have a port.
fn address(text: &str) -> Option<IpAddr> {
    let address = text.parse().or_else(|_| text.parse::<SocketAddr>().map(|address| address.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

/// Adds the [`Client`] to a request, for the layers inside this one.
pub(crate) async fn identify(
    State(proxies): State<Arc<Proxies>>,
    mut request: Request,
    next: Next,
) -> Response {
    if let Some(peer) = request.extensions().get::<Peer>() {
        let client = proxies.client(peer.address, request.headers());
        request.extensions_mut().insert(client);
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the address of a client behind these trusted proxies, and whether a proxy named it.
    fn found(trusted: &[&str], peer: &str, forwarded: &[&str]) -> (String, bool) {
        let proxies = Proxies::new(trusted.iter().map(|proxy| proxy.parse().unwrap()).collect());
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().unwrap());
        }
        let client = proxies.client(peer.parse().unwrap(), &headers);
        (client.address.to_string(), client.is_named)
    }

    #[test]
    fn only_trusted_proxies_name_clients() {
        let found = |trusted: &[&str], peer, forwarded: &[&str]| found(trusted, peer, forwarded);
        let own = |address: &str| (address.to_owned(), false);
        let named = |address: &str| (address.to_owned(), true);
        assert_eq!(found(&[], "10.0.0.1", &["192.0.2.7"]), own("10.0.0.1"));
        assert_eq!(found(&["10.0.0.2/32"], "10.0.0.1", &["192.0.2.7"]), own("10.0.0.1"));
        assert_eq!(found(&["10.0.0.1/32"], "10.0.0.1", &[]), own("10.0.0.1"));
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["192.0.2.7"]), named("192.0.2.7"));
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["[2001:db8::1]:4711"]), named("2001:db8::1"));
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["::ffff:192.0.2.7"]), named("192.0.2.7"));
        // What the client itself sent comes first.
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["1.2.3.4, 192.0.2.7"]), named("192.0.2.7"));
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["1.2.3.4", "192.0.2.7"]), named("192.0.2.7"));
        // A chain of proxies, and a client that pretends to be one.
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["192.0.2.7, 10.0.0.9"]), named("192.0.2.7"));
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["10.0.0.9"]), named("10.0.0.9"));
        assert_eq!(found(&["10.0.0.0/8"], "10.0.0.1", &["192.0.2.7, unknown"]), own("10.0.0.1"));
    }
}

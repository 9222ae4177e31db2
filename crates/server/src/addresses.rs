//! The limits of each address, so that one client cannot take all connections, or keep the server busy.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use hyper::body::{Frame, SizeHint};

use crate::client::{Client, Peer, Proxies};
use crate::limits::Limits;
use crate::refusal::Refusal;

/// The bits of an IPv6 address that one household or server shares.
const PREFIX: u128 = !0 << 64;

/// The seconds whose requests an address may send at once.
const BURST: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// What all addresses use.
pub(crate) struct Addresses {
    proxies: Proxies,
    requests: DefaultKeyedRateLimiter<IpAddr>,
    /// The requests in a second, for messages.
    often: u32,
    clock: DefaultClock,
    /// Connections of clients without a proxy, and forwarded requests that are being answered.
    open: Mutex<HashMap<IpAddr, usize>>,
    most: usize,
    counts_this_machine: bool,
}

/// A connection or a forwarded request. It counts until this is dropped.
pub(crate) struct ConnectionPermit {
    of: Arc<Addresses>,
    address: IpAddr,
    /// How many there were, this one included.
    number: usize,
}

impl Addresses {
    pub(crate) fn new(limits: &Limits, proxies: Proxies) -> Arc<Self> {
        let often = NonZeroU32::new(limits.requests_of_address).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(often).allow_burst(often.saturating_mul(BURST));
        Arc::new(Self {
            proxies,
            requests: DefaultKeyedRateLimiter::keyed(quota),
            often: often.get(),
            clock: DefaultClock::default(),
            open: Mutex::default(),
            most: limits.connections_of_address.max(1),
            counts_this_machine: limits.counts_this_machine,
        })
    }

    /// Locks the numbers, even after a panic of another holder, which cannot have left one half changed.
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(self: &Arc<Self>, address: IpAddr) -> ConnectionPermit {
        let address = network(address);
        let mut open = self.lock();
        let number = open.entry(address).or_default();
        *number += 1;
        ConnectionPermit { of: Arc::clone(self), address, number: *number }
    }

    /// Counts a connection from this address. Returns none for connections that have no limit: those of trusted proxies,
    /// whose requests count for their clients, and those of this machine.
    pub(crate) fn connection(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionPermit> {
        let is_free = self.proxies.has(address) || (address.is_loopback() && !self.counts_this_machine);
        (!is_free).then(|| self.place(address))
    }

    /// Counts a request. Returns the place of a request that a trusted proxy forwarded, until it is answered.
    fn request(self: &Arc<Self>, client: Client) -> Result<Option<ConnectionPermit>, Refusal> {
        let Client { address, is_forwarded, is_named, .. } = client;
        if address.is_loopback() && !is_forwarded && !self.counts_this_machine {
            return Ok(None);
        }
        if let Err(early) = self.requests.check_key(&network(address)) {
            let wait = early.wait_time_from(self.clock.now());
            return Err(Refusal::Often { most: self.often, seconds: wait.as_secs() + 1 });
        }
        if !is_named {
            return Ok(None);
        }
        let place = self.place(address);
        place.refused().map_or(Ok(Some(place)), Err)
    }

    /// Forgets addresses that sent no requests for some time.
    pub(crate) fn forget(&self) {
        self.requests.retain_recent();
        self.requests.shrink_to_fit();
    }
}

impl ConnectionPermit {
    /// Returns the error for a place beyond the limit.
    pub(crate) fn refused(&self) -> Option<Refusal> {
        (self.number > self.of.most).then_some(Refusal::Crowd { most: self.of.most })
    }

    /// Whether the address gets no more errors, because it has twice as many places as allowed.
    pub(crate) fn is_flood(&self) -> bool {
        self.number > self.of.most.saturating_mul(2)
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.of.lock();
        if let Some(number) = open.get_mut(&self.address) {
            *number -= 1;
            if *number == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// Returns the network of an address that counts as one client.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & PREFIX).into(),
    }
}

/// Refuses requests of an address that has sent too many, or waits for too many answers.
pub(crate) async fn limit(State(addresses): State<Arc<Addresses>>, request: Request, next: Next) -> Response {
    if let Some(Peer { refused: Some(refused), .. }) = request.extensions().get() {
        return refused.clone().into_response();
    }
    let place = match request.extensions().get().map(|client| addresses.request(*client)) {
        Some(Err(refusal)) => return refusal.into_response(),
        Some(Ok(place)) => place,
        None => None,
    };
    let response = next.run(request).await;
    match place {
        Some(place) => response.map(|body| Body::new(Counted { body, _place: place })),
        None => response,
    }
}

/// The body of a response, which counts until the client has it. The body of a stream can be long.
struct Counted {
    body: Body,
    _place: ConnectionPermit,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_household_counts_as_one_address() {
        let limits = Limits { connections_of_address: 1, ..Limits::default() };
        let addresses = Addresses::new(&limits, Proxies::new(vec!["10.0.0.0/8".parse().unwrap()]));
        let count = |address: &str| addresses.connection(address.parse().unwrap());
        let first = count("2001:db8::1").unwrap();
        assert_eq!(first.refused(), None);
        let second = count("2001:db8::2").unwrap();
        assert_eq!(second.refused(), Some(Refusal::Crowd { most: 1 }));
        assert!(!second.is_flood() && count("2001:db8::3").unwrap().is_flood());
        assert_eq!(count("2001:db8:0:1::1").unwrap().refused(), None);
        drop((first, second));
        assert_eq!(count("2001:db8::2").unwrap().refused(), None);
        assert!(addresses.lock().is_empty());
        // Proxies and this machine have no limit.
        assert!(count("10.0.0.1").is_none() && count("127.0.0.1").is_none() && count("::1").is_none());
    }
}

//! Accepts connections, with timeouts for a request's head and for writes.

use std::io;
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Request, header};
use axum::middleware::map_response;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep};

use crate::addresses::{Addresses, ConnectionPermit};
use crate::client::Peer;
use crate::limits::Limits;

/// How long running requests may take when the server stops.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// The maximum size of a request's head, and of one read, in bytes. hyper needs at least 8 KiB.
const HEAD: usize = 16 << 10;
/// How long to wait after a connection could not be accepted.
const FULL: Duration = Duration::from_millis(100);
/// Connections that are answered at a time only to say that there are too many. Even more are closed at once.
pub(crate) const REFUSED: usize = 16;
/// The answer to a connection when there are too many.
const BUSY: &str = "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n\
                    Connection: close\r\nContent-Length: 74\r\n\r\n\
                    {\"error\":{\"code\":\"full\",\"message\":\"the limit of connections is reached\"}}\n";
/// How long a client may take to read this answer.
const READ: Duration = Duration::from_secs(1);

/// Headers of every answer that does not set them itself. Browsers must not guess media types, tell other sites what a
/// person plays, or show a page inside that of another site.
const EVERY: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
];

/// Serves until `stop` completes. Then calls `last`, and asks the connections to end.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    addresses: &Arc<Addresses>,
    stop: impl Future<Output = ()>,
    last: impl FnOnce(),
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let alive = HeaderValue::from_str(&format!("timeout={}", limits.head_time.as_secs()));
    let alive = alive.map_err(io::Error::other)?;
    let router = router.layer(map_response(move |mut response: Response| {
        let headers = response.headers_mut();
        headers.insert("keep-alive", alive.clone());
        for (name, value) in EVERY {
            headers.entry(name).or_insert(HeaderValue::from_static(value));
        }
        std::future::ready(response)
    }));
    let places = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(HEAD);
    let mut stop = std::pin::pin!(stop);
    let refused = Arc::new(Semaphore::new(REFUSED));
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => accepted,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            // There are too many open files, or the client has left already. Try again later.
            Err(_) => {
                tokio::time::sleep(FULL).await;
                continue;
            }
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            if let Ok(place) = Arc::clone(&refused).try_acquire_owned() {
                tokio::spawn(tokio::time::timeout(READ, refuse(stream, place)));
            }
            continue;
        };
        // Lines are short and must be sent at once. If the system refuses this option, they only arrive a little later.
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(Patient::new(stream, limits.write_time));
        let address = peer.ip().to_canonical();
        let of_address = addresses.connection(address);
        if of_address.as_ref().is_some_and(ConnectionPermit::is_flood) {
            continue;
        }
        let peer = Peer { address, refused: of_address.as_ref().and_then(ConnectionPermit::refused) };
        let router = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer.clone());
            router.call(request)
        });
        let connection = http.serve_connection(io, service);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // Errors are the client's: it has disconnected, or sent an invalid request.
            let _ = connection.await;
            drop((place, of_address));
        });
    }
    drop(listener);
    last();
    tokio::select! {
        () = graceful.shutdown() => {}
        () = tokio::time::sleep(LAST_WORDS) => {}
    }
    Ok(())
}

/// Says that there are too many connections, and waits until the client has read this.
async fn refuse(mut stream: TcpStream, _place: OwnedSemaphorePermit) -> io::Result<()> {
    stream.write_all(BUSY.as_bytes()).await?;
    stream.shutdown().await?;
    let mut bytes = [0; 1024];
    while stream.read(&mut bytes).await? > 0 {}
    Ok(())
}

/// A connection that fails if nothing can be written to it for the time `patience`.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    until: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, until: None }
    }

    /// Starts the timeout when a write must wait, and stops it when the client accepts bytes.
    fn wait<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.until = None;
            return written;
        }
        let patience = self.patience;
        let until =
            self.until.get_or_insert_with(|| Box::pin(tokio::time::sleep_until(Instant::now() + patience)));
        match until.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.wait(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.wait(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

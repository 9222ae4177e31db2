//! An event stream as the body of a response. The table's feed has the lines once for all streams. A stream has only
//! its position, and reads more when the client has accepted the last piece. So a stalled client costs a few kilobytes
//! and does not delay others.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::Frame;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::feed::{Cursor, Listener};
use crate::now::Closed;
use crate::registry::Open;
use crate::secret::Digest;

/// Bytes of events that are read at a time.
const PIECE: usize = 16 << 10;

/// Bytes of events in the answer to a client that polls.
const POLLED: usize = 1 << 20;

/// The body, piece by piece.
struct Stream(mpsc::Receiver<Bytes>);

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(cx).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

/// Returns the events from `cursor` on that are there now. If there are none apart from `table`, waits until there are
/// some, at most for `wait`.
pub(crate) async fn poll(
    open: Open,
    listener: Listener,
    secret: Digest,
    mut cursor: Cursor,
    wait: Duration,
) -> String {
    let (feed, until, asked) = (&open.table.feed, Instant::now() + wait, cursor);
    let mut changed = feed.listen();
    let mut text = String::new();
    let mut known = None;
    loop {
        changed.mark_unchanged();
        if let Some(why) = ended(&open, listener, secret) {
            return text + &why.event();
        }
        let more = feed.lock().read(listener, &mut cursor, POLLED);
        let Some(more) = more else { return text + &feed.lock().closed().event() };
        text += &more;
        // The first `table` event has what was there before.
        let known = *known.get_or_insert(Cursor { notice: cursor.notice, ..asked });
        if cursor != known {
            return text;
        }
        // After the `table` event, the next read finds out whether the stream ends.
        if !more.is_empty() {
            continue;
        }
        tokio::select! {
            alive = changed.changed() => if alive.is_err() { return text },
            () = tokio::time::sleep_until(until) => return text,
        }
    }
}

/// Returns why a stream may not continue.
fn ended(open: &Open, listener: Listener, secret: Digest) -> Option<Closed> {
    if !open.is_open() {
        return Some(Closed::Replaced);
    }
    (!open.table.may_hear(listener, secret)).then_some(Closed::Secret)
}

/// Returns a body with the events from `cursor` on. It ends with the session or the table, when another player takes
/// the seat, when newer streams of the seat replace it, or when the client disconnects.
pub(crate) fn body(
    open: Open,
    listener: Listener,
    secret: Digest,
    cursor: Cursor,
    sign_of_life: Duration,
) -> Body {
    let (sender, receiver) = mpsc::channel(1);
    tokio::spawn(send_events(open, listener, secret, cursor, sign_of_life, sender));
    Body::new(Stream(receiver))
}

async fn send_events(
    open: Open,
    listener: Listener,
    secret: Digest,
    mut cursor: Cursor,
    sign_of_life: Duration,
    sender: mpsc::Sender<Bytes>,
) {
    let feed = &open.table.feed;
    let mut changed = feed.listen();
    let mut heard = Instant::now();
    // A first comment shows the client that the stream is open, even if there are no events yet.
    let mut first = Some(": cardsharp\n\n".to_owned());
    let why = loop {
        changed.mark_unchanged();
        if let Some(why) = ended(&open, listener, secret) {
            break why;
        }
        let read = feed.lock().read(listener, &mut cursor, PIECE);
        let Some(text) = read else { break feed.lock().closed() };
        let text = first.take().unwrap_or_default() + &text;
        if !text.is_empty() {
            if sender.send(text.into()).await.is_err() {
                return;
            }
            heard = Instant::now();
            continue;
        }
        tokio::select! {
            biased;
            () = sender.closed() => return,
            alive = changed.changed() => if alive.is_err() { return },
            // The time counts from the last piece of this stream, whatever changed at the table meanwhile.
            () = tokio::time::sleep_until(heard + sign_of_life) => {
                if sender.send(Bytes::from_static(b":\n\n")).await.is_err() {
                    return;
                }
                heard = Instant::now();
            }
        }
    };
    // If the client has left, no one reads the event.
    let _ = sender.send(why.event().into()).await;
}

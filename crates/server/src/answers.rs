//! Answers to requests with an `Idempotency-Key`, for clients that send a request again because its answer was lost.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Bytes, to_bytes};
use axum::http::HeaderMap;
use axum::response::Response;
use tokio::sync::watch;

use crate::endpoint::json_text;
use crate::refusal::Refusal;
use crate::secret::Secret;

/// How long an answer can be repeated.
const LIFETIME: Duration = Duration::from_secs(600);
/// The number of answers at a time. Beyond it, the oldest are dropped.
const MOST: usize = 4096;
/// The maximum number of characters of a key.
const LENGTH: usize = 200;

/// A request that may be sent again: the hash of its key, method, path and secret.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RequestKey(blake3::Hash);

impl RequestKey {
    /// Returns the key of a request, if it has one.
    ///
    /// # Errors
    /// The header is empty, too long, or not visible ASCII.
    pub(crate) fn of(
        headers: &HeaderMap,
        secret: Option<&Secret>,
        request: &str,
    ) -> Result<Option<Self>, Refusal> {
        let Some(given) = headers.get("idempotency-key") else { return Ok(None) };
        let is_key = (1..=LENGTH).contains(&given.len()) && given.as_bytes().iter().all(u8::is_ascii_graphic);
        if !is_key {
            return Err(Refusal::Key(LENGTH));
        }
        let mut hash = blake3::Hasher::new();
        // Hashes and keys have no line breaks, so different requests have different texts.
        let secret = secret.map(|secret| secret.digest().hex()).unwrap_or_default();
        hash.update(format!("{secret}\n{request}\n").as_bytes()).update(given.as_bytes());
        Ok(Some(Self(hash.finalize())))
    }
}

/// The answers of the last minutes.
#[derive(Default)]
pub(crate) struct Answers(Mutex<HashMap<RequestKey, Entry>>);

type Answered = Option<Result<Bytes, Refusal>>;

struct Entry {
    body: blake3::Hash,
    begun: Instant,
    /// None while the request is carried out.
    answer: watch::Receiver<Answered>,
}

impl Answers {
    fn lock(&self) -> MutexGuard<'_, HashMap<RequestKey, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a request with this key was carried out, or is being carried out.
    pub(crate) fn has(&self, key: RequestKey) -> bool {
        self.lock().get(&key).is_some_and(|entry| entry.begun.elapsed() < LIFETIME)
    }

    /// Carries out a request once, even if its client disconnects, and returns its answer to all requests with the same
    /// key. A request that was refused may be sent again.
    ///
    /// # Errors
    /// The request was refused, or an earlier one with this key had another body.
    pub(crate) async fn once(
        self: &Arc<Self>,
        key: RequestKey,
        body: &[u8],
        job: impl Future<Output = Result<Response, Refusal>> + Send + 'static,
    ) -> Result<Response, Refusal> {
        let body = blake3::hash(body);
        let (mut answer, begins) = {
            let mut entries = self.lock();
            entries.retain(|_, entry| entry.begun.elapsed() < LIFETIME);
            match entries.get(&key) {
                Some(entry) if entry.body != body => return Err(Refusal::OtherKey),
                Some(entry) => (entry.answer.clone(), None),
                None => {
                    let oldest = entries.iter().min_by_key(|(_, entry)| entry.begun).map(|(key, _)| *key);
                    oldest.filter(|_| entries.len() >= MOST).map(|oldest| entries.remove(&oldest));
                    let (sender, answer) = watch::channel(None);
                    entries.insert(key, Entry { body, begun: Instant::now(), answer: answer.clone() });
                    (answer, Some(sender))
                }
            }
        };
        if let Some(sender) = begins {
            let answers = Arc::clone(self);
            tokio::spawn(async move {
                let result = match job.await {
                    Ok(response) => {
                        to_bytes(response.into_body(), usize::MAX).await.map_err(|_| Refusal::Internal)
                    }
                    Err(refusal) => Err(refusal),
                };
                if result.is_err() {
                    answers.lock().remove(&key);
                }
                sender.send_replace(Some(result));
            });
        }
        let answered = answer.wait_for(Option::is_some).await.map(|answer| answer.clone());
        match answered {
            Ok(Some(result)) => result.map(json_text),
            // The request panicked.
            _ => {
                self.lock().remove(&key);
                Err(Refusal::Internal)
            }
        }
    }
}

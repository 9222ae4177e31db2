//! People say that they are ready before the session starts.

use cardsharp_env::Seat;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::deals::{SALT, is_salt};
use crate::endpoint::{self, ClientRequest, Doc, Done, Endpoint, Who};
use crate::feed::TableFeed;
use crate::journal::JournalLine;
use crate::live::Live;
use crate::refusal::Refusal;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "Only for tables with `ready_check`, before the session starts. It starts when all people are ready. A `salt` \
                is mixed into the seed. Everyone sees at once that you added one, and its text when the session is over. \
                The host can start without you if a bot plays for you (`POST /v1/tables/{id}/substitute`).";
    let ready = Doc { name: "ready", summary: "Say that you are ready", text, who: Who::Seat };
    vec![Endpoint::post("/v1/tables/{id}/ready", ready, readied).changes()]
}

/// Whether you are ready.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadyRequest {
    /// Whether you are ready. False takes it back, with the salt.
    #[serde(default = "endpoint::yes")]
    ready: bool,
    /// 1 to 64 visible ASCII characters without spaces, which become part of the seed.
    #[serde(default)]
    salt: Option<String>,
}

async fn readied(asked: ClientRequest, given: ReadyRequest) -> Result<Done, Refusal> {
    let seat: Seat = asked.seat()?;
    let ReadyRequest { ready, salt } = given;
    if let Some(salt) = &salt {
        let wrong = |expected: String| Err(Refusal::text("a salt", salt, SALT, expected));
        if !is_salt(salt) {
            return wrong(format!("1 to {SALT} visible ASCII characters without spaces"));
        }
        if asked.table()?.feed.lock().about.secret.is_none() {
            return wrong("no salt, because the host chose the seed".to_owned());
        }
    }
    let job = move |live: &mut Live, feed: &TableFeed| {
        if !live.waits {
            return Err(Refusal::Started);
        }
        live.journal.append(&[JournalLine::Ready { seat, ready, salt: salt.clone() }])?;
        feed.change(|inner| inner.players.set_ready(seat, ready, salt));
        Ok(Done {})
    };
    asked.change(job).await
}

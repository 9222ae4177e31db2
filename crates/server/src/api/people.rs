//! People choose their names and show emotes.

use std::time::Instant;

use schemars::JsonSchema;
use serde::Deserialize;

use super::open::name_of;
use crate::emotes::Emote;
use crate::endpoint::{ClientRequest, Doc, Done, Endpoint, Who};
use crate::feed::TableFeed;
use crate::journal::JournalLine;
use crate::live::Live;
use crate::refusal::Refusal;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "Changes your name at the table. Everyone sees it in the event `table`. Event logs and traces have the names \
                from the start of the session.";
    let name = Doc { name: "name", summary: "Change your name", text, who: Who::Seat };
    let text = "Everyone who listens gets the event `emote` with your `seat` and the `emote`. Streams do not repeat old \
                emotes. A seat can show one emote in two seconds.";
    let emote = Doc { name: "emote", summary: "Show an emote", text, who: Who::Seat };
    vec![
        Endpoint::post("/v1/tables/{id}/name", name, named).changes(),
        Endpoint::post("/v1/tables/{id}/emote", emote, shown),
    ]
}

/// A person's new name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NameRequest {
    /// The name, of 1 to 40 visible characters.
    name: String,
}

async fn named(asked: ClientRequest, given: NameRequest) -> Result<Done, Refusal> {
    let seat = asked.seat()?;
    let name = name_of(&given.name)?;
    let job = move |live: &mut Live, feed: &TableFeed| {
        if feed.lock().players.name(seat) == Some(name.as_str()) {
            return Ok(());
        }
        live.journal.append(&[JournalLine::Named { seat, name: name.clone() }])?;
        feed.change(|inner| inner.players.rename(seat, name));
        Ok(())
    };
    asked.change(job).await.map(|()| Done {})
}

/// A sign from a fixed list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EmoteRequest {
    emote: Emote,
}

async fn shown(asked: ClientRequest, given: EmoteRequest) -> Result<Done, Refusal> {
    let (table, seat) = (asked.table()?, asked.seat()?);
    table.feed.show(seat, given.emote, Instant::now()).map(|()| Done {})
}

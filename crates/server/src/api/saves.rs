//! Saving and restoring tables, and the trace of a finished session.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoint::{ClientRequest, Doc, Endpoint, Nothing, ResponseKind, Who, text_of};
use crate::feed::TableFeed;
use crate::live::{Live, trace};
use crate::refusal::Refusal;
use crate::registry::Asker;
use crate::secret::Secret;

/// The media type of a trace.
const TRACE: &str = "application/jsonl";

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "The table ends until someone restores it with the secret in the response. The server never copies a table, \
                because a copy could show future cards.";
    let save = Doc { name: "save", summary: "Put a table aside", text, who: Who::Host };
    let text = "Restores the table, with its id and all secrets. Send either the secret from the response of `save`, or the id \
                of the table with the host's secret. The host gets the same answer for a table that was not saved.";
    let restore = Doc { name: "restore", summary: "Restore a table", text, who: Who::Itself };
    let text = "Returns the trace once the session is over. `cardsharp replay` reads it.";
    let trace = Doc { name: "trace", summary: "Get the trace of the session", text, who: Who::Secret };
    vec![
        Endpoint::post("/v1/tables/{id}/save", save, saved).changes(),
        Endpoint::post("/v1/tables/restore", restore, restored).changes(),
        Endpoint::raw("/v1/tables/{id}/trace", trace, ResponseKind::Lines(TRACE), traced),
    ]
}

/// A table that was put aside.
#[derive(Serialize, JsonSchema)]
struct Saved {
    /// The secret that restores it.
    save: String,
}

async fn saved(asked: ClientRequest, _: Nothing) -> Result<Saved, Refusal> {
    let registry = Arc::clone(&asked.registry);
    let save = asked.change(move |live, feed| registry.put_aside(live, feed)).await?;
    Ok(Saved { save })
}

/// A table to restore.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum RestoreRequest {
    /// The secret from the response of `save`.
    Save(String),
    /// The id of a table whose host you are.
    Table(String),
}

#[derive(Serialize, JsonSchema)]
struct Restored {
    /// Its id, the same as before.
    table: String,
}

async fn restored(asked: ClientRequest, given: RestoreRequest) -> Result<Restored, Refusal> {
    let table = match given {
        RestoreRequest::Save(save) => {
            asked.demand_token()?;
            let (table, secret) = save.split_once('-').ok_or(Refusal::NoSave)?;
            asked.registry.restore(table, Secret::given(secret)).await?
        }
        RestoreRequest::Table(id) => {
            let secret = asked.secret.clone().ok_or(Refusal::Unauthorized("the host's secret"))?;
            match asked.registry.table(&id).await {
                Ok(table) if table.asker(&secret) == Some(Asker::Host) => table,
                _ => asked.registry.restore(&id, secret).await?,
            }
        }
    };
    Ok(Restored { table: table.id.clone() })
}

async fn traced(asked: ClientRequest) -> Result<Response, Refusal> {
    let table = asked.table()?;
    if !table.feed.lock().over() {
        return Err(Refusal::NotOver);
    }
    let lines = table.feed.lock().longest();
    let turn = asked.registry.turn(table.flow, lines).await;
    let job = move |live: &mut Live, _: &TableFeed| {
        let _turn = turn;
        let kept = live.journal.read().map_err(|_| Refusal::Disk)?;
        trace(live.game, &kept, &live.table.rules()).map_err(|_| Refusal::Internal)
    };
    let text = asked.registry.look(&table, job).await?;
    Ok(text_of(TRACE, Body::from(text)))
}

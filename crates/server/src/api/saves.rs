//! Saving and restoring tables, and the trace of a finished session.

use axum::body::Body;
use axum::response::Response;
use cardsharp_env::Audience;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoint::{Asked, Doc, Endpoint, Kind, Nothing, Who, text_of};
use crate::front::Front;
use crate::live::{Live, replay};
use crate::refusal::Refusal;
use crate::secret::Secret;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "The table ends until someone restores it with the secret in the response. The server never copies a table, \
                because a copy could show future cards.";
    let save = Doc { name: "save", summary: "Put a table aside", text, who: Who::Host };
    let text = "Restores the table once, with its id and all secrets.";
    let restore = Doc { name: "restore", summary: "Restore a table", text, who: Who::Token };
    let text = "Returns the trace once the session is over. `cardsharp replay` reads it.";
    let trace = Doc { name: "trace", summary: "Get the trace of the session", text, who: Who::Secret };
    vec![
        Endpoint::post("/v1/tables/{id}/save", save, saved),
        Endpoint::post("/v1/tables/restore", restore, restored),
        Endpoint::raw("/v1/tables/{id}/trace", trace, Kind::Lines, traced),
    ]
}

/// A table that was put aside.
#[derive(Serialize, JsonSchema)]
struct Saved {
    /// The secret that restores it.
    save: String,
}

async fn saved(asked: Asked, _: Nothing) -> Result<Saved, Refusal> {
    let save = asked.hall.put_aside(&asked.table()?).await?;
    Ok(Saved { save: save.reveal() })
}

/// A table to restore.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RestoreRequest {
    /// The secret from the response of `save`.
    save: String,
}

/// A restored table.
#[derive(Serialize, JsonSchema)]
struct Restored {
    /// Its id, the same as before.
    table: String,
}

async fn restored(asked: Asked, given: RestoreRequest) -> Result<Restored, Refusal> {
    let table = asked.hall.restore(&Secret::given(given.save)).await?;
    Ok(Restored { table: table.id.clone() })
}

async fn traced(asked: Asked) -> Result<Response, Refusal> {
    let table = asked.table()?;
    if !table.front.lock().over() {
        return Err(Refusal::NotOver);
    }
    let job = |live: &mut Live, front: &Front| {
        let kept = live.journal.read().map_err(|_| Refusal::Disk)?;
        let table = replay(&[live.game], &kept).map_err(|_| Refusal::Internal)?.table;
        let mut names: Vec<String> =
            front.lock().sitters.iter().map(|sitter| sitter.name().to_owned()).collect();
        names.truncate(table.seats());
        let header = table.header(Audience::Referee, names);
        let steps = (0..=table.steps()).flat_map(|step| table.told(step, Audience::Referee));
        let lines = std::iter::once(header).chain(steps).map(|line| format!("{}\n", line.json()));
        Ok(lines.collect::<String>())
    };
    let text = asked.hall.look(&table, job).await?;
    Ok(text_of("application/jsonl", Body::from(text)))
}

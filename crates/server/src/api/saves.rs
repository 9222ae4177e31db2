//! Tables put aside and brought back, and the whole of a session once it is over.

use axum::body::Body;
use axum::response::Response;
use cardsharp_env::Audience;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoint::{Asked, Doc, Endpoint, Kind, Nothing, Who, text_of};
use crate::front::Front;
use crate::hall::work::Effort;
use crate::live::{Live, replay};
use crate::refusal::Refusal;
use crate::secret::Secret;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "The table is gone until it is restored with the secret that this answers with. There is never a copy of a \
                table, in which somebody could look what will come.";
    let save = Doc { name: "save", summary: "Put a table aside", text, who: Who::Host };
    let text =
        "The table has its id again, and everybody the secrets that they had. A save is used up by it.";
    let restore = Doc { name: "restore", summary: "Bring a table back", text, who: Who::Token };
    let text = "Once the session is over: everything, as `cardsharp replay` reads it.";
    let trace = Doc { name: "trace", summary: "The whole session", text, who: Who::Secret };
    vec![
        Endpoint::post("/v1/tables/{id}/save", save, saved),
        Endpoint::post("/v1/tables/restore", restore, restored),
        Endpoint::raw("/v1/tables/{id}/trace", trace, Kind::Lines, traced),
    ]
}

/// A table that was put aside.
#[derive(Serialize, JsonSchema)]
struct Saved {
    /// The secret that brings it back.
    save: String,
}

async fn saved(asked: Asked, _: Nothing) -> Result<Saved, Refusal> {
    let save = asked.hall.put_aside(&asked.table()?).await?;
    Ok(Saved { save: save.reveal() })
}

/// A table to be brought back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RestoreRequest {
    /// What putting it aside was answered with.
    save: String,
}

/// A table that is back.
#[derive(Serialize, JsonSchema)]
struct Restored {
    /// Its id, as it was.
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
    let text = asked.hall.work(&table, Effort::Moments, job).await?;
    Ok(text_of("application/jsonl", Body::from(text)))
}

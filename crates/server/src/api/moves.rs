//! Playing moves, dealing rounds, and taking back moves.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoint::{self, ClientRequest, Doc, Done, Endpoint, Nothing, Who};
use crate::feed::{Listener, Proposal, TableFeed};
use crate::live::Live;
use crate::refusal::Refusal;
use crate::registry::Asker;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "Plays a legal move of the seat to move. The move is on the disk when the response arrives. Bots move after \
                that.";
    let play = Doc { name: "play", summary: "Make a move", text, who: Who::Seat };
    let text = "Only for tables with `deal: false`. When a round is over, any person at the table can deal the next one.";
    let deal = Doc { name: "deal", summary: "Deal the next round", text, who: Who::Secret };
    let text = "Takes back the last move of your seat in this round, and all later moves, once every person at the table has \
                sent this request. `\"agree\": false` refuses it, and so does a move by a person that everyone at the table sees.";
    let undo = Doc { name: "undo", summary: "Take a move back", text, who: Who::Seat };
    vec![
        Endpoint::post("/v1/tables/{id}/moves", play, played).changes(),
        Endpoint::post("/v1/tables/{id}/deal", deal, dealt).changes(),
        Endpoint::post("/v1/tables/{id}/undo", undo, undone).changes(),
    ]
}

/// A move to play.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MoveRequest {
    /// The move, as in `legal`.
    r#move: String,
}

#[derive(Serialize, JsonSchema)]
struct Played {
    /// The id of the last event of your seat.
    last: String,
}

async fn played(asked: ClientRequest, given: MoveRequest) -> Result<Played, Refusal> {
    let seat = asked.seat()?;
    asked.is_current()?;
    asked.table()?.feed.must_decide(seat)?;
    let registry = Arc::clone(&asked.registry);
    let job = move |live: &mut Live, feed: &TableFeed| {
        feed.must_decide(seat)?;
        feed.lock().has_room(&registry.limits)?;
        live.play(feed, seat, &given.r#move)?;
        live.tell(feed)?;
        let last = feed.lock().last_id(Listener::Seat(seat));
        Ok(Played { last })
    };
    asked.change(job).await
}

async fn dealt(asked: ClientRequest, _: Nothing) -> Result<Done, Refusal> {
    if asked.asker() == Some(Asker::Spectator) {
        return Err(Refusal::Forbidden("people at the table"));
    }
    asked.is_current()?;
    asked.table()?.feed.lock().round_over()?;
    let job = |live: &mut Live, feed: &TableFeed| {
        live.deal(feed)?;
        live.tell(feed)
    };
    asked.change(job).await.map(|()| Done {})
}

/// A request to take back a move, or the answer to one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UndoRequest {
    /// Whether you agree. False refuses a pending request.
    #[serde(default = "endpoint::yes")]
    agree: bool,
}

/// The result of the request.
#[derive(Serialize, JsonSchema)]
struct Undone {
    /// Whether moves were taken back. If false, others have to agree, or the request was refused.
    undone: bool,
}

async fn undone(asked: ClientRequest, given: UndoRequest) -> Result<Undone, Refusal> {
    let (table, seat) = (asked.table()?, asked.seat()?);
    asked.is_current()?;
    if table.feed.lock().about.no_undo {
        return Err(Refusal::NoUndo);
    }
    if table.feed.lock().over() {
        return Err(Refusal::Over);
    }
    if !given.agree {
        table.feed.change(|inner| inner.proposal = None);
        return Ok(Undone { undone: false });
    }
    let job = move |live: &mut Live, feed: &TableFeed| {
        if live.table.over() {
            return Err(Refusal::Over);
        }
        let proposed = feed.lock().proposal.clone();
        let mut proposal = match proposed {
            Some(proposal) if proposal.to >= live.course.floor => proposal,
            _ => {
                let to = live.before_last_of(seat).ok_or(Refusal::NothingToUndo(seat.0))?;
                Proposal { by: seat, to, agreed: Vec::new() }
            }
        };
        if !proposal.agreed.contains(&seat) {
            proposal.agreed.push(seat);
        }
        let people = feed.lock().people();
        let undone = people.iter().all(|person| proposal.agreed.contains(person));
        if undone {
            live.undo(feed, proposal.to)?;
        } else {
            feed.change(|inner| inner.proposal = Some(proposal));
        }
        Ok(Undone { undone })
    };
    asked.change(job).await
}

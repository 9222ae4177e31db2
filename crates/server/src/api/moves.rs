//! Playing moves, dealing rounds, and taking back moves.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoint::{self, Asked, Doc, Done, Endpoint, Nothing, Who};
use crate::front::{Front, Listener, Proposal};
use crate::hall::Asker;
use crate::live::Live;
use crate::refusal::Refusal;

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

async fn played(asked: Asked, given: MoveRequest) -> Result<Played, Refusal> {
    let seat = asked.seat()?;
    asked.is_current()?;
    asked.table()?.front.must_decide(seat)?;
    let hall = Arc::clone(&asked.hall);
    let job = move |live: &mut Live, front: &Front| {
        front.must_decide(seat)?;
        front.lock().has_room(&hall.limits)?;
        live.play(front, seat, &given.r#move)?;
        live.tell(front)?;
        let last = front.lock().last_id(Listener::Seat(seat));
        Ok(Played { last })
    };
    asked.change(job).await
}

async fn dealt(asked: Asked, _: Nothing) -> Result<Done, Refusal> {
    if asked.asker() == Some(Asker::Spectator) {
        return Err(Refusal::Forbidden("people at the table"));
    }
    asked.is_current()?;
    asked.table()?.front.lock().round_over()?;
    let job = |live: &mut Live, front: &Front| {
        live.deal(front)?;
        live.tell(front)
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

async fn undone(asked: Asked, given: UndoRequest) -> Result<Undone, Refusal> {
    let (table, seat) = (asked.table()?, asked.seat()?);
    asked.is_current()?;
    if table.front.lock().about.no_undo {
        return Err(Refusal::NoUndo);
    }
    if table.front.lock().over() {
        return Err(Refusal::Over);
    }
    if !given.agree {
        table.front.change(|inner| inner.proposal = None);
        return Ok(Undone { undone: false });
    }
    let job = move |live: &mut Live, front: &Front| {
        if live.table.over() {
            return Err(Refusal::Over);
        }
        let proposed = front.lock().proposal.clone();
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
        let people = front.lock().people();
        let undone = people.iter().all(|person| proposal.agreed.contains(person));
        if undone {
            live.undo(front, proposal.to)?;
        } else {
            front.change(|inner| inner.proposal = Some(proposal));
        }
        Ok(Undone { undone })
    };
    asked.change(job).await
}

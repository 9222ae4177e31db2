//! Moves, deals, and moves taken back.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::endpoint::{self, Asked, Doc, Done, Endpoint, Nothing, Who};
use crate::front::{Front, Listener, Proposal};
use crate::hall::Asker;
use crate::hall::work::Effort;
use crate::live::Live;
use crate::refusal::Refusal;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "The move of the seat that must decide, as it is written among the legal ones. It is on the disk when the answer \
                comes; bots move after that.";
    let play = Doc { name: "play", summary: "Make a move", text, who: Who::Seat };
    let text = "Where rounds are not dealt by themselves: once one is over, any person at the table may ask for the next.";
    let deal = Doc { name: "deal", summary: "Deal the next round", text, who: Who::Secret };
    let text = "Takes back the asking seat's last move of this round, and all after it, as soon as every person at the table \
                has asked: the first one proposes, the others agree. A move that a person makes meanwhile refuses, and so does \
                `\"agree\": false`.";
    let undo = Doc { name: "undo", summary: "Take a move back", text, who: Who::Seat };
    vec![
        Endpoint::post("/v1/tables/{id}/moves", play, played),
        Endpoint::post("/v1/tables/{id}/deal", deal, dealt),
        Endpoint::post("/v1/tables/{id}/undo", undo, undone),
    ]
}

/// A move.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MoveRequest {
    /// As it is written.
    r#move: String,
}

/// A move that was made.
#[derive(Serialize, JsonSchema)]
struct Played {
    /// The id of the last event of the asking seat.
    last: String,
}

async fn played(asked: Asked, given: MoveRequest) -> Result<Played, Refusal> {
    let (table, seat) = (asked.table()?, asked.seat()?);
    table.must_decide(seat)?;
    let hall = Arc::clone(&asked.hall);
    let job = move |live: &mut Live, front: &Front| {
        live.must_decide(seat)?;
        front.lock().has_room(&hall.limits)?;
        live.play(front, seat, &given.r#move)?;
        live.tell(front)?;
        if front.lock().proposal.is_some() {
            front.change(|inner| inner.proposal = None);
        }
        let last = front.lock().last_id(Listener::Seat(seat));
        Ok(Played { last })
    };
    asked.hall.work(&table, Effort::Moments, job).await
}

async fn dealt(asked: Asked, _: Nothing) -> Result<Done, Refusal> {
    let table = asked.table()?;
    if asked.asker() == Some(Asker::Spectator) {
        return Err(Refusal::Forbidden("people at the table"));
    }
    table.front.lock().round_over()?;
    let job = |live: &mut Live, front: &Front| {
        live.deal(front)?;
        live.tell(front)
    };
    asked.hall.work(&table, Effort::Moments, job).await.map(|()| Done {})
}

/// A move to be taken back.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UndoRequest {
    /// False to refuse what somebody proposed.
    #[serde(default = "endpoint::yes")]
    agree: bool,
}

/// What came of it.
#[derive(Serialize, JsonSchema)]
struct Undone {
    /// Whether moves were taken back; else others have to agree, or it was refused.
    undone: bool,
}

async fn undone(asked: Asked, given: UndoRequest) -> Result<Undone, Refusal> {
    let (table, seat) = (asked.table()?, asked.seat()?);
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
    asked.hall.work(&table, Effort::Moments, job).await
}

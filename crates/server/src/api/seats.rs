//! People and bots take seats and leave them.

use std::sync::Arc;

use cardsharp_env::rules::RosterChange;
use cardsharp_env::{MAX_SEATS, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::open::Taker;
use crate::endpoint::{ClientRequest, Doc, Done, Endpoint, Who};
use crate::feed::{Listener, TableFeed};
use crate::journal::{JournalLine, Sitter};
use crate::live::{Live, replay};
use crate::refusal::Refusal;
use crate::registry::Asker;
use crate::secret::Secret;

pub(super) fn endpoints() -> Vec<Endpoint> {
    let text = "A person takes the `seat` of a bot at once and gets its event log from the start. Without `seat`, or with the \
                seat of a player who left, a player joins before the next round, in games where players may join. Only the \
                host may send this, or, at an open table, every client with the server's token. A person who takes a seat \
                during a round sees its cards, so everyone at the table sees that in `seen`.";
    let join = Doc { name: "join", summary: "Take a seat", text, who: Who::Itself };
    let text = "With `bot`, the bot takes your seat at once, and your secret becomes invalid. Without it, you leave before \
                the next round, in games where players may leave. The host may do the same for seats of bots.";
    let leave = Doc { name: "leave", summary: "Leave a seat", text, who: Who::Secret };
    let text = "For a person whose secret was lost. The old secret becomes invalid, and its streams end.";
    let renew = Doc { name: "secret", summary: "Get a new secret for a seat", text, who: Who::Host };
    let text = "The bot plays for the person, who keeps the seat, its secret and its events, until you send null. For the \
                host, with the `seat` of any person, and for people in seats. Everyone at the table sees it.";
    let substitute =
        Doc { name: "substitute", summary: "Let a bot play for a person", text, who: Who::Secret };
    vec![
        Endpoint::post("/v1/tables/{id}/substitute", substitute, substituted).changes(),
        Endpoint::post("/v1/tables/{id}/join", join, joined).changes(),
        Endpoint::post("/v1/tables/{id}/leave", leave, left).changes(),
        Endpoint::post("/v1/tables/{id}/secret", renew, renewed).changes(),
    ]
}

/// The player who takes a seat.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct JoinRequest {
    /// The seat. Default: a new one.
    #[serde(default)]
    seat: Option<u8>,
    who: Taker,
}

/// The seat that the player got.
#[derive(Serialize, JsonSchema)]
struct Joined {
    seat: u8,
    /// The secret of the person; missing for bots.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

async fn joined(asked: ClientRequest, given: JoinRequest) -> Result<Joined, Refusal> {
    let table = asked.table()?;
    if asked.asker() != Some(Asker::Host) {
        if !table.feed.lock().about.open {
            return Err(Refusal::Forbidden(
                "the host, with the host's secret, because the table is not open",
            ));
        }
        asked.demand_token()?;
    }
    let registry = Arc::clone(&asked.registry);
    let lines = table.feed.lock().longest();
    let turn = registry.turn(table.flow, lines).await;
    let job = move |live: &mut Live, feed: &TableFeed| {
        let _turn = turn;
        if live.table.over() {
            return Err(Refusal::Over);
        }
        let (sitter, secret) = given.who.sits(&registry.catalog, live.game)?;
        let (seat, change) = place(live, feed, given.seat.map(Seat), &sitter)?;
        settle(live, feed, seat, sitter, change)?;
        Ok(Joined { seat: seat.0, secret: secret.map(|secret| secret.reveal()) })
    };
    asked.change(job).await
}

/// Returns the seat that a player may take, and the change of players that this needs, if any.
fn place(
    live: &mut Live,
    feed: &TableFeed,
    seat: Option<Seat>,
    sitter: &Sitter,
) -> Result<(Seat, Option<RosterChange>), Refusal> {
    let sitters = feed.lock().players.sitters.clone();
    // Players who join before the next round have seats already, so a new seat comes after theirs.
    let seat = seat.unwrap_or(Seat(sitters.len().min(MAX_SEATS) as u8));
    let sits_there = sitters.get(seat.index());
    if live.waits && sits_there.is_none() {
        return Err(Refusal::Waiting);
    }
    let is_present = live.waits || (seat.index() < live.table.seats() && live.table.present().has(seat.0));
    // The rules can reserve a seat for a player who joins in a later round. `can_change` refuses to join it earlier.
    let is_awaited = live.course.wishes.contains(&RosterChange::Join(seat));
    match (sits_there, sitter) {
        (Some(Sitter::Person { .. }), _) if is_present || is_awaited => {
            Err(Refusal::Seat("this seat belongs to a person"))
        }
        (Some(Sitter::Bot(_)), Sitter::Bot(_)) if is_present => {
            Err(Refusal::Seat("this seat already has a bot"))
        }
        _ if is_present => Ok((seat, None)),
        _ => {
            let change = RosterChange::Join(seat);
            live.can_change(change)?;
            Ok((seat, Some(change)))
        }
    }
}

/// Writes the new player of a seat to the journal, and shows it to all clients. `change` is set if the player joins
/// before the next round.
fn settle(
    live: &mut Live,
    feed: &TableFeed,
    seat: Seat,
    sitter: Sitter,
    change: Option<RosterChange>,
) -> Result<(), Refusal> {
    let to = Listener::Seat(seat);
    let is_person = matches!(sitter, Sitter::Person { .. });
    let sits = JournalLine::Sits { seat, sitter: sitter.clone() };
    let mut log = None;
    if is_person {
        let mut kept = live.journal.read().map_err(|_| Refusal::Disk)?;
        kept.entries.push(sits.clone());
        // There is no event log before the player has joined, and before the session has started.
        log = replay(&[live.game], &kept).map_err(|_| Refusal::Internal)?.logs.remove(&to);
    }
    let mut entries = vec![sits];
    entries.extend(change.map(JournalLine::Wish));
    live.journal.append(&entries)?;
    live.course.wishes.extend(change);
    feed.sit(seat, sitter, live.exposed(seat), log);
    Ok(())
}

/// The seat to leave, and the bot that takes it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LeaveRequest {
    /// The name of the bot that takes the seat.
    #[serde(default)]
    bot: Option<String>,
    /// For the host only: the seat of the bot that leaves.
    #[serde(default)]
    seat: Option<u8>,
}

async fn left(asked: ClientRequest, given: LeaveRequest) -> Result<Done, Refusal> {
    let (seat, is_host) = match (asked.asker(), given.seat) {
        (Some(Asker::Seat(seat)), None) => (seat, false),
        (Some(Asker::Host), Some(seat)) => (Seat(seat), true),
        (Some(Asker::Host), None) => {
            return Err(Refusal::Seat("expected the field `seat` with the seat of a bot"));
        }
        _ => {
            return Err(Refusal::Forbidden("people in their own seats, and the host for seats of bots"));
        }
    };
    let registry = Arc::clone(&asked.registry);
    let by = asked.secret.as_ref().map(Secret::digest);
    let job = move |live: &mut Live, feed: &TableFeed| {
        let is_right = match feed.lock().players.sitters.get(seat.index()) {
            Some(Sitter::Person { secret, .. }) => !is_host && Some(*secret) == by,
            Some(Sitter::Bot(_)) => is_host,
            None => false,
        };
        if !is_right {
            return Err(Refusal::Seat("expected your own seat or, for the host, the seat of a bot"));
        }
        if live.table.over() {
            return Err(Refusal::Over);
        }
        if let Some(bot) = given.bot {
            Taker::Bot(bot.clone()).sits(&registry.catalog, live.game)?;
            return live.seat_bot(feed, seat, bot);
        }
        if live.waits {
            return Err(Refusal::Waiting);
        }
        let change = RosterChange::Leave(seat);
        live.can_change(change)?;
        live.journal.append(&[JournalLine::Wish(change)])?;
        live.course.wishes.push(change);
        Ok(())
    };
    asked.change(job).await.map(|()| Done {})
}

/// A bot that plays for a person.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SubstituteRequest {
    /// The name of the bot; null if the person plays again.
    bot: Option<String>,
    /// For the host only: the seat of the person.
    #[serde(default)]
    seat: Option<u8>,
    /// When the change happens.
    #[serde(default)]
    from: From,
}

/// When a change happens.
#[derive(Copy, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum From {
    /// With this request.
    #[default]
    Now,
    /// When the next round is dealt.
    Deal,
}

async fn substituted(asked: ClientRequest, given: SubstituteRequest) -> Result<Done, Refusal> {
    let seat = match (asked.asker(), given.seat) {
        (Some(Asker::Seat(seat)), None) => seat,
        (Some(Asker::Host), Some(seat)) => Seat(seat),
        (Some(Asker::Host), None) => {
            return Err(Refusal::Seat("expected the field `seat` with the seat of a person"));
        }
        (Some(Asker::Seat(_)), Some(_)) => {
            return Err(Refusal::Forbidden("the host, if it has the field `seat`"));
        }
        _ => return Err(Refusal::Forbidden("people in seats and the host")),
    };
    let registry = Arc::clone(&asked.registry);
    let job = move |live: &mut Live, feed: &TableFeed| {
        if live.table.over() {
            return Err(Refusal::Over);
        }
        if !feed.lock().players.has_person(seat) {
            return Err(Refusal::Seat("expected the seat of a person"));
        }
        if let Some(bot) = &given.bot {
            Taker::Bot(bot.clone()).sits(&registry.catalog, live.game)?;
        }
        live.substitute(feed, seat, given.bot, given.from == From::Deal)
    };
    asked.change(job).await.map(|()| Done {})
}

/// The seat of a person.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RenewRequest {
    seat: u8,
}

#[derive(Serialize, JsonSchema)]
struct Renewed {
    /// The secret of the person in the seat.
    secret: String,
}

async fn renewed(asked: ClientRequest, given: RenewRequest) -> Result<Renewed, Refusal> {
    let seat = Seat(given.seat);
    let job = move |live: &mut Live, feed: &TableFeed| {
        let sitter = feed.lock().players.sitters.get(seat.index()).cloned();
        let Some(Sitter::Person { name, .. }) = sitter else {
            return Err(Refusal::Seat("expected the seat of a person"));
        };
        let secret = Secret::new().map_err(|_| Refusal::Internal)?;
        let sitter = Sitter::Person { name, secret: secret.digest() };
        live.journal.append(&[JournalLine::Sits { seat, sitter: sitter.clone() }])?;
        let round = live.exposed(seat);
        feed.change(|inner| inner.players.sit(seat, sitter, round));
        Ok(Renewed { secret: secret.reveal() })
    };
    asked.change(job).await
}

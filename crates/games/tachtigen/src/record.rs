//! Rebuilds a deal from one seat's event log. The hidden hands, the kitty and the card put aside can be any
//! that fit the play so far.

mod arrange;
pub(super) mod dealt;

use cardsharp_engine::game::{Actions, Play, Record, Shadow, Told, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, Seat};
use dealt::Dealt;
use serde_json::{Value, json};

use super::auction::fresh_table;
use super::moves::Move;
use super::rules::Rules;
use super::table::Stage;
use super::{Round, Standing};

impl Record for Round {
    /// Keeps the dealer, the opening order, and the seat's own cards as `hand`.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        concealed(&deal, to)
    }

    /// All events are public, except that `redeal` is concealed like a deal.
    fn conceal_event(event: Value, to: Option<Seat>) -> Option<Value> {
        if event["event"] != "redeal" {
            return Some(event);
        }
        let mut told = concealed(&event, to);
        told["event"] = json!("redeal");
        Some(told)
    }

    /// Players notice that the bidder puts a card aside, but not which one.
    fn is_noticed(&self, action: ActionId) -> bool {
        matches!(Move::of(action), Some(Move::Discard(_)))
    }

    fn imagine(
        rules: &Rules,
        standing: &Standing,
        seat: Seat,
        told: &Told<'_>,
        mut rng: DealRng,
    ) -> Result<Shadow<Self>, String> {
        let deal = told.deal.ok_or("a round of Tachtigen must start with its deal")?;
        // The first dealer is random; later dealers follow from it.
        let dealer = if standing.deals == 0 { dealt::seat(deal, "dealer")? } else { standing.dealer };
        let Dealt { own, kitty, order } = Dealt::read(deal, rules, dealer, seat, &mut rng)?;
        let table = fresh_table(rules, &Standing { dealer, ..*standing }, order);
        Ok(Shadow::begun(Round { table, own, kitty, rng }, seat))
    }

    fn follow(shadow: &mut Shadow<Self>, told: &Told<'_>) -> Result<(), String> {
        let Some((seat, action)) = told.choice else { return Ok(()) };
        let (me, round) = (shadow.seat, &mut shadow.round);
        if round.turn() != Turn::Decide(seat) {
            return Err(format!("it is not the turn of seat {}", seat.0));
        }
        let action = match action {
            None => unseen(round, me)?,
            Some(action) if seat != me && round.is_noticed(action) => {
                return Err(format!("the card that seat {} puts aside is secret", seat.0));
            }
            Some(action) => action,
        };
        let legal = Self::legal(round.view(seat)).contains(action);
        if !legal && (seat == me || !rests_on_cards(round.table.stage, action)) {
            return shadow.play(seat, action);
        }
        let mut after = *round;
        after.play(action);
        if after.table.redeals == round.table.redeals {
            *round = arrange::arranged(round, me, action, legal, told)?;
            return shadow.play(seat, action);
        }
        let again = told.events_of("redeal").next();
        let again = again.ok_or("no player opened: expected an event `redeal`")?;
        let dealer = after.table.dealer;
        let Dealt { own, kitty, order } = Dealt::read(again, &after.table.rules, dealer, me, &mut after.rng)?;
        shadow.play_and(seat, action, |round| {
            (round.own, round.kitty, round.rng) = (own, kitty, after.rng);
            (round.table.auction.order, round.table.turn) = (order, order[0]);
        })
    }
}

/// Returns the public part of a deal, with the hand of `to`.
fn concealed(deal: &Value, to: Option<Seat>) -> Value {
    let mut told = json!({ "dealer": deal["dealer"], "order": deal["order"] });
    if let Some(seat) = to {
        told["hand"] = deal["hands"][seat.index()].clone();
    }
    told
}

/// Returns an action for a move that the log shows without its content: the bidder put aside some card.
fn unseen(round: &Round, me: Seat) -> Result<ActionId, String> {
    let bidder = round.table.turn;
    if round.table.stage != Stage::Discard {
        return Err(format!("the choice of seat {} is missing, although it is public", bidder.0));
    }
    if bidder == me {
        return Err(format!("the card that seat {} put aside is missing, although this seat knows it", me.0));
    }
    let card = round.own[bidder.index()].hand.first();
    card.map(|card| Move::Discard(card).id()).ok_or_else(|| format!("seat {} has no cards", bidder.0))
}

/// Returns whether only the hand decides if this action is legal.
fn rests_on_cards(stage: Stage, action: ActionId) -> bool {
    matches!(
        (stage, Move::of(action)),
        (Stage::Play, Some(Move::Play(_) | Move::Call))
            | (Stage::Ask, Some(Move::Ask(_)))
            | (Stage::Claim, Some(Move::Claim(_)))
    )
}

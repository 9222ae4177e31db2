//! The scripted player of Tachtigen.
//!
//! It estimates the points of its hand for every contract ([`worth`]) and bids the most promising one; for
//! points, only the lowest allowed bid ([`bidding`]). It puts aside, names trump and asks so that this
//! estimate is highest ([`choosing`]). In points contracts it plays the card with the highest value
//! ([`points`]): the points expected from the trick, minus the card's later value. In fixed contracts it uses
//! the chance that the bidder wins the trick ([`fixed`]). It is deterministic and uses only the view.

mod best;
mod bidding;
mod choosing;
mod fixed;
mod odds;
mod points;
mod temper;
#[cfg(test)]
mod tests;
mod worth;

use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Character, Scripted};
use temper::Temper;

use super::announce::{claimant, true_roem};
use super::deck::Card;
use super::follow;
use super::ladder::{Bid, Kind};
use super::moves::Move;
use super::play::may_call;
use super::roem::Claim;
use super::rules::{Overclaim, RoemClaims};
use super::table::{Round, Stage, View};

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &Temper::PLAIN).id()
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, Temper::of(character)).id()
    }
}

/// Returns the expected score of a bid, if it becomes the contract.
pub(super) fn promise(view: View<'_>, bid: Bid) -> f32 {
    bidding::promise(view, bid, &Temper::PLAIN)
}

fn choose_by(view: View<'_>, temper: &Temper) -> Move {
    match view.table.stage {
        Stage::Opening | Stage::Auction => bidding::choose(view, temper),
        Stage::Discard => choosing::discard(view),
        Stage::Trump => choosing::trump(view),
        Stage::Ask => choosing::ask(view, temper),
        Stage::Claim => claim(view),
        Stage::Play | Stage::Over => play(view),
    }
}

/// Claims the true roem, or the maximum if the rules do not detect false claims.
fn claim(view: View<'_>) -> Move {
    let rules = &view.table.rules;
    let unnoticed = rules.roem_claims == RoemClaims::FreeClaim && rules.overclaim == Overclaim::Undetected;
    if unnoticed {
        return Move::Claim(Claim::MOST);
    }
    Move::Claim(Claim::up_to(true_roem(view.table, claimant(view.table), view.own, view.seat)))
}

fn play(view: View<'_>) -> Move {
    let cards = follow::playable(view.table, view.seat, view.own.hand);
    let calls = may_call(view.table, view.seat, view.own.hand);
    match view.table.contract() {
        Some(Kind::Points(_)) => points::choose(view, cards, calls),
        Some(kind) => Move::Play(fixed::choose(view, kind, cards)),
        None => Move::Play(Card::FIRST),
    }
}

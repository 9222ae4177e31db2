//! The rule-based player.
//!
//! It puts a value in points on its hand for every contract ([`worth`]), bids the one that promises
//! most, lowest step first ([`bidding`]), puts aside, names and asks what makes that value largest
//! ([`choosing`]), and plays each card by the points it expects the trick to bring its side, less what
//! the card is worth later ([`points`]); in fixed contracts by the chance that the bidder takes the
//! trick ([`fixed`]). Everything comes from the view, and nothing is drawn.

mod bidding;
mod choosing;
mod fixed;
mod odds;
mod points;
mod temper;
#[cfg(test)]
mod tests;
mod worth;

use super::actions;
use super::deck::{Card, Cards};
use super::follow;
use super::ladder::Kind;
use super::play::{claimant, may_call, true_roem};
use super::roem;
use super::rules::{Overclaim, RoemClaims};
use super::table::Stage;
use super::{Round, View};
use crate::game::{Character, Scripted};
use crate::ground::ActionId;
use temper::Temper;

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &Temper::PLAIN)
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, Temper::of(character))
    }
}

fn choose_by(view: View<'_>, temper: &Temper) -> ActionId {
    match view.table.stage {
        Stage::Opening | Stage::Auction => bidding::choose(view, temper),
        Stage::Discard => choosing::discard(view),
        Stage::Trump => choosing::trump(view),
        Stage::Ask => choosing::ask(view, temper),
        Stage::Claim => claim(view),
        Stage::Play | Stage::Over => play(view),
    }
}

/// All the roem there is; more where nobody notices.
fn claim(view: View<'_>) -> ActionId {
    let rules = &view.table.rules;
    let unnoticed = rules.roem_claims == RoemClaims::FreeClaim && rules.overclaim == Overclaim::Undetected;
    let points =
        if unnoticed { roem::MOST } else { true_roem(view.table, claimant(view.table), view.own, view.seat) };
    actions::CLAIM.nth(usize::from(points / 10))
}

fn play(view: View<'_>) -> ActionId {
    let cards = follow::playable(view.table, view.seat, view.own.hand);
    let calls = may_call(view.table, view.seat, view.own.hand);
    match view.table.contract() {
        Some(Kind::Points(_)) => points::choose(view, cards, calls),
        Some(kind) => fixed::choose(view, kind, cards),
        None => actions::play_card(Card::FIRST),
    }
}

/// The card that scores most; the first of several.
fn best(cards: Cards, mut score: impl FnMut(Card) -> f32) -> ActionId {
    let mut chosen = (f32::MIN, Card::FIRST);
    for card in cards.iter() {
        let value = score(card);
        if value > chosen.0 {
            chosen = (value, card);
        }
    }
    actions::play_card(chosen.1)
}

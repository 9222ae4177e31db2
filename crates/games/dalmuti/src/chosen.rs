//! Hands with a chosen deal.

use cardsharp_climbing::determinize::PerPosition;
use cardsharp_climbing::event_log::deal_around;
use cardsharp_climbing::{self as climbing, random_card};
use cardsharp_engine::game::{Chosen, DealError, Deals};
use cardsharp_engine::rng::{DealRng, Draw};

use super::deck::{Cards, from_text, rank_name};
use super::event_log::{read_exposed, read_order};
use super::rules::{Rules, Seating};
use super::state::{PrivateState, PublicState};
use super::{Round, SessionState, opening};

impl Deals for Round {
    fn dealt(
        rules: &Rules,
        standing: &mut SessionState,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let mut chance = rng.beside();
        if standing.hands == 0 && rules.seating == Seating::Random && deal.field("order").is_some() {
            standing.order = read_order(deal.json(), rules.players)?;
        }
        let table = opening::fresh_table(rules, standing);
        let sizes = table.sizes();
        let known = climbing::chosen::hands(deal, &table.deck, rules.players, &sizes, from_text, rank_name)?;
        let chosen = deal.field("exposed").map(|_| exposed(deal, &table, &known)).transpose()?;
        let mut fixed = PerPosition::default();
        if let Some((rank, position)) = chosen.flatten() {
            fixed[position] = Cards::one(usize::from(rank));
        }
        let hands = deal_around(&table.deck, &known, &sizes, &fixed, &mut chance)?;
        let exposed = match chosen {
            Some(exposed) => exposed,
            None => chance.draw(|draw| exposed_by_chance(rules, &table, &hands, draw)),
        };
        let rng = opening::deal(rules, standing, rng).rng;
        let mut round = Self { table, own: hands.map(PrivateState::dealt), asking: 0, rng };
        opening::begin(&mut round, exposed);
        Ok(round)
    }
}

/// The chosen exposed card as a rank index, and the position to which it is dealt.
fn exposed(
    deal: Chosen<'_>,
    table: &PublicState,
    hands: &PerPosition<Option<Cards>>,
) -> Result<Option<(u8, usize)>, DealError> {
    let refused = |problem: String| DealError::Refused(format!("`exposed`: {problem}"));
    let exposed = read_exposed(deal.json(), table).map_err(refused)?;
    let probability = table.rules.misdeal_prob;
    match exposed {
        Some(_) if probability == 0.0 => {
            Err(refused("by these rules no card is exposed, expected null (`misdeal_prob` is 0)".to_owned()))
        }
        None if probability >= 1.0 => {
            Err(refused("by these rules a card is exposed (`misdeal_prob` is 1)".to_owned()))
        }
        Some((rank, position)) if hands[position].is_some_and(|hand| hand.0[usize::from(rank)] == 0) => {
            Err(refused(format!("`hands[{position}]` has no {}", rank_name(usize::from(rank)))))
        }
        Some((rank, position)) if hands[position].is_none() && left(table, hands, rank) == 0 => Err(refused(
            format!("no {} is left to be dealt to position {position}", rank_name(usize::from(rank))),
        )),
        exposed => Ok(exposed),
    }
}

/// Number of cards of a rank outside the chosen hands.
fn left(table: &PublicState, hands: &PerPosition<Option<Cards>>, rank: u8) -> u8 {
    let chosen: u8 = hands.iter().flatten().map(|hand| hand.0[usize::from(rank)]).sum();
    table.deck.0[usize::from(rank)].saturating_sub(chosen)
}

/// Exposes a random card with probability `misdeal_prob`; each card of the deck is equally likely.
fn exposed_by_chance(
    rules: &Rules,
    table: &PublicState,
    hands: &PerPosition<Cards>,
    draw: &mut Draw,
) -> Option<(u8, usize)> {
    if !draw.chance(rules.misdeal_prob) {
        return None;
    }
    let mut place = draw.below(table.deck.total());
    let position = hands.iter().position(|hand| {
        let here = place < hand.total();
        place -= if here { 0 } else { hand.total() };
        here
    })?;
    Some((random_card(&hands[position], draw) as u8, position))
}

//! Dealing the cards that a user chose.

use cardsharp_engine::game::{Chosen, DealError, Deals};
use cardsharp_engine::rng::DealRng;

use super::auction::{self, fresh_table};
use super::course::HAND;
use super::deck::{Card, Cards};
use super::record::dealt::{self, Dealt};
use super::rules::{OpeningOrder, Rules};
use super::seats::{ALL_SEATS, Each, SEATS};
use super::{Round, Standing};

impl Deals for Round {
    fn dealt(
        rules: &Rules,
        standing: &mut Standing,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let mut chance = rng.beside();
        // The first dealer is random; later dealers follow from it.
        if standing.deals == 0 && deal.field("dealer").is_some() {
            standing.dealer = dealt::seat(deal.json(), "dealer")?;
        }
        let hands = hands(deal)?;
        let kitty: Option<Card> = deal.read("kitty")?;
        let holder = |card: Card| hands.iter().position(|hand| hand.is_some_and(|hand| hand.has(card)));
        if let Some((card, seat)) = kitty.and_then(|card| Some((card, holder(card)?))) {
            return Err(format!("`kitty` is {card}, which is in `hands[{seat}]`").into());
        }
        let order = match rules.opening_order {
            OpeningOrder::Random if deal.field("order").is_some() => dealt::order(deal.json())?,
            OpeningOrder::Random => {
                let mut order = ALL_SEATS;
                chance.draw(|draw| draw.shuffle(&mut order));
                order
            }
            OpeningOrder::Forehand => dealt::forehand(standing.dealer),
        };
        let Dealt { own, kitty, order } = Dealt::around(&hands, kitty, order, &mut chance);
        let rng = auction::deal(rules, standing, rng).rng;
        Ok(Self { table: fresh_table(rules, standing, order), own, kitty, rng })
    }
}

/// Reads the chosen hands, by seat.
fn hands(deal: Chosen<'_>) -> Result<Each<Option<Cards>>, DealError> {
    let mut before = Cards::NONE;
    let listed = deal.hands(SEATS, |_, text| {
        let hand: Cards = text.parse()?;
        let twice = hand.and(before);
        before = before.or(hand);
        match () {
            () if hand.len() != HAND as u32 => Err(format!("{} cards, expected {HAND}", hand.len())),
            () if !twice.is_empty() => Err(format!("{twice} is in a hand before it")),
            () => Ok(hand),
        }
    })?;
    let mut hands = [None; SEATS];
    hands.iter_mut().zip(listed).for_each(|(to, hand)| *to = hand);
    Ok(hands)
}

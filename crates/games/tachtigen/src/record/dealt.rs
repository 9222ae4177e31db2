//! Reading a deal from an event log or a chosen deal, and dealing the unknown cards at random.

use cardsharp_engine::Seat;
use cardsharp_engine::game::ensure;
use cardsharp_engine::rng::DealRng;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::course::HAND;
use crate::deck::{Card, Cards};
use crate::rules::{OpeningOrder, Rules};
use crate::seats::{ALL_SEATS, Each, SEATS, clockwise};
use crate::table::Own;

/// The random part of a deal.
pub struct Dealt {
    pub own: Each<Own>,
    pub kitty: Card,
    pub order: Each<Seat>,
}

impl Dealt {
    /// Reads the part of a deal that seat `me` sees, and deals the other cards at random.
    pub fn read(
        told: &Value,
        rules: &Rules,
        dealer: Seat,
        me: Seat,
        rng: &mut DealRng,
    ) -> Result<Self, String> {
        let hand: Cards = field(told, "hand")?;
        ensure!(hand.len() == HAND as u32, "`hand` has {} cards, expected {HAND}", hand.len());
        let order = match rules.opening_order {
            OpeningOrder::Forehand => forehand(dealer),
            OpeningOrder::Random => order(told)?,
        };
        let mut hands = [None; SEATS];
        hands[me.index()] = Some(hand);
        Ok(Self::around(&hands, None, order, rng))
    }

    /// Deals the unknown cards at random.
    pub fn around(
        hands: &Each<Option<Cards>>,
        kitty: Option<Card>,
        order: Each<Seat>,
        rng: &mut DealRng,
    ) -> Self {
        let known = hands.iter().flatten().fold(Cards::NONE, |known, &hand| known.or(hand));
        let known = kitty.map_or(known, |card| known.with(card));
        let mut rest: Vec<Card> = Cards::ALL.minus(known).iter().collect();
        rng.draw(|draw| draw.shuffle(&mut rest));
        let mut others = rest.chunks_exact(HAND).map(|cards| cards.iter().copied().collect());
        let own = hands.map(|hand| {
            let hand = hand.or_else(|| others.next());
            Own { hand: hand.unwrap_or_default(), discard: None }
        });
        // 33 cards less any hands are the other hands and one card.
        let kitty = kitty.or(rest.last().copied()).unwrap_or(Card::FIRST);
        Self { own, kitty, order }
    }
}

/// Returns the opening order that starts after the dealer.
pub fn forehand(dealer: Seat) -> Each<Seat> {
    std::array::from_fn(|n| clockwise(dealer, n as u8 + 1))
}

/// Reads the opening order.
pub fn order(told: &Value) -> Result<Each<Seat>, String> {
    let order: Each<Seat> = field(told, "order")?;
    let complete = ALL_SEATS.iter().all(|seat| order.contains(seat));
    ensure!(complete, "`order` does not name each of the {SEATS} seats once");
    Ok(order)
}

/// Reads a field of a line.
pub fn field<T: DeserializeOwned>(told: &Value, name: &str) -> Result<T, String> {
    let value = told.get(name).ok_or_else(|| format!("there is no `{name}`"))?;
    T::deserialize(value).map_err(|error| format!("`{name}`: {error}"))
}

/// Reads a field that is a seat.
pub fn seat(told: &Value, name: &str) -> Result<Seat, String> {
    let seat: Seat = field(told, name)?;
    ensure!(seat.index() < SEATS, "`{name}` is {}, expected a seat, 0 to {}", seat.0, SEATS - 1);
    Ok(seat)
}

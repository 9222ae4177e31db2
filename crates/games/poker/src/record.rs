//! Rebuilds a hand from one seat's event log. Unseen cards are random until the log shows them: the other
//! player's card and the one to be turned up.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Record, Shadow, Told};
use cardsharp_engine::rng::DealRng;
use serde::Deserialize;
use serde_json::{Value, json};

use super::cards::{Card, deck};
use super::rules::{Rules, SEATS};
use super::{Round, Standing, Variant};

impl<V: Variant> Record for Round<V> {
    /// Keeps the first seat, and the seat's own card as `hand`.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        let mut told = json!({ "first": deal["first"] });
        if let Some(seat) = to {
            told["hand"] = deal["hands"][seat.index()].clone();
        }
        told
    }

    /// Both players see every event.
    fn conceal_event(event: Value, _: Option<Seat>) -> Option<Value> {
        Some(event)
    }

    fn imagine(
        rules: &Rules,
        standing: &Standing,
        seat: Seat,
        told: &Told<'_>,
        mut rng: DealRng,
    ) -> Result<Shadow<Self>, String> {
        let own = card(told.deal.and_then(|deal| deal.get("hand")), "hand")?;
        let mut cards = deck(V::SUITS);
        if !cards.as_slice().contains(&own) {
            return Err(format!("there is no {own} in this deck"));
        }
        cards.remove(own);
        rng.draw(|draw| draw.shuffle(cards.as_mut_slice()));
        let [theirs, board, ..] = cards.cards;
        let mut hands = [theirs; SEATS];
        hands[seat.index()] = own;
        Ok(Shadow::begun(Self::new(*rules, standing.hands + 1, hands, board), seat))
    }

    fn follow(shadow: &mut Shadow<Self>, told: &Told<'_>) -> Result<(), String> {
        let (seat, other) = (shadow.seat.index(), SEATS - 1 - shadow.seat.index());
        let round = &mut shadow.round;
        for event in told.events_of("board") {
            let turned = card(event.get("card"), "card")?;
            // If the guess gave this card to the other player, swap it with the guessed board card.
            if let Some(thought) = round.board.replace(turned)
                && round.own[other].card == turned
            {
                round.own[other].card = thought;
            }
        }
        for event in told.events_of("showdown") {
            round.own[other].card = card(event["hands"].get(other), "hands")?;
        }
        let held = [Some(round.own[seat].card), Some(round.own[other].card), round.board];
        for (i, twice) in held.iter().enumerate().filter_map(|(i, card)| Some((i, (*card)?))) {
            if held[..i].contains(&Some(twice)) {
                return Err(format!("there is only one {twice}"));
            }
        }
        match told.choice {
            Some((seat, Some(action))) => shadow.play(seat, action),
            Some((_, None)) => Err("every move is public: expected its `choice`".to_owned()),
            None => Ok(()),
        }
    }
}

fn card(value: Option<&Value>, field: &str) -> Result<Card, String> {
    let value = value.ok_or_else(|| format!("there is no `{field}`"))?;
    Card::deserialize(value).map_err(|error| format!("`{field}`: {error}"))
}

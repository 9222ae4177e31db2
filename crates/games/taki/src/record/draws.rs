//! The viewer's draws in an event log.

use cardsharp_engine::Seat;
use serde_json::Value;

use super::hidden::Hidden;
use super::text;
use crate::Round;
use crate::deck::{self, Card, card_name};
use crate::state::Happened;
use crate::table::drawable;

/// A card, and the number of cards above it in the draw pile.
type Drawn = (usize, Card);

/// The cards that the viewer draws during one move.
pub(super) struct Draws {
    /// From the current draw pile.
    now: Vec<Drawn>,
    /// From the new draw pile made of the discards.
    recycled: Vec<Drawn>,
}

impl Draws {
    /// Collects the viewer's draws from these events.
    pub(super) fn told(events: &[Value], viewer: Seat) -> Result<Self, String> {
        let mut draws = Self { now: Vec::new(), recycled: Vec::new() };
        let (mut above, mut recycled) = (0_usize, false);
        for event in events {
            match event["event"].as_str() {
                Some("recycle") if recycled => {
                    return Err("the discards are made a new draw pile only once at a time".to_owned());
                }
                Some("recycle") => (above, recycled) = (0, true),
                Some("draw") if event["seat"] == viewer.0 => {
                    for word in text(event, "cards")?.split_whitespace() {
                        let card = deck::card_from(word).map_err(|problem| format!("`cards`: {problem}"))?;
                        let draws = if recycled { &mut draws.recycled } else { &mut draws.now };
                        draws.push((above, card));
                        above = above.saturating_add(1);
                    }
                }
                Some("draw") => {
                    let count = event["count"].as_u64().and_then(|count| usize::try_from(count).ok());
                    let count = count.ok_or("`count` is missing, or not a number of cards")?;
                    above = above.saturating_add(count);
                }
                _ => {}
            }
        }
        Ok(draws)
    }

    /// Swaps hidden cards so that the viewer will draw these cards from the current pile.
    pub(super) fn arrange(&self, hidden: &mut Hidden<'_>) -> Result<(), String> {
        let viewer = hidden.viewer;
        let table = &hidden.round.table;
        let mut left = drawable(table, &hidden.round.own[viewer.index()]);
        for &(above, card) in &self.now {
            let i = place(usize::from(hidden.round.table.pile), above)?;
            if !left.has(card) {
                let problem = "it is not in the draw pile";
                return Err(format!("seat {} cannot draw {}: {problem}", viewer.0, card_name(card)));
            }
            left.remove(card);
            hidden.draws(i, card)?;
        }
        Ok(())
    }

    /// Corrects draws from a new draw pile, after the move: swaps cards so that the viewer has drawn the
    /// reported ones.
    pub(super) fn arrange_recycled(&self, round: &mut Round, viewer: Seat) -> Result<(), String> {
        let size = round.table.stock.total() as usize;
        let gone = usize::from(round.table.pile)..size;
        let drew = |happened: &Happened| match *happened {
            Happened::Drew(seat, cards) => Some((seat, usize::from(cards))),
            Happened::Rose(_) | Happened::Settled => None,
        };
        // The last cards drawn in this move came from the new pile; find out who drew each of them.
        let drawn = round.log.entries().iter().filter_map(drew);
        let drawn: Vec<Seat> = drawn.flat_map(|(seat, cards)| std::iter::repeat_n(seat, cards)).collect();
        let takers: Vec<(usize, Seat)> = gone.zip(drawn.into_iter().rev()).collect();
        for &(i, seat) in &takers {
            let own = &mut round.own[seat.index()];
            own.hand.remove(round.pile[i]);
            own.drew.remove(round.pile[i]);
        }
        let mut settled = 0_u128;
        for &(above, card) in &self.recycled {
            let i = place(size, above)?;
            let found = (0..size).find(|&other| round.pile[other] == card && settled >> other & 1 == 0);
            let Some(found) = found else {
                let problem = "it is not among the discards that are shuffled";
                return Err(format!("seat {} cannot draw {}: {problem}", viewer.0, card_name(card)));
            };
            round.pile.swap(i, found);
            settled |= 1 << i;
        }
        for &(i, seat) in &takers {
            let own = &mut round.own[seat.index()];
            own.hand.add(round.pile[i]);
            own.drew.add(round.pile[i]);
        }
        Ok(())
    }
}

/// Returns the index, from the bottom, of the card with `above` cards above it in a draw pile of `pile`
/// cards.
fn place(pile: usize, above: usize) -> Result<usize, String> {
    pile.checked_sub(above.saturating_add(1))
        .ok_or_else(|| format!("more than {pile} cards are drawn from a pile of {pile}"))
}

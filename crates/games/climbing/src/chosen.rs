//! Deals with hands chosen by the user.

use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::game::{Chosen, DealError};
use cardsharp_engine::hands::RankCounts;

use super::determinize::PerPosition;

/// Reads the chosen hands of a deal, one per position; `None` where the user chose no hand.
///
/// Each hand must have the size of its position in `sizes`, and all hands together must fit into `deck`. `read` parses
/// cards, and `name` names a rank.
///
/// # Errors
/// A hand is not valid card notation or has the wrong number of cards. Or the hands hold more cards of a rank than the
/// deck.
pub fn hands<const N: usize>(
    deal: Chosen<'_>,
    deck: &RankCounts<N>,
    players: u8,
    sizes: &PerPosition<u8>,
    read: impl Fn(&str) -> Result<RankCounts<N>, String>,
    name: impl Fn(usize) -> &'static str,
) -> Result<PerPosition<Option<RankCounts<N>>>, DealError> {
    let listed = deal.hands(players.into(), |position, text| {
        let (hand, dealt) = (read(text)?, u32::from(sizes[position]));
        match hand.total() {
            cards if cards == dealt => Ok(hand),
            cards => Err(format!("{cards} cards, expected {dealt}")),
        }
    })?;
    let mut hands = [None; MAX_SEATS];
    hands.iter_mut().zip(listed).for_each(|(to, hand)| *to = hand);
    for rank in 0..N {
        let count = |hand: &RankCounts<N>| u32::from(hand.0[rank]);
        let chosen: u32 = hands.iter().flatten().map(count).sum();
        let (there, name) = (deck.0[rank], name(rank));
        if chosen > u32::from(there) {
            return Err(format!("`hands` hold {chosen} x {name}, but the deck has {there} x {name}").into());
        }
    }
    Ok(hands)
}

//! Games with chosen deals.

use cardsharp_env::game::{Chosen, DealError, Deals};
use cardsharp_env::{DealRng, Play, Seat};

use crate::cards::{CARDS, Card, Cards, Rank, from_text};
use crate::rules::Rules;
use crate::state::{Round, SessionState};

impl Deals for Round {
    fn dealt(
        rules: &Rules,
        standing: &mut SessionState,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let mut chance = rng.beside();
        let dealer = match deal.read::<Seat>("dealer")? {
            Some(seat) if seat.0 < rules.players => seat,
            Some(seat) => return Err(format!("`dealer` is {}, expected a seat of this game", seat.0).into()),
            None => Seat(chance.draw(|draw| draw.below(rules.players.into())) as u8),
        };
        let mut left = Cards::decks(rules.decks());
        let hands = deal.hands(rules.players.into(), |_, text| {
            let (hand, dealt) = (from_text(text)?, rules.dealt());
            if hand.len() != dealt {
                return Err(format!("{} cards, expected {dealt}", hand.len()));
            }
            hand.iter().try_for_each(|card| take(&mut left, card)).map(|()| hand)
        })?;
        let refused = |field: &str, problem: String| DealError::Refused(format!("`{field}`: {problem}"));
        let turned: Option<Card> = deal.read("turned")?;
        if let Some(card) = turned {
            take(&mut left, card).map_err(|problem| refused("turned", problem))?;
        }
        let text: Option<String> = deal.read("pile")?;
        let words = text.iter().flat_map(|text| text.split_whitespace());
        let pile = words.map(str::parse).collect::<Result<Vec<Card>, String>>();
        let pile = pile.map_err(|problem| refused("pile", problem))?;
        let due = usize::from(Cards::decks(rules.decks()).len() - rules.players * rules.dealt() - 1);
        if text.is_some() && pile.len() != due {
            return Err(refused("pile", format!("{} cards, expected {due}", pile.len())));
        }
        pile.iter()
            .try_for_each(|&card| take(&mut left, card))
            .map_err(|problem| refused("pile", problem))?;
        let mut others: Vec<Card> = left.iter().collect();
        chance.draw(|draw| draw.shuffle(&mut others));
        let may_begin = |card: &Card| card.face().rank() != Rank::EIGHT;
        let drawn = turned.or_else(|| others.iter().position(may_begin).map(|place| others.remove(place)));
        let Some(turned) = drawn.filter(may_begin) else {
            return Err(refused("turned", "no game begins with an eight, expected another card".to_owned()));
        };
        let others = pile.into_iter().rev().chain(others);
        let pile = stacked(rules, dealer, &hands, turned, others);
        let rng = Self::deal(rules, standing, rng).rng;
        Ok(Self::begin(rules, standing, dealer, pile, rng))
    }
}

/// Removes a card from those that are left.
fn take(left: &mut Cards, card: Card) -> Result<(), String> {
    if !left.has(card) {
        return Err(format!("{card} is not in this deck, or was told before"));
    }
    left.remove(card);
    Ok(())
}

/// Returns the deck as a pile, the first card to deal last, and the index of the card to turn up. `hands` has the
/// known hands by seat. The cards of `others` fill the other places, from the bottom of the pile on.
pub(crate) fn stacked(
    rules: &Rules,
    dealer: Seat,
    hands: &[Option<Cards>],
    turned: Card,
    mut others: impl Iterator<Item = Card>,
) -> ([Card; CARDS], usize) {
    let around = usize::from(rules.players);
    let size = usize::from(Cards::decks(rules.decks()).len());
    let first = size - 1 - around * usize::from(rules.dealt());
    let mut known: Vec<_> = hands.iter().map(|hand| hand.map(Cards::iter)).collect();
    let mut pile = [Card::default(); CARDS];
    for (i, place) in pile[..size].iter_mut().enumerate() {
        // Cards are dealt one by one from the top of the pile, to the seat after the dealer first.
        let seat = (dealer.index() + 1 + (size - 1 - i) % around) % around;
        let card = match &mut known[seat] {
            _ if i == first => Some(turned),
            Some(hand) if i > first => hand.next(),
            _ => others.next(),
        };
        *place = card.unwrap_or_default();
    }
    (pile, first)
}

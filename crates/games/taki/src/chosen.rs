//! Building a game from a deal that a user chose.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Chosen, DealError};
use cardsharp_engine::rng::{DealRng, Draw};

use super::deck::{self, Card, Cards, list_to_text};
use super::opening::{self, Shuffled, may_begin, undealt};
use super::rules::{FirstPlayer, Rules};
use super::table::SEATS;
use super::{Round, Standing, record};

/// The chosen part of a deal.
struct Cut {
    hands: [Option<Cards>; SEATS],
    /// The cards turned up; empty if they are drawn at random.
    turned: Vec<Card>,
    /// The draw pile from the top down, without the buried cards; empty if it is drawn at random.
    pile: Vec<Card>,
    /// All cards that were not chosen.
    left: Cards,
}

/// Returns the game that starts with the chosen deal. Draws everything that was not chosen at random.
pub(super) fn dealt(
    rules: &Rules,
    standing: &Standing,
    deal: Chosen<'_>,
    rng: DealRng,
) -> Result<Round, DealError> {
    let mut chance = rng.beside();
    let cut = Cut::read(rules, deal)?;
    let begins = match (deal.field("begins"), rules.first_player) {
        (Some(_), _) => record::begins(rules, deal.json())?,
        (None, FirstPlayer::Seat0) => Seat(0),
        (None, FirstPlayer::Random) => Seat(chance.draw(|draw| draw.below(rules.players.into())) as u8),
    };
    if cut.turned.is_empty() && !cut.left.cards().any(|card| may_begin(rules, card)) {
        return Err("`hands` leave no card that may start the discard pile".to_owned().into());
    }
    let shuffled = chance.draw(|draw| cut.shuffled(rules, begins, draw));
    let rng = opening::deal(rules, standing, rng).rng;
    Ok(opening::deal_out(rules, standing, shuffled, rng))
}

impl Cut {
    fn read(rules: &Rules, deal: Chosen<'_>) -> Result<Self, DealError> {
        let mut left = Cards::ALL;
        let listed = deal.hands(rules.players.into(), |_, text| {
            let (hand, dealt) = (deck::from_text(text)?, u32::from(rules.dealt()));
            if hand.total() != dealt {
                return Err(format!("{} cards, expected {dealt}", hand.total()));
            }
            hand.cards().try_for_each(|card| take(&mut left, card)).map(|()| hand)
        })?;
        let mut hands = [None; SEATS];
        hands.iter_mut().zip(listed).for_each(|(to, hand)| *to = hand);
        let mut turned = Vec::new();
        if deal.field("turned").is_some() {
            turned = record::turned(rules, deal.json(), ("hands", &Cards::ALL.without(&left)))?;
            turned.iter().for_each(|&card| left.remove(card));
        }
        let mut pile = Vec::new();
        if deal.field("pile").is_some() {
            pile = read_pile(rules, deal, &turned)?;
            let taken = pile.iter().try_for_each(|&card| take(&mut left, card));
            taken.map_err(|problem| format!("`pile`: {problem}"))?;
        }
        Ok(Self { hands, turned, pile, left })
    }

    /// Returns the full deck: chosen cards in their places, the others shuffled. Needs at least one card that
    /// may start the discard pile.
    fn shuffled(mut self, rules: &Rules, begins: Seat, draw: &mut Draw) -> Shuffled {
        let unknown = self.hands[..usize::from(rules.players)].iter().filter(|hand| hand.is_none()).count();
        let unknown = unknown * usize::from(rules.dealt());
        let mut others: Vec<Card> = self.left.cards().collect();
        loop {
            draw.shuffle(&mut others);
            if !self.turned.is_empty() {
                break;
            }
            if let Some(first) = others[unknown..].iter().position(|&card| may_begin(rules, card)) {
                self.turned = others.splice(unknown..=unknown + first, []).collect();
                break;
            }
        }
        others.append(&mut self.pile);
        let cards = opening::stacked(rules, &self.hands, &self.turned, others);
        Shuffled { cards, turned: self.turned.len(), begins }
    }
}

/// Removes a card from `left`; fails if no copy is left.
fn take(left: &mut Cards, card: Card) -> Result<(), String> {
    if !left.has(card) {
        let (copies, name) = (deck::copies(card), deck::card_name(card));
        return Err(format!("more cards {name} than the {copies} of the deck, with the cards named before"));
    }
    left.remove(card);
    Ok(())
}

/// Reads the draw pile, from the top down, without the buried cards at its bottom.
fn read_pile(rules: &Rules, deal: Chosen<'_>, turned: &[Card]) -> Result<Vec<Card>, DealError> {
    let Some((_, buried)) = turned.split_last() else {
        return Err("there is a `pile` and no `turned`: expected both, or neither".to_owned().into());
    };
    let words = record::text(deal.json(), "pile")?.split_whitespace();
    let read = words.map(deck::card_from).collect::<Result<Vec<Card>, _>>();
    let mut pile = read.map_err(|problem| format!("`pile`: {problem}"))?;
    let due = undealt(rules) - 1;
    if pile.len() != due {
        return Err(format!("`pile`: {} cards, expected {due}", pile.len()).into());
    }
    let bottom = pile.split_off(due - buried.len());
    if bottom != buried {
        let (told, expected) = (list_to_text(bottom), list_to_text(buried.iter().copied()));
        return Err(format!(
            "`pile` ends with {told}, expected the cards turned up before the last: {expected}"
        )
        .into());
    }
    Ok(pile)
}

//! Event logs of climbing games: assigns the unseen cards arbitrarily, consistent with what a seat has seen.

use cardsharp_engine::Seat;
use cardsharp_engine::game::cards_in;
use cardsharp_engine::hands::{Positions, RankCounts};
use cardsharp_engine::rng::DealRng;
use serde_json::{Value, json};

use super::determinize::{HandConstraints, PerPosition, beyond};

/// Hands by position, some of which the viewer does not see. Cards may be swapped among the unseen hands.
#[derive(Copy, Clone)]
pub struct Unseen<const N: usize> {
    /// The hands of all positions.
    pub hands: PerPosition<RankCounts<N>>,
    /// The positions whose cards the viewer does not see.
    pub hidden: Positions,
}

/// Why a hidden hand cannot hold the cards that it should.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum HoldError {
    /// The hidden hands have too few cards of a rank.
    Cards {
        /// The rank as an index, from 0.
        rank: usize,
        /// Number of cards required.
        wanted: u8,
        /// Number of cards in the hidden hands.
        unseen: u8,
    },
    /// More cards are required than the hand holds.
    Room {
        /// Number of cards required.
        wanted: u32,
        /// Number of cards in the hand.
        held: u32,
    },
    /// Too few other cards are allowed to fill the rest of the hand.
    Rest,
}

impl HoldError {
    /// The reason in words, for an error message; `name` names the ranks.
    pub fn words(self, name: impl Fn(usize) -> &'static str) -> String {
        match self {
            Self::Cards { rank, wanted, unseen } => {
                format!("it takes {wanted} x {}, but {unseen} x {0} are unseen", name(rank))
            }
            Self::Room { wanted, held } => format!("it takes {wanted} cards, but {held} are held"),
            Self::Rest => {
                "in every possible deal of the unseen cards that hand holds better cards".to_owned()
            }
        }
    }
}

impl<const N: usize> Unseen<N> {
    /// All cards of the hidden hands together.
    pub fn cards(&self) -> RankCounts<N> {
        let mut all = RankCounts::NONE;
        self.hidden.iter().for_each(|p| all.add(&self.hands[usize::from(p)]));
        all
    }

    /// Swaps cards among the hidden hands until the hand at `position` holds `wanted`. It then holds no other cards of
    /// a rank for which `barred` is true. All hands keep their sizes.
    ///
    /// # Errors
    /// The reason why this is impossible; no hand has changed then.
    pub fn hold(
        &mut self,
        position: u8,
        wanted: &RankCounts<N>,
        barred: impl Fn(usize) -> bool,
    ) -> Result<(), HoldError> {
        let at = usize::from(position);
        let all = self.cards();
        if let Some(rank) = (0..N).find(|&rank| wanted.0[rank] > all.0[rank]) {
            return Err(HoldError::Cards { rank, wanted: wanted.0[rank], unseen: all.0[rank] });
        }
        let (needed, held) = (wanted.total(), self.hands[at].total());
        if needed > held {
            return Err(HoldError::Room { wanted: needed, held });
        }
        let mut free = beyond(&all, wanted);
        (0..N).filter(|&rank| barred(rank)).for_each(|rank| free.0[rank] = 0);
        if free.total() < held - needed {
            return Err(HoldError::Rest);
        }
        for rank in 0..N {
            while self.hands[at].0[rank] < wanted.0[rank] {
                let spare = beyond(&self.hands[at], wanted);
                let worse = (0..N).filter(|&other| spare.0[other] > 0);
                let Some(other) = worse.max_by_key(|&other| (barred(other), other)) else { break };
                self.swap(at, other, rank);
            }
        }
        for rank in (0..N).filter(|&rank| barred(rank)) {
            while self.hands[at].0[rank] > wanted.0[rank] {
                let elsewhere =
                    |other: &usize| !barred(*other) && beyond(&self.cards(), &self.hands[at]).0[*other] > 0;
                let Some(other) = (0..N).rev().find(elsewhere) else { break };
                self.swap(at, rank, other);
            }
        }
        Ok(())
    }

    /// Swaps a card of rank index `from` in the hand at `at` for one of rank index `to` in another hidden hand.
    fn swap(&mut self, at: usize, from: usize, to: usize) {
        let others = self.hidden.without(at as u8);
        if let Some(other) = others.iter().map(usize::from).find(|&p| self.hands[p].0[to] > 0) {
            self.hands[at].0[from] -= 1;
            self.hands[other].0[from] += 1;
            self.hands[other].0[to] -= 1;
            self.hands[at].0[to] += 1;
        }
    }
}

/// Deals the cards of `deck` that are not in `known` hands to the other positions.
///
/// All arrays are by position. Each other position gets the number of cards in `sizes`, with its `fixed` cards among
/// them.
///
/// # Errors
/// No such deal exists.
pub fn deal_around<const N: usize>(
    deck: &RankCounts<N>,
    known: &PerPosition<Option<RankCounts<N>>>,
    sizes: &PerPosition<u8>,
    fixed: &PerPosition<RankCounts<N>>,
    rng: &mut DealRng,
) -> Result<PerPosition<RankCounts<N>>, String> {
    let mut plan = HandConstraints { size: *sizes, fixed: *fixed, ..HandConstraints::EMPTY };
    let mut left = *deck;
    for (position, hand) in known.iter().enumerate() {
        if let Some(hand) = hand {
            left = beyond(&left, hand);
            (plan.size[position], plan.fixed[position]) = (0, RankCounts::NONE);
        }
    }
    let hands = rng.draw(|draw| plan.deal(left, draw));
    let mut hands = hands.ok_or("the remaining cards cannot be dealt that way")?;
    hands.iter_mut().zip(known).for_each(|(hand, known)| *hand = known.unwrap_or(*hand));
    Ok(hands)
}

/// Checks the hand in a seat's event log: it must have `dealt` cards and fit into `deck`.
///
/// # Errors
/// The hand has the wrong number of cards, or more cards of a rank than the deck.
pub fn check_hand<const N: usize>(
    hand: &RankCounts<N>,
    dealt: u8,
    deck: &RankCounts<N>,
) -> Result<(), String> {
    if hand.total() != u32::from(dealt) {
        return Err(format!("`hand` has {} cards, but {dealt} are dealt to this seat", hand.total()));
    }
    if !deck.contains(hand) {
        return Err("`hand` holds more cards of a rank than the deck".to_owned());
    }
    Ok(())
}

/// The cards in a field of an event log line, parsed with `read`.
///
/// # Errors
/// The field is missing, or does not hold cards.
pub fn read_cards<const N: usize>(
    line: &Value,
    field: &str,
    read: impl Fn(&str) -> Result<RankCounts<N>, String>,
) -> Result<RankCounts<N>, String> {
    let text = line.get(field).ok_or_else(|| format!("there is no `{field}`"))?;
    let text = text.as_str().ok_or_else(|| format!("`{field}` is {text}, expected cards as a text"))?;
    read(text).map_err(|error| format!("`{field}`: {error}"))
}

/// The single card in a field of an event log line, as a rank index.
///
/// # Errors
/// The field is missing, or does not hold exactly one card.
pub fn read_card<const N: usize>(
    line: &Value,
    field: &str,
    read: impl Fn(&str) -> Result<RankCounts<N>, String>,
) -> Result<usize, String> {
    let cards = read_cards(line, field, read)?;
    let card = cards.cards().next().filter(|_| cards.total() == 1);
    card.ok_or_else(|| format!("`{field}` holds {} cards, expected one", cards.total()))
}

/// The seat in a field of an event log line, below `seats`.
///
/// # Errors
/// The field is missing, or is no seat of the session.
pub fn read_seat(line: &Value, field: &str, seats: u8) -> Result<Seat, String> {
    let shown = line.get(field).ok_or_else(|| format!("there is no `{field}`"))?;
    let seat = shown.as_u64().filter(|&seat| seat < u64::from(seats));
    let seat =
        seat.ok_or_else(|| format!("`{field}` is {shown}, expected a seat from 0 to {}", seats - 1))?;
    Ok(Seat(seat as u8))
}

/// Hides from a deal what the seat `to` must not see. Replaces `hands` with the number of cards of each of `seats`
/// (`sizes`), and with the seat's own cards (`hand`). Without a seat there is no `hand`.
pub fn conceal_hands(mut deal: Value, to: Option<Seat>, seats: usize) -> Value {
    let Some(fields) = deal.as_object_mut() else { return deal };
    let hands = fields.remove("hands").unwrap_or_default();
    let mut sizes = vec![0; seats];
    let mut own = None;
    let order = fields.get("order").and_then(Value::as_array);
    for (seat, hand) in order.into_iter().flatten().zip(hands.as_array().into_iter().flatten()) {
        let seat = seat.as_u64().unwrap_or_default();
        if let Some(size) = sizes.get_mut(seat as usize) {
            *size = cards_in(hand);
        }
        if to.is_some_and(|to| u64::from(to.0) == seat) {
            own = Some(hand.clone());
        }
    }
    fields.insert("sizes".to_owned(), json!(sizes));
    if let Some(own) = own {
        fields.insert("hand".to_owned(), own);
    }
    deal
}

/// Hides moved cards from seats other than the giver and the receiver: they see only the `count`.
pub fn conceal_cards(mut event: Value, to: Option<Seat>) -> Value {
    let sees = to.is_some_and(|to| event["from"] == json!(to) || event["to"] == json!(to));
    if !sees
        && let Some(fields) = event.as_object_mut()
        && let Some(cards) = fields.remove("cards")
    {
        fields.insert("count".to_owned(), json!(cards_in(&cards)));
    }
    event
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hands of five ranks for three positions. The viewer sees position 1 only.
    fn hands(hands: [[u8; 5]; 3]) -> Unseen<5> {
        let mut all = PerPosition::default();
        all.iter_mut().zip(hands).for_each(|(to, hand)| *to = RankCounts(hand));
        Unseen { hands: all, hidden: Positions(0b101) }
    }

    #[test]
    fn hidden_hands_change_cards_until_one_holds_what_it_should() {
        let mut unseen = hands([[0, 0, 2, 1, 1], [3, 0, 0, 0, 1], [2, 1, 0, 1, 0]]);
        assert_eq!(unseen.hold(0, &RankCounts([1, 0, 1, 0, 0]), |_| false), Ok(()));
        assert_eq!(unseen.hands[0].0, [1, 0, 2, 1, 0], "its worst card went for the best");
        assert_eq!(unseen.hands[1].0, [3, 0, 0, 0, 1], "what is seen stays");
        assert_eq!(unseen.hands[2].0, [1, 1, 0, 1, 1]);
    }

    #[test]
    fn who_paid_his_best_cards_keeps_none_better() {
        let mut unseen = hands([[1, 1, 1, 1, 0], [0; 5], [0, 0, 2, 1, 1]]);
        let paid = RankCounts([0, 0, 1, 0, 0]);
        assert_eq!(unseen.hold(0, &paid, |rank| rank < 2), Ok(()));
        assert_eq!(unseen.hands[0].0, [0, 0, 1, 2, 1]);
        assert_eq!(unseen.cards().0, [1, 1, 3, 2, 1], "no card was lost");
        assert_eq!(unseen.hold(0, &paid, |rank| rank < 4), Err(HoldError::Rest), "one card of the last rank");
    }

    #[test]
    fn what_is_not_unseen_cannot_be_held() {
        let before = hands([[1, 1, 0, 0, 0], [3, 0, 0, 0, 0], [1, 0, 0, 0, 2]]);
        let mut unseen = before;
        let error = unseen.hold(0, &RankCounts([3, 0, 0, 0, 0]), |_| false).unwrap_err();
        assert_eq!(
            error.words(|rank| ["1", "2", "3", "4", "J"][rank]),
            "it takes 3 x 1, but 2 x 1 are unseen"
        );
        let error = unseen.hold(0, &RankCounts([2, 0, 0, 0, 1]), |_| false).unwrap_err();
        assert_eq!(error.words(|_| ""), "it takes 3 cards, but 2 are held");
        assert_eq!(unseen.hands, before.hands);
    }

    #[test]
    fn a_deal_is_told_as_numbers_of_cards_but_for_the_own_hand() {
        let deal = json!({ "order": [2, 0], "hands": ["1 1 2", "3 J"], "exposed": null });
        let shown = conceal_hands(deal.clone(), Some(Seat(0)), 3);
        assert_eq!(shown, json!({ "order": [2, 0], "sizes": [2, 0, 3], "hand": "3 J", "exposed": null }));
        let shown = conceal_hands(deal, None, 3);
        assert_eq!(shown, json!({ "order": [2, 0], "sizes": [2, 0, 3], "exposed": null }));
    }

    #[test]
    fn cards_that_moved_are_told_to_those_who_held_them() {
        let event = json!({ "event": "tribute", "from": 3, "to": 0, "cards": "1 J" });
        for (seat, sees) in [(0, true), (1, false), (3, true)] {
            let shown = conceal_cards(event.clone(), Some(Seat(seat)));
            let number = json!({ "event": "tribute", "from": 3, "to": 0, "count": 2 });
            assert_eq!(shown, if sees { event.clone() } else { number });
        }
        assert_eq!(conceal_cards(event, None)["count"], 2);
    }
}

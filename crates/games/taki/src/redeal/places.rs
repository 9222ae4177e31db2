//! Assigns cards to hands and a draw pile with constraints on which cards they accept.

use cardsharp_engine::rng::Draw;

use crate::deck::{Card, Cards, DECK, bit};
use crate::memory::{PROOFS, Proof, Proofs};
use crate::table::SEATS;

/// Index of the draw pile. Lower indices are hands: `seat` for new cards and `SEATS + seat` for old cards.
const PILE: u8 = 2 * SEATS as u8;
/// Swaps tried per card.
const SWAPS: usize = 2;

/// Cards to be assigned, and what each place accepts. A place is a hand for new cards, a hand for old cards,
/// or the draw pile. The draw pile accepts new cards only.
pub(super) struct Places {
    cards: [Card; DECK],
    /// The place of each card. Entries after the cards assigned so far are free places.
    place: [u8; DECK],
    n: usize,
    /// The first `new` cards are new, the others old.
    new: usize,
    /// How many new and old cards each hand accepts.
    pub(super) size: [[u8; 2]; SEATS],
    /// How many cards the draw pile accepts.
    pub(super) pile: u8,
    /// The only cards that the draw pile accepts; `None` without such a limit.
    pub(super) drawable: Option<Cards>,
    in_pile: Cards,
    /// Proofs for each hand. Each is about fewer faces than the one before.
    bounds: [[Proof; PROOFS]; SEATS],
    /// Number of assigned cards that count for each proof.
    used: [[u8; PROOFS]; SEATS],
}

/// Returns the seat whose hand a place belongs to; `None` for the draw pile.
#[inline]
fn hand(place: u8) -> Option<usize> {
    (place != PILE).then_some(usize::from(place) % SEATS)
}

impl Places {
    pub(super) fn new(new: &Cards, old: &Cards) -> Self {
        let mut places = Self {
            cards: [0; DECK],
            place: [PILE; DECK],
            n: (new.total() + old.total()) as usize,
            new: new.total() as usize,
            size: [[0; 2]; SEATS],
            pile: 0,
            drawable: None,
            in_pile: Cards::NONE,
            bounds: [[Proof::default(); PROOFS]; SEATS],
            used: [[0; PROOFS]; SEATS],
        };
        let cards = new.cards().chain(old.cards());
        places.cards.iter_mut().zip(cards).for_each(|(place, card)| *place = card);
        places
    }

    /// Sets the proofs about a hand that already has the cards `held`. Returns `None` if these cards
    /// contradict the proofs.
    pub(super) fn bind(&mut self, seat: usize, proofs: &Proofs, held: &Cards) -> Option<()> {
        for (bound, proof) in self.bounds[seat].iter_mut().zip(proofs.iter()) {
            let at_most = proof.at_most.checked_sub(held.among(proof.faces) as u8)?;
            *bound = Proof { at_most, ..proof };
        }
        Some(())
    }

    /// Returns the new (`age` 0) or old (`age` 1) cards in a hand.
    pub(super) fn cards_of(&self, seat: usize, age: usize) -> Cards {
        self.cards_at((seat + age * SEATS) as u8)
    }

    /// The cards in the draw pile.
    pub(super) fn cards_of_pile(&self) -> Cards {
        self.cards_at(PILE)
    }

    fn cards_at(&self, place: u8) -> Cards {
        (0..self.n).filter(|&i| self.place[i] == place).map(|i| self.cards[i]).collect()
    }

    /// Adds `by` to the counts for a card in a place.
    #[inline]
    fn count(&mut self, place: u8, card: Card, by: i8) {
        match hand(place) {
            Some(seat) => {
                for (used, bound) in self.used[seat].iter_mut().zip(&self.bounds[seat]) {
                    if bound.faces & bit(card) != 0 {
                        *used = used.wrapping_add_signed(by);
                    }
                }
            }
            None if by > 0 => self.in_pile.add(card),
            None => self.in_pile.remove(card),
        }
    }

    /// Returns whether the draw pile accepts this card.
    #[inline]
    fn is_drawable(&self, card: Card) -> bool {
        self.drawable.is_none_or(|drawable| self.in_pile.count(card) < drawable.count(card))
    }

    /// Returns whether a free place accepts this card.
    #[inline]
    fn takes(&self, place: u8, card: Card) -> bool {
        match hand(place) {
            Some(seat) => self.full(seat, card).is_none(),
            None => self.is_drawable(card),
        }
    }

    /// If a proof blocks this card, returns the faces of the smallest such proof: a card with one of them
    /// must leave the hand first. Every larger blocking proof includes these faces.
    #[inline]
    fn full(&self, seat: usize, card: Card) -> Option<u64> {
        let all = self.bounds[seat].iter().zip(&self.used[seat]).rev();
        let mut full = all.filter(|(bound, used)| bound.faces & bit(card) != 0 && **used >= bound.at_most);
        full.next().map(|(bound, _)| bound.faces)
    }

    /// Assigns every card at random. Returns false if it finds no assignment.
    pub(super) fn fill(&mut self, draw: &mut Draw) -> bool {
        let mut n = 0;
        let mut new = 0;
        for age in 0..2 {
            let hands = (0..SEATS).map(|seat| ((seat + age * SEATS) as u8, self.size[seat][age]));
            let pile = (PILE, if age == 0 { self.pile } else { 0 });
            for (place, size) in hands.chain([pile]) {
                let Some(places) = self.place.get_mut(n..n + usize::from(size)) else { return false };
                places.fill(place);
                n += usize::from(size);
            }
            if age == 0 {
                new = n;
            }
        }
        if n != self.n || new != self.new {
            return false;
        }
        for age in [0..new, new..n] {
            draw.shuffle(&mut self.cards[age.clone()]);
            draw.shuffle(&mut self.place[age.clone()]);
            if !age.clone().all(|i| self.place_freely(i, age.end) || self.make_room(i, age.clone())) {
                return false;
            }
        }
        true
    }

    /// Puts card `i` into the first free place that accepts it.
    fn place_freely(&mut self, i: usize, end: usize) -> bool {
        let card = self.cards[i];
        let Some(free) = (i..end).find(|&free| self.takes(self.place[free], card)) else { return false };
        self.place.swap(i, free);
        self.count(self.place[i], card, 1);
        true
    }

    /// Places card `i` by the shortest chain of moves among cards of its age (breadth-first search).
    fn make_room(&mut self, i: usize, age: std::ops::Range<usize>) -> bool {
        // For each card: the card that would take its place.
        let mut reached: [Option<usize>; DECK] = [None; DECK];
        let mut queue = [0; DECK];
        let mut queued = 1;
        queue[0] = i;
        let mut at = 0;
        while at < queued {
            let moving = queue[at];
            at += 1;
            let card = self.cards[moving];
            if let Some(free) = (i..age.end).find(|&free| self.takes(self.place[free], card)) {
                self.shift(moving, i, free, &reached);
                return true;
            }
            for (other, reached) in reached.iter_mut().enumerate().take(i).skip(age.start) {
                if reached.is_none() && self.makes_room(moving, other, i) {
                    *reached = Some(moving);
                    queue[queued] = other;
                    queued += 1;
                }
            }
        }
        false
    }

    /// Returns whether card `moving` fits where card `other` is, if `other` leaves. Card `i` is the one
    /// without a place.
    #[inline]
    fn makes_room(&self, moving: usize, other: usize, i: usize) -> bool {
        let place = self.place[other];
        let card = self.cards[moving];
        if moving != i && self.place[moving] == place || self.cards[other] == card {
            return false;
        }
        match hand(place) {
            Some(seat) => self.full(seat, card).is_none_or(|faces| faces & bit(self.cards[other]) != 0),
            None => self.is_drawable(card),
        }
    }

    /// Moves every card of a chain to the place of the next one, and the last card to a free place.
    fn shift(&mut self, last: usize, i: usize, free: usize, reached: &[Option<usize>; DECK]) {
        let mut place = self.place[free];
        self.place[free] = self.place[i];
        let mut moving = last;
        loop {
            let from = self.place[moving];
            if moving != i {
                self.count(from, self.cards[moving], -1);
            }
            self.place[moving] = place;
            self.count(place, self.cards[moving], 1);
            match reached[moving] {
                Some(before) => (moving, place) = (before, from),
                None => return,
            }
        }
    }

    /// Swaps cards at random to make all deals about equally likely.
    pub(super) fn mix(&mut self, draw: &mut Draw) {
        for age in [0..self.new, self.new..self.n] {
            let n = age.len() as u32;
            if n < 2 {
                continue;
            }
            for _ in 0..SWAPS * age.len() {
                let [a, b] = [(); 2].map(|()| age.start + draw.below(n) as usize);
                self.try_swap(a, b);
            }
        }
    }

    #[inline]
    fn try_swap(&mut self, a: usize, b: usize) {
        let [(one, x), (two, y)] = [a, b].map(|i| (self.place[i], self.cards[i]));
        if one == two || x == y {
            return;
        }
        self.count(one, x, -1);
        self.count(two, y, -1);
        // A swap within one hand cannot violate its proofs.
        let fits = hand(one) == hand(two) || self.takes(one, y) && self.takes(two, x);
        if fits {
            self.place.swap(a, b);
        }
        let [one, two] = [self.place[a], self.place[b]];
        self.count(one, x, 1);
        self.count(two, y, 1);
    }
}

//! Cards put into hands and a draw pile that do not take every card.

use crate::games::taki::deck::{Card, Cards, DECK, bit};
use crate::games::taki::memory::PROOFS;
use crate::games::taki::table::SEATS;
use crate::rng::Draw;

/// The draw pile, among the hands by seat.
const PILE: usize = SEATS;
/// Hands and draw pile.
const BINS: usize = SEATS + 1;
/// Not placed yet.
const NOWHERE: u8 = u8::MAX;
/// Swaps tried per card.
const SWAPS: usize = 6;

/// At most so many cards of these faces.
#[derive(Copy, Clone, Default)]
pub(super) struct Bound {
    pub(super) faces: u64,
    pub(super) at_most: u8,
}

/// Cards to be placed, and what the places take.
#[derive(Clone)]
pub(super) struct Places {
    cards: [Card; DECK],
    n: usize,
    /// Where each card lies.
    bin: [u8; DECK],
    /// Cards each hand takes.
    pub(super) size: [u8; SEATS],
    /// Cards the draw pile takes.
    pub(super) pile: u8,
    /// Per hand, each about fewer faces than the one before.
    pub(super) bounds: [[Bound; PROOFS]; SEATS],
    /// Per hand, faces that have nothing to do with those of `bounds`: obeyed as far as possible.
    pub(super) age: [[Bound; 2]; SEATS],
    /// Per hand the only cards it takes, if there is such a limit.
    pub(super) caps: [Option<Cards>; SEATS],
    /// The only cards the draw pile takes.
    drawable: Cards,
}

impl Places {
    pub(super) fn new(pool: Cards, drawable: Cards) -> Self {
        let mut places = Self {
            cards: [0; DECK],
            n: pool.total() as usize,
            bin: [NOWHERE; DECK],
            size: [0; SEATS],
            pile: 0,
            bounds: [[Bound::default(); PROOFS]; SEATS],
            age: [[Bound::default(); 2]; SEATS],
            caps: [None; SEATS],
            drawable,
        };
        places.cards.iter_mut().zip(pool.cards()).for_each(|(place, card)| *place = card);
        places
    }

    /// The cards in a hand, or (`SEATS`) in the draw pile.
    pub(super) fn cards_of(&self, bin: usize) -> Cards {
        self.slots(bin).map(|slot| self.cards[slot]).collect()
    }

    fn slots(&self, bin: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.n).filter(move |&slot| usize::from(self.bin[slot]) == bin)
    }

    fn room(&self, bin: usize) -> u8 {
        if bin == PILE { self.pile } else { self.size[bin] }
    }

    fn count(&self, bin: usize, faces: u64) -> u8 {
        self.slots(bin).filter(|&slot| bit(self.cards[slot]) & faces != 0).count() as u8
    }

    /// Whether the place takes so many of this card at all.
    fn takes(&self, bin: usize, card: Card) -> bool {
        let cap = if bin == PILE { Some(self.drawable) } else { self.caps[bin] };
        cap.is_none_or(|cap| self.count(bin, bit(card)) < cap.count(card))
    }

    /// The faces one of which must go before the place takes this card; none if there is room.
    fn full(&self, bin: usize, card: Card) -> Option<u64> {
        if bin != PILE {
            let about = |bound: &&Bound| bound.faces & bit(card) != 0;
            // The smallest set that is full lies in all larger ones.
            let inner = self.bounds[bin].iter().filter(about).rev();
            for bound in inner {
                if self.count(bin, bound.faces) >= bound.at_most {
                    return Some(bound.faces);
                }
            }
        }
        (self.slots(bin).count() >= usize::from(self.room(bin))).then_some(u64::MAX)
    }

    /// Places every card at random; false if there is no way.
    pub(super) fn fill(&mut self, draw: &mut Draw) -> bool {
        let room: u32 = (0..BINS).map(|bin| u32::from(self.room(bin))).sum();
        if room as usize != self.n {
            return false;
        }
        self.bin = [NOWHERE; DECK];
        draw.shuffle(&mut self.cards[..self.n]);
        (0..self.n).all(|slot| self.place_freely(slot, draw) || self.make_room(slot, draw))
    }

    /// Puts a card where there is room for it, each free place with the same chance.
    fn place_freely(&mut self, slot: usize, draw: &mut Draw) -> bool {
        let card = self.cards[slot];
        let mut free = [0; BINS];
        for (bin, free) in free.iter_mut().enumerate() {
            if self.room(bin) > 0 && self.takes(bin, card) && self.full(bin, card).is_none() {
                *free = u32::from(self.room(bin)) - self.slots(bin).count() as u32;
            }
        }
        let all: u32 = free.iter().sum();
        if all == 0 {
            return false;
        }
        let mut left = draw.below(all);
        for (bin, free) in free.into_iter().enumerate() {
            if left < free {
                self.bin[slot] = bin as u8;
                return true;
            }
            left -= free;
        }
        false
    }

    /// Places a card by the shortest chain of cards that make room for one another.
    fn make_room(&mut self, slot: usize, draw: &mut Draw) -> bool {
        // Whom each card would make room for, and where that one would then lie.
        let mut reached: [Option<(usize, usize)>; DECK] = [None; DECK];
        let mut queue = [0; DECK];
        let mut queued = 1;
        queue[0] = slot;
        let mut bins: [usize; BINS] = std::array::from_fn(|bin| bin);
        draw.shuffle(&mut bins);
        let mut at = 0;
        while at < queued {
            let moving = queue[at];
            at += 1;
            let card = self.cards[moving];
            for bin in bins {
                if self.room(bin) == 0 || usize::from(self.bin[moving]) == bin || !self.takes(bin, card) {
                    continue;
                }
                let Some(faces) = self.full(bin, card) else {
                    self.shift(moving, bin, &reached);
                    return true;
                };
                for other in 0..self.n {
                    let inside = usize::from(self.bin[other]) == bin && bit(self.cards[other]) & faces != 0;
                    if inside && reached[other].is_none() && other != slot {
                        reached[other] = Some((moving, bin));
                        queue[queued] = other;
                        queued += 1;
                    }
                }
            }
        }
        false
    }

    fn shift(&mut self, last: usize, bin: usize, reached: &[Option<(usize, usize)>; DECK]) {
        let (mut slot, mut to) = (last, bin);
        loop {
            self.bin[slot] = to as u8;
            match reached[slot] {
                Some((before, there)) => (slot, to) = (before, there),
                None => return,
            }
        }
    }

    /// Whether a hand or the draw pile obeys what is known of it, and by how many cards it does not
    /// obey the bounds by age.
    fn obeys(&self, bin: usize) -> Option<u32> {
        if bin == PILE {
            return self.drawable.contains(&self.cards_of(PILE)).then_some(0);
        }
        let within = |bound: &Bound| bound.faces == 0 || self.count(bin, bound.faces) <= bound.at_most;
        let beyond = |bound: &Bound| u32::from(self.count(bin, bound.faces).saturating_sub(bound.at_most));
        self.bounds[bin].iter().all(within).then(|| self.age[bin].iter().map(beyond).sum())
    }

    /// Swaps cards at random, so that all deals become about equally likely; cards that are too old or
    /// too new for their hand leave it as far as that is possible.
    pub(super) fn mix(&mut self, draw: &mut Draw) {
        if self.n < 2 {
            return;
        }
        let mut worth: [u32; BINS] = std::array::from_fn(|bin| self.obeys(bin).unwrap_or(0));
        let mut left = SWAPS * self.n;
        let mut more = 40 * self.n;
        while left > 0 {
            let bad: u32 = worth.iter().sum();
            if bad == 0 || more == 0 {
                left -= 1;
            } else {
                more -= 1;
            }
            let [a, b] = [(); 2].map(|()| draw.below(self.n as u32) as usize);
            let [one, two] = [a, b].map(|slot| usize::from(self.bin[slot]));
            if one == two || self.cards[a] == self.cards[b] {
                continue;
            }
            self.bin.swap(a, b);
            match (self.obeys(one), self.obeys(two)) {
                (Some(x), Some(y)) if x + y <= worth[one] + worth[two] => {
                    (worth[one], worth[two]) = (x, y);
                }
                _ => self.bin.swap(a, b),
            }
        }
    }
}

//! Determinizing: deals a random full game that is consistent with everything a view proves.
//!
//! A view proves:
//!
//! - the viewer's own cards, the discards, and how many cards each player holds;
//! - the buried cards at the bottom of the draw pile, and who drew some of them;
//! - which cards can be in the draw pile: those of its last shuffle that the viewer has not drawn since;
//! - what players who drew or ended a TAKI could not hold ([`super::memory`]);
//! - how many of a player's cards are older than the draw pile;
//! - that some player can answer the +3 on the table.
//!
//! An unseen card is *new* if the last shuffle put it into the draw pile, and *old* if a player held it then.
//! The algorithm first labels the cards laid since that shuffle as new or old. Then it places the remaining
//! cards one by one, moves earlier cards if necessary, and swaps cards at random ([`Places`]). If [`TRIES`]
//! labelings fail, it separates new and old cards for the draw pile only. This fallback finds a deal whenever
//! one exists.

#[cfg(test)]
mod tests;

use cardsharp_engine::Seat;
use cardsharp_engine::game::Determinize;
use cardsharp_engine::rng::{DealRng, Draw};

use super::View;
use super::deck::{self, Card, Cards, DECK, bit};
use super::memory::{PROOFS, Proof, Proofs};
use super::state::{ActionResults, Answer, PrivateState, Round, SEATS, Stage, drawable};

/// The cards that can answer a +3.
const ANSWERS: [Card; 3] = [deck::BREAKER, deck::KING, deck::PLUS3];

/// Number of labelings into new and old cards to try.
const TRIES: usize = 12;

impl Determinize for Round {
    fn determinize(view: View<'_>, mut rng: DealRng) -> Option<Self> {
        let Deal { own, pile, asked, .. } = rng.draw(|draw| Known::of(view).deal(draw))?;
        Some(Self { table: *view.table, own, asked, pile, log: ActionResults::default(), rng })
    }
}

/// Returns whether any deal leads to this view.
pub(super) fn is_possible(view: View<'_>) -> bool {
    Known::of(view).deal(&mut Draw::new(0, 0)).is_some()
}

struct Deal {
    own: [PrivateState; SEATS],
    pile: [Card; DECK],
    asked: Seat,
    /// Whether new and old cards are separated in every hand.
    #[cfg_attr(not(test), expect(dead_code, reason = "the tests count these deals"))]
    exact: bool,
}

/// What a view proves, prepared for dealing.
struct Known<'a> {
    view: View<'a>,
    buried: Cards,
}

/// The seat that is asked about the +3, and a card with which it can answer.
type Asked = Option<(Seat, Card)>;

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        Self { view, buried: view.table.buried.cards().iter().copied().collect() }
    }

    fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let me = self.view.seat.index();
        (0..usize::from(self.view.table.players())).filter(move |&seat| seat != me)
    }

    fn deal(&self, draw: &mut Draw) -> Option<Deal> {
        if self.view.table.stage != Stage::Window || self.view.own.answer == Answer::Asked {
            return self.deal_with(None, draw);
        }
        let mut ways = [None; 2 * SEATS];
        let mut n = 0;
        for seat in self.others().map(|seat| Seat(seat as u8)).filter(|&seat| self.can_be_asked(seat)) {
            for card in ANSWERS {
                if self.view.table.answers(seat) & bit(card) != 0 {
                    ways[n] = Some((seat, card));
                    n += 1;
                }
            }
        }
        draw.shuffle(&mut ways[..n]);
        ways[..n].iter().find_map(|&way| self.deal_with(way, draw))
    }

    /// Returns whether this other player can be the one who is asked, considering the viewer's own answer.
    fn can_be_asked(&self, seat: Seat) -> bool {
        let table = self.view.table;
        let later = |seat: Seat| table.steps(table.turn, seat);
        let answers = self.view.own.hand.once & table.answers(self.view.seat) != 0;
        let may = match self.view.own.answer {
            Answer::Declined => later(seat) > later(self.view.seat),
            _ => self.view.seat == table.turn || !answers || later(seat) < later(self.view.seat),
        };
        seat != table.turn && may
    }

    fn deal_with(&self, asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let held = self.held(asked)?;
        // Before the first reshuffle all cards are new.
        let tries = if self.view.table.recycles == 0 { 1 } else { TRIES };
        (0..tries).find_map(|_| self.by_age(&held, asked, draw)).or_else(|| self.by_pile(&held, asked, draw))
    }

    /// Returns the cards that the others hold for certain, by seat, or `None` if that is impossible.
    fn held(&self, asked: Asked) -> Option<[Cards; SEATS]> {
        let table = self.view.table;
        let mut held = table.known;
        held[self.view.seat.index()] = Cards::NONE;
        if let Some((seat, card)) = asked
            && !held[seat.index()].has(card)
        {
            held[seat.index()].add(card);
        }
        let mut count = self.buried.total();
        let mut all = self.buried;
        for seat in self.others() {
            count += held[seat].total();
            all = all.with(&held[seat]);
            if held[seat].total() > u32::from(table.sizes[seat]) {
                return None;
            }
        }
        let unseen = super::state::unseen(table, self.view.own);
        (all.total() == count && unseen.contains(&all)).then_some(held)
    }

    /// Deals so that new and old cards are separated in every hand.
    fn by_age(&self, held: &[Cards; SEATS], asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let table = self.view.table;
        let mut unassigned = Unassigned::of(self.view, &self.buried);
        for seat in self.others() {
            unassigned.divide(seat, &table.laid[seat], draw)?;
        }
        let laid = unassigned.drew;
        for seat in self.others() {
            unassigned.divide(seat, &held[seat], draw)?;
        }
        let mut places = Places::new(&unassigned.new, &unassigned.old);
        places.pile = table.pile.checked_sub(table.buried.len())?;
        for seat in self.others() {
            places.size[seat] = [unassigned.room[seat][0], unassigned.room[seat][1]];
            places.bind(seat, &table.proofs[seat], &held[seat])?;
        }
        if !places.fill(draw) {
            return None;
        }
        places.mix(draw);
        let mut own = [PrivateState::NONE; SEATS];
        for seat in self.others() {
            let new = places.cards_of(seat, 0);
            own[seat].hand = held[seat].with(&new).with(&places.cards_of(seat, 1));
            own[seat].drew = unassigned.drew[seat].with(&new);
            debug_assert!(unassigned.drew[seat].contains(&laid[seat]), "cards laid are divided first");
        }
        Some(self.finish(own, &places.cards_of_pile(), asked, true, draw))
    }

    /// Deals so that only the draw pile is limited to cards that can be there.
    fn by_pile(&self, held: &[Cards; SEATS], asked: Asked, draw: &mut Draw) -> Option<Deal> {
        let table = self.view.table;
        let fixed = self.others().fold(self.buried, |sum, seat| sum.with(&held[seat]));
        let pool = super::state::unseen(table, self.view.own).without(&fixed);
        let mut places = Places::new(&pool, &Cards::NONE);
        places.drawable = Some(drawable(table, self.view.own).without(&self.buried));
        places.pile = table.pile.checked_sub(table.buried.len())?;
        for seat in self.others() {
            places.size[seat] = [table.sizes[seat] - held[seat].total() as u8, 0];
            places.bind(seat, &table.proofs[seat], &held[seat])?;
        }
        if !places.fill(draw) {
            return None;
        }
        places.mix(draw);
        let mut own = [PrivateState::NONE; SEATS];
        let pile = places.cards_of_pile();
        // The view does not tell who drew what: assign the cards that left the draw pile in any order.
        let drawn = table.stock.without(&self.view.own.drew).without(&self.buried).without(&pile);
        let mut cards = [0; DECK];
        cards.iter_mut().zip(drawn.cards()).for_each(|(place, card)| *place = card);
        let mut rest = &cards[..drawn.total() as usize];
        for seat in self.others() {
            own[seat].hand = held[seat].with(&places.cards_of(seat, 0));
            let (some, more) = rest.split_at_checked(usize::from(table.drawn[seat]))?;
            own[seat].drew = some.iter().copied().collect();
            rest = more;
        }
        Some(self.finish(own, &pile, asked, false, draw))
    }

    fn finish(
        &self,
        mut own: [PrivateState; SEATS],
        free: &Cards,
        asked: Asked,
        exact: bool,
        draw: &mut Draw,
    ) -> Deal {
        own[self.view.seat.index()] = *self.view.own;
        let mut pile = [0; DECK];
        let buried = self.view.table.buried.cards();
        pile[..buried.len()].copy_from_slice(buried);
        let places = &mut pile[buried.len()..usize::from(self.view.table.pile)];
        places.iter_mut().zip(free.cards()).for_each(|(place, card)| *place = card);
        draw.shuffle(places);
        let asked = self.answers(&mut own, asked);
        Deal { own, pile, asked, exact }
    }

    /// Marks the seats before the asked one that could have answered as declined. Returns the asked seat.
    fn answers(&self, own: &mut [PrivateState; SEATS], asked: Asked) -> Seat {
        let table = self.view.table;
        if table.stage != Stage::Window {
            return Seat(0);
        }
        let asked = asked.map_or(self.view.seat, |(seat, _)| seat);
        own[asked.index()].answer = Answer::Asked;
        for steps in 1..table.steps(table.turn, asked) {
            let seat = table.after(table.turn, steps);
            if own[seat.index()].hand.once & table.answers(seat) != 0 {
                own[seat.index()].answer = Answer::Declined;
            }
        }
        asked
    }
}

// New and old cards: those shuffled into the current draw pile, and those that players held at that time.

/// Cards still to be assigned, and how many each other player must still get.
struct Unassigned {
    /// New cards that the viewer has not drawn.
    new: Cards,
    /// Old cards that the viewer did not have.
    old: Cards,
    /// How many new and old cards each player must still get, including cards laid since.
    room: [[u8; 2]; SEATS],
    /// New cards assigned to each player.
    drew: [Cards; SEATS],
}

impl Unassigned {
    /// Starts with no cards assigned except the buried ones.
    fn of(view: View<'_>, buried: &Cards) -> Self {
        let (table, own) = (view.table, view.own);
        let me = view.seat.index();
        let mine = own.hand.with(&table.laid[me]).without(&own.drew);
        let mut room = [[0; 2]; SEATS];
        for (seat, room) in room.iter_mut().enumerate().filter(|(seat, _)| *seat != me) {
            let had = table.sizes[seat] + table.laid[seat].total() as u8;
            *room = [table.drawn[seat], had - table.drawn[seat]];
        }
        Self {
            new: table.stock.without(&own.drew).without(buried),
            old: Cards::ALL.without(&table.stock).without(&Cards::one(table.first)).without(&mine),
            room,
            drew: [Cards::NONE; SEATS],
        }
    }

    /// Assigns cards that a player had to new or old ones, at random if both are possible. Returns `None` if
    /// a card can be neither.
    fn divide(&mut self, seat: usize, cards: &Cards, draw: &mut Draw) -> Option<()> {
        cards.cards().try_for_each(|card| self.account(seat, card, draw))
    }

    fn account(&mut self, seat: usize, card: Card, draw: &mut Draw) -> Option<()> {
        let room = &mut self.room[seat];
        let new = if room[0] > 0 { u32::from(self.new.count(card)) } else { 0 };
        let old = if room[1] > 0 { u32::from(self.old.count(card)) } else { 0 };
        if new + old == 0 {
            return None;
        }
        if old == 0 || new > 0 && draw.below(new + old) < new {
            room[0] -= 1;
            self.new.remove(card);
            self.drew[seat].add(card);
        } else {
            room[1] -= 1;
            self.old.remove(card);
        }
        Some(())
    }
}

// Assigning cards to hands and a draw pile with constraints on which cards they accept.

/// Index of the draw pile. Lower indices are hands: `seat` for new cards and `SEATS + seat` for old cards.
const PILE: u8 = 2 * SEATS as u8;
/// Swaps tried per card.
const SWAPS: usize = 2;

/// Cards to be assigned, and what each place accepts. A place is a hand for new cards, a hand for old cards,
/// or the draw pile. The draw pile accepts new cards only.
struct Places {
    cards: [Card; DECK],
    /// The place of each card. Entries after the cards assigned so far are free places.
    place: [u8; DECK],
    n: usize,
    /// The first `new` cards are new, the others old.
    new: usize,
    /// How many new and old cards each hand accepts.
    size: [[u8; 2]; SEATS],
    /// How many cards the draw pile accepts.
    pile: u8,
    /// The only cards that the draw pile accepts; `None` without such a limit.
    drawable: Option<Cards>,
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
    fn new(new: &Cards, old: &Cards) -> Self {
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
    fn bind(&mut self, seat: usize, proofs: &Proofs, held: &Cards) -> Option<()> {
        for (bound, proof) in self.bounds[seat].iter_mut().zip(proofs.iter()) {
            let at_most = proof.at_most.checked_sub(held.among(proof.faces) as u8)?;
            *bound = Proof { at_most, ..proof };
        }
        Some(())
    }

    /// Returns the new (`age` 0) or old (`age` 1) cards in a hand.
    fn cards_of(&self, seat: usize, age: usize) -> Cards {
        self.cards_at((seat + age * SEATS) as u8)
    }

    /// The cards in the draw pile.
    fn cards_of_pile(&self) -> Cards {
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
    fn fill(&mut self, draw: &mut Draw) -> bool {
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
    fn mix(&mut self, draw: &mut Draw) {
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

//! The rules of play: dealing, laying, drawing, passing, naming a suit, and what a game is worth.

use cardsharp_env::hands::Positions;
use cardsharp_env::{ActionId, DealRng, Draw, Payoff, Play, Seat, Turn};

use crate::actions::Move;
use crate::cards::{CARDS, Card, Cards, FACES, Face, Rank, Suit};
use crate::rules::{Reward, Rules};
use crate::state::{Direction, PrivateState, PublicState, Round, SEATS, SessionState, Stage};

impl Round {
    /// Deals cards one by one from the top of the pile, to the seat after the dealer first. Then turns up the card at
    /// index `first` of the rest. It acts as if the dealer had laid it.
    pub(crate) fn begin(
        rules: &Rules,
        standing: &SessionState,
        dealer: Seat,
        (mut pile, first): ([Card; CARDS], usize),
        rng: DealRng,
    ) -> Self {
        let deck = Cards::decks(rules.decks());
        let mut left = usize::from(deck.len());
        let mut own = [PrivateState { hand: Cards::NONE }; SEATS];
        let mut sizes = [0; SEATS];
        for _ in 0..rules.dealt() {
            for places in 1..=rules.players {
                let seat = usize::from((dealer.0 + places) % rules.players);
                left -= 1;
                own[seat].hand.add(pile[left]);
                sizes[seat] += 1;
            }
        }
        left -= 1;
        pile.swap(first, left);
        let top = pile[left];
        // The order in which cards were dealt is not part of the state.
        pile[left..].fill(Card::default());
        let table = PublicState {
            rules: *rules,
            game: standing.games + 1,
            points: standing.points,
            dealer,
            stage: Stage::Turn,
            turn: dealer,
            direction: Direction::Up,
            top,
            suit: top.face().suit(),
            debt: 0,
            drawn: 0,
            passes: 0,
            plays: 0,
            pile: left as u8,
            sizes,
            old: [0; SEATS],
            discards: Cards::one(top),
            stock: deck.without(Cards::one(top)),
        };
        let mut round = Self { table, own, pile, rng };
        round.act(top.face().rank());
        round
    }

    fn lay(&mut self, face: Face) {
        let table = &mut self.table;
        let seat = table.turn.index();
        let card = self.own[seat].hand.card(face);
        self.own[seat].hand.remove(card);
        table.sizes[seat] -= 1;
        table.old[seat] -= u8::from(!table.stock.has(card));
        table.discards.add(card);
        (table.top, table.suit) = (card, face.suit());
        table.plays += 1;
        (table.drawn, table.passes) = (0, 0);
        if table.sizes[seat] == 0 || table.plays >= table.rules.max_turns {
            table.stage = Stage::Over;
            return;
        }
        self.renew();
        if face.rank() == Rank::EIGHT {
            self.table.stage = Stage::Suit;
        } else {
            self.act(face.rank());
        }
    }

    /// Applies the effect of a card of this rank, and passes the turn.
    #[inline]
    fn act(&mut self, rank: Rank) {
        let table = &mut self.table;
        let mut places = 1;
        if table.rules.use_special_cards {
            match rank {
                Rank::QUEEN => places = 2,
                Rank::ACE => {
                    table.direction = match table.direction {
                        Direction::Up => Direction::Down,
                        Direction::Down => Direction::Up,
                    };
                }
                // With an empty draw pile, no cards are owed.
                Rank::TWO if table.pile > 0 => table.debt += 2,
                _ => {}
            }
        }
        table.turn = table.after(table.turn, places);
    }

    /// Draws one card, or all cards owed. Only the latter ends the turn.
    fn draw(&mut self) {
        self.table.passes = 0;
        if self.table.debt == 0 {
            self.take();
            self.table.drawn += 1;
            return;
        }
        loop {
            self.take();
            self.table.debt -= 1;
            if self.table.pile == 0 {
                self.table.passes = u8::from(self.table.debt == 0);
                // Cards that cannot be drawn are no longer owed.
                self.table.debt = 0;
            }
            if self.table.debt == 0 {
                break;
            }
        }
        self.table.turn = self.table.after(self.table.turn, 1);
    }

    fn take(&mut self) {
        let table = &mut self.table;
        let seat = table.turn.index();
        table.pile -= 1;
        self.own[seat].hand.add(self.pile[usize::from(table.pile)]);
        table.sizes[seat] += 1;
        self.renew();
    }

    /// Makes the discards under the top card the draw pile, if it is empty and the rules allow it.
    #[inline]
    fn renew(&mut self) {
        let table = &mut self.table;
        if table.pile > 0 || !table.rules.reshuffle || table.discards == Cards::one(table.top) {
            return;
        }
        table.stock = table.discards.without(Cards::one(table.top));
        table.discards = Cards::one(table.top);
        table.pile = table.stock.len();
        table.old = table.sizes;
        let pile = &mut self.pile[..usize::from(table.pile)];
        pile.iter_mut().zip(table.stock.iter()).for_each(|(place, card)| *place = card);
        self.rng.draw(|draw| draw.shuffle(pile));
    }

    fn pass(&mut self) {
        let table = &mut self.table;
        table.passes = if table.pile == 0 { table.passes + 1 } else { 0 };
        table.drawn = 0;
        if table.passes > table.rules.players {
            table.stage = Stage::Over;
        } else {
            table.turn = table.after(table.turn, 1);
        }
    }

    fn name(&mut self, suit: Suit) {
        let table = &mut self.table;
        table.suit = suit;
        table.stage = Stage::Turn;
        table.turn = table.after(table.turn, 1);
    }

    /// Points of a seat at the end: minus the cost of its cards.
    fn points(&self, seat: usize) -> i32 {
        -self.own[seat].hand.iter().map(|card| self.table.rules.cost(card.face())).sum::<i32>()
    }
}

impl Play for Round {
    const NAME: &'static str = "crazy_eights";
    const TITLE: &'static str = "Crazy Eights";
    const VIEW: u32 = 1;

    type Rules = Rules;
    type SessionState = SessionState;
    type PublicState = PublicState;
    type PrivateState = PrivateState;

    fn seating(_: &Rules, _: &mut Draw) -> SessionState {
        SessionState::FRESH
    }

    /// Deals a game with a random dealer. The card turned up is random, but not an eight.
    fn deal(rules: &Rules, standing: &SessionState, mut rng: DealRng) -> Self {
        let cards = FACES * usize::from(rules.decks());
        let rest = cards - usize::from(rules.players * rules.dealt());
        let mut pile = std::array::from_fn(|card| Card(card as u8));
        let (dealer, first) = rng.draw(|draw| {
            draw.shuffle(&mut pile[..cards]);
            let dealer = draw.below(u32::from(rules.players)) as u8;
            // An eight is put back, and another card of the pile is taken.
            let first = loop {
                let place = draw.below(rest as u32) as usize;
                if pile[place].face().rank() != Rank::EIGHT {
                    break place;
                }
            };
            (Seat(dealer), first)
        });
        Self::begin(rules, standing, dealer, (pile, first), rng)
    }

    fn present(&self) -> Positions {
        Positions::first(self.table.rules.players)
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.table.stage {
            Stage::Over => Turn::RoundOver,
            Stage::Turn | Stage::Suit => Turn::Decide(self.table.turn),
        }
    }

    fn table(&self) -> &PublicState {
        &self.table
    }

    #[inline]
    fn own(&self, seat: Seat) -> &PrivateState {
        &self.own[seat.index()]
    }

    #[inline]
    fn play(&mut self, action: ActionId) {
        match Move::of(action) {
            Some(Move::Lay(face)) => self.lay(face),
            Some(Move::Draw) => self.draw(),
            Some(Move::Pass) => self.pass(),
            Some(Move::Name(suit)) => self.name(suit),
            None => debug_assert!(false, "action {} of {}", action.0, crate::actions::COUNT),
        }
    }

    /// Returns places, points and rewards of a finished game, and updates the standing for the next one.
    fn settle(&self, standing: &mut SessionState) -> Payoff {
        let rules = &self.table.rules;
        let players = usize::from(rules.players);
        let mut payoff = Payoff { seats: rules.players, ..Payoff::default() };
        for seat in 0..players {
            payoff.points[seat] = self.points(seat);
        }
        for seat in 0..players {
            let mine = payoff.points[seat];
            let all = &payoff.points[..players];
            let better = all.iter().filter(|&&points| points > mine).count();
            let alike = all.iter().filter(|&&points| points == mine).count();
            payoff.place[seat] = better as u8 + 1;
            payoff.reward[seat] = match rules.shaping.reward {
                Reward::Points => mine as f32 / 100.0,
                // Players who share a place get the mean of the shared places.
                Reward::Places => 1.0 - (2 * better + alike - 1) as f32 / (players - 1) as f32,
            };
        }
        let points = std::array::from_fn(|seat| self.table.points[seat] + payoff.points[seat]);
        *standing = SessionState { games: self.table.game, points };
        payoff
    }
}

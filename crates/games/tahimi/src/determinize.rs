//! Determinization: draws a complete round at random that is consistent with a view.
//!
//! A view proves these facts:
//!
//! - the viewer's own cards, every card played, and the number of cards dealt to each player;
//! - the cards that the viewer gave and received, which were in the partner's hand;
//! - that a payer keeps no card above the worst card paid;
//! - that a payer who is deciding about jokers has some.
//!
//! The unseen cards are dealt at random to the places that proven cards leave open. Then the pairs whose exchange the
//! viewer cannot see pay their taxes with them. An exchange explains every result, because receivers may return the
//! tribute itself.
//!
//! Exact knowledge in the endgame is here, too: how the round ends with two players left.

#[cfg(test)]
mod tests;

use std::ops::Range;

use cardsharp_climbing::determinize::{
    self, Exchange, ExchangeProgress, Pair, PerPosition, Role, TaxRules, beyond, explain, pay, spare, sum,
};
use cardsharp_climbing::observation::unseen;
use cardsharp_climbing::{best_of, foresight};
use cardsharp_engine::game::{Actions, Determinize, Foresee, Foresight, Key};
use cardsharp_engine::mask::Mask as _;
use cardsharp_engine::rng::{DealRng, Draw};
use cardsharp_engine::{MAX_SEATS, Seat};

use super::deck::{Cards, JOKER, NATURALS, RANKS};
use super::state::{Ask, PrivateState, PublicState, Round, Stage, View};
use super::variant::JokerOrder;

impl Determinize for Round {
    fn determinize(view: View<'_>, rng: DealRng) -> Option<Self> {
        Known::of(view).round(rng)
    }
}

/// Facts in addition to a view.
#[derive(Copy, Clone, Default)]
pub struct ExtraFacts {
    /// Whether the viewer, a payer with jokers, has decided about them; `None` if only the view shows it.
    pub decided: Option<bool>,
    /// A position other than the viewer's, and cards that it holds.
    pub holds: Option<(u8, Cards)>,
}

/// A complete round that is consistent with a view and additional facts; `None` if there is none.
pub fn knowing(view: View<'_>, facts: ExtraFacts, rng: DealRng) -> Option<Round> {
    let mut known = Known::of(view);
    match facts.decided {
        Some(true) => known.deciding = 0..known.me,
        Some(false) => known.deciding = known.me..known.players,
        None => {}
    }
    if let Some((position, cards)) = facts.holds {
        known.hold(usize::from(position), cards);
    }
    known.round(rng)
}

/// Whether any deal leads to this view.
pub fn is_possible(view: View<'_>) -> bool {
    Known::of(view).solve(&mut Draw::new(0, 0)).is_some()
}

impl Known<'_> {
    /// A round that is consistent with the view; `None` if there is none.
    fn round(&self, mut rng: DealRng) -> Option<Round> {
        let (own, asking) = rng.draw(|draw| self.solve(draw).map(|deal| self.owners(deal, draw)))?;
        Some(Round { table: *self.view.table, own, asking, rng })
    }

    /// A deal that is consistent with the view; `None` if there is none.
    fn solve(&self, draw: &mut Draw) -> Option<Deal> {
        let mut plan = self.plan;
        if !self.anchor_jokers(&mut plan, draw) {
            return None;
        }
        let mut hands = plan.deal(self.pool, draw)?;
        hands[self.me] = self.own.hand;
        if self.moved == ExchangeProgress::All && !self.held {
            for pair in self.hidden_pairs() {
                let paid = |low: &Cards, count: u8, draw: &mut Draw| self.tribute(low, count, draw);
                pay(pair, &mut hands, self.played[pair.high].total(), self.tax_rules(), paid, draw);
            }
        }
        let mut deal = Deal::of(hands);
        match self.moved {
            ExchangeProgress::Nothing => {}
            ExchangeProgress::Tributes => self.hidden_pairs().for_each(|pair| {
                let paid = self.tribute(&deal.hands[pair.low], pair.cards, draw);
                deal.pay(pair, paid);
            }),
            ExchangeProgress::All => self.hidden_pairs().for_each(|pair| {
                let (paid, back) = self.explain_pair(pair, &deal, draw);
                deal.note([pair.high, pair.low], paid, back);
            }),
        }
        let Some(partner) = self.partner() else { return Some(deal) };
        let exchange = self.exchange();
        exchange.mirror(&mut deal, partner);
        let short = exchange.was_shortchanged(&deal, partner, &self.played[partner], self.tax_rules().ranks);
        (!short).then_some(deal)
    }

    /// A tribute and a return that lead to the hands of a pair.
    fn explain_pair(&self, pair: Pair, deal: &Deal, draw: &mut Draw) -> (Cards, Cards) {
        let mut high = sum(&deal.hands[pair.high], &self.played[pair.high]);
        let low = sum(&deal.hands[pair.low], &self.played[pair.low]);
        let jokers = self.chosen(&high, pair.cards, draw);
        high.0[JOKER] -= jokers;
        let counts = (pair.cards - jokers, pair.cards);
        match explain((&high, &low), counts, self.tax_rules(), draw) {
            Some((mut paid, back)) => {
                paid.0[JOKER] += jokers;
                (paid, back)
            }
            None => {
                let straight_back = best_of(&low, pair.cards, self.tax_rules().ranks);
                (straight_back, straight_back)
            }
        }
    }
}

// What a view proves about the hidden hands.

type Plan = determinize::HandConstraints<RANKS>;
type Deal = determinize::DealtHands<RANKS>;

/// What a view proves, prepared for dealing. If jokers are paid before all other cards, they have rank index 0 in all
/// cards here, and the natural ranks follow.
struct Known<'a> {
    view: View<'a>,
    players: usize,
    me: usize,
    moved: ExchangeProgress,
    order: JokerOrder,
    /// Cards that each position has played.
    played: PerPosition<Cards>,
    /// The viewer's private state.
    own: PrivateState,
    /// Cards that the viewer has not seen.
    pool: Cards,
    plan: Plan,
    /// The positions among which a payer may be deciding about jokers; the viewer's position is ignored.
    deciding: Range<usize>,
    /// Whether cards of a hand are known from another source than the taxes. Then the hands stay as dealt here: some
    /// taxes explain any cards.
    held: bool,
}

/// Moves the jokers to the front.
fn jokers_first(cards: &mut Cards) {
    cards.0.rotate_right(1);
}

/// Moves the jokers back to the end.
fn jokers_last(cards: &mut Cards) {
    cards.0.rotate_left(1);
}

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        let table = view.table;
        let me = usize::from(table.position_of(view.seat));
        let mut known = Self {
            view,
            players: usize::from(table.players),
            me,
            moved: ExchangeProgress::Nothing,
            order: table.variant.joker_order(),
            played: table.memory.played,
            own: *view.own,
            pool: beyond(&beyond(&table.deck, &view.own.hand), &table.memory.gone),
            plan: Plan::EMPTY,
            // The lowest payer decides first. Once the viewer has decided, only higher payers are left.
            deciding: 0..if view.own.given == Cards::NONE { table.players.into() } else { me },
            held: false,
        };
        known.moved = known.moved();
        (0..known.players).filter(|&p| p != me).for_each(|p| known.plan.size[p] = table.held(p as u8));
        if known.order == JokerOrder::High {
            let own = &mut known.own;
            let all = [&mut own.hand, &mut own.given, &mut own.received, &mut known.pool];
            all.into_iter().for_each(jokers_first);
            known.played[..known.players].iter_mut().for_each(jokers_first);
        }
        if let Some(partner) = known.partner() {
            let mut plan = known.plan;
            known.exchange().anchor(&mut plan, partner, &known.played[partner], known.tax_rules().ranks);
            known.plan = plan;
        }
        known
    }

    /// Fixes cards in the hand of a position.
    fn hold(&mut self, position: usize, mut cards: Cards) {
        if self.order == JokerOrder::High {
            jokers_first(&mut cards);
        }
        let fixed = &mut self.plan.fixed[position].0;
        fixed.iter_mut().zip(cards.0).for_each(|(fixed, n)| *fixed = n.max(*fixed));
        self.held = true;
    }

    /// Which cards have moved, as far as the viewer can tell.
    fn moved(&self) -> ExchangeProgress {
        let (table, own) = (self.view.table, self.view.own);
        match (table.stage, self.role()) {
            (Stage::Decree, _) => ExchangeProgress::Nothing,
            _ if !table.taxes() => ExchangeProgress::Nothing,
            (Stage::Play, _) => ExchangeProgress::All,
            (Stage::Taxes, Role::High) if own.received == Cards::NONE => ExchangeProgress::Nothing,
            (Stage::Taxes, Role::Low) if own.hand.total() == u32::from(table.held(self.me as u8)) => {
                ExchangeProgress::Nothing
            }
            (Stage::Taxes, _) => ExchangeProgress::Tributes,
        }
    }

    fn pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let pairs = self.view.table.pairs().iter();
        pairs.map(|&(high, low, cards)| Pair { high: high.into(), low: low.into(), cards })
    }

    /// The pairs whose taxes the viewer cannot see.
    fn hidden_pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let me = self.me;
        self.pairs().filter(move |pair| pair.high != me && pair.low != me)
    }

    fn role(&self) -> Role {
        let mine = self.pairs().find_map(|pair| match self.me {
            me if me == pair.high => Some(Role::High),
            me if me == pair.low => Some(Role::Low),
            _ => None,
        });
        mine.unwrap_or(Role::Equal)
    }

    /// The position with which the viewer has exchanged cards, if any have moved.
    fn partner(&self) -> Option<usize> {
        self.own.partner.filter(|_| self.moved != ExchangeProgress::Nothing).map(usize::from)
    }

    /// The viewer's own exchange.
    fn exchange(&self) -> Exchange<'_, RANKS> {
        let (given, received) = (&self.own.given, &self.own.received);
        Exchange { role: self.role(), moved: self.moved, seen: true, given, received }
    }

    fn tax_rules(&self) -> TaxRules {
        match self.order {
            JokerOrder::High => TaxRules { ranks: RANKS, last_is_spare: true },
            JokerOrder::Low | JokerOrder::Holder => TaxRules { ranks: NATURALS, last_is_spare: false },
        }
    }

    /// A tribute of `count` cards from hand `low`. If the payer decides about jokers, the number of jokers is random.
    fn tribute(&self, low: &Cards, count: u8, draw: &mut Draw) -> Cards {
        let jokers = self.chosen(low, count, draw);
        let mut cards = best_of(low, count - jokers, self.tax_rules().ranks);
        cards.0[JOKER] += jokers;
        cards
    }

    /// A random number of jokers among `count` cards, if their holder decides about them; otherwise 0.
    fn chosen(&self, hand: &Cards, count: u8, draw: &mut Draw) -> u8 {
        match (self.order, hand.0[JOKER].min(count)) {
            (JokerOrder::Holder, most @ 1..) => draw.below(u32::from(most) + 1) as u8,
            _ => 0,
        }
    }
}

// Jokers while payers decide how many of them to pay.

impl Known<'_> {
    /// Whether tributes have not moved yet because a payer is deciding about jokers.
    fn is_before_tributes(&self) -> bool {
        self.view.table.stage == Stage::Taxes && self.moved == ExchangeProgress::Nothing
    }

    /// The pairs whose payer may be deciding about jokers now, as far as the viewer can tell.
    fn deciders(&self) -> impl Iterator<Item = Pair> {
        let asked = self.own.ask == Ask::TaxJokers;
        self.pairs().filter(move |pair| match asked {
            true => pair.low == self.me,
            false => self.deciding.contains(&pair.low) && pair.low != self.me,
        })
    }

    /// Deals one joker to a payer who may be deciding, and the other joker anywhere. All such deals are equally likely.
    /// Returns false if there is none.
    fn anchor_jokers(&self, plan: &mut Plan, draw: &mut Draw) -> bool {
        if !self.is_before_tributes() || self.own.ask == Ask::TaxJokers {
            return true;
        }
        let mut places = [0u32; 2];
        let decides = |p: usize| self.deciders().any(|pair| pair.low == p);
        for p in 0..self.players {
            places[usize::from(!decides(p))] += u32::from(plan.size[p]);
        }
        let [deciding, others] = places;
        let mut place = |here: bool, number: u32| {
            let mut left = number;
            for p in (0..self.players).filter(|&p| decides(p) == here) {
                let open = u32::from(plan.open(p));
                if left < open {
                    plan.fixed[p].0[JOKER] += 1;
                    return;
                }
                left -= open;
            }
        };
        if deciding == 0 {
            return false;
        }
        let first = draw.below(deciding);
        match self.pool.0[JOKER] {
            1 => place(true, first),
            2 => {
                let both = deciding * (deciding - 1) / 2;
                let here = draw.below(both + deciding * others) < both;
                place(true, first);
                place(here, draw.below(if here { deciding - 1 } else { others }));
            }
            _ => return false,
        }
        true
    }
}

// Private states for a determinized deal: exchanges, and the decision that is due.

impl Known<'_> {
    /// The private state of every position, and the position that decides before the play.
    fn owners(&self, mut deal: Deal, draw: &mut Draw) -> (PerPosition<PrivateState>, u8) {
        let table = self.view.table;
        let asking = match table.stage {
            Stage::Decree => 0,
            Stage::Taxes if self.is_before_tributes() => self.ask_jokers(&mut deal, draw),
            Stage::Taxes => self.ask_return(&mut deal, draw),
            Stage::Play => 0,
        };
        let mut own = [PrivateState::dealt(Cards::NONE); MAX_SEATS];
        for (p, own) in own.iter_mut().enumerate().take(self.players) {
            (own.hand, own.given, own.received) = (deal.hands[p], deal.given[p], deal.received[p]);
            if self.order == JokerOrder::High {
                [&mut own.hand, &mut own.given, &mut own.received].into_iter().for_each(jokers_last);
            }
        }
        if table.taxes() && table.stage != Stage::Decree {
            for pair in self.pairs() {
                own[pair.high].partner = Some(pair.low as u8);
                own[pair.low].partner = Some(pair.high as u8);
            }
        }
        own[asking].ask = match table.stage {
            Stage::Decree => Ask::Decree,
            Stage::Taxes if self.is_before_tributes() => Ask::TaxJokers,
            Stage::Taxes => Ask::Return,
            Stage::Play => Ask::Nothing,
        };
        own[self.me] = *self.view.own;
        (own, asking as u8)
    }

    /// Picks a payer who may be deciding about jokers. Payers before it have decided.
    fn ask_jokers(&self, deal: &mut Deal, draw: &mut Draw) -> usize {
        let holders = || self.deciders().filter(|pair| deal.hands[pair.low].0[JOKER] > 0);
        let number = draw.below((holders().count() as u32).max(1)) as usize;
        let asking = holders().nth(number).map_or(self.me, |pair| pair.low);
        for pair in self.pairs().filter(|pair| pair.low > asking) {
            deal.given[pair.low].0[JOKER] = self.chosen(&deal.hands[pair.low], pair.cards, draw);
        }
        asking
    }

    /// Picks a receiver who may be choosing what to give back. Receivers before it have chosen.
    fn ask_return(&self, deal: &mut Deal, draw: &mut Draw) -> usize {
        let own = &self.own;
        let highs = self.pairs().count();
        let may = |&p: &usize| match self.me {
            me if own.ask == Ask::Return => p == me,
            me if me >= highs => true,
            me if own.given == Cards::NONE => p < me,
            me => p > me,
        };
        let number = draw.below(((0..highs).filter(may).count() as u32).max(1)) as usize;
        let asking = (0..highs).filter(may).nth(number).unwrap_or(0);
        for pair in self.pairs().filter(|pair| pair.high <= asking && pair.high != self.me) {
            let picked = if pair.high < asking { pair.cards } else { draw.below(pair.cards.into()) as u8 };
            deal.given[pair.high] = spare(deal.hands[pair.high], picked, self.tax_rules(), draw);
        }
        asking
    }
}

// Exact knowledge in the endgame: how the round ends with two players left, and who goes out uninterrupted.

impl Foresee for Round {
    fn foresight(view: View<'_>) -> Foresight {
        let View { table, own, .. } = view;
        if table.stage != Stage::Play {
            return Foresight::Nothing;
        }
        let me = table.position_of(view.seat);
        let unseen = || unseen(&table.deck.0, &own.hand.0, &table.memory.gone.0);
        foresight::foresight(&table.trick, me, &own.hand, unseen, |position| table.held(position))
    }

    fn is_foreseen(&self, before: &Self, viewer: Seat) -> bool {
        let (table, me) = (&self.table, self.table.position_of(viewer));
        let tricks = [&before.table.trick, &table.trick];
        let played = table.memory.total != before.table.memory.total;
        let hand = |position: usize| self.own[position].hand;
        foresight::is_foreseen(tricks, me, played, hand, |trick, hand| {
            let own = PrivateState { hand, ..self.own[usize::from(trick.turn)] };
            let (seat, table) =
                (table.order[usize::from(trick.turn)], PublicState { trick: *trick, ..*table });
            Self::legal(View { seat, table: &table, own: &own }).count()
        })
    }

    fn stakes(&self, seat: Seat) -> [f32; 2] {
        let me = self.table.position_of(seat);
        foresight::stakes(self, &self.table.rules, (seat, me), |round| &mut round.table.trick)
    }

    fn key(&self) -> Option<Key> {
        Some(foresight::key(&self.table.trick, |position| self.own[position].hand))
    }
}

//! What a view proves about the hidden hands.

use std::ops::Range;

use cardsharp_climbing::best_of;
use cardsharp_climbing::redeal::{self, Custom, Each, Exchange, Moved, Pair, Role, beyond};
use cardsharp_engine::rng::Draw;

use crate::deck::{Cards, JOKER, NATURALS, RANKS};
use crate::state::View;
use crate::table::{Own, Stage};
use crate::variant::JokerOrder;

pub type Plan = redeal::Plan<RANKS>;
pub type Deal = redeal::Deal<RANKS>;

/// What a view proves, prepared for dealing. If jokers are paid before all other cards, they have rank index 0 in all
/// cards here, and the natural ranks follow.
pub struct Known<'a> {
    pub view: View<'a>,
    pub players: usize,
    pub me: usize,
    pub moved: Moved,
    pub order: JokerOrder,
    /// Cards that each position has played.
    pub played: Each<Cards>,
    /// The viewer's private state.
    pub own: Own,
    /// Cards that the viewer has not seen.
    pub pool: Cards,
    pub plan: Plan,
    /// The positions among which a payer may be deciding about jokers; the viewer's position is ignored.
    pub deciding: Range<usize>,
    /// Whether cards of a hand are known from another source than the taxes. Then the hands stay as dealt here: some
    /// taxes explain any cards.
    pub held: bool,
}

/// Moves the jokers to the front.
fn jokers_first(cards: &mut Cards) {
    cards.0.rotate_right(1);
}

/// Moves the jokers back to the end.
pub fn jokers_last(cards: &mut Cards) {
    cards.0.rotate_left(1);
}

impl<'a> Known<'a> {
    pub fn of(view: View<'a>) -> Self {
        let table = view.table;
        let me = usize::from(table.position_of(view.seat));
        let mut known = Self {
            view,
            players: usize::from(table.players),
            me,
            moved: Moved::Nothing,
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
            known.exchange().anchor(&mut plan, partner, &known.played[partner], known.custom().ranks);
            known.plan = plan;
        }
        known
    }

    /// Fixes cards in the hand of a position.
    pub fn hold(&mut self, position: usize, mut cards: Cards) {
        if self.order == JokerOrder::High {
            jokers_first(&mut cards);
        }
        let fixed = &mut self.plan.fixed[position].0;
        fixed.iter_mut().zip(cards.0).for_each(|(fixed, n)| *fixed = n.max(*fixed));
        self.held = true;
    }

    /// Which cards have moved, as far as the viewer can tell.
    fn moved(&self) -> Moved {
        let (table, own) = (self.view.table, self.view.own);
        match (table.stage, self.role()) {
            (Stage::Decree, _) => Moved::Nothing,
            _ if !table.taxes() => Moved::Nothing,
            (Stage::Play, _) => Moved::All,
            (Stage::Taxes, Role::High) if own.received == Cards::NONE => Moved::Nothing,
            (Stage::Taxes, Role::Low) if own.hand.total() == u32::from(table.held(self.me as u8)) => {
                Moved::Nothing
            }
            (Stage::Taxes, _) => Moved::Tributes,
        }
    }

    pub fn pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let pairs = self.view.table.pairs().iter();
        pairs.map(|&(high, low, cards)| Pair { high: high.into(), low: low.into(), cards })
    }

    /// The pairs whose taxes the viewer cannot see.
    pub fn hidden_pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let me = self.me;
        self.pairs().filter(move |pair| pair.high != me && pair.low != me)
    }

    pub fn role(&self) -> Role {
        let mine = self.pairs().find_map(|pair| match self.me {
            me if me == pair.high => Some(Role::High),
            me if me == pair.low => Some(Role::Low),
            _ => None,
        });
        mine.unwrap_or(Role::Equal)
    }

    /// The position with which the viewer has exchanged cards, if any have moved.
    pub fn partner(&self) -> Option<usize> {
        self.own.partner.filter(|_| self.moved != Moved::Nothing).map(usize::from)
    }

    /// The viewer's own exchange.
    pub fn exchange(&self) -> Exchange<'_, RANKS> {
        let (given, received) = (&self.own.given, &self.own.received);
        Exchange { role: self.role(), moved: self.moved, seen: true, given, received }
    }

    pub fn custom(&self) -> Custom {
        match self.order {
            JokerOrder::High => Custom { ranks: RANKS, last_is_spare: true },
            JokerOrder::Low | JokerOrder::Holder => Custom { ranks: NATURALS, last_is_spare: false },
        }
    }

    /// A tribute of `count` cards from hand `low`. If the payer decides about jokers, the number of jokers is random.
    pub fn tribute(&self, low: &Cards, count: u8, draw: &mut Draw) -> Cards {
        let jokers = self.chosen(low, count, draw);
        let mut cards = best_of(low, count - jokers, self.custom().ranks);
        cards.0[JOKER] += jokers;
        cards
    }

    /// A random number of jokers among `count` cards, if their holder decides about them; otherwise 0.
    pub fn chosen(&self, hand: &Cards, count: u8, draw: &mut Draw) -> u8 {
        match (self.order, hand.0[JOKER].min(count)) {
            (JokerOrder::Holder, most @ 1..) => draw.below(u32::from(most) + 1) as u8,
            _ => 0,
        }
    }
}

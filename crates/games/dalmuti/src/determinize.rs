//! Determinization: draws a complete hand at random that is consistent with a view.
//!
//! A view proves these facts:
//!
//! - the viewer's own cards, every card played, and the number of cards dealt to each player;
//! - the cards that the viewer gave and received, which were in the partner's hand;
//! - that a Peon keeps no dealt card better than the worst card paid;
//! - that the other pairs also paid taxes, with unknown cards;
//! - who was dealt the exposed card, or got it;
//! - that a player who called a revolution, or is asked about one, was dealt both Jesters.
//!
//! The unseen cards are dealt at random to the places that proven cards leave open. Then the pairs whose exchange the
//! viewer cannot see pay their taxes with them, and an exchange is found that explains the result ([`taxes`]). If
//! several such deals have no explanation, an exact search tries all possible tributes of these pairs ([`taxes`]). It
//! finds a deal for every possible view, because it covers the true deal.

mod taxes;
#[cfg(test)]
mod tests;

use cardsharp_climbing::determinize::{
    self, Exchange, ExchangeProgress, Pair, PerPosition, Role, TaxRules, beyond, pay, spare,
};
use cardsharp_climbing::random_card;
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::game::Determinize;
use cardsharp_engine::rng::{DealRng, Draw};

use super::deck::{Cards, JESTER, RANKS};
use super::rules::TaxVisibility;
use super::state::{
    Ask, ExposedFate, PROPOSER, PrivateState, Revolution, Round, Stage, View, pairs, tribute,
};

/// Number of random deals before the exact search.
const TRIES: usize = 4;

impl Determinize for Round {
    fn determinize(view: View<'_>, mut rng: DealRng) -> Option<Self> {
        let known = Known::of(view);
        let (own, asking) = rng.draw(|draw| known.solve(draw).map(|deal| known.owners(deal, draw)))?;
        Some(Self { table: *view.table, own, asking, rng })
    }
}

/// Whether any deal leads to this view.
pub fn is_possible(view: View<'_>) -> bool {
    Known::of(view).solve(&mut Draw::new(0, 0)).is_some()
}

impl<'a> Known<'a> {
    fn of(view: View<'a>) -> Self {
        let (table, own) = (view.table, view.own);
        let me = usize::from(table.position[view.seat.index()]);
        let moved = match table.stage {
            _ if !table.taxes() => ExchangeProgress::Nothing,
            Stage::Play => ExchangeProgress::All,
            Stage::Taxes if table.rules.tax_visibility == TaxVisibility::Seen => ExchangeProgress::Tributes,
            _ => ExchangeProgress::Nothing,
        };
        let mut known = Self {
            view,
            players: usize::from(table.players()),
            me,
            moved,
            seen: table.rules.tax_visibility == TaxVisibility::Seen,
            mark: None,
            pool: beyond(&beyond(&table.deck, &own.hand), &table.memory.gone),
            plan: Plan::EMPTY,
        };
        known.mark = known.marked();
        (0..known.players).filter(|&p| p != me).for_each(|p| known.plan.size[p] = table.held(p as u8));
        known.anchor_partner();
        known.anchor_mark();
        known
    }

    /// A deal that is consistent with the view; `None` if there is none.
    fn solve(&self, draw: &mut Draw) -> Option<Deal> {
        let mut plan = self.plan;
        if !self.anchor_jesters(&mut plan, draw) {
            return None;
        }
        let mut likely = plan;
        self.expect_mark(&mut likely);
        for _ in 0..TRIES {
            let Some(mut hands) = likely.deal(self.pool, draw) else { break };
            hands[self.me] = self.view.own.hand;
            if self.moved == ExchangeProgress::All {
                self.hidden_pairs().for_each(|pair| self.pay(pair, &mut hands, draw));
            }
            if let Some(deal) = self.explain(hands, draw) {
                return Some(deal);
            }
        }
        if self.moved == ExchangeProgress::All { self.search(&plan, draw) } else { None }
    }
}

// What a view proves about the hidden hands.

/// Tributes consist of numbered cards. Players give away Jesters before all other cards.
const TAX_RULES: TaxRules = TaxRules { ranks: JESTER, last_is_spare: true };

type Plan = determinize::HandConstraints<RANKS>;
type Deal = determinize::DealtHands<RANKS>;

/// What a view proves, prepared for dealing.
struct Known<'a> {
    view: View<'a>,
    players: usize,
    me: usize,
    moved: ExchangeProgress,
    /// Whether tributes arrive before the Dalmutis choose.
    seen: bool,
    /// A position other than the viewer's, and the rank of a card dealt to it, after the replacement of an exposed
    /// card.
    mark: Option<(usize, usize)>,
    /// Cards that the viewer has not seen.
    pool: Cards,
    plan: Plan,
}

impl<'a> Known<'a> {
    fn played(&self, position: usize) -> &'a Cards {
        &self.view.table.memory.played[position]
    }

    /// The present position of the Greater Peon of the deal; a greater revolution moves it to 0.
    fn dealt_peon(&self) -> usize {
        if self.view.table.revolution == Revolution::Greater { 0 } else { self.players - 1 }
    }

    fn marked(&self) -> Option<(usize, usize)> {
        let exposed = self.view.table.exposed?;
        let receiver = usize::from(self.view.table.position[exposed.receiver.index()]);
        let (position, rank) = match exposed.fate {
            ExposedFate::Open | ExposedFate::Kept => (receiver, exposed.rank),
            ExposedFate::ToPeon if self.me == self.dealt_peon() => (receiver, self.view.own.replacement?),
            ExposedFate::ToPeon => (self.dealt_peon(), exposed.rank),
        };
        (position != self.me).then_some((position, usize::from(rank)))
    }

    /// The pairs whose taxes the viewer cannot see.
    fn hidden_pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let me = self.me as u8;
        let hidden = move |&(dalmuti, peon, _): &(u8, u8, u8)| dalmuti != me && peon != me;
        let pairs = pairs(self.players as u8).into_iter().filter(hidden);
        pairs.map(|(high, low, cards)| Pair { high: high.into(), low: low.into(), cards })
    }

    /// The two Merchants whose exchange the viewer cannot see.
    fn hidden_merchants(&self) -> Option<[usize; 2]> {
        let both = [usize::from(PROPOSER), usize::from(self.view.table.exchange?)];
        (self.moved == ExchangeProgress::All && !both.contains(&self.me)).then_some(both)
    }

    /// The partner of a position in an exchange without the viewer that has taken place or begun.
    fn hidden_partner(&self, position: usize) -> Option<usize> {
        let taxes = self.hidden_pairs().map(|pair| [pair.high, pair.low]);
        let both = taxes.chain(self.hidden_merchants()).find(|both| both.contains(&position))?;
        Some(if both[0] == position { both[1] } else { both[0] })
    }

    /// Applies the taxes of a pair to hands dealt at random.
    fn pay(&self, pair: Pair, hands: &mut PerPosition<Cards>, draw: &mut Draw) {
        let paid = |low: &Cards, count: u8, _: &mut Draw| tribute(low, count);
        pay(pair, hands, self.played(pair.high).total(), TAX_RULES, paid, draw);
    }
}

// Cards that a view proves to be in a hidden hand.

impl<'a> Known<'a> {
    /// The position with which the viewer has exchanged cards, if any have moved.
    fn partner(&self) -> Option<usize> {
        let taxed = self.me < 2 || self.me + 2 >= self.players;
        let moved = self.moved == ExchangeProgress::All || self.moved == ExchangeProgress::Tributes && taxed;
        self.view.own.partner.filter(|_| moved).map(usize::from)
    }

    /// The viewer's own exchange.
    fn exchange(&self) -> Exchange<'a, RANKS> {
        let own = self.view.own;
        let role = match self.me {
            0 | 1 => Role::High,
            me if me + 2 >= self.players => Role::Low,
            _ => Role::Equal,
        };
        Exchange { role, moved: self.moved, seen: self.seen, given: &own.given, received: &own.received }
    }

    /// Enters into the plan what the viewer's own exchange proves about the partner.
    fn anchor_partner(&mut self) {
        if let Some(partner) = self.partner() {
            let played = self.played(partner);
            self.exchange().anchor(&mut self.plan, partner, played, JESTER);
        }
    }

    /// Fixes the marked card at its position, unless an exchange that the viewer cannot see may have moved it.
    fn anchor_mark(&mut self) {
        let Some((position, rank)) = self.mark else { return };
        let own = self.view.own;
        let mut held = Cards::one(rank);
        if self.moved == ExchangeProgress::All && self.hidden_partner(position).is_some() {
            return;
        }
        if self.partner() == Some(position) {
            let peon_saw = self.seen && self.me + 2 >= self.players;
            let (came, went) = match self.moved {
                ExchangeProgress::All if peon_saw => {
                    (beyond(&own.received, &own.given), beyond(&own.given, &own.received))
                }
                ExchangeProgress::All => (own.received, own.given),
                _ if self.me < 2 => (own.received, Cards::NONE),
                _ => (Cards::NONE, own.given),
            };
            if came.0[rank] != 0 {
                return;
            }
            held.add(&went);
        }
        let missing = beyond(&held, self.played(position));
        let fixed = &mut self.plan.fixed[position];
        fixed.add(&beyond(&missing, fixed));
    }

    /// Fixes both Jesters where a revolution proves that they were dealt. Returns false if they cannot be there.
    fn anchor_jesters(&self, plan: &mut Plan, draw: &mut Draw) -> bool {
        let table = self.view.table;
        let (own, mine) = (self.view.own, self.view.own.hand.0[JESTER] + self.played(self.me).0[JESTER]);
        let allowed = |p: usize| match (table.stage, table.revolution) {
            (Stage::Dealt, _) => !table.first_deal_revolution() || p == self.players - 1,
            _ => table.caller.is_some_and(|caller| usize::from(table.position[caller.index()]) == p),
        };
        let pending = table.stage == Stage::Dealt && own.ask != Ask::Revolution;
        let called = table.revolution != Revolution::None;
        if !pending && (!called || mine == 2 && allowed(self.me)) {
            return true;
        }
        let elsewhere: u32 = plan.fixed.iter().map(|fixed| u32::from(fixed.0[JESTER])).sum();
        let ways = |p: usize| {
            let (fixed, played) = (plan.fixed[p].0[JESTER], self.played(p).0[JESTER]);
            let open = u32::from(plan.size[p]).saturating_sub(plan.fixed[p].total());
            let needed = 2u32.saturating_sub(u32::from(fixed + played));
            let possible = p != self.me
                && allowed(p)
                && played + self.pool.0[JESTER] == 2
                && u32::from(fixed) == elsewhere
                && open >= needed;
            match needed {
                _ if !possible => 0,
                2 => open * (open - 1) / 2,
                _ => 1,
            }
        };
        let all: u32 = (0..self.players).map(ways).sum();
        if all == 0 {
            return false;
        }
        let mut place = draw.below(all);
        for p in 0..self.players {
            if place < ways(p) {
                plan.fixed[p].0[JESTER] = 2 - self.played(p).0[JESTER];
                return true;
            }
            place -= ways(p);
        }
        false
    }

    /// Fixes a marked card at its receiver although a hidden exchange may have moved it, because that is most likely.
    fn expect_mark(&self, plan: &mut Plan) {
        if let Some((position, rank)) = self.mark
            && self.moved == ExchangeProgress::All
            && let Some(partner) = self.hidden_partner(position)
            && self.played(position).0[rank] + self.played(partner).0[rank] + plan.fixed[position].0[rank]
                == 0
            && plan.open(position) > 0
            && plan.fixed.iter().map(|fixed| fixed.0[rank]).sum::<u8>() < self.pool.0[rank]
        {
            plan.fixed[position].0[rank] += 1;
        }
    }
}

// Private states for a determinized deal: exchanges, replacements, and the decision that is due.

impl Known<'_> {
    /// The cards dealt to a position, after the replacement of an exposed card.
    fn dealt(&self, deal: &Deal, position: usize) -> Cards {
        deal.dealt(position, self.played(position))
    }

    /// The private state of every position, and the position that decides before the play.
    fn owners(&self, deal: Deal, draw: &mut Draw) -> (PerPosition<PrivateState>, u8) {
        let table = self.view.table;
        let mut own = [PrivateState::dealt(Cards::NONE); MAX_SEATS];
        for (p, own) in own.iter_mut().enumerate().take(self.players) {
            (own.hand, own.given, own.received) = (deal.hands[p], deal.given[p], deal.received[p]);
        }
        if table.taxes() && matches!(table.stage, Stage::Taxes | Stage::Play) {
            let merchants = table.exchange.map(|target| (PROPOSER, target));
            for (a, b) in pairs(table.players()).map(|(a, b, _)| (a, b)).into_iter().chain(merchants) {
                own[usize::from(a)].partner = Some(b);
                own[usize::from(b)].partner = Some(a);
            }
        }
        if let Some(exposed) = table.exposed
            && exposed.fate == ExposedFate::ToPeon
        {
            let (peon, receiver) = (self.dealt_peon(), usize::from(table.position[exposed.receiver.index()]));
            let seen_card = self.view.own.replacement.filter(|_| self.me == peon || self.me == receiver);
            let card = seen_card.unwrap_or_else(|| random_card(&self.dealt(&deal, receiver), draw) as u8);
            own[peon].replacement = Some(card);
            own[receiver].replacement = Some(card);
        }
        own[self.me] = *self.view.own;
        let asking = self.ask(&mut own, draw);
        (own, asking)
    }

    /// The position that decides before the play: the viewer's if the viewer is asked, else the first that is possible
    /// from the viewer's perspective. Fills in the picks made before.
    fn ask(&self, own: &mut PerPosition<PrivateState>, draw: &mut Draw) -> u8 {
        let (table, mine) = (self.view.table, self.view.own);
        let (asking, ask) = match table.stage {
            Stage::Play => return 0,
            Stage::Misdeal => (0, Ask::Misdeal),
            Stage::Dealt => {
                let holder = (0..self.players).find(|&p| own[p].hand.0[JESTER] == 2);
                (holder.unwrap_or(0), Ask::Revolution)
            }
            Stage::Taxes => self.ask_tax(own, draw),
        };
        if mine.ask != Ask::Nothing {
            return self.me as u8;
        }
        own[asking].ask = ask;
        asking as u8
    }

    fn ask_tax(&self, own: &mut PerPosition<PrivateState>, draw: &mut Draw) -> (usize, Ask) {
        let (table, mine) = (self.view.table, self.view.own);
        let proposer = usize::from(PROPOSER);
        let target = table.exchange.map(usize::from);
        let (asking, ask) = match (mine.ask, target) {
            (ask, _) if ask != Ask::Nothing => (self.me, ask),
            (_, Some(target)) if self.me == proposer => (target, Ask::Exchange),
            (_, Some(_)) => (proposer, Ask::Exchange),
            (_, None) if self.me == 0 => (1, Ask::Tax),
            (_, None) if self.me == 1 && mine.given != Cards::NONE => (proposer, Ask::Offer),
            (_, None) => (0, Ask::Tax),
        };
        let mut picked = |position: usize, cards: u8| {
            if position != self.me {
                own[position].given = spare(own[position].hand, cards, TAX_RULES, draw);
            }
        };
        if asking != 0 {
            picked(0, 2);
        }
        if asking > 1 {
            picked(1, 1);
        }
        if target == Some(asking) {
            picked(proposer, 1);
        }
        (asking, ask)
    }
}

//! Cards that a view proves to be in a hidden hand.

use cardsharp_climbing::redeal::{Exchange, Moved, Role, beyond};
use cardsharp_engine::rng::Draw;

use super::known::{Known, Plan};
use crate::deck::{Cards, JESTER, RANKS};
use crate::table::{Ask, Revolution, Stage};

impl<'a> Known<'a> {
    /// The position with which the viewer has exchanged cards, if any have moved.
    pub(super) fn partner(&self) -> Option<usize> {
        let taxed = self.me < 2 || self.me + 2 >= self.players;
        let moved = self.moved == Moved::All || self.moved == Moved::Tributes && taxed;
        self.view.own.partner.filter(|_| moved).map(usize::from)
    }

    /// The viewer's own exchange.
    pub(super) fn exchange(&self) -> Exchange<'a, RANKS> {
        let own = self.view.own;
        let role = match self.me {
            0 | 1 => Role::High,
            me if me + 2 >= self.players => Role::Low,
            _ => Role::Equal,
        };
        Exchange { role, moved: self.moved, seen: self.seen, given: &own.given, received: &own.received }
    }

    /// Enters into the plan what the viewer's own exchange proves about the partner.
    pub(super) fn anchor_partner(&mut self) {
        if let Some(partner) = self.partner() {
            let played = self.played(partner);
            self.exchange().anchor(&mut self.plan, partner, played, JESTER);
        }
    }

    /// Fixes the marked card at its position, unless an exchange that the viewer cannot see may have moved it.
    pub(super) fn anchor_mark(&mut self) {
        let Some((position, rank)) = self.mark else { return };
        let own = self.view.own;
        let mut held = Cards::one(rank);
        if self.moved == Moved::All && self.hidden_partner(position).is_some() {
            return;
        }
        if self.partner() == Some(position) {
            let peon_saw = self.seen && self.me + 2 >= self.players;
            let (came, went) = match self.moved {
                Moved::All if peon_saw => {
                    (beyond(&own.received, &own.given), beyond(&own.given, &own.received))
                }
                Moved::All => (own.received, own.given),
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
    pub(super) fn anchor_jesters(&self, plan: &mut Plan, draw: &mut Draw) -> bool {
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
    pub(super) fn expect_mark(&self, plan: &mut Plan) {
        if let Some((position, rank)) = self.mark
            && self.moved == Moved::All
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

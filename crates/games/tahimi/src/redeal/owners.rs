//! Private states for a determinized deal: exchanges, and the decision that is due.

use cardsharp_climbing::redeal::{Each, spare};
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::rng::Draw;

use super::known::{Deal, Known, jokers_last};
use crate::deck::{Cards, JOKER};
use crate::table::{Ask, Own, Stage};
use crate::variant::JokerOrder;

impl Known<'_> {
    /// The private state of every position, and the position that decides before the play.
    pub(super) fn owners(&self, mut deal: Deal, draw: &mut Draw) -> (Each<Own>, u8) {
        let table = self.view.table;
        let asking = match table.stage {
            Stage::Decree => 0,
            Stage::Taxes if self.is_before_tributes() => self.ask_jokers(&mut deal, draw),
            Stage::Taxes => self.ask_return(&mut deal, draw),
            Stage::Play => 0,
        };
        let mut own = [Own::dealt(Cards::NONE); MAX_SEATS];
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
            deal.given[pair.high] = spare(deal.hands[pair.high], picked, self.custom(), draw);
        }
        asking
    }
}

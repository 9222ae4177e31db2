//! Private states for a determinized deal: exchanges, replacements, and the decision that is due.

use cardsharp_climbing::random_card;
use cardsharp_climbing::redeal::{Each, spare};
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::rng::Draw;

use super::known::{CUSTOM, Deal, Known};
use crate::deck::{Cards, JESTER};
use crate::table::{Ask, ExposedFate, Own, PROPOSER, Stage, pairs};

impl Known<'_> {
    /// The cards dealt to a position, after the replacement of an exposed card.
    fn dealt(&self, deal: &Deal, position: usize) -> Cards {
        deal.dealt(position, self.played(position))
    }

    /// The private state of every position, and the position that decides before the play.
    pub(super) fn owners(&self, deal: Deal, draw: &mut Draw) -> (Each<Own>, u8) {
        let table = self.view.table;
        let mut own = [Own::dealt(Cards::NONE); MAX_SEATS];
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
            let told = self.view.own.replacement.filter(|_| self.me == peon || self.me == receiver);
            let card = told.unwrap_or_else(|| random_card(&self.dealt(&deal, receiver), draw) as u8);
            own[peon].replacement = Some(card);
            own[receiver].replacement = Some(card);
        }
        own[self.me] = *self.view.own;
        let asking = self.ask(&mut own, draw);
        (own, asking)
    }

    /// The position that decides before the play: the viewer's if the viewer is asked, else the first that is possible
    /// from the viewer's perspective. Fills in the picks made before.
    fn ask(&self, own: &mut Each<Own>, draw: &mut Draw) -> u8 {
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

    fn ask_tax(&self, own: &mut Each<Own>, draw: &mut Draw) -> (usize, Ask) {
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
                own[position].given = spare(own[position].hand, cards, CUSTOM, draw);
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

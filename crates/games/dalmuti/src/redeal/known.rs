//! What a view proves about the hidden hands.

use cardsharp_climbing::redeal::{self, Custom, Each, Moved, Pair, pay};
use cardsharp_engine::rng::Draw;

use crate::deck::{Cards, JESTER, RANKS};
use crate::state::View;
use crate::table::{ExposedFate, PROPOSER, Revolution, pairs, tribute};

/// Tributes consist of numbered cards. Players give away Jesters before all other cards.
pub const CUSTOM: Custom = Custom { ranks: JESTER, last_is_spare: true };

pub type Plan = redeal::Plan<RANKS>;
pub type Deal = redeal::Deal<RANKS>;

/// What a view proves, prepared for dealing.
pub struct Known<'a> {
    pub view: View<'a>,
    pub players: usize,
    pub me: usize,
    pub moved: Moved,
    /// Whether tributes arrive before the Dalmutis choose.
    pub seen: bool,
    /// A position other than the viewer's, and the rank of a card dealt to it, after the replacement of an exposed
    /// card.
    pub mark: Option<(usize, usize)>,
    /// Cards that the viewer has not seen.
    pub pool: Cards,
    pub plan: Plan,
}

impl<'a> Known<'a> {
    pub fn played(&self, position: usize) -> &'a Cards {
        &self.view.table.memory.played[position]
    }

    /// The present position of the Greater Peon of the deal; a greater revolution moves it to 0.
    pub fn dealt_peon(&self) -> usize {
        if self.view.table.revolution == Revolution::Greater { 0 } else { self.players - 1 }
    }

    pub fn marked(&self) -> Option<(usize, usize)> {
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
    pub fn hidden_pairs(&self) -> impl Iterator<Item = Pair> + use<> {
        let me = self.me as u8;
        let hidden = move |&(dalmuti, peon, _): &(u8, u8, u8)| dalmuti != me && peon != me;
        let pairs = pairs(self.players as u8).into_iter().filter(hidden);
        pairs.map(|(high, low, cards)| Pair { high: high.into(), low: low.into(), cards })
    }

    /// The two Merchants whose exchange the viewer cannot see.
    pub fn hidden_merchants(&self) -> Option<[usize; 2]> {
        let both = [usize::from(PROPOSER), usize::from(self.view.table.exchange?)];
        (self.moved == Moved::All && !both.contains(&self.me)).then_some(both)
    }

    /// The partner of a position in an exchange without the viewer that has taken place or begun.
    pub fn hidden_partner(&self, position: usize) -> Option<usize> {
        let taxes = self.hidden_pairs().map(|pair| [pair.high, pair.low]);
        let both = taxes.chain(self.hidden_merchants()).find(|both| both.contains(&position))?;
        Some(if both[0] == position { both[1] } else { both[0] })
    }

    /// Applies the taxes of a pair to hands dealt at random.
    pub fn pay(&self, pair: Pair, hands: &mut Each<Cards>, draw: &mut Draw) {
        let paid = |low: &Cards, count: u8, _: &mut Draw| tribute(low, count);
        pay(pair, hands, self.played(pair.high).total(), CUSTOM, paid, draw);
    }
}

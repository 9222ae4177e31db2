//! Leaks in Tachtigen: the partner, the kitty, and the discarded card.

use cardsharp_engine::ActionId;
use cardsharp_engine::Play;
use cardsharp_engine::testing::leaks::Secrets;

use crate::{RoemClaims, Round, Stage};

impl Secrets for Round {
    const SESSIONS: u64 = 400;

    /// Before the play, a deal or the kitty may follow an action. In the play, roem and open hands may appear: with
    /// the bidder's first card, with the asked card, and with the fifth card of all.
    fn shows_only_itself(&self, action: ActionId) -> bool {
        let mut after = *self;
        after.play(action);
        let (was, is) = (self.table(), after.table());
        let dealt = is.redeals != was.redeals || is.kitty != was.kitty;
        let claimed = is.roem != was.roem && is.rules.roem_claims == RoemClaims::Auto;
        was.stage != Stage::Claim && !dealt && !claimed && is.open == was.open
    }

    /// Everyone sees what follows the discard.
    fn visibly_moved_on(&self, after: &Self) -> bool {
        self.table().stage != after.table().stage
    }
}

cardsharp_engine::leak_tests!(Round);

//! Tachtigen: the partner, the kitty and the card put aside.

use cardsharp_env::ActionId;
use cardsharp_env::Play;
use cardsharp_env::games::tachtigen::Round;
use cardsharp_env::games::tachtigen::rules::RoemClaims;
use cardsharp_env::games::tachtigen::table::Stage;

use super::Secrets;

impl Secrets for Round {
    const SESSIONS: u64 = 400;

    /// Before the play a deal or the kitty may follow; in the play roem and open hands, which come
    /// with the bidder's first card, the asked card and the fifth card of all.
    fn shows_only_itself(&self, action: ActionId) -> bool {
        let mut after = *self;
        after.play(action);
        let (was, is) = (self.table(), after.table());
        let dealt = is.redeals != was.redeals || is.kitty != was.kitty;
        let told = is.roem != was.roem && is.rules.roem_claims == RoemClaims::Auto;
        was.stage != Stage::Claim && !dealt && !told && is.open == was.open
    }

    /// What follows the discard is seen by all.
    fn visibly_moved_on(&self, after: &Self) -> bool {
        self.table().stage != after.table().stage
    }
}

#[test]
fn an_action_shows_only_what_it_puts_on_the_table() {
    super::an_action_shows_only_what_it_puts_on_the_table::<Round>();
}

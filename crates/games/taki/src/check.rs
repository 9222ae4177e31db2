//! Consistency checks of a table, a view and a complete game, recomputed from scratch.

mod owner;
mod public;
mod stage;
mod whole;

use cardsharp_engine::game::Check;
use cardsharp_engine::game::ViewError;
use cardsharp_engine::game::{ensure, some_deal};
use cardsharp_engine::rules::Rules as _;
use whole::audit;

use super::redeal;
use super::{Round, View};

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        public::check(view.table).map_err(ViewError::Impossible)?;
        owner::check(view).and_then(|()| owner::past(view)).map_err(ViewError::Impossible)?;
        some_deal(redeal::is_possible(view))
    }

    fn audit(&self) -> Result<(), String> {
        audit(self)
    }
}

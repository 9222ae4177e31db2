//! Views and event logs with random changes: each is refused with a reason, or works in all functions.

use cardsharp_env::testing::Changes;

use crate::Round;

const CHANGES: Changes = Changes::with(
    &["8h", "2c", "As'", "Qd", "5s"],
    &["turn", "suit", "over", "up", "down", "clubs", "by_rank", "places", ""],
);

cardsharp_env::view_tests!(Round, CHANGES, 40);

//! The game satisfies the conformance suite.

use cardsharp_engine::testing;

use crate::GAME;

#[test]
fn a_million_random_decisions_conform() {
    testing::a_million_random_decisions_conform(GAME);
}

#[test]
fn the_same_seed_checks_the_same_decisions() {
    testing::the_same_seed_checks_the_same_decisions(GAME);
}

//! The game satisfies the conformance suite.

use cardsharp_engine::testing;

use crate::game;

#[test]
fn random_decisions_conform() {
    testing::random_decisions_conform(game());
}

#[test]
fn the_same_seed_checks_the_same_decisions() {
    testing::the_same_seed_checks_the_same_decisions(game());
}

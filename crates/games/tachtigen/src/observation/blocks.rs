//! The blocks of the observation row.

use cardsharp_engine::blocks;
use cardsharp_engine::blocks::width;

use crate::course::{HAND as CARDS_DEALT, PLAYS};
use crate::deck::CARDS;
use crate::ladder::RUNGS;
use crate::rules::Rules;
use crate::seats::SEATS;

/// Tricks in a deal.
pub(super) const HAND_SIZE: usize = CARDS_DEALT;
/// The most tens of roem that a cell shows; no nine cards have more.
pub(super) const ROEM_MOST: u16 = 40;

blocks! {
    /// All cells.
    pub(super) OBSERVATION {
        pub(super) HAND: "hand", CARDS, 1, "Own cards: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.";
        pub(super) UNSEEN: "unseen", CARDS, 1, "Cards the viewer has not seen: in others' closed hands, or put aside.";
        pub(super) PHASE: "phase", 7, 1, "The phase of the viewer's decision, one-hot: opening, auction, discard, \
            trump, ask, play, claim. All 0 when no decision is due.";
        pub(super) DEALER: "dealer", SEATS, 1, "The dealer, one-hot by seats clockwise from the viewer (0 is the \
            viewer).";
        pub(super) ORDER: "order", SEATS, 4, "Until a player opens: the place of each seat in the opening order, 1 \
            to 4; by seats clockwise from the viewer.";
        pub(super) HELD: "held", SEATS, 1, "Players who have held, by seats clockwise from the viewer.";
        pub(super) PASSED: "passed", SEATS, 1, "Players who have passed, by seats clockwise from the viewer.";
        pub(super) BIDS: "bids", SEATS, 71, "The last bid of each seat as its place on the ladder, 1 (80) to 71; 0 for none; by seats clockwise from the viewer.";
        pub(super) HIGH: "high", RUNGS, 1, "The highest bid by its place on the ladder, one-hot.";
        pub(super) HIGH_SEAT: "high_seat", SEATS, 1, "The highest bidder, one-hot by seats clockwise from the viewer.";
        pub(super) KIND: "kind", 8, 1, "The contract of the highest bid, one-hot: points, misere, zwabber, ouverte, \
            praatje, prive, praatje and prive uit de hand.";
        pub(super) SETTLED: "settled", 1, 1, "1 if the auction is over: the highest bid is the contract.";
        pub(super) TRUMP: "trump", 5, 1, "Trump, one-hot: spades, hearts, diamonds, clubs, none.";
        pub(super) ASKED: "asked", CARDS, 1, "The asked card.";
        pub(super) SOLO: "solo", 1, 1, "1 if the bidder plays alone.";
        pub(super) CALLED: "called", 1, 1, "1 if the asked card is called in this trick.";
        pub(super) MY_PARTNER: "is_partner", 1, 1, "1 if the viewer holds, or held, the asked card, and so is the \
            partner.";
        pub(super) PARTNER_SEAT: "partner", SEATS, 1, "The partner, once public; by seats clockwise from the viewer.";
        pub(super) ANNOUNCED: "announced", 2, 1, "Whether the bidder, and the partner, have announced their roem.";
        pub(super) ROEM: "roem", 2, 32, "The roem they announced, in tens.";
        pub(super) OWN_ROEM: "own_roem",
    5,
    40,
    "Before the play: roem in the viewer's hand, in tens, for trump spades, hearts, diamonds, clubs, none (those \
        still possible).";
        pub(super) ASKABLE: "askable", CARDS, 1, "When asking: the cards that can be asked for.";
        pub(super) KITTY: "kitty", CARDS, 1, "The kitty, once the bidder has taken it.";
        pub(super) DISCARD: "discard", CARDS, 1, "The card the viewer put aside.";
        pub(super) LEADER: "leader", SEATS, 1, "The leader of the trick, one-hot by seats clockwise from the viewer.";
        pub(super) TRICK_NUMBER: "trick_number", HAND_SIZE, 1, "The number of the trick, one-hot.";
        pub(super) LED: "led", 4, 1, "The suit led: spades, hearts, diamonds, clubs.";
        pub(super) BEST: "best", SEATS, 1, "The player winning the trick, one-hot by seats clockwise from the viewer.";
        pub(super) TRICK: "trick", SEATS * CARDS, 1, "The card each seat has played to the trick, by seats clockwise from the viewer.";
        pub(super) WHEN: "when", CARDS, PLAYS as u8, "For each card its place in the order of play, 1 to 32; 0 if \
            it has not been played.";
        pub(super) PLAYED: "played", SEATS * CARDS, 1, "Cards each seat has played, by seats clockwise from the viewer.";
        pub(super) SHOWN: "shown", SEATS * CARDS, 1, "Cards in open hands, by seats clockwise from the viewer.";
        pub(super) LACKS: "lacks", (SEATS - 1) * CARDS, 1, "For each other seat the unseen cards it has proven not to hold, clockwise from the viewer.";
        pub(super) VOID: "void", (SEATS - 1) * 4, 1, "For each other seat and suit: 1 if the suit has unseen cards \
            and the seat has proven to hold none of them.";
        pub(super) WON: "won", SEATS, 8, "Tricks won, by seats clockwise from the viewer.";
        pub(super) POINTS: "points", SEATS, 141, "Points in those tricks, by seats clockwise from the viewer.";
        pub(super) REFUSED: "refused", SEATS, 8, "Trump leads to which each seat played another suit, by seats \
            clockwise from the viewer.";
        pub(super) SCORES: "scores", SEATS, 200, "Points before this deal in tens plus 100, between 0 and 200; by seats clockwise from the viewer.";
        pub(super) DEALS_LEFT: "deals_left", 1, 40, "Deals of the session left after this one, at most 40.";
        pub(super) OPTIONS: "options",
    Rules::SHOWN.len(),
    2,
    "Rules in force, each as the index of its value (false is 0, true is 1): \
         opening_order, all_hold, trump_points, trump_zwabber, trump_misere, trump_prive, ask_scope, ask_discard, \
         first_leader, ruff_while_able, must_ruff_when_void, undertrump, must_overtake_trump_lead, jack_exempt_ruff, \
         forced_trump_wins_called, roem_overlap, honour_tens, partner_roem_basis, roem_claims, overclaim, round_half, \
         discard_points, bonus_scope, solo_double_scope, point_score, partner_share, early_stop, reward.";
        pub(super) JACKS: "jack_exempt_count", 1, 8, "The option jack_exempt_count, at most 8.";
        pub(super) BONUS: "all_tricks_bonus", 1, 50, "The option all_tricks_bonus in tens.";
        pub(super) MOST: "max_point_bid", 1, 66, "The option max_point_bid as its place on the ladder, from 0 (80).";
    }
}

/// Number of cells of a row.
pub(super) const WIDTH: usize = width(OBSERVATION);

blocks! {
    /// What [`Observe::reveal`](cardsharp_engine::game::Observe::reveal) writes.
    pub(super) HIDDEN {
        pub(super) HANDS: "hands", (SEATS - 1) * CARDS, 1, "The others' hands, clockwise from the viewer.";
        pub(super) ASIDE: "aside", CARDS, 1, "The kitty, or the card put aside.";
        pub(super) HOLDER: "holder", SEATS, 1, "The seat that holds, or played, the asked card; by seats clockwise \
            from the viewer.";
    }
}

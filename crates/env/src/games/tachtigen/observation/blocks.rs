//! The cells of a row, in named blocks.

use crate::blocks;
use crate::games::tachtigen::course::{HAND as CARDS_DEALT, PLAYS};
use crate::games::tachtigen::deck::CARDS;
use crate::games::tachtigen::ladder::RUNGS;
use crate::games::tachtigen::rules::Rules;
use crate::games::tachtigen::seats::SEATS;
use crate::ground::blocks::width;

/// Tricks in a deal.
pub(super) const HAND_SIZE: usize = CARDS_DEALT;
/// The most tens of roem a cell shows: more than any nine cards have.
pub(super) const ROEM_MOST: u16 = 40;

blocks! {
    /// All cells.
    pub(super) OBSERVATION {
        pub(super) HAND: "hand", CARDS, 1, "Own cards: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.";
        pub(super) UNSEEN: "unseen", CARDS, 1, "Cards the viewer has not seen: in others' closed hands, or put aside.";
        pub(super) PHASE: "phase", 7, 1, "The viewer's decision that is due, one-hot: opening, auction, discard, trump, ask, play, claim. All 0 when none is.";
        pub(super) DEALER: "dealer", SEATS, 1, "Who dealt, one-hot by seats clockwise from the viewer (0 is the viewer).";
        pub(super) ORDER: "order", SEATS, 4, "Until somebody opens: which one to be asked each seat is, 1 to 4; by seats clockwise from the viewer.";
        pub(super) HELD: "held", SEATS, 1, "Who has held, by seats clockwise from the viewer.";
        pub(super) PASSED: "passed", SEATS, 1, "Who has passed, by seats clockwise from the viewer.";
        pub(super) BIDS: "bids", SEATS, 71, "The last bid of each seat as its place on the ladder, 1 (80) to 71; 0 for none; by seats clockwise from the viewer.";
        pub(super) HIGH: "high", RUNGS, 1, "The highest bid by its place on the ladder, one-hot.";
        pub(super) HIGH_SEAT: "high_seat", SEATS, 1, "Who made it, one-hot by seats clockwise from the viewer.";
        pub(super) KIND: "kind", 8, 1, "What it promises, one-hot: points, misere, zwabber, ouverte, praatje, prive, praatje and prive uit de hand.";
        pub(super) SETTLED: "settled", 1, 1, "The auction is over: it is the contract.";
        pub(super) TRUMP: "trump", 5, 1, "Trump, one-hot: spades, hearts, diamonds, clubs, none.";
        pub(super) ASKED: "asked", CARDS, 1, "The asked card.";
        pub(super) SOLO: "solo", 1, 1, "The bidder plays alone.";
        pub(super) CALLED: "called", 1, 1, "The asked card is called in this trick.";
        pub(super) MY_PARTNER: "is_partner", 1, 1, "The viewer holds, or held, the asked card: he is the partner.";
        pub(super) PARTNER_SEAT: "partner", SEATS, 1, "The partner, once everybody knows him; by seats clockwise from the viewer.";
        pub(super) ANNOUNCED: "announced", 2, 1, "Whether the bidder, and the partner, have announced their roem.";
        pub(super) ROEM: "roem", 2, 32, "The roem they announced, in tens.";
        pub(super) OWN_ROEM: "own_roem",
    5,
    40,
    "Before the play: roem in the viewer's hand, in tens, if trump is spades, hearts, diamonds, clubs, none (as far as \
         that is open).";
        pub(super) ASKABLE: "askable", CARDS, 1, "When asking: the cards that can be asked for.";
        pub(super) KITTY: "kitty", CARDS, 1, "The card from the middle, once the bidder has taken it.";
        pub(super) DISCARD: "discard", CARDS, 1, "The card the viewer put aside.";
        pub(super) LEADER: "leader", SEATS, 1, "Who leads, or led, to the trick; one-hot by seats clockwise from the viewer.";
        pub(super) TRICK_NUMBER: "trick_number", HAND_SIZE, 1, "The number of the trick, one-hot.";
        pub(super) LED: "led", 4, 1, "The suit led: spades, hearts, diamonds, clubs.";
        pub(super) BEST: "best", SEATS, 1, "Who is winning the trick, one-hot by seats clockwise from the viewer.";
        pub(super) TRICK: "trick", SEATS * CARDS, 1, "The card each seat has played to the trick, by seats clockwise from the viewer.";
        pub(super) WHEN: "when", CARDS, PLAYS as u8, "For each card the number with which it was played, 1 to 32; 0 if it was not.";
        pub(super) PLAYED: "played", SEATS * CARDS, 1, "Cards each seat has played, by seats clockwise from the viewer.";
        pub(super) SHOWN: "shown", SEATS * CARDS, 1, "Hands that lie open, by seats clockwise from the viewer.";
        pub(super) LACKS: "lacks", (SEATS - 1) * CARDS, 1, "For each other seat the unseen cards it has proven not to hold, clockwise from the viewer.";
        pub(super) VOID: "void", (SEATS - 1) * 4, 1, "For each other seat and suit: cards of it are unseen, and the seat has proven to hold none of them.";
        pub(super) WON: "won", SEATS, 8, "Tricks won, by seats clockwise from the viewer.";
        pub(super) POINTS: "points", SEATS, 141, "Points in those tricks, by seats clockwise from the viewer.";
        pub(super) REFUSED: "refused", SEATS, 8, "On how many trump leads each seat played another suit, by seats clockwise from the viewer.";
        pub(super) SCORES: "scores", SEATS, 200, "Points before this deal in tens plus 100, between 0 and 200; by seats clockwise from the viewer.";
        pub(super) DEALS_LEFT: "deals_left", 1, 40, "Deals of the session left after this one, at most 40.";
        pub(super) OPTIONS: "options",
    Rules::SHOWN.len(),
    2,
    "Rules in force, each as the number of its value, the default of most being 0 (of true or false 1 is true): \
         opening_order, all_hold, trump_points, trump_zwabber, trump_misere, trump_prive, ask_scope, ask_discard, \
         first_leader, ruff_while_able, must_ruff_when_void, undertrump, must_overtake_trump_lead, jack_exempt_ruff, \
         forced_trump_wins_called, roem_overlap, honour_tens, partner_roem_basis, roem_claims, overclaim, round_half, \
         discard_points, bonus_scope, solo_double_scope, point_score, partner_share, early_stop, reward.";
        pub(super) JACKS: "jack_exempt_count", 1, 8, "The option jack_exempt_count, at most 8.";
        pub(super) BONUS: "all_tricks_bonus", 1, 50, "The option all_tricks_bonus in tens.";
        pub(super) MOST: "max_point_bid", 1, 66, "The option max_point_bid as its place on the ladder, from 0 (80).";
    }
}

/// Cells of a row.
pub(super) const WIDTH: usize = width(OBSERVATION);

blocks! {
    /// What [`Observe::reveal`](crate::game::Observe::reveal) writes.
    pub(super) HIDDEN {
        pub(super) HANDS: "hands", (SEATS - 1) * CARDS, 1, "The others' hands, clockwise from the viewer.";
        pub(super) ASIDE: "aside", CARDS, 1, "The card in the middle, or put aside.";
        pub(super) HOLDER: "holder", SEATS, 1, "Who holds, or played, the asked card; by seats clockwise from the viewer.";
    }
}

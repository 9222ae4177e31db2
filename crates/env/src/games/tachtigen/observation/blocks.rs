//! The cells of a row, in named blocks.

use crate::games::tachtigen::deck::CARDS;
use crate::games::tachtigen::ladder::RUNGS;
use crate::games::tachtigen::table::{HAND as CARDS_DEALT, PLAYS, SEATS};
use crate::ground::blocks::{Block, width};

/// Tricks in a deal.
pub(super) const HAND_SIZE: usize = CARDS_DEALT;
/// The most tens of roem a cell shows: more than any nine cards have.
pub(super) const ROEM_MOST: u16 = 40;

pub(super) const HAND: Block = Block::first(
    "hand",
    CARDS,
    1,
    "Own cards: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.",
);
pub(super) const UNSEEN: Block =
    HAND.then("unseen", CARDS, 1, "Cards the viewer has not seen: in others' closed hands, or put aside.");
pub(super) const PHASE: Block = UNSEEN.then(
    "phase",
    7,
    1,
    "The viewer's decision that is due, one-hot: opening, auction, discard, trump, ask, play, claim. All 0 when none is.",
);
pub(super) const DEALER: Block = PHASE.then(
    "dealer",
    SEATS,
    1,
    "Who dealt, one-hot by seats clockwise from the viewer (0 is the viewer).",
);
pub(super) const ORDER: Block = DEALER.then(
    "order",
    SEATS,
    4,
    "Until somebody opens: which one to be asked each seat is, 1 to 4; by seats clockwise from the viewer.",
);
pub(super) const HELD: Block =
    ORDER.then("held", SEATS, 1, "Who has held, by seats clockwise from the viewer.");
pub(super) const PASSED: Block =
    HELD.then("passed", SEATS, 1, "Who has passed, by seats clockwise from the viewer.");
pub(super) const BIDS: Block = PASSED.then(
    "bids",
    SEATS,
    71,
    "The last bid of each seat as its place on the ladder, 1 (80) to 71; 0 for none; by seats clockwise from the viewer.",
);
pub(super) const HIGH: Block =
    BIDS.then("high", RUNGS, 1, "The highest bid by its place on the ladder, one-hot.");
pub(super) const HIGH_SEAT: Block =
    HIGH.then("high_seat", SEATS, 1, "Who made it, one-hot by seats clockwise from the viewer.");
pub(super) const KIND: Block = HIGH_SEAT.then(
    "kind",
    8,
    1,
    "What it promises, one-hot: points, misere, zwabber, ouverte, praatje, prive, praatje and prive uit de hand.",
);
pub(super) const SETTLED: Block = KIND.then("settled", 1, 1, "The auction is over: it is the contract.");
pub(super) const TRUMP: Block =
    SETTLED.then("trump", 5, 1, "Trump, one-hot: spades, hearts, diamonds, clubs, none.");
pub(super) const ASKED: Block = TRUMP.then("asked", CARDS, 1, "The asked card.");
pub(super) const SOLO: Block = ASKED.then("solo", 1, 1, "The bidder plays alone.");
pub(super) const CALLED: Block = SOLO.then("called", 1, 1, "The asked card is called in this trick.");
pub(super) const MY_PARTNER: Block =
    CALLED.then("is_partner", 1, 1, "The viewer holds, or held, the asked card: he is the partner.");
pub(super) const PARTNER_SEAT: Block = MY_PARTNER.then(
    "partner",
    SEATS,
    1,
    "The partner, once everybody knows him; by seats clockwise from the viewer.",
);
pub(super) const ANNOUNCED: Block =
    PARTNER_SEAT.then("announced", 2, 1, "Whether the bidder, and the partner, have announced their roem.");
pub(super) const ROEM: Block = ANNOUNCED.then("roem", 2, 32, "The roem they announced, in tens.");
pub(super) const OWN_ROEM: Block = ROEM.then(
    "own_roem",
    5,
    40,
    "Before the play: roem in the viewer's hand, in tens, if trump is spades, hearts, diamonds, clubs, none (as far as \
     that is open).",
);
pub(super) const ASKABLE: Block =
    OWN_ROEM.then("askable", CARDS, 1, "When asking: the cards that can be asked for.");
pub(super) const KITTY: Block =
    ASKABLE.then("kitty", CARDS, 1, "The card from the middle, once the bidder has taken it.");
pub(super) const DISCARD: Block = KITTY.then("discard", CARDS, 1, "The card the viewer put aside.");
pub(super) const LEADER: Block = DISCARD.then(
    "leader",
    SEATS,
    1,
    "Who leads, or led, to the trick; one-hot by seats clockwise from the viewer.",
);
pub(super) const TRICK_NUMBER: Block =
    LEADER.then("trick_number", HAND_SIZE, 1, "The number of the trick, one-hot.");
pub(super) const LED: Block =
    TRICK_NUMBER.then("led", 4, 1, "The suit led: spades, hearts, diamonds, clubs.");
pub(super) const BEST: Block =
    LED.then("best", SEATS, 1, "Who is winning the trick, one-hot by seats clockwise from the viewer.");
pub(super) const TRICK: Block = BEST.then(
    "trick",
    SEATS * CARDS,
    1,
    "The card each seat has played to the trick, by seats clockwise from the viewer.",
);
pub(super) const WHEN: Block = TRICK.then(
    "when",
    CARDS,
    PLAYS as u8,
    "For each card the number with which it was played, 1 to 32; 0 if it was not.",
);
pub(super) const PLAYED: Block =
    WHEN.then("played", SEATS * CARDS, 1, "Cards each seat has played, by seats clockwise from the viewer.");
pub(super) const SHOWN: Block =
    PLAYED.then("shown", SEATS * CARDS, 1, "Hands that lie open, by seats clockwise from the viewer.");
pub(super) const LACKS: Block = SHOWN.then(
    "lacks",
    (SEATS - 1) * CARDS,
    1,
    "For each other seat the unseen cards it has proven not to hold, clockwise from the viewer.",
);
pub(super) const VOID: Block = LACKS.then(
    "void",
    (SEATS - 1) * 4,
    1,
    "For each other seat and suit: cards of it are unseen, and the seat has proven to hold none of them.",
);
pub(super) const WON: Block = VOID.then("won", SEATS, 8, "Tricks won, by seats clockwise from the viewer.");
pub(super) const POINTS: Block =
    WON.then("points", SEATS, 141, "Points in those tricks, by seats clockwise from the viewer.");
pub(super) const REFUSED: Block = POINTS.then(
    "refused",
    SEATS,
    8,
    "On how many trump leads each seat played another suit, by seats clockwise from the viewer.",
);
pub(super) const SCORES: Block = REFUSED.then(
    "scores",
    SEATS,
    200,
    "Points before this deal in tens plus 100, between 0 and 200; by seats clockwise from the viewer.",
);
pub(super) const DEALS_LEFT: Block =
    SCORES.then("deals_left", 1, 40, "Deals of the session left after this one, at most 40.");
pub(super) const OPTIONS: Block = DEALS_LEFT.then(
    "options",
    28,
    2,
    "Rules in force, each as the number of its value, the default of most being 0 (of true or false 1 is true): \
     opening_order, all_hold, trump_points, trump_zwabber, trump_misere, trump_prive, ask_scope, ask_discard, \
     first_leader, ruff_while_able, must_ruff_when_void, undertrump, must_overtake_trump_lead, jack_exempt_ruff, \
     forced_trump_wins_called, roem_overlap, honour_tens, partner_roem_basis, roem_claims, overclaim, round_half, \
     discard_points, bonus_scope, solo_double_scope, point_score, partner_share, early_stop, reward.",
);
pub(super) const JACKS: Block =
    OPTIONS.then("jack_exempt_count", 1, 8, "The option jack_exempt_count, at most 8.");
pub(super) const BONUS: Block = JACKS.then("all_tricks_bonus", 1, 50, "The option all_tricks_bonus in tens.");
pub(super) const MOST: Block =
    BONUS.then("max_point_bid", 1, 66, "The option max_point_bid as its place on the ladder, from 0 (80).");

/// All cells.
pub const OBSERVATION: &[Block] = &[
    HAND,
    UNSEEN,
    PHASE,
    DEALER,
    ORDER,
    HELD,
    PASSED,
    BIDS,
    HIGH,
    HIGH_SEAT,
    KIND,
    SETTLED,
    TRUMP,
    ASKED,
    SOLO,
    CALLED,
    MY_PARTNER,
    PARTNER_SEAT,
    ANNOUNCED,
    ROEM,
    OWN_ROEM,
    ASKABLE,
    KITTY,
    DISCARD,
    LEADER,
    TRICK_NUMBER,
    LED,
    BEST,
    TRICK,
    WHEN,
    PLAYED,
    SHOWN,
    LACKS,
    VOID,
    WON,
    POINTS,
    REFUSED,
    SCORES,
    DEALS_LEFT,
    OPTIONS,
    JACKS,
    BONUS,
    MOST,
];

/// Cells of a row.
pub(super) const WIDTH: usize = width(OBSERVATION);

pub(super) const HANDS: Block =
    Block::first("hands", (SEATS - 1) * CARDS, 1, "The others' hands, clockwise from the viewer.");
pub(super) const ASIDE: Block = HANDS.then("aside", CARDS, 1, "The card in the middle, or put aside.");
pub(super) const HOLDER: Block = ASIDE.then(
    "holder",
    SEATS,
    1,
    "Who holds, or played, the asked card; by seats clockwise from the viewer.",
);

/// What [`crate::Game::reveal`] writes.
pub const HIDDEN: &[Block] = &[HANDS, ASIDE, HOLDER];

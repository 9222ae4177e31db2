//! The observation row: cells in named blocks, with one layout for all variants.

use cardsharp_engine::Seat;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::{Block, whole, width};
use cardsharp_engine::game::Observe;

use super::auction::askable;
use super::bids::{Bid, RUNGS};
use super::deck::{CARDS, Cards, Suit, Trump};
use super::roem;
use super::rules::Rules;
use super::state::{
    self, ALL_SEATS, AskedCard, BIDDER, PARTNER, PLAYS, PublicState, Round, SEATS, Stage, View,
};

// The blocks of the observation row.

/// Tricks in a deal.
const HAND_SIZE: usize = state::HAND;
/// The most tens of roem that a cell shows; no nine cards have more.
const ROEM_MOST: u16 = 40;

blocks! {
    OBSERVATION {
        HAND: "hand", CARDS, 1, "Own cards: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.";
        UNSEEN: "unseen", CARDS, 1, "Cards the viewer has not seen: in others' closed hands, or put aside.";
        PHASE: "phase", 7, 1, "The phase of the viewer's decision, one-hot: opening, auction, discard, \
            trump, ask, play, claim. All 0 when no decision is due.";
        DEALER: "dealer", SEATS, 1, "The dealer, one-hot by seats clockwise from the viewer (0 is the \
            viewer).";
        ORDER: "order", SEATS, 4, "Until a player opens: the place of each seat in the opening order, 1 \
            to 4; by seats clockwise from the viewer.";
        HELD: "held", SEATS, 1, "Players who have held, by seats clockwise from the viewer.";
        PASSED: "passed", SEATS, 1, "Players who have passed, by seats clockwise from the viewer.";
        BIDS: "bids", SEATS, 71, "The last bid of each seat as its place on the ladder, 1 (80) to 71; 0 for none; by seats clockwise from the viewer.";
        HIGH: "high", RUNGS, 1, "The highest bid by its place on the ladder, one-hot.";
        HIGH_SEAT: "high_seat", SEATS, 1, "The highest bidder, one-hot by seats clockwise from the viewer.";
        KIND: "kind", 8, 1, "The contract of the highest bid, one-hot: points, misere, zwabber, ouverte, \
            praatje, prive, praatje and prive uit de hand.";
        SETTLED: "settled", 1, 1, "1 if the auction is over: the highest bid is the contract.";
        TRUMP: "trump", 5, 1, "Trump, one-hot: spades, hearts, diamonds, clubs, none.";
        ASKED: "asked", CARDS, 1, "The asked card.";
        SOLO: "solo", 1, 1, "1 if the bidder plays alone.";
        CALLED: "called", 1, 1, "1 if the asked card is called in this trick.";
        MY_PARTNER: "is_partner", 1, 1, "1 if the viewer holds, or held, the asked card, and so is the \
            partner.";
        PARTNER_SEAT: "partner", SEATS, 1, "The partner, once public; by seats clockwise from the viewer.";
        ANNOUNCED: "announced", 2, 1, "Whether the bidder, and the partner, have announced their roem.";
        ROEM: "roem", 2, 32, "The roem they announced, in tens.";
        OWN_ROEM: "own_roem",
    5,
    40,
    "Before the play: roem in the viewer's hand, in tens, for trump spades, hearts, diamonds, clubs, none (those \
        still possible).";
        ASKABLE: "askable", CARDS, 1, "When asking: the cards that can be asked for.";
        KITTY: "kitty", CARDS, 1, "The kitty, once the bidder has taken it.";
        DISCARD: "discard", CARDS, 1, "The card the viewer put aside.";
        LEADER: "leader", SEATS, 1, "The leader of the trick, one-hot by seats clockwise from the viewer.";
        TRICK_NUMBER: "trick_number", HAND_SIZE, 1, "The number of the trick, one-hot.";
        LED: "led", 4, 1, "The suit led: spades, hearts, diamonds, clubs.";
        BEST: "best", SEATS, 1, "The player winning the trick, one-hot by seats clockwise from the viewer.";
        TRICK: "trick", SEATS * CARDS, 1, "The card each seat has played to the trick, by seats clockwise from the viewer.";
        WHEN: "when", CARDS, PLAYS as u8, "For each card its place in the order of play, 1 to 32; 0 if \
            it has not been played.";
        PLAYED: "played", SEATS * CARDS, 1, "Cards each seat has played, by seats clockwise from the viewer.";
        SHOWN: "shown", SEATS * CARDS, 1, "Cards in open hands, by seats clockwise from the viewer.";
        LACKS: "lacks", (SEATS - 1) * CARDS, 1, "For each other seat the unseen cards it has proven not to hold, clockwise from the viewer.";
        VOID: "void", (SEATS - 1) * 4, 1, "For each other seat and suit: 1 if the suit has unseen cards \
            and the seat has proven to hold none of them.";
        WON: "won", SEATS, 8, "Tricks won, by seats clockwise from the viewer.";
        POINTS: "points", SEATS, 141, "Points in those tricks, by seats clockwise from the viewer.";
        REFUSED: "refused", SEATS, 8, "Trump leads to which each seat played another suit, by seats \
            clockwise from the viewer.";
        SCORES: "scores", SEATS, 200, "Points before this deal in tens plus 100, between 0 and 200; by seats clockwise from the viewer.";
        DEALS_LEFT: "deals_left", 1, 40, "Deals of the session left after this one, at most 40.";
        OPTIONS: "options",
    Rules::SHOWN.len(),
    2,
    "Rules in force, each as the index of its value (false is 0, true is 1): \
         opening_order, all_hold, trump_points, trump_zwabber, trump_misere, trump_prive, ask_scope, ask_discard, \
         first_leader, ruff_while_able, must_ruff_when_void, undertrump, must_overtake_trump_lead, jack_exempt_ruff, \
         forced_trump_wins_called, roem_overlap, honour_tens, partner_roem_basis, roem_claims, overclaim, round_half, \
         discard_points, bonus_scope, solo_double_scope, point_score, partner_share, early_stop, reward.";
        JACKS: "jack_exempt_count", 1, 8, "The option jack_exempt_count, at most 8.";
        BONUS: "all_tricks_bonus", 1, 50, "The option all_tricks_bonus in tens.";
        MOST: "max_point_bid", 1, 66, "The option max_point_bid as its place on the ladder, from 0 (80).";
    }
}

/// Number of cells of a row.
const WIDTH: usize = width(OBSERVATION);

blocks! {
    /// The cells that [`Observe::reveal`] writes.
    HIDDEN {
        HANDS: "hands", (SEATS - 1) * CARDS, 1, "The others' hands, clockwise from the viewer.";
        ASIDE: "aside", CARDS, 1, "The kitty, or the card put aside.";
        HOLDER: "holder", SEATS, 1, "The seat that holds, or played, the asked card; by seats clockwise \
            from the viewer.";
    }
}

/// `BITS[b]` has the eight bits of `b` as cells, the lowest bit first.
static BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl Observe for Round {
    const ENCODING: u32 = 1;
    const OBSERVATION: &'static [Block] = OBSERVATION;
    const HIDDEN: &'static [Block] = HIDDEN;

    #[inline]
    fn observe(view: View<'_>, row: &mut [u8]) {
        let Some(row) = whole::<WIDTH>(row) else { return };
        let (table, own) = (view.table, view.own);
        let place = |seat: Seat| usize::from((seat.0 + SEATS as u8 - view.seat.0) & 3);
        row.fill(0);
        cards(HAND.offset, own.hand, row);
        if table.turn == view.seat && table.stage != Stage::Over {
            row[PHASE.offset + table.stage as usize] = 1;
        }
        row[DEALER.offset + place(table.dealer)] = 1;
        auction(table, place, row);
        if let Some(trump) = table.trump {
            row[TRUMP.offset + trump as usize] = 1;
        }
        asking(view, place, row);
        if let Some(card) = table.kitty {
            row[KITTY.offset + card.number()] = 1;
        }
        if let Some(card) = own.discard {
            row[DISCARD.offset + card.number()] = 1;
        }
        let mut seen = own.hand.or(table.play.gone());
        if !table.open.is_empty() {
            for seat in table.open.iter().map(Seat) {
                cards_of(SHOWN, place(seat), table.shown[seat.index()], row);
                seen = seen.or(table.shown[seat.index()]);
            }
        }
        let aside = own.discard.map_or(Cards::NONE, Cards::one);
        let unseen = Cards::ALL.minus(seen).minus(aside);
        cards(UNSEEN.offset, unseen, row);
        if matches!(table.stage, Stage::Play | Stage::Claim) {
            play(view, unseen, place, row);
        } else {
            before_play(view, row);
        }
        options(table, row);
        for seat in ALL_SEATS {
            let tens = table.scores[seat.index()] / 10;
            row[SCORES.offset + place(seat)] = (tens.clamp(-100, 100) + 100) as u8;
        }
        row[DEALS_LEFT.offset] = table.rules.deals.saturating_sub(table.deal).min(40) as u8;
    }

    fn reveal(&self, seat: Seat, row: &mut [u8]) {
        row.fill(0);
        let table = &self.table;
        for other in 1..SEATS {
            let hand = self.own[(seat.index() + other) % SEATS].hand;
            hand.iter().for_each(|card| row[HANDS.offset + (other - 1) * CARDS + card.number()] = 1);
        }
        let discard = table.bidder().and_then(|bidder| self.own[bidder.index()].discard);
        let aside = if table.kitty.is_some() { discard } else { Some(self.kitty) };
        if let Some(card) = aside {
            row[ASIDE.offset + card.number()] = 1;
        }
        if let Some(asked) = table.asked_card() {
            let holder = ALL_SEATS.into_iter().find(|other| self.own[other.index()].hand.has(asked));
            if let Some(partner) = table.partner.or(holder) {
                row[HOLDER.offset + usize::from((partner.0 + SEATS as u8 - seat.0) & 3)] = 1;
            }
        }
    }
}

/// Writes a set of cards as `CARDS` cells from `start`.
#[inline]
fn cards(start: usize, cards: Cards, row: &mut [u8; WIDTH]) {
    for byte in 0..4 {
        let bits = (cards.0 >> (8 * byte)) as u8;
        let at = start + 8 * byte;
        row[at..at + 8].copy_from_slice(&BITS[usize::from(bits)]);
    }
    row[start + 32] = (cards.0 >> 32) as u8 & 1;
}

/// Writes the cards of a seat into a block with `CARDS` cells for each seat.
#[inline]
fn cards_of(block: Block, place: usize, set: Cards, row: &mut [u8; WIDTH]) {
    if !set.is_empty() {
        cards(block.offset + place * CARDS, set, row);
    }
}

#[inline]
fn auction(table: &PublicState, place: impl Fn(Seat) -> usize, row: &mut [u8; WIDTH]) {
    let auction = &table.auction;
    for seat in ALL_SEATS {
        let p = place(seat);
        row[HELD.offset + p] = u8::from(auction.held.has(seat.0));
        row[PASSED.offset + p] = u8::from(auction.passed.has(seat.0));
        row[BIDS.offset + p] = auction.bids[seat.index()].map_or(0, |bid| bid.rung() as u8 + 1);
    }
    if let (Some(seat), Some(bid)) = (auction.high, table.high()) {
        row[HIGH.offset + bid.rung()] = 1;
        row[HIGH_SEAT.offset + place(seat)] = 1;
        row[KIND.offset + bid.kind().number()] = 1;
        row[SETTLED.offset] = u8::from(!matches!(table.stage, Stage::Opening | Stage::Auction));
    } else {
        // Before the first bid: the opening order.
        for (n, seat) in auction.order.into_iter().enumerate() {
            row[ORDER.offset + place(seat)] = n as u8 + 1;
        }
    }
}

#[inline]
fn asking(view: View<'_>, place: impl Fn(Seat) -> usize, row: &mut [u8; WIDTH]) {
    let table = view.table;
    match table.asked {
        AskedCard::Nothing => {}
        AskedCard::Solo => row[SOLO.offset] = 1,
        AskedCard::Card(card) => {
            row[ASKED.offset + card.number()] = 1;
            row[CALLED.offset] = u8::from(table.play.is_called());
            let mine = view.own.hand.has(card) || table.partner == Some(view.seat);
            row[MY_PARTNER.offset] = u8::from(mine);
        }
    }
    if let Some(seat) = table.partner {
        row[PARTNER_SEAT.offset + place(seat)] = 1;
    }
    for whose in [BIDDER, PARTNER] {
        if let Some(points) = table.roem[whose] {
            row[ANNOUNCED.offset + whose] = 1;
            row[ROEM.offset + whose] = (points / 10) as u8;
        }
    }
}

/// Writes what only matters before play: the value of the viewer's roem for each possible trump, and the
/// cards that the viewer may ask for.
#[cold]
fn before_play(view: View<'_>, row: &mut [u8; WIDTH]) {
    let (table, own) = (view.table, view.own);
    for (n, trump) in Trump::ALL.into_iter().enumerate() {
        if table.trump.is_none_or(|named| named == trump) {
            row[OWN_ROEM.offset + n] = (roem::total(own.hand, trump, &table.rules) / 10).min(ROEM_MOST) as u8;
        }
    }
    if table.stage == Stage::Ask && table.turn == view.seat {
        cards(ASKABLE.offset, askable(table, own), row);
    }
}

#[inline]
fn play(view: View<'_>, unseen: Cards, place: impl Fn(Seat) -> usize, row: &mut [u8; WIDTH]) {
    let play = &view.table.play;
    let (len, trick) = (play.cards.len().min(PLAYS), play.trick());
    if trick < HAND_SIZE {
        row[LEADER.offset + place(play.leader())] = 1;
        row[TRICK_NUMBER.offset + trick] = 1;
    }
    if play.in_trick() != 0 {
        row[BEST.offset + place(play.best)] = 1;
        if let Some(led) = play.led() {
            row[LED.offset + led.suit() as usize] = 1;
        }
    }
    for i in 0..len {
        let Some(card) = play.cards.get(i) else { break };
        row[WHEN.offset + card.number()] = i as u8 + 1;
        if i >= 4 * trick {
            row[TRICK.offset + place(play.player(i)) * CARDS + card.number()] = 1;
        }
    }
    for seat in ALL_SEATS {
        let (s, p) = (seat.index(), place(seat));
        row[WON.offset + p] = play.won[s];
        row[POINTS.offset + p] = play.points[s];
        row[REFUSED.offset + p] = play.refused[s];
        cards_of(PLAYED, p, play.played[s], row);
        let lacks = play.lacks[s].and(unseen);
        if p == 0 || lacks.is_empty() {
            continue;
        }
        cards(LACKS.offset + (p - 1) * CARDS, lacks, row);
        for suit in Suit::ALL {
            let left = suit.cards().and(unseen);
            row[VOID.offset + (p - 1) * 4 + suit as usize] =
                u8::from(!left.is_empty() && left.minus(lacks).is_empty());
        }
    }
}

#[inline]
fn options(table: &PublicState, row: &mut [u8; WIDTH]) {
    let rules = &table.rules;
    OPTIONS.set(rules.shown(), row);
    row[JACKS.offset] = rules.jack_exempt_count.min(8);
    row[BONUS.offset] = (rules.all_tricks_bonus / 10) as u8;
    row[MOST.offset] = Bid::points(rules.max_point_bid).map_or(0, |bid| bid.rung() as u8);
}

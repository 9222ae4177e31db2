//! The moves: their 212 action ids and labels, their legality in two independent ways, and the kinds of moves that
//! characterize a player's style.

use std::fmt;

use cardsharp_engine::ActionId;
use cardsharp_engine::blocks;
use cardsharp_engine::blocks::Block;
use cardsharp_engine::game::{Actions, Habits};
use cardsharp_engine::mask::Words;

use super::auction::askable;
use super::bids::{Bid, BidKind, RUNGS, up_to};
use super::deck::{ACE, CARDS, Card, Suit, Trump};
use super::follow;
use super::roem::{self, CLAIMS, Claim, claimant, true_roem};
use super::rules::{AskScope, RoemClaims, TrumpRule, Undertrump};
use super::state::{AskedCard, BIDDER, PublicState, Round, Stage, View};

blocks! {
    ACTIONS {
        PLAY: "play", CARDS, 1, "Play a card: S7..SA, H6..HA, D7..DA, C7..CA, in this order here and below.";
        CALL: "call", 1, 1, "Call the asked card, before leading a card of its suit.";
        /// Cards to put aside.
        DISCARD: "discard", CARDS, 1, "Put a card aside.";
        /// Cards to ask for.
        ASK: "ask", CARDS, 1, "Ask for a card: its holder is the partner.";
        SOLO: "solo", 1, 1, "Play alone.";
        TRUMP: "trump", 5, 1, "Name trump: spades, hearts, diamonds, clubs; or play without.";
        /// Bids, the first one too.
        BID: "bid",
    RUNGS,
    1,
    "Bid: 80 to 150, misere, 160 to 190, zwabber, 200, 210, ouverte, 220 to 710, praatje, prive, praatje uit de hand, \
         prive uit de hand.";
        PASS: "pass", 1, 1, "Pass, for the rest of the auction.";
        HOLD: "hold", 1, 1, "Hold: do not open.";
        CLAIM: "claim", CLAIMS, 1, "Claim roem: 0, 10, …, 320.";
    }
}

/// A move. In text, the action's label: `SJ`, `ask HA`, `bid 80`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// Plays a card to the trick.
    Play(Card),
    /// Calls the asked card; the next lead must be of its suit.
    Call,
    /// Puts a card aside. Only the bidder sees which.
    Discard(Card),
    /// Asks for a card; its holder is the partner.
    Ask(Card),
    /// Asks for no card and plays alone.
    Solo,
    /// Names trump, or no trump.
    Trump(Trump),
    /// Bids: opens, or bids higher.
    Bid(Bid),
    /// Passes, for the rest of the auction.
    Pass,
    /// Does not open the auction.
    Hold,
    /// Claims this total of roem.
    Claim(Claim),
}

impl Move {
    /// Returns the move with this id, if any.
    #[inline]
    pub fn of(action: ActionId) -> Option<Self> {
        let number = |block: Block| block.index(action).map(|number| number as u8);
        let card = |block: Block| number(block).and_then(Card::new);
        let only = |block: Block, it: Self| number(block).map(|_| it);
        let trump = || TRUMP.index(action).map(|named| Self::Trump(Trump::ALL[named]));
        card(PLAY)
            .map(Self::Play)
            .or_else(|| only(CALL, Self::Call))
            .or_else(|| card(DISCARD).map(Self::Discard))
            .or_else(|| card(ASK).map(Self::Ask))
            .or_else(|| only(SOLO, Self::Solo))
            .or_else(trump)
            .or_else(|| number(BID).and_then(Bid::new).map(Self::Bid))
            .or_else(|| only(PASS, Self::Pass))
            .or_else(|| only(HOLD, Self::Hold))
            .or_else(|| number(CLAIM).and_then(Claim::new).map(Self::Claim))
    }

    /// Returns whether all players see the move.
    const fn is_public(self) -> bool {
        match self {
            Self::Discard(_) => false,
            Self::Play(_) | Self::Call | Self::Ask(_) | Self::Solo | Self::Trump(_) => true,
            Self::Bid(_) | Self::Pass | Self::Hold | Self::Claim(_) => true,
        }
    }

    /// The move's action id.
    #[inline]
    pub const fn id(self) -> ActionId {
        match self {
            Self::Play(card) => PLAY.nth(card.number()),
            Self::Call => CALL.nth(0),
            Self::Discard(card) => DISCARD.nth(card.number()),
            Self::Ask(card) => ASK.nth(card.number()),
            Self::Solo => SOLO.nth(0),
            Self::Trump(trump) => TRUMP.nth(trump as usize),
            Self::Bid(bid) => BID.nth(bid.rung()),
            Self::Pass => PASS.nth(0),
            Self::Hold => HOLD.nth(0),
            Self::Claim(claim) => CLAIM.nth(claim.tens()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(card) => write!(f, "{card}"),
            Self::Call => f.write_str("call"),
            Self::Discard(card) => write!(f, "discard {card}"),
            Self::Ask(card) => write!(f, "ask {card}"),
            Self::Solo => f.write_str("solo"),
            Self::Trump(trump) => write!(f, "trump {trump}"),
            Self::Bid(bid) => write!(f, "bid {bid}"),
            Self::Pass => f.write_str("pass"),
            Self::Hold => f.write_str("hold"),
            Self::Claim(claim) => write!(f, "claim {claim}"),
        }
    }
}

// The action mask and the labels of actions.

type Legal = Words<4>;

impl Actions for Round {
    const ACTIONS: &'static [Block] = ACTIONS;
    type Legal = Legal;

    #[inline(always)]
    fn legal(view: View<'_>) -> Legal {
        let mut legal = Legal::EMPTY;
        let (table, hand) = (view.table, view.own.hand);
        if table.turn != view.seat {
            return legal;
        }
        match table.stage {
            Stage::Play => {
                legal.0[0] = follow::playable(table, view.seat, hand).0;
                if follow::may_call(table, view.seat, hand) {
                    insert(&mut legal, Move::Call);
                }
            }
            Stage::Opening => {
                insert_bids(&mut legal, up_to(table.rules.max_point_bid));
                insert(&mut legal, Move::Hold);
            }
            Stage::Auction => {
                let above = table.high().map_or(u128::MAX, |high| u128::MAX << (high.rung() + 1));
                insert_bids(&mut legal, up_to(table.rules.max_point_bid) & above);
                insert(&mut legal, Move::Pass);
            }
            Stage::Discard => legal.insert_run(DISCARD.offset, hand.0),
            Stage::Trump => {
                let free = table
                    .contract()
                    .is_some_and(|kind| table.rules.trump_rule(kind) == TrumpRule::NamedOrNone);
                legal.insert_run(TRUMP.offset, if free { 0b11111 } else { 0b1111 });
            }
            Stage::Ask => {
                legal.insert_run(ASK.offset, askable(table, view.own).0);
                insert(&mut legal, Move::Solo);
            }
            Stage::Claim => legal_claims(view, &mut legal),
            Stage::Over => {}
        }
        legal
    }

    fn is_legal(view: View<'_>, action: ActionId) -> bool {
        is_legal(view, action)
    }

    fn is_public(action: ActionId) -> bool {
        Move::of(action).is_none_or(Move::is_public)
    }

    fn phase(&self) -> &'static str {
        match self.table.stage {
            Stage::Opening => "opening",
            Stage::Auction => "auction",
            Stage::Discard => "discard",
            Stage::Trump => "trump",
            Stage::Ask => "ask",
            Stage::Play => "play",
            Stage::Claim => "claim",
            Stage::Over => "none",
        }
    }

    fn label(_: Option<&PublicState>, action: ActionId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Move::of(action) {
            Some(chosen) => write!(f, "{chosen}"),
            None => write!(f, "action {}", action.0),
        }
    }
}

#[inline]
fn insert(legal: &mut Legal, chosen: Move) {
    legal.insert(usize::from(chosen.id().0));
}

#[inline]
fn insert_bids(legal: &mut Legal, rungs: u128) {
    legal.insert_run(BID.offset, rungs as u64);
    legal.insert_run(BID.offset + 64, (rungs >> 64) as u64);
}

#[cold]
fn legal_claims(view: View<'_>, legal: &mut Legal) {
    if view.table.rules.roem_claims == RoemClaims::FreeClaim {
        legal.insert_run(CLAIM.offset, (1 << CLAIMS) - 1);
    } else {
        let truth = true_roem(view.table, claimant(view.table), view.own, view.seat);
        insert(legal, Move::Claim(Claim::NOTHING));
        insert(legal, Move::Claim(Claim::up_to(truth)));
    }
}

// Legality of one action, directly from the text of the rules and card by card. Slow, and independent of the card sets
// in [`super::follow`].

/// Returns whether an action is legal for the viewing seat.
fn is_legal(view: View<'_>, action: ActionId) -> bool {
    let Some(chosen) = Move::of(action) else { return false };
    let stage = view.table.stage;
    let fits = match chosen {
        Move::Hold => stage == Stage::Opening,
        Move::Pass => stage == Stage::Auction,
        Move::Bid(bid) => matches!(stage, Stage::Opening | Stage::Auction) && may_bid(view, bid),
        Move::Discard(card) => stage == Stage::Discard && view.own.hand.has(card),
        Move::Trump(trump) => stage == Stage::Trump && may_name(view, trump),
        Move::Solo => stage == Stage::Ask,
        Move::Ask(card) => stage == Stage::Ask && may_ask(view, card),
        Move::Call => stage == Stage::Play && may_call(view),
        Move::Play(card) => stage == Stage::Play && view.own.hand.has(card) && may_play(view, card),
        Move::Claim(claim) => stage == Stage::Claim && may_claim(view, claim.points()),
    };
    fits && view.table.turn == view.seat
}

/// Returns whether a bid is higher than every bid so far, and within the limit on points.
fn may_bid(view: View<'_>, bid: Bid) -> bool {
    let table = view.table;
    let higher = table.auction.bids.iter().flatten().all(|made| bid > *made);
    let allowed = match bid.kind() {
        BidKind::Points(points) => points <= table.rules.max_point_bid,
        _ => true,
    };
    higher && allowed
}

fn may_name(view: View<'_>, trump: Trump) -> bool {
    let rules = &view.table.rules;
    let rule = match view.table.contract() {
        Some(BidKind::Points(_)) => rules.trump_points,
        Some(BidKind::Zwabber) => rules.trump_zwabber,
        Some(BidKind::Prive | BidKind::PriveHand) => rules.trump_prive,
        _ => rules.trump_misere,
    };
    match trump {
        Trump::None => rule == TrumpRule::NamedOrNone,
        _ => rule != TrumpRule::None,
    }
}

/// Returns whether the bidder may ask for a card under `any_held_suit`: they do not hold it, but another card
/// of its suit after the discard.
fn may_ask_any(view: View<'_>, card: Card) -> bool {
    let own = view.own;
    !own.hand.has(card)
        && own.hand.iter().any(|held| held.suit() == card.suit())
        && (view.table.rules.ask_discard || own.discard != Some(card))
}

fn may_ask(view: View<'_>, card: Card) -> bool {
    let aces_first = view.table.rules.ask_scope == AskScope::AcesFirst;
    let higher = Suit::ALL
        .into_iter()
        .flat_map(|suit| (card.rank() + 1..=8).filter_map(move |rank| Card::of(suit, rank)));
    may_ask_any(view, card) && !(aces_first && higher.into_iter().any(|other| may_ask_any(view, other)))
}

fn called(view: View<'_>) -> bool {
    view.table.play.is_called()
}

/// Returns whether the bidder may call: the asked card is unplayed, and the bidder leads and holds a card of
/// its suit.
fn may_call(view: View<'_>) -> bool {
    let table = view.table;
    let AskedCard::Card(asked) = table.asked else { return false };
    table.play.in_trick() == 0
        && table.auction.high == Some(view.seat)
        && !called(view)
        && table.play.cards.iter().all(|card| card != asked)
        && view.own.hand.iter().any(|card| card.suit() == asked.suit())
}

/// Position of a card in the order of trumps; higher is stronger.
fn strength(card: Card) -> usize {
    "678TQKA9J".find(&card.to_string()[1..]).unwrap_or(0)
}

fn may_claim(view: View<'_>, points: u16) -> bool {
    let whose = usize::from(view.table.auction.high != Some(view.seat)) + BIDDER;
    match view.table.rules.roem_claims {
        RoemClaims::FreeClaim => points <= roem::MOST,
        _ => points == 0 || points == true_roem(view.table, whose, view.own, view.seat),
    }
}

/// Returns whether a card in hand may be played now.
fn may_play(view: View<'_>, card: Card) -> bool {
    let table = view.table;
    let asked = match table.asked {
        AskedCard::Card(asked) if called(view) => Some(asked),
        _ => None,
    };
    let Some(led) = table.play.led() else { return asked.is_none_or(|asked| card.suit() == asked.suit()) };
    let trump = table.trump().suit();
    let hand: Vec<Card> = view.own.hand.iter().collect();
    if let Some(asked) = asked.filter(|asked| hand.contains(asked)) {
        return card == asked;
    }
    let can_follow = hand.iter().any(|held| held.suit() == led.suit());
    if trump.is_none() {
        return !can_follow || card.suit() == led.suit();
    }
    let is_trump = |card: &Card| Some(card.suit()) == trump;
    if asked.is_some() && trump != Some(led.suit()) {
        let has_plain = hand.iter().any(|held| !is_trump(held));
        return if can_follow { card.suit() == led.suit() } else { !has_plain || !is_trump(&card) };
    }
    let highest = highest_trump(view, trump);
    let beats = |held: &Card| is_trump(held) && highest.is_none_or(|top| strength(*held) > strength(top));
    let trumps: Vec<Card> = hand.iter().copied().filter(|held| is_trump(held)).collect();
    let lone_jack = trumps.len() == 1 && trumps[0].to_string().ends_with('J');
    let rules = &table.rules;
    if trump == Some(led.suit()) {
        let spared = lone_jack && refusals(view) < usize::from(rules.jack_exempt_count);
        let must_beat = rules.must_overtake_trump_lead && trumps.iter().any(beats);
        return trumps.is_empty() || spared || is_trump(&card) && (!must_beat || beats(&card));
    }
    if can_follow {
        let free = rules.undertrump == Undertrump::Free;
        return card.suit() == led.suit()
            || rules.ruff_while_able && is_trump(&card) && (beats(&card) || free);
    }
    let undertrumps = is_trump(&card) && !beats(&card);
    if trumps.iter().any(beats) {
        if rules.must_ruff_when_void && !(rules.jack_exempt_ruff && lone_jack) {
            return beats(&card);
        }
        return !undertrumps || rules.undertrump == Undertrump::Free;
    }
    let compulsory = rules.undertrump == Undertrump::CompulsoryIfOnlyLower && rules.must_ruff_when_void;
    match () {
        () if trumps.is_empty() || rules.undertrump == Undertrump::Free => true,
        () if compulsory => is_trump(&card),
        () => !undertrumps || hand.iter().all(is_trump),
    }
}

/// Returns the highest trump in the current trick.
fn highest_trump(view: View<'_>, trump: Option<Suit>) -> Option<Card> {
    let plays: Vec<Card> = view.table.play.cards.iter().collect();
    let trick = plays.chunks(4).next_back().unwrap_or_default();
    trick.iter().copied().filter(|card| Some(card.suit()) == trump).max_by_key(|card| strength(*card))
}

/// Returns the number of trump leads that this player did not follow.
fn refusals(view: View<'_>) -> usize {
    let play = &view.table.play;
    let plays: Vec<Card> = play.cards.iter().collect();
    let tricks = plays.chunks(4).enumerate();
    tricks
        .filter(|(number, cards)| {
            let place = (4 + view.seat.0 - play.leaders[*number].0) % 4;
            let mine = cards.get(usize::from(place));
            let trump = view.table.trump().suit();
            let other = mine.is_some_and(|card| Some(card.suit()) != trump);
            Some(cards[0].suit()) == trump && other
        })
        .count()
}

// Kinds of moves that characterize a player's style.

/// Names of the kinds, in the order of [`Habit`].
const HABITS: [&str; 16] = [
    "open the bidding",
    "hold",
    "bid higher",
    "pass",
    "bid a fixed contract",
    "bid the next rung",
    "name trump",
    "play without trump",
    "ask for a partner",
    "play alone",
    "call the asked card",
    "lead trump",
    "lead an ace",
    "trump a plain suit",
    "play a trump on a trick",
    "claim roem",
];

#[derive(Copy, Clone)]
enum Habit {
    Opens,
    Holds,
    Raises,
    Passes,
    BidsFixed,
    BidsNext,
    NamesTrump,
    GoesWithout,
    Asks,
    Alone,
    Calls,
    LeadsTrump,
    LeadsAce,
    Trumps,
    PlaysTrump,
    Claims,
}
use Habit::*;

impl Habits for Round {
    const HABITS: &'static [&'static str] = &HABITS;

    fn habits(view: View<'_>, action: ActionId) -> u32 {
        let Some(chosen) = Move::of(action) else { return 0 };
        match chosen {
            Move::Bid(bid) => of_bid(view.table, bid),
            Move::Hold => bits([(Holds, true)]),
            Move::Pass => bits([(Passes, true)]),
            Move::Trump(trump) => {
                bits([(NamesTrump, trump != Trump::None), (GoesWithout, trump == Trump::None)])
            }
            Move::Ask(_) => bits([(Asks, true)]),
            Move::Solo => bits([(Alone, true)]),
            Move::Call => bits([(Calls, true)]),
            Move::Play(card) => of_card(view.table, card),
            Move::Claim(claim) => bits([(Claims, claim > Claim::NOTHING)]),
            Move::Discard(_) => 0,
        }
    }
}

fn bits<const N: usize>(kinds: [(Habit, bool); N]) -> u32 {
    kinds.into_iter().fold(0, |bits, (habit, is)| bits | u32::from(is) << habit as u32)
}

fn of_bid(table: &PublicState, bid: Bid) -> u32 {
    let next = table.high().map_or(0, |high| high.rung() + 1);
    bits([
        (Opens, table.stage == Stage::Opening),
        (Raises, table.stage == Stage::Auction),
        (BidsFixed, !matches!(bid.kind(), BidKind::Points(_))),
        (BidsNext, bid.rung() == next),
    ])
}

fn of_card(table: &PublicState, card: Card) -> u32 {
    let trump = table.trump();
    let is_trump = trump.is(card.suit());
    match table.play.led() {
        None => bits([(LeadsTrump, is_trump), (LeadsAce, card.rank() == ACE)]),
        Some(led) => bits([(Trumps, is_trump && !trump.is(led.suit())), (PlaysTrump, is_trump)]),
    }
}

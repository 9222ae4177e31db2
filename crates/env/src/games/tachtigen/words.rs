//! Whether one action is legal, sentence by sentence from the rules and card by card: slow, and
//! independent of the sets of cards in [`super::follow`].

use super::View;
use super::actions::{ASK, BID, CALL, CLAIM, DISCARD, HOLD, PASS, PLAY, SOLO, TRUMP};
use super::deck::{Card, Suit, Trump};
use super::ladder::{Bid, Kind};
use super::play::{BIDDER, true_roem};
use super::roem;
use super::rules::{AskScope, RoemClaims, TrumpRule, Undertrump};
use super::table::{Asked, Stage};
use crate::ground::ActionId;
use crate::ground::blocks::Block;

/// Whether one action is legal for the viewing seat.
pub fn is_legal(view: View<'_>, action: ActionId) -> bool {
    let table = view.table;
    if table.stage == Stage::Over || table.turn != view.seat {
        return false;
    }
    let card = |block: Block| block.index(action).and_then(|number| Card::new(number as u8));
    match table.stage {
        Stage::Opening if action == HOLD.nth(0) => true,
        Stage::Auction if action == PASS.nth(0) => true,
        Stage::Opening | Stage::Auction => {
            let bid = BID.index(action).and_then(|rung| Bid::new(rung as u8));
            bid.is_some_and(|bid| may_bid(view, bid))
        }
        Stage::Discard => card(DISCARD).is_some_and(|card| view.own.hand.has(card)),
        Stage::Trump => TRUMP.index(action).is_some_and(|named| may_name(view, Trump::ALL[named])),
        Stage::Ask if action == SOLO.nth(0) => true,
        Stage::Ask => card(ASK).is_some_and(|card| may_ask(view, card)),
        Stage::Play if action == CALL.nth(0) => may_call(view),
        Stage::Play => card(PLAY).is_some_and(|card| view.own.hand.has(card) && may_play(view, card)),
        Stage::Claim => CLAIM.index(action).is_some_and(|tens| may_claim(view, 10 * tens as u16)),
        Stage::Over => false,
    }
}

/// A bid is higher than every bid so far, and of no more points than are allowed.
fn may_bid(view: View<'_>, bid: Bid) -> bool {
    let table = view.table;
    let higher = table.auction.bids.iter().flatten().all(|made| bid > *made);
    let allowed = match bid.kind() {
        Kind::Points(points) => points <= table.rules.max_point_bid,
        _ => true,
    };
    higher && allowed
}

fn may_name(view: View<'_>, trump: Trump) -> bool {
    let rules = &view.table.rules;
    let rule = match view.table.contract() {
        Some(Kind::Points(_)) => rules.trump_points,
        Some(Kind::Zwabber) => rules.trump_zwabber,
        Some(Kind::Prive | Kind::PriveHand) => rules.trump_prive,
        _ => rules.trump_misere,
    };
    match trump {
        Trump::None => rule == TrumpRule::NamedOrNone,
        _ => rule != TrumpRule::None,
    }
}

/// A card he does not hold, of a suit of which he holds one after the discard.
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

/// While the asked card is unplayed the bidder, on lead with a card of its suit, may call it.
fn may_call(view: View<'_>) -> bool {
    let table = view.table;
    let Asked::Card(asked) = table.asked else { return false };
    table.play.in_trick() == 0
        && table.auction.high == Some(view.seat)
        && !called(view)
        && table.play.cards.iter().all(|card| card != asked)
        && view.own.hand.iter().any(|card| card.suit() == asked.suit())
}

/// Strength among trumps, from the rules' list.
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

/// Whether a card in hand may be played now.
fn may_play(view: View<'_>, card: Card) -> bool {
    let table = view.table;
    let asked = match table.asked {
        Asked::Card(asked) if called(view) => Some(asked),
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

/// The highest trump in the trick in play.
fn highest_trump(view: View<'_>, trump: Option<Suit>) -> Option<Card> {
    let plays: Vec<Card> = view.table.play.cards.iter().collect();
    let trick = plays.chunks(4).next_back().unwrap_or_default();
    trick.iter().copied().filter(|card| Some(card.suit()) == trump).max_by_key(|card| strength(*card))
}

/// On how many trump leads this player has played another suit.
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

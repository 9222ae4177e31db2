//! Legality of one action, directly from the text of the rules and card by card. Slow, and independent of the
//! card sets in [`super::follow`].

use cardsharp_engine::ActionId;

use super::actions::Move;
use super::auction::{Bid, Kind};
use super::deck::{Card, Suit, Trump};
use super::roem::{self, true_roem};
use super::rules::{AskScope, RoemClaims, TrumpRule, Undertrump};
use super::state::{Asked, BIDDER, Stage, View};

/// Returns whether an action is legal for the viewing seat.
pub(super) fn is_legal(view: View<'_>, action: ActionId) -> bool {
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
    let Asked::Card(asked) = table.asked else { return false };
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

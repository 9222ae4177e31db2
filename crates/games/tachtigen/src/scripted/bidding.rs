//! Decisions before the play: bidding, putting a card aside, naming trump, and asking. They rest on the
//! estimated points of a hand in each contract.

use super::{Adjustments, best};
use crate::actions::Move;
use crate::auction::askable;
use crate::bids::{Bid, BidKind, up_to};
use crate::deck::{ACE, Card, Cards, JACK, KING, Suit, TEN, Trump};
use crate::roem;
use crate::rules::{DiscardPoints, Rules, TrumpRule};
use crate::state::{Stage, View};

// Opening, bidding higher, and passing.

/// The lowest expected score for a bid. It is above 0, because other players' contracts also bring some
/// points.
const LEAST: f32 = 8.0;
/// Points that a hand gains by replacing its worst card with the kitty.
const KITTY_POINTS: f32 = 5.0;

/// Makes the most promising bid. Of the points contracts it considers only the lowest allowed one.
pub(super) fn choose(view: View<'_>, adjustments: &Adjustments) -> Move {
    let table = view.table;
    let open = table.high().map_or(u128::MAX, |high| u128::MAX << (high.rung() + 1));
    let legal = up_to(table.rules.max_point_bid) & open;
    let mut best = (LEAST, None);
    let mut points = false;
    for bid in Bid::all().filter(|bid| legal >> bid.rung() & 1 == 1) {
        if matches!(bid.kind(), BidKind::Points(_)) && std::mem::replace(&mut points, true) {
            continue;
        }
        let value = promise(view, bid, adjustments);
        if value > best.0 {
            best = (value, Some(bid));
        }
    }
    let silent = if table.stage == Stage::Opening { Move::Hold } else { Move::Pass };
    best.1.map_or(silent, Move::Bid)
}

/// Returns the expected score of a bid, if it becomes the contract.
pub(super) fn promise(view: View<'_>, bid: Bid, adjustments: &Adjustments) -> f32 {
    match bid.kind() {
        BidKind::Points(bid) => {
            points(view.own.hand, bid, &view.table.rules).0 + KITTY_POINTS + adjustments.hope
        }
        kind => with_kitty(view.own.hand, kind, view) + adjustments.dare * kind.worth() as f32,
    }
}

/// Returns the expected score of a fixed contract. A misère with the kitty gains from putting the worst card
/// aside, but the kitty may be as bad as good.
fn with_kitty(hand: Cards, kind: BidKind, view: View<'_>) -> f32 {
    let rules = &view.table.rules;
    let (as_it_is, trump) = fixed(hand, kind, rules);
    if kind.from_the_hand() || !kind.is_misere() {
        return as_it_is;
    }
    // The bidder puts the most dangerous card aside. The kitty stays in hand instead and may be dangerous
    // itself, so only half of the gain counts.
    let without = |card: Card| danger(hand.without(card), trump);
    let least = hand.iter().map(without).fold(f32::MAX, f32::min);
    let gained = danger(hand, trump) - least;
    as_it_is + kind.worth() as f32 * 0.68 * (0.5 * gained - 0.1).max(0.0)
}

// Putting a card aside, naming trump, and asking.

/// Returns the value of eight cards, and the best trump for them.
fn value(view: View<'_>, hand: Cards) -> (f32, Trump) {
    let rules = &view.table.rules;
    match view.table.contract() {
        Some(BidKind::Points(bid)) => points(hand, bid, rules),
        Some(kind) if kind.is_misere() => {
            // Compare by danger, because the chance is clipped at 0.
            let danger = trumps(rules, kind).map(|trump| (-danger(hand, trump), trump));
            danger.fold((f32::MIN, Trump::None), |best, other| if other.0 > best.0 { other } else { best })
        }
        Some(kind) => {
            let tricks = trumps(rules, kind).map(|trump| (sure_tricks(hand, trump), trump));
            tricks.fold((f32::MIN, Trump::None), |best, other| if other.0 > best.0 { other } else { best })
        }
        None => (0.0, Trump::None),
    }
}

/// Puts aside the card that leaves the best eight cards. Considers the points lost with it.
pub(super) fn discard(view: View<'_>) -> Move {
    let points = matches!(view.table.contract(), Some(BidKind::Points(_)));
    let lost = points && view.table.rules.discard_points == DiscardPoints::None;
    Move::Discard(best(view.own.hand, |card| {
        let (value, trump) = value(view, view.own.hand.without(card));
        value - if lost { 0.6 * f32::from(card.value(trump)) } else { 0.0 }
    }))
}

/// Names the trump with the highest value.
pub(super) fn trump(view: View<'_>) -> Move {
    Move::Trump(value(view, view.own.hand).1)
}

/// Asks for the most useful card, or plays alone.
pub(super) fn ask(view: View<'_>, adjustments: &Adjustments) -> Move {
    let (table, own) = (view.table, view.own);
    let trump = table.trump();
    let promised = total(own.hand, trump, &table.rules);
    let total = Total { alone: promised.alone + adjustments.alone, ..promised };
    let bid = match table.contract() {
        Some(BidKind::Points(bid)) => bid,
        _ => 0,
    };
    let mut best = if total.score(bid).1 { (f32::MAX, None) } else { (f32::MIN, None) };
    for card in askable(table, own).iter() {
        let value = usefulness(own.hand, card, trump);
        if own.discard != Some(card) && value > best.0 {
            best = (value, Some(card));
        }
    }
    best.1.map_or(Move::Solo, Move::Ask)
}

/// Returns how useful a card in the partner's hand is for this hand.
fn usefulness(hand: Cards, card: Card, trump: Trump) -> f32 {
    let suit = card.suit().cards();
    let held = hand.and(suit);
    let tops = !card.above(trump).meets(suit.minus(hand));
    let value = f32::from(card.value(trump));
    if trump.is(card.suit()) {
        // The missing top trump helps most if the bidder has few trumps.
        let few = held.len() <= 4;
        return value + if tops && few { 6.0 } else { -4.0 };
    }
    // An ace to call: better with points to give it, and with few cards of a suit that others could trump.
    let given = held.iter().map(|card| card.value(trump)).max().unwrap_or(0);
    let short = 2.0 * (4.0 - held.len() as f32);
    let high = if tops { 12.0 } else { 0.0 };
    value + high + 0.6 * f32::from(given) + short - if card.rank() == ACE { 0.0 } else { 3.0 }
}

// Estimated points of a hand in each contract.

/// Average roem of a partner.
const PARTNER_ROEM: f32 = 12.0;
/// Points of an average trick.
const TRICK: f32 = 17.0;

/// Expected totals in a points contract.
#[derive(Copy, Clone)]
struct Total {
    /// Expected total of the side with a partner.
    together: f32,
    /// Expected total of the bidder alone.
    alone: f32,
}

impl Total {
    /// Returns the expected score for a bid, and whether the bidder should play alone.
    fn score(self, bid: u16) -> (f32, bool) {
        let bid = f32::from(bid);
        let (together, alone) = (self.together - bid, 2.0 * (self.alone - bid));
        // Discount the score with a partner: the partner gets the same points, which lowers the bidder's
        // relative reward.
        if alone > 0.8 * together.max(0.0) + 5.0 { (alone, true) } else { (together, false) }
    }
}

/// Returns the highest card of a suit that the hand does not hold.
fn missing_top(hand: Cards, suit: Suit, trump: Trump) -> Option<Card> {
    suit.cards().minus(hand).iter().find(|card| !card.above(trump).meets(suit.cards().minus(hand)))
}

/// Returns the cards that no card of their suit outside the hand beats.
fn masters(hand: Cards, trump: Trump) -> Cards {
    let out = Cards::ALL.minus(hand);
    hand.iter().filter(|card| !card.above(trump).meets(out)).collect()
}

/// Estimates the tricks that the hand wins without help: masters, and the rest of a long suit once the others
/// have none. Plain cards count less if others have trumps that the hand cannot draw.
fn sure_tricks(hand: Cards, trump: Trump) -> f32 {
    let mut tricks = 0.0;
    let trumps = hand.and(trump.cards());
    let top = masters(hand, trump).and(trumps).len() as f32;
    let out = trump.cards().minus(hand).len() as f32;
    let drawn = trump == Trump::None || out == 0.0 || top >= 3.0 || trumps.len() >= 5 && top >= 2.0;
    for suit in Suit::ALL {
        let held = hand.and(suit.cards());
        let top = masters(hand, trump).and(held).len() as f32;
        let (length, others) = (held.len() as f32, suit.cards().minus(held).len() as f32);
        // Each master draws a little more than two of the others' cards.
        let dry = top >= 1.0 && top * 2.2 >= others;
        let taken = if dry { length } else { top };
        tricks += match () {
            () if trump.is(suit) => taken.max(length - 3.0),
            () if drawn => taken,
            () => 0.75 * taken.min(2.0),
        };
    }
    tricks.min(8.0)
}

/// Returns the expected totals of points contracts with this trump.
fn total(hand: Cards, trump: Trump, rules: &Rules) -> Total {
    let own_roem = f32::from(roem::total(hand, trump, rules));
    let tricks = sure_tricks(hand, trump);
    let trumps = hand.and(trump.cards());
    let held = |rank: u8| Cards::of_rank(rank).and(hand);
    let mut raw = 34.0;
    if let Some(suit) = trump.suit() {
        let has = |letter: u8| Card::of(suit, letter).is_some_and(|card| hand.has(card));
        let (jack, nine, ace) = (has(JACK), has(3), has(ACE));
        raw += if jack { 13.0 } else { 0.0 };
        raw += if nine && (jack || trumps.len() >= 3) { 9.0 } else { 0.0 };
        raw += if ace { 6.0 } else { 0.0 };
        raw += 6.0 * (trumps.len() as f32 - 2.0).max(-1.0);
        // The bidder can ask for the missing top trump.
        raw += if !jack && trumps.len() >= 2 { 10.0 } else { 0.0 };
    }
    let plain = hand.minus(trumps);
    raw += 8.0 * held(ACE).and(plain).len() as f32;
    for suit in Suit::ALL.into_iter().filter(|&suit| !trump.is(suit)) {
        let cards = plain.and(suit.cards());
        let king = Card::of(suit, KING).is_some_and(|card| cards.has(card));
        let ten = Card::of(suit, TEN).is_some_and(|card| cards.has(card));
        // A king with another card of its suit, for example to lead to the partner's ace; a ten to give to
        // the partner.
        raw += if king && cards.len() >= 2 { 3.0 } else { 0.0 };
        raw += if ten { 1.0 } else { 0.0 };
        raw += if cards.is_empty() && trumps.len() >= 3 { 5.0 } else { 0.0 };
    }
    // The bidder can ask for an ace that is missing in a suit they hold.
    let ace = Suit::ALL.into_iter().any(|suit| {
        !trump.is(suit)
            && plain.meets(suit.cards())
            && missing_top(hand, suit, trump).is_some_and(|card| card.rank() == ACE)
    });
    raw += if ace { 8.0 } else { 0.0 };
    let all = f32::from(rules.all_tricks_bonus);
    let bonus = |tricks: f32| if tricks >= 7.5 { 0.8 * all } else { 0.0 };
    let side_tricks = tricks + if ace { 1.0 } else { 0.3 };
    let together =
        raw.max(TRICK * side_tricks).min(138.0) + own_roem + PARTNER_ROEM + bonus(side_tricks - 0.4);
    let alone = (TRICK * tricks + 6.0).min(138.0) + own_roem + bonus(tricks);
    Total { together, alone }
}

/// Estimates how likely the others can force the hand to win a trick in a suit: 0 for never, about 1 for each
/// card that is too high.
fn danger_of(hand: Cards, suit: Suit, trump: Trump) -> f32 {
    let held = hand.and(suit.cards());
    let out = suit.cards().minus(held);
    let mut danger = 0.0;
    // From the lowest card up: danger grows with the outside cards below a card, minus those that the hand's
    // lower cards use up.
    let mut place = 0.0;
    let mut left = held;
    while let Some(low) = left.iter().find(|card| !left.iter().any(|other| card_below(other, *card, trump))) {
        let below = out.iter().filter(|other| card_below(*other, low, trump)).count() as f32;
        let above = out.len() as f32 - below;
        if above == 0.0 {
            danger += 1.2;
        } else {
            danger += ((below - 1.0 - place) * 0.45).clamp(0.0, 1.2);
        }
        place += 1.0;
        left.remove(low);
    }
    // A player who cannot follow must trump, so trumps add danger.
    if trump.is(suit) { danger + 0.5 * held.len() as f32 } else { danger }
}

fn card_below(card: Card, than: Card, trump: Trump) -> bool {
    card.above(trump).has(than)
}

/// Returns the danger of winning a trick, summed over all suits.
fn danger(hand: Cards, trump: Trump) -> f32 {
    Suit::ALL.into_iter().map(|suit| danger_of(hand, suit, trump)).sum()
}

/// Estimates the probability of making a fixed contract with these eight cards.
fn chance(hand: Cards, trump: Trump, kind: BidKind) -> f32 {
    let tricks = sure_tricks(hand, trump);
    match kind {
        BidKind::Points(_) => 0.0,
        BidKind::Zwabber => ((tricks - 4.2) * 0.45).clamp(0.0, 0.85),
        kind if kind.is_prive() => ((tricks - 6.4) * 0.62).clamp(0.0, 0.97),
        kind => {
            let danger = danger(hand, trump) + if kind == BidKind::Misere { 0.0 } else { 0.35 };
            let danger = danger + if kind.is_praatje() { 0.25 } else { 0.0 };
            (0.92 - 0.34 * danger).clamp(0.0, 0.92)
        }
    }
}

/// Returns the expected score of a fixed contract, and the best trump for it.
fn fixed(hand: Cards, kind: BidKind, rules: &Rules) -> (f32, Trump) {
    let worth = kind.worth() as f32;
    trumps(rules, kind)
        .map(|trump| (worth * (2.0 * chance(hand, trump, kind) - 1.0), trump))
        .fold((f32::MIN, Trump::None), higher)
}

fn higher(best: (f32, Trump), other: (f32, Trump)) -> (f32, Trump) {
    if other.0 > best.0 { other } else { best }
}

/// Returns the trumps that the bidder may name.
fn trumps(rules: &Rules, kind: BidKind) -> impl Iterator<Item = Trump> + use<> {
    let rule = rules.trump_rule(kind);
    Trump::ALL.into_iter().filter(move |&trump| match rule {
        TrumpRule::Named => trump != Trump::None,
        TrumpRule::NamedOrNone => true,
        TrumpRule::None => trump == Trump::None,
    })
}

/// Returns the expected score of a points contract, and the best trump for it.
fn points(hand: Cards, bid: u16, rules: &Rules) -> (f32, Trump) {
    let score = |trump| (total(hand, trump, rules).score(bid).0, trump);
    trumps(rules, BidKind::Points(bid)).map(score).fold((f32::MIN, Trump::None), higher)
}

//! Estimated points of a hand in each contract.

use crate::deck::{ACE, Card, Cards, KING, Suit, TEN, Trump};
use crate::ladder::Kind;
use crate::roem;
use crate::rules::Rules;

/// Average roem of a partner.
const PARTNER_ROEM: f32 = 12.0;
/// Points of an average trick.
const TRICK: f32 = 17.0;

/// Expected totals in a points contract.
#[derive(Copy, Clone)]
pub(super) struct Total {
    /// Expected total of the side with a partner.
    pub together: f32,
    /// Expected total of the bidder alone.
    pub alone: f32,
}

impl Total {
    /// Returns the expected score for a bid, and whether the bidder should play alone.
    pub fn score(self, bid: u16) -> (f32, bool) {
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
pub(super) fn masters(hand: Cards, trump: Trump) -> Cards {
    let out = Cards::ALL.minus(hand);
    hand.iter().filter(|card| !card.above(trump).meets(out)).collect()
}

/// Estimates the tricks that the hand wins without help: masters, and the rest of a long suit once the others
/// have none. Plain cards count less if others have trumps that the hand cannot draw.
pub(super) fn sure_tricks(hand: Cards, trump: Trump) -> f32 {
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
pub(super) fn total(hand: Cards, trump: Trump, rules: &Rules) -> Total {
    let own_roem = f32::from(roem::total(hand, trump, rules));
    let tricks = sure_tricks(hand, trump);
    let trumps = hand.and(trump.cards());
    let held = |rank: u8| Cards::of_rank(rank).and(hand);
    let mut raw = 34.0;
    if let Some(suit) = trump.suit() {
        let has = |letter: u8| Card::of(suit, letter).is_some_and(|card| hand.has(card));
        let (jack, nine, ace) = (has(super::super::deck::JACK), has(3), has(ACE));
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
pub(super) fn danger(hand: Cards, trump: Trump) -> f32 {
    Suit::ALL.into_iter().map(|suit| danger_of(hand, suit, trump)).sum()
}

/// Estimates the probability of making a fixed contract with these eight cards.
pub(super) fn chance(hand: Cards, trump: Trump, kind: Kind) -> f32 {
    let tricks = sure_tricks(hand, trump);
    match kind {
        Kind::Points(_) => 0.0,
        Kind::Zwabber => ((tricks - 4.2) * 0.45).clamp(0.0, 0.85),
        kind if kind.is_prive() => ((tricks - 6.4) * 0.62).clamp(0.0, 0.97),
        kind => {
            let danger = danger(hand, trump) + if kind == Kind::Misere { 0.0 } else { 0.35 };
            let danger = danger + if kind.is_praatje() { 0.25 } else { 0.0 };
            (0.92 - 0.34 * danger).clamp(0.0, 0.92)
        }
    }
}

/// Returns the expected score of a fixed contract, and the best trump for it.
pub(super) fn fixed(hand: Cards, kind: Kind, rules: &Rules) -> (f32, Trump) {
    let worth = kind.worth() as f32;
    trumps(rules, kind)
        .map(|trump| (worth * (2.0 * chance(hand, trump, kind) - 1.0), trump))
        .fold((f32::MIN, Trump::None), higher)
}

fn higher(best: (f32, Trump), other: (f32, Trump)) -> (f32, Trump) {
    if other.0 > best.0 { other } else { best }
}

/// Returns the trumps that the bidder may name.
pub(super) fn trumps(rules: &Rules, kind: Kind) -> impl Iterator<Item = Trump> + use<> {
    use crate::rules::TrumpRule;
    let rule = rules.trump_rule(kind);
    Trump::ALL.into_iter().filter(move |&trump| match rule {
        TrumpRule::Named => trump != Trump::None,
        TrumpRule::NamedOrNone => true,
        TrumpRule::None => trump == Trump::None,
    })
}

/// Returns the expected score of a points contract, and the best trump for it.
pub(super) fn points(hand: Cards, bid: u16, rules: &Rules) -> (f32, Trump) {
    let score = |trump| (total(hand, trump, rules).score(bid).0, trump);
    trumps(rules, Kind::Points(bid)).map(score).fold((f32::MIN, Trump::None), higher)
}

//! Which cards are legal in a trick, when the bidder may call, and what a played card proves about its player's hand.

use cardsharp_engine::Seat;

use super::deck::{Card, Cards, Suit, Trump};
use super::rules::{Rules, Undertrump};
use super::state::PublicState;

/// What a card played to the current trick has to follow.
#[derive(Copy, Clone)]
struct Trick<'t> {
    rules: &'t Rules,
    trump: Trump,
    suit: Suit,
    /// The asked card, if it is called in this trick.
    called: Option<Card>,
    /// Trumps that beat every trump in the trick.
    over: Cards,
    /// Whether the player may keep a trump jack that is their only trump, on this trump lead.
    spares_jack: bool,
}

impl<'t> Trick<'t> {
    /// Returns the current trick as `seat` sees it, or `None` if `seat` leads.
    #[inline(always)]
    fn of(table: &'t PublicState, seat: Seat) -> Option<Self> {
        let play = &table.play;
        let led = play.led()?;
        let trump = table.trump();
        let best = play.best_card().unwrap_or(led);
        Some(Self {
            rules: &table.rules,
            trump,
            suit: led.suit(),
            called: if play.is_called() { table.asked_card() } else { None },
            // If a plain card is winning, the trick has no trumps. The exception is a called trick, where
            // trumps cannot win and overtrumping does not matter.
            over: if trump.is(best.suit()) { best.above(trump) } else { trump.cards() },
            spares_jack: play.refused[seat.index()] < table.rules.jack_exempt_count,
        })
    }
}

/// Returns whether `seat` is the bidder, about to lead, and may call the asked card.
#[inline]
pub(super) fn may_call(table: &PublicState, seat: Seat, hand: Cards) -> bool {
    let Some(asked) = table.asked_card() else { return false };
    let play = &table.play;
    play.in_trick() == 0
        && !play.is_called()
        && table.auction.high == Some(seat)
        && table.partner.is_none()
        && hand.meets(asked.suit().cards())
}

/// Returns the legal cards of `hand` for `seat`, whose turn it is.
#[inline]
pub(super) fn playable(table: &PublicState, seat: Seat, hand: Cards) -> Cards {
    let Some(trick) = Trick::of(table, seat) else {
        return match table.asked_card() {
            Some(asked) if table.play.is_called() => hand.and(asked.suit().cards()),
            _ => hand,
        };
    };
    let follow = hand.and(trick.suit.cards());
    if let Some(asked) = trick.called {
        if hand.has(asked) {
            return Cards::one(asked);
        }
        if !trick.trump.is(trick.suit) {
            let plain = hand.minus(trick.trump.cards());
            return first_of([follow, plain, hand]);
        }
    }
    if trick.trump == Trump::None {
        return first_of([follow, hand, hand]);
    }
    let trumps = hand.and(trick.trump.cards());
    if trick.trump.is(trick.suit) {
        return on_trump(&trick, hand, trumps);
    }
    on_plain(&trick, hand, follow, trumps)
}

/// Returns the first nonempty set.
#[inline]
fn first_of(choices: [Cards; 3]) -> Cards {
    choices.into_iter().find(|cards| !cards.is_empty()).unwrap_or(Cards::NONE)
}

/// Returns the legal cards on a trump lead.
fn on_trump(trick: &Trick<'_>, hand: Cards, trumps: Cards) -> Cards {
    if trumps.is_empty() || trumps == trick.trump.jack() && trick.spares_jack {
        return hand;
    }
    let over = trumps.and(trick.over);
    if trick.rules.must_overtake_trump_lead && !over.is_empty() { over } else { trumps }
}

/// Returns the legal cards on a lead of a plain suit, if the asked card was not called.
fn on_plain(trick: &Trick<'_>, hand: Cards, follow: Cards, trumps: Cards) -> Cards {
    let rules = trick.rules;
    let over = trumps.and(trick.over);
    if !follow.is_empty() {
        return match (rules.ruff_while_able, rules.undertrump) {
            (false, _) => follow,
            (true, Undertrump::Free) => follow.or(trumps),
            (true, _) => follow.or(over),
        };
    }
    if trumps.is_empty() {
        return hand;
    }
    let plain = hand.minus(trumps);
    match rules.undertrump {
        _ if !over.is_empty() && rules.must_ruff_when_void => {
            if rules.jack_exempt_ruff && trumps == trick.trump.jack() { hand } else { over }
        }
        Undertrump::Free => hand,
        _ if !over.is_empty() => plain.or(over),
        Undertrump::CompulsoryIfOnlyLower if rules.must_ruff_when_void => trumps,
        _ => first_of([plain, trumps, hand]),
    }
}

/// What a card proves about the rest of its player's hand, to all players.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Proof {
    /// Cards that the player does not hold.
    pub lacks: Cards,
    /// The player did not follow a trump lead.
    pub refused: bool,
    /// If the player holds the trump jack, it is their only trump.
    pub lone: bool,
}

impl Proof {
    const NOTHING: Self = Self { lacks: Cards::NONE, refused: false, lone: false };

    const fn of(lacks: Cards) -> Self {
        Self { lacks, ..Self::NOTHING }
    }
}

/// Returns what `card`, played by `seat` to the current trick, proves: the cards that would have made it
/// illegal in the same hand.
///
/// Three facts are not about single cards, so [`super::determinize`] handles them:
///
/// - The bidder held a card of the asked suit.
/// - Announced roem has a known value.
/// - Under free undertrumping, a low trump means that the player could follow suit or had no higher trump.
#[inline]
pub(super) fn proof(table: &PublicState, seat: Seat, card: Card) -> Proof {
    let Some(trick) = Trick::of(table, seat) else { return Proof::NOTHING };
    let (suit, trumps) = (trick.suit, trick.trump.cards());
    let trump_led = trick.trump.is(suit);
    if let Some(asked) = trick.called {
        if card == asked {
            return Proof::NOTHING;
        }
        if !trump_led {
            let mut lacks = Cards::one(asked);
            if card.suit() != suit {
                lacks = lacks.or(if trumps.has(card) { Cards::ALL.minus(trumps) } else { suit.cards() });
            }
            return Proof::of(lacks);
        }
    }
    let asked = trick.called.map_or(Cards::NONE, Cards::one);
    if trick.trump == Trump::None {
        return Proof::of(if card.suit() == suit { Cards::NONE } else { suit.cards() });
    }
    if trump_led {
        let proof = proof_on_trump(&trick, trumps, card);
        return Proof { lacks: proof.lacks.or(asked), ..proof };
    }
    if card.suit() == suit {
        Proof::NOTHING
    } else if trumps.has(card) {
        Proof::of(proof_by_trump(&trick, trumps, card))
    } else {
        proof_by_discard(&trick, trumps)
    }
}

fn proof_on_trump(trick: &Trick<'_>, trumps: Cards, card: Card) -> Proof {
    if trumps.has(card) {
        let overtakes = !trick.rules.must_overtake_trump_lead || trick.over.has(card);
        return Proof::of(if overtakes { Cards::NONE } else { trick.over });
    }
    let spared = if trick.spares_jack { trick.trump.jack() } else { Cards::NONE };
    Proof { lacks: trumps.minus(spared), refused: true, lone: false }
}

/// Returns the cards that a player lacks after trumping a plain suit.
fn proof_by_trump(trick: &Trick<'_>, trumps: Cards, card: Card) -> Cards {
    let rules = trick.rules;
    let suit = trick.suit.cards();
    let void = if rules.ruff_while_able { Cards::NONE } else { suit };
    if trick.over.has(card) {
        return void;
    }
    match rules.undertrump {
        Undertrump::Free if rules.must_ruff_when_void && !rules.ruff_while_able => suit.or(trick.over),
        Undertrump::Free => void,
        Undertrump::CompulsoryIfOnlyLower if rules.must_ruff_when_void => suit.or(trick.over),
        _ => Cards::ALL.minus(trumps).or(trick.over),
    }
}

/// Returns what a card proves that neither follows a plain suit nor trumps it.
fn proof_by_discard(trick: &Trick<'_>, trumps: Cards) -> Proof {
    let rules = trick.rules;
    let suit = trick.suit.cards();
    if !rules.must_ruff_when_void {
        return Proof::of(suit);
    }
    let owed = if rules.undertrump == Undertrump::CompulsoryIfOnlyLower { trumps } else { trick.over };
    let jack = if rules.jack_exempt_ruff { trick.trump.jack().and(trick.over) } else { Cards::NONE };
    Proof { lacks: suit.or(owed.minus(jack)), refused: false, lone: !jack.is_empty() }
}

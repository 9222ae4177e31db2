//! The scripted player of Tachtigen.
//!
//! It estimates the points of its hand for every contract and bids the most promising one; for points, only
//! the lowest allowed bid. It puts aside, names trump and asks so that this estimate is highest
//! ([`bidding`]). In points contracts it plays the card with the highest value ([`choose_in_points`]): the
//! points expected from the trick, minus the card's later value. In fixed contracts it uses the chance that
//! the bidder wins the trick ([`choose_in_fixed`]). It is deterministic and uses only the view.

mod bidding;
#[cfg(test)]
mod tests;

use cardsharp_engine::game::{Character, Scripted};
use cardsharp_engine::{ActionId, Seat};

use super::actions::Move;
use super::bids::{Bid, BidKind};
use super::deck::{Card, Cards};
use super::follow;
use super::roem::{Claim, claimant, true_roem};
use super::rules::{Overclaim, RoemClaims};
use super::state::{ALL_SEATS, AskedCard, PublicState, Round, SEATS, Stage, View};

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, &Adjustments::PLAIN).id()
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        choose_by(view, Adjustments::of(character)).id()
    }
}

/// Returns the expected score of a bid, if it becomes the contract.
pub(super) fn promise(view: View<'_>, bid: Bid) -> f32 {
    bidding::promise(view, bid, &Adjustments::PLAIN)
}

fn choose_by(view: View<'_>, adjustments: &Adjustments) -> Move {
    match view.table.stage {
        Stage::Opening | Stage::Auction => bidding::choose(view, adjustments),
        Stage::Discard => bidding::discard(view),
        Stage::Trump => bidding::trump(view),
        Stage::Ask => bidding::ask(view, adjustments),
        Stage::Claim => claim(view),
        Stage::Play | Stage::Over => play(view),
    }
}

/// Claims the true roem, or the maximum if the rules do not detect false claims.
fn claim(view: View<'_>) -> Move {
    let rules = &view.table.rules;
    let unnoticed = rules.roem_claims == RoemClaims::FreeClaim && rules.overclaim == Overclaim::Undetected;
    if unnoticed {
        return Move::Claim(Claim::MOST);
    }
    Move::Claim(Claim::up_to(true_roem(view.table, claimant(view.table), view.own, view.seat)))
}

fn play(view: View<'_>) -> Move {
    let cards = follow::playable(view.table, view.seat, view.own.hand);
    let calls = follow::may_call(view.table, view.seat, view.own.hand);
    match view.table.contract() {
        Some(BidKind::Points(_)) => choose_in_points(view, cards, calls),
        Some(kind) => Move::Play(choose_in_fixed(view, kind, cards)),
        None => Move::Play(Card::FIRST),
    }
}

/// Returns the card with the highest score; the first one of equal cards.
fn best(cards: Cards, mut score: impl FnMut(Card) -> f32) -> Card {
    let mut chosen = (f32::MIN, Card::FIRST);
    for card in cards.iter() {
        let value = score(card);
        if value > chosen.0 {
            chosen = (value, card);
        }
    }
    chosen.1
}

// How the characters value the contracts that a hand allows.

/// Adjustments to the values of the scripted player.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Adjustments {
    /// Points added to the expected score of a points contract.
    hope: f32,
    /// Added to the expected score of a fixed contract, as a fraction of its value.
    dare: f32,
    /// Points added to the expected result of playing alone.
    alone: f32,
}

impl Adjustments {
    const PLAIN: Self = Self { hope: 0.0, dare: 0.0, alone: 0.0 };
    /// Bids what the hand makes with unlucky other cards.
    const CAUTIOUS: Self = Self { hope: -20.0, dare: -0.5, alone: -15.0 };
    /// Bids what the hand makes with lucky other cards. Prefers to play alone, which counts double.
    const AGGRESSIVE: Self = Self { hope: 15.0, dare: 0.25, alone: 12.0 };

    /// Returns the adjustments of a character.
    const fn of(character: Character) -> &'static Self {
        match character {
            Character::Cautious => &Self::CAUTIOUS,
            Character::Aggressive => &Self::AGGRESSIVE,
        }
    }
}

// Probabilities of hidden cards.

/// What the viewer can infer about hidden cards.
struct Odds<'v> {
    view: View<'v>,
    /// Cards the viewer has not seen.
    unseen: Cards,
}

impl<'v> Odds<'v> {
    fn new(view: View<'v>) -> Self {
        let aside = view.own.discard.map_or(Cards::NONE, Cards::one);
        let seen = view.own.hand.or(view.table.play.gone()).or(aside);
        Self { view, unseen: Cards::ALL.minus(seen) }
    }

    fn table(&self) -> &'v PublicState {
        self.view.table
    }

    /// Returns those of `cards` that `seat` may hold.
    fn possible(&self, seat: Seat, cards: Cards) -> Cards {
        if self.table().open.has(seat.0) {
            return self.table().shown[seat.index()].and(cards);
        }
        let open = self.table().shown.iter().fold(Cards::NONE, |all, hand| all.or(*hand));
        cards.and(self.unseen).minus(open).minus(self.table().play.lacks[seat.index()])
    }

    /// Probability that `seat` holds any of `cards`, if each unseen card is equally likely in all places.
    fn has_any(&self, seat: Seat, cards: Cards) -> f32 {
        let possible = self.possible(seat, cards).len();
        if possible == 0 {
            return 0.0;
        }
        if self.table().open.has(seat.0) {
            return 1.0;
        }
        let size = self.table().held(seat) as f32;
        let among = self.possible(seat, Cards::ALL).len() as f32;
        let none = (1.0 - size / among).max(0.0);
        1.0 - (0..possible).fold(1.0, |all, _| all * none)
    }

    /// Returns the cards that would beat `card` in a trick with the lead `led`.
    fn beaters(&self, card: Card, led: Card, trumps_count: bool) -> Cards {
        let trump = self.table().trump();
        let above =
            if card.suit() == led.suit() || trump.is(card.suit()) { card.above(trump) } else { Cards::ALL };
        let trumps = if trump.is(card.suit()) || !trumps_count { Cards::NONE } else { trump.cards() };
        above.or(trumps)
    }

    /// Returns whether no unseen card of its suit beats `card`.
    fn is_master(&self, card: Card) -> bool {
        !card.above(self.table().trump()).meets(self.unseen)
    }

    /// Iterates over the seats that play after the viewer in this trick.
    fn later(&self) -> impl Iterator<Item = Seat> + use<> {
        let me = self.view.seat;
        let left = SEATS - 1 - self.table().play.in_trick();
        (1..=left as u8).map(move |n| ALL_SEATS[usize::from((me.0 + n) & 3)])
    }

    /// Returns whether `card`, played now, would be winning the trick.
    fn takes(&self, card: Card, trumps_count: bool) -> bool {
        let (Some(led), Some(top)) = (self.table().play.led(), self.table().play.best_card()) else {
            return true;
        };
        let trump = self.table().trump();
        if card.suit() == top.suit() {
            top.above(trump).has(card)
        } else {
            trump.is(card.suit()) && trumps_count && !trump.is(led.suit())
        }
    }
}

// Card play in points contracts.

/// Expected points that each later player adds to a trick.
const ADDED: f32 = 3.0;
/// Later value of a card that nothing beats.
const MASTER: f32 = 7.0;
/// Later value of any trump.
const ANY_TRUMP: f32 = 3.5;
/// Value for the bidder's side of a trump lead, for each opponent expected to hold trumps.
const DRAWN: f32 = 3.0;

/// Plays the card with the highest value, or calls the asked card.
fn choose_in_points(view: View<'_>, cards: Cards, may_call: bool) -> Move {
    let sides = Sides::new(view);
    if may_call && let Some(asked) = view.table.asked_card() {
        let called = sides.value_of_call(asked);
        let others = cards.iter().map(|card| sides.value(card)).fold(f32::MIN, f32::max);
        if called > others {
            return Move::Call;
        }
    }
    Move::Play(best(cards, |card| sides.value(card)))
}

/// The table as the viewer sees it, with inferred sides.
struct Sides<'v> {
    odds: Odds<'v>,
    /// Probability that each seat plays against the viewer.
    against: [f32; 4],
    /// Whether the viewer is on the bidder's side.
    bids: bool,
    /// Whether trumps can win this trick.
    trumps_count: bool,
}

impl<'v> Sides<'v> {
    fn new(view: View<'v>) -> Self {
        let table = view.table;
        let (bidder, asked) = (table.auction.high.unwrap_or(view.seat), table.asked_card());
        let mine = asked.is_some_and(|asked| view.own.hand.has(asked)) || table.partner == Some(view.seat);
        let bids = bidder == view.seat || mine;
        let hidden = asked.is_some() && table.partner.is_none() && !mine && table.asked != AskedCard::Solo;
        let odds = Odds::new(view);
        let may_hold =
            |seat: Seat| asked.is_some_and(|asked| !odds.possible(seat, Cards::one(asked)).is_empty());
        let others = ALL_SEATS.into_iter().filter(|&seat| seat != view.seat && seat != bidder);
        let candidates = others.filter(|&seat| may_hold(seat)).count().max(1) as f32;
        let against = ALL_SEATS.map(|seat| {
            let partner = match () {
                () if seat == bidder || table.partner == Some(seat) => 1.0,
                () if hidden && may_hold(seat) => 1.0 / candidates,
                () => 0.0,
            };
            match () {
                () if seat == view.seat => 0.0,
                () if bids => 1.0 - partner,
                () => partner,
            }
        });
        let plain = asked.is_some_and(|asked| !table.trump().is(asked.suit()));
        let trumps_count = !(table.play.is_called() && plain) || table.rules.forced_trump_wins_called;
        Self { odds, against, bids, trumps_count }
    }

    fn view(&self) -> View<'v> {
        self.odds.view
    }

    /// Returns the expected points from playing `card`.
    fn value(&self, card: Card) -> f32 {
        let table = self.odds.table();
        let trump = table.trump();
        let play = &table.play;
        let first = play.cards.len() - play.in_trick();
        let lying: u8 =
            (first..play.cards.len()).filter_map(|i| play.cards.get(i)).map(|c| c.value(trump)).sum();
        let later = self.odds.later().count() as f32;
        let stake = f32::from(lying) + f32::from(card.value(trump)) + ADDED * later + 2.0;
        let win = self.win(card);
        let mut value = stake * (2.0 * win - 1.0) - self.kept(card);
        if play.in_trick() == 0 {
            value += self.lead(card, win);
        }
        value
    }

    /// Probability that the viewer's side wins the trick.
    fn win(&self, card: Card) -> f32 {
        let play = &self.odds.table().play;
        let led = play.led().unwrap_or(card);
        let takes = self.odds.takes(card, self.trumps_count);
        let (top, owner) = match play.best_card() {
            Some(top) if !takes => (top, play.best),
            _ => (card, self.view().seat),
        };
        let beaters = self.odds.beaters(top, led, self.trumps_count);
        // In a called trick the asked card will be played.
        if play.is_called()
            && let Some(asked) = self.odds.table().asked_card()
            && self.odds.unseen.has(asked)
            && beaters.has(asked)
        {
            return if self.bids { 0.95 } else { 0.1 };
        }
        let mut ours = 1.0 - self.against[owner.index()];
        for seat in self.odds.later() {
            let beats = self.odds.has_any(seat, beaters) * self.willing(top, led);
            let foe = self.against[seat.index()];
            ours = ours * (1.0 - foe * beats) + (1.0 - ours) * (1.0 - foe) * 0.7 * beats;
        }
        ours
    }

    /// Probability that another player beats `top` if they can. It is lower for the master of a plain suit,
    /// which only a trump beats.
    fn willing(&self, top: Card, led: Card) -> f32 {
        if top.suit() == led.suit() && self.odds.is_master(top) && !self.odds.table().trump().is(led.suit()) {
            0.6
        } else {
            0.85
        }
    }

    /// Returns the later value of a card.
    fn kept(&self, card: Card) -> f32 {
        let trump = self.odds.table().trump();
        let left = self.view().own.hand.len() as f32 / 8.0;
        let master = if self.odds.is_master(card) { MASTER } else { 0.0 };
        let value = f32::from(card.value(trump));
        let mut kept = if trump.is(card.suit()) {
            // High trumps also win later tricks, even without leading.
            master + ANY_TRUMP + 0.45 * value
        } else if master > 0.0 {
            master + 0.5 * value
        } else {
            // A ten that cannot win gives its points to the winner of a trick.
            -0.2 * value
        };
        if self.odds.table().asked == AskedCard::Card(card) {
            kept += 1.0;
        }
        kept * left
    }

    /// Returns the value of a lead beyond its own trick.
    fn lead(&self, card: Card, win: f32) -> f32 {
        let table = self.odds.table();
        let trumps = table.trump().cards();
        if trumps.has(card) {
            let foes = ALL_SEATS.into_iter().filter(|&seat| seat != self.view().seat);
            let out =
                foes.map(|seat| self.against[seat.index()] * self.odds.has_any(seat, trumps)).sum::<f32>();
            return if self.bids { DRAWN * out * win } else { -4.0 };
        }
        // Plain leads get no bonus. A lead to the partner's strength is good, and a lead up to the bidder's
        // is bad, but neither is modeled.
        0.0
    }

    /// Returns the expected points from calling the asked card. If its suit is plain, its trick is safe from
    /// trumps.
    fn value_of_call(&self, asked: Card) -> f32 {
        let trump = self.odds.table().trump();
        let suit = asked.suit();
        let rivals = asked.above(trump).and(self.odds.unseen);
        let safe = if trump.is(suit) { 0.9 } else { 0.97 };
        let win = if rivals.is_empty() { safe } else { 0.55 };
        let mine = self.view().own.hand.and(suit.cards());
        let given =
            mine.iter().map(|card| f32::from(card.value(trump)) - self.kept(card)).fold(f32::MIN, f32::max);
        let stake = f32::from(asked.value(trump)) + 2.0 * ADDED + 2.0;
        (stake + given.max(0.0)) * (2.0 * win - 1.0) + given.min(0.0) - if trump.is(suit) { 6.0 } else { 0.0 }
    }
}

// Card play in fixed contracts.

/// What the player wants from the trick.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Aim {
    Take,
    /// This seat must not win the trick.
    Avoid(Seat),
    /// This seat should win the trick.
    Push(Seat),
}

/// Returns the card that serves the player's aim best.
fn choose_in_fixed(view: View<'_>, kind: BidKind, cards: Cards) -> Card {
    let odds = Odds::new(view);
    let bidder = view.table.auction.high.unwrap_or(view.seat);
    let aim = aim(view, kind, bidder);
    best(cards, |card| match aim {
        Aim::Take => taking(&odds, card),
        Aim::Avoid(seat) if seat == view.seat => ducking(&odds, card),
        Aim::Avoid(_) => taking(&odds, card),
        Aim::Push(seat) => pushing(&odds, card, seat),
    })
}

fn aim(view: View<'_>, kind: BidKind, bidder: Seat) -> Aim {
    let me = view.seat;
    if kind.is_misere() {
        return if me == bidder { Aim::Avoid(me) } else { Aim::Push(bidder) };
    }
    // After a zwabber's partner has emerged, the partner must win all tricks.
    match view.table.partner {
        Some(partner) if partner == me => Aim::Take,
        Some(partner) if me == bidder => Aim::Push(partner),
        Some(partner) => Aim::Avoid(partner),
        None if me == bidder => Aim::Take,
        None => Aim::Avoid(bidder),
    }
}

/// Rank of a card within its suit, from 0 (lowest) to 8.
fn height(odds: &Odds<'_>, card: Card) -> f32 {
    8.0 - card.above(odds.table().trump()).len() as f32
}

/// Probability that a card wins the trick if every later player beats it when possible.
fn holds(odds: &Odds<'_>, card: Card) -> f32 {
    if !odds.takes(card, true) {
        return 0.0;
    }
    let led = odds.table().play.led().unwrap_or(card);
    let beaters = odds.beaters(card, led, true);
    odds.later().fold(1.0, |all, seat| all * (1.0 - odds.has_any(seat, beaters)))
}

/// Scores a card for winning the trick: the surest card, or else the lowest one that guards nothing.
fn taking(odds: &Odds<'_>, card: Card) -> f32 {
    let table = odds.table();
    let lead = table.play.in_trick() == 0;
    let holds = holds(odds, card);
    let trump = table.trump().is(card.suit());
    let others_trump = odds.later().any(|seat| odds.has_any(seat, table.trump().cards()) > 0.0);
    let draws = if lead && trump && others_trump { 0.2 } else { 0.0 };
    let keep = 0.01 * height(odds, card)
        + if odds.is_master(card) { 0.1 } else { 0.0 }
        + if trump { 0.1 } else { 0.0 };
    if lead { holds + draws + 0.005 * height(odds, card) } else { holds - keep }
}

/// Scores a card for not winning the trick: prefers the highest card that loses.
fn ducking(odds: &Odds<'_>, card: Card) -> f32 {
    let table = odds.table();
    let height = height(odds, card);
    if !odds.takes(card, true) {
        return 1.0 + 0.1 * height + danger(odds, card);
    }
    let led = table.play.led().unwrap_or(card);
    // The card stays highest if no later player has to beat it. Players who can play lower usually do.
    let lower = led.suit().cards().minus(card.above(table.trump())).without(card);
    let beaters = odds.beaters(card, led, true);
    let stays = odds.later().fold(1.0, |all, seat| {
        let goes_over = odds.has_any(seat, beaters) * (1.0 - 0.9 * odds.has_any(seat, lower));
        all * (1.0 - goes_over)
    });
    -stays - 0.02 * height
}

/// Returns how likely a card in hand wins an unwanted trick later.
fn danger(odds: &Odds<'_>, card: Card) -> f32 {
    let suit = card.suit().cards().and(odds.unseen);
    let above = card.above(odds.table().trump()).and(odds.unseen).len() as f32;
    let below = suit.len() as f32 - above;
    let trump = if odds.table().trump().is(card.suit()) { 0.3 } else { 0.0 };
    0.1 * (below - above) + trump
}

/// Scores a card for leaving the trick to `seat`: stay below their card, play low before they play, and lead
/// low.
fn pushing(odds: &Odds<'_>, card: Card, seat: Seat) -> f32 {
    let table = odds.table();
    let height = height(odds, card);
    let takes = odds.takes(card, true);
    let played = table.play.card_of(seat).is_some();
    if table.play.in_trick() == 0 {
        // Best is a lead in a suit that they hold and must beat.
        let suit = card.suit().cards();
        let over = odds.has_any(seat, card.above(table.trump()));
        let under = odds.has_any(seat, suit.minus(card.above(table.trump())).without(card));
        let void = 1.0 - odds.has_any(seat, suit);
        return over * (1.0 - 0.7 * under) - void - 0.03 * height;
    }
    if played {
        let winning = table.play.best == seat;
        // Below their card, play as high as possible. If they win anyway, play the highest card.
        return if winning && takes { -1.0 - 0.1 * height } else { 0.1 * height };
    }
    // They still have to play, so play low.
    if takes { -0.1 * height } else { 0.5 + 0.02 * height }
}

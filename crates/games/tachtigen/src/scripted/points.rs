//! Card play in points contracts.

use cardsharp_engine::Seat;

use super::best::best;
use super::odds::Odds;
use crate::deck::{Card, Cards};
use crate::moves::Move;
use crate::seats::ALL_SEATS;
use crate::table::{Asked, View};

/// Expected points that each later player adds to a trick.
const ADDED: f32 = 3.0;
/// Later value of a card that nothing beats.
const MASTER: f32 = 7.0;
/// Later value of any trump.
const ANY_TRUMP: f32 = 3.5;
/// Value for the bidder's side of a trump lead, for each opponent expected to hold trumps.
const DRAWN: f32 = 3.0;

/// Plays the card with the highest value, or calls the asked card.
pub(super) fn choose(view: View<'_>, cards: Cards, may_call: bool) -> Move {
    let table = Table::new(view);
    if may_call && let Some(asked) = view.table.asked_card() {
        let called = table.value_of_call(asked);
        let others = cards.iter().map(|card| table.value(card)).fold(f32::MIN, f32::max);
        if called > others {
            return Move::Call;
        }
    }
    Move::Play(best(cards, |card| table.value(card)))
}

/// The table as the viewer sees it, with inferred sides.
struct Table<'v> {
    odds: Odds<'v>,
    /// Probability that each seat plays against the viewer.
    against: [f32; 4],
    /// Whether the viewer is on the bidder's side.
    bids: bool,
    /// Whether trumps can win this trick.
    trumps_count: bool,
}

impl<'v> Table<'v> {
    fn new(view: View<'v>) -> Self {
        let table = view.table;
        let (bidder, asked) = (table.auction.high.unwrap_or(view.seat), table.asked_card());
        let mine = asked.is_some_and(|asked| view.own.hand.has(asked)) || table.partner == Some(view.seat);
        let bids = bidder == view.seat || mine;
        let hidden = asked.is_some() && table.partner.is_none() && !mine && table.asked != Asked::Solo;
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
        if self.odds.table().asked == Asked::Card(card) {
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

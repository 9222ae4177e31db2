//! The scripted player of TAKI. It is deterministic and uses only the current view.
//!
//! For every legal move it predicts its hand at the end of the turn. A TAKI takes all cards of its color
//! along, and a King or a Plus one more card. It picks the move whose hand needs the fewest turns ([`hand`]),
//! plus a bonus for slowing down players who are about to win ([`effect`]). As a result it saves TAKI cards
//! and Kings until they pay off, and it answers +2 cards. It prefers a color of which it holds many cards and
//! the next player few.

mod effect;
mod hand;
mod temper;
#[cfg(test)]
mod tests;

use cardsharp_engine::ActionId;
use cardsharp_engine::game::{Actions, Character, Scripted};
use cardsharp_engine::mask::{self, Mask};
use effect::Effects;
use hand::cost;

use super::deck::{self, BREAKER, CHANGE, Card, Cards, Color, KING, PLUS3, SUPER, Symbol};
use super::moves::Move;
use super::rules::PlusLast;
use super::table::Stage;
use super::{Round, View};

/// Cost of leaving a TAKI open for the next player, in addition to what that player gains by winning.
const LEFT_OPEN: f32 = 0.6;
/// Cost of a Breaker in one's own turn. It is below the three cards that the player draws, because a Breaker
/// can hardly ever be the last card. A stuck player should get rid of it.
const BROKEN: f32 = 1.75;
/// Cost of drawing a card.
const DRAWN: f32 = 1.2;

impl Scripted for Round {
    fn scripted(view: View<'_>) -> ActionId {
        choose_by(view, |_| 0.0).id()
    }

    fn character(view: View<'_>, character: Character) -> ActionId {
        let temper = temper::of(view, character);
        choose_by(view, |chosen| temper.likes(chosen)).id()
    }
}

/// Returns the move with the highest value. `likes` adds a bonus to each move.
fn choose_by(view: View<'_>, likes: impl Fn(Move) -> f32) -> Move {
    match view.table.stage {
        Stage::LastCard { .. } => Move::Declare,
        Stage::Catch { .. } => Move::Catch,
        Stage::Window => answer(view),
        Stage::Turn | Stage::Run | Stage::Free | Stage::Owe | Stage::Over(_) => {
            let eye = Eye::new(view);
            let mut best = (f32::MIN, Move::Draw);
            for chosen in mask::actions(Round::legal(view).words()).filter_map(Move::of) {
                let value = eye.value(chosen) + likes(chosen);
                if value > best.0 {
                    best = (value, chosen);
                }
            }
            best.1
        }
    }
}

/// Answers a +3 with any card that can. A +3 costs the other players three cards each, so it comes first. A
/// Breaker makes only the player of the +3 draw, but nothing else stops a player who has laid their last
/// card.
fn answer(view: View<'_>) -> Move {
    let can = view.own.hand.once & view.table.answers(view.seat);
    let wins = view.table.remained == Some(0);
    let order = if wins { [BREAKER, PLUS3, KING] } else { [PLUS3, BREAKER, KING] };
    match order.into_iter().find(|&card| can & deck::bit(card) != 0) {
        Some(BREAKER) => Move::Breaker,
        Some(KING) => Move::King,
        Some(_) => Move::Plus3,
        None => Move::Decline,
    }
}

/// A view with precomputed effects, to evaluate many moves.
struct Eye<'a> {
    view: View<'a>,
    effects: Effects,
}

/// Returns a hand without the cards of a color.
fn without_color(hand: &Cards, color: Color) -> Cards {
    Cards { once: hand.once & !color.faces(), twice: hand.twice & !color.faces() }
}

fn without_card(hand: &Cards, card: Card) -> Cards {
    let mut rest = *hand;
    rest.remove(card);
    rest
}

impl<'a> Eye<'a> {
    fn new(view: View<'a>) -> Self {
        Self { view, effects: Effects::of(view) }
    }

    /// Returns the value of a move, in turns; higher is better.
    fn value(&self, chosen: Move) -> f32 {
        let (table, hand) = (self.view.table, &self.view.own.hand);
        let keeps = || -self.keep(hand, table.color, table.symbol);
        let in_run = table.stage == Stage::Run;
        match chosen {
            Move::Colored(_, symbol) if in_run => self.run_on(symbol),
            Move::Super(_) if in_run => self.super_in_run(),
            Move::Colored(color, symbol) => self.colored(hand, color, symbol),
            Move::Super(color) => self.whole_run(&without_card(hand, SUPER), color, Symbol::Taki),
            Move::King => self.after_king(&without_card(hand, KING), table.color),
            Move::Plus3 => {
                self.effects.plus3 - self.keep(&without_card(hand, PLUS3), table.color, table.symbol)
            }
            Move::Change(color) => {
                self.effects.color(color) - self.keep(&without_card(hand, CHANGE), color, None)
            }
            Move::Breaker if hand.total() == 1 => -BROKEN - 1.0,
            Move::Breaker => -BROKEN - self.keep(&without_card(hand, BREAKER), table.color, table.symbol),
            Move::Draw if table.debt > 0 => keeps() - table.debt as f32 - 0.5,
            Move::Draw => keeps() - DRAWN,
            Move::Close => self.ends(),
            Move::LeaveOpen => self.ends() - LEFT_OPEN - self.effects.next,
            Move::EndTurn | Move::Decline | Move::Declare | Move::Silent | Move::Catch | Move::LetGo => {
                keeps()
            }
        }
    }

    /// Returns the cost of a hand at the end of the turn.
    fn keep(&self, hand: &Cards, color: Color, symbol: Option<Symbol>) -> f32 {
        cost(self.view.table, hand, color, symbol)
    }

    /// Returns the value of a colored card outside a TAKI.
    fn colored(&self, hand: &Cards, color: Color, symbol: Symbol) -> f32 {
        let table = self.view.table;
        let rest = without_card(hand, deck::colored(color, symbol));
        let goes_on = table.stage == Stage::Turn && table.open && table.debt == 0 && table.color == color;
        if symbol == Symbol::Taki || goes_on {
            return self.whole_run(&rest, color, symbol);
        }
        self.acts(&rest, color, symbol)
    }

    /// Returns the value of a card that ends the turn, or that another card may follow.
    fn acts(&self, rest: &Cards, color: Color, symbol: Symbol) -> f32 {
        if symbol == Symbol::Plus && rest.is_empty() && self.view.table.rules.plus_last == PlusLast::MustDraw
        {
            return -1.0 - DRAWN;
        }
        if symbol == Symbol::Plus || self.effects.again(symbol) {
            return if rest.is_empty() {
                -self.keep(rest, color, None)
            } else {
                self.follow(rest, color, symbol)
            };
        }
        self.effects.of_symbol(symbol) + self.effects.color(color) - self.keep(rest, color, Some(symbol))
    }

    /// Returns the value of a TAKI that takes all cards of the color, with the best one last.
    fn whole_run(&self, rest: &Cards, color: Color, first: Symbol) -> f32 {
        let left = without_color(rest, color);
        let last = self.best_last(rest, color, &left).unwrap_or(first);
        self.run_ends(&left, color, last)
    }

    /// Returns the value of ending a TAKI with this card.
    fn run_ends(&self, left: &Cards, color: Color, last: Symbol) -> f32 {
        let open = if last == Symbol::Taki { LEFT_OPEN + self.effects.next } else { 0.0 };
        self.acts(left, color, last) - if left.is_empty() { 0.0 } else { open }
    }

    /// Returns the card of a color that is best as the last card of a TAKI.
    fn best_last(&self, hand: &Cards, color: Color, left: &Cards) -> Option<Symbol> {
        let held = Symbol::ALL.into_iter().filter(|&symbol| hand.has(deck::colored(color, symbol)));
        let value = |symbol: Symbol| self.run_ends(left, color, symbol);
        held.fold(None, |best: Option<Symbol>, symbol| match best {
            Some(other) if value(other) >= value(symbol) => best,
            _ => Some(symbol),
        })
    }

    /// Returns the value after a King: the best card to follow, or none.
    fn after_king(&self, rest: &Cards, color: Color) -> f32 {
        let mut best = -self.keep(rest, color, None);
        for card in rest.cards() {
            let value = match deck::parts(card) {
                Some((color, Symbol::Taki)) => self.whole_run(&without_card(rest, card), color, Symbol::Taki),
                Some((color, symbol)) => self.acts(&without_card(rest, card), color, symbol),
                None if card == SUPER => self.whole_run(&without_card(rest, SUPER), color, Symbol::Taki),
                None if card == CHANGE => self.best_change(&without_card(rest, CHANGE)),
                None if card == PLUS3 => {
                    self.effects.plus3 - self.keep(&without_card(rest, PLUS3), color, None)
                }
                None => continue,
            };
            best = best.max(value);
        }
        best
    }

    /// Returns the value of Change Color with its best color.
    fn best_change(&self, rest: &Cards) -> f32 {
        let value = |color: Color| self.effects.color(color) - self.keep(rest, color, None);
        Color::ALL.into_iter().map(value).fold(f32::MIN, f32::max)
    }

    /// Returns the value if another matching card follows, or one is drawn.
    fn follow(&self, rest: &Cards, color: Color, symbol: Symbol) -> f32 {
        let mut best = -self.keep(rest, color, Some(symbol)) - DRAWN;
        for card in rest.cards() {
            let left = without_card(rest, card);
            let value = match deck::parts(card) {
                Some((c, s)) if c == color || s == symbol => match s {
                    Symbol::Taki => self.whole_run(&left, c, s),
                    _ if s == Symbol::Plus && left.is_empty() => continue,
                    // This card may demand yet another one. Looking one card ahead is enough.
                    _ => self.effects.of_symbol(s) + self.effects.color(c) - self.keep(&left, c, Some(s)),
                },
                Some(_) => continue,
                None if card == SUPER => self.whole_run(&left, color, Symbol::Taki),
                None if card == CHANGE => self.best_change(&left),
                None if card == KING => self.after_king(&left, color),
                None if card == PLUS3 => self.effects.plus3 - self.keep(&left, color, Some(symbol)),
                None => continue,
            };
            best = best.max(value);
        }
        best
    }

    /// Returns the value of a colored card inside a TAKI. Saves the best last card for the end.
    fn run_on(&self, symbol: Symbol) -> f32 {
        let (table, hand) = (self.view.table, &self.view.own.hand);
        let color = table.color;
        let left = without_color(hand, color);
        let last = self.best_last(hand, color, &left);
        let rest = without_card(hand, deck::colored(color, symbol));
        let alone = rest.among(color.faces()) == 0;
        // All orders lead to the same best end, so they have the same value.
        let end = if alone { Some(symbol) } else { self.best_last(&rest, color, &left) };
        let waits = !alone && Some(symbol) == last && rest.count(deck::colored(color, symbol)) == 0;
        end.map_or(f32::MIN, |end| self.run_ends(&left, color, end)) - if waits { 0.1 } else { 0.0 }
    }

    /// Returns the value of a Super TAKI inside a TAKI.
    fn super_in_run(&self) -> f32 {
        let color = self.view.table.color;
        let rest = without_card(&self.view.own.hand, SUPER);
        if rest.among(color.faces()) > 0 {
            // With cards of the color left, the Super TAKI would be wasted.
            return self.whole_run(&rest, color, Symbol::Taki) - 0.3;
        }
        self.run_ends(&rest, color, Symbol::Taki)
    }

    /// Returns the value of ending the TAKI with the card on top.
    fn ends(&self) -> f32 {
        let (table, hand) = (self.view.table, &self.view.own.hand);
        match table.symbol {
            Some(symbol) => self.acts(hand, table.color, symbol),
            None => -self.keep(hand, table.color, None),
        }
    }
}

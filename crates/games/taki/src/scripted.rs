//! The scripted player of TAKI. It is deterministic and uses only the current view.
//!
//! For every legal move it predicts its hand at the end of the turn. A TAKI takes all cards of its color
//! along, and a King or a Plus one more card. It picks the move whose hand needs the fewest turns ([`cost`]),
//! plus a bonus for slowing down players who are about to win ([`Effects`]). As a result it saves TAKI cards
//! and Kings until they pay off, and it answers +2 cards. It prefers a color of which it holds many cards and
//! the next player few.

#[cfg(test)]
mod tests;

use cardsharp_engine::game::{Actions, Character, Scripted};
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::{ActionId, Seat};

use super::actions::Move;
use super::deck::{self, BREAKER, CHANGE, Card, Cards, Color, KING, PLUS3, SUPER, Symbol};
use super::rules::{Mode, PlusLast, TwoPlayerDirection};
use super::state::{PublicState, Stage, unseen};
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
        let bonuses = bonuses_of(view, character);
        choose_by(view, |chosen| bonuses.likes(chosen)).id()
    }
}

/// Returns the move with the highest value. `likes` adds a bonus to each move.
fn choose_by(view: View<'_>, likes: impl Fn(Move) -> f32) -> Move {
    match view.table.stage {
        Stage::LastCard { .. } => Move::Declare,
        Stage::Catch { .. } => Move::Catch,
        Stage::Window => answer(view),
        Stage::Turn | Stage::Run | Stage::Free | Stage::Owe | Stage::Over(_) => {
            let evaluator = Evaluator::new(view);
            let mut best = (f32::MIN, Move::Draw);
            for chosen in mask::actions(Round::legal(view).words()).filter_map(Move::of) {
                let value = evaluator.value(chosen) + likes(chosen);
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
struct Evaluator<'a> {
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

impl<'a> Evaluator<'a> {
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
        let best = self.best_last(rest, color, &left);
        best.map_or_else(|| self.run_ends(&left, color, first), |(_, value)| value)
    }

    /// Returns the value of ending a TAKI with this card.
    fn run_ends(&self, left: &Cards, color: Color, last: Symbol) -> f32 {
        let open = if last == Symbol::Taki { LEFT_OPEN + self.effects.next } else { 0.0 };
        self.acts(left, color, last) - if left.is_empty() { 0.0 } else { open }
    }

    /// Returns the card of a color that is best as the last card of a TAKI, and the value of this end.
    fn best_last(&self, hand: &Cards, color: Color, left: &Cards) -> Option<(Symbol, f32)> {
        let held = Symbol::ALL.into_iter().filter(|&symbol| hand.has(deck::colored(color, symbol)));
        let valued = held.map(|symbol| (symbol, self.run_ends(left, color, symbol)));
        valued.fold(None, |best: Option<(Symbol, f32)>, (symbol, value)| match best {
            Some((_, other)) if other >= value => best,
            _ => Some((symbol, value)),
        })
    }

    /// Returns the value after a King: the best card to follow, or none.
    fn after_king(&self, rest: &Cards, color: Color) -> f32 {
        let mut best = -self.keep(rest, color, None);
        for card in rest.faces() {
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
        for card in rest.faces() {
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
        let rest = without_card(hand, deck::colored(color, symbol));
        if rest.among(color.faces()) == 0 {
            return self.run_ends(&left, color, symbol);
        }
        // All orders lead to the same best end, so they have the same value.
        let end = self.best_last(&rest, color, &left).map_or(f32::MIN, |(_, value)| value);
        let waits = rest.count(deck::colored(color, symbol)) == 0
            && self.best_last(hand, color, &left).is_some_and(|(last, _)| last == symbol);
        end - if waits { 0.1 } else { 0.0 }
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

// The effect of cards on the other players, in units of one's own turns.

/// How urgent it is to slow down the neighbors of the viewer.
struct Effects {
    /// How close the next player is to winning.
    next: f32,
    /// How close the previous player is to winning.
    before: f32,
    /// Value of a +3.
    plus3: f32,
    /// How much each color hinders the next player.
    colors: [f32; 4],
    two: bool,
    turns_again: bool,
}

/// Returns how close a player is to winning; higher is closer.
fn near(table: &PublicState, seat: Seat) -> f32 {
    let near = match table.sizes[seat.index()] {
        0 | 1 => 3.0,
        2 => 1.2,
        3 => 0.6,
        4 => 0.3,
        _ => 0.1,
    };
    // Earlier stages of a tournament matter less.
    match (table.rules.mode, table.stages[seat.index()]) {
        (Mode::Single, _) | (_, 1) => near,
        (_, 2) => 0.6 * near,
        _ => 0.35 * near,
    }
}

impl Effects {
    fn of(view: View<'_>) -> Self {
        let table = view.table;
        let others = table.players() - 1;
        let next = table.after(view.seat, 1);
        let (mut held, mut gain) = (0, 1.6);
        for steps in 1..=others {
            let seat = table.after(view.seat, steps);
            gain += 0.3 * near(table, seat);
            held += u32::from(table.sizes[seat.index()]);
        }
        // Expected number of Breakers in the other hands, at most 1.
        let unknown = unseen(table, view.own);
        let breakers = u32::from(unknown.count(BREAKER)) * held;
        let broken = (breakers as f32 / unknown.total().max(1) as f32).min(1.0);
        let plus3 = gain - broken * (gain + 3.0);
        let proofs = &table.proofs[next.index()];
        let threat = near(table, next);
        let lack = |color: Color| {
            let most = proofs.iter().filter(|proof| proof.faces & color.faces() == color.faces());
            match most.map(|proof| proof.at_most).min() {
                Some(0) => 0.15 + 0.5 * threat,
                Some(1) => 0.08 + 0.3 * threat,
                _ => 0.0,
            }
        };
        Self {
            next: threat,
            before: near(table, table.after(view.seat, others)),
            plus3,
            colors: Color::ALL.map(lack),
            two: table.players() == 2,
            turns_again: table.rules.two_player_direction == TwoPlayerDirection::ActsAsStop,
        }
    }

    /// Returns the value of a colored card's action, for its effect on others or for another turn.
    fn of_symbol(&self, symbol: Symbol) -> f32 {
        match symbol {
            symbol if self.again(symbol) => 0.95,
            Symbol::Stop => 0.1 + 0.7 * self.next,
            Symbol::Plus2 if self.two => 1.5 + self.next,
            Symbol::Plus2 => 0.5 + 0.9 * self.next,
            Symbol::Direction if !self.two => 0.4 * (self.next - self.before),
            _ => 0.0,
        }
    }

    /// Returns whether the same player moves again after this card.
    fn again(&self, symbol: Symbol) -> bool {
        self.two && (symbol == Symbol::Stop || symbol == Symbol::Direction && self.turns_again)
    }

    /// Returns how much a color hinders the next player.
    fn color(&self, color: Color) -> f32 {
        self.colors[color as usize]
    }
}

// A rough estimate of how many turns a hand needs.

/// Cost of an empty hand, which wins the game.
const WON: f32 = -50.0;
/// Cost of an empty hand in an earlier stage of a tournament.
const STAGE_DONE: f32 = -4.0;

/// Estimates how many turns the viewer needs for these cards if they must match `color` or `symbol` next.
/// Only differences are meaningful.
fn cost(table: &PublicState, hand: &Cards, color: Color, symbol: Option<Symbol>) -> f32 {
    let n = hand.total();
    if n == 0 {
        return if table.rules.mode == Mode::Single { WON } else { STAGE_DONE };
    }
    let mut turns = n as f32;
    let mut colors = 0;
    let mut best_run = 0;
    for color in Color::ALL {
        let held = hand.among(color.faces());
        colors += u32::from(held > 0);
        if hand.has(deck::colored(color, Symbol::Taki)) {
            turns -= 0.85 * held.saturating_sub(1) as f32;
        } else {
            best_run = best_run.max(held);
        }
    }
    if hand.has(SUPER) {
        turns -= 0.75 * best_run as f32;
    }
    turns += 0.2 * colors.saturating_sub(1) as f32;
    turns += alone(table, hand, n);

    let two = table.players() == 2;
    let each = |card, worth: f32| worth * f32::from(hand.count(card));
    let all = |symbol: Symbol, worth: f32| worth * hand.among(symbol.faces()) as f32;
    turns += each(KING, -2.25) + each(CHANGE, -0.35) + each(SUPER, -0.3) + each(PLUS3, -0.3);
    turns += each(BREAKER, 0.1);
    turns += all(Symbol::Plus, if n > 1 { -0.4 } else { 0.0 });
    turns += all(Symbol::Stop, if two { -0.7 } else { -0.1 });
    turns += all(Symbol::Plus2, -0.15);
    if two && table.rules.two_player_direction == TwoPlayerDirection::ActsAsStop {
        turns += all(Symbol::Direction, -0.7);
    }
    let wild = deck::bit(KING) | deck::bit(CHANGE) | deck::bit(SUPER) | deck::bit(PLUS3);
    let fits = color.faces() | symbol.map_or(0, Symbol::faces) | wild;
    turns + if hand.once & fits == 0 { 0.5 } else { 0.0 }
}

/// Returns the extra cost of a hand with one card; 0 for larger hands.
fn alone(table: &PublicState, hand: &Cards, n: u32) -> f32 {
    if n > 1 {
        return 0.0;
    }
    let plus = hand.among(Symbol::Plus.faces()) > 0 && table.rules.plus_last == PlusLast::MustDraw;
    match () {
        () if hand.has(BREAKER) => 2.5,
        () if plus => 1.0,
        () if hand.once < deck::bit(deck::COLORED) => 0.0,
        () => -0.4,
    }
}

// The bonus that each character adds to the value of a move, in turns.

/// Bonus for playing each kind of card.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Bonuses {
    /// Stop, +2, Change Direction, Plus and +3.
    action: f32,
    /// TAKI and Super TAKI.
    taki: f32,
    /// King and Change Color.
    wild: f32,
}

const PLAIN: Bonuses = Bonuses { action: 0.0, taki: 0.0, wild: 0.0 };
/// Prefers numbers, and saves action cards for the end of the game and for answers.
const CAUTIOUS: Bonuses = Bonuses { action: -1.2, taki: -1.0, wild: -1.0 };
/// Prefers action cards, regardless of their effect.
const AGGRESSIVE: Bonuses = Bonuses { action: 1.2, taki: 1.5, wild: 0.3 };
/// The cautious player stops saving cards if any player has at most this many.
const END: u8 = 2;

/// Returns a character's bonuses in this position.
fn bonuses_of(view: View<'_>, character: Character) -> Bonuses {
    let table = view.table;
    // Cards that follow within a TAKI, or after a Plus or a King, cost no extra turn: play them without a
    // bonus.
    if table.stage != Stage::Turn {
        return PLAIN;
    }
    let sizes = &table.sizes[..usize::from(table.players())];
    match character {
        // The player must answer or pay a debt.
        Character::Cautious if table.debt > 0 || sizes.iter().any(|&size| size <= END) => PLAIN,
        Character::Cautious => CAUTIOUS,
        Character::Aggressive => AGGRESSIVE,
    }
}

impl Bonuses {
    /// Returns the bonus for a move.
    fn likes(&self, chosen: Move) -> f32 {
        match chosen {
            Move::Colored(_, Symbol::Taki) | Move::Super(_) => self.taki,
            Move::Colored(_, symbol) if symbol.is_number() => 0.0,
            Move::Colored(..) | Move::Plus3 => self.action,
            Move::King | Move::Change(_) => self.wild,
            // A Breaker in one's own turn is a last resort for every character.
            Move::Breaker
            | Move::Draw
            | Move::Close
            | Move::LeaveOpen
            | Move::EndTurn
            | Move::Decline
            | Move::Declare
            | Move::Silent
            | Move::Catch
            | Move::LetGo => 0.0,
        }
    }
}

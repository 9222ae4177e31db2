//! A turn: playing a card, its effect, a TAKI, and drawing. Also how cards move between hands, draw pile and
//! discards.

use cardsharp_engine::Seat;

use super::actions::Move;
use super::deck::{self, Card, Cards, Color, Symbol, bit};
use super::rules::{DrawPolicy, PlusLast, TakiFollow, TwoPlayerDirection};
use super::state::{Happened, SEATS, Stage};
use super::{Round, ending, window};

/// Plays the move of the player whose turn it is: lays a card, draws, or ends the turn after a King.
#[inline]
pub(super) fn play(round: &mut Round, chosen: Move) {
    match chosen {
        Move::Colored(color, symbol) => play_colored(round, color, symbol),
        Move::Change(color) => change_color(round, color),
        Move::Super(color) => {
            lay_in_turn(round, deck::SUPER);
            round.table.color = color;
            round.table.symbol = Some(Symbol::Taki);
            begin_run(round);
        }
        Move::King => king(round),
        Move::Plus3 => plus3(round),
        Move::Breaker => {
            lay_in_turn(round, deck::BREAKER);
            let seat = round.table.turn;
            give(round, seat, 3);
            ending::end_turn(round, 0);
        }
        Move::Draw => draw(round),
        Move::EndTurn => ending::end_turn(round, 0),
        Move::Close
        | Move::LeaveOpen
        | Move::Decline
        | Move::Declare
        | Move::Silent
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
    }
}

#[inline]
fn play_colored(round: &mut Round, color: Color, symbol: Symbol) {
    let table = &mut round.table;
    let same_color = table.open && table.color == color;
    let on_debt = table.debt > 0;
    lay_in_turn(round, deck::colored(color, symbol));
    let table = &mut round.table;
    (table.color, table.symbol) = (color, Some(symbol));
    if symbol == Symbol::Taki || same_color && !on_debt {
        begin_run(round);
        return;
    }
    // A +2 of the open TAKI's color, laid on a debt, leaves the TAKI open.
    table.open = same_color;
    act(round, symbol);
}

/// Lays Change Color, in a turn or at the end of a TAKI.
fn change_color(round: &mut Round, color: Color) {
    lay_in_turn(round, deck::CHANGE);
    let table = &mut round.table;
    table.color = color;
    table.open = false;
    table.symbol = None;
    ending::end_turn(round, 0);
}

/// Lays a King, in a turn or at the end of a TAKI.
fn king(round: &mut Round) {
    lay_in_turn(round, deck::KING);
    let table = &mut round.table;
    table.open = false;
    table.debt = 0;
    table.symbol = None;
    free(round);
}

/// Lays a +3, in a turn or at the end of a TAKI.
fn plus3(round: &mut Round) {
    lay_in_turn(round, deck::PLUS3);
    round.table.open = false;
    window::open(round);
}

/// Continues the turn after a King: any card may follow. Ends the turn if the hand is empty.
pub(super) fn free(round: &mut Round) {
    if has_emptied(round) {
        ending::end_turn(round, 0);
    } else {
        ending::ask(round, Stage::Free);
    }
}

/// Applies the effect of a card outside a TAKI, or of the last card of a TAKI. Ends the turn, unless a Plus
/// demands another card.
#[inline]
fn act(round: &mut Round, symbol: Symbol) {
    let table = &mut round.table;
    let mut skipped = 0;
    match symbol {
        Symbol::Stop => skipped = 1,
        Symbol::Plus2 => table.debt = table.debt.saturating_add(2),
        Symbol::Direction => {
            table.direction = table.direction.turned();
            let again = table.rules.two_player_direction == TwoPlayerDirection::ActsAsStop;
            skipped = u8::from(table.rules.players == 2 && again);
        }
        Symbol::Plus => {
            owe(round);
            return;
        }
        _ => {}
    }
    ending::end_turn(round, skipped);
}

/// Demands another card after a Plus, or ends the turn if the hand is empty.
fn owe(round: &mut Round) {
    if !has_emptied(round) {
        ending::ask(round, Stage::Owe);
        return;
    }
    if round.table.rules.plus_last == PlusLast::MustDraw {
        let seat = round.table.turn;
        give(round, seat, 1);
    }
    ending::end_turn(round, 0);
}

/// Draws the cards that the player owes, or one card.
fn draw(round: &mut Round) {
    let table = &mut round.table;
    let seat = table.turn;
    let owed = std::mem::take(&mut table.debt);
    if owed == 0 && table.rules.draw_policy == DrawPolicy::StuckOnly {
        let playable = table.playable() & !bit(deck::BREAKER);
        table.proofs[seat.index()].add(playable);
    }
    let drawn = give(round, seat, owed.max(1));
    let table = &mut round.table;
    if table.stage == Stage::Turn {
        table.idle = if drawn == 0 { table.idle + 1 } else { 0 };
    }
    ending::end_turn(round, 0);
}

// Moves while a TAKI is in progress.

/// Starts a TAKI, or continues an open one with its first card.
#[inline]
fn begin_run(round: &mut Round) {
    round.table.open = false;
    if has_emptied(round) { end_run_by_itself(round) } else { ending::ask(round, Stage::Run) }
}

/// Plays a move during the player's own TAKI.
#[inline]
pub(super) fn play_run(round: &mut Round, chosen: Move) {
    match chosen {
        Move::Colored(color, symbol) => continue_run(round, deck::colored(color, symbol), symbol),
        Move::Super(_) => continue_run(round, deck::SUPER, Symbol::Taki),
        Move::Change(color) => {
            keeps_none(round);
            change_color(round, color);
        }
        Move::King => {
            keeps_none(round);
            king(round);
        }
        Move::Plus3 => {
            keeps_none(round);
            plus3(round);
        }
        Move::Close => {
            keeps_none(round);
            end_run(round, false);
        }
        Move::LeaveOpen => {
            keeps_none(round);
            end_run(round, true);
        }
        Move::Breaker
        | Move::Draw
        | Move::EndTurn
        | Move::Decline
        | Move::Declare
        | Move::Silent
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
    }
}

#[inline]
fn continue_run(round: &mut Round, card: deck::Card, symbol: Symbol) {
    lay_in_turn(round, card);
    round.table.symbol = Some(symbol);
    if has_emptied(round) { end_run_by_itself(round) } else { ending::ask(round, Stage::Run) }
}

/// Adds the proof that the player holds no more cards of the color, if the rules force them to play all.
#[inline]
fn keeps_none(round: &mut Round) {
    let table = &mut round.table;
    if table.rules.taki_follow == TakiFollow::All {
        table.proofs[table.turn.index()].add(table.color.faces());
    }
}

fn end_run_by_itself(round: &mut Round) {
    let bare = round.table.symbol == Some(Symbol::Taki);
    end_run(round, bare);
}

/// Ends the TAKI: its last card acts.
#[inline]
fn end_run(round: &mut Round, open: bool) {
    round.table.open = open;
    if let Some(symbol) = round.table.symbol {
        act(round, symbol);
    }
}

// Moving cards: drawing, laying, and shuffling the discards into a new draw pile.

/// Makes a player draw `cards` cards, or fewer if no more are left. Returns the number drawn.
#[inline]
pub(super) fn give(round: &mut Round, seat: Seat, cards: u32) -> u8 {
    let mut drawn = 0;
    while u32::from(drawn) < cards {
        if round.table.pile == 0 && !recycle(round) {
            break;
        }
        draw_one(round, seat);
        drawn += 1;
    }
    if drawn > 0 {
        round.log.add(Happened::Drew(seat, drawn));
        round.table.announced = round.table.announced.without(seat.0);
    }
    drawn
}

#[inline]
fn draw_one(round: &mut Round, seat: Seat) {
    let table = &mut round.table;
    let who = seat.index();
    table.pile -= 1;
    let card = round.pile[usize::from(table.pile)];
    round.own[who].hand.add(card);
    round.own[who].drew.add(card);
    table.sizes[who] += 1;
    table.drawn[who] += 1;
    if table.buried.len() > table.pile {
        table.buried.take();
        table.known[who].add(card);
        table.proofs[who].drew(bit(card));
    } else {
        table.proofs[who].drew(u64::MAX);
    }
}

/// Shuffles all discards except the top one into a new draw pile. Returns false if there are none.
#[cold]
fn recycle(round: &mut Round) -> bool {
    let table = &mut round.table;
    if table.discards.total() < 2 {
        return false;
    }
    // All copies of these cards are among the discards, so no player holds one.
    let nowhere = deck::complete(&table.discards);
    let mut stock = table.discards;
    stock.remove(table.top);
    table.stock = stock;
    table.discards = Cards::one(table.top);
    table.first = table.top;
    table.pile = stock.total() as u8;
    table.recycles = table.recycles.saturating_add(1);
    table.laid = [Cards::NONE; SEATS];
    table.drawn = [0; SEATS];
    for seat in 0..usize::from(table.rules.players) {
        table.proofs[seat].add(nowhere);
        round.own[seat].drew = Cards::NONE;
    }
    let pile = &mut round.pile[..usize::from(table.pile)];
    pile.iter_mut().zip(stock.cards()).for_each(|(place, card)| *place = card);
    round.rng.draw(|draw| draw.shuffle(pile));
    true
}

/// Lays a card from a player's hand on the discard pile.
#[inline]
pub(super) fn lay(round: &mut Round, seat: Seat, card: Card) {
    let table = &mut round.table;
    let who = seat.index();
    round.own[who].hand.remove(card);
    table.sizes[who] -= 1;
    table.laid[who].add(card);
    table.discards.add(card);
    table.top = card;
    table.idle = 0;
    table.announced = table.announced.without(seat.0);
    if table.known[who].has(card) {
        table.known[who].remove(card);
    }
    table.proofs[who].laid(card, table.sizes[who]);
}

/// Like [`lay`], for the player whose turn it is. Also updates `remained`.
#[inline]
fn lay_in_turn(round: &mut Round, card: Card) {
    let seat = round.table.turn;
    lay(round, seat, card);
    round.table.remained = Some(round.table.sizes[seat.index()]);
}

/// Returns whether the player whose turn it is has laid their last card in this turn.
#[inline]
pub(super) fn has_emptied(round: &Round) -> bool {
    round.table.remained == Some(0) && round.table.sizes[round.table.turn.index()] == 0
}

//! A turn: playing a card, its effect, a TAKI, and drawing. Then a +3 with its answers, and the end of the turn, where
//! players announce "last card", or others catch a player who did not.

use cardsharp_engine::Seat;

use super::Round;
use super::actions::Move;
use super::deck::{self, Card, Color, Symbol, bit};
use super::piles::{give, has_emptied, lay, lay_in_turn};
use super::rules::{DrawPolicy, LastCard, Plus3Last, PlusLast, TakiFollow, TwoPlayerDirection};
use super::state::{ActionResult, AfterLastCard, Answer, GameEnd, Stage};

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
            end_turn(round, 0);
        }
        Move::Draw => draw(round),
        Move::EndTurn => end_turn(round, 0),
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
    end_turn(round, 0);
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
    open_window(round);
}

/// Continues the turn after a King: any card may follow. Ends the turn if the hand is empty.
fn free(round: &mut Round) {
    if has_emptied(round) {
        end_turn(round, 0);
    } else {
        ask(round, Stage::Free);
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
    end_turn(round, skipped);
}

/// Demands another card after a Plus, or ends the turn if the hand is empty.
fn owe(round: &mut Round) {
    if !has_emptied(round) {
        ask(round, Stage::Owe);
        return;
    }
    if round.table.rules.plus_last == PlusLast::MustDraw {
        let seat = round.table.turn;
        give(round, seat, 1);
    }
    end_turn(round, 0);
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
    end_turn(round, 0);
}

// Moves while a TAKI is in progress.

/// Starts a TAKI, or continues an open one with its first card.
#[inline]
fn begin_run(round: &mut Round) {
    round.table.open = false;
    if has_emptied(round) { end_run_by_itself(round) } else { ask(round, Stage::Run) }
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
    if has_emptied(round) { end_run_by_itself(round) } else { ask(round, Stage::Run) }
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

// A +3 and the answers to it. The game asks only players who hold an answer, and the others must not notice that.

/// Number of cards that each player draws for a +3.
const THREE: u32 = 3;

/// Handles a +3 that was just laid: asks the players who can answer, or settles it.
fn open_window(round: &mut Round) {
    let table = &mut round.table;
    table.stage = Stage::Window;
    if has_emptied(round) && round.table.rules.plus3_last == Plus3Last::WinsAtOnce {
        let seat = round.table.turn;
        if go_out(round, seat) {
            return;
        }
        round.table.remained = None;
    }
    // Only a +3 that answers another +3 can exceed the limit of decisions. Settle it without asking.
    if round.table.decisions > round.table.rules.limit() {
        settle_window(round);
    } else {
        ask_from(round, 1);
    }
}

/// Asks the first player who can answer, starting `steps` steps after the player of the +3. Settles the +3 if
/// there is none.
fn ask_from(round: &mut Round, steps: u8) {
    for steps in steps..round.table.players() {
        let seat = round.table.after(round.table.turn, steps);
        let own = &mut round.own[seat.index()];
        if own.hand.once & round.table.answers(seat) != 0 {
            own.answer = Answer::Asked;
            round.asked = seat;
            return;
        }
    }
    settle_window(round);
}

/// Settles a +3 without an answer: all players except its own draw.
fn settle_window(round: &mut Round) {
    close_window(round);
    let player = round.table.turn;
    let mut drawn = false;
    for steps in 1..round.table.players() {
        let seat = round.table.after(player, steps);
        drawn |= give(round, seat, THREE) > 0;
    }
    // Without draws, this event is the only sign that the +3 is over.
    if !drawn {
        round.log.add(ActionResult::Settled);
    }
    end_turn(round, 0);
}

fn close_window(round: &mut Round) {
    round.own.iter_mut().for_each(|own| own.answer = Answer::Nothing);
    round.asked = Seat(0);
}

/// Plays the answer of the asked player, or their refusal.
pub(super) fn play_window(round: &mut Round, chosen: Move) {
    let seat = round.asked;
    match chosen {
        Move::Breaker => break_it(round, seat),
        Move::King => cancel(round, seat),
        Move::Plus3 => answer_in_kind(round, seat),
        Move::Decline => {
            round.own[seat.index()].answer = Answer::Declined;
            let next = round.table.steps(round.table.turn, seat) + 1;
            ask_from(round, next);
        }
        Move::Colored(..)
        | Move::Change(_)
        | Move::Super(_)
        | Move::Draw
        | Move::Close
        | Move::LeaveOpen
        | Move::EndTurn
        | Move::Declare
        | Move::Silent
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
    }
}

fn break_it(round: &mut Round, seat: Seat) {
    close_window(round);
    lay(round, seat, deck::BREAKER);
    let player = round.table.turn;
    give(round, player, THREE);
    let left = round.table.sizes[seat.index()];
    if left == 0 && go_out(round, seat) {
        return;
    }
    // The player of the +3 has drawn three cards, so only the player of the Breaker can be down to one.
    let next = AfterLastCard { seat: round.table.after(player, 1), king: false, plus3: false };
    pass_on(round, (left == 1).then_some(seat), next);
}

fn cancel(round: &mut Round, seat: Seat) {
    round.table.symbol = None;
    take_over(round, seat, deck::KING, AfterLastCard { seat, king: true, plus3: false });
}

/// Answers the +3 on the table with another +3, which replaces it.
fn answer_in_kind(round: &mut Round, seat: Seat) {
    take_over(round, seat, deck::PLUS3, AfterLastCard { seat, king: false, plus3: true });
}

/// Lays the next player's answer. It ends the turn of the player of the +3, and the turn passes to the next
/// player.
fn take_over(round: &mut Round, seat: Seat, card: Card, next: AfterLastCard) {
    close_window(round);
    lay(round, seat, card);
    let player = round.table.turn;
    let left = round.table.remained;
    if has_emptied(round) && go_out(round, player) {
        return;
    }
    round.table.turn = seat;
    round.table.remained = Some(round.table.sizes[seat.index()]);
    let last = left == Some(1) && round.table.sizes[player.index()] == 1;
    pass_on(round, last.then_some(player), next);
}

// The end of a turn, of a stage and of a game.

/// Starts a stage with a public decision, or cuts the game off if `max_decisions` is reached.
#[inline]
fn ask(round: &mut Round, stage: Stage) {
    let table = &mut round.table;
    table.stage = if table.decisions < table.rules.limit() { stage } else { Stage::Over(GameEnd::CutOff) };
}

/// Ends the turn after the played card's effect. `skipped` players lose their turn.
#[inline]
fn end_turn(round: &mut Round, skipped: u8) {
    let seat = round.table.turn;
    if has_emptied(round) && go_out(round, seat) {
        return;
    }
    let table = &mut round.table;
    if table.idle >= table.rules.players {
        table.stage = Stage::Over(GameEnd::Stalemate);
        return;
    }
    let last = table.remained == Some(1) && table.sizes[seat.index()] == 1;
    let next = AfterLastCard { seat: table.after(table.after(seat, 1), skipped), king: false, plus3: false };
    pass_on(round, last.then_some(seat), next);
}

/// Passes the turn on. If `last` is down to one card, that player first has to announce it.
#[inline]
fn pass_on(round: &mut Round, last: Option<Seat>, next: AfterLastCard) {
    match last {
        Some(seat) => check_last_card(round, seat, next),
        None => go_on(round, next),
    }
}

/// Starts the next player's turn. If they answered a +3 with a King or another +3, continues that turn
/// instead.
#[inline]
fn go_on(round: &mut Round, next: AfterLastCard) {
    if next.king {
        free(round);
    } else if next.plus3 {
        open_window(round);
    } else {
        round.table.turn = next.seat;
        round.table.remained = None;
        ask(round, Stage::Turn);
    }
}

/// Handles a player without cards: the player wins, or starts the next tournament stage with new cards.
/// Returns whether the game is over.
fn go_out(round: &mut Round, seat: Seat) -> bool {
    let table = &mut round.table;
    let stage = &mut table.stages[seat.index()];
    if *stage < 2 {
        table.stage = Stage::Over(GameEnd::Won(seat));
        return true;
    }
    *stage -= 1;
    let cards = u32::from(*stage);
    give(round, seat, cards);
    round.log.add(ActionResult::Rose(seat));
    false
}

// Announcing "last card", and catching a player who did not.

/// Handles a player who laid a card and has one left: announces it automatically, or asks the player.
fn check_last_card(round: &mut Round, seat: Seat, next: AfterLastCard) {
    if round.table.rules.last_card == LastCard::Auto {
        round.table.announced.insert(seat.0);
        go_on(round, next);
    } else {
        ask(round, Stage::LastCard { seat, next });
    }
}

/// Plays the decision of the player with one card: announce it or stay silent.
pub(super) fn play_last_card(round: &mut Round, seat: Seat, next: AfterLastCard, chosen: Move) {
    match chosen {
        Move::Declare => {
            round.table.announced.insert(seat.0);
            go_on(round, next);
        }
        Move::Silent if round.table.rules.last_card == LastCard::Challenge => {
            let asked = round.table.after(seat, 1);
            ask(round, Stage::Catch { silent: seat, asked, next });
        }
        Move::Silent => pay(round, seat, next),
        Move::Colored(..)
        | Move::Change(_)
        | Move::Super(_)
        | Move::King
        | Move::Plus3
        | Move::Breaker
        | Move::Draw
        | Move::Close
        | Move::LeaveOpen
        | Move::EndTurn
        | Move::Decline
        | Move::Catch
        | Move::LetGo => chosen.misplaced(),
    }
}

/// Plays the decision of another player: catch the silent player or let them go.
pub(super) fn play_catch(round: &mut Round, [silent, asked]: [Seat; 2], next: AfterLastCard, chosen: Move) {
    match chosen {
        Move::Catch => pay(round, silent, next),
        Move::LetGo => let_go(round, [silent, asked], next),
        Move::Colored(..)
        | Move::Change(_)
        | Move::Super(_)
        | Move::King
        | Move::Plus3
        | Move::Breaker
        | Move::Draw
        | Move::Close
        | Move::LeaveOpen
        | Move::EndTurn
        | Move::Decline
        | Move::Declare
        | Move::Silent => chosen.misplaced(),
    }
}

fn let_go(round: &mut Round, [silent, asked]: [Seat; 2], next: AfterLastCard) {
    let asked = round.table.after(asked, 1);
    if asked == silent {
        go_on(round, next);
    } else {
        ask(round, Stage::Catch { silent, asked, next });
    }
}

fn pay(round: &mut Round, seat: Seat, next: AfterLastCard) {
    give(round, seat, u32::from(round.table.rules.last_card_penalty));
    go_on(round, next);
}

//! Consistency checks of a table, a view and a complete game, recomputed from scratch.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Check, Play, ViewError, ensure, some_deal};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rules::Rules as _;

use super::deck::{self, Cards, DECK, FACES, Symbol, bit, parts, to_text};
use super::determinize;
use super::memory::Proofs;
use super::rules::{LastCard, Mode, Plus3Last, Plus3VsPlus3, StartCard};
use super::state::{AfterLastCard, Answer, GameEnd, PrivateState, PublicState, SEATS, Stage};
use super::{Round, View};

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        check_table(view.table).map_err(ViewError::Impossible)?;
        check_owner(view).and_then(|()| check_past(view)).map_err(ViewError::Impossible)?;
        some_deal(determinize::is_possible(view))
    }

    fn audit(&self) -> Result<(), String> {
        audit(self)
    }
}

/// Checks every invariant of the rules on a game. Recomputes everything from the cards.
///
/// # Errors
/// A description of the first violation, with the seat that it concerns.
fn audit(round: &Round) -> Result<(), String> {
    let table = &round.table;
    table.rules.check().map_err(|error| error.to_string())?;
    check_table(table)?;
    let pile: Cards = round.pile[..usize::from(table.pile)].iter().copied().collect();
    let buried = table.buried.cards();
    ensure!(round.pile[..buried.len()] == *buried, "other cards are at the bottom of the draw pile");
    let mut all = table.discards.with(&pile);
    let mut shuffled = pile;
    for seat in 0..SEATS {
        let own = &round.own[seat];
        if seat >= usize::from(table.players()) {
            ensure!(*own == PrivateState::NONE, "seat {seat} has no player, but private data");
            continue;
        }
        check_owner(round.view(Seat(seat as u8))).map_err(|error| format!("seat {seat}: {error}"))?;
        all = all.with(&own.hand);
        shuffled = shuffled.with(&own.drew);
    }
    ensure!(all == Cards::ALL, "hands, draw pile and discards do not add up to the deck");
    ensure!(shuffled == table.stock, "cards in the draw pile and drawn are not those it was made of");
    answers(round)
}

/// Checks that the game asks only seats that can answer the +3, one at a time and in turn order.
fn answers(round: &Round) -> Result<(), String> {
    let table = &round.table;
    if table.stage != Stage::Window {
        ensure!(round.asked == Seat(0), "seat {} must decide, but no decision is due", round.asked.0);
        return Ok(());
    }
    let asked = table.steps(table.turn, round.asked);
    for steps in 1..table.players() {
        let seat = table.after(table.turn, steps);
        let own = &round.own[seat.index()];
        let can = own.hand.once & table.answers(seat) != 0;
        let expected = match can {
            true if steps < asked => Answer::Declined,
            true if steps == asked => Answer::Asked,
            _ => Answer::Nothing,
        };
        ensure!(own.answer == expected, "`answer` of seat {} must be {expected:?}", seat.0);
    }
    ensure!(round.own[round.asked.index()].answer == Answer::Asked, "no player is asked");
    Ok(())
}

/// Checks a table whose rules are valid.
fn check_table(table: &PublicState) -> Result<(), String> {
    session(table)?;
    seats(table)?;
    cards(table)?;
    buried(table)?;
    leading(table)?;
    proofs(table)?;
    check_stage(table)
}

fn session(table: &PublicState) -> Result<(), String> {
    let rules = &table.rules;
    ensure!((1..=rules.games).contains(&table.game), "game {} of a session of {}", table.game, rules.games);
    let (wins, rest) = table.wins.split_at(usize::from(rules.players));
    ensure!(rest.iter().all(|&n| n == 0), "games won by seats that do not play");
    let before = i64::from(table.game) - 1;
    let most = |&n: &i32| (0..=before).contains(&i64::from(n));
    ensure!(
        wins.iter().all(most) && wins.iter().map(|&n| i64::from(n)).sum::<i64>() <= before,
        "games won {wins:?}, but only {before} were played"
    );
    Ok(())
}

fn seats(table: &PublicState) -> Result<(), String> {
    let rules = &table.rules;
    let players = usize::from(rules.players);
    ensure!(table.turn.index() < players, "the turn of seat {} of {players} players", table.turn.0);
    let none = Proofs::default();
    for seat in players..SEATS {
        let empty = table.sizes[seat] == 0
            && table.stages[seat] == 0
            && table.drawn[seat] == 0
            && table.laid[seat].is_empty()
            && table.known[seat].is_empty()
            && table.proofs[seat] == none;
        ensure!(empty, "seat {seat} has no player, but data");
    }
    for (seat, &stage) in table.stages[..players].iter().enumerate() {
        let fits = match rules.mode {
            Mode::Single => stage == 0,
            Mode::Tournament => (1..=rules.stages).contains(&stage),
        };
        ensure!(fits, "seat {seat} in stage {stage}");
    }
    ensure!(
        table.announced.is_within(Positions::first(rules.players)),
        "`announced` names seats that no player has"
    );
    let alone = |seat: u8| table.sizes[usize::from(seat)] == 1;
    ensure!(
        table.announced.iter().all(alone),
        "a player announced a last card but does not hold exactly one"
    );
    Ok(())
}

fn cards(table: &PublicState) -> Result<(), String> {
    let players = usize::from(table.players());
    let held: u32 = table.sizes.iter().map(|&n| u32::from(n)).sum();
    let all = held + u32::from(table.pile) + table.discards.total();
    ensure!(all == DECK as u32, "{all} cards in hands, draw pile and discards, not {DECK}");
    ensure!(table.discards.has(table.top), "the top card is not among the discards");
    let mut laid = Cards::one(table.first);
    let mut count = 1;
    let mut drawn = u32::from(table.pile);
    for seat in 0..players {
        laid = laid.with(&table.laid[seat]);
        count += table.laid[seat].total();
        drawn += u32::from(table.drawn[seat]);
        let [size, laid, drawn] =
            [u32::from(table.sizes[seat]), table.laid[seat].total(), u32::from(table.drawn[seat])];
        ensure!(size + laid >= drawn, "seat {seat} drew {drawn} cards, but held and laid {size} and {laid}");
        ensure!(
            table.recycles > 0 || size + laid == drawn,
            "seat {seat} was dealt and drew {drawn} cards, but held and laid {size} and {laid}"
        );
    }
    ensure!(
        laid == table.discards && count == table.discards.total(),
        "the discards are not the first card and those laid: {}",
        to_text(&table.discards)
    );
    let total = table.stock.total();
    ensure!(total == drawn, "{drawn} cards in the draw pile and drawn, not the {total} of `stock`");
    let most = Cards::ALL.without(&Cards::one(table.first));
    ensure!(most.contains(&table.stock), "`stock` has cards that were elsewhere");
    ensure!(table.recycles > 0 || table.stock == most, "`stock` is not what remains of the first deal");
    Ok(())
}

fn buried(table: &PublicState) -> Result<(), String> {
    let buried = table.buried.cards();
    ensure!(table.buried.len() <= table.pile, "more cards buried than in the draw pile");
    ensure!(buried.is_empty() || table.recycles == 0, "cards stay buried only until the draw pile is new");
    let begins = |card: deck::Card| match table.rules.start_card {
        StartCard::InertAction => parts(card).is_some(),
        StartCard::NumberOnly => parts(card).is_some_and(|(_, symbol)| symbol.is_number()),
    };
    ensure!(!buried.iter().any(|&card| begins(card)), "a card that would have begun the discards is buried");
    ensure!(table.recycles > 0 || begins(table.first), "the discards cannot start with this card");
    let mut fixed = table.discards;
    let mut count = fixed.total();
    for known in table.known.iter().copied().chain(buried.iter().map(|&card| Cards::one(card))) {
        fixed = fixed.with(&known);
        count += known.total();
    }
    ensure!(fixed.total() == count, "cards known to be in two places");
    for (seat, known) in table.known.iter().enumerate() {
        ensure!(
            known.total() <= u32::from(table.sizes[seat]),
            "seat {seat} holds fewer cards than are known of"
        );
    }
    Ok(())
}

/// Checks that color, symbol, debt and open TAKI fit the top card.
fn leading(table: &PublicState) -> Result<(), String> {
    let fits = match (parts(table.top), table.top) {
        (Some((color, symbol)), _) => (color, Some(symbol)) == (table.color, table.symbol),
        (_, deck::SUPER) => table.symbol == Some(Symbol::Taki),
        (_, deck::KING | deck::CHANGE) => table.symbol.is_none(),
        _ => true,
    };
    ensure!(fits, "color and symbol are not those of the card on top");
    let plus2 = parts(table.top).is_some_and(|(_, symbol)| symbol == Symbol::Plus2);
    ensure!(table.debt.is_multiple_of(2), "an odd number of cards is owed");
    ensure!(table.debt == 0 || plus2, "cards are owed, but no +2 is on top");
    let once = table.rules.mode == Mode::Single && table.rules.last_card == LastCard::Auto;
    // The cards +2 of a debt are among the discards. A new draw pile can take some of the 8 out of them during the debt,
    // and they can be laid again, but hardly all of them twice.
    let most = match table.recycles {
        0 => 2 * table.discards.among(Symbol::Plus2.faces()),
        _ if once => 16,
        _ => 40,
    };
    ensure!(table.debt <= most, "{} cards are owed for cards +2, not up to {most}", table.debt);
    ensure!(
        !table.open || table.symbol.is_some() && table.top != deck::PLUS3,
        "an open TAKI under a card that closes it"
    );
    Ok(())
}

fn proofs(table: &PublicState) -> Result<(), String> {
    for (seat, proofs) in table.proofs.iter().enumerate() {
        let mut before = u64::MAX;
        for proof in proofs.iter() {
            let real = (bit(FACES as u8) - 1) & !bit(deck::CHANGE + 1);
            ensure!(proof.faces & !real == 0, "a proof about cards that do not exist");
            ensure!(
                proof.faces & !before == 0 && proof.faces != before,
                "the proofs about seat {seat} are not about fewer and fewer cards"
            );
            ensure!(proof.at_most <= DECK as u8, "a proof about more cards than there are");
            before = proof.faces;
        }
    }
    Ok(())
}

// A table, for each stage of a turn.

/// Checks the stage of a table whose seats and cards are consistent.
fn check_stage(table: &PublicState) -> Result<(), String> {
    counters(table)?;
    let size = table.sizes[table.turn.index()];
    let goes_on = table.remained == Some(size) && size > 0;
    let symbol = parts(table.top).map(|(_, symbol)| symbol);
    let asks = matches!(table.stage, Stage::Run | Stage::Free | Stage::Owe | Stage::Window);
    ensure!(!asks || table.debt == 0 && !table.open, "debt or an open TAKI in the middle of a turn");
    match table.stage {
        Stage::Turn => {
            ensure!(table.remained.is_none(), "cards laid in a turn that is only starting");
        }
        Stage::Run => {
            let fits = symbol.is_some() || table.top == deck::SUPER;
            ensure!(goes_on && fits, "no TAKI can be continued");
        }
        Stage::Free => {
            ensure!(goes_on && table.top == deck::KING, "no King can be followed");
        }
        Stage::Owe => {
            ensure!(goes_on && symbol == Some(Symbol::Plus), "no Plus demands another card");
        }
        Stage::Window => {
            let at_once = table.remained.is_none()
                && table.rules.plus3_last == Plus3Last::WinsAtOnce
                && table.rules.mode == Mode::Tournament;
            let emptied = size == 0 && table.rules.plus3_last == Plus3Last::WinsAtOnce;
            ensure!(table.top == deck::PLUS3, "no +3 on top can be answered");
            ensure!(
                at_once || table.remained == Some(size) && !emptied,
                "the player of the +3 holds other cards"
            );
        }
        Stage::LastCard { seat, next } => {
            ensure!(
                table.rules.last_card != LastCard::Auto,
                "last cards are announced automatically by these rules"
            );
            last_card(table, seat, next)?;
        }
        Stage::Catch { silent, asked, next } => {
            ensure!(table.rules.last_card == LastCard::Challenge, "no player is caught by these rules");
            last_card(table, silent, next)?;
            ensure!(
                asked.0 < table.players() && asked != silent,
                "seat {} cannot catch seat {}",
                asked.0,
                silent.0
            );
        }
        Stage::Over(end) => over(table, end)?,
    }
    Ok(())
}

fn counters(table: &PublicState) -> Result<(), String> {
    let limit = table.rules.limit();
    let most = match table.stage {
        Stage::Over(_) => limit + 1,
        Stage::Window => limit,
        _ => limit - 1,
    };
    ensure!(table.decisions <= most, "{} decisions, but the game is cut off after {limit}", table.decisions);
    ensure!(
        table.recycles <= table.decisions,
        "{} new draw piles, but only {} cards can have been laid",
        table.recycles,
        table.decisions
    );
    ensure!(table.idle <= table.players(), "{} turns without a move", table.idle);
    let stuck = table.pile == 0 && table.discards.total() == 1;
    ensure!(table.idle == 0 || stuck, "a turn without a move although there are cards");
    let stalemate = table.stage == Stage::Over(GameEnd::Stalemate);
    ensure!((table.idle == table.players()) == stalemate, "no stalemate after {} idle turns", table.idle);
    let remained = table.remained.unwrap_or_default();
    ensure!(
        remained <= table.sizes[table.turn.index()],
        "`remained` is {remained}, more than the cards in hand"
    );
    Ok(())
}

fn last_card(table: &PublicState, seat: Seat, next: AfterLastCard) -> Result<(), String> {
    let players = table.players();
    ensure!(seat.0 < players && next.seat.0 < players, "seats that no player has");
    ensure!(table.sizes[seat.index()] == 1, "seat {} is not down to one card", seat.0);
    ensure!(!table.announced.has(seat.0), "seat {} has announced its last card", seat.0);
    ensure!(!(next.king && next.plus3), "a +3 is answered with one card");
    ensure!(
        !next.plus3 || table.rules.plus3_vs_plus3 == Plus3VsPlus3::NextPlayer,
        "no +3 answers a +3 by these rules"
    );
    if next.king || next.plus3 {
        let fits = next.seat == table.turn
            && table.after(seat, 1) == table.turn
            && table.top == if next.king { deck::KING } else { deck::PLUS3 }
            && table.debt == 0
            && !table.open
            && table.remained == Some(table.sizes[table.turn.index()]);
        ensure!(fits, "seat {} has not answered a +3", next.seat.0);
        return Ok(());
    }
    let breaker = table.top == deck::BREAKER && seat != table.turn;
    ensure!(seat == table.turn && table.remained == Some(1) || breaker, "seat {} has laid no card", seat.0);
    let steps = table.steps(table.turn, next.seat);
    let again = players == 2 && steps == 0 && !breaker;
    let skips = parts(table.top).is_some_and(|(_, symbol)| symbol == Symbol::Stop);
    let fits = if players == 2 {
        steps == 1 || again
    } else {
        steps == 1 + u8::from(skips && !breaker) || steps == (1 + u8::from(skips)) % players
    };
    ensure!(fits, "seat {} is not the next player", next.seat.0);
    Ok(())
}

fn over(table: &PublicState, end: GameEnd) -> Result<(), String> {
    match end {
        GameEnd::Won(seat) => {
            let out =
                seat.0 < table.players() && table.sizes[seat.index()] == 0 && table.stages[seat.index()] < 2;
            ensure!(out, "seat {} has not won", seat.0);
        }
        GameEnd::CutOff => {
            let limit = table.rules.limit();
            ensure!(table.decisions >= limit, "cut off before {limit} decisions");
        }
        GameEnd::Stalemate => {}
    }
    Ok(())
}

// One seat's private state, against a table that passed `check_table`.

/// Checks the cards that the viewer has held: those drawn from the current draw pile, and those held before
/// it was made. This check does not hold for other seats after determinizing, because their `drew` may be a
/// guess.
fn check_past(view: View<'_>) -> Result<(), String> {
    let (table, own) = (view.table, view.own);
    let had = own.hand.with(&table.laid[view.seat.index()]);
    ensure!(had.contains(&own.drew), "cards drawn that are neither held nor laid");
    ensure!(table.recycles > 0 || had == own.drew, "cards held or laid that were not dealt");
    Ok(())
}

/// Checks the viewer's hand, draws and answer.
fn check_owner(view: View<'_>) -> Result<(), String> {
    let (table, own) = (view.table, view.own);
    ensure!(view.seat.0 < table.players(), "seat {} of {} players", view.seat.0, table.players());
    let me = view.seat.index();
    let size = u32::from(table.sizes[me]);
    ensure!(own.hand.total() == size, "{} cards in a hand of {size}", own.hand.total());
    let seen = own.hand.with(&table.discards).total();
    ensure!(seen == size + table.discards.total(), "the deck does not have the cards in hand and laid");
    ensure!(own.hand.contains(&table.known[me]), "cards that the hand is known to have are missing");
    for proof in table.proofs[me].iter() {
        let held = own.hand.among(proof.faces);
        ensure!(
            held <= u32::from(proof.at_most),
            "{held} cards of which there are at most {}",
            proof.at_most
        );
    }
    let drawn = u32::from(table.drawn[me]);
    ensure!(own.drew.total() == drawn, "{} cards drawn, not {drawn}", own.drew.total());
    ensure!(table.stock.contains(&own.drew), "cards drawn that were not in the draw pile");
    let can = view.seat != table.turn && own.hand.once & table.answers(view.seat) != 0;
    let fits = own.answer == Answer::Nothing || table.stage == Stage::Window && can;
    ensure!(fits, "there is nothing to answer");
    Ok(())
}

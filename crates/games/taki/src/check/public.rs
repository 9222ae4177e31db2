//! Consistency checks of a table.

use cardsharp_engine::hands::Positions;

use super::{ensure, stage};
use crate::deck::{self, Cards, DECK, FACES, Symbol, bit, parts, to_text};
use crate::memory::Proofs;
use crate::rules::{LastCard, Mode, StartCard};
use crate::table::{SEATS, Table};

/// Checks a table whose rules are valid.
pub(super) fn check(table: &Table) -> Result<(), String> {
    session(table)?;
    seats(table)?;
    cards(table)?;
    buried(table)?;
    leading(table)?;
    proofs(table)?;
    stage::check(table)
}

fn session(table: &Table) -> Result<(), String> {
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

fn seats(table: &Table) -> Result<(), String> {
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

fn cards(table: &Table) -> Result<(), String> {
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

fn buried(table: &Table) -> Result<(), String> {
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
fn leading(table: &Table) -> Result<(), String> {
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
    ensure!(!once || table.debt <= 16, "{} cards are owed for 8 cards +2", table.debt);
    ensure!(
        !table.open || table.symbol.is_some() && table.top != deck::PLUS3,
        "an open TAKI under a card that closes it"
    );
    Ok(())
}

fn proofs(table: &Table) -> Result<(), String> {
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

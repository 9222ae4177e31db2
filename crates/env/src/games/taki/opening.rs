//! Dealing, the first card of the discard pile, and who begins.

use super::deck::{self, Cards, Color, DECK, parts};
use super::memory::{Buried, Proofs};
use super::pile::DrawLog;
use super::rules::{FirstPlayer, Mode, Rules, StartCard};
use super::table::{Answer, Direction, NOT_PLAYED, Own, SEATS, Stage, Table};
use super::{Round, Standing};
use crate::ground::Seat;
use crate::ground::hands::Positions;
use crate::ground::rng::{DealRng, Draw};

/// Cards as they were shuffled: the place of each in the deck, the last one on top.
type Deck = [u8; DECK];

/// The face of every card of the deck.
const FRESH: Deck = {
    let mut cards = [0; DECK];
    let mut i = 0;
    while i < DECK {
        let face = (i % deck::FACES) as u8;
        cards[i] = if face == deck::CHANGE + 1 { deck::CHANGE } else { face };
        i += 1;
    }
    cards
};

/// Shuffles until there is a card to begin with; returns also how many cards are turned up.
fn shuffled(rules: &Rules, draw: &mut Draw) -> (Deck, usize) {
    let begins = |&card: &u8| match rules.start_card {
        StartCard::InertAction => parts(card).is_some(),
        StartCard::NumberOnly => parts(card).is_some_and(|(_, symbol)| symbol.is_number()),
    };
    let rest = DECK - usize::from(rules.players) * usize::from(rules.dealt());
    loop {
        let mut cards = FRESH;
        draw.shuffle(&mut cards);
        if let Some(turned) = cards[..rest].iter().rev().position(begins) {
            return (cards, turned + 1);
        }
    }
}

/// A new game, before any card is dealt.
pub(super) fn fresh_table(rules: &Rules, standing: &Standing) -> Table {
    Table {
        rules: *rules,
        game: standing.games + 1,
        wins: standing.wins,
        stage: Stage::Turn,
        turn: Seat(0),
        direction: Direction::Left,
        color: Color::Red,
        symbol: None,
        top: 0,
        debt: 0,
        open: false,
        remained: NOT_PLAYED,
        idle: 0,
        decisions: 0,
        sizes: [0; SEATS],
        stages: [0; SEATS],
        announced: Positions::default(),
        pile: 0,
        buried: Buried::NONE,
        discards: Cards::NONE,
        first: 0,
        recycles: 0,
        stock: Cards::NONE,
        laid: [Cards::NONE; SEATS],
        drawn: [0; SEATS],
        known: [Cards::NONE; SEATS],
        proofs: [Proofs::default(); SEATS],
    }
}

/// Deals a game.
pub fn deal(rules: &Rules, standing: &Standing, mut rng: DealRng) -> Round {
    let mut table = fresh_table(rules, standing);
    let players = usize::from(rules.players);
    let (mut cards, turned, first) = rng.draw(|draw| {
        let (cards, turned) = shuffled(rules, draw);
        let first = match rules.first_player {
            FirstPlayer::Random => draw.below(u32::from(rules.players)) as u8,
            FirstPlayer::Seat0 => 0,
        };
        (cards, turned, first)
    });
    table.turn = Seat(first);

    let mut own = [Own::NONE; SEATS];
    let mut top = DECK;
    for _ in 0..rules.dealt() {
        for own in &mut own[..players] {
            top -= 1;
            own.hand.add(cards[top]);
        }
    }
    for (seat, own) in own[..players].iter_mut().enumerate() {
        *own = Own { drew: own.hand, answer: Answer::Nothing, ..*own };
        table.sizes[seat] = rules.dealt();
        table.drawn[seat] = rules.dealt();
        table.stages[seat] = if rules.mode == Mode::Tournament { rules.stages } else { 0 };
    }

    for _ in 1..turned {
        top -= 1;
        let card = cards[top];
        table.buried.bury(card);
        cards.copy_within(..top, 1);
        cards[0] = card;
        top += 1;
    }
    top -= 1;
    table.first = cards[top];
    table.top = table.first;
    table.discards.add(table.first);
    table.stock = Cards::ALL.without(&table.discards);
    table.pile = top as u8;
    if let Some((color, symbol)) = parts(table.first) {
        (table.color, table.symbol) = (color, Some(symbol));
    }
    Round { table, own, asked: Seat(0), pile: cards, log: DrawLog::default(), rng }
}

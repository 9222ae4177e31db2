//! Checks that a table, a view or a whole game is consistent, recomputed from scratch.

use cardsharp_env::game::{Check, Determinize, ViewError, some_deal};
use cardsharp_env::{DealRng, Play as _, Rules as _, Seat, ensure};

use crate::View;
use crate::cards::{Cards, Rank};
use crate::rules::Rules;
use crate::state::{Direction, PublicState, Round, Stage};

impl Check for Round {
    fn check_view(view: View<'_>) -> Result<(), ViewError> {
        view.table.rules.check()?;
        public(view.table).and_then(|()| owner(view)).map_err(ViewError::Impossible)?;
        some_deal(Self::determinize(view, DealRng::new(0, 0)).is_some())
    }

    fn audit(&self) -> Result<(), String> {
        let table = &self.table;
        table.rules.check().map_err(|error| error.to_string())?;
        public(table)?;
        let pile: Cards = self.pile[..usize::from(table.pile)].iter().copied().collect();
        ensure!(pile.len() == table.pile, "a card lies twice in the draw pile");
        let mut all = table.discards.with(pile);
        let mut count = table.discards.len() + pile.len();
        for (seat, own) in self.own.iter().enumerate() {
            if seat < usize::from(table.rules.players) {
                owner(self.view(Seat(seat as u8))).map_err(|error| format!("seat {seat}: {error}"))?;
            } else {
                ensure!(own.hand.is_empty(), "seat {seat} has no player, but cards");
            }
            all = all.with(own.hand);
            count += own.hand.len();
        }
        let deck = Cards::decks(table.rules.decks());
        ensure!(
            all == deck && count == deck.len(),
            "hands, draw pile and discards do not add up to the deck"
        );
        ensure!(
            pile.without(table.stock).is_empty(),
            "a card in the draw pile that was not shuffled into it"
        );
        Ok(())
    }
}

/// Checks a table whose rules are valid.
fn public(table: &PublicState) -> Result<(), String> {
    session(table)?;
    seats(table)?;
    cards(table)?;
    leading(table)?;
    course(table)
}

fn session(table: &PublicState) -> Result<(), String> {
    let rules = &table.rules;
    ensure!((1..=rules.games).contains(&table.game), "game {} of a session of {}", table.game, rules.games);
    let (played, rest) = table.points.split_at(usize::from(rules.players));
    ensure!(rest.iter().all(|&points| points == 0), "points of seats that do not play");
    let least = -i32::from(table.game - 1) * costs(rules, Cards::decks(rules.decks()));
    ensure!(
        played.iter().all(|points| (least..=0).contains(points)),
        "points {played:?} after {} games",
        table.game - 1
    );
    Ok(())
}

/// The total cost of these cards.
fn costs(rules: &Rules, cards: Cards) -> i32 {
    cards.iter().map(|card| rules.cost(card.face())).sum()
}

fn seats(table: &PublicState) -> Result<(), String> {
    let players = table.rules.players;
    ensure!(table.turn.0 < players, "the turn of seat {} of {players} players", table.turn.0);
    ensure!(table.dealer.0 < players, "seat {} of {players} players dealt", table.dealer.0);
    let empty = |sizes: &[u8]| sizes[usize::from(players)..].iter().all(|&size| size == 0);
    ensure!(empty(&table.sizes) && empty(&table.old), "cards of seats without a player");
    for (seat, (size, old)) in table.sizes.iter().zip(table.old).enumerate() {
        ensure!(old <= *size, "seat {seat} holds {size} cards, {old} of them old");
    }
    Ok(())
}

fn cards(table: &PublicState) -> Result<(), String> {
    let deck = Cards::decks(table.rules.decks());
    ensure!(
        table.discards.with(table.stock).without(deck).is_empty(),
        "cards of a deck that is not played with"
    );
    ensure!(table.discards.has(table.top), "the top card is not among the discards");
    let sum = |sizes: &[u8]| sizes.iter().map(|&size| u32::from(size)).sum::<u32>();
    let (held, old) = (sum(&table.sizes), sum(&table.old));
    let all = held + u32::from(table.pile) + u32::from(table.discards.len());
    ensure!(all == u32::from(deck.len()), "{all} cards in hands, draw pile and discards, not {}", deck.len());
    let beyond = u32::from(deck.without(table.stock).without(table.discards).len());
    ensure!(beyond == old, "{old} old cards in hands, not {beyond}");
    // The card that lay on top when the pile was made is the lowest of the discards, and not in the stock.
    let beneath = table.discards.without(table.stock);
    ensure!(!beneath.is_empty(), "no card lay on the table when the draw pile was made");
    let (laid, plays) = (u16::from(table.discards.len()) - 1, table.plays);
    if is_first_pile(table) {
        let first = beneath.iter().next().unwrap_or(table.top);
        ensure!(first.face().rank() != Rank::EIGHT, "an eight was turned up");
        ensure!(laid == plays, "{plays} cards were laid, but {laid} lie there");
        let aces = table.discards.iter().filter(|card| card.face().rank() == Rank::ACE).count();
        // The last card of a game has no effect.
        let idle = table.stage == Stage::Over && table.passes == 0 && table.top.face().rank() == Rank::ACE;
        let turned = table.rules.use_special_cards && (aces - usize::from(idle)) % 2 == 1;
        ensure!(turned == (table.direction == Direction::Down), "the direction after {aces} aces");
        ensure!(
            plays > 0 || table.suit == table.top.face().suit(),
            "a suit is named before anything was laid"
        );
    } else {
        ensure!(table.rules.reshuffle, "the draw pile was made again, against the rules");
        let stock = u16::from(table.stock.len());
        ensure!(
            stock > 0 && laid + stock <= plays,
            "{plays} cards were laid, but {laid} and {stock} lay there"
        );
    }
    Ok(())
}

/// Whether the draw pile is still the first one.
fn is_first_pile(table: &PublicState) -> bool {
    table.stock.len() + 1 == Cards::decks(table.rules.decks()).len()
}

/// Checks the suit, the direction and the debt against the top card.
fn leading(table: &PublicState) -> Result<(), String> {
    let rank = table.top.face().rank();
    let is_eight = rank == Rank::EIGHT;
    let special = table.rules.use_special_cards;
    ensure!(is_eight || table.suit == table.top.face().suit(), "the suit is not that of the top card");
    ensure!(table.stage != Stage::Suit || is_eight, "a suit is to be named, but no eight lies on top");
    let fresh = table.stage == Stage::Suit || table.stage == Stage::Over && table.passes == 0;
    ensure!(
        !fresh || table.suit == table.top.face().suit(),
        "a suit was named although there was no time for it"
    );
    ensure!(special || table.direction == Direction::Up, "the direction changed without special cards");
    let twos = table.discards.iter().filter(|card| card.face().rank() == Rank::TWO).count();
    ensure!(table.debt.is_multiple_of(2), "an odd number of cards is owed");
    ensure!(usize::from(table.debt) <= 2 * twos, "{} cards are owed for {twos} twos", table.debt);
    let may_owe = special && rank == Rank::TWO && table.drawn == 0 && table.stage != Stage::Suit;
    ensure!(table.debt == 0 || may_owe && table.pile > 0, "cards are owed for nothing");
    Ok(())
}

/// Checks the counters, and whether the game is over.
fn course(table: &PublicState) -> Result<(), String> {
    let rules = &table.rules;
    let empty = table.sizes[..usize::from(rules.players)].iter().filter(|&&size| size == 0).count();
    let out = table.sizes[table.turn.index()] == 0;
    ensure!(empty == usize::from(out), "somebody holds no cards who did not lay his last one");
    let is_cut_off = table.plays == rules.max_turns;
    ensure!(table.plays <= rules.max_turns, "{} cards laid of {}", table.plays, rules.max_turns);
    let is_stuck = table.passes > rules.players;
    ensure!(table.passes <= rules.players + 1, "{} passes of {} players", table.passes, rules.players);
    ensure!(table.passes == 0 || table.pile == 0, "passes are counted while there are cards to draw");
    let over = out || is_cut_off || is_stuck;
    ensure!((table.stage == Stage::Over) == over, "the game is over, or is not, without reason");
    ensure!(!out || table.plays > 0, "a hand was emptied without laying a card");
    ensure!(table.drawn <= rules.max_draw_cards, "{} cards drawn of {}", table.drawn, rules.max_draw_cards);
    ensure!(table.drawn <= table.sizes[table.turn.index()], "more cards drawn than held");
    let idle = table.stage == Stage::Turn && (table.passes == 0 || table.drawn == 0);
    ensure!(table.drawn == 0 || idle, "cards drawn in a turn that is over");
    Ok(())
}

/// Checks a seat's own cards at a valid table.
fn owner(view: View<'_>) -> Result<(), String> {
    let (table, hand, seat) = (view.table, view.own.hand, view.seat);
    ensure!(seat.0 < table.rules.players, "seat {} of {} players", seat.0, table.rules.players);
    ensure!(
        hand.without(Cards::decks(table.rules.decks())).is_empty(),
        "cards of a deck that is not played with"
    );
    ensure!(
        hand.len() == table.sizes[seat.index()],
        "the hand has another number of cards than the table says"
    );
    ensure!(hand.common(table.discards).is_empty(), "a card of the hand is among the discards");
    let old = hand.without(table.stock).len();
    ensure!(old == table.old[seat.index()], "{old} old cards in hand, not {}", table.old[seat.index()]);
    Ok(())
}

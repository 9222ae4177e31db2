//! Dealing, at random or as a user chose; the first card of the discard pile, and the first player.

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Chosen, DealError};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::rng::{DealRng, Draw};
use serde_json::Value;

use super::deck::{self, Card, Cards, Color, DECK, card_name, list_to_text, parts};
use super::memory::{Buried, Proofs};
use super::rules::{FirstPlayer, Mode, Rules, StartCard};
use super::state::{
    ActionResults, Answer, Direction, PrivateState, PublicState, Round, SEATS, SessionState, Stage,
};

/// A shuffled deck; the last card is on top.
pub(super) type Deck = [Card; DECK];

/// Every card of the deck, unshuffled.
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

/// Returns whether a card may start the discard pile.
pub(super) fn may_begin(rules: &Rules, card: Card) -> bool {
    parts(card).is_some_and(|(_, symbol)| match rules.start_card {
        StartCard::InertAction => true,
        StartCard::NumberOnly => symbol.is_number(),
    })
}

/// Returns how many cards are left after dealing the hands.
pub(super) fn undealt(rules: &Rules) -> usize {
    DECK - usize::from(rules.players) * usize::from(rules.dealt())
}

/// A deck ready to be dealt.
pub(super) struct Shuffled {
    /// The cards, the top card last.
    pub(super) cards: Deck,
    /// Number of cards turned up to start the discard pile. Only the last of them may start it.
    pub(super) turned: usize,
    pub(super) begins: Seat,
}

/// Shuffles until some undealt card may start the discard pile.
fn shuffled(rules: &Rules, draw: &mut Draw) -> Shuffled {
    let (cards, turned) = loop {
        let mut cards = FRESH;
        draw.shuffle(&mut cards);
        let rest = cards[..undealt(rules)].iter().rev();
        if let Some(before) = rest.copied().position(|card| may_begin(rules, card)) {
            break (cards, before + 1);
        }
    };
    let begins = match rules.first_player {
        FirstPlayer::Random => draw.below(u32::from(rules.players)) as u8,
        FirstPlayer::Seat0 => 0,
    };
    Shuffled { cards, turned, begins: Seat(begins) }
}

/// Returns the public state of a new game before any card is dealt.
pub(super) fn fresh_table(rules: &Rules, standing: &SessionState) -> PublicState {
    PublicState {
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
        remained: None,
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

/// Returns a deck that deals these hands, by seat, and then turns up `turned`. Unknown hands and the draw
/// pile get `others`, in order.
pub(super) fn stacked(
    rules: &Rules,
    hands: &[Option<Cards>; SEATS],
    turned: &[Card],
    others: impl IntoIterator<Item = Card>,
) -> Deck {
    let mut others = others.into_iter();
    let mut known: Vec<_> = hands.iter().map(|hand| hand.as_ref().map(Cards::cards)).collect();
    let mut cards: Deck = [0; DECK];
    let undealt = undealt(rules);
    for (place, card) in cards.iter_mut().enumerate().rev() {
        let dealt = DECK - 1 - place;
        *card = match place.checked_sub(undealt) {
            // Hands are dealt one card at a time, then cards are turned up.
            Some(_) => match &mut known[dealt % usize::from(rules.players)] {
                Some(hand) => hand.next(),
                None => others.next(),
            },
            None => turned.get(undealt - 1 - place).copied().or_else(|| others.next()),
        }
        .unwrap_or_default();
    }
    cards
}

/// Shuffles and deals a game.
pub(super) fn deal(rules: &Rules, standing: &SessionState, mut rng: DealRng) -> Round {
    let shuffled = rng.draw(|draw| shuffled(rules, draw));
    deal_out(rules, standing, shuffled, rng)
}

/// Deals a game from a shuffled deck.
pub(super) fn deal_out(rules: &Rules, standing: &SessionState, shuffled: Shuffled, rng: DealRng) -> Round {
    let Shuffled { mut cards, turned, begins } = shuffled;
    let mut table = fresh_table(rules, standing);
    let players = usize::from(rules.players);
    table.turn = begins;

    let mut own = [PrivateState::NONE; SEATS];
    let mut top = DECK;
    for _ in 0..rules.dealt() {
        for own in &mut own[..players] {
            top -= 1;
            own.hand.add(cards[top]);
        }
    }
    for (seat, own) in own[..players].iter_mut().enumerate() {
        *own = PrivateState { drew: own.hand, answer: Answer::Nothing, ..*own };
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
    // Clear the order in which the hands were dealt, so that equal games compare as equal.
    cards[top..].fill(0);
    table.top = table.first;
    table.discards.add(table.first);
    table.stock = Cards::ALL.without(&table.discards);
    table.pile = top as u8;
    if let Some((color, symbol)) = parts(table.first) {
        (table.color, table.symbol) = (color, Some(symbol));
    }
    Round { table, own, asked: Seat(0), pile: cards, log: ActionResults::default(), rng }
}

// Building a game from a deal that a user chose.

/// The chosen part of a deal.
struct ChosenDeal {
    hands: [Option<Cards>; SEATS],
    /// The cards turned up; empty if they are drawn at random.
    turned: Vec<Card>,
    /// The draw pile from the top down, without the buried cards; empty if it is drawn at random.
    pile: Vec<Card>,
    /// All cards that were not chosen.
    left: Cards,
}

/// Reads a field that must be a string.
pub(super) fn read_text<'a>(shown_deal: &'a Value, field: &str) -> Result<&'a str, String> {
    shown_deal[field].as_str().ok_or_else(|| format!("`{field}` is missing, or not a text of cards"))
}

/// Reads the cards turned up before the game, in order. `hands` is the name of the field that holds known
/// hands, and `held` are their cards; a conflict is an error.
pub(super) fn read_turned(
    rules: &Rules,
    deal: &Value,
    (hands, held): (&str, &Cards),
) -> Result<Vec<Card>, String> {
    let mut left = Cards::ALL.without(held);
    let mut turned = Vec::new();
    for word in read_text(deal, "turned")?.split_whitespace() {
        let card = deck::card_from(word).map_err(|problem| format!("`turned`: {problem}"))?;
        if !left.has(card) {
            return Err(format!("`{hands}` and `turned` have more cards {word} than the deck"));
        }
        left.remove(card);
        turned.push(card);
    }
    let Some((&first, buried)) = turned.split_last() else {
        return Err("`turned` has no card: one starts the discard pile".to_owned());
    };
    if turned.len() > undealt(rules) {
        return Err(format!("{} cards cannot be turned up: they are not left", turned.len()));
    }
    if let Some(&card) = buried.iter().find(|&&card| may_begin(rules, card)) {
        return Err(format!("{} starts the discard pile: no card is turned up after it", card_name(card)));
    }
    if !may_begin(rules, first) {
        return Err(format!("{} cannot start the discard pile", card_name(first)));
    }
    Ok(turned)
}

/// Reads the first player from the deal.
pub(super) fn read_begins(rules: &Rules, deal: &Value) -> Result<Seat, String> {
    let seat = deal["begins"].as_u64().filter(|&seat| seat < u64::from(rules.players));
    let seat = Seat(seat.ok_or("`begins` is not a seat of this game")? as u8);
    if rules.first_player == FirstPlayer::Seat0 && seat != Seat(0) {
        return Err(format!("seat {} starts, but by these rules seat 0 does", seat.0));
    }
    Ok(seat)
}

/// Returns the game that starts with the chosen deal. Draws everything that was not chosen at random.
pub(super) fn deal_chosen(
    rules: &Rules,
    standing: &SessionState,
    chosen: Chosen<'_>,
    rng: DealRng,
) -> Result<Round, DealError> {
    let mut chance = rng.beside();
    let parts = ChosenDeal::read(rules, chosen)?;
    let begins = match (chosen.field("begins"), rules.first_player) {
        (Some(_), _) => read_begins(rules, chosen.json())?,
        (None, FirstPlayer::Seat0) => Seat(0),
        (None, FirstPlayer::Random) => Seat(chance.draw(|draw| draw.below(rules.players.into())) as u8),
    };
    if parts.turned.is_empty() && !parts.left.cards().any(|card| may_begin(rules, card)) {
        return Err("`hands` leave no card that may start the discard pile".to_owned().into());
    }
    let shuffled = chance.draw(|draw| parts.shuffled(rules, begins, draw));
    let rng = deal(rules, standing, rng).rng;
    Ok(deal_out(rules, standing, shuffled, rng))
}

impl ChosenDeal {
    fn read(rules: &Rules, deal: Chosen<'_>) -> Result<Self, DealError> {
        let mut left = Cards::ALL;
        let listed = deal.hands(rules.players.into(), |_, text| {
            let (hand, dealt) = (deck::from_text(text)?, u32::from(rules.dealt()));
            if hand.total() != dealt {
                return Err(format!("{} cards, expected {dealt}", hand.total()));
            }
            hand.cards().try_for_each(|card| take(&mut left, card)).map(|()| hand)
        })?;
        let mut hands = [None; SEATS];
        hands.iter_mut().zip(listed).for_each(|(to, hand)| *to = hand);
        let mut turned = Vec::new();
        if deal.field("turned").is_some() {
            turned = read_turned(rules, deal.json(), ("hands", &Cards::ALL.without(&left)))?;
            turned.iter().for_each(|&card| left.remove(card));
        }
        let mut pile = Vec::new();
        if deal.field("pile").is_some() {
            pile = read_pile(rules, deal, &turned)?;
            let taken = pile.iter().try_for_each(|&card| take(&mut left, card));
            taken.map_err(|problem| format!("`pile`: {problem}"))?;
        }
        Ok(Self { hands, turned, pile, left })
    }

    /// Returns the full deck: chosen cards in their places, the others shuffled. Needs at least one card that
    /// may start the discard pile.
    fn shuffled(mut self, rules: &Rules, begins: Seat, draw: &mut Draw) -> Shuffled {
        let unknown = self.hands[..usize::from(rules.players)].iter().filter(|hand| hand.is_none()).count();
        let unknown = unknown * usize::from(rules.dealt());
        let mut others: Vec<Card> = self.left.cards().collect();
        loop {
            draw.shuffle(&mut others);
            if !self.turned.is_empty() {
                break;
            }
            if let Some(first) = others[unknown..].iter().position(|&card| may_begin(rules, card)) {
                self.turned = others.splice(unknown..=unknown + first, []).collect();
                break;
            }
        }
        others.append(&mut self.pile);
        let cards = stacked(rules, &self.hands, &self.turned, others);
        Shuffled { cards, turned: self.turned.len(), begins }
    }
}

/// Removes a card from `left`; fails if no copy is left.
fn take(left: &mut Cards, card: Card) -> Result<(), String> {
    if !left.has(card) {
        let (copies, name) = (deck::copies(card), deck::card_name(card));
        return Err(format!("more cards {name} than the {copies} of the deck, with the cards named before"));
    }
    left.remove(card);
    Ok(())
}

/// Reads the draw pile, from the top down, without the buried cards at its bottom.
fn read_pile(rules: &Rules, deal: Chosen<'_>, turned: &[Card]) -> Result<Vec<Card>, DealError> {
    let Some((_, buried)) = turned.split_last() else {
        return Err("there is a `pile` and no `turned`: expected both, or neither".to_owned().into());
    };
    let words = read_text(deal.json(), "pile")?.split_whitespace();
    let read = words.map(deck::card_from).collect::<Result<Vec<Card>, _>>();
    let mut pile = read.map_err(|problem| format!("`pile`: {problem}"))?;
    let due = undealt(rules) - 1;
    if pile.len() != due {
        return Err(format!("`pile`: {} cards, expected {due}", pile.len()).into());
    }
    let bottom = pile.split_off(due - buried.len());
    if bottom != buried {
        let (given, expected) = (list_to_text(bottom), list_to_text(buried.iter().copied()));
        return Err(format!(
            "`pile` ends with {given}, expected the cards turned up before the last: {expected}"
        )
        .into());
    }
    Ok(pile)
}

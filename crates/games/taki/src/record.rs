//! Rebuilds a game from one seat's event log. Starts with a random deal that fits the seat's own cards.
//! Before each move, swaps hidden cards so that the mover can make this move and the viewer draws the
//! reported cards. Hidden hands may contradict the proofs in [`Table`], which are about the real hands.

mod draws;
mod hidden;
mod window;

use cardsharp_engine::game::{Play, Record, Shadow, Told, Turn, cards_in};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, Seat};
use draws::Draws;
use hidden::Hidden;
use serde_json::{Value, json};

use super::deck::{self, BREAKER, Card, Cards, card_name};
use super::moves::Move;
use super::opening::{self, Shuffled};
use super::rules::{DrawPolicy, FirstPlayer, Rules, TakiFollow};
use super::table::{SEATS, Stage, Table};
use super::{Round, Standing};

impl Record for Round {
    /// Keeps the seat's own cards as `hand`, and replaces the other hands and the draw pile with card counts.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        let hands = deal["hands"].as_array().map(Vec::as_slice).unwrap_or_default();
        let sizes: Vec<usize> = hands.iter().map(cards_in).collect();
        let mut told = json!({
            "sizes": sizes,
            "turned": deal["turned"],
            "begins": deal["begins"],
            "pile": cards_in(&deal["pile"]),
        });
        if let Some(hand) = to.and_then(|seat| hands.get(seat.index())) {
            told["hand"] = hand.clone();
        }
        told
    }

    /// Replaces the cards that others draw, and those of a new draw pile, with their number.
    fn conceal_event(mut event: Value, to: Option<Seat>) -> Option<Value> {
        match event["event"].as_str() {
            Some("draw") if to.is_none_or(|seat| event["seat"] != seat.0) => {
                let count = cards_in(&event["cards"]);
                event = json!({ "event": "draw", "seat": event["seat"], "count": count });
            }
            Some("recycle") => event["pile"] = cards_in(&event["pile"]).into(),
            _ => {}
        }
        Some(event)
    }

    fn imagine(
        rules: &Rules,
        standing: &Standing,
        seat: Seat,
        told: &Told<'_>,
        mut rng: DealRng,
    ) -> Result<Shadow<Self>, String> {
        let deal = told.deal.ok_or("a game must start with the line `deal`")?;
        let hand = deck::from_text(text(deal, "hand")?).map_err(|problem| format!("`hand`: {problem}"))?;
        if hand.total() != u32::from(rules.dealt()) {
            return Err(format!("`hand` has {} cards, but {} are dealt", hand.total(), rules.dealt()));
        }
        let turned = turned(rules, deal, ("hand", &hand))?;
        let begins = begins(rules, deal)?;
        let rest = Cards::ALL.without(&hand).without(&turned.iter().copied().collect());
        let mut others: Vec<Card> = rest.cards().collect();
        rng.draw(|draw| draw.shuffle(&mut others));
        let mut hands = [None; SEATS];
        hands[seat.index()] = Some(hand);
        let cards = opening::stacked(rules, &hands, &turned, others);
        let shuffled = Shuffled { cards, turned: turned.len(), begins };
        Ok(Shadow::begun(opening::deal_out(rules, standing, shuffled, rng), seat))
    }

    fn follow(shadow: &mut Shadow<Self>, told: &Told<'_>) -> Result<(), String> {
        let viewer = shadow.seat;
        // The event log does not show which cards the others drew or held before.
        for (seat, own) in shadow.round.own.iter_mut().enumerate() {
            if seat != viewer.index() {
                own.drew = Cards::NONE;
            }
        }
        let draws = Draws::told(told.events, viewer)?;
        let mut hidden = Hidden::of(&mut shadow.round, viewer);
        draws.arrange(&mut hidden)?;
        let mut penalty = None;
        match told.choice {
            None => {}
            Some((_, None)) => return Err("this move needs its `choice`, or must be left out".to_owned()),
            Some((seat, Some(action))) => {
                penalty = Move::of(action).and_then(|chosen| window::penalty(&hidden.round.table, chosen));
                allow(hidden, seat, action, told)?;
                play(shadow, seat, action, &draws)?;
            }
        }
        window::settle(shadow, told, &draws, penalty)
    }
}

/// Plays a move. If it makes a new draw pile, corrects the cards drawn from that pile.
fn play(shadow: &mut Shadow<Round>, seat: Seat, action: ActionId, draws: &Draws) -> Result<(), String> {
    let (viewer, recycles) = (shadow.seat, shadow.round.table.recycles);
    let mut arranged = Ok(());
    shadow.play_and(seat, action, |round| {
        if round.table.recycles != recycles {
            arranged = draws.arrange_recycled(round, viewer);
        }
    })?;
    arranged
}

/// Swaps hidden cards so that `seat` can play this move and the reported events can follow.
fn allow(mut hidden: Hidden<'_>, seat: Seat, action: ActionId, told: &Told<'_>) -> Result<(), String> {
    let chosen = Move::of(action).ok_or_else(|| format!("there is no move {}", action.0))?;
    if hidden.round.table.stage == Stage::Window {
        window::ask(&mut hidden, seat)?;
    }
    if hidden.round.turn() != Turn::Decide(seat) {
        return Err(format!("it is not the turn of seat {}", seat.0));
    }
    let mut lacks = 0;
    if seat != hidden.viewer {
        if chosen == Move::Decline {
            return Err(format!("it is secret that seat {} leaves the +3 unanswered", seat.0));
        }
        lacks = lacking(&hidden.round.table, chosen);
        if let Some(card) = chosen.card() {
            hidden.hold(seat, card)?;
        }
        hidden.lack(seat, lacks)?;
    }
    if !told.turn
        && let Some(player) = window::stays_open(&hidden.round.table, seat, chosen)
        && !window::is_settled(told, player, window::penalty(&hidden.round.table, chosen))
    {
        window::keep_open(&mut hidden, player, lacks)?;
    }
    Ok(())
}

/// Returns, as faces, the cards that a player who makes this move cannot hold.
fn lacking(table: &Table, chosen: Move) -> u64 {
    match chosen {
        Move::Draw if table.debt == 0 && table.rules.draw_policy == DrawPolicy::StuckOnly => {
            table.playable() & !deck::bit(BREAKER)
        }
        Move::Close | Move::LeaveOpen | Move::Change(_) | Move::King | Move::Plus3
            if table.stage == Stage::Run && table.rules.taki_follow == TakiFollow::All =>
        {
            table.color.faces()
        }
        _ => 0,
    }
}

/// Reads a field that must be a string.
pub(super) fn text<'a>(told: &'a Value, field: &str) -> Result<&'a str, String> {
    told[field].as_str().ok_or_else(|| format!("`{field}` is missing, or not a text of cards"))
}

/// Reads the cards turned up before the game, in order. `hands` is the name of the field that holds known
/// hands, and `held` are their cards; a conflict is an error.
pub(super) fn turned(
    rules: &Rules,
    deal: &Value,
    (hands, held): (&str, &Cards),
) -> Result<Vec<Card>, String> {
    let mut left = Cards::ALL.without(held);
    let mut turned = Vec::new();
    for word in text(deal, "turned")?.split_whitespace() {
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
    if turned.len() > opening::undealt(rules) {
        return Err(format!("{} cards cannot be turned up: they are not left", turned.len()));
    }
    if let Some(&card) = buried.iter().find(|&&card| opening::may_begin(rules, card)) {
        return Err(format!("{} starts the discard pile: no card is turned up after it", card_name(card)));
    }
    if !opening::may_begin(rules, first) {
        return Err(format!("{} cannot start the discard pile", card_name(first)));
    }
    Ok(turned)
}

/// Reads the first player from the deal.
pub(super) fn begins(rules: &Rules, deal: &Value) -> Result<Seat, String> {
    let seat = deal["begins"].as_u64().filter(|&seat| seat < u64::from(rules.players));
    let seat = Seat(seat.ok_or("`begins` is not a seat of this game")? as u8);
    if rules.first_player == FirstPlayer::Seat0 && seat != Seat(0) {
        return Err(format!("seat {} starts, but by these rules seat 0 does", seat.0));
    }
    Ok(seat)
}

//! Event logs: what each seat receives about a hand, and a hand reconstructed from it. Unseen cards are arbitrary until
//! a line proves more.

mod opening;
mod taxes;

use cardsharp_climbing::record::{
    Lack, Unseen, card_told, cards_told, check_told, conceal_cards, conceal_hands, deal_around, seat_told,
};
use cardsharp_climbing::redeal::Each;
use cardsharp_engine::game::{Actions, Check, Label, Play, Record, Shadow, Told, Turn, ViewError};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};
use serde_json::{Value, json};

use super::deck::{Cards, JESTER, from_text, rank_name};
use super::moves::Move;
use super::rules::{Rules, Seating};
use super::table::{Ask, Own, Stage, Table};
use super::{Round, Standing};

impl Record for Round {
    /// Replaces all hands with card counts, except the seat's own cards in `hand`. The order of seats and the exposed
    /// card stay public.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        conceal_hands(deal, to, self.players())
    }

    /// Everyone sees that cards move; only giver and receiver see which. The same holds for the card that replaces an
    /// exposed one.
    fn conceal_event(mut event: Value, to: Option<Seat>) -> Option<Value> {
        let takes_part = to.is_some_and(|to| [&event["peon"], &event["receiver"]].contains(&&json!(to)));
        if !takes_part && let Some(fields) = event.as_object_mut() {
            fields.remove("replacement");
        }
        Some(conceal_cards(event, to))
    }

    fn imagine(
        rules: &Rules,
        standing: &Standing,
        seat: Seat,
        told: &Told<'_>,
        mut rng: DealRng,
    ) -> Result<Shadow<Self>, String> {
        let deal = told.deal.ok_or("a hand must start with its deal")?;
        let mut standing = *standing;
        if standing.hands == 0 && rules.seating == Seating::Random {
            standing.order = order_told(deal, rules.players)?;
        }
        let table = super::opening::fresh_table(rules, &standing);
        let me = usize::from(table.position[seat.index()]);
        let own = cards_told(deal, "hand", from_text)?;
        let exposed = exposed_told(deal, &table)?;
        let sizes = table.sizes();
        let mut fixed = Each::default();
        if let Some((rank, position)) = exposed {
            if position == me && own.0[usize::from(rank)] == 0 {
                return Err("`hand` does not hold the exposed card".to_owned());
            }
            fixed[position] = Cards::one(usize::from(rank));
        }
        check_told(&own, sizes[me], &table.deck)?;
        let mut known = Each::default();
        known[me] = Some(own);
        let hands = deal_around(&table.deck, &known, &sizes, &fixed, &mut rng)?;
        let mut round = Self { table, own: hands.map(Own::dealt), asking: 0, rng };
        let is_open = exposed.is_some_and(|(_, position)| position != usize::from(table.greater_peon()));
        if !is_open {
            opening::arrange(&mut round, seat, told)?;
        }
        super::opening::begin(&mut round, exposed);
        let mut shadow = Shadow::begun(round, seat);
        go_on(&mut shadow, told)?;
        may_be(&shadow)?;
        Ok(shadow)
    }

    fn follow(shadow: &mut Shadow<Self>, told: &Told<'_>) -> Result<(), String> {
        match told.choice {
            Some((seat, Some(action))) => choose(shadow, seat, action, told)?,
            Some((_, None)) => return Err("this move needs its `choice`, or must be left out".to_owned()),
            None => {}
        }
        go_on(shadow, told)?;
        may_be(shadow)
    }
}

/// Applies a choice in the event log, of this seat or of another one.
fn choose(shadow: &mut Shadow<Round>, seat: Seat, action: ActionId, told: &Told<'_>) -> Result<(), String> {
    if seat != shadow.seat && !Round::is_public(action) {
        return Err(format!("the choice of seat {} there is not public", seat.0));
    }
    let chosen = Move::of(action);
    if chosen == Some(Move::CallRevolution) && seat != shadow.seat {
        opening::give_jesters(&mut shadow.round, seat, shadow.seat)?;
    }
    // Earlier choices on the way to this decision were hidden.
    let unseen = Told::default();
    others_choose(shadow, &unseen, |round| round.turn() == Turn::Decide(seat))?;
    if shadow.round.turn() != Turn::Decide(seat) {
        return Err(format!("it is not the turn of seat {}", seat.0));
    }
    match chosen {
        Some(Move::KeepMisdeal | Move::MisdealToPeon) => opening::misdeal(shadow, seat, action, told),
        Some(Move::DeclineRevolution) => {
            taxes::tributes_told(&mut shadow.round, shadow.seat, told)?;
            shadow.play(seat, action)
        }
        Some(Move::Give(_) | Move::NoExchange) => taxes::choose(shadow, seat, action, told),
        Some(Move::Play(set)) if seat != shadow.seat => {
            let set = set.set();
            let mut cards = Cards::NONE;
            cards.0[usize::from(set.rank)] += set.naturals;
            cards.0[JESTER] += set.wilds;
            let position = shadow.round.table.position[seat.index()];
            let label = Label::<Round>::of(action);
            hold(&mut shadow.round, shadow.seat, position, &cards, |_| false)
                .map_err(|lack| format!("seat {} plays `{label}`: {}", seat.0, words(lack)))?;
            shadow.play(seat, action)
        }
        _ => shadow.play(seat, action),
    }
}

/// Makes the hidden choices of other players that the line implies.
fn go_on(shadow: &mut Shadow<Round>, told: &Told<'_>) -> Result<(), String> {
    opening::go_on(shadow, told)?;
    if told.events_of("return").next().is_some() {
        others_choose(shadow, told, |round| round.table.stage == Stage::Play)?;
    }
    if told.turn {
        let seat = shadow.seat;
        others_choose(shadow, told, |round| round.turn() == Turn::Decide(seat))?;
    }
    Ok(())
}

/// Makes arbitrary hidden choices for other players, until `done` is true or the next choice is not hidden.
fn others_choose(
    shadow: &mut Shadow<Round>,
    told: &Told<'_>,
    done: impl Fn(&Round) -> bool,
) -> Result<(), String> {
    while !done(&shadow.round)
        && let Turn::Decide(seat) = shadow.round.turn()
        && seat != shadow.seat
        && shadow.round.table.stage != Stage::Play
    {
        let round = &shadow.round;
        let action = match round.own(seat).ask {
            Ask::Revolution => Some(Move::DeclineRevolution.id()),
            Ask::Tax | Ask::Exchange => mask::actions(Round::legal(round.view(seat)).words()).last(),
            Ask::Nothing | Ask::Misdeal | Ask::Offer => None,
        };
        let Some(action) = action else { break };
        let ends = taxes::ends(round, action);
        if ends && told.events_of("return").next().is_none() {
            break;
        }
        taxes::choose(shadow, seat, action, told)?;
    }
    Ok(())
}

/// Swaps cards that `viewer` does not see until `position` holds `cards`, and no other cards of a `barred` rank.
fn hold(
    round: &mut Round,
    viewer: Seat,
    position: u8,
    cards: &Cards,
    barred: impl Fn(usize) -> bool,
) -> Result<(), Lack> {
    let me = round.table.position[viewer.index()];
    let hidden = Positions::first(round.table.players()).without(me);
    let mut unseen = Unseen { hands: round.own.map(|own| own.hand), hidden };
    unseen.hold(position, cards, barred)?;
    round.own.iter_mut().zip(unseen.hands).for_each(|(own, hand)| own.hand = hand);
    Ok(())
}

fn words(lack: Lack) -> String {
    lack.words(rank_name)
}

/// Refuses a hand that no deal of the unseen cards explains.
fn may_be(shadow: &Shadow<Round>) -> Result<(), String> {
    Round::check_view(shadow.round.view(shadow.seat)).map_err(|error| match error {
        ViewError::Impossible(problem) => problem,
        error => error.to_string(),
    })
}

/// The seat at each position, as listed in the deal.
pub(super) fn order_told(deal: &Value, players: u8) -> Result<[Seat; MAX_SEATS], String> {
    let wrong = || format!("`order` is {}, expected each seat from 0 to {} once", deal["order"], players - 1);
    let told =
        deal["order"].as_array().filter(|told| told.len() == usize::from(players)).ok_or_else(wrong)?;
    let mut order = [Seat(0); MAX_SEATS];
    let mut seen = Positions(0);
    for (at, seat) in order.iter_mut().zip(told) {
        let seat = seat.as_u64().filter(|&seat| seat < u64::from(players)).ok_or_else(wrong)? as u8;
        seen.insert(seat);
        *at = Seat(seat);
    }
    if seen == Positions::first(players) { Ok(order) } else { Err(wrong()) }
}

/// The exposed card in the deal as a rank index, and the position to which it was dealt.
pub(super) fn exposed_told(deal: &Value, table: &Table) -> Result<Option<(u8, usize)>, String> {
    let exposed = &deal["exposed"];
    if exposed.is_null() {
        return Ok(None);
    }
    let rank = card_told(exposed, "card", from_text)?;
    let receiver = seat_told(exposed, "receiver", table.players())?;
    Ok(Some((rank as u8, usize::from(table.position[receiver.index()]))))
}

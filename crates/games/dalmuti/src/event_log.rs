//! Event logs: what each seat receives about a hand, and a hand reconstructed from it. Unseen cards are arbitrary until
//! a line proves more.

use cardsharp_climbing::determinize::{PerPosition, worst};
use cardsharp_climbing::event_log::{
    HoldError, Unseen, check_hand, conceal_cards, conceal_hands, deal_around, read_card, read_cards,
    read_seat,
};
use cardsharp_climbing::{Trick, random_card};
use cardsharp_engine::game::{Actions, Check, EventLog, ImaginedRound, Label, Play, Turn, Update, ViewError};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::mask::{self, Mask};
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};
use serde_json::{Value, json};

use super::actions::Move;
use super::deck::{Cards, JESTER, from_text, rank_name, to_text};
use super::rules::{Rules, Seating, TaxVisibility};
use super::state::{Ask, ExposedFate, PROPOSER, PrivateState, PublicState, Stage, pairs};
use super::{Round, SessionState, opening};

impl EventLog for Round {
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
        standing: &SessionState,
        seat: Seat,
        update: &Update<'_>,
        mut rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        let deal = update.deal.ok_or("a hand must start with its deal")?;
        let mut standing = *standing;
        if standing.hands == 0 && rules.seating == Seating::Random {
            standing.order = read_order(deal, rules.players)?;
        }
        let table = opening::fresh_table(rules, &standing);
        let me = usize::from(table.position[seat.index()]);
        let own = read_cards(deal, "hand", from_text)?;
        let exposed = read_exposed(deal, &table)?;
        let sizes = table.sizes();
        let mut fixed = PerPosition::default();
        if let Some((rank, position)) = exposed {
            if position == me && own.0[usize::from(rank)] == 0 {
                return Err("`hand` does not hold the exposed card".to_owned());
            }
            fixed[position] = Cards::one(usize::from(rank));
        }
        check_hand(&own, sizes[me], &table.deck)?;
        let mut known = PerPosition::default();
        known[me] = Some(own);
        let hands = deal_around(&table.deck, &known, &sizes, &fixed, &mut rng)?;
        let mut round = Self { table, own: hands.map(PrivateState::dealt), asking: 0, rng };
        let is_open = exposed.is_some_and(|(_, position)| position != usize::from(table.greater_peon()));
        if !is_open {
            arrange_deal(&mut round, seat, update)?;
        }
        opening::begin(&mut round, exposed);
        let mut imagined = ImaginedRound::begun(round, seat);
        go_on(&mut imagined, update)?;
        may_be(&imagined)?;
        Ok(imagined)
    }

    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String> {
        match update.choice {
            Some((seat, Some(action))) => choose(imagined, seat, action, update)?,
            Some((_, None)) => return Err("this move needs its `choice`, or must be left out".to_owned()),
            None => {}
        }
        go_on(imagined, update)?;
        may_be(imagined)
    }
}

/// Applies a choice in the event log, of this seat or of another one.
fn choose(
    imagined: &mut ImaginedRound<Round>,
    seat: Seat,
    action: ActionId,
    update: &Update<'_>,
) -> Result<(), String> {
    if seat != imagined.seat && !Round::is_public(action) {
        return Err(format!("the choice of seat {} there is not public", seat.0));
    }
    let chosen = Move::of(action);
    if chosen == Some(Move::CallRevolution) && seat != imagined.seat {
        give_jesters(&mut imagined.round, seat, imagined.seat)?;
    }
    // Earlier choices on the way to this decision were hidden.
    let unseen = Update::default();
    others_choose(imagined, &unseen, |round| round.turn() == Turn::Decide(seat))?;
    if imagined.round.turn() != Turn::Decide(seat) {
        return Err(format!("it is not the turn of seat {}", seat.0));
    }
    match chosen {
        Some(Move::KeepMisdeal | Move::MisdealToPeon) => misdeal(imagined, seat, action, update),
        Some(Move::DeclineRevolution) => {
            read_tributes(&mut imagined.round, imagined.seat, update)?;
            imagined.play(seat, action)
        }
        Some(Move::Give(_) | Move::NoExchange) => choose_gift(imagined, seat, action, update),
        Some(Move::Play(set)) if seat != imagined.seat => {
            let set = set.set();
            let mut cards = Cards::NONE;
            cards.0[usize::from(set.rank)] += set.naturals;
            cards.0[JESTER] += set.wilds;
            let position = imagined.round.table.position[seat.index()];
            let label = Label::<Round>::of(action);
            hold(&mut imagined.round, imagined.seat, position, &cards, |_| false)
                .map_err(|error| format!("seat {} plays `{label}`: {}", seat.0, words(error)))?;
            imagined.play(seat, action)
        }
        _ => imagined.play(seat, action),
    }
}

/// Makes the hidden choices of other players that the line implies.
fn go_on(imagined: &mut ImaginedRound<Round>, update: &Update<'_>) -> Result<(), String> {
    decline_revolution(imagined, update)?;
    if update.events_of("return").next().is_some() {
        others_choose(imagined, update, |round| round.table.stage == Stage::Play)?;
    }
    if update.turn {
        let seat = imagined.seat;
        others_choose(imagined, update, |round| round.turn() == Turn::Decide(seat))?;
    }
    Ok(())
}

/// Makes arbitrary hidden choices for other players, until `done` is true or the next choice is not hidden.
fn others_choose(
    imagined: &mut ImaginedRound<Round>,
    update: &Update<'_>,
    done: impl Fn(&Round) -> bool,
) -> Result<(), String> {
    while !done(&imagined.round)
        && let Turn::Decide(seat) = imagined.round.turn()
        && seat != imagined.seat
        && imagined.round.table.stage != Stage::Play
    {
        let round = &imagined.round;
        let action = match round.own(seat).ask {
            Ask::Revolution => Some(Move::DeclineRevolution.id()),
            Ask::Tax | Ask::Exchange => mask::actions(Round::legal(round.view(seat)).words()).last(),
            Ask::Nothing | Ask::Misdeal | Ask::Offer => None,
        };
        let Some(action) = action else { break };
        let ends = ends_taxes(round, action);
        if ends && update.events_of("return").next().is_none() {
            break;
        }
        choose_gift(imagined, seat, action, update)?;
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
) -> Result<(), HoldError> {
    let me = round.table.position[viewer.index()];
    let hidden = Positions::first(round.table.players()).without(me);
    let mut unseen = Unseen { hands: round.own.map(|own| own.hand), hidden };
    unseen.hold(position, cards, barred)?;
    round.own.iter_mut().zip(unseen.hands).for_each(|(own, hand)| own.hand = hand);
    Ok(())
}

fn words(error: HoldError) -> String {
    error.words(rank_name)
}

/// Refuses a hand that no deal of the unseen cards explains.
fn may_be(imagined: &ImaginedRound<Round>) -> Result<(), String> {
    Round::check_view(imagined.round.view(imagined.seat)).map_err(|error| match error {
        ViewError::Impossible(problem) => problem,
        error => error.to_string(),
    })
}

/// The seat at each position, as listed in the deal.
pub(super) fn read_order(deal: &Value, players: u8) -> Result<[Seat; MAX_SEATS], String> {
    let wrong = || format!("`order` is {}, expected each seat from 0 to {} once", deal["order"], players - 1);
    let seats =
        deal["order"].as_array().filter(|seats| seats.len() == usize::from(players)).ok_or_else(wrong)?;
    let mut order = [Seat(0); MAX_SEATS];
    let mut seen = Positions(0);
    for (at, seat) in order.iter_mut().zip(seats) {
        let seat = seat.as_u64().filter(|&seat| seat < u64::from(players)).ok_or_else(wrong)? as u8;
        seen.insert(seat);
        *at = Seat(seat);
    }
    if seen == Positions::first(players) { Ok(order) } else { Err(wrong()) }
}

/// The exposed card in the deal as a rank index, and the position to which it was dealt.
pub(super) fn read_exposed(deal: &Value, table: &PublicState) -> Result<Option<(u8, usize)>, String> {
    let exposed = &deal["exposed"];
    if exposed.is_null() {
        return Ok(None);
    }
    let rank = read_card(exposed, "card", from_text)?;
    let receiver = read_seat(exposed, "receiver", table.players())?;
    Ok(Some((rank as u8, usize::from(table.position[receiver.index()]))))
}

// Exposed cards and revolutions in an event log of a seat that does not see all hands.

/// Arranges the hidden hands before the taxes. They must lead to the tributes in the event log. If the seat notices
/// that a player is considering a revolution, one hidden hand must have both Jesters.
fn arrange_deal(round: &mut Round, viewer: Seat, update: &Update<'_>) -> Result<(), String> {
    read_tributes(round, viewer, update)?;
    let me = round.table.position[viewer.index()];
    let first_deal = round.table.first_deal_revolution();
    let may_call = |&position: &u8| position != me && (!first_deal || position == round.table.greater_peon());
    // A seat with a Jester knows that no player has both. Then play must continue, and the missing lines are an error.
    if is_waiting(round, viewer, update)
        && round.own[usize::from(me)].hand.0[JESTER] == 0
        && let Some(holder) = (0..round.table.players()).find(may_call)
    {
        hold(round, viewer, holder, &both_jesters(), |_| false).map_err(words)?;
    }
    Ok(())
}

/// Whether `viewer` sees neither taxes nor play begin in these lines, although it would notice.
fn is_waiting(round: &Round, viewer: Seat, update: &Update<'_>) -> bool {
    let table = &round.table;
    let sees_tributes = table.taxes() && table.rules.tax_visibility == TaxVisibility::Seen;
    if sees_tributes {
        update.events_of("tribute").next().is_none()
    } else {
        table.position[viewer.index()] == 0 && !update.turn
    }
}

fn both_jesters() -> Cards {
    let mut both = Cards::NONE;
    both.0[JESTER] = 2;
    both
}

/// Declines the revolution that another player is considering, unless the viewer would have noticed what follows.
fn decline_revolution(imagined: &mut ImaginedRound<Round>, update: &Update<'_>) -> Result<(), String> {
    let (round, viewer) = (&mut imagined.round, imagined.seat);
    let Turn::Decide(holder) = round.turn() else { return Ok(()) };
    if round.table.stage != Stage::Dealt || holder == viewer || is_waiting(round, viewer, update) {
        return Ok(());
    }
    read_tributes(round, viewer, update)?;
    imagined.play(holder, Move::DeclineRevolution.id())
}

/// Applies the Greater Dalmuti's decision about the exposed card.
fn misdeal(
    imagined: &mut ImaginedRound<Round>,
    seat: Seat,
    action: ActionId,
    update: &Update<'_>,
) -> Result<(), String> {
    let mut right = imagined.round;
    let to_peon = Move::of(action) == Some(Move::MisdealToPeon);
    if right.table.stage == Stage::Misdeal {
        if to_peon {
            let card = replacement(&mut right, imagined.seat, update)?;
            opening::replace(&mut right, card);
        }
        arrange_deal(&mut right, imagined.seat, update)?;
        let fate = if to_peon { ExposedFate::ToPeon } else { ExposedFate::Kept };
        opening::decide_misdeal(&mut right, fate);
    }
    imagined.play_and(seat, action, |round| *round = right)
}

/// The card that the Greater Peon gives for the exposed one: from the event log, or a random one.
fn replacement(round: &mut Round, viewer: Seat, update: &Update<'_>) -> Result<usize, String> {
    let peon = round.table.greater_peon();
    let event = update.events_of("misdeal").find(|event| event.get("replacement").is_some());
    let Some(event) = event else {
        let hand = round.own[usize::from(peon)].hand;
        return Ok(round.rng.draw(|draw| random_card(&hand, draw)));
    };
    let card = read_card(event, "replacement", from_text)?;
    if round.table.position[viewer.index()] != peon {
        hold(round, viewer, peon, &Cards::one(card), |_| false)
            .map_err(|error| format!("`replacement`: {}", words(error)))?;
    } else if round.own[usize::from(peon)].hand.0[card] == 0 {
        return Err(format!("`replacement`: the Greater Peon holds no {}", rank_name(card)));
    }
    Ok(card)
}

/// Gives both Jesters to `caller`, who calls a revolution, and goes back to that decision. Undoes the hidden choices
/// made since.
fn give_jesters(round: &mut Round, caller: Seat, viewer: Seat) -> Result<(), String> {
    let table = &round.table;
    let (position, me) = (table.position[caller.index()], table.position[viewer.index()]);
    if table.first_deal_revolution() && position != table.greater_peon() {
        return Err("only the Greater Peon may call a revolution in this first hand".to_owned());
    }
    if table.stage != Stage::Dealt && (me == 0 || !may_still_be_called(round)) {
        return Err(format!("seat {} calls a revolution, but not before the first tax or card", caller.0));
    }
    hold(round, viewer, position, &both_jesters(), |_| false)
        .map_err(|error| format!("seat {} calls a revolution: {}", caller.0, words(error)))?;
    round.own.iter_mut().for_each(|own| (own.partner, own.ask) = (None, Ask::Nothing));
    round.table.stage = Stage::Dealt;
    round.ask(position, Ask::Revolution);
    Ok(())
}

/// Whether taxes or play have begun without anything that the other players could notice.
fn may_still_be_called(round: &Round) -> bool {
    let table = &round.table;
    match table.stage {
        Stage::Taxes => {
            let sealed = table.rules.tax_visibility == TaxVisibility::Sealed;
            sealed && table.exchange.is_none() && round.own.iter().all(|own| own.given == Cards::NONE)
        }
        Stage::Play => table.first_deal_revolution() && table.trick == Trick::new(table.players()),
        Stage::Misdeal | Stage::Dealt => false,
    }
}

// Taxes and exchanges in an event log of a seat that sees only its own.

/// Whether this action ends the taxes, so that cards move and the play begins.
fn ends_taxes(round: &Round, action: ActionId) -> bool {
    let mut after = *round;
    after.play(action);
    round.table.stage == Stage::Taxes && after.table.stage == Stage::Play
}

/// Applies a pick of a card to give, or the decision to exchange none.
fn choose_gift(
    imagined: &mut ImaginedRound<Round>,
    seat: Seat,
    action: ActionId,
    update: &Update<'_>,
) -> Result<(), String> {
    let round = &imagined.round;
    if !Round::legal(round.view(seat)).contains(action) || !ends_taxes(round, action) {
        return imagined.play(seat, action);
    }
    let mut right = *round;
    if seat == imagined.seat
        && let Some(Move::Give(rank)) = Move::of(action)
    {
        right.own[usize::from(right.asking)].given.0[rank.get()] += 1;
    }
    right.own[usize::from(right.asking)].ask = Ask::Nothing;
    arrange_gifts(&mut right, imagined.seat, update)?;
    opening::finish_taxes(&mut right);
    imagined.play_and(seat, action, |round| *round = right)
}

/// Arranges the hidden cards before all cards move. The seat's partner gives the cards that the event log says; other
/// givers give arbitrary cards.
fn arrange_gifts(round: &mut Round, viewer: Seat, update: &Update<'_>) -> Result<(), String> {
    read_tributes(round, viewer, update)?;
    let me = round.table.position[viewer.index()];
    let merchants = round.table.exchange.map(|target| (PROPOSER, target));
    let mut gift = None;
    if let Some(partner) = round.own[usize::from(me)].partner
        && let Some(event) = ["return", "exchange"].iter().find_map(|kind| moved(update, kind, "to", viewer))
    {
        let cards = read_gift(event, due(round, partner))?;
        hold(round, viewer, partner, &cards, |_| false).map_err(|error| refused(event, &words(error)))?;
        gift = Some((partner, cards));
    }
    // This card was drawn from the seat's own hand.
    if merchants.is_some_and(|(_, target)| target == me)
        && let own = &mut round.own[usize::from(me)]
        && own.given == Cards::NONE
        && let Some(event) = moved(update, "exchange", "from", viewer)
    {
        let cards = read_gift(event, 1)?;
        if !own.hand.contains(&cards) {
            return Err(refused(event, &format!("there is no {} in its hand", to_text(&cards))));
        }
        own.given = cards;
    }
    let has_chosen = round.own[usize::from(me)].given != Cards::NONE;
    let givers = [0, 1].into_iter().chain(merchants.into_iter().flat_map(|(a, b)| [a, b]));
    for position in givers.filter(|&position| position != me || !has_chosen) {
        let count = due(round, position);
        let own = &mut round.own[usize::from(position)];
        own.given = match gift {
            Some((partner, cards)) if partner == position => cards,
            _ => last(&own.hand, count),
        };
    }
    Ok(())
}

/// Number of cards that a position gives.
fn due(round: &Round, position: u8) -> u8 {
    pairs(round.table.players()).iter().find(|pair| pair.0 == position).map_or(1, |pair| pair.2)
}

/// The last `count` cards of a hand, in order of rank index.
fn last(hand: &Cards, count: u8) -> Cards {
    let mut cards = Cards::NONE;
    let held: Vec<usize> = hand.cards().collect();
    held.iter().rev().take(usize::from(count)).for_each(|&rank| cards.0[rank] += 1);
    cards
}

/// Arranges the hand of the viewer's payer, if there is a tribute in the event log. The payer gets these cards, and no
/// other card that is better than the worst of them.
fn read_tributes(round: &mut Round, viewer: Seat, update: &Update<'_>) -> Result<(), String> {
    let me = round.table.position[viewer.index()];
    let pair = pairs(round.table.players()).into_iter().find(|pair| pair.0 == me);
    let (Some((_, peon, count)), Some(event)) = (pair, moved(update, "tribute", "to", viewer)) else {
        return Ok(());
    };
    let cards = read_gift(event, count)?;
    if cards.0[JESTER] > 0 {
        return Err(refused(event, "a Jester is never paid"));
    }
    let worst = worst(&cards, JESTER);
    hold(round, viewer, peon, &cards, |rank| rank < worst).map_err(|error| refused(event, &words(error)))
}

/// The event of cards that moved to or from a seat.
fn moved<'a>(update: &Update<'a>, kind: &str, direction: &str, seat: Seat) -> Option<&'a Value> {
    update.events_of(kind).find(|event| event[direction] == json!(seat))
}

fn read_gift(event: &Value, count: u8) -> Result<Cards, String> {
    let cards = read_cards(event, "cards", from_text)?;
    if cards.total() == u32::from(count) {
        Ok(cards)
    } else {
        Err(refused(event, &format!("{} cards, expected {count}", cards.total())))
    }
}

fn refused(event: &Value, problem: &str) -> String {
    format!("{} of {}: {problem}", event["event"].as_str().unwrap_or_default(), event["cards"])
}

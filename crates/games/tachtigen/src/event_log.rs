//! Rebuilds a deal from one seat's event log, or deals the cards that a user chose. In a rebuilt deal, the
//! hidden hands, the kitty and the card put aside can be any that fit the play so far.

use cardsharp_engine::game::{
    Actions, Check, Chosen, DealError, Deals, Determinize, EventLog, ImaginedRound, Label, Play, Turn,
    Update, ensure,
};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::{ActionId, Seat};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::actions::Move;
use super::auction::{self, fresh_table};
use super::deck::{Card, Cards};
use super::roem;
use super::rules::{OpeningOrder, RoemClaims, Rules};
use super::state::{
    ALL_SEATS, BIDDER, HAND, PARTNER, PerSeat, PrivateState, PublicState, Round, SEATS, SessionState, Stage,
    clockwise,
};

impl EventLog for Round {
    /// Keeps the dealer, the opening order, and the seat's own cards as `hand`.
    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        concealed(&deal, to)
    }

    /// All events are public, except that `redeal` is concealed like a deal.
    fn conceal_event(event: Value, to: Option<Seat>) -> Option<Value> {
        if event["event"] != "redeal" {
            return Some(event);
        }
        let mut shown = concealed(&event, to);
        shown["event"] = json!("redeal");
        Some(shown)
    }

    /// Players notice that the bidder puts a card aside, but not which one.
    fn is_noticed(&self, action: ActionId) -> bool {
        matches!(Move::of(action), Some(Move::Discard(_)))
    }

    fn imagine(
        rules: &Rules,
        standing: &SessionState,
        seat: Seat,
        update: &Update<'_>,
        mut rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        let deal = update.deal.ok_or("a round of Tachtigen must start with its deal")?;
        // The first dealer is random; later dealers follow from it.
        let dealer = if standing.deals == 0 { seat_field(deal, "dealer")? } else { standing.dealer };
        let Dealt { own, kitty, order } = Dealt::read(deal, rules, dealer, seat, &mut rng)?;
        let table = fresh_table(rules, &SessionState { dealer, ..*standing }, order);
        Ok(ImaginedRound::begun(Round { table, own, kitty, rng }, seat))
    }

    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String> {
        let Some((seat, action)) = update.choice else { return Ok(()) };
        let (me, round) = (imagined.seat, &mut imagined.round);
        if round.turn() != Turn::Decide(seat) {
            return Err(format!("it is not the turn of seat {}", seat.0));
        }
        let action = match action {
            None => unseen(round, me)?,
            Some(action) if seat != me && round.is_noticed(action) => {
                return Err(format!("the card that seat {} puts aside is secret", seat.0));
            }
            Some(action) => action,
        };
        let legal = Self::legal(round.view(seat)).contains(action);
        if !legal && (seat == me || !rests_on_cards(round.table.stage, action)) {
            return imagined.play(seat, action);
        }
        let mut after = *round;
        after.play(action);
        if after.table.redeals == round.table.redeals {
            *round = arranged(round, me, action, legal, update)?;
            return imagined.play(seat, action);
        }
        let again = update.events_of("redeal").next();
        let again = again.ok_or("no player opened: expected an event `redeal`")?;
        let dealer = after.table.dealer;
        let Dealt { own, kitty, order } = Dealt::read(again, &after.table.rules, dealer, me, &mut after.rng)?;
        imagined.play_and(seat, action, |round| {
            (round.own, round.kitty, round.rng) = (own, kitty, after.rng);
            (round.table.auction.order, round.table.turn) = (order, order[0]);
        })
    }
}

/// Returns the public part of a deal, with the hand of `to`.
fn concealed(deal: &Value, to: Option<Seat>) -> Value {
    let mut shown = json!({ "dealer": deal["dealer"], "order": deal["order"] });
    if let Some(seat) = to {
        shown["hand"] = deal["hands"][seat.index()].clone();
    }
    shown
}

/// Returns an action for a move that the log shows without its content: the bidder put aside some card.
fn unseen(round: &Round, me: Seat) -> Result<ActionId, String> {
    let bidder = round.table.turn;
    if round.table.stage != Stage::Discard {
        return Err(format!("the choice of seat {} is missing, although it is public", bidder.0));
    }
    if bidder == me {
        return Err(format!("the card that seat {} put aside is missing, although this seat knows it", me.0));
    }
    let card = round.own[bidder.index()].hand.first();
    card.map(|card| Move::Discard(card).id()).ok_or_else(|| format!("seat {} has no cards", bidder.0))
}

/// Returns whether only the hand decides if this action is legal.
fn rests_on_cards(stage: Stage, action: ActionId) -> bool {
    matches!(
        (stage, Move::of(action)),
        (Stage::Play, Some(Move::Play(_) | Move::Call))
            | (Stage::Ask, Some(Move::Ask(_)))
            | (Stage::Claim, Some(Move::Claim(_)))
    )
}

// Swapping hidden cards so that the reported events follow.

/// Returns the round before `action` with other hidden cards, so that `action` leads to the events in `update`.
/// Everything that `me` knows stays the same. `legal` says whether the action is legal with the present
/// cards.
fn arranged(
    round: &Round,
    me: Seat,
    action: ActionId,
    legal: bool,
    update: &Update<'_>,
) -> Result<Round, String> {
    let seat = round.table.turn;
    if let Some(Move::Play(card)) = Move::of(action)
        && seat != me
    {
        may_hold(round, me, card)?;
    }
    let mut after = *round;
    after.play(action);
    if round.table.kitty.is_none() && after.table.kitty.is_some() {
        return with_kitty(round, me, update);
    }
    let imagined = after.table;
    follow_events(round, &mut after.table, me, update)?;
    if legal && after.table == imagined {
        return Ok(*round);
    }
    // A deal that fits the present view also fits all earlier moves.
    let other = Round::determinize(after.view(me), round.rng).filter(|other| other.audit().is_ok());
    let chosen = Label::<Round>::of(action);
    let other = other.ok_or_else(|| {
        format!("seat {} chose `{chosen}`, and no deal of the hidden cards leads to this record", seat.0)
    })?;
    let mut before = Round { table: round.table, ..other };
    if let Some(Move::Play(card)) = Move::of(action) {
        before.own[seat.index()].hand.insert(card);
    }
    Ok(before)
}

/// Checks that the seat whose turn it is, not `me`, may hold this card. Considers only facts about this one
/// card.
fn may_hold(round: &Round, me: Seat, card: Card) -> Result<(), String> {
    let (table, own) = (&round.table, &round.own[me.index()]);
    let seat = table.turn;
    let elsewhere = match () {
        () if table.play.gone().has(card) => "it was played before".to_owned(),
        () if own.hand.has(card) => format!("seat {} holds it", me.0),
        () if own.discard == Some(card) => format!("seat {} has put it aside", me.0),
        () if table.open.has(seat.0) && !table.shown[seat.index()].has(card) => {
            "it is not in that open hand".to_owned()
        }
        () if table.play.lacks[seat.index()].has(card) => "that seat is known not to have it".to_owned(),
        () => return Ok(()),
    };
    Err(format!("seat {} plays {card}, but {elsewhere}", seat.0))
}

/// Returns the round with the reported kitty. The seat that seemed to hold that card gets the previous guess
/// instead.
fn with_kitty(round: &Round, me: Seat, update: &Update<'_>) -> Result<Round, String> {
    let event = update.events_of("kitty").next();
    let event = event.ok_or("the bidder takes the kitty: expected an event `kitty`")?;
    let kitty: Card = field(event, "card")?;
    let mut round = *round;
    let thought = std::mem::replace(&mut round.kitty, kitty);
    for seat in ALL_SEATS {
        let hand = &mut round.own[seat.index()].hand;
        if hand.has(kitty) {
            ensure!(seat != me, "{kitty} is the kitty, but seat {} holds it", me.0);
            *hand = hand.without(kitty).with(thought);
        }
    }
    Ok(round)
}

/// Replaces results of guessed cards in `is` with the reported ones: roem announced automatically, and opened
/// hands. Results of the cards of `me` are known.
fn follow_events(before: &Round, is: &mut PublicState, me: Seat, update: &Update<'_>) -> Result<(), String> {
    let was = &before.table;
    for seat in is.open.iter().map(Seat).filter(|&seat| seat != me && !was.open.has(seat.0)) {
        let lies = |why: &str| format!("the hand of seat {} is open now{why}", seat.0);
        let mut events = update.events_of("open").filter(|event| event["seat"] == seat.0);
        let event = events.next().ok_or_else(|| lies(", but its cards are missing"))?;
        let cards: Cards = field(event, "cards")?;
        let lacked = cards.and(is.play.lacks[seat.index()]);
        ensure!(lacked.is_empty(), "{}", lies(&format!(", but it cannot have {lacked}")));
        let (number, held) = (cards.len(), is.held(seat));
        ensure!(number == held, "{}", lies(&format!(": that is {held} cards, not {number}")));
        is.shown[seat.index()] = cards;
    }
    for (whose, name) in [(BIDDER, "bidder"), (PARTNER, "partner")] {
        let by_itself = is.rules.roem_claims == RoemClaims::Auto && was.turn != me;
        if is.roem[whose] == was.roem[whose] || !by_itself {
            continue;
        }
        let event = update.events_of("roem").next();
        let event = event.ok_or_else(|| format!("the roem of the {name} is due, but missing"))?;
        let points: u16 = field(event, "points")?;
        let right = points <= roem::MOST && points.is_multiple_of(10);
        ensure!(right, "no hand has roem of {points}");
        is.roem[whose] = Some(points);
    }
    Ok(())
}

// Reading a deal from an event log or a chosen deal, and dealing the unknown cards at random.

/// The random part of a deal.
struct Dealt {
    own: PerSeat<PrivateState>,
    kitty: Card,
    order: PerSeat<Seat>,
}

impl Dealt {
    /// Reads the part of a deal that seat `me` sees, and deals the other cards at random.
    fn read(shown: &Value, rules: &Rules, dealer: Seat, me: Seat, rng: &mut DealRng) -> Result<Self, String> {
        let hand: Cards = field(shown, "hand")?;
        ensure!(hand.len() == HAND as u32, "`hand` has {} cards, expected {HAND}", hand.len());
        let order = match rules.opening_order {
            OpeningOrder::Forehand => forehand(dealer),
            OpeningOrder::Random => order(shown)?,
        };
        let mut hands = [None; SEATS];
        hands[me.index()] = Some(hand);
        Ok(Self::around(&hands, None, order, rng))
    }

    /// Deals the unknown cards at random.
    fn around(
        hands: &PerSeat<Option<Cards>>,
        kitty: Option<Card>,
        order: PerSeat<Seat>,
        rng: &mut DealRng,
    ) -> Self {
        let known = hands.iter().flatten().fold(Cards::NONE, |known, &hand| known.or(hand));
        let known = kitty.map_or(known, |card| known.with(card));
        let mut rest: Vec<Card> = Cards::ALL.minus(known).iter().collect();
        rng.draw(|draw| draw.shuffle(&mut rest));
        let mut others = rest.chunks_exact(HAND).map(|cards| cards.iter().copied().collect());
        let own = hands.map(|hand| {
            let hand = hand.or_else(|| others.next());
            PrivateState { hand: hand.unwrap_or_default(), discard: None }
        });
        // 33 cards less any hands are the other hands and one card.
        let kitty = kitty.or(rest.last().copied()).unwrap_or(Card::FIRST);
        Self { own, kitty, order }
    }
}

/// Returns the opening order that starts after the dealer.
fn forehand(dealer: Seat) -> PerSeat<Seat> {
    std::array::from_fn(|n| clockwise(dealer, n as u8 + 1))
}

/// Reads the opening order.
fn order(shown: &Value) -> Result<PerSeat<Seat>, String> {
    let order: PerSeat<Seat> = field(shown, "order")?;
    let complete = ALL_SEATS.iter().all(|seat| order.contains(seat));
    ensure!(complete, "`order` does not name each of the {SEATS} seats once");
    Ok(order)
}

/// Reads a field of a line.
fn field<T: DeserializeOwned>(shown: &Value, name: &str) -> Result<T, String> {
    let value = shown.get(name).ok_or_else(|| format!("there is no `{name}`"))?;
    T::deserialize(value).map_err(|error| format!("`{name}`: {error}"))
}

/// Reads a field that is a seat.
fn seat_field(shown: &Value, name: &str) -> Result<Seat, String> {
    let seat: Seat = field(shown, name)?;
    ensure!(seat.index() < SEATS, "`{name}` is {}, expected a seat, 0 to {}", seat.0, SEATS - 1);
    Ok(seat)
}

// Dealing the cards that a user chose.

impl Deals for Round {
    fn dealt(
        rules: &Rules,
        standing: &mut SessionState,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let mut chance = rng.beside();
        // The first dealer is random; later dealers follow from it.
        if standing.deals == 0 && deal.field("dealer").is_some() {
            standing.dealer = seat_field(deal.json(), "dealer")?;
        }
        let hands = hands(deal)?;
        let kitty: Option<Card> = deal.read("kitty")?;
        let holder = |card: Card| hands.iter().position(|hand| hand.is_some_and(|hand| hand.has(card)));
        if let Some((card, seat)) = kitty.and_then(|card| Some((card, holder(card)?))) {
            return Err(format!("`kitty` is {card}, which is in `hands[{seat}]`").into());
        }
        let order = match rules.opening_order {
            OpeningOrder::Random if deal.field("order").is_some() => order(deal.json())?,
            OpeningOrder::Random => {
                let mut order = ALL_SEATS;
                chance.draw(|draw| draw.shuffle(&mut order));
                order
            }
            OpeningOrder::Forehand => forehand(standing.dealer),
        };
        let Dealt { own, kitty, order } = Dealt::around(&hands, kitty, order, &mut chance);
        let rng = auction::deal(rules, standing, rng).rng;
        Ok(Self { table: fresh_table(rules, standing, order), own, kitty, rng })
    }
}

/// Reads the chosen hands, by seat.
fn hands(deal: Chosen<'_>) -> Result<PerSeat<Option<Cards>>, DealError> {
    let mut before = Cards::NONE;
    let listed = deal.hands(SEATS, |_, text| {
        let hand: Cards = text.parse()?;
        let twice = hand.and(before);
        before = before.or(hand);
        match () {
            () if hand.len() != HAND as u32 => Err(format!("{} cards, expected {HAND}", hand.len())),
            () if !twice.is_empty() => Err(format!("{twice} is in a hand before it")),
            () => Ok(hand),
        }
    })?;
    let mut hands = [None; SEATS];
    hands.iter_mut().zip(listed).for_each(|(to, hand)| *to = hand);
    Ok(hands)
}

//! Event logs: what each seat receives about a round, and a round reconstructed from it.
//!
//! In a reconstructed round the unseen cards are arbitrary, but never contradict what the seat knows.
//!
//! Only payer and receiver see a tribute. Other players must not notice whether a payer is deciding about jokers. So
//! they learn of tributes only when all returned cards move, which everyone sees.

mod taxes;

use cardsharp_climbing::determinize::PerPosition;
use cardsharp_climbing::event_log::{
    HoldError, Unseen, check_hand, conceal_cards, conceal_hands, deal_around, read_cards,
};
use cardsharp_climbing::{self as climbing, Bounded, Set};
use cardsharp_engine::game::{
    Actions, Chosen, DealError, Deals, EventLog, ImaginedRound, Label, Lines, Play, Turn, Update, ensure,
};
use cardsharp_engine::hands::Positions;
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{ActionId, MAX_SEATS, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use self::taxes::{TaxView, from_outside};
use super::actions::Move;
use super::check::newcomers;
use super::deck::{Cards, CardsText, JOKER};
use super::determinize::{self, ExtraFacts};
use super::opening;
use super::roster::JoinPolicy;
use super::rules::{Decree, Rules, Seating};
use super::state::{PrivateState, PublicState, Round, SessionState, Stage};
use super::variant::{MENU, Variant};

// The data in the lines of a trace, except `line` and `round`.

impl Lines for Round {
    type Deal = Deal;
    type Event = Event;
}

/// The seating, the decree, and everything that was dealt. Cards have their names in the deck in play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seats that left the table just before this round.
    pub left: Vec<Seat>,
    /// The seats that joined the table just before this round.
    pub joined: Vec<Seat>,
    /// The seat at each position, the Tahimi first. Seats not listed sit this round out.
    pub order: Vec<Seat>,
    /// The decreed entry of the menu, counted from 0; null without a menu.
    pub decree: Option<u8>,
    /// The options in force in this round.
    pub variant: Variant,
    /// The cards dealt to each position, in the same order as `order`, before any tax.
    #[schemars(with = "Vec<CardsText>")]
    pub hands: Vec<String>,
}

/// Cards that moved, and what players announced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// A player paid a tax: the player's highest cards went to the receiver.
    Tribute {
        /// The seat that paid.
        from: Seat,
        /// The seat that received.
        to: Seat,
        /// The cards that moved.
        #[schemars(with = "CardsText")]
        cards: String,
    },
    /// The receiver of a tax gave cards of their choice back to the payer.
    Return {
        /// The seat that gave.
        from: Seat,
        /// The seat that received.
        to: Seat,
        /// The cards that moved.
        #[schemars(with = "CardsText")]
        cards: String,
    },
    /// A player has one card left after a play, and announces it.
    #[serde(rename = "one card")]
    OneCard {
        /// The seat of the player.
        seat: Seat,
    },
}

// What each seat receives, and the reconstructed round.

impl EventLog for Round {
    /// The line `round` before a decree: who left, who joined, and the order of seats.
    fn seated(&self) -> Value {
        let table = &self.table;
        json!({
            "left": table.left.iter().collect::<Vec<_>>(),
            "joined": table.joined.iter().collect::<Vec<_>>(),
            "order": &table.order[..self.players()],
        })
    }

    fn conceal_deal(&self, deal: Value, to: Option<Seat>) -> Value {
        conceal_hands(deal, to, self.table.rules.seats().into())
    }

    /// Only payer and receiver get the event of a tribute. Everyone sees how many cards go back.
    fn conceal_event(event: Value, to: Option<Seat>) -> Option<Value> {
        let event = conceal_cards(event, to);
        (event["event"] != "tribute" || event.get("cards").is_some()).then_some(event)
    }

    fn imagine(
        rules: &Rules,
        standing: &SessionState,
        seat: Seat,
        update: &Update<'_>,
        rng: DealRng,
    ) -> Result<ImaginedRound<Self>, String> {
        let mut round = opening::deal(rules, standing, rng);
        let undecided = round.table.stage == Stage::Decree;
        let opening = match (update.seated, update.deal) {
            (Some(seated), None) if undecided => seated,
            (None, Some(deal)) if !undecided => deal,
            // A deal that the user chose for the first round of a session includes the decree.
            (None, Some(deal)) if standing.rounds == 0 && !deal["decree"].is_null() => deal,
            _ if undecided => {
                return Err("a decree comes before the deal: expected a line `round`".to_owned());
            }
            _ => return Err("there is no decree before the deal: expected a line `deal`".to_owned()),
        };
        arrange(&mut round.table, rules, opening)?;
        if let Some(deal) = update.deal {
            if undecided {
                let decreed = Chosen::of(deal).and_then(|deal| decreed(rules, deal));
                opening::decree(&mut round, decreed.map_err(|error| error.to_string())?);
            }
            round = dealt(&round, seat, deal, update)?;
        }
        Ok(ImaginedRound::begun(round, seat))
    }

    fn follow(imagined: &mut ImaginedRound<Self>, update: &Update<'_>) -> Result<(), String> {
        match imagined.round.table.stage {
            Stage::Decree => follow_decree(imagined, update),
            Stage::Taxes => taxes::follow(imagined, update),
            Stage::Play => follow_play(imagined, update),
        }
    }
}

/// The round after a deal in an event log, and after the events that directly followed it.
fn dealt(round: &Round, seat: Seat, deal: &Value, update: &Update<'_>) -> Result<Round, String> {
    let table = &round.table;
    if !round.present().has(seat.0) {
        return from_outside(round, update);
    }
    let hand = read_cards(deal, "hand", |text| table.ladder().read(text))?;
    let due = table.held(table.position_of(seat));
    check_hand(&hand, due, &table.deck)?;
    let own = PrivateState { partner: round.own(seat).partner, ..PrivateState::dealt(hand) };
    TaxView { table: *table, own, seat, decided: false }.read_tax(update, round.rng)
}

/// Applies the Tahimi's decree, and the deal that follows.
fn follow_decree(imagined: &mut ImaginedRound<Round>, update: &Update<'_>) -> Result<(), String> {
    let Some((seat, action)) = update.choice else { return Ok(()) };
    let action = action.ok_or("every decree is public: expected its `choice`")?;
    if !may(&imagined.round, seat, action) {
        return imagined.play(seat, action);
    }
    let mut after = imagined.round;
    after.play(action);
    let deal = update.deal.ok_or("after the decree the cards are dealt: expected a line `deal`")?;
    let after = dealt(&after, imagined.seat, deal, update)?;
    imagined.play_and(seat, action, |round| *round = after)
}

/// Whether it is this seat's turn and the action is legal.
fn may(round: &Round, seat: Seat, action: ActionId) -> bool {
    round.turn() == Turn::Decide(seat) && Round::legal(round.view(seat)).contains(action)
}

// Plays of the other players: reconstructs their hidden hands so that they contain the cards played.

/// Applies the next move of the play.
///
/// # Errors
/// No consistent round has this move.
fn follow_play(imagined: &mut ImaginedRound<Round>, update: &Update<'_>) -> Result<(), String> {
    let Some((seat, action)) = update.choice else { return Ok(()) };
    let action = action.ok_or("every play is public: expected its `choice`")?;
    if seat != imagined.seat
        && imagined.round.turn() == Turn::Decide(seat)
        && let Some(Move::Play(set)) = Move::of(action)
    {
        let impossible = |problem: String| {
            let label = Label::<Round>::at(imagined.round.table(), action);
            format!("seat {} cannot hold `{label}`: {problem}", seat.0)
        };
        imagined.round =
            holding(&imagined.round, imagined.seat, seat, &cards(set.set())).map_err(impossible)?;
    }
    imagined.play(seat, action)
}

fn cards(set: Set) -> Cards {
    let mut cards = Cards::NONE;
    cards.0[usize::from(set.rank)] = set.naturals;
    cards.0[JOKER] = set.wilds;
    cards
}

/// A round in which `holder` has these cards, consistent with everything that `viewer` knows.
fn holding(round: &Round, viewer: Seat, holder: Seat, cards: &Cards) -> Result<Round, String> {
    if round.own(holder).hand.contains(cards) {
        return Ok(*round);
    }
    let table = &round.table;
    let position = table.position_of(holder);
    let sees = round.present().has(viewer.0);
    let mut hidden = Positions::first(table.players);
    if sees {
        hidden = hidden.without(table.position_of(viewer));
    }
    let mut unseen = Unseen { hands: round.own.map(|own| own.hand), hidden };
    let words = |error: HoldError| error.words(|rank| table.ladder().name(rank));
    unseen.hold(position, cards, |_| false).map_err(words)?;
    if !sees {
        let mut round = *round;
        round.own.iter_mut().zip(unseen.hands).for_each(|(own, hand)| own.hand = hand);
        return Ok(round);
    }
    let facts = ExtraFacts { holds: Some((position, *cards)), ..ExtraFacts::default() };
    let found = determinize::knowing(round.view(viewer), facts, round.rng);
    found.ok_or_else(|| "it contradicts the taxes".to_owned())
}

// The seating of a reconstructed round: from the rules, or from the event log.

/// Applies the seating in the event log to a new round, where the seating is random.
///
/// # Errors
/// The seating is impossible.
fn arrange(table: &mut PublicState, rules: &Rules, shown: &Value) -> Result<(), String> {
    let drawn = matches!(rules.join_policy, JoinPolicy::Redraw | JoinPolicy::Random);
    let by_chance = match table.round {
        1 => rules.seating == Seating::Random,
        _ => drawn && !table.joined.is_empty(),
    };
    if !by_chance {
        return Ok(());
    }
    let order = order(table, shown)?;
    let by_rules = &table.order[..order.len()];
    if table.round > 1 && rules.join_policy == JoinPolicy::Random {
        let stayed = |order: &[Seat]| -> Vec<Seat> {
            order.iter().copied().filter(|seat| !table.joined.has(seat.0)).collect()
        };
        let expected = stayed(by_rules);
        ensure!(
            stayed(&order) == expected,
            "`order`: among themselves, those who stayed sit {}",
            list(&expected)
        );
    }
    table.order[..order.len()].copy_from_slice(&order);
    table.position = opening::positions(&order);
    if table.round > 1 { newcomers(table, rules) } else { Ok(()) }
}

/// The order of seats in the event log, which must name each playing seat once.
fn order(table: &PublicState, shown: &Value) -> Result<Vec<Seat>, String> {
    let players = usize::from(table.players);
    let playing = table.present();
    let shown = shown["order"].as_array().filter(|order| order.len() == players);
    let shown = shown.ok_or_else(|| format!("`order` is not a list of the {players} seats that play"))?;
    let mut order = Vec::with_capacity(MAX_SEATS);
    let mut seated = Positions(0);
    for named in shown {
        let seat = named.as_u64().filter(|&seat| seat < MAX_SEATS as u64).map(|seat| Seat(seat as u8));
        let seat = seat.filter(|seat| playing.has(seat.0) && !seated.has(seat.0));
        let Some(seat) = seat else {
            let playing: Vec<Seat> = playing.iter().map(Seat).collect();
            return Err(format!("`order` names {named}, expected each of seats {} once", list(&playing)));
        };
        seated.insert(seat.0);
        order.push(seat);
    }
    Ok(order)
}

fn list(seats: &[Seat]) -> String {
    let seats: Vec<String> = seats.iter().map(|seat| seat.0.to_string()).collect();
    seats.join(", ")
}

// Rounds with a chosen deal. The user also chooses the decree, because the deck depends on it.

impl Deals for Round {
    fn dealt(
        rules: &Rules,
        standing: &mut SessionState,
        deal: Chosen<'_>,
        rng: DealRng,
    ) -> Result<Self, DealError> {
        let mut chance = rng.beside();
        let mut round = opening::deal(rules, standing, rng);
        if deal.field("order").is_some() {
            arrange(&mut round.table, rules, deal.json())?;
        }
        if standing.rounds == 0 {
            standing.order = round.table.order;
        }
        if rules.decree != Decree::Off {
            opening::decree(&mut round, decreed(rules, deal)?);
        }
        let (table, ladder) = (&round.table, round.table.ladder());
        let (read, name) = (|text: &str| ladder.read(text), |rank| ladder.name(rank));
        let known = climbing::chosen::hands(deal, &table.deck, table.players, &table.cards, read, name)?;
        let hands = deal_around(&table.deck, &known, &table.cards, &PerPosition::default(), &mut chance)?;
        round.own = hands.map(PrivateState::dealt);
        round.asking = 0;
        opening::begin(&mut round);
        Ok(round)
    }
}

/// Reads the entry of the decree menu from the deal. The rules must have a menu.
///
/// # Errors
/// The deal has no `decree`, or no entry of the menu.
fn decreed(rules: &Rules, deal: Chosen<'_>) -> Result<Bounded<MENU>, DealError> {
    let entries = match &rules.decree {
        Decree::Menu(menu) => menu.as_slice().len(),
        Decree::Off => 0,
    };
    let shown = deal.field("decree").and_then(|entry| usize::try_from(entry.as_u64()?).ok());
    let entry = shown.filter(|&entry| entry < entries).and_then(Bounded::new);
    entry.ok_or_else(|| {
        let given = deal.field("decree").map_or_else(|| "missing".to_owned(), |given| format!("{given}"));
        let last = entries.saturating_sub(1);
        format!(
            "`decree` is {given}, expected an entry of the menu, 0 to {last}: what is dealt depends on it"
        )
        .into()
    })
}

//! A deal as text and JSON events, for traces and for people.

use std::fmt::Write;

use cardsharp_engine::Seat;
use cardsharp_engine::game::{Aim, Lines, MovePurpose, Narrate, Play as _};
use cardsharp_engine::game::{Scene, Seated};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::bids::{Bid, BidKind};
use super::deck::{Card, Cards, Suit, Trump};
use super::rules::RoemClaims;
use super::score;
use super::state::{ALL_SEATS, AskedCard, BIDDER, PARTNER, PerSeat, PublicState, Round, Stage, View};

// Types of the trace lines `deal` and `event`, without the common fields `line` and `round`.

impl Lines for Round {
    type Deal = Deal;
    type Event = Event;
}

/// Everything that was dealt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Deal {
    /// The seat that dealt.
    pub dealer: Seat,
    /// The seats in the order in which the players are asked to open.
    pub order: PerSeat<Seat>,
    /// The eight cards dealt to each seat.
    pub hands: PerSeat<Cards>,
    /// The kitty: the card dealt to the middle.
    pub kitty: Card,
}

/// What follows from the auction and from the cards played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// No player opened, and the next dealer dealt again.
    Redeal {
        /// The seat that dealt.
        dealer: Seat,
        /// The seats in the order in which the players are asked to open.
        order: PerSeat<Seat>,
        /// The eight cards dealt to each seat.
        hands: PerSeat<Cards>,
        /// The kitty: the card dealt to the middle.
        kitty: Card,
    },
    /// The auction is over, and the highest bidder is the bidder.
    Contract {
        /// The seat of the bidder.
        seat: Seat,
        /// The bid that won the auction: the contract.
        bid: Bid,
    },
    /// The bidder took the kitty, which everybody sees.
    Kitty {
        /// The seat of the bidder.
        seat: Seat,
        /// The card that was in the middle.
        card: Card,
    },
    /// Trump set by the rules, if the bidder does not name it.
    Trump {
        /// The trump suit, or none.
        trump: Trump,
    },
    /// A player became known as the bidder's partner.
    Partner {
        /// The seat of the partner.
        seat: Seat,
    },
    /// Roem that was announced automatically.
    Roem {
        /// The seat of the bidder or the partner.
        seat: Seat,
        /// The points of roem.
        points: u16,
    },
    /// A player's hand is open from now on.
    Open {
        /// The seat with the open hand.
        seat: Seat,
        /// The remaining cards of the hand.
        cards: Cards,
    },
    /// A trick was won.
    Trick {
        /// The seat that won it.
        seat: Seat,
        /// The points of the cards in the trick.
        points: u8,
    },
    /// The deal is over. If no player opened, the only field is `bid`, which is null.
    #[schemars(extend("dependentRequired" = {
        "bidder": ["partner", "made"], "partner": ["bidder", "made"], "made": ["bidder", "partner"],
        "raw": ["total", "made"], "total": ["raw", "made"],
    }))]
    Result {
        /// The bid of the contract; null if no player opened.
        bid: Option<Bid>,
        /// The seat of the bidder.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bidder: Option<Seat>,
        /// The partner's seat; null if the bidder had no partner.
        #[serde(default, deserialize_with = "there", skip_serializing_if = "Option::is_none")]
        #[schemars(with = "Option<Seat>")]
        partner: Option<Option<Seat>>,
        /// Whether the contract was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        made: Option<bool>,
        /// The card points of the bidder's side before rounding; only for points contracts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        raw: Option<u16>,
        /// The total of the bidder's side: rounded card points, roem and bonus; only for points contracts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<i32>,
    },
}

/// Distinguishes `null` (`Some(None)`) from a missing field (`None`).
fn there<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Seat>>, D::Error> {
    Deserialize::deserialize(deserializer).map(Some)
}

// Writing events and pictures.

impl Narrate for Round {
    fn purpose(&self) -> Option<MovePurpose> {
        Some(match self.table.stage {
            Stage::Play => MovePurpose { name: "tachtigen.aim.trick", statement: "the trick goes your way" },
            _ => MovePurpose { name: "tachtigen.aim.contract", statement: "the contract goes your way" },
        })
    }

    fn aim(&self, before: &Self, seat: Seat) -> Aim {
        let bids =
            |seat| self.table.bidder() == Some(seat) || Self::is_partner(self.view(seat)) == Some(true);
        if before.table.stage != Stage::Play {
            return match (self.table.stage, score::outcome(self)) {
                (Stage::Over, None) => Aim::Nothing,
                (Stage::Over, Some(outcome)) if outcome.made == bids(seat) => Aim::Reached,
                (Stage::Over, Some(_)) => Aim::Missed,
                // No single move decides this.
                _ => Aim::Behind,
            };
        }
        let (table, play) = (&self.table, &self.table.play);
        let trick = before.table.play.cards.len() / 4;
        // The winner of a trick leads the next one.
        let is_over = play.cards.len() >= 4 * (trick + 1);
        let winner = match is_over {
            true => play.leaders[trick + 1],
            // The move was a call, and nothing is led yet.
            false if play.in_trick() == 0 => seat,
            false => play.best,
        };
        // In a misère the bidder wants no trick, and the others want the bidder to win one.
        let wanted = bids(seat) != table.contract().is_some_and(BidKind::is_misere);
        match (is_over, bids(winner) == wanted) {
            (true, true) => Aim::Reached,
            (true, false) => Aim::Missed,
            (false, true) => Aim::Ahead,
            (false, false) => Aim::Behind,
        }
    }

    fn describe_deal(&self) -> Option<Value> {
        Some(dealt(self))
    }

    fn events(before: Option<&Round>, after: &Round) -> Vec<Value> {
        let Some(before) = before else { return Vec::new() };
        let mut events = Vec::new();
        if before.table.redeals < after.table.redeals {
            let mut event = dealt(after);
            event["event"] = json!("redeal");
            events.push(event);
        }
        contract(before, after, &mut events);
        tricks(&before.table, &after.table, &mut events);
        if before.table.stage != Stage::Over && after.table.stage == Stage::Over {
            events.push(result(after));
        }
        events
    }

    fn hand(view: View<'_>) -> String {
        view.own.hand.to_string()
    }

    fn is_partner(view: View<'_>) -> Option<bool> {
        let (table, asked) = (view.table, view.table.asked_card()?);
        Some(table.partner.map_or(view.own.hand.has(asked), |partner| partner == view.seat))
    }

    fn picture(view: View<'_>) -> String {
        let (table, own) = (view.table, view.own);
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = writeln!(text, "Deal {} of {}", table.deal, table.rules.deals);
        for seat in ALL_SEATS {
            let _ = writeln!(text, "{}", seat_line(view, seat));
        }
        known(view, &mut text);
        let _ = writeln!(text, "Your hand: {}", by_suits(own.hand));
        text
    }

    fn scene(view: View<'_>) -> Scene {
        scene(view)
    }
}

/// Writes the public facts and the viewer's discard, except the lines for the seats.
fn known(view: View<'_>, text: &mut String) {
    let (table, own) = (view.table, view.own);
    contract_lines(table, text);
    if let Some(card) = own.discard {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "You put aside: {card}");
    }
    for seat in table.open.iter().filter(|&seat| seat != view.seat.0) {
        let _ = writeln!(text, "Open hand of seat {seat}: {}", by_suits(table.shown[usize::from(seat)]));
    }
    trick_line(table, text);
}

/// Returns the `deal` line: the dealer, the opening order, hands by seat, and the card in the middle.
fn dealt(round: &Round) -> Value {
    let hands: PerSeat<Cards> = std::array::from_fn(|seat| round.own[seat].hand);
    json!({ "dealer": round.table.dealer, "order": round.table.auction.order, "hands": hands, "kitty": round.kitty })
}

fn contract(before: &Round, after: &Round, events: &mut Vec<Value>) {
    let (was, is) = (&before.table, &after.table);
    if was.bidder().is_none()
        && let (Some(seat), Some(bid)) = (is.bidder(), is.high())
    {
        events.push(json!({ "event": "contract", "seat": seat, "bid": bid }));
        if let Some(card) = is.kitty {
            events.push(json!({ "event": "kitty", "seat": seat, "card": card }));
        }
    }
    if was.trump.is_none()
        && was.stage != Stage::Trump
        && let Some(trump) = is.trump
    {
        events.push(json!({ "event": "trump", "trump": trump }));
    }
}

fn tricks(was: &PublicState, is: &PublicState, events: &mut Vec<Value>) {
    for seat in is.open.iter().filter(|&seat| !was.open.has(seat)) {
        events.push(json!({ "event": "open", "seat": seat, "cards": is.shown[usize::from(seat)] }));
    }
    let speaker = [is.auction.high, is.partner];
    if is.partner != was.partner {
        events.push(json!({ "event": "partner", "seat": is.partner }));
    }
    for whose in [BIDDER, PARTNER] {
        if is.roem[whose] != was.roem[whose] && is.rules.roem_claims == RoemClaims::Auto {
            events.push(json!({ "event": "roem", "seat": speaker[whose], "points": is.roem[whose] }));
        }
    }
    if is.play.trick() > was.play.trick() {
        let winner = is.play.leaders[is.play.trick()];
        let points = is.play.points[winner.index()] - was.play.points[winner.index()];
        events.push(json!({ "event": "trick", "seat": winner, "points": points }));
    }
}

/// Returns the `result` event.
fn result(round: &Round) -> Value {
    let table = &round.table;
    let Some(outcome) = score::outcome(round) else { return json!({ "event": "result", "bid": null }) };
    let mut event = json!({
        "event": "result", "bid": table.high(), "bidder": table.bidder(), "partner": table.partner,
        "made": outcome.made,
    });
    if table.asked != AskedCard::Nothing {
        event["raw"] = json!(outcome.raw);
        event["total"] = json!(outcome.total);
    }
    event
}

/// Writes cards grouped by suit, in each from the highest rank down.
fn by_suits(cards: Cards) -> String {
    let suits = Suit::ALL.map(|suit| {
        let mut names: Vec<String> = cards.and(suit.cards()).iter().map(|card| card.to_string()).collect();
        names.reverse();
        names.join(" ")
    });
    let suits: Vec<&str> = suits.iter().map(String::as_str).filter(|suit| !suit.is_empty()).collect();
    suits.join(" | ")
}

fn seat_line(view: View<'_>, seat: Seat) -> String {
    let you = (seat == view.seat).then(|| "you".to_owned());
    let notes: Vec<String> = you.into_iter().chain(seat_notes(view, seat)).collect();
    format!("  seat {} {:>5} points  {}", seat.0, view.table.scores[seat.index()], notes.join(", "))
}

/// Returns remarks about a player: dealer, bid, partner, tricks won.
fn seat_notes(view: View<'_>, seat: Seat) -> Vec<String> {
    let table = view.table;
    let s = seat.index();
    let mut notes = Vec::new();
    if seat == table.dealer {
        notes.push("dealer".to_owned());
    }
    if let Some(bid) = table.auction.bids[s] {
        notes.push(format!("bid {bid}"));
    }
    if table.auction.passed.has(seat.0) {
        notes.push("passed".to_owned());
    } else if table.auction.held.has(seat.0) && table.auction.bids[s].is_none() {
        notes.push("held".to_owned());
    }
    if table.bidder() == Some(seat) {
        notes.push("bidder".to_owned());
    }
    let holds = table.asked_card().is_some_and(|asked| view.own.hand.has(asked)) && seat == view.seat;
    if table.partner == Some(seat) {
        notes.push("partner".to_owned());
    } else if holds {
        notes.push("secret partner".to_owned());
    }
    if table.play.won[s] > 0 {
        let won = table.play.won[s];
        notes.push(format!(
            "{won} trick{} with {} points",
            if won == 1 { "" } else { "s" },
            table.play.points[s]
        ));
    }
    notes
}

fn contract_lines(table: &PublicState, text: &mut String) {
    let (Some(bidder), Some(bid)) = (table.bidder(), table.high()) else { return };
    let trump = table.trump.map_or("not named".to_owned(), |trump| trump.to_string());
    let asked = match table.asked {
        AskedCard::Nothing => String::new(),
        AskedCard::Solo => ", alone".to_owned(),
        AskedCard::Card(card) => format!(", asked for {card}"),
    };
    let _ = writeln!(text, "Seat {} plays {bid}, trump {trump}{asked}", bidder.0);
    if let Some(card) = table.kitty {
        let _ = writeln!(text, "The kitty was {card}");
    }
    let sides = [("Bidder", table.roem[BIDDER]), ("Partner", table.roem[PARTNER])];
    for (name, points) in sides.into_iter().filter_map(|(name, points)| Some((name, points?))) {
        let _ = writeln!(text, "{name}'s roem: {points}");
    }
}

fn trick_line(table: &PublicState, text: &mut String) {
    if !matches!(table.stage, Stage::Play | Stage::Claim) {
        return;
    }
    let play = &table.play;
    let called = if play.is_called() { ", the asked card is called" } else { "" };
    let first = play.cards.len() - play.in_trick();
    let cards: Vec<String> = (first..play.cards.len())
        .filter_map(|i| Some(format!("seat {} {}", play.player(i).0, play.cards.get(i)?)))
        .collect();
    let cards = if cards.is_empty() { "nothing".to_owned() } else { cards.join(", ") };
    let number = (play.trick() + 1).min(table.play.leaders.len() - 1);
    let _ = writeln!(text, "Trick {number}{called}, on the table: {cards}");
}

// The parts of a view, for front ends with their own layout.

/// Returns the parts of a view, seat by seat.
fn scene(view: View<'_>) -> Scene {
    let table = view.table;
    let player = |seat| Seated {
        seat,
        cards: Some(table.held(seat)),
        points: Some(table.scores[seat.index()]),
        notes: seat_notes(view, seat),
        is_turn: !matches!(table.stage, Stage::Claim | Stage::Over) && seat == table.turn,
    };
    let mut text = String::new();
    known(view, &mut text);
    Scene {
        round: format!("Deal {} of {}", table.deal, table.rules.deals),
        players: ALL_SEATS.map(player).into(),
        table: text.lines().map(str::to_owned).collect(),
        hand: Scene::groups(&by_suits(view.own.hand)),
    }
}

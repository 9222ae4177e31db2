//! Event logs: what each seat receives about a round, and a round reconstructed from it.
//!
//! In a reconstructed round the unseen cards are arbitrary, but never contradict what the seat knows.
//!
//! Only payer and receiver see a tribute. Other players must not notice whether a payer is deciding about jokers. So
//! they learn of tributes only when all returned cards move, which everyone sees.

mod plays;
pub(super) mod seating;
mod seen;
mod taxes;

use cardsharp_climbing::record::{cards_told, check_told, conceal_cards, conceal_hands};
use cardsharp_engine::game::{Actions, Chosen, Play, Record, Shadow, Told, Turn};
use cardsharp_engine::mask::Mask;
use cardsharp_engine::rng::DealRng;
use cardsharp_engine::rules::Rules as _;
use cardsharp_engine::{ActionId, Seat};
use serde_json::{Value, json};

use super::rules::Rules;
use super::state::{Round, Standing};
use super::table::{Own, Stage};
use super::{chosen, opening};

impl Record for Round {
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
        standing: &Standing,
        seat: Seat,
        told: &Told<'_>,
        rng: DealRng,
    ) -> Result<Shadow<Self>, String> {
        let mut round = opening::deal(rules, standing, rng);
        let undecided = round.table.stage == Stage::Decree;
        let opening = match (told.seated, told.deal) {
            (Some(seated), None) if undecided => seated,
            (None, Some(deal)) if !undecided => deal,
            // A deal that the user chose for the first round of a session includes the decree.
            (None, Some(deal)) if standing.rounds == 0 && !deal["decree"].is_null() => deal,
            _ if undecided => {
                return Err("a decree comes before the deal: expected a line `round`".to_owned());
            }
            _ => return Err("there is no decree before the deal: expected a line `deal`".to_owned()),
        };
        seating::arrange(&mut round.table, rules, opening)?;
        if let Some(deal) = told.deal {
            if undecided {
                let decreed = Chosen::of(deal).and_then(|deal| chosen::decreed(rules, deal));
                opening::decree(&mut round, decreed.map_err(|error| error.to_string())?);
            }
            round = dealt(&round, seat, deal, told)?;
        }
        Ok(Shadow::begun(round, seat))
    }

    fn follow(shadow: &mut Shadow<Self>, told: &Told<'_>) -> Result<(), String> {
        match shadow.round.table.stage {
            Stage::Decree => decreed(shadow, told),
            Stage::Taxes => taxes::follow(shadow, told),
            Stage::Play => plays::follow(shadow, told),
        }
    }
}

/// The round after a deal in an event log, and after the events that directly followed it.
fn dealt(round: &Round, seat: Seat, deal: &Value, told: &Told<'_>) -> Result<Round, String> {
    let table = &round.table;
    if !round.present().has(seat.0) {
        return taxes::from_outside(round, told);
    }
    let hand = cards_told(deal, "hand", |text| table.ladder().read(text))?;
    let due = table.held(table.position_of(seat));
    check_told(&hand, due, &table.deck)?;
    let own = Own { partner: round.own(seat).partner, ..Own::dealt(hand) };
    seen::Seen { table: *table, own, seat, decided: false }.told(told, round.rng)
}

/// Applies the Tahimi's decree, and the deal that follows.
fn decreed(shadow: &mut Shadow<Round>, told: &Told<'_>) -> Result<(), String> {
    let Some((seat, action)) = told.choice else { return Ok(()) };
    let action = action.ok_or("every decree is public: expected its `choice`")?;
    if !may(&shadow.round, seat, action) {
        return shadow.play(seat, action);
    }
    let mut after = shadow.round;
    after.play(action);
    let deal = told.deal.ok_or("after the decree the cards are dealt: expected a line `deal`")?;
    let after = dealt(&after, shadow.seat, deal, told)?;
    shadow.play_and(seat, action, |round| *round = after)
}

/// Whether it is this seat's turn and the action is legal.
fn may(round: &Round, seat: Seat, action: ActionId) -> bool {
    round.turn() == Turn::Decide(seat) && Round::legal(round.view(seat)).contains(action)
}

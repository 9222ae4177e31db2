//! Checks of sessions with a chosen first deal: choosing the cards that were dealt gives the same round.

use serde_json::{Map, Value};

use super::{Violation, event_logs};
use crate::base::ActionId;
use crate::base::rng::Draw;
use crate::base::seed::derived;
use crate::game::{DealError, Game, Narrate};
use crate::runtime::log::{Audience, Header, Line};
use crate::runtime::table::{AnyTable, Table};

/// Partial deals that are tried for each session.
const PARTS: u64 = 4;

/// Takes the first deal of a session with these actions. Starts new sessions with this deal and with parts of it,
/// and checks them.
pub(super) fn check<G: Game>(rules: G::Rules, seed: u64, actions: &[ActionId]) -> Result<(), Violation> {
    let mut table = Table::<G>::new(rules, seed);
    let mut before = 0;
    let deal = loop {
        match (Narrate::describe_deal(table.session().round()), actions.get(before)) {
            (Some(deal), _) => break deal,
            (None, None) => return Ok(()),
            (None, Some(&action)) => Table::try_play(&mut table, action).map_err(wrong)?,
        }
        before += 1;
    };
    let chosen = match Table::<G>::of(rules, seed, &deal) {
        Ok(chosen) => chosen,
        Err(DealError::None { .. }) => return Ok(()),
        Err(error) => return Err(Violation::Chosen(format!("{error}, of {deal}"))),
    };
    let (was, is) = (table.session(), chosen.session());
    if was.round() != is.round() || was.standing() != is.standing() {
        return Err(Violation::Chosen(format!("dealt {deal}, the session starts with another round")));
    }
    match chosen.header(Audience::Referee, Vec::new()) {
        Line::Header(Header { deal: Some(shown), .. }) if shown == deal => {}
        other => return Err(Violation::Chosen(format!("the trace's header is {}", other.json()))),
    }
    if before > 0 {
        // This session starts after the first `before` actions, so its event logs differ from the original ones.
        event_logs::follow(chosen, &actions[before..])?;
    }
    (0..PARTS).try_for_each(|number| part::<G>(rules, derived(seed, &[number]), &deal))
}

/// Starts a session with a random part of a deal. The game may refuse the part. If it accepts, the complete deal of
/// the resulting round must be valid as a chosen deal.
fn part<G: Game>(rules: G::Rules, seed: u64, deal: &Value) -> Result<(), Violation> {
    let mut draw = Draw::new(seed, 0);
    let part = without_some(deal, &mut draw);
    let table = match Table::<G>::of(rules, seed, &part) {
        Ok(table) => table,
        Err(error) if error.to_string().is_empty() => return Err(wrong("a deal is refused without a word")),
        Err(_) => return Ok(()),
    };
    let round = table.session().round();
    let about = |problem: String| Violation::Chosen(format!("{problem}, chosen by {part}"));
    round.audit().map_err(about)?;
    for seat in round.present().iter() {
        let view = round.view(crate::base::Seat(seat));
        G::check_view(view).map_err(|error| about(error.to_string()))?;
    }
    let whole = Narrate::describe_deal(round).unwrap_or_default();
    let again = Table::<G>::of(rules, seed, &whole).map_err(|error| about(format!("{error}, of {whole}")))?;
    if again.session() != table.session() {
        return Err(about(format!("dealt {whole}, the session starts with another round")));
    }
    Ok(())
}

/// Returns a deal without some random fields and hands.
fn without_some(deal: &Value, draw: &mut Draw) -> Value {
    let mut part: Map<String, Value> = deal.as_object().cloned().unwrap_or_default();
    part.retain(|field, _| draw.below(if field == "hands" { 4 } else { 2 }) > 0);
    if let Some(hands) = part.get_mut("hands").and_then(Value::as_array_mut) {
        hands.iter_mut().filter(|_| draw.below(2) > 0).for_each(|hand| *hand = Value::Null);
    }
    part.into()
}

fn wrong(problem: impl ToString) -> Violation {
    Violation::Chosen(problem.to_string())
}

//! Event logs: those of tables and situations, what observers make of them, and damaged ones.

use serde_json::{Value, json};

use super::situation::{Placed, Situation};
use super::views::{Changes, mutate};
use crate::base::blocks::width;
use crate::base::rng::Draw;
use crate::base::rules::Rules;
use crate::base::{ActionId, Seat};
use crate::game::{EventLog, Game, Label, Turn};
use crate::runtime::log::{Audience, Line, beginning, begun, moved};
use crate::runtime::observer::{ObserveError, Observer};
use crate::runtime::seat_view::SeatView;
use crate::runtime::table::{AnyTable, Table};

/// Returns the trace or event log of a session so far, the header first.
pub fn event_log<G: Game>(table: &Table<G>, to: Audience) -> Vec<Value> {
    let lines = (0..=table.steps()).flat_map(|step| table.lines(step, to));
    [table.header(to, Vec::new())].into_iter().chain(lines).map(|line| line.json()).collect()
}

impl<G: Placed + EventLog> Situation<G> {
    /// The event log for `to` if the first round of a session by `rules` starts like this. It continues with these
    /// moves, by labels separated by commas.
    ///
    /// # Panics
    /// The round is over before the last move, or as [`Situation::play`].
    #[track_caller]
    pub fn log(&self, rules: &G::Rules, labels: &str, to: Audience) -> Vec<Value> {
        let mut now = *self;
        let mut lines = vec![beginning::<G>(rules, to, Vec::new())];
        lines.extend(begun(&now.0, 1, to));
        for label in labels.split(", ").filter(|label| !label.is_empty()) {
            let Turn::Decide(seat) = now.0.turn() else { panic!("the round is over before {label}") };
            let (before, action) = (now.0, now.action(label));
            now.play(label);
            lines.extend(moved([&before, &now.0], seat, action, 1, to));
        }
        lines.iter().map(Line::json).collect()
    }
}

/// Returns an observer that has followed an event log.
///
/// # Errors
/// The first line that it refuses.
pub fn observed<G: Game>(log: &[Value]) -> Result<Observer<G>, ObserveError> {
    let mut observer = Observer::new(&log[0])?;
    log[1..].iter().try_for_each(|line| observer.hear(line))?;
    observer.follow()?;
    Ok(observer)
}

/// Completes the move of the last lines, as [`Observer::view`] does. Returns the imagined round; `None` between rounds.
///
/// # Errors
/// The rules do not allow what the lines say.
pub fn imagined<G: Game>(observer: &mut Observer<G>) -> Result<Option<G>, ObserveError> {
    observer.follow()?;
    Ok(observer.round().copied())
}

/// Asserts that an observer refuses or follows 1,000 damaged event logs, and follows undamaged ones.
///
/// # Panics
/// It refuses an undamaged log, or less than half of the damaged ones. Or a damaged log makes it panic.
pub fn damaged_logs_are_refused_or_followed<G: Game>(changes: &Changes) {
    let mut draw = Draw::new(16, 0);
    let mut refused = 0;
    for seed in 0..50 {
        let log = random_log::<G>(seed, &mut draw);
        follow::<G>(&log, &mut draw).unwrap_or_else(|error| panic!("{error}: {}", log[0]));
        for _ in 0..20 {
            let mut damaged = log.clone();
            (0..=draw.below(2)).for_each(|_| damage::<G>(&mut damaged, changes, &mut draw));
            refused += u32::from(follow::<G>(&damaged, &mut draw).is_err());
        }
    }
    assert!((500..1_000).contains(&refused), "{refused} of 1000 damaged event logs refused");
}

/// Returns the event log of a seat in a session by random rules, up to 150 moves. Half of them are scripted.
fn random_log<G: Game>(seed: u64, draw: &mut Draw) -> Vec<Value> {
    let rules = G::Rules::random(draw);
    let mut table = Table::<G>::new(rules, seed);
    for _ in 0..150 {
        let Some(scripted) = table.asked().map(SeatView::scripted) else {
            if table.deal_next() { continue } else { break }
        };
        let action = if draw.below(2) == 0 { scripted } else { draw.pick(&table.legal()) };
        table.try_play(action).expect("a legal action");
    }
    event_log(&table, Audience::Seat(Seat(draw.below(rules.seats().into()) as u8)))
}

/// Passes an event log to an observer, also after a refused line. Returns the first error.
fn follow<G: Game>(log: &[Value], draw: &mut Draw) -> Result<(), ObserveError> {
    let mut observer = Observer::<G>::new(&log[0])?;
    let mut errors = Vec::new();
    for line in &log[1..] {
        errors.extend(observer.hear(line).err());
        if line["line"] == "turn" || !errors.is_empty() && draw.below(4) == 0 {
            errors.extend(observer.view().err());
        }
        if !errors.is_empty() && draw.below(16) == 0 {
            errors.extend(observer.decide().err());
        }
        // After a refused line, an observer refuses nearly all of those that follow.
        if errors.len() > 20 {
            break;
        }
    }
    errors.into_iter().next().map_or(Ok(()), Err)
}

fn damage<G: Game>(log: &mut Vec<Value>, changes: &Changes, draw: &mut Draw) {
    let [at, other] = [(); 2].map(|()| draw.below(log.len() as u32) as usize);
    let from = log[other].clone();
    let names: Vec<String> = from.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect();
    let name = &names[draw.below(names.len() as u32) as usize];
    match draw.below(8) {
        0 => drop(log.remove(at)),
        1 => log.swap(at, other),
        2 => log.insert(at, from),
        3 => {
            let action = ActionId(draw.below(width(G::ACTIONS) as u32) as u16);
            log[at]["choice"] = json!(Label::<G>::of(action).to_string());
        }
        kind @ 4..6 => {
            let junk =
                [json!(null), json!(-1), json!(1e300), json!({}), json!([0, 0]), json!("7 ".repeat(600))];
            let value = if kind == 4 { from[name].clone() } else { junk[draw.below(6) as usize].clone() };
            log[at][name] = value;
        }
        6 => drop(log[at].as_object_mut().map(|fields| fields.remove(name))),
        _ => mutate(changes, &mut log[at], &from, draw),
    }
}

//! A session looked back at, as it is told: what decisions cost, and why, in words.

use std::cmp::Ordering;

use cardsharp_bot::beliefs::{Beliefs, beliefs};
use cardsharp_bot::bots::search::{Aimed, Compared, Difference, Rival};
use cardsharp_bot::review::{Decision, Estimate, Parts, RoundParts};
use cardsharp_env::{Seat, trace as traces};
use serde::Serialize;

use crate::tables::plain;

/// Mistakes that are told of in words.
const DEAREST: usize = 3;
/// Rivals that are told of.
const RIVALS: usize = 2;

/// A review; what `--json` prints.
#[derive(Serialize)]
pub(crate) struct Told {
    pub(crate) game: String,
    pub(crate) seat: Seat,
    pub(crate) judge: String,
    /// Fresh deals for each comparison.
    #[serde(skip)]
    pub(crate) deals: u32,
    /// Times that a round was played from its deal.
    #[serde(skip)]
    pub(crate) playouts: u32,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) rounds: Vec<RoundParts>,
}

impl Told {
    /// The decisions in which the judge would have done something else.
    pub(crate) fn others(&self) -> impl Iterator<Item = (&Decision, &Compared)> + Clone {
        self.decisions.iter().filter_map(|decision| Some((decision, decision.compared.as_ref()?)))
    }

    /// Those that can be told apart from it.
    pub(crate) fn clear(&self) -> impl Iterator<Item = (&Decision, &Compared)> + Clone {
        self.others().filter(|(_, compared)| measure(compared).is_clear())
    }

    /// Those that surely cost something, the dearest first: three at the most.
    pub(crate) fn dearest(&self) -> Vec<(&Decision, &Compared)> {
        let mut dearest: Vec<_> = self.clear().filter(|(_, compared)| lost(compared) > 0.0).collect();
        dearest.sort_by(dearer);
        dearest.truncate(DEAREST);
        dearest
    }

    /// How many decisions there were, and how many of them can be told apart.
    pub(crate) fn counted(&self) -> String {
        format!(
            "{} decisions with a choice. The judge differs in {}, of which {} are clearly different (95 %, {} sampled deals each).",
            self.decisions.len(),
            self.others().count(),
            self.clear().count(),
            self.deals
        )
    }

    /// What they cost in all.
    pub(crate) fn cost(&self) -> String {
        let (places, points) = (self.total(|round| &round.place), self.total(|round| &round.points));
        format!("Total cost: {} places and {} points.", interval(places, 1.0), interval(points, -1.0))
    }

    fn total(&self, of: fn(&RoundParts) -> &Parts) -> Estimate {
        let added = self.rounds.iter().map(|round| of(round).decisions);
        let (mean, squares) = added
            .fold((0.0, 0.0), |(mean, squares), Estimate { mean: more, error, .. }| {
                (mean + more, squares + error * error)
            });
        Estimate::new(mean, f64::sqrt(squares))
    }

    /// What the parts of a round are.
    pub(crate) fn parts(&self) -> String {
        format!(
            "Place = deal + decisions + other. Deal: the expected place with the judge in all seats ({} playouts). Decisions: what \
             the reviewed decisions cost. Other: the other seats' play and later chance events.",
            self.playouts
        )
    }
}

/// Replaces the table of luck and skill in the review of a session without a result.
pub(crate) const UNFINISHED: &str =
    "No round was finished, so there is no result to split into luck and skill.";

/// The order of what decisions cost, the dearest first.
pub(crate) fn dearer((_, a): &(&Decision, &Compared), (_, b): &(&Decision, &Compared)) -> Ordering {
    lost(b).total_cmp(&lost(a))
}

/// What was played, and what would have been better.
pub(crate) fn heading(decision: &Decision) -> String {
    let Decision { round, phase, played, better, .. } = decision;
    format!("Round {round}, {phase}: {played} was played; better: {better}.")
}

/// What a decision cost.
pub(crate) fn price(decision: &Decision, compared: &Compared) -> String {
    let sure = if decision.certain.is_some() { " All hidden cards were known." } else { "" };
    format!(
        "Cost: {} places and {} points. Rounds won: {} after this move, {} after the better one.{sure}",
        of(&compared.place, 1.0),
        of(&compared.points, -1.0),
        percent(compared.first[0]),
        percent(compared.first[1]),
    )
}

/// Why the other move is better, in sentences: what each keeps in the hand, and what came of what such moves are played for.
pub(crate) fn reasons(decision: &Decision, compared: &Compared) -> Vec<String> {
    let (played, better) = (&decision.played, &decision.better);
    let mut reasons = Vec::new();
    let [by_played, by_better] = &compared.left;
    match [(better, kept(by_better, by_played)), (played, kept(by_played, by_better))] {
        [(_, one), (_, other)] if one.is_empty() && other.is_empty() => {}
        [(name, cards), (_, none)] | [(_, none), (name, cards)] if none.is_empty() => {
            reasons.push(format!("{name} keeps {cards}."));
        }
        [(one, cards), (other, others)] => {
            reasons.push(format!("{one} keeps {cards}, {other} keeps {others}."));
        }
    }
    let [of_played, of_better] = &compared.aim;
    match (of_better, of_played) {
        (Some(one), Some(other)) => reasons.push(format!(
            "{} in {} of the deals after {better}, in {} after {played}.",
            capital(one.purpose),
            percent(one.reached),
            percent(other.reached)
        )),
        (Some(aimed), None) => reasons.push(reached(aimed, better)),
        (None, Some(aimed)) => reasons.push(reached(aimed, played)),
        (None, None) => {}
    }
    reasons.extend(of_played.as_ref().and_then(|aimed| rivals(aimed, played)));
    reasons.extend(of_better.as_ref().and_then(|aimed| rivals(aimed, better)));
    reasons
}

fn reached(aimed: &Aimed, name: &str) -> String {
    format!("{} in {} of the deals after {name}.", capital(aimed.purpose), percent(aimed.reached))
}

/// Who could have prevented what a move was played for, how often, and with what that was still out.
fn rivals(aimed: &Aimed, name: &str) -> Option<String> {
    let told = aimed.rivals.iter().take(RIVALS).map(|Rival { seat, could, did }| {
        format!(
            "seat {} can answer in {} of the deals and does in {}",
            seat.0,
            percent(*could),
            percent(*did)
        )
    });
    let told: Vec<String> = told.collect();
    let with: Vec<String> =
        aimed.by.iter().map(|answer| format!("{} ({})", answer.choice, percent(answer.share))).collect();
    (!told.is_empty()).then(|| format!("After {name}, {}; with {}.", told.join(", "), with.join(", ")))
}

/// The cards of one hand that are not in another, in card notation.
fn kept(one: &str, other: &str) -> String {
    let mut others: Vec<&str> = other.split_whitespace().collect();
    let more = one.split_whitespace().filter(|card| match others.iter().position(|other| other == card) {
        Some(at) => {
            others.swap_remove(at);
            false
        }
        None => true,
    });
    more.collect::<Vec<_>>().join(" ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// What moves are ranked by: points, or places where the game is played without points.
pub(crate) fn measure(compared: &Compared) -> &Difference {
    if by_points(compared) { &compared.points } else { &compared.place }
}

/// Whether moves are ranked by points.
pub(crate) fn by_points(compared: &Compared) -> bool {
    compared.points.error > 0.0 || compared.points.mean != 0.0
}

/// What a decision cost in what moves are ranked by.
fn lost(compared: &Compared) -> f64 {
    if by_points(compared) { -compared.points.mean } else { compared.place.mean }
}

/// A cost with its interval; `worse` is the sign of what is lost.
fn of(difference: &Difference, worse: f64) -> String {
    interval(Estimate::new(difference.mean, difference.error), worse)
}

fn interval(estimate: Estimate, worse: f64) -> String {
    let [one, other] = [worse * estimate.low, worse * estimate.high];
    let [mean, low, high] =
        [worse * estimate.mean, one.min(other), one.max(other)].map(|figure| plain(figure, 2));
    format!("{mean} ({low} … {high})")
}

/// A position of a session, as the seat saw it before a step.
pub(crate) struct Position {
    /// Its view, for a person.
    pub(crate) picture: String,
    /// What it could believe of the others' cards; none in a game that does not tell hands.
    pub(crate) beliefs: Option<Beliefs>,
}

impl Position {
    /// The position before a step; beliefs are counted over `deals`.
    pub(crate) fn before(trace: &str, step: usize, seat: Seat, deals: u32) -> Option<Self> {
        let mut table = traces::replay(trace).ok()?;
        while table.steps() >= step {
            table.undo()?;
        }
        let view = table.view(seat)?;
        let beliefs = if deals > 0 { beliefs(view, deals, 0, None) } else { None };
        Some(Self { picture: view.picture().trim_end().to_owned(), beliefs })
    }
}

#[cfg(test)]
mod tests {
    use super::{Estimate, interval};

    #[test]
    fn what_costs_nothing_has_no_sign() {
        assert_eq!(interval(Estimate::new(0.0, 0.0), -1.0), "0.00 (0.00 … 0.00)");
        assert_eq!(interval(Estimate::new(0.001, 1.0), -1.0), "0.00 (-1.96 … 1.96)");
    }
}

//! A review of a session in words: the cost of decisions, and the reasons.

use std::cmp::Ordering;

use cardsharp_bot::beliefs::{Beliefs, beliefs};
use cardsharp_bot::bots::search::{Compared, Difference};
use cardsharp_bot::review::{Estimate, Parts, ReviewedDecision, RoundParts};
use cardsharp_env::{Seat, trace as traces};
use cardsharp_text::format::plain;
use serde::Serialize;

/// Maximum number of mistakes that are explained.
const DEAREST: usize = 3;

/// A review, which is also the output of `--json`.
#[derive(Serialize)]
pub struct ReviewedSession {
    /// The name of the game.
    pub game: String,
    pub seat: Seat,
    /// The name of the search that judges.
    pub judge: String,
    /// Sampled deals for each comparison.
    #[serde(skip)]
    pub deals: u32,
    /// Playouts of each round from its deal.
    #[serde(skip)]
    pub playouts: u32,
    /// The decisions with a choice, in the order of play.
    pub decisions: Vec<ReviewedDecision>,
    pub rounds: Vec<RoundParts>,
}

impl ReviewedSession {
    /// Returns the decisions where the judge picks another move.
    pub fn others(&self) -> impl Iterator<Item = (&ReviewedDecision, &Compared)> + Clone {
        self.decisions.iter().filter_map(|decision| Some((decision, decision.compared.as_ref()?)))
    }

    /// Returns the decisions that clearly differ from the judge's move.
    pub fn clear(&self) -> impl Iterator<Item = (&ReviewedDecision, &Compared)> + Clone {
        self.others().filter(|(_, compared)| measure(compared).is_clear())
    }

    /// Returns the decisions with a clear cost, the most expensive first, at most three.
    pub fn dearest(&self) -> Vec<(&ReviewedDecision, &Compared)> {
        let mut dearest: Vec<_> = self.clear().filter(|(_, compared)| lost(compared) > 0.0).collect();
        dearest.sort_by(dearer);
        dearest.truncate(DEAREST);
        dearest
    }

    /// Says how many decisions there were, and how many clearly differ.
    pub fn counted(&self) -> String {
        let decisions = match self.decisions.len() {
            0 => return "no decision with a choice.".to_owned(),
            1 => "1 decision".to_owned(),
            count => format!("{count} decisions"),
        };
        format!(
            "{decisions} with a choice. The judge prefers another move in {}; in {} of them one move is clearly better \
             (95 %, {} sampled deals each).",
            self.others().count(),
            self.clear().count(),
            self.deals
        )
    }

    /// Returns the total cost.
    pub fn cost(&self) -> String {
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

    /// Explains the parts of a round's result.
    pub fn parts(&self) -> String {
        format!(
            "Place = deal + decisions + other. Deal: the expected place with the judge in all seats ({} playouts). Decisions: what \
             the reviewed decisions cost. Other: the other seats' play and later chance events.",
            self.playouts
        )
    }
}

/// Replaces the table of luck and skill in the review of a session without a result.
pub const UNFINISHED: &str = "No round was finished, so there is no result to split into luck and skill.";

/// Orders decisions by their cost, the most expensive first.
pub fn dearer((_, a): &(&ReviewedDecision, &Compared), (_, b): &(&ReviewedDecision, &Compared)) -> Ordering {
    lost(b).total_cmp(&lost(a))
}

/// Returns a heading with the played move and the better one.
pub fn heading(decision: &ReviewedDecision) -> String {
    let ReviewedDecision { round, phase, played, better, .. } = decision;
    format!("Round {round}, {phase}: {played} was played; better: {better}.")
}

/// Returns the cost of a decision.
pub fn price(decision: &ReviewedDecision, compared: &Compared) -> String {
    let sure = if decision.certain.is_some() { " All hidden cards were known." } else { "" };
    format!("Cost: {} places and {} points.{sure}", of(&compared.place, 1.0), of(&compared.points, -1.0))
}

/// Returns the reasons for the difference, in sentences.
pub fn reasons(decision: &ReviewedDecision, compared: &Compared) -> Vec<String> {
    let moves = [decision.played.as_str(), decision.better.as_str()];
    compared.reasons.iter().map(|reason| reason.sentence(moves)).collect()
}

/// Returns the difference that ranks moves: points, or places in games without points.
pub fn measure(compared: &Compared) -> &Difference {
    if by_points(compared) { &compared.points } else { &compared.place }
}

/// Whether moves are ranked by points.
pub fn by_points(compared: &Compared) -> bool {
    compared.points.error > 0.0 || compared.points.mean != 0.0
}

/// Returns the cost of a decision in the unit that ranks moves.
fn lost(compared: &Compared) -> f64 {
    if by_points(compared) { -compared.points.mean } else { compared.place.mean }
}

/// Formats a cost with its interval; `worse` is the sign of a loss.
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
pub struct SeenPosition {
    /// The view as text.
    pub picture: String,
    /// Beliefs about the other seats' cards; `None` in games without hidden hands.
    pub beliefs: Option<Beliefs>,
}

impl SeenPosition {
    /// Returns the position before a step. Beliefs are estimated from `deals` deals.
    pub fn before(trace: &str, step: usize, seat: Seat, deals: u32) -> Option<Self> {
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
    fn a_cost_of_zero_has_no_sign() {
        assert_eq!(interval(Estimate::new(0.0, 0.0), -1.0), "0.00 (0.00 … 0.00)");
        assert_eq!(interval(Estimate::new(0.001, 1.0), -1.0), "0.00 (-1.96 … 1.96)");
    }
}

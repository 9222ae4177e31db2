//! The lines of a trace.

use cardsharp_env::{Payoff, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::shown::{is_hidden, quoted};

/// The version of the trace format: raised when a line changes its meaning.
pub(crate) const FORMAT: u32 = 1;

/// The first line: everything that the session follows from, besides the choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    /// The version of the format: [`FORMAT`].
    pub(crate) format: u32,
    /// The game's name.
    pub(crate) game: String,
    /// Number of seats in the session.
    pub(crate) players: usize,
    /// Every option of the game.
    pub(crate) rules: Value,
    /// The seed of seating, deals and chance.
    pub(crate) seed: u64,
    /// Who played, per seat.
    pub(crate) bots: Vec<String>,
}

/// Characters in the name of a bot, at most: as many as in a path.
const MOST_OF_NAME: usize = 4096;

/// What is wrong with the names of the bots in a header, for this many seats.
pub(crate) fn problem_of_bots(bots: &[String], seats: usize) -> Option<String> {
    if bots.len() != seats {
        let given = bots.len();
        return Some(format!("`bots` has {given} names, expected {seats}, one for each seat"));
    }
    let problem = |(seat, name): (usize, &String)| {
        let (length, name) = (name.chars().count(), quoted(name));
        let problem = match length {
            0 => "is empty".to_owned(),
            length if length > MOST_OF_NAME => format!("has {length} characters"),
            _ if bots[seat].contains(is_hidden) => format!("is `{name}`, which cannot be shown as it is"),
            _ => return None,
        };
        let expected = format!("expected a name or path of 1 to {MOST_OF_NAME} characters that can be shown");
        Some(format!("`bots[{seat}]` {problem}, {expected}"))
    };
    bots.iter().enumerate().find_map(problem)
}

/// One line of a trace.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "line", rename_all = "snake_case")]
pub(crate) enum Line {
    /// How the session came about.
    Header(Header),
    /// A round begins: everything dealt, as the game describes it.
    Deal {
        /// The number of the round, from 1.
        round: u32,
        /// The game's own fields.
        #[serde(flatten)]
        #[schemars(skip)]
        deal: Value,
    },
    /// Chance after the deal, or cards that moved between players.
    Event {
        /// The number of the round.
        round: u32,
        /// The game's own fields, `event` among them.
        #[serde(flatten)]
        #[schemars(skip)]
        event: Value,
    },
    /// A seat chose.
    Decision {
        /// The number of the round.
        round: u32,
        /// Who chose.
        seat: Seat,
        /// The phase of the round.
        phase: String,
        /// Every legal move.
        legal: Vec<String>,
        /// The chosen one.
        choice: String,
    },
    /// A round ended; one entry per seat.
    Payoff {
        /// The number of the round.
        round: u32,
        /// Finishing places, 1 is best.
        place: Vec<u8>,
        /// Points of the game's own scoring.
        points: Vec<i32>,
        /// What a learner maximises.
        reward: Vec<f32>,
    },
}

impl Line {
    /// The payoff line of a finished round.
    pub(crate) fn payoff(round: u32, payoff: &Payoff) -> Self {
        let seats = usize::from(payoff.seats);
        Self::Payoff {
            round,
            place: payoff.place[..seats].to_vec(),
            points: payoff.points[..seats].to_vec(),
            reward: payoff.reward[..seats].to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::problem_of_bots;

    #[test]
    fn every_seat_has_a_bot_whose_name_can_be_shown() {
        let problem = |names: &[&str], seats| {
            let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            problem_of_bots(&names, seats)
        };
        assert_eq!(problem(&["scripted", "search:200+checkpoints/dalmuti/bot", "Übung 1"], 3), None);
        let few = problem(&["scripted"], 5).expect("a problem");
        assert_eq!(few, "`bots` has 1 names, expected 5, one for each seat");
        for (name, wrong) in [
            ("", "`bots[1]` is empty, expected a name or path of 1 to 4096 characters"),
            ("a\x1b]0;b\x07", "`bots[1]` is `a\\u{1b}]0;b\\u{7}`, which cannot be shown as it is"),
            (&"x".repeat(5000), "`bots[1]` has 5000 characters, expected"),
        ] {
            let found = problem(&["scripted", name], 2).expect("a problem");
            assert!(found.starts_with(wrong), "{found}");
        }
    }
}

//! Recorded games of a contest, for people to look at.

use cardsharp_env::log::Line;
use cardsharp_env::{ActionId, AnyTable, Audience, mask};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contest::Contest;

/// A recorded session of a contest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordedSession {
    /// Number of the deal, from 0.
    pub deal: u64,
    /// Number of seats by which all bots had moved on in this session, from 0.
    pub turn: usize,
    /// Name of the bot in each seat. If a program failed, the name includes its number of random moves.
    pub bots: Vec<String>,
    /// Mean finishing place of each seat over its rounds; 0 for a seat that never played.
    pub places: Vec<f64>,
    /// Points of each seat, summed over all rounds.
    pub points: Vec<i64>,
    /// The session as a trace: JSON lines in the format of `docs/trace.md`.
    pub trace: String,
}

/// The moves of one session, without forced moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Picks {
    pub(super) deal: u64,
    pub(super) turn: usize,
    pub(super) picks: Vec<ActionId>,
    /// How many moves of each seat were drawn at random because a program failed, `[players]`.
    pub(super) random: Vec<u64>,
}

impl Contest {
    /// Returns the contest with a report that also records the games of its first `deals` deals, each from every seat.
    pub fn keeping_games(self, deals: u64) -> Self {
        Self { kept: deals, ..self }
    }

    /// Returns the session with these moves.
    pub(super) fn game(&self, Picks { deal, turn, picks, random }: &Picks) -> RecordedSession {
        let mut table = self.rules.table(self.deal_seed(*deal));
        let seats = 0..self.players;
        // The trace gives the name of the bot, and says how many of its moves were random.
        let name = |seat| {
            let name = self.bots[self.seated(*deal, *turn, seat)].name();
            match random.get(seat).copied().unwrap_or_default() {
                0 => name.to_owned(),
                1 => format!("{name} (1 move at random)"),
                moves => format!("{name} ({moves} moves at random)"),
            }
        };
        let bots: Vec<String> = seats.clone().map(name).collect();
        let (mut rounds, mut places, mut points) =
            (vec![0; self.players], vec![0; self.players], vec![0; self.players]);
        let mut trace = String::new();
        write(&mut trace, &table.header(Audience::Referee, bots.clone()));
        tell(&mut trace, table.as_ref());
        let mut picks = picks.iter();
        loop {
            while let Some(view) = table.asked() {
                let action = mask::single(&view.legal_words()).or_else(|| picks.next().copied());
                // The session is the same as in the contest, so every recorded move is legal here.
                if action.is_none_or(|action| table.try_play(action).is_err()) {
                    break;
                }
                tell(&mut trace, table.as_ref());
            }
            if let Some(payoff) = table.payoff() {
                for seat in seats.clone().filter(|&seat| payoff.place[seat] != 0) {
                    rounds[seat] += 1;
                    places[seat] += u32::from(payoff.place[seat]);
                    points[seat] += i64::from(payoff.points[seat]);
                }
            }
            if !table.deal_next() {
                break;
            }
            tell(&mut trace, table.as_ref());
        }
        let places = places
            .into_iter()
            .zip(rounds)
            .map(|(sum, rounds): (u32, u32)| f64::from(sum) / f64::from(rounds.max(1)));
        RecordedSession { deal: *deal, turn: *turn, bots, places: places.collect(), points, trace }
    }
}

/// Appends the lines of the last step to the trace.
fn tell(trace: &mut String, table: &dyn AnyTable) {
    for line in table.lines(table.steps(), Audience::Referee) {
        write(trace, &line);
    }
}

fn write(trace: &mut String, line: &Line) {
    // Serializing plain data cannot fail.
    trace.push_str(&serde_json::to_string(line).unwrap_or_default());
    trace.push('\n');
}

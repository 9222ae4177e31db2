//! Counts over many deals whether a move reached its aim (for example, that no player tops the set), and which seats
//! could prevent it.

use std::collections::BTreeMap;

use cardsharp_env::game::MovePurpose;
use cardsharp_env::{ActionId, Aim, MAX_SEATS, Playout, Seat, SeatView};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::player::PlayoutPlayer;

/// The most answers that a result lists.
const TOLD: usize = 3;

/// How often a move reached its aim.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Aimed {
    /// The name of the aim ([`Narrate::purpose`](cardsharp_env::Narrate::purpose)).
    pub name: &'static str,
    /// The aim in words, as a statement that is true once it is reached: "no player tops it", "the trick goes your
    /// way".
    pub purpose: &'static str,
    /// The share of the deals in which the move reached its aim.
    pub reached: f64,
    /// The seats that could have prevented it, most often first.
    pub rivals: Vec<Rival>,
    /// The moves that prevent it, most often first, at most three.
    pub by: Vec<CounterMove>,
}

/// A seat that could prevent the aim of a move.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Rival {
    /// The seat of the other player.
    pub seat: Seat,
    /// The share of the deals in which it had such a move at its turn.
    pub could: f64,
    /// The share of the deals in which it played one.
    pub did: f64,
}

/// A move that prevents the aim of another move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CounterMove {
    /// The label of the move.
    pub choice: String,
    /// The share of the deals in which another seat could make it.
    pub share: f64,
}

/// Counts over some of the deals.
#[derive(Debug, Default)]
pub(super) struct AimTally {
    /// The aim of the move.
    purpose: Option<MovePurpose>,
    /// Deals in which the outcome became known, and those in which the aim was reached.
    known: u32,
    reached: u32,
    /// For each seat: the deals in which it could prevent the aim, and those in which it did.
    seats: [(u32, u32); MAX_SEATS],
    /// For each move: the deals in which another seat could prevent the aim with it.
    by: BTreeMap<u16, u32>,
}

impl AimTally {
    /// Adds the counts of other deals.
    pub(super) fn add(&mut self, other: Self) {
        self.purpose = self.purpose.or(other.purpose);
        self.known += other.known;
        self.reached += other.reached;
        for (seat, more) in self.seats.iter_mut().zip(other.seats) {
            *seat = (seat.0 + more.0, seat.1 + more.1);
        }
        for (action, more) in other.by {
            *self.by.entry(action).or_default() += more;
        }
    }

    /// Plays on until it is known whether the last move of `seat` reached its aim, and counts the result. Counts
    /// nothing for a move without an aim.
    pub(super) fn follow(&mut self, round: &mut dyn Playout, player: &mut PlayoutPlayer, seat: Seat) {
        let (mut could, mut did, mut by) = ([false; MAX_SEATS], [false; MAX_SEATS], Vec::new());
        let mut first = true;
        loop {
            match (round.aim(seat), round.turn()) {
                (Aim::Reached, _) => {
                    self.reached += 1;
                    break;
                }
                // A move that misses at once did not have this aim.
                (Aim::Missed, _) if first => return,
                (Aim::Missed, _) => break,
                (Aim::Nothing, _) | (Aim::Ahead | Aim::Behind, None) => return,
                (now, Some(turn)) => {
                    first = false;
                    let rival = now == Aim::Ahead && turn != seat;
                    if rival {
                        let answers = answers(round, player, seat);
                        could[turn.index()] |= !answers.is_empty();
                        by.extend(answers);
                    }
                    let action = player.choose(round);
                    round.play(action);
                    did[turn.index()] |= rival && is_prevented(round, seat);
                }
            }
        }
        self.purpose = round.purpose();
        self.known += 1;
        for (counted, (could, did)) in self.seats.iter_mut().zip(could.into_iter().zip(did)) {
            *counted = (counted.0 + u32::from(could), counted.1 + u32::from(did));
        }
        by.sort_unstable();
        by.dedup();
        for action in by {
            *self.by.entry(action).or_default() += 1;
        }
    }

    /// Returns the result, or `None` without any counts. Moves have the labels of the viewer.
    pub(super) fn found(&self, view: SeatView<'_>) -> Option<Aimed> {
        let share = |count: u32| f64::from(count) / f64::from(self.known);
        let seats = (0..).map(Seat).zip(self.seats).filter(|&(_, (could, did))| could + did > 0);
        let rival = |(seat, (could, did))| Rival { seat, could: share(could), did: share(did) };
        let mut rivals: Vec<Rival> = seats.map(rival).collect();
        rivals.sort_by(|a, b| b.could.total_cmp(&a.could));
        let mut by: Vec<(u16, u32)> = self.by.iter().map(|(&action, &count)| (action, count)).collect();
        by.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let answer =
            |(action, count)| CounterMove { choice: view.label(ActionId(action)), share: share(count) };
        let by = by.into_iter().take(TOLD).map(answer).collect();
        let MovePurpose { name, statement } = self.purpose?;
        Some(Aimed { name, purpose: statement, reached: share(self.reached), rivals, by })
    }
}

/// Returns the moves with which the seat to move can prevent the aim of the last move of `seat`.
fn answers(round: &mut dyn Playout, player: &mut PlayoutPlayer, seat: Seat) -> Vec<u16> {
    let moves: Vec<ActionId> = cardsharp_env::mask::actions(player.legal(round)).collect();
    let prevents = |&action: &ActionId| {
        round.step(action);
        let prevented = is_prevented(round, seat);
        round.back();
        prevented
    };
    moves.into_iter().filter(prevents).map(|action| action.0).collect()
}

fn is_prevented(round: &dyn Playout, seat: Seat) -> bool {
    matches!(round.aim(seat), Aim::Behind | Aim::Missed)
}

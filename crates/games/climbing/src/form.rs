//! JSON forms of the trick and of the table's memory, as views contain them.

use cardsharp_engine::Listed;
use cardsharp_engine::MAX_SEATS;
use cardsharp_engine::hands::{Positions, RankCounts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cards::{CardNames, CardsText, RankText};
use super::trick::{Memory, REMEMBERED_SIZES, Trick};

/// A set of cards of one rank.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(bound = "", deny_unknown_fields)]
#[schemars(rename = "Set", bound = "")]
pub struct SetForm<D: CardNames<N>, const N: usize> {
    /// The rank of the set. For wild cards alone: the rank that their player named, or else their own rank.
    rank: RankText<D, N>,
    /// Number of cards in the set, wild cards included.
    size: u8,
    /// Number of wild cards in the set.
    wilds: u8,
}

/// The state of play. All players are numbered by position, not by seat. Position 0 is the highest and leads first;
/// positions ascend clockwise.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(bound = "", deny_unknown_fields)]
#[schemars(rename = "Trick", bound = "")]
pub struct TrickForm<D: CardNames<N>, const N: usize> {
    /// The position whose turn it is; once the round is over, the position that still holds cards.
    turn: u8,
    /// The set to beat; null when the table is empty.
    set: Option<SetForm<D, N>>,
    /// The position that played the set to beat. If the table is empty: the position that took the last trick, or 0
    /// before the first trick.
    last: u8,
    /// The positions that still hold cards.
    still_in: Positions,
    /// The positions that have passed since the last play; with `pass_is_final`, those that have passed in this
    /// trick.
    passed: Positions,
    /// The position that lost the turn because the set to beat equals the one before it; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skipped: Option<u8>,
    /// The positions that have gone out, in order.
    out: Vec<u8>,
}

impl<D: CardNames<N>, const N: usize> Listed<Trick> for TrickForm<D, N> {
    fn of(trick: &Trick, _: u8) -> Self {
        let rank = RankText::from((N - 1) as u8 - trick.strength);
        Self {
            turn: trick.turn,
            set: (trick.size != 0).then_some(SetForm { rank, size: trick.size, wilds: trick.wilds }),
            last: trick.last,
            still_in: trick.still_in,
            passed: trick.passed,
            skipped: trick.skipped.iter().next(),
            out: trick.out[..usize::from(trick.out_count)].to_vec(),
        }
    }

    fn read(self, players: u8, name: &str) -> Result<Trick, String> {
        let Self { turn, set, last, still_in, passed, skipped, out: gone } = self;
        if gone.len() >= usize::from(players).min(MAX_SEATS) {
            return Err(format!("`{name}.out` has {} of {players} players: expected fewer", gone.len()));
        }
        if set.as_ref().is_some_and(|set| set.size == 0) {
            return Err(format!("`{name}.set` has no cards: expected null for an empty table"));
        }
        if let Some(skipped) = skipped.filter(|&skipped| skipped >= players) {
            return Err(format!("`{name}.skipped` is {skipped}: expected a position below {players}"));
        }
        let mut out = [0; MAX_SEATS];
        out[..gone.len()].copy_from_slice(&gone);
        let set = set.unwrap_or(SetForm { rank: RankText::from((N - 1) as u8), size: 0, wilds: 0 });
        let mut trick = Trick {
            players,
            turn,
            size: set.size,
            strength: (N - 1) as u8 - set.rank.0,
            wilds: set.wilds,
            last,
            still_in,
            passed,
            skipped: Positions(skipped.map_or(0, |position| 1 << position)),
            out_count: gone.len() as u8,
            out,
        };
        if trick.is_over() {
            // `out` ends with the last place: the player who still holds cards.
            trick.out[gone.len()] = still_in.iter().next().unwrap_or_default();
        }
        Ok(trick)
    }
}

/// The cards played and the passes of this round. Lists have one entry for each position.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(bound = "", deny_unknown_fields)]
#[schemars(rename = "Memory", bound = "")]
pub struct MemoryForm<D: CardNames<N>, const N: usize> {
    /// The cards that each position has played.
    played: Vec<CardsText<D, N>>,
    /// Number of cards that each position has played.
    total: Vec<u8>,
    /// All cards played, by all positions together.
    gone: CardsText<D, N>,
    /// For each position six entries, for sets of 1 to 6 cards: the weakest rank on which it has passed in this
    /// round. An entry is null if the position has not passed on such a set.
    passed_on: Vec<[Option<RankText<D, N>>; REMEMBERED_SIZES]>,
}

impl<D: CardNames<N>, const N: usize> Listed<Memory<N>> for MemoryForm<D, N> {
    fn of(memory: &Memory<N>, players: u8) -> Self {
        let rank = |noted: u8| (noted != 0).then(|| RankText::from(N as u8 - noted));
        let played: Vec<RankCounts<N>> = Listed::of(&memory.played, players);
        let passed_on: Vec<[u8; REMEMBERED_SIZES]> = Listed::of(&memory.passed_on, players);
        Self {
            played: played.into_iter().map(CardsText::from).collect(),
            total: Listed::of(&memory.total, players),
            gone: CardsText::from(memory.gone),
            passed_on: passed_on.into_iter().map(|sizes| sizes.map(rank)).collect(),
        }
    }

    fn read(self, players: u8, name: &str) -> Result<Memory<N>, String> {
        let noted = |rank: Option<RankText<D, N>>| rank.map_or(0, |rank| N as u8 - rank.0);
        let played: Vec<RankCounts<N>> = self.played.into_iter().map(|cards| cards.0).collect();
        let passed_on: Vec<_> = self.passed_on.into_iter().map(|sizes| sizes.map(noted)).collect();
        Ok(Memory {
            played: played.read(players, &format!("{name}.played"))?,
            total: self.total.read(players, &format!("{name}.total"))?,
            gone: self.gone.0,
            passed_on: passed_on.read(players, &format!("{name}.passed_on"))?,
        })
    }
}

//! Rollouts that worker processes play: the request to the workers, and their units as bytes (blocks).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::file::{FileError, Header};
use cardsharp_bot::workers::Stopped;
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, mask};
use safetensors::SafeTensorError;
use serde_json::json;

use super::{Decisions, NONE, RolloutStats, RolloutUnit};
use crate::columns::{ColumnError, Columns, Writer};
use crate::league::League;

/// A serialized network for workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializedNet {
    /// BLAKE3 of the bytes, in hexadecimal. A worker that has a network with this key does not need it again.
    pub key: String,
    /// The network, as an exported bot.
    pub bytes: Vec<u8>,
}

/// A request for the units of an iteration.
#[derive(Clone, Debug)]
pub struct RolloutRequest {
    /// Iterations that are complete.
    pub iteration: u64,
    /// The first iteration whose units can replace those of this one. Since then one kind of player has chosen the
    /// actions: the policy, or the scripted player for imitation. An implementation may deliver earlier units instead
    /// of waiting, but none from before `since`.
    pub since: u64,
    /// Number of units to deliver.
    pub units: usize,
    /// Checksum of the bots that the configuration names. [`Worker::play`](crate::train::Worker::play) compares it with
    /// the bots on its machine.
    pub bots: String,
    /// The current policy, then the snapshots, oldest first.
    pub nets: Vec<Arc<SerializedNet>>,
}

/// Passes a block to the learner. It fails if the block is invalid; then the learner takes no more.
pub type TakeBlock<'a> = dyn FnMut(&[u8]) -> Result<(), Stopped> + Send + 'a;

/// Plays units in other processes.
pub trait RemoteRollout: Sync {
    /// Passes the blocks of [`RolloutRequest::units`] units to `take`, in the order in which the learner uses them,
    /// each as soon as possible. [`Worker::play`](crate::train::Worker::play) makes blocks. If they are units 0, 1, 2,
    /// … of this request, the run is the same as in one process.
    ///
    /// # Errors
    /// `stop` was set, no worker is left, or `take` failed. In the first two cases the run writes a checkpoint and
    /// ends.
    fn play(
        &self,
        request: &RolloutRequest,
        take: &mut TakeBlock<'_>,
        stop: &AtomicBool,
    ) -> Result<(), Stopped>;
}

/// The networks of the last request, with their serialized form.
#[derive(Debug, Default)]
pub(crate) struct SerializedNets(Vec<(Arc<dyn PolicyNet>, Arc<SerializedNet>)>);

impl SerializedNets {
    /// Serializes a policy and its snapshots. Networks of the last request are not serialized again.
    pub(crate) fn serialize(
        &mut self,
        header: &Header,
        policy: &Arc<dyn PolicyNet>,
        league: &League,
    ) -> Result<Vec<Arc<SerializedNet>>, FileError> {
        // Without counters in the header, a policy that becomes a snapshot keeps its key and is not sent again.
        let header = Header { training: json!({}), ..header.clone() };
        let nets = std::iter::once(policy).chain(league.pool.iter().map(|snapshot| &snapshot.net));
        let serialized = |net: &Arc<dyn PolicyNet>| {
            if let Some((_, known)) = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, net)) {
                return Ok((Arc::clone(net), Arc::clone(known)));
            }
            let bytes = net.to_bytes(&header)?;
            let key = blake3::hash(&bytes).to_hex().to_string();
            Ok((Arc::clone(net), Arc::new(SerializedNet { key, bytes })))
        };
        self.0 = nets.map(serialized).collect::<Result<_, FileError>>()?;
        Ok(self.0.iter().map(|(_, serialized)| Arc::clone(serialized)).collect())
    }
}

/// The sizes of a decision.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Widths {
    /// Cells of an observation.
    pub cells: usize,
    /// 64-bit words of an action mask.
    pub words: usize,
    /// Hidden cells; 0 if decisions do not include them.
    pub hidden: usize,
    /// Actions of the game.
    pub actions: usize,
}

impl Widths {
    /// The sizes for a game; `reveal` includes the hidden cells.
    pub fn new(game: &dyn AnyGame, reveal: bool) -> Self {
        Self {
            cells: width(game.observation()),
            words: game.words(),
            hidden: if reveal { width(game.hidden()) } else { 0 },
            actions: width(game.actions()),
        }
    }
}

/// Why a block is not a unit of this run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum BlockError {
    /// It is not a block.
    #[error("it is damaged: {0}")]
    Damaged(#[from] SafeTensorError),
    /// It is of another game or network.
    #[error("it has {given}, expected {expected}")]
    Foreign {
        given: String,
        /// What the run needs.
        expected: String,
    },
}

impl From<ColumnError> for BlockError {
    fn from(refused: ColumnError) -> Self {
        match refused {
            ColumnError::File(error) => Self::Damaged(error),
            ColumnError::Foreign(given, expected) => Self::Foreign { given, expected },
        }
    }
}

/// Prefixes of the columns of the learner's decisions, and of those with distillation targets.
const DECISIONS: &str = "decisions";
const DISTILL: &str = "distill";

/// Serializes a unit; equal units give equal bytes. It reuses the memory of `spare` and ignores its content.
///
/// # Errors
/// The block would be too large.
pub fn to_bytes(unit: &RolloutUnit, widths: Widths, spare: &mut Vec<u8>) -> Result<Vec<u8>, SafeTensorError> {
    let RolloutStats { sessions, rounds, past, scripted, opponent, target_kl } = unit.played;
    let pairs = [past, scripted, opponent, target_kl];
    let counts: Vec<u64> = [sessions, rounds].into_iter().chain(pairs.map(|(_, count)| count)).collect();
    let sums = pairs.map(|(sum, _)| sum);
    let mut columns = Writer::new(std::mem::take(spare));
    columns.add("counts", &[counts.len()], &counts);
    columns.add("sums", &[sums.len()], &sums);
    write(&mut columns, DECISIONS, &unit.decisions, widths);
    write(&mut columns, DISTILL, &unit.distill.decisions, widths);
    columns.add("targets", &[unit.distill.len(), widths.actions], &unit.distill.probabilities);
    let file = columns.file();
    *spare = columns.into_memory();
    file
}

fn write(columns: &mut Writer, group: &str, of: &Decisions, Widths { cells, words, hidden, .. }: Widths) {
    let (len, name) = (of.len(), |column: &str| format!("{group}.{column}"));
    let actions: Vec<u16> = of.actions.iter().map(|action| action.0).collect();
    columns.add(name("actions"), &[len], &actions);
    columns.add(name("discounts"), &[len], &of.discounts);
    columns.add_sparse(&name("hidden"), hidden, &of.hidden);
    columns.add(name("legal"), &[len, words], &of.legal);
    columns.add(name("log_probability"), &[len], &of.log_probability);
    columns.add(name("next"), &[len], &of.next);
    columns.add(name("rewards"), &[len], &of.rewards);
    columns.add_sparse(&name("rows"), cells, &of.rows);
    columns.add(name("values"), &[len], &of.values);
}

impl RolloutUnit {
    /// Appends the unit in a block ([`to_bytes`]).
    ///
    /// # Errors
    /// The block is damaged, or of another game. Part of it may have been appended; do not use the unit.
    pub fn append_bytes(&mut self, bytes: &[u8], widths: Widths) -> Result<(), BlockError> {
        let columns = Columns::read(bytes)?;
        let counts: Vec<u64> = columns.get("counts", &[6])?;
        let sums: Vec<f64> = columns.get("sums", &[4])?;
        let pair = |number: usize| (sums[number], counts[2 + number]);
        self.played.add(&RolloutStats {
            sessions: counts[0],
            rounds: counts[1],
            past: pair(0),
            scripted: pair(1),
            opponent: pair(2),
            target_kl: pair(3),
        });
        append(&columns, DECISIONS, widths, &mut self.decisions)?;
        let targets = append(&columns, DISTILL, widths, &mut self.distill.decisions)?;
        columns.append("targets", &[targets, widths.actions], &mut self.distill.probabilities)?;
        Ok(())
    }
}

/// Appends decisions and returns their number.
fn append(
    columns: &Columns<'_>,
    group: &str,
    Widths { cells, words, hidden, actions }: Widths,
    to: &mut Decisions,
) -> Result<usize, BlockError> {
    let name = |column: &str| format!("{group}.{column}");
    let len = columns.len(&name("actions"))?;
    let played: Vec<u16> = columns.get(&name("actions"), &[len])?;
    let next: Vec<u32> = columns.get(&name("next"), &[len])?;
    if let Some(action) = played.iter().find(|&&action| usize::from(action) >= actions) {
        let (given, expected) = (format!("action {action}"), format!("actions below {actions}"));
        return Err(BlockError::Foreign { given, expected });
    }
    let follows = |(at, &next): (usize, &u32)| next == NONE || (at + 1..len).contains(&(next as usize));
    if let Some(at) = next.iter().enumerate().position(|link| !follows(link)) {
        let (given, expected) = (format!("decision {} after {at}", next[at]), "a later one".to_owned());
        return Err(BlockError::Foreign { given, expected });
    }
    to.append_links(&next);
    to.actions.extend(played.into_iter().map(ActionId));
    columns.append_sparse(&name("rows"), len, cells, &mut to.rows)?;
    columns.append(&name("legal"), &[len, words], &mut to.legal)?;
    let (masks, picks) = (to.legal.len() - len * words, to.actions.len() - len);
    for (legal, &action) in to.legal[masks..].chunks_exact(words).zip(&to.actions[picks..]) {
        let (given, expected) = match mask::actions(legal).find(|legal| usize::from(legal.0) >= actions) {
            Some(ActionId(beyond)) => (format!("legal action {beyond}"), format!("actions below {actions}")),
            None if mask::contains(legal, action) => continue,
            None => (format!("action {}, which was not legal", action.0), "a legal one".to_owned()),
        };
        return Err(BlockError::Foreign { given, expected });
    }
    columns.append_sparse(&name("hidden"), if hidden == 0 { 0 } else { len }, hidden, &mut to.hidden)?;
    columns.append(&name("log_probability"), &[len], &mut to.log_probability)?;
    columns.append(&name("values"), &[len], &mut to.values)?;
    columns.append(&name("rewards"), &[len], &mut to.rewards)?;
    columns.append(&name("discounts"), &[len], &mut to.discounts)?;
    Ok(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_that_are_not_the_games_or_were_not_legal_are_refused() {
        let widths = Widths { cells: 3, words: 1, hidden: 0, actions: 5 };
        let read = |legal: u64, action: u16, distill: bool| {
            let mut unit = RolloutUnit::default();
            let of = if distill { &mut unit.distill.decisions } else { &mut unit.decisions };
            of.push(&[0, 1, 0], &[legal], &[], ActionId(action), 0.0, 0.0);
            unit.distill.probabilities = vec![0.0; if distill { widths.actions } else { 0 }];
            let bytes = to_bytes(&unit, widths, &mut Vec::new()).expect("a block");
            let mut all = RolloutUnit::default();
            all.append_bytes(&bytes, widths)
                .map(|()| assert_eq!(all, unit))
                .map_err(|error| error.to_string())
        };
        for distill in [false, true] {
            assert_eq!(read(0b10110, 4, distill), Ok(()));
            let beyond = "it has legal action 5, expected actions below 5";
            assert_eq!(read(0b110110, 4, distill), Err(beyond.to_owned()));
            let outside = "it has action 3, which was not legal, expected a legal one";
            assert_eq!(read(0b10110, 3, distill), Err(outside.to_owned()));
            assert_eq!(read(0, 3, distill), Err(outside.to_owned()));
        }
    }
}

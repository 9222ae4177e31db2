//! Units that worker processes play.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::file::{FileError, Header};
use cardsharp_bot::workers::Stopped;
use serde_json::json;

use crate::league::League;

/// A serialized network for workers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// BLAKE3 of the bytes, in hexadecimal. A worker that has a network with this key does not need it again.
    pub key: String,
    /// The network, as an exported bot.
    pub bytes: Vec<u8>,
}

/// A request for the units of an iteration.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Iterations that are complete.
    pub iteration: u64,
    /// The first iteration whose units can replace those of this one. Since then one kind of player has chosen the
    /// actions: the policy, or the scripted player for imitation. An implementation may deliver earlier units instead
    /// of waiting, but none from before `since`.
    pub since: u64,
    /// Number of units to deliver.
    pub units: usize,
    /// Checksum of the other bots that the configuration names. [`Worker::play`](crate::train::Worker::play) compares
    /// it with the bots on its machine.
    pub others: String,
    /// The current policy, then the snapshots, oldest first.
    pub nets: Vec<Arc<Parcel>>,
}

/// Passes a block to the learner. It fails if the block is invalid; then the learner takes no more.
pub type Take<'a> = dyn FnMut(&[u8]) -> Result<(), Stopped> + Send + 'a;

/// Plays units in other processes.
pub trait Elsewhere: Sync {
    /// Passes the blocks of [`Errand::units`] units to `take`, in the order in which the learner uses them, each as
    /// soon as possible. [`Worker::play`](crate::train::Worker::play) makes blocks. If they are units 0, 1, 2, … of
    /// this errand, the run is the same as in one process.
    ///
    /// # Errors
    /// `stop` was set, no worker is left, or `take` failed. In the first two cases the run writes a checkpoint and
    /// ends.
    fn play(&self, errand: &Errand, take: &mut Take<'_>, stop: &AtomicBool) -> Result<(), Stopped>;
}

/// The networks of the last errand, with their parcels.
#[derive(Debug, Default)]
pub(crate) struct Parcels(Vec<(Arc<dyn PolicyNet>, Arc<Parcel>)>);

impl Parcels {
    /// Returns the parcels of a policy and its snapshots. Networks of the last errand keep their parcels.
    pub(crate) fn pack(
        &mut self,
        header: &Header,
        policy: &Arc<dyn PolicyNet>,
        league: &League,
    ) -> Result<Vec<Arc<Parcel>>, FileError> {
        // Without counters in the header, a policy that becomes a snapshot keeps its key and is not sent again.
        let header = Header { training: json!({}), ..header.clone() };
        let nets = std::iter::once(policy).chain(league.pool.iter().map(|snapshot| &snapshot.net));
        let parcel = |net: &Arc<dyn PolicyNet>| {
            if let Some((_, parcel)) = self.0.iter().find(|(known, _)| Arc::ptr_eq(known, net)) {
                return Ok((Arc::clone(net), Arc::clone(parcel)));
            }
            let bytes = net.to_bytes(&header)?;
            let key = blake3::hash(&bytes).to_hex().to_string();
            Ok((Arc::clone(net), Arc::new(Parcel { key, bytes })))
        };
        self.0 = nets.map(parcel).collect::<Result<_, FileError>>()?;
        Ok(self.0.iter().map(|(_, parcel)| Arc::clone(parcel)).collect())
    }
}

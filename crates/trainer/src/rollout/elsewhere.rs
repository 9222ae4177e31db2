//! Units that other processes play.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::file::{FileError, Header};
use cardsharp_bot::workers::Stopped;
use serde_json::json;

use crate::league::League;

/// A network on its way to those who play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// BLAKE3 of the bytes, in hexadecimal: who holds a parcel of this key need not get it again.
    pub key: String,
    /// The network, as an exported bot.
    pub bytes: Vec<u8>,
}

/// The units of an iteration, to be played by others.
#[derive(Clone, Debug)]
pub struct Errand {
    /// Iterations that are complete.
    pub iteration: u64,
    /// The first of the iterations whose sessions are of the same kind: played by the policy, or by the scripted player to be
    /// imitated. Who does not wait for all units of this one may send earlier ones, but none from before that.
    pub since: u64,
    /// How many units are wanted.
    pub units: usize,
    /// What the run's configuration names besides: [`Worker::play`](crate::train::Worker::play) holds it against what it found.
    pub others: String,
    /// The current policy, then its past selves, the oldest first.
    pub nets: Vec<Arc<Parcel>>,
}

/// What the learner takes a block with; it refuses one that is of no use, and then wants no more.
pub type Take<'a> = dyn FnMut(&[u8]) -> Result<(), Stopped> + Send + 'a;

/// Who plays units in other processes.
pub trait Elsewhere: Sync {
    /// Gives the learner the blocks ([`Worker::play`](crate::train::Worker::play)) of as many units as are wanted, each as soon as it can be had, in
    /// the order in which the learner is to take them: a run is the same as in one process if they are units 0, 1, 2, … of this errand.
    ///
    /// # Errors
    /// `stop` was set, the learner refused a block, or nobody plays any more; the run then ends with a checkpoint.
    fn play(&self, errand: &Errand, take: &mut Take<'_>, stop: &AtomicBool) -> Result<(), Stopped>;
}

/// The networks that were sent lately, with their parcels.
#[derive(Debug, Default)]
pub(crate) struct Parcels(Vec<(Arc<dyn PolicyNet>, Arc<Parcel>)>);

impl Parcels {
    /// Parcels of a policy and its past selves; those of networks that were sent before are as they were.
    pub(crate) fn pack(
        &mut self,
        header: &Header,
        policy: &Arc<dyn PolicyNet>,
        league: &League,
    ) -> Result<Vec<Arc<Parcel>>, FileError> {
        // What was counted so far is left out, so that a policy that has become a past self is not sent again.
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

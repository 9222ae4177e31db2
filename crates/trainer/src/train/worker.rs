//! Workers, which play units for a learner in another process.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_bot::PolicyNet;
use cardsharp_bot::file::FileError;
use cardsharp_bot::workers::Stopped;
use cardsharp_env::blocks::scales;
use safetensors::SafeTensorError;

use super::context::{RunContext, opponent_checksum};
use super::{GivenUp, TrainError};
use crate::config::Config;
use crate::league::{League, Snapshot};
use crate::nn::custom::{self, Architecture};
use crate::rollout::{self, Decisions};

/// Plays units of one run, each a pure function of the configuration, the networks, the iteration and its number.
pub struct Worker {
    config: Config,
    context: RunContext,
    /// Checksum of the opponent's network.
    bots: String,
    nets: BTreeMap<String, Arc<dyn PolicyNet>>,
    /// The network of a program that embeds the trainer, if the run has one.
    module: Option<Architecture>,
    /// Memory of the last unit and of its block, for reuse.
    spare: (Decisions, Vec<u8>),
}

/// Why a worker cannot play.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WorkerError {
    /// A network is damaged, or is for another game.
    #[error("cannot read a network from the learner: {0}")]
    Net(#[from] FileError),
    /// The learner did not send a network.
    #[error("the learner did not send network {key}")]
    Missing { key: String },
    /// There is no policy network.
    #[error("expected the policy network, then its earlier versions")]
    NoPolicy,
    /// This machine has another bot at a path of the configuration.
    #[error(
        "`league.opponent` names another network here than on the learner's machine: expected the same file on every \
         machine"
    )]
    OtherBots,
    /// The program in `league.opponent` failed too often.
    #[error(transparent)]
    GivenUp(#[from] GivenUp),
    /// The unit is too large for a block.
    #[error(transparent)]
    Block(#[from] SafeTensorError),
    /// The worker was asked to stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Worker {
    /// Creates a worker for runs of this configuration.
    ///
    /// # Errors
    /// The configuration names a game, rules or a bot that this machine lacks.
    pub fn new(config: Config) -> Result<Self, TrainError> {
        let context = RunContext::new(&config)?;
        let bots = opponent_checksum(&config)?;
        let module = config.network.build(&config.shapes(context.game).0, 0).map(|(module, _)| module);
        Ok(Self { config, context, bots, nets: BTreeMap::new(), module, spare: Default::default() })
    }

    /// Returns the keys of the networks that the worker still needs.
    pub fn lacks<'k>(&self, keys: &'k [String]) -> Vec<&'k str> {
        keys.iter().map(String::as_str).filter(|&key| !self.nets.contains_key(key)).collect()
    }

    /// Stores a serialized network.
    ///
    /// # Errors
    /// The network is damaged, or is for another game.
    pub fn hold(&mut self, bytes: &[u8]) -> Result<(), WorkerError> {
        let scale = scales(self.context.game.observation());
        let (header, net) = custom::read(self.module.as_ref(), &scale, bytes)?;
        header.fits_whole(self.context.game)?;
        self.nets.insert(blake3::hash(bytes).to_hex().to_string(), net);
        Ok(())
    }

    /// Plays unit `unit` of iteration `iteration` and returns its block ([`rollout::to_bytes`]). The first key names
    /// the policy, the others the snapshots; all other networks are dropped. `bots` is
    /// [`RolloutRequest::bots`](rollout::RolloutRequest::bots).
    ///
    /// # Errors
    /// A network is missing, a bot that the configuration names differs here, the opponent failed too often, or `stop`
    /// was set.
    pub fn play(
        &mut self,
        iteration: u64,
        bots: &str,
        keys: &[String],
        unit: u64,
        stop: &AtomicBool,
    ) -> Result<Vec<u8>, WorkerError> {
        if bots != self.bots {
            return Err(WorkerError::OtherBots);
        }
        self.nets.retain(|key, _| keys.contains(key));
        let net = |key: &String| self.nets.get(key).cloned().ok_or(WorkerError::Missing { key: key.clone() });
        let mut nets = keys.iter().map(net);
        let policy = nets.next().ok_or(WorkerError::NoPolicy)??;
        // A rollout uses only the index of a snapshot, so its iteration does not matter.
        let past = nets.map(|net| Ok(Snapshot { iteration: 0, net: net? }));
        let league = League { pool: past.collect::<Result<_, WorkerError>>()? };
        let setting = self.context.setting(&self.config, iteration, &policy, &league, stop);
        let (decisions, block) = &mut self.spare;
        let played = rollout::play(&setting, unit, std::mem::take(decisions));
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        self.context.faults()?;
        let bytes = rollout::to_bytes(&played, setting.widths(), block);
        *decisions = played.decisions;
        Ok(bytes?)
    }
}

//! The state of a run between two iterations, and its form as the files of a checkpoint.
//!
//! | file | content |
//! |---|---|
//! | `bot.safetensors` | the policy network, as an exported bot |
//! | `learner.safetensors` | the optimizer's memory; the critic and its optimizer's memory; the reference policy |
//! | `state.json` | counters, the best measurement, the snapshots of the league |
//! | `league-NNNNNNNN.safetensors` | the snapshot after iteration N |
//! | `lessons.safetensors` | the replay buffer of distillation targets, if the algorithm has one |
//! | `actors.safetensors` | the policy that plays the next rollout, if it is not the newest |
//!
//! Random streams need no state: the seed and the iteration name each of them. Every session ends within its iteration.

use std::collections::BTreeMap;
use std::sync::Arc;

use cardsharp_bot::PolicyNet;
use cardsharp_bot::bots::{FILE, OpenError, network};
use cardsharp_bot::file::{FORMAT, FileError, Header, Outputs, START};
use cardsharp_bot::net::{Activation, ShapeError};
use cardsharp_env::blocks::scales;
use cardsharp_env::{AnyGame, Draw, GameRules};
use safetensors::tensor::{Dtype, TensorView};
use safetensors::{SafeTensorError, SafeTensors};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::checkpoint::Files;
use crate::columns::ColumnError;
use crate::config::Config;
use crate::league::{League, Snapshot};
use crate::learner::{Learner, NetState};
use crate::net::{Shape, from_net};
use crate::nn::custom::{self, Architecture};
use crate::rollout::{DistillTargets, ReplayBuffer, Widths};
use crate::streams::{self, StreamPurpose};

const LEARNER: &str = "learner.safetensors";
const STATE: &str = "state.json";
const ACTORS: &str = "actors.safetensors";
const REPLAY_BUFFER: &str = "lessons.safetensors";

/// The key in [`Header::training`] for the name of a program's own network.
const NETWORK: &str = "network";

/// The strongest policy so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Iterations that were complete when it was evaluated.
    pub iteration: u64,
    /// Its place score against the first baseline.
    pub place_score: f64,
}

/// Counters of a run.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunCounters {
    /// Iterations that are complete.
    pub iterations: u64,
    /// Decisions of the learner.
    pub decisions: u64,
    /// Number of rounds that were played.
    pub rounds: u64,
    /// Number of sessions that were played.
    pub sessions: u64,
}

/// The policy and the snapshots that play the next rollout with `rollout.overlap`: those from before the last update.
#[derive(Clone, Debug)]
pub struct Actors {
    /// The policy from before the last update.
    pub net: Arc<dyn PolicyNet>,
    /// The snapshots from before the last update.
    pub league: League,
}

/// The state of a run between two iterations.
#[derive(Clone, Debug)]
pub struct TrainState {
    /// The networks and the optimizers' memories.
    pub learner: Learner,
    /// Snapshots of earlier policies.
    pub league: League,
    /// The policy that plays the next rollout, if it is not the current one.
    pub actors: Option<Actors>,
    /// What was played and learned so far.
    pub counts: RunCounters,
    /// The strongest policy in evaluations.
    pub best: Option<Best>,
    /// The training facts in the header of the bot in `net.init_from`, if there is one.
    pub start: Option<Value>,
}

/// Why a checkpoint's files do not make a state of this run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum StateError {
    /// A file is missing.
    #[error("the checkpoint has no `{file}`")]
    Missing { file: String },
    /// There is a file that a state does not have.
    #[error("the checkpoint has an unexpected file `{file}`")]
    Extra { file: String },
    /// A network was refused.
    #[error("`{file}`: {source}")]
    Bot { file: String, source: FileError },
    /// A network has another shape or game than the run.
    #[error("`{file}` belongs to another run: it has {given}, expected {expected}")]
    Foreign {
        file: String,
        given: String,
        /// What the run needs.
        expected: String,
    },
    /// The file of the networks is damaged.
    #[error("`{LEARNER}`: {0}")]
    Learner(#[from] SafeTensorError),
    /// The file of the replay buffer is damaged.
    #[error("`{REPLAY_BUFFER}`: {0}")]
    ReplayBuffer(SafeTensorError),
    /// The file of all other values is damaged.
    #[error("`{STATE}`: {0}")]
    Json(#[from] serde_json::Error),
    /// The score in `state.json` is not a number.
    #[error("`{STATE}`: the place score `{given}` is not a number")]
    Score {
        /// The score as given.
        given: String,
    },
    /// The network has no policy and value head, so it cannot act.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The bot in `net.init_from` cannot be opened.
    #[error("`net.init_from`: {0}")]
    Start(#[from] OpenError),
}

/// The content of `state.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    counts: RunCounters,
    policy_steps: u64,
    critic_steps: u64,
    best: Option<BestFacts>,
    league: Vec<u64>,
    /// Iterations of the actors' snapshots, if there are actors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actors: Option<Vec<u64>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BestFacts {
    iteration: u64,
    /// As text: JSON readers may round numbers.
    place_score: String,
}

impl TrainState {
    /// Returns the state before the first iteration, with random weights.
    pub fn new(config: &Config, game: &dyn AnyGame) -> Self {
        let draw = |number| Draw::new(streams::seed(config.seed, StreamPurpose::Weights, &[number]), 0);
        let (policy, critic) = config.shapes(game);
        let (module, weights) = match config.network.build(&policy, draw(0).bits()) {
            Some((module, weights)) => (Some(module), weights),
            None => (None, policy.draw(&[config.net.policy_gain, 1.0], &mut draw(0))),
        };
        let critic = critic.map(|shape| {
            let weights = shape.draw(&[1.0], &mut draw(1));
            NetState::new(shape, weights)
        });
        let (scale, hidden_scale) = (scales(game.observation()), scales(game.hidden()));
        let reference_policy = config.algorithm().has_reference_policy().then(|| weights.clone());
        let replay_buffer = config.algorithm().distills().then(ReplayBuffer::default);
        let policy = NetState { module, ..NetState::new(policy, weights) };
        let learner = Learner { policy, critic, reference_policy, replay_buffer, scale, hidden_scale };
        let (league, counts) = (League::default(), RunCounters::default());
        Self { learner, league, actors: None, counts, best: None, start: None }
    }

    /// Returns the state before the first iteration, with the weights of the bot in `net.init_from`, if any.
    ///
    /// # Errors
    /// There is no such bot, or it has another shape or other outputs than the run's network.
    pub fn begin(config: &Config, game: &dyn AnyGame) -> Result<Self, StateError> {
        let mut state = Self::new(config, game);
        let path = &config.net.init_from;
        if path.is_empty() {
            return Ok(state);
        }
        let (header, net) = network(path, game)?;
        let (shape, weights) = from_net(&net.widened(&state.learner.scale)?);
        let described = |shape: &Shape, outputs: Outputs| format!("{shape:?} of {outputs:?}");
        let given = described(&shape, header.outputs);
        let expected = described(&state.learner.policy.shape, config.algorithm().outputs());
        if given != expected {
            return Err(StateError::Foreign { file: path.clone(), given, expected });
        }
        if let Some(reference_policy) = &mut state.learner.reference_policy {
            reference_policy.clone_from(&weights);
        }
        state.learner.policy.weights = weights;
        state.start = Some(header.training);
        Ok(state)
    }

    /// Returns the sizes of a decision in the replay buffer.
    fn widths(&self) -> Widths {
        let Learner { policy, critic, hidden_scale, .. } = &self.learner;
        let actions = policy.shape.heads[0];
        let hidden = if critic.is_some() { hidden_scale.len() } else { 0 };
        Widths { cells: policy.shape.inputs, words: actions.div_ceil(64), hidden, actions }
    }

    /// Returns the header for a file of the policy. `rules` are the rules that it was trained on.
    pub fn header(&self, config: &Config, game: &dyn AnyGame, rules: &[GameRules]) -> Header {
        let shape = &self.learner.policy.shape;
        let hidden = shape.hidden.iter().copied();
        let layers = std::iter::once(shape.inputs).chain(hidden).chain([shape.heads[0]]);
        let algorithm = config.algorithm();
        let mut training = json!({
            "algorithm": algorithm.name(),
            "seed": config.seed,
            "iterations": self.counts.iterations,
            "imitated_iterations": self.counts.iterations.min(algorithm.imitated()),
            "decisions": self.counts.decisions,
            "rounds": self.counts.rounds,
            "sessions": self.counts.sessions,
        });
        if let Some(name) = config.network.name() {
            training[NETWORK] = json!(name);
        }
        if let Some(start) = &self.start {
            training[START] = start.clone();
        }
        Header {
            format: FORMAT,
            game: game.name().to_owned(),
            encoding: game.encoding(),
            rules: rules.iter().map(|rules| rules.json().clone()).collect(),
            random_rules: config.rollout.random.share,
            layers: layers.collect(),
            outputs: algorithm.outputs(),
            activation: Activation::Relu,
            training,
        }
    }

    /// Returns the files of a checkpoint; equal states give equal bytes.
    ///
    /// # Errors
    /// A network cannot be written, for instance because a weight is not finite.
    pub fn to_files(&self, header: &Header) -> Result<Files, StateError> {
        let mut files = Files::new();
        let write = |file: &str, header: &Header, net: &dyn PolicyNet| {
            net.to_bytes(header).map_err(|source| StateError::Bot { file: file.to_owned(), source })
        };
        files.insert(FILE.to_owned(), write(FILE, header, &*self.learner.actor()?)?);
        if let Some(Actors { net, .. }) = &self.actors {
            let header = Header { training: json!({}), ..header.clone() };
            files.insert(ACTORS.to_owned(), write(ACTORS, &header, &**net)?);
        }
        let of_actors = self.actors.iter().flat_map(|actors| &actors.league.pool);
        for snapshot in self.league.pool.iter().chain(of_actors) {
            let name = league_file(snapshot.iteration);
            let training = json!({ "iterations": snapshot.iteration });
            let bytes = write(&name, &Header { training, ..header.clone() }, &*snapshot.net)?;
            files.insert(name, bytes);
        }
        let mut lists = vec![
            ("policy.mean", &self.learner.policy.adam.mean),
            ("policy.square", &self.learner.policy.adam.square),
        ];
        if let Some(critic) = &self.learner.critic {
            lists.push(("critic.weights", &critic.weights));
            lists.push(("critic.mean", &critic.adam.mean));
            lists.push(("critic.square", &critic.adam.square));
        }
        if let Some(reference_policy) = &self.learner.reference_policy {
            lists.push(("policy.reference", reference_policy));
        }
        let bytes: BTreeMap<&str, Vec<u8>> = lists
            .into_iter()
            .map(|(name, list)| (name, list.iter().flat_map(|number| number.to_le_bytes()).collect()))
            .collect();
        let views = bytes.iter().map(|(name, bytes)| {
            TensorView::new(Dtype::F32, vec![bytes.len() / 4], bytes).map(|view| (name.to_string(), view))
        });
        let views = views.collect::<Result<Vec<_>, _>>()?;
        files.insert(LEARNER.to_owned(), safetensors::serialize(views, None)?);
        if let Some(buffer) = &self.learner.replay_buffer {
            let bytes = buffer.all().to_bytes(self.widths()).map_err(StateError::ReplayBuffer)?;
            files.insert(REPLAY_BUFFER.to_owned(), bytes);
        }
        let facts = Facts {
            counts: self.counts,
            policy_steps: self.learner.policy.adam.steps,
            critic_steps: self.learner.critic.as_ref().map_or(0, |critic| critic.adam.steps),
            best: self.best.as_ref().map(|best| BestFacts {
                iteration: best.iteration,
                place_score: best.place_score.to_string(),
            }),
            league: iterations(&self.league),
            actors: self.actors.as_ref().map(|actors| iterations(&actors.league)),
        };
        files.insert(STATE.to_owned(), serde_json::to_vec_pretty(&facts)?);
        Ok(files)
    }

    /// Reads the state from the files of a checkpoint.
    ///
    /// # Errors
    /// A file is missing, damaged, superfluous, or of a run with another game or network.
    pub fn from_files(config: &Config, game: &dyn AnyGame, files: &Files) -> Result<Self, StateError> {
        let facts: Facts = serde_json::from_slice(get(files, STATE)?)?;
        expect_known(&facts, config, files)?;
        let mut state = Self::new(config, game);
        let nets = NetReader {
            game,
            files,
            module: state.learner.policy.module.clone(),
            scale: state.learner.scale.clone(),
        };
        state.read_policy(config, &nets)?;
        state.league = nets.league(&facts.league)?;
        if let Some(iterations) = &facts.actors {
            state.actors = Some(Actors { net: nets.read(ACTORS)?.1, league: nets.league(iterations)? });
        }
        state.read_optimizers(&facts, get(files, LEARNER)?)?;
        let widths = state.widths();
        if let Some(buffer) = &mut state.learner.replay_buffer {
            let targets = DistillTargets::from_bytes(get(files, REPLAY_BUFFER)?, widths);
            buffer.push(targets.map_err(|refused| match refused {
                ColumnError::File(error) => StateError::ReplayBuffer(error),
                ColumnError::Foreign(given, expected) => foreign(REPLAY_BUFFER, given, expected),
            })?);
        }
        state.counts = facts.counts;
        state.best = facts.best.map(Best::try_from).transpose()?;
        Ok(state)
    }

    /// Reads the policy network. Its header must be that of a run with the same algorithm and network.
    fn read_policy(&mut self, config: &Config, nets: &NetReader<'_>) -> Result<(), StateError> {
        let (header, net) = nets.read(FILE)?;
        let (learned_by, algorithm) = (&header.training["algorithm"], config.algorithm().name());
        if learned_by != algorithm {
            let (given, expected) = (format!("algorithm {learned_by}"), format!("algorithm \"{algorithm}\""));
            return Err(foreign(FILE, given, expected));
        }
        let (named, name) = (&header.training[NETWORK], json!(config.network.name()));
        if *named != name {
            return Err(foreign(FILE, format!("network {named}"), format!("network {name}")));
        }
        self.start = header.training.get(START).cloned();
        let policy = &mut self.learner.policy;
        let (shape, weights) = match Arc::clone(&net).plain() {
            Some(net) => from_net(&net),
            None => (policy.shape.clone(), custom::weights_of(&*net)),
        };
        if shape != policy.shape {
            return Err(foreign(FILE, format!("{shape:?}"), format!("{:?}", policy.shape)));
        }
        policy.weights = weights;
        Ok(())
    }

    /// Reads the optimizers' memory, the critic and the reference policy.
    fn read_optimizers(&mut self, facts: &Facts, bytes: &[u8]) -> Result<(), StateError> {
        let tensors = SafeTensors::deserialize(bytes)?;
        let fill = |name: &str, list: &mut Vec<f32>| -> Result<(), StateError> {
            let view = tensors.tensor(name)?;
            if view.dtype() != Dtype::F32 || view.shape() != [list.len()] {
                let given = format!("`{name}` of {:?} {:?}", view.dtype(), view.shape());
                return Err(foreign(LEARNER, given, format!("F32 [{}]", list.len())));
            }
            let numbers = view.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
            list.iter_mut().zip(numbers).for_each(|(to, from)| *to = from);
            Ok(())
        };
        let policy = &mut self.learner.policy.adam;
        fill("policy.mean", &mut policy.mean)?;
        fill("policy.square", &mut policy.square)?;
        policy.steps = facts.policy_steps;
        if let Some(critic) = &mut self.learner.critic {
            fill("critic.weights", &mut critic.weights)?;
            fill("critic.mean", &mut critic.adam.mean)?;
            fill("critic.square", &mut critic.adam.square)?;
            critic.adam.steps = facts.critic_steps;
        }
        if let Some(reference_policy) = &mut self.learner.reference_policy {
            fill("policy.reference", reference_policy)?;
        }
        Ok(())
    }
}

/// Returns the content of a file of a checkpoint.
fn get<'a>(files: &'a Files, file: &str) -> Result<&'a [u8], StateError> {
    files.get(file).map(Vec::as_slice).ok_or_else(|| StateError::Missing { file: file.to_owned() })
}

fn foreign(file: &str, given: String, expected: String) -> StateError {
    StateError::Foreign { file: file.to_owned(), given, expected }
}

/// Returns an error if a checkpoint has a file that no run with this state and configuration writes.
fn expect_known(facts: &Facts, config: &Config, files: &Files) -> Result<(), StateError> {
    let known = |file: &String| {
        let mut snapshots = facts.league.iter().chain(facts.actors.iter().flatten());
        [FILE, LEARNER, STATE].contains(&file.as_str())
            || file == ACTORS && facts.actors.is_some()
            || file == REPLAY_BUFFER && config.algorithm().distills()
            || snapshots.any(|&n| league_file(n) == *file)
    };
    match files.keys().find(|file| !known(file)) {
        Some(file) => Err(StateError::Extra { file: file.clone() }),
        None => Ok(()),
    }
}

/// Reads the networks of a checkpoint.
struct NetReader<'a> {
    game: &'a dyn AnyGame,
    files: &'a Files,
    module: Option<Architecture>,
    /// `[cells]`: the factors of the observation's cells.
    scale: Vec<f32>,
}

impl NetReader<'_> {
    fn read(&self, file: &str) -> Result<(Header, Arc<dyn PolicyNet>), StateError> {
        let bot = |source| StateError::Bot { file: file.to_owned(), source };
        let bytes = get(self.files, file)?;
        let (header, net) = custom::read(self.module.as_ref(), &self.scale, bytes).map_err(bot)?;
        header.fits_whole(self.game).map_err(bot)?;
        Ok((header, net))
    }

    fn league(&self, iterations: &[u64]) -> Result<League, StateError> {
        let snapshot = |&iteration: &u64| -> Result<Snapshot, StateError> {
            Ok(Snapshot { iteration, net: self.read(&league_file(iteration))?.1 })
        };
        Ok(League { pool: iterations.iter().map(snapshot).collect::<Result<_, _>>()? })
    }
}

impl TryFrom<BestFacts> for Best {
    type Error = StateError;

    fn try_from(facts: BestFacts) -> Result<Self, StateError> {
        let BestFacts { iteration, place_score } = facts;
        match place_score.parse() {
            Ok(place_score) => Ok(Self { iteration, place_score }),
            Err(_) => Err(StateError::Score { given: place_score }),
        }
    }
}

fn iterations(league: &League) -> Vec<u64> {
    league.pool.iter().map(|snapshot| snapshot.iteration).collect()
}

fn league_file(iteration: u64) -> String {
    format!("league-{iteration:08}.safetensors")
}

#[cfg(test)]
mod tests;

//! The configuration of a training run, read from TOML. Errors name the place of the mistake.
//!
//! A configuration has every setting that can influence a run. Missing fields have defaults. The run folder has the
//! *effective* configuration, with every default filled in; it reads back as an equal value.

mod listed;
mod old_names;
mod reader;

use std::path::Path;
use std::sync::Arc;

use cardsharp_bot::disk;
use cardsharp_bot::workers::MOST_THREADS;
use cardsharp_document::{FieldError, expect};
use cardsharp_env::blocks::width;
use cardsharp_env::{AnyGame, Games, seed};
use schemars::JsonSchema;
use schemars::generate::Contract;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::algorithms::dmc::DmcConfig;
use crate::algorithms::ppo::{DistillConfig, Ppo, PpoConfig};
use crate::algorithms::{Algorithm, AlgorithmName, CustomAlgorithm};
use crate::device::{Device, DeviceName, NoGpu};
use crate::evaluate::EvaluateConfig;
use crate::league::LeagueConfig;
use crate::net::{NetConfig, Shape};
use crate::nn::custom::Custom;
use crate::rollout::RolloutConfig;

pub use cardsharp_document::{ConfigError, ConfigProblem, ErrorPosition, MAX_TEXT};
pub use listed::ListedField;
pub use old_names::{REMOVED_FIELDS, REMOVED_VALUES, RENAMED_FIELDS, RENAMED_VALUES};
pub(crate) use reader::text;

/// The values of a seed.
const SEED: &str = "expected an integer from 0 to 9007199254740991 (2^53 - 1)";

/// The configuration of a training run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Name of the game, as listed by `cardsharp games`. The only field without a default.
    pub game: String,
    /// Seed of all randomness in the run, 0 to 9007199254740991 (2^53 - 1). The same build, configuration and seed give
    /// byte-identical results.
    pub seed: u64,
    /// Number of iterations, 1 to 10000000. Each iteration plays a rollout and updates the network. Schedules end at
    /// the last iteration.
    pub iterations: u64,
    /// Number of threads, 0 to 1024; 0 means one per CPU core. Results are byte-identical for any number.
    pub threads: usize,
    /// Where the network is trained: `cpu`, or `gpu` in a program built with the `wgpu` feature. Sessions are always
    /// played on the CPU.
    pub device: DeviceName,
    /// Learning algorithm: `ppo` (proximal policy optimization) or `dmc` (deep Monte Carlo). Only the section of that
    /// name has an effect; `ppo` also uses `[distill]`.
    pub algorithm: AlgorithmName,
    /// The architecture of the network.
    pub net: NetConfig,
    /// Settings of proximal policy optimization, for `ppo`.
    pub ppo: PpoConfig,
    /// Settings of deep Monte Carlo, for `dmc`.
    pub dmc: DmcConfig,
    /// Settings of distillation from the endgame solver, for `ppo`.
    pub distill: DistillConfig,
    /// Sessions that are played between two updates.
    pub rollout: RolloutConfig,
    /// Opponents in training, in addition to the current policy.
    pub league: LeagueConfig,
    /// Evaluations during and after the run.
    pub evaluate: EvaluateConfig,
    /// When checkpoints are written, and which are removed.
    pub checkpoint: CheckpointConfig,
    /// Whether TensorBoard events are written, and how often histograms.
    pub metrics: MetricsConfig,
    /// Where the game is looked up; not serialized.
    #[serde(skip)]
    pub games: Games,
    /// An algorithm of a program that embeds the trainer, which replaces `algorithm`; not serialized.
    #[serde(skip)]
    pub custom_algorithm: CustomAlgorithm,
    /// A network of a program that embeds the trainer, which takes the place of the layers in `net.hidden`; in no
    /// file.
    #[serde(skip)]
    pub network: Custom,
}

/// `[checkpoint]`: checkpoints, from which a run resumes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// Iterations between checkpoints, 1 to 10000000. The last iteration always writes one.
    pub every: u64,
    /// Number of recent checkpoints to keep, 1 to 1000. The best checkpoint is never deleted.
    pub keep: usize,
}

/// `[metrics]`: metrics files. The CSV files are always written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MetricsConfig {
    /// Whether to write TensorBoard events in addition to the CSV files.
    pub tensorboard: bool,
    /// Iterations between histograms in the TensorBoard events, 0 to 10000000; 0 writes none.
    pub histograms_every: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            game: String::new(),
            seed: 1,
            iterations: 100,
            threads: 0,
            device: DeviceName::default(),
            algorithm: AlgorithmName::default(),
            net: NetConfig::default(),
            ppo: PpoConfig::default(),
            dmc: DmcConfig::default(),
            distill: DistillConfig::default(),
            rollout: RolloutConfig::default(),
            league: LeagueConfig::default(),
            evaluate: EvaluateConfig::default(),
            checkpoint: CheckpointConfig::default(),
            metrics: MetricsConfig::default(),
            games: Games::shipped(),
            custom_algorithm: CustomAlgorithm::default(),
            network: Custom::default(),
        }
    }
}

impl Default for CheckpointConfig {
    fn default() -> Self {
        Self { every: 10, keep: 3 }
    }
}

impl Default for MetricsConfig {
    fn default() -> Self {
        Self { tensorboard: true, histograms_every: 10 }
    }
}

/// A field in which two configurations differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// The field, as a path from the root (`ppo.clip`).
    pub field: String,
    /// Its value in the one, as JSON; none if it is not there.
    pub one: Option<String>,
    /// Its value in the other.
    pub other: Option<String>,
}

impl Config {
    /// The configuration as TOML. Every field is written, so that it reads back as an equal value
    /// even if a default changes.
    ///
    /// # Errors
    /// A value has no TOML form: a rules option without a value. Not after [`Config::read`]. What is out of range is written
    /// all the same, and cannot be read: [`Config::check`] refuses it.
    pub fn toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The configuration as JSON, with numbers as people write them: 0.2, and not what is nearest to it with 24 bits.
    pub(crate) fn json(&self) -> Value {
        let mut json = serde_json::json!(self);
        shorten(&mut json);
        json
    }

    /// A JSON schema of configurations, for editors: which fields there are, what they mean and their defaults.
    pub fn schema() -> Value {
        cardsharp_env::document::<Self>("A configuration of a run", Contract::Deserialize)
    }

    /// Refuses values out of range. The rules are the game's to check.
    ///
    /// # Errors
    /// Names the field, as a path from the root, and what would be right.
    pub fn check(&self) -> Result<(), FieldError> {
        expect(self.seed <= seed::MAX, "seed", self.seed, SEED)?;
        let most = 1..=10_000_000;
        expect(most.contains(&self.iterations), "iterations", self.iterations, "expected 1 to 10000000")?;
        expect(self.threads <= MOST_THREADS, "threads", self.threads, "expected 0 to 1024")?;
        let expected = "expected `cpu`: this program has no GPU support; build one with `cargo build --release --features wgpu`";
        expect(self.device.is_built(), "device", "\"gpu\"", expected)?;
        within("net", self.net.check())?;
        within("ppo", self.ppo.check())?;
        within("dmc", self.dmc.check())?;
        within("distill", self.distill.check())?;
        let critic = self.algorithm != AlgorithmName::Dmc || self.net.critic.is_empty();
        let given = || format!("{:?}", self.net.critic);
        expect(critic, "net.critic", given(), "expected [] with `algorithm = \"dmc\"`, which has no critic")?;
        within("rollout", self.rollout.check())?;
        within("league", self.league.check())?;
        if self.distill.weight > 0.0 {
            let expected = match self.algorithm {
                AlgorithmName::Ppo => {
                    "expected 0, or `rollout.endgame_solver` above 0, whose moves are the targets"
                }
                AlgorithmName::Dmc => "expected 0 with `algorithm = \"dmc\"`, which has no distillation",
            };
            let has_targets = self.algorithm == AlgorithmName::Ppo && self.rollout.endgame_solver > 0.0;
            expect(has_targets, "distill.weight", self.distill.weight, expected)?;
        }
        within("evaluate", self.evaluate.check())?;
        let CheckpointConfig { every, keep } = self.checkpoint;
        expect(most.contains(&every), "checkpoint.every", every, "expected 1 to 10000000")?;
        expect((1..=1000).contains(&keep), "checkpoint.keep", keep, "expected 1 to 1000")?;
        let every = self.metrics.histograms_every;
        expect(every <= 10_000_000, "metrics.histograms_every", every, "expected 0 to 10000000")
    }

    /// The algorithm, with its settings.
    pub fn algorithm(&self) -> Arc<dyn Algorithm> {
        self.custom_algorithm.get().unwrap_or_else(|| match self.algorithm {
            AlgorithmName::Ppo => Arc::new(Ppo { config: self.ppo.clone(), distill: self.distill.clone() }),
            AlgorithmName::Dmc => Arc::new(self.dmc.clone()),
        })
    }

    /// Opens the device that the learner computes on. Modules of programs are computed by burn's own operations on
    /// the CPU, too.
    ///
    /// # Errors
    /// There is no GPU.
    pub(crate) fn open_device(&self) -> Result<Device, NoGpu> {
        Ok(match self.device.open()? {
            Device::Cpu if self.network.is_set() => Device::Burn(burn::tensor::Device::flex()),
            device => device,
        })
    }

    /// Whether a command finds again what the run's last evaluation found: commands let networks play the likeliest
    /// moves, and the learner, a baseline or an opponent may have drawn them.
    pub fn is_repeatable(&self) -> bool {
        let EvaluateConfig { temperature, baseline_temperature, .. } = self.evaluate;
        let opponent = self.league.opponent.is_empty() || self.league.temperature == 0.0;
        opponent && temperature == 0.0 && baseline_temperature == 0.0
    }

    /// The game; none if there is no game of this name, which [`Config::read`] refuses.
    pub fn game(&self) -> Option<&'static dyn AnyGame> {
        self.games.named(&self.game)
    }

    /// The shapes of policy network and critic.
    pub(crate) fn shapes(&self, game: &dyn AnyGame) -> (Shape, Option<Shape>) {
        let (cells, actions) = (width(game.observation()), width(game.actions()));
        let hidden = if self.network.is_set() { Vec::new() } else { self.net.hidden.clone() };
        let policy = Shape { inputs: cells, hidden, heads: vec![actions, 1] };
        let inputs = cells + width(game.hidden());
        let critic = Shape { inputs, hidden: self.net.critic.clone(), heads: vec![1] };
        (policy, (!self.net.critic.is_empty()).then_some(critic))
    }

    /// The name of a run of this configuration, read from `path`: the file's stem and the seed.
    pub fn run_name(&self, path: &Path) -> String {
        format!("{}-{}", disk::stem(path), self.seed)
    }

    /// 16 hexadecimal digits that two configurations share if they differ in nothing but `threads`:
    /// runs with one id give the same bytes by the same build.
    pub fn id(&self) -> String {
        let alike = Self { threads: 0, ..self.clone() };
        let text = serde_json::json!(alike).to_string();
        blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
    }

    /// The first field with influence on the result in which two configurations differ.
    pub fn difference(&self, other: &Self) -> Option<FieldDifference> {
        self.differences(other).into_iter().next()
    }

    /// Returns all fields that differ from those of `other`.
    pub fn differences(&self, other: &Self) -> Vec<FieldDifference> {
        let leaves = |config: &Self| {
            let mut leaves = Vec::new();
            cardsharp_document::leaves("", &config.json(), &mut leaves);
            leaves
        };
        let (one, two) = (leaves(self), leaves(other));
        let value = |leaves: &[(String, String)], field: &str| {
            leaves.iter().find(|(f, _)| f == field).map(|(_, value)| value.clone())
        };
        let added = two.iter().filter(|(field, _)| value(&one, field).is_none());
        let fields = one.iter().chain(added).map(|(field, _)| field);
        let all = fields.map(|field| FieldDifference {
            field: field.clone(),
            one: value(&one, field),
            other: value(&two, field),
        });
        all.filter(|of| of.field != "threads" && of.one != of.other).collect()
    }
}

/// Writes every number that came from 24 bits with as few digits as tell it from others of its kind.
fn shorten(json: &mut Value) {
    match json {
        Value::Number(number) if number.is_f64() => {
            let given = number.as_f64().unwrap_or(f64::NAN);
            let short = given as f32;
            if f64::from(short) == given
                && let Ok(plain) = short.to_string().parse::<f64>()
            {
                *json = Value::from(plain);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(shorten),
        Value::Object(fields) => fields.values_mut().for_each(shorten),
        _ => {}
    }
}

fn within(section: &str, checked: Result<(), FieldError>) -> Result<(), FieldError> {
    checked.map_err(|error| FieldError { field: format!("{section}.{}", error.field), ..error })
}

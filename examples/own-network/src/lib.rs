//! A residual network for any game: its layers as a burn module, its training, and its export.

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use cardsharp_bot::bundle::export_model;
use cardsharp_bot::bundle::onnx::{Graph, SCALED};
use cardsharp_bot::file::Header;
use cardsharp_bot::net::Dense;
use cardsharp_env::blocks::scales;
use cardsharp_trainer::burn;
use cardsharp_trainer::config::Config;
use cardsharp_trainer::nn::custom::{Custom, PolicyModule, Spaces};
use cardsharp_trainer::run_folder::RunFolder;
use cardsharp_trainer::train::{Progress, RunOutcome, train};

use burn::module::Module;
use burn::nn::{Initializer, Linear, LinearConfig};
use burn::tensor::activation::relu;
use burn::tensor::{Device, Tensor};

/// Units of each layer.
const WIDTH: usize = 64;

/// Two layers whose output is added to their input.
#[derive(Module, Debug)]
pub struct Block {
    first: Linear,
    second: Linear,
}

impl Block {
    fn forward(&self, rows: Tensor<2>) -> Tensor<2> {
        let change = self.second.forward(relu(self.first.forward(rows.clone())));
        relu(rows + change)
    }
}

/// A layer, two residual blocks, and heads for policy and value.
#[derive(Module, Debug)]
pub struct Residual {
    stem: Linear,
    blocks: Vec<Block>,
    policy: Linear,
    value: Linear,
}

impl Residual {
    /// Makes the network with burn's random weights.
    pub fn new(spaces: Spaces, device: &Device) -> Self {
        let layer = |inputs, outputs| LinearConfig::new(inputs, outputs).init(device);
        let block = |_| Block { first: layer(WIDTH, WIDTH), second: layer(WIDTH, WIDTH) };
        // Small, so that the first policy is nearly uniform over legal actions.
        let small = Initializer::Uniform { min: -1e-3, max: 1e-3 };
        Self {
            stem: layer(spaces.cells, WIDTH),
            blocks: (0..2).map(block).collect(),
            policy: LinearConfig::new(WIDTH, spaces.actions).with_initializer(small).init(device),
            value: layer(WIDTH, 1),
        }
    }

    /// Returns the network as an ONNX model. `scale` has the factor of each cell.
    pub fn to_onnx(&self, header: &Header, scale: &[f32]) -> Vec<u8> {
        let mut graph = Graph::new(scale);
        graph.dense("stem", &dense(&self.stem), SCALED, "stem.sum");
        graph.node("Relu", &["stem.sum"], "stem", &[]);
        let mut last = "stem".to_owned();
        for (number, block) in self.blocks.iter().enumerate() {
            let name = |part: &str| format!("blocks.{number}.{part}");
            graph.dense(&name("first"), &dense(&block.first), &last, &name("first.sum"));
            graph.node("Relu", &[&name("first.sum")], &name("first"), &[]);
            graph.dense(&name("second"), &dense(&block.second), &name("first"), &name("change"));
            graph.node("Add", &[&last, &name("change")], &name("sum"), &[]);
            graph.node("Relu", &[&name("sum")], &name("out"), &[]);
            last = name("out");
        }
        let policy = dense(&self.policy);
        graph.dense("policy", &policy, &last, "policy");
        graph.logits("policy", policy.outputs);
        graph.dense("value", &dense(&self.value), &last, "value.column");
        graph.value("value.column");
        graph.finish(header)
    }
}

impl PolicyModule for Residual {
    fn forward(&self, rows: Tensor<2>) -> (Tensor<2>, Tensor<1>) {
        let features = relu(self.stem.forward(rows));
        let features = self.blocks.iter().fold(features, |rows, block| block.forward(rows));
        (self.policy.forward(features.clone()), self.value.forward(features).flatten(0, 1))
    }
}

/// Returns the numbers of a layer.
fn dense(layer: &Linear) -> Dense {
    let [inputs, outputs] = layer.weight.dims();
    let numbers = |data: burn::tensor::TensorData| data.try_into_vec_as().expect("floats are 32-bit floats");
    let bias = layer.bias.as_ref().map_or(vec![0.0; outputs], |bias| numbers(bias.val().into_data()));
    Dense { inputs, outputs, weight: numbers(layer.weight.val().into_data()), bias }
}

/// Returns the configuration of this example with these overrides.
///
/// # Errors
/// An override is not valid.
pub fn config(overrides: &[String]) -> Result<Config, Box<dyn Error>> {
    Ok(Config::parse("residual.toml", include_str!("../residual.toml"), overrides)?)
}

/// Trains in the folder `run`, to the end or until `stop` is set. Resumes the run that the folder has, if any; then
/// `config` is ignored.
///
/// # Errors
/// The folder cannot be written, or holds another run.
pub fn run(
    run: &Path,
    config: Config,
    progress: &mut dyn FnMut(&Progress<'_>),
    stop: &AtomicBool,
) -> Result<(Config, RunOutcome), Box<dyn Error>> {
    let resumes = run.join("config.toml").exists();
    let mut config = if resumes { RunFolder::config(run)? } else { config };
    config.network = Custom::new("residual", Residual::new);
    let folder = if resumes { RunFolder::resume(run, &config)? } else { RunFolder::create(run, &config)? };
    let outcome = train(&config, &folder, progress, &mut |_| (), stop)?;
    Ok((config, outcome))
}

/// Writes the trained network as folder `to`, for other programs.
///
/// # Errors
/// The folder cannot be written.
pub fn export(config: &Config, outcome: &RunOutcome, to: &Path) -> Result<(), Box<dyn Error>> {
    let game = config.game().ok_or("the game is gone")?;
    let module: Residual = outcome.module().ok_or("the run trained another network")?;
    let onnx = module.to_onnx(&outcome.header, &scales(game.observation()));
    Ok(export_model(&config.games, &outcome.header, &*outcome.net, onnx, to)?)
}

//! Test vectors of a bundle: positions with everything that a bot computes for them. Other implementations (another
//! language, another runtime, a later version) can be tested against them.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::ops::Index;
use std::sync::atomic::{AtomicBool, Ordering};

use cardsharp_env::batch::{BatchOptions, LaneState};
use cardsharp_env::rng::derive;
use cardsharp_env::{ActionId, AnyGame, Draw, mask};
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use ndarray::Array2;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ExportError;
use super::coverage::Coverage;
use crate::file::{Header, MAX_FILE};
use crate::net::Scratch;
use crate::policy_net::PolicyNet;
use crate::workers::Stopped;

/// The file of the vectors in a bundle: one line of JSON for each, compressed with gzip.
pub const FILE: &str = "vectors.jsonl.gz";
/// Number of vectors in a bundle.
pub const VECTORS: usize = 1000;

/// One test vector: a decision with the network's outputs. It is one line of `vectors.jsonl.gz`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The view of the deciding seat: everything that it may know.
    pub view: Value,
    /// `[cell, value]` for each nonzero cell of the observation row, in ascending order of cells.
    pub row: Vec<(usize, u8)>,
    /// Ids of the legal actions, in ascending order; at least two.
    pub legal: Vec<ActionId>,
    /// The network's output for each action in `legal`: logits, or action values if the header of the network says so.
    pub logits: Vec<f32>,
    /// The network's value of the position for the deciding seat.
    pub value: f32,
    /// Label of the legal action with the largest output; the first one if several are equal. Cards have the names that
    /// the deciding seat sees.
    #[serde(rename = "move")]
    pub best: String,
}

impl Vector {
    /// Returns the whole row, `cells` long, or `None` if an entry is beyond it.
    pub fn dense_row(&self, cells: usize) -> Option<Vec<u8>> {
        let mut row = vec![0; cells];
        for &(cell, content) in &self.row {
            *row.get_mut(cell)? = content;
        }
        Some(row)
    }
}

/// Returns the content of [`FILE`]. The same vectors give the same bytes.
///
/// # Errors
/// A number is not finite.
pub fn to_bytes(vectors: &[Vector]) -> io::Result<Vec<u8>> {
    let mut lines = Vec::new();
    for vector in vectors {
        serde_json::to_writer(&mut lines, vector)?;
        lines.push(b'\n');
    }
    // The gzip header has no name and no time, so the bytes are deterministic.
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&lines)?;
    encoder.finish()
}

/// Returns the lines in the content of [`FILE`], cut off at the size of the largest bot file.
///
/// # Errors
/// A line is an error if the bytes are not gzip or the text is not UTF-8.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = io::Result<String>> {
    BufReader::new(GzDecoder::new(bytes).take(MAX_FILE)).lines()
}

/// Returns the nonzero cells of a row, each with its index.
pub(super) fn sparse<'r>(row: impl IntoIterator<Item = &'r u8>) -> Vec<(usize, u8)> {
    row.into_iter().copied().enumerate().filter(|(_, content)| *content != 0).collect()
}

/// Returns the action of `legal` with the largest of `logits` (one per action id), the first if several are equal.
pub(super) fn greedy(
    legal: &[ActionId],
    logits: &(impl Index<usize, Output = f32> + ?Sized),
) -> Option<ActionId> {
    legal.iter().copied().reduce(|best, action| {
        let better = logits[usize::from(action.0)] > logits[usize::from(best.0)];
        if better { action } else { best }
    })
}

/// Sessions that are played in parallel to collect vectors, in groups of [`GROUP`].
const LANES: usize = 32;
/// Lanes of a group. The last one uses random rules, the others use the rules of training.
const GROUP: usize = 4;
/// Number of random rule sets.
const DRAWN: usize = 64;
/// One in this many decisions becomes a vector, if its kind makes up at least half of the vectors so far.
const COMMON: u32 = 256;
/// One in this many decisions of any other kind becomes a vector, so that rare phases are well represented.
const RARE: u32 = 64;

/// Collects [`VECTORS`] positions. Three of four lanes play by the rules of training. The others play by random rules,
/// which an encoder has to support just as well. Half of the moves are the network's best ones and half are random, so
/// positions are both good and bad. A position becomes a vector if it covers a legal action or a nonzero cell that no
/// vector had before, and otherwise at random. The same input gives the same vectors.
///
/// # Errors
/// The game refuses rules of the header, or `stop` was set.
pub fn generate(
    game: &'static dyn AnyGame,
    header: &Header,
    net: &dyn PolicyNet,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Vec<Vector>, ExportError> {
    let options = BatchOptions { lanes: LANES, skip_forced: true, rows: true, reveal: false };
    let mut rules = header.rules.iter().map(|rules| game.rules(rules)).collect::<Result<Vec<_>, _>>()?;
    rules.extend((0..DRAWN as u64).map(|number| game.random_rules(derive(seed, &[LANES as u64, number]))));
    let mut env = game.batch(&rules, options);
    let mut batch = env.batch();
    let mut draw = Draw::new(seed, 0);
    let mut sessions = [0; LANES];
    let mut picks = [ActionId(0); LANES];
    let (mut outputs, mut values) = (Array2::zeros((LANES, net.actions())), [0.0; LANES]);
    let mut scratch = Scratch::default();
    let mut kept = Vec::with_capacity(VECTORS);
    let mut kinds = vec![0; game.actions().len()];
    let cells = net.cells();
    let mut coverage = Coverage::none(game, cells);
    while kept.len() < VECTORS {
        if stop.load(Ordering::Relaxed) {
            return Err(Stopped.into());
        }
        for (lane, session) in sessions.iter_mut().enumerate() {
            if batch.state[lane] == LaneState::Idle {
                let rules = rules_of(lane, *session, header.rules.len());
                env.start(lane, rules, derive(seed, &[lane as u64, *session as u64]), &mut batch);
                *session += 1;
            }
        }
        let asked: Vec<usize> = (0..LANES).filter(|&lane| batch.state[lane] == LaneState::Decide).collect();
        let (rows, masks) = (batch.row.view(), batch.legal.view());
        net.forward_lanes(rows, masks, &asked, &mut scratch, &mut outputs, &mut values);
        for (k, &lane) in asked.iter().enumerate() {
            let (logits, value) = (outputs.row(k), values[k]);
            let legal: Vec<ActionId> = mask::actions(&batch.legal.row(lane).to_vec()).collect();
            let best = greedy(&legal, &logits).unwrap_or_default();
            let random = legal[draw.below(legal.len() as u32) as usize];
            picks[lane] = if draw.below(2) == 0 { random } else { best };
            let kind = kind_of(game, legal[0]);
            let common = kinds[kind] * 2 >= kept.len();
            let row = sparse(batch.row.row(lane).iter().take(cells));
            let drawn = draw.below(if common { COMMON } else { RARE }) == 0;
            if (drawn || coverage.lacks(&row, &legal)) && kept.len() < VECTORS {
                kinds[kind] += 1;
                coverage.add(&row, &legal);
                let logits = legal.iter().map(|a| logits[usize::from(a.0)]).collect();
                let seen = env.view(lane).map(|view| (view.json(), view.label(best)));
                let (view, name) = seen.unwrap_or_default();
                kept.push(Vector { view, row, legal, logits, value, best: name });
            }
        }
        env.step(&picks, &mut batch);
    }
    Ok(kept)
}

/// Returns the index of the rules of a lane's next session, among those of training and the [`DRAWN`] random ones after
/// them. The lanes divide the rules among them, so that long sessions get no larger share than short ones.
fn rules_of(lane: usize, session: usize, trained: usize) -> usize {
    let (group, place) = (lane / GROUP, lane % GROUP);
    let among = |lanes: usize, place: usize| lanes * (group + session * (LANES / GROUP)) + place;
    if place == GROUP - 1 { trained + among(1, 0) % DRAWN } else { among(GROUP - 1, place) % trained }
}

/// Returns the kind of a decision: the block of its first legal action.
fn kind_of(game: &dyn AnyGame, first: ActionId) -> usize {
    game.actions().iter().take_while(|block| block.end() <= usize::from(first.0)).count()
}

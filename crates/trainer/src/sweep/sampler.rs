//! Which settings a sweep tries: all of a grid, drawn ones, or ones that are suggested from the results of others.
//!
//! For suggestions each field has its own tree-structured Parzen estimator of the crate `tpe` (Bergstra, Bardenet, Bengio,
//! Kégl: "Algorithms for Hyper-Parameter Optimization", 2011).

use cardsharp_env::rng::{Draw, derive};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;
use tpe::density_estimation::DefaultEstimatorBuilder;
use tpe::{TpeOptimizer, TpeOptimizerBuilder};

use super::field::{Field, FieldValues};

/// Names the random streams of drawn and suggested settings.
const DRAWN: u64 = 0x7377_6472;
/// Maximum number of tries to draw a new setting.
const TRIES: u64 = 100;

/// Returns every combination of values. The first field changes slowest.
pub(super) fn grid(fields: &[Field]) -> Vec<Vec<Value>> {
    fields.iter().fold(vec![Vec::new()], |settings, field| {
        let values = field.values.grid();
        let with = |setting: &Vec<Value>| {
            values
                .iter()
                .map(|value| [&setting[..], std::slice::from_ref(value)].concat())
                .collect::<Vec<_>>()
        };
        settings.iter().flat_map(with).collect()
    })
}

/// Returns setting `number`, from `draw` with its own random stream for each field. Draws again if the setting is in
/// `before`, because fields with few values would repeat it.
fn unlike(
    seed: u64,
    number: u64,
    before: &[Vec<Value>],
    mut draw: impl FnMut(&dyn Fn(u64) -> u64) -> Vec<Value>,
) -> Vec<Value> {
    let mut setting = Vec::new();
    for attempt in 0..TRIES {
        setting = draw(&|field| derive(seed, &[DRAWN, number, attempt, field]));
        if !before.contains(&setting) {
            break;
        }
    }
    setting
}

/// Draws setting `number` uniformly from all combinations.
pub(super) fn random(fields: &[Field], seed: u64, number: u64, before: &[Vec<Value>]) -> Vec<Value> {
    unlike(seed, number, before, |stream| {
        let value = |(at, field): (usize, &Field)| field.values.draw(&mut Draw::new(stream(at as u64), 0));
        fields.iter().enumerate().map(value).collect()
    })
}

/// Share of the settings that count as good. `CANDIDATES` is the number of candidate values: the estimator chooses the
/// one that is most typical of good settings. It is smaller than usual: the best of many candidates is nearly the same
/// each time, and a sweep has tens of settings, not thousands.
const GOOD: f64 = 0.2;
const CANDIDATES: usize = 8;

pub(super) struct Known {
    pub(super) values: Vec<Value>,
    /// Its score; higher is better. Minus infinity if it has no result, or none yet. That keeps the settings of a batch
    /// apart (the "constant liar" of Ginsbourger, Le Riche, Carraro: "Kriging Is Well-Suited to Parallelize
    /// Optimization", 2010).
    pub(super) score: f64,
}

/// Suggests setting `number` from the results in `known`. Avoids settings in `known` if possible.
pub(super) fn suggest(fields: &[Field], seed: u64, number: u64, known: &[Known]) -> Vec<Value> {
    let before: Vec<Vec<Value>> = known.iter().map(|known| known.values.clone()).collect();
    unlike(seed, number, &before, |stream| {
        let value = |(at, field): (usize, &Field)| {
            let mut rng = ChaCha8Rng::seed_from_u64(stream(at as u64));
            one(&field.values, at, known, &mut rng).unwrap_or_else(|| {
                let mut draw = Draw::new(stream(at as u64), 0);
                field.values.draw(&mut draw)
            })
        };
        fields.iter().enumerate().map(value).collect()
    })
}

/// Suggests a value of field `at`; none if the field has only one value.
fn one(values: &FieldValues, at: usize, known: &[Known], rng: &mut ChaCha8Rng) -> Option<Value> {
    let mut optimizer = optimizer(values)?;
    for Known { values: theirs, score } in known {
        let place = match values {
            FieldValues::List(list) => list.iter().position(|value| *value == theirs[at])? as f64,
            // The range of the estimator excludes its upper end.
            FieldValues::Range(range) => range.place(&theirs[at]).min(1.0 - f64::EPSILON),
        };
        optimizer.tell(place, -score).ok()?;
    }
    let place = optimizer.ask(rng).ok()?;
    Some(match values {
        FieldValues::List(list) => list[(place as usize).min(list.len() - 1)].clone(),
        FieldValues::Range(range) => range.at(place),
    })
}

fn optimizer(values: &FieldValues) -> Option<TpeOptimizer<DefaultEstimatorBuilder>> {
    let (estimator, range) = match values {
        FieldValues::List(list) => (tpe::histogram_estimator(), tpe::categorical_range(list.len()).ok()?),
        FieldValues::Range(range) if range.min < range.max => {
            (tpe::parzen_estimator(), tpe::range(0.0, 1.0).ok()?)
        }
        FieldValues::Range(_) => return None,
    };
    TpeOptimizerBuilder::new().gamma(GOOD).candidates(CANDIDATES).build(estimator, range).ok()
}

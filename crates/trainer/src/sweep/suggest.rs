//! Suggests settings from the results of others. Each field has its own tree-structured Parzen estimator of the crate
//! `tpe` (Bergstra, Bardenet, Bengio, Kégl: "Algorithms for Hyper-Parameter Optimization", 2011).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde_json::Value;
use tpe::density_estimation::DefaultEstimatorBuilder;
use tpe::{TpeOptimizer, TpeOptimizerBuilder};

use super::field::{Field, Values};
use super::trials;

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
    trials::unlike(seed, number, &before, |stream| {
        let value = |(at, field): (usize, &Field)| {
            let mut rng = ChaCha8Rng::seed_from_u64(stream(at as u64));
            one(&field.values, at, known, &mut rng).unwrap_or_else(|| {
                let mut draw = cardsharp_env::rng::Draw::new(stream(at as u64), 0);
                field.values.draw(&mut draw)
            })
        };
        fields.iter().enumerate().map(value).collect()
    })
}

/// Suggests a value of field `at`; none if the field has only one value.
fn one(values: &Values, at: usize, known: &[Known], rng: &mut ChaCha8Rng) -> Option<Value> {
    let mut optimizer = optimizer(values)?;
    for Known { values: theirs, score } in known {
        let place = match values {
            Values::List(list) => list.iter().position(|value| *value == theirs[at])? as f64,
            // The range of the estimator excludes its upper end.
            Values::Range(range) => range.place(&theirs[at]).min(1.0 - f64::EPSILON),
        };
        optimizer.tell(place, -score).ok()?;
    }
    let place = optimizer.ask(rng).ok()?;
    Some(match values {
        Values::List(list) => list[(place as usize).min(list.len() - 1)].clone(),
        Values::Range(range) => range.at(place),
    })
}

fn optimizer(values: &Values) -> Option<TpeOptimizer<DefaultEstimatorBuilder>> {
    let (estimator, range) = match values {
        Values::List(list) => (tpe::histogram_estimator(), tpe::categorical_range(list.len()).ok()?),
        Values::Range(range) if range.min < range.max => {
            (tpe::parzen_estimator(), tpe::range(0.0, 1.0).ok()?)
        }
        Values::Range(_) => return None,
    };
    TpeOptimizerBuilder::new().gamma(GOOD).candidates(CANDIDATES).build(estimator, range).ok()
}

//! What a batch is given.

use cardsharp_env::{ActionId, AnyGame, GameRules, seed};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PySequence, PyTuple};
use pyo3::{type_hint_identifier as name, type_hint_subscript as of, type_hint_union};

use crate::input::{self, ObjectArg, mistyped, refused};
use crate::numbers::{fits, integers, integers_as};

/// How many of something.
pub(super) struct CountArg(pub(super) i128);

impl<'a, 'py> FromPyObject<'a, 'py> for CountArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = name!("typing", "SupportsIndex");

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        input::whole("", &given).map(Self)
    }
}

impl CountArg {
    /// The number, if there may be as many.
    pub(super) fn within(&self, what: &str, most: usize) -> PyResult<usize> {
        let number = usize::try_from(self.0).ok().filter(|number| (1..=most).contains(number));
        number.ok_or_else(|| refused(format!("{what}: {} is out of range: expected 1 to {most}", self.0)))
    }
}

/// Rules, or a mixture of them.
pub(super) struct RulesArg<'py>(Bound<'py, PyAny>);

impl<'py> FromPyObject<'_, 'py> for RulesArg<'py> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        ObjectArg::INPUT_TYPE,
        of!(name!("collections.abc", "Sequence"), ObjectArg::INPUT_TYPE),
        of!(
            name!("collections.abc", "Sequence"),
            of!(name!("builtins", "tuple"), ObjectArg::INPUT_TYPE, name!("builtins", "float"))
        )
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(given.to_owned()))
    }
}

/// Checked rules with their weights.
pub(super) fn mixture(
    game: &'static dyn AnyGame,
    given: Option<RulesArg<'_>>,
    players: Option<u32>,
) -> PyResult<Vec<(GameRules, f64)>> {
    let Some(RulesArg(given)) = given else {
        return Ok(vec![(input::rules(game, input::with_players(None, players)?)?, 1.0)]);
    };
    if given.cast::<PyMapping>().is_ok() {
        let rules = input::with_players(Some(given.extract()?), players)?;
        return Ok(vec![(input::rules(game, rules)?, 1.0)]);
    }
    let expected = "a mapping of options, a list of them, or a list of pairs of options and weights";
    let entries = given.cast::<PySequence>().map_err(|_| mistyped("rules", expected, &given))?;
    let mut all = Vec::new();
    for (at, entry) in entries.try_iter()?.enumerate() {
        let entry = entry?;
        let wrong = |_| mistyped(&format!("rules[{at}]"), "a mapping, or a pair of one and a weight", &entry);
        let (rules, weight): (Bound<'_, PyAny>, f64) = match entry.cast::<PyTuple>() {
            Ok(pair) => pair.extract().map_err(wrong)?,
            Err(_) => (entry.clone(), 1.0),
        };
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(refused(format!("rules[{at}]: the weight is {weight}: expected 0 or more")));
        }
        let rules = input::with_players(Some(rules.extract::<ObjectArg>().map_err(wrong)?), players)?;
        let rules = rules.map_or_else(|| serde_json::json!({}), |rules| rules.0);
        let checked = game.rules(&rules).map_err(|error| refused(format!("rules[{at}]: {error}")))?;
        all.push((checked, weight));
    }
    if !(1..=usize::from(u16::MAX)).contains(&all.len()) {
        return Err(refused(format!("rules: there are {}: expected 1 to {}", all.len(), u16::MAX)));
    }
    if !all.iter().any(|(_, weight)| *weight > 0.0) {
        return Err(refused("rules: all weights are 0: expected one that is more"));
    }
    Ok(all)
}

/// An action for each lane.
pub(super) struct PicksArg<'py> {
    /// As few bytes as there can be: threads read what another wrote. What is out of their range is an action of no game.
    pub(super) actions: Vec<ActionId>,
    given: Bound<'py, PyAny>,
}

impl PicksArg<'_> {
    pub(super) fn fits(&self, lanes: usize) -> PyResult<()> {
        fits("actions", self.actions.len(), lanes)
    }

    /// What was given for a lane.
    pub(super) fn of(&self, lane: usize) -> PyResult<i64> {
        integers("actions", &self.given)?.get(lane).copied().ok_or_else(|| refused("actions: it has changed"))
    }
}

impl<'py> FromPyObject<'_, 'py> for PicksArg<'py> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = name!("numpy.typing", "ArrayLike");

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let action = |number| ActionId(u16::try_from(number).unwrap_or(u16::MAX));
        Ok(Self { actions: integers_as("actions", &given, action)?, given: given.to_owned() })
    }
}

/// A seed for all lanes, or one for each.
pub(super) enum SeedsArg {
    One(u64),
    Each(Vec<u64>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for SeedsArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr =
        type_hint_union!(name!("typing", "SupportsIndex"), name!("numpy.typing", "ArrayLike"));

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(number) = input::whole("seed", &given) {
            return input::seed(number).map(Self::One);
        }
        if let Ok(array) = given.cast::<PyArray1<u64>>() {
            let array = array.try_readonly().map_err(refused)?;
            return array
                .as_array()
                .iter()
                .map(|&seed| input::seed(seed.into()))
                .collect::<PyResult<_>>()
                .map(Self::Each);
        }
        let seeds = integers("seed", &given)?;
        seeds.iter().map(|&seed| input::seed(seed.into())).collect::<PyResult<_>>().map(Self::Each)
    }
}

impl SeedsArg {
    /// The seed of each lane.
    pub(super) fn of(self, lanes: usize) -> PyResult<Vec<u64>> {
        match self {
            Self::One(seed) => Ok((0..lanes as u64).map(|lane| seed::derived(seed, &[lane])).collect()),
            Self::Each(seeds) => fits("seed", seeds.len(), lanes).map(|()| seeds),
        }
    }
}

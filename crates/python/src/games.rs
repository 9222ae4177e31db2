//! Games and rules by name.

use cardsharp_env::blocks::width;
use cardsharp_env::rules::OptionDoc;
use cardsharp_env::{ActionId, AnyGame, Block, GAMES};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::type_object::PyTypeInfo;
use pyo3::types::{PyDict, PyString, PyTuple};
use pyo3::{type_hint_identifier as name, type_hint_union};

use crate::input::{self, ObjectArg, SeedArg, Whole, mistyped, refused};
use crate::output::{Blocks, Names, Object, Options, Pickled, Range, imported, json, record};

/// A game: its options, and what rows and actions are made of.
///
/// Got by `cardsharp_rl.game("dalmuti")`; everything that takes a game takes its name as well.
#[pyclass(frozen, module = "cardsharp_rl")]
pub(crate) struct Game(&'static dyn AnyGame);

impl Game {
    pub(crate) fn game(&self) -> &'static dyn AnyGame {
        self.0
    }
}

/// A game, by name or as it is.
#[derive(Clone, Copy)]
pub(crate) struct GameArg(pub(crate) &'static dyn AnyGame);

impl<'a, 'py> FromPyObject<'a, 'py> for GameArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(name!("builtins", "str"), Game::TYPE_HINT);

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(game) = given.cast::<Game>() {
            return Ok(Self(game.get().game()));
        }
        match given.cast::<PyString>() {
            Ok(name) => input::named(name.to_str()?).map(Self),
            Err(_) => Err(mistyped("game", "a name or a Game", &given)),
        }
    }
}

fn blocks<'py>(py: Python<'py>, blocks: &[Block]) -> PyResult<Blocks<'py>> {
    static BLOCK: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let all = blocks.iter().map(|&Block { name, offset, len, max, meaning }| {
        record(py, &BLOCK, "Block", (name, offset, len, max, meaning).into_pyobject(py)?)
    });
    Ok(Blocks(PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)?.into_any()))
}

#[pymethods]
impl Game {
    /// The name in calls and files.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The name people use.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.title()
    }

    /// The numbers of players that it is for.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Range<'py>> {
        static RANGE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let players = self.0.players();
        imported(py, &RANGE, "builtins", "range")?.call1((*players.start(), players.end() + 1)).map(Range)
    }

    /// The version of rows and actions: it rises when one of them changes its meaning.
    #[getter]
    fn encoding(&self) -> u32 {
        self.0.encoding()
    }

    /// The length of an observation row.
    #[getter]
    fn cells(&self) -> usize {
        width(self.0.observation())
    }

    /// The number of actions, legal or not.
    #[getter]
    fn actions(&self) -> usize {
        width(self.0.actions())
    }

    /// The length of a row of hidden cards, which critics may see: 0 in games that have none.
    #[getter]
    fn privileged_cells(&self) -> usize {
        width(self.0.hidden())
    }

    /// What the cells of a row are, as named runs.
    #[getter]
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Blocks<'py>> {
        blocks(py, self.0.observation())
    }

    /// What the actions are, as named runs.
    #[getter]
    fn action_blocks<'py>(&self, py: Python<'py>) -> PyResult<Blocks<'py>> {
        blocks(py, self.0.actions())
    }

    /// What the cells of a row of hidden cards are, as named runs.
    #[getter]
    fn privileged_observation<'py>(&self, py: Python<'py>) -> PyResult<Blocks<'py>> {
        blocks(py, self.0.hidden())
    }

    /// The options of its rules: names, values, meanings, defaults.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Options<'py>> {
        static OPTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let defaults = self.0.default_rules();
        let all = self.0.options().iter().map(|option: &OptionDoc| {
            let default = json(py, &defaults.json()[option.name])?;
            let fields = (option.name, option.values.to_string(), option.meaning, default);
            record(py, &OPTION, "Option", fields.into_pyobject(py)?)
        });
        Ok(Options(PyTuple::new(py, all.collect::<PyResult<Vec<_>>>()?)?.into_any()))
    }

    /// The option that says how many rounds a session has.
    #[getter]
    fn rounds_option(&self) -> &'static str {
        self.0.rounds_option()
    }

    /// What a seat can undertake in a round, by name; empty in a game without contracts.
    #[getter]
    fn contracts<'py>(&self, py: Python<'py>) -> PyResult<Names<'py>> {
        Ok(Names(PyTuple::new(py, self.0.contracts())?.into_any()))
    }

    /// Kinds of moves that tell how somebody plays, by name.
    #[getter]
    fn habits<'py>(&self, py: Python<'py>) -> PyResult<Names<'py>> {
        Ok(Names(PyTuple::new(py, self.0.habits())?.into_any()))
    }

    /// Whether it is there because its solution is known, and not for people.
    #[getter]
    fn reference(&self) -> bool {
        self.0.is_reference()
    }

    /// The names of all actions, in the notation of the standard deck: a list of `actions` texts.
    fn labels(&self) -> Vec<String> {
        (0..width(self.0.actions())).map(|id| self.0.label(ActionId(id as u16))).collect()
    }

    /// The name of an action, in the notation of the standard deck.
    ///
    /// Raises ValueError if there is no such action.
    fn label(&self, action: Whole<'_>) -> PyResult<String> {
        Ok(self.0.label(input::action(self.0, &action.0)?))
    }

    /// The action with this name, in the notation of the standard deck.
    ///
    /// Raises ValueError if there is none.
    fn action(&self, label: &str) -> PyResult<u16> {
        let found = self.0.parse(label).map(|action| action.0);
        found.ok_or_else(|| refused(format!("{} has no action '{label}'", self.0.name())))
    }

    /// Checked rules, all options: those given, as a mapping or by keywords, and the defaults of the others.
    ///
    /// >>> cardsharp_rl.game("dalmuti").rules(players=5)["players"]
    /// 5
    ///
    /// Raises ValueError, which names the option that was refused and what would be right.
    #[pyo3(signature = (rules=None, /, **options: "object"))]
    fn rules<'py>(
        &self,
        py: Python<'py>,
        rules: Option<ObjectArg>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Object<'py>> {
        let mut all = rules.unwrap_or_else(|| ObjectArg(serde_json::json!({})));
        if let Some(options) = options {
            let ObjectArg(options) = options.extract()?;
            if let (Some(all), serde_json::Value::Object(options)) = (all.0.as_object_mut(), options) {
                all.extend(options);
            }
        }
        json(py, input::rules(self.0, Some(all))?.json()).map(Object)
    }

    /// Valid rules drawn at random over all options and numbers of players.
    fn random_rules<'py>(&self, py: Python<'py>, seed: SeedArg) -> PyResult<Object<'py>> {
        json(py, self.0.random_rules(seed.0).json()).map(Object)
    }

    fn __repr__(&self) -> String {
        let players = self.0.players();
        format!(
            "<cardsharp_rl.Game {}: {}, {} to {} players, {} cells, {} actions>",
            self.0.name(),
            self.0.title(),
            players.start(),
            players.end(),
            width(self.0.observation()),
            width(self.0.actions())
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.0.name().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        static GAME: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let game = imported(py, &GAME, "cardsharp_rl", "game")?;
        Ok(Pickled((game, (self.0.name(),)).into_pyobject(py)?.into_any()))
    }
}

/// The games, those that people play; with `reference` also the ones that are there because their solution is known.
#[pyfunction]
#[pyo3(signature = (reference=false))]
pub(crate) fn games(reference: bool) -> Vec<Game> {
    GAMES.iter().filter(|game| reference || !game.is_reference()).map(|game| Game(*game)).collect()
}

/// The game of this name.
///
/// Raises ValueError if there is none, and says which there are.
#[pyfunction]
pub(crate) fn game(name: &str) -> PyResult<Game> {
    input::named(name).map(Game)
}

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

/// A game: its options, observation rows and actions.
///
/// `cardsharp_rl.game("dalmuti")` returns it. Every function that takes a game also takes its name.
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

    /// The title for people.
    #[getter]
    fn title(&self) -> &'static str {
        self.0.title()
    }

    /// The possible numbers of players.
    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Range<'py>> {
        static RANGE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let players = self.0.players();
        imported(py, &RANGE, "builtins", "range")?.call1((*players.start(), players.end() + 1)).map(Range)
    }

    /// The version of rows and actions. It rises when one of them changes its meaning.
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

    /// The length of a row of hidden cards for critics; 0 in games without hidden cards.
    #[getter]
    fn privileged_cells(&self) -> usize {
        width(self.0.hidden())
    }

    /// The cells of an observation row as named blocks.
    #[getter]
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Blocks<'py>> {
        blocks(py, self.0.observation())
    }

    /// The actions as named blocks.
    #[getter]
    fn action_blocks<'py>(&self, py: Python<'py>) -> PyResult<Blocks<'py>> {
        blocks(py, self.0.actions())
    }

    /// The cells of a row of hidden cards as named blocks.
    #[getter]
    fn privileged_observation<'py>(&self, py: Python<'py>) -> PyResult<Blocks<'py>> {
        blocks(py, self.0.hidden())
    }

    /// The options of the rules: names, values, meanings and defaults.
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

    /// The option with the number of rounds in a session.
    #[getter]
    fn rounds_option(&self) -> &'static str {
        self.0.rounds_option()
    }

    /// The names of contracts that a seat can undertake; empty in a game without contracts.
    #[getter]
    fn contracts<'py>(&self, py: Python<'py>) -> PyResult<Names<'py>> {
        Ok(Names(PyTuple::new(py, self.0.contracts())?.into_any()))
    }

    /// The names of the kinds of moves that `arena` counts for each bot.
    #[getter]
    fn habits<'py>(&self, py: Python<'py>) -> PyResult<Names<'py>> {
        Ok(Names(PyTuple::new(py, self.0.habits())?.into_any()))
    }

    /// Whether the game serves as a reference with a known solution.
    #[getter]
    fn reference(&self) -> bool {
        self.0.is_reference()
    }

    /// Returns the labels of all actions, in the notation of the standard deck.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     One label for each action.
    fn labels(&self) -> Vec<String> {
        (0..width(self.0.actions())).map(|id| self.0.label(ActionId(id as u16))).collect()
    }

    /// Returns the label of an action.
    ///
    /// Parameters
    /// ----------
    /// action : int
    ///     The action, from 0.
    ///
    /// Returns
    /// -------
    /// str
    ///     The label, in the notation of the standard deck.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such action.
    fn label(&self, action: Whole<'_>) -> PyResult<String> {
        Ok(self.0.label(input::action(self.0, &action.0)?))
    }

    /// Returns the action with a label.
    ///
    /// Parameters
    /// ----------
    /// label : str
    ///     The label, in the notation of the standard deck.
    ///
    /// Returns
    /// -------
    /// int
    ///     The action, from 0.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If no action has this label.
    fn action(&self, label: &str) -> PyResult<u16> {
        let found = self.0.parse(label).map(|action| action.0);
        found.ok_or_else(|| refused(format!("{} has no action '{label}'", self.0.name())))
    }

    /// Validates rules and adds the defaults.
    ///
    /// Parameters
    /// ----------
    /// rules : mapping, optional
    ///     Options and their values.
    /// **options
    ///     Further options, as keywords.
    ///
    /// Returns
    /// -------
    /// dict
    ///     All options.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an option is unknown or refused. The message has the option and what is allowed.
    ///
    /// Examples
    /// --------
    /// >>> cardsharp_rl.game("dalmuti").rules(players=5)["players"]
    /// 5
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

    /// Draws valid rules, over all options and numbers of players.
    ///
    /// Parameters
    /// ----------
    /// seed : int or None
    ///     The seed. None draws one.
    ///
    /// Returns
    /// -------
    /// dict
    ///     All options.
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

/// Lists the games.
///
/// Parameters
/// ----------
/// reference : bool, default False
///     Whether to include games that serve as references with a known solution.
///
/// Returns
/// -------
/// list of Game
///     The games.
#[pyfunction]
#[pyo3(signature = (reference=false))]
pub(crate) fn games(reference: bool) -> Vec<Game> {
    GAMES.iter().filter(|game| reference || !game.is_reference()).map(|game| Game(*game)).collect()
}

/// Returns the game with a name.
///
/// Parameters
/// ----------
/// name : str
///     The name, as in `games`.
///
/// Returns
/// -------
/// Game
///     The game.
///
/// Raises
/// ------
/// ValueError
///     If there is no such game. The message lists all games.
#[pyfunction]
pub(crate) fn game(name: &str) -> PyResult<Game> {
    input::named(name).map(Game)
}

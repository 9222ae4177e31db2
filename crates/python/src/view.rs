//! What one seat may know.

use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, AnyTable, AnyView, SeatView, mask};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::input::{self, TextArg, Whole, refused};
use crate::output::{self, Actions, Bytes, Flags, Moves, Object, Pickled, imported, json};

/// What one seat may know. Bots and observation rows depend on nothing else.
///
/// Two views are equal if they show the same.
///
/// Parameters
/// ----------
/// json : mapping or str
///     The view as `View.json` returns it, or its JSON.
///
/// Raises
/// ------
/// ValueError
///     If no session can reach this view.
#[pyclass(frozen, module = "cardsharp_rl")]
pub(crate) struct View(Box<dyn AnyView>);

impl View {
    pub(crate) fn of(view: SeatView<'_>) -> Self {
        Self(view.kept())
    }

    pub(crate) fn read(json: &serde_json::Value) -> PyResult<Self> {
        let name = json["game"].as_str().ok_or_else(|| refused("the view names no `game`"))?;
        let view = input::named(name)?.view_of(json);
        view.map(Self).map_err(|error| refused(format!("the view: {error}")))
    }

    pub(crate) fn seen(&self) -> SeatView<'_> {
        self.0.view()
    }

    fn known(&self) -> PyResult<&'static dyn AnyGame> {
        input::named(self.seen().game())
    }
}

/// The observation row of a view.
pub(crate) fn row<'py>(py: Python<'py>, view: SeatView<'_>) -> Bytes<'py> {
    let mut row = vec![0; view.cells()];
    view.row(&mut row);
    // An array with memory of numpy's own takes less time than one around memory of Rust's.
    PyArray1::from_slice(py, &row).into()
}

/// The legal actions of a view, a flag for each action.
pub(crate) fn legal(game: &dyn AnyGame, view: SeatView<'_>) -> Vec<bool> {
    let mut flags = vec![false; width(game.actions())];
    mask::write_flags(&view.legal_words(), &mut flags);
    flags
}

/// The same as an array.
pub(crate) fn flags<'py>(py: Python<'py>, game: &dyn AnyGame, view: SeatView<'_>) -> Flags<'py> {
    PyArray1::from_slice(py, &legal(game, view)).into()
}

/// Numbers of actions.
pub(crate) fn numbers(py: Python<'_>, actions: impl IntoIterator<Item = ActionId>) -> Actions<'_> {
    PyArray1::from_iter(py, actions.into_iter().map(|action| action.0)).into()
}

/// What a seat may know; without one, the seat that must decide.
pub(crate) fn seen<'a>(session: &'a dyn AnyTable, seat: Option<Whole<'_>>) -> PyResult<SeatView<'a>> {
    let Some(seat) = seat else {
        return session.asked().ok_or_else(|| refused("the round is over, so no seat decides: pass `seat`"));
    };
    let seat = input::seat(session.seats(), &seat.0)?;
    let view = session.view(seat);
    view.ok_or_else(|| refused(format!("seat {} does not play this round", seat.0)))
}

#[pymethods]
impl View {
    #[new]
    fn new(json: TextArg) -> PyResult<Self> {
        Self::read(&json.0)
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.seen().game()
    }

    /// The seat of the view.
    #[getter]
    fn seat(&self) -> u8 {
        self.seen().seat().0
    }

    /// Returns the legal actions.
    ///
    /// Returns
    /// -------
    /// ndarray of uint16
    ///     The actions, ascending; empty if the seat has no decision.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Actions<'py> {
        numbers(py, mask::actions(&self.seen().legal_words()))
    }

    /// Returns the legal moves.
    ///
    /// Returns
    /// -------
    /// list of Move
    ///     Actions with their labels; empty if the seat has no decision.
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Moves<'py>> {
        output::moves(py, mask::actions(&self.seen().legal_words()), |action| self.seen().label(action))
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
    ///     The label, with the seat's names of cards.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such action.
    fn label(&self, action: Whole<'_>) -> PyResult<String> {
        Ok(self.seen().label(input::action(self.known()?, &action.0)?))
    }

    /// Returns the observation row.
    ///
    /// Returns
    /// -------
    /// ndarray of uint8, shape (cells,)
    ///     The row. `Game.observation` describes its cells.
    fn observation<'py>(&self, py: Python<'py>) -> Bytes<'py> {
        row(py, self.seen())
    }

    /// Returns the legal actions as flags.
    ///
    /// Returns
    /// -------
    /// ndarray of bool, shape (actions,)
    ///     True for legal actions; all False if the seat has no decision.
    fn action_mask<'py>(&self, py: Python<'py>) -> PyResult<Flags<'py>> {
        Ok(flags(py, self.known()?, self.seen()))
    }

    /// Returns the view as a dictionary.
    ///
    /// Returns
    /// -------
    /// dict
    ///     The fields that `views.md` of the game describes.
    fn json<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        json(py, &self.seen().json()).map(Object)
    }

    /// Returns the view as a text that is equal for equal views.
    ///
    /// Returns
    /// -------
    /// str
    ///     One text for each content of a view.
    fn text(&self) -> PyResult<String> {
        output::text(&self.seen().json())
    }

    /// Returns the view as text for people, with drawn cards.
    ///
    /// Returns
    /// -------
    /// str
    ///     Several lines.
    fn picture(&self) -> String {
        self.seen().picture()
    }

    fn __str__(&self) -> String {
        self.picture()
    }

    fn __repr__(&self) -> String {
        format!("<cardsharp_rl.View of seat {} in {}>", self.seat(), self.game())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.seen().seat() == other.seen().seat() && self.seen().json() == other.seen().json()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.text()?.into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        static VIEW: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let view = imported(py, &VIEW, "cardsharp_rl", "View")?;
        Ok(Pickled((view, (self.text()?,)).into_pyobject(py)?.into_any()))
    }
}

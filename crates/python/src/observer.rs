//! What a seat knows, from its record.

use cardsharp_env::{AnyGame, AnyObserver};
use pyo3::prelude::*;

use crate::input::{self, TextArg, refused};
use crate::view::View;
use crate::work::{alone, shared};

/// Reads the event log of a seat line by line, and has the view of the seat.
///
/// `cardsharp_rl.observe` reads a whole log at once.
///
/// Parameters
/// ----------
/// header : mapping or str
///     The first line, as `Table.header(seat)` returns it, or its JSON.
///
/// Raises
/// ------
/// ValueError
///     If the line is not a valid header.
#[pyclass(module = "cardsharp_rl")]
pub(crate) struct Observer {
    game: &'static dyn AnyGame,
    observer: Box<dyn AnyObserver>,
}

#[pymethods]
impl Observer {
    #[new]
    fn new(header: TextArg) -> PyResult<Self> {
        let TextArg(header) = header;
        let name = header["game"].as_str().ok_or_else(|| refused("the header names no `game`"))?;
        let game = input::named(name)?;
        let observer = game.observer(&header).map_err(refused)?;
        Ok(Self { game, observer })
    }

    /// The name of the game.
    #[getter]
    fn game(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
        Ok(shared(slf)?.game.name())
    }

    /// The seat of the log.
    #[getter]
    fn seat(slf: &Bound<'_, Self>) -> PyResult<u8> {
        Ok(shared(slf)?.observer.seat().0)
    }

    /// The number of lines so far.
    #[getter]
    fn lines(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.observer.lines())
    }

    /// Whether the session is over.
    #[getter]
    fn over(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(shared(slf)?.observer.over())
    }

    /// Reads the next line.
    ///
    /// Parameters
    /// ----------
    /// line : mapping or str
    ///     The line, or its JSON.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the rules do not allow this line. It is ignored then.
    fn hear(slf: &Bound<'_, Self>, line: TextArg) -> PyResult<()> {
        alone(slf)?.observer.hear(&line.0).map_err(refused)
    }

    /// Returns the view of the seat.
    ///
    /// Returns
    /// -------
    /// View
    ///     What the seat may know now.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If no round is in play, or the seat does not play in it.
    fn view(slf: &Bound<'_, Self>) -> PyResult<View> {
        alone(slf)?.observer.view().map(View::of).map_err(refused)
    }

    /// Returns the view at the seat's own decision, for logs without `turn` lines.
    ///
    /// Returns
    /// -------
    /// View
    ///     What the seat may know.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     As `view`, and if it is not the seat's turn.
    fn decide(slf: &Bound<'_, Self>) -> PyResult<View> {
        alone(slf)?.observer.decide().map(View::of).map_err(refused)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let this = shared(slf)?;
        let (seat, lines) = (this.observer.seat().0, this.observer.lines());
        Ok(format!("<cardsharp_rl.Observer of seat {seat}: {lines} lines>"))
    }
}

//! What a seat knows, from its record.

use cardsharp_env::{AnyGame, AnyObserver};
use pyo3::prelude::*;

use crate::input::{self, TextArg, refused};
use crate::view::View;
use crate::work::{alone, shared};

/// Hears the record of a seat line by line, and knows what the seat knows.
///
/// Made with the first line of a record (`Table.header(seat)`), a mapping or its JSON; ValueError if it is none. A whole record is read by
/// `cardsharp_rl.observe`.
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

    /// Whose record it is.
    #[getter]
    fn seat(slf: &Bound<'_, Self>) -> PyResult<u8> {
        Ok(shared(slf)?.observer.seat().0)
    }

    /// Lines heard so far.
    #[getter]
    fn lines(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.observer.lines())
    }

    /// Whether the session is over.
    #[getter]
    fn over(slf: &Bound<'_, Self>) -> PyResult<bool> {
        Ok(shared(slf)?.observer.over())
    }

    /// Hears the next line, a mapping or its JSON. One that the rules do not give is refused with a ValueError, and
    /// forgotten.
    fn hear(slf: &Bound<'_, Self>, line: TextArg) -> PyResult<()> {
        alone(slf)?.observer.hear(&line.0).map_err(refused)
    }

    /// What the seat knows now.
    ///
    /// Raises ValueError if it has no view: no round is in play, or it sits this one out.
    fn view(slf: &Bound<'_, Self>) -> PyResult<View> {
        alone(slf)?.observer.view().map(View::of).map_err(refused)
    }

    /// The same at the seat's own decision, for records that leave `turn` lines out: it is asked now.
    ///
    /// Raises ValueError as `view` does, and if it is not the seat's turn.
    fn decide(slf: &Bound<'_, Self>) -> PyResult<View> {
        alone(slf)?.observer.decide().map(View::of).map_err(refused)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let this = shared(slf)?;
        let (seat, lines) = (this.observer.seat().0, this.observer.lines());
        Ok(format!("<cardsharp_rl.Observer of seat {seat}: {lines} lines>"))
    }
}

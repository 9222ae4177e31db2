//! What the environments of PettingZoo, Gymnasium and OpenSpiel call for each decision. One call does as much as
//! possible, because a call from Python takes longer than most of what happens in it.

use cardsharp_env::SeatView;
use numpy::PyArray1;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::bots::Bot;
use crate::input::{SeedArg, Whole, refused};
use crate::output::{MaybeMask, MaybeTurn, Numbers};
use crate::table::{self, Table};
use crate::view;

/// Begins a session by the rules of `table` and this seed.
#[pyfunction]
pub(crate) fn begin(table: &Bound<'_, Table>, seed: SeedArg) -> PyResult<Table> {
    table.get().another(seed.0)
}

/// Plays an action, then, with `skip_forced`, decisions with a single legal action. Returns the seat that must decide and
/// its legal actions (int8, [actions]); None when the round is over.
///
/// Raises ValueError or TypeError as `Table.play` does; then nothing was played.
#[pyfunction]
pub(crate) fn play_on<'py>(
    table: &Bound<'py, Table>,
    action: Whole<'py>,
    skip_forced: bool,
) -> PyResult<MaybeTurn<'py>> {
    let (py, table) = (table.py(), table.get());
    let action = table.number(&action.0)?;
    let mut session = table.write()?;
    session.try_play(action).map_err(refused)?;
    if skip_forced {
        table::forced(&mut **session)?;
    }
    let Some(view) = session.asked() else { return Ok(MaybeTurn(py.None().into_bound(py))) };
    Ok(MaybeTurn((view.seat().0, mask(py, table, view)).into_pyobject(py)?.into_any()))
}

/// The legal actions of a view, 1 for each.
fn mask<'py>(py: Python<'py>, table: &Table, view: SeatView<'_>) -> Bound<'py, PyArray1<i8>> {
    let legal: Vec<i8> = view::legal(table.any_game(), view).into_iter().map(i8::from).collect();
    PyArray1::from_slice(py, &legal)
}

/// Plays the other seats until `seat` must decide or the round is over. `bots` are those of the seats after it, clockwise;
/// one bot may have several. With `skip_forced` decisions with a single legal action are played, too. Returns the legal
/// actions of `seat` (int8, [actions]); None when the round is over.
///
/// Other threads and signals wait meanwhile, so the bots must be quick.
#[pyfunction]
pub(crate) fn play_others<'py>(
    table: &Bound<'py, Table>,
    seat: u8,
    bots: Vec<Bound<'py, Bot>>,
    skip_forced: bool,
) -> PyResult<MaybeMask<'py>> {
    let py = table.py();
    let mut session = table.get().write()?;
    let seats = session.seats();
    while let Some(turn) = session.turn() {
        let only = match skip_forced.then(|| session.legal()).as_deref() {
            Some(&[only]) => Some(only),
            _ => None,
        };
        let action = match (only, session.asked()) {
            (Some(only), _) => only,
            (None, Some(view)) if turn.0 == seat => {
                return Ok(mask(py, table.get(), view).into());
            }
            (None, Some(view)) => {
                let place = (turn.index() + seats - usize::from(seat) - 1) % seats;
                let bot = bots.get(place).ok_or_else(|| refused("bots: there are too few"))?;
                let action = bot.get().alone()?.pick(view);
                bot.get().raise_again()?;
                action
            }
            (None, None) => break,
        };
        session.try_play(action).map_err(refused)?;
    }
    Ok(MaybeMask(py.None().into_bound(py)))
}

/// Makes a list, which has one 0, a list of these numbers, of which most are 0 or 1.
fn fill<'py, T>(list: &Bound<'py, PyList>, numbers: &[T]) -> PyResult<()>
where
    T: Copy + From<u8> + PartialEq + IntoPyObject<'py>,
{
    // Python makes a number for each place much more slowly than it repeats one.
    list.as_sequence().in_place_repeat(numbers.len())?;
    let one = T::from(1).into_bound_py_any(list.py())?;
    for (place, &number) in numbers.iter().enumerate() {
        if number == T::from(1) {
            list.set_item(place, &one)?;
        } else if number != T::from(0) {
            list.set_item(place, number)?;
        }
    }
    Ok(())
}

/// OpenSpiel's observation tensor: the seat one-hot among `seats`, and its row with each cell divided by its maximum. Fills
/// `numbers`, which has one 0, and returns the same numbers as an array.
#[pyfunction]
#[pyo3(signature = (table, seat, seats, numbers: "list[float]"))]
pub(crate) fn spiel_tensor<'py>(
    table: &Bound<'py, Table>,
    seat: Whole<'py>,
    seats: usize,
    numbers: &Bound<'py, PyList>,
) -> PyResult<Numbers<'py>> {
    let session = table.get().read()?;
    let view = table::seen(&**session, Some(seat))?;
    let mut row = vec![0; view.cells()];
    view.row(&mut row);
    let mut tensor = vec![0.0; seats + row.len()];
    let (player, cells) = tensor.split_at_mut(seats);
    if let Some(own) = player.get_mut(view.seat().index()) {
        *own = 1.0;
    }
    for block in table.get().any_game().observation() {
        for (number, &cell) in cells[block.offset..block.end()].iter_mut().zip(block.of(&row)) {
            if cell != 0 {
                // OpenSpiel's own tensors hold 32-bit numbers.
                *number = f64::from(f32::from(cell) / f32::from(block.max));
            }
        }
    }
    fill(numbers, &tensor)?;
    Ok(PyArray1::from_slice(table.py(), &tensor).into())
}

/// The legal actions of the seat that must decide, 1 for each, as OpenSpiel's mask. Fills `numbers`, which has one 0, and
/// returns the same numbers as an array.
#[pyfunction]
#[pyo3(signature = (table, numbers: "list[int]"))]
pub(crate) fn spiel_mask<'py>(
    table: &Bound<'py, Table>,
    numbers: &Bound<'py, PyList>,
) -> PyResult<Numbers<'py>> {
    let session = table.get().read()?;
    let legal = view::legal(table.get().any_game(), table::seen(&**session, None)?);
    let mask: Vec<i64> = legal.into_iter().map(i64::from).collect();
    fill(numbers, &mask)?;
    Ok(PyArray1::from_slice(table.py(), &mask).into())
}

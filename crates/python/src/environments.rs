//! What the environments of PettingZoo, Gymnasium and OpenSpiel call for each decision. One call does as much as
//! possible, because a call from Python takes longer than most of what happens in it.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::bots::Bot;
use crate::input::{SeedArg, Whole, refused};
use crate::output::{MaybeTurn, Numbers};
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
    let seat = view.seat().0;
    let legal: Vec<i8> = view::legal(table.any_game(), view).into_iter().map(i8::from).collect();
    Ok(MaybeTurn((seat, PyArray1::from_slice(py, &legal)).into_pyobject(py)?.into_any()))
}

/// Plays the other seats until `seat` must decide or the round is over. `bots` are those of the seats after it, clockwise;
/// one bot may have several. With `skip_forced` decisions with a single legal action are played, too. Returns whether
/// `seat` must decide.
///
/// Other threads and signals wait meanwhile, so the bots must be quick.
#[pyfunction]
pub(crate) fn play_others(
    table: &Bound<'_, Table>,
    seat: u8,
    bots: Vec<Bound<'_, Bot>>,
    skip_forced: bool,
) -> PyResult<bool> {
    let mut session = table.get().write()?;
    let seats = session.seats();
    while let Some(turn) = session.turn() {
        let only = match (skip_forced, session.legal().as_slice()) {
            (true, &[only]) => Some(only),
            _ => None,
        };
        if turn.0 == seat && only.is_none() {
            return Ok(true);
        }
        let action = match (only, session.asked()) {
            (Some(only), _) => only,
            (None, Some(view)) => {
                let place = (turn.index() + seats - usize::from(seat) - 1) % seats;
                let bot = bots.get(place).ok_or_else(|| refused("bots: there are too few"))?;
                let action = bot.get().alone()?.pick(view);
                bot.get().raise_again()?;
                action
            }
            (None, None) => return Ok(false),
        };
        session.try_play(action).map_err(refused)?;
    }
    Ok(false)
}

/// Makes a list, which has one 0, a list of these numbers, of which most are 0.
fn fill<'py, T>(list: &Bound<'py, PyList>, numbers: &[T]) -> PyResult<()>
where
    T: Copy + Default + PartialEq + IntoPyObject<'py>,
{
    // Python repeats one 0 much faster than it makes a number for each place.
    list.as_sequence().in_place_repeat(numbers.len())?;
    for (place, &number) in numbers.iter().enumerate() {
        if number != T::default() {
            list.set_item(place, number)?;
        }
    }
    Ok(())
}

/// OpenSpiel's observation tensor: the seat one-hot among `seats`, and its row with each cell divided by its maximum. Fills
/// `list`, which has one 0, and returns the same numbers as an array.
#[pyfunction]
#[pyo3(signature = (table, seat, seats, list: "list[float]"))]
pub(crate) fn spiel_tensor<'py>(
    table: &Bound<'py, Table>,
    seat: Whole<'py>,
    seats: usize,
    list: &Bound<'py, PyList>,
) -> PyResult<Numbers<'py>> {
    let session = table.get().read()?;
    let view = view::seen(&**session, Some(seat))?;
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
    fill(list, &tensor)?;
    Ok(PyArray1::from_slice(table.py(), &tensor).into())
}

/// The legal actions of the seat that must decide, 1 for each, as OpenSpiel's mask. Fills `list`, which has one 0, and
/// returns the same numbers as an array.
#[pyfunction]
#[pyo3(signature = (table, list: "list[int]"))]
pub(crate) fn spiel_mask<'py>(
    table: &Bound<'py, Table>,
    list: &Bound<'py, PyList>,
) -> PyResult<Numbers<'py>> {
    let session = table.get().read()?;
    let legal = view::legal(table.get().any_game(), view::seen(&**session, None)?);
    let mask: Vec<i64> = legal.into_iter().map(i64::from).collect();
    fill(list, &mask)?;
    Ok(PyArray1::from_slice(table.py(), &mask).into())
}

//! Players that are written in Python.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use cardsharp_bot::bot::DecisionBatch;
use cardsharp_bot::{Bot, Player};
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, SeatView, mask};
use ndarray::Array2;
use numpy::IntoPyArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyType};

use crate::input::{self, refused};
use crate::numbers::integers;
use crate::view::View;

/// What players of Python's raised, the first of it.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    fn keep(&self, error: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    pub(crate) fn again(&self) -> PyResult<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

/// How a player is asked.
#[derive(Copy, Clone, PartialEq)]
enum Manner {
    /// `player(observations, action_mask)`.
    Call,
    /// `player.act(observations, action_mask)`.
    Choose,
    /// `player.pick(view)`.
    Pick,
}

/// A player that is written in Python, seated.
struct Outside {
    name: String,
    game: &'static dyn AnyGame,
    player: PyResult<Py<PyAny>>,
    manner: Manner,
    raised: Raised,
}

/// A player of Python's: a function `f(observations, action_mask)`, an object with `act` or `pick`, or a class of such
/// objects.
///
/// # Errors
/// It is none of them.
pub(crate) fn player(
    game: &'static dyn AnyGame,
    name: &str,
    given: &Bound<'_, PyAny>,
    raised: &Raised,
) -> PyResult<Player> {
    let manner = if given.hasattr("act")? {
        Manner::Choose
    } else if given.hasattr("pick")? {
        Manner::Pick
    } else if given.is_callable() && !given.is_instance_of::<PyType>() {
        Manner::Call
    } else {
        return Err(PyTypeError::new_err(format!(
            "bot '{name}': expected a name, a Bot, a function f(observations, action_mask), or an object or a class with \
             act(observations, action_mask) or pick(view), not {}",
            input::quoted(given)
        )));
    };
    let (given, raised) = (given.clone().unbind(), raised.clone());
    let own = name.to_owned();
    Ok(Player::new(name, move |seed| {
        let player = Python::attach(|py| seated(given.bind(py), seed));
        Box::new(Outside { name: own.clone(), game, player, manner, raised: raised.clone() })
    }))
}

/// The object itself, or one of a class.
fn seated(given: &Bound<'_, PyAny>, seed: u64) -> PyResult<Py<PyAny>> {
    if !given.is_instance_of::<PyType>() {
        return Ok(given.clone().unbind());
    }
    let signature = given.py().import("inspect")?.call_method1("signature", (given,))?;
    if signature.getattr("parameters")?.contains("seed")? {
        let seed_only = PyDict::new(given.py());
        seed_only.set_item("seed", seed)?;
        return given.call((), Some(&seed_only)).map(Bound::unbind);
    }
    given.call0().map(Bound::unbind)
}

impl Outside {
    /// What it plays in these views.
    fn answers(&self, py: Python<'_>, views: &[SeatView<'_>]) -> PyResult<Vec<ActionId>> {
        let player = self.player.as_ref().map_err(|error| error.clone_ref(py))?.bind(py);
        if self.manner == Manner::Pick {
            return views.iter().map(|&view| self.picked(player, view)).collect();
        }
        let mut rows = Array2::zeros((views.len(), width(self.game.observation())));
        let mut legal = Array2::from_elem((views.len(), width(self.game.actions())), false);
        for ((view, mut row), mut flags) in views.iter().zip(rows.rows_mut()).zip(legal.rows_mut()) {
            if let (Some(row), Some(flags)) = (row.as_slice_mut(), flags.as_slice_mut()) {
                view.row(row);
                mask::write_flags(&view.legal_words(), flags);
            }
        }
        let given = (rows.into_pyarray(py), legal.into_pyarray(py));
        let answer = match self.manner {
            Manner::Choose => player.call_method1("act", given)?,
            Manner::Call | Manner::Pick => player.call1(given)?,
        };
        let actions = integers(&self.answer(), &answer)?;
        if actions.len() != views.len() {
            let (name, given, rows) = (&self.name, actions.len(), views.len());
            return Err(refused(format!("bot '{name}' answered {given} actions to {rows} rows")));
        }
        actions.into_iter().zip(views).map(|(action, &view)| self.legal(view, action.into())).collect()
    }

    /// What an error calls its answer.
    fn answer(&self) -> String {
        format!("the answer of bot '{}'", self.name)
    }

    fn picked(&self, player: &Bound<'_, PyAny>, view: SeatView<'_>) -> PyResult<ActionId> {
        let answer = player.call_method1("pick", (View::of(view),))?;
        let Ok(label) = answer.cast::<PyString>() else {
            return self.legal(view, input::whole(&self.answer(), &answer)?);
        };
        let named = mask::actions(&view.legal_words())
            .find(|&action| label.to_str().is_ok_and(|label| view.label(action) == label));
        named.ok_or_else(|| {
            refused(format!(
                "bot '{}' played {}, which is not legal; legal: {}",
                self.name,
                input::quoted(&answer),
                names(view)
            ))
        })
    }

    /// The action, if it is legal.
    fn legal(&self, view: SeatView<'_>, action: i128) -> PyResult<ActionId> {
        let known = u16::try_from(action).map(ActionId).ok();
        known.filter(|&action| mask::contains(&view.legal_words(), action)).ok_or_else(|| {
            let (name, legal) = (&self.name, names(view));
            refused(format!("bot '{name}' played action {action}, which is not legal; legal: {legal}"))
        })
    }

    /// The answers; once it has raised something, any legal moves, which nobody will count.
    fn answered(&self, views: &[SeatView<'_>], stop: &dyn Fn()) -> Vec<ActionId> {
        let answers =
            Python::attach(|py| self.answers(py, views).inspect_err(|error| note(error, py, &self.name)));
        answers.unwrap_or_else(|error| {
            self.raised.keep(error);
            stop();
            views.iter().map(|view| mask::actions(&view.legal_words()).next().unwrap_or_default()).collect()
        })
    }
}

/// The legal moves of a view, in words.
fn names(view: SeatView<'_>) -> String {
    let legal: Vec<String> = mask::actions(&view.legal_words())
        .map(|action| format!("{} ({})", action.0, view.label(action)))
        .collect();
    legal.join(", ")
}

/// Says whose error it is.
fn note(error: &PyErr, py: Python<'_>, name: &str) {
    // Python 3.10 has no notes; what was raised tells enough.
    let _ = error.value(py).call_method1("add_note", (format!("raised by the bot '{name}'"),));
}

impl Bot for Outside {
    fn name(&self) -> &str {
        &self.name
    }

    fn pick(&mut self, view: SeatView<'_>) -> ActionId {
        self.answered(&[view], &|| ()).into_iter().next().unwrap_or_default()
    }

    fn choose(&mut self, ask: DecisionBatch<'_>, picks: &mut [ActionId]) {
        let lanes: Vec<usize> =
            ask.lanes.iter().copied().filter(|&lane| ask.env.view(lane).is_some()).collect();
        let views: Vec<SeatView<'_>> = lanes.iter().filter_map(|&lane| ask.env.view(lane)).collect();
        let answers = self.answered(&views, &|| ask.stop.store(true, Ordering::Relaxed));
        for (lane, answer) in lanes.into_iter().zip(answers) {
            picks[lane] = answer;
        }
    }
}

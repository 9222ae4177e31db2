//! Live sessions.

use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use cardsharp_env::log::{change_name, named_change};
use cardsharp_env::table::{MoveError, Step};
use cardsharp_env::{ActionId, AnyGame, AnyTable, Audience, GameRules, trace};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple};
use serde_json::{Value, json};

use crate::games::GameArg;
use crate::input::{self, AudienceArg, MoveArg, ObjectArg, SeedArg, Whole, quoted, refused};
use crate::output::{
    self, Actions, Bytes, Flags, MaybeObject, MaybePayoff, Moves, Object, Objects, Pickled, imported, record,
};
use crate::view::{self, View};
use crate::work::unlocked;

/// One session with all its cards. It checks moves and takes them back.
///
/// The same game, rules, seed and moves always give the same session.
///
/// Parameters
/// ----------
/// game : str or Game
///     The game or its name.
/// rules : mapping, optional
///     Options of the rules. Options that are left out have their defaults.
/// players : int, optional
///     Number of players, instead of the option in `rules`.
/// seed : int, optional
///     Seed of the session. None draws one.
/// deal : mapping, optional
///     Cards of the first round, with fields of a trace's line `deal`. The seed deals what is left out.
///
/// Raises
/// ------
/// ValueError
///     If the game is unknown, or the rules or the deal are refused. The message says what is allowed.
///
/// Examples
/// --------
/// >>> table = cardsharp_rl.Table("dalmuti", {"players": 5}, seed=7)
/// >>> while table.turn is not None:
/// ...     table.play(table.legal_actions()[0])
/// >>> sorted(table.payoff.place)
/// [1, 2, 3, 4, 5]
#[pyclass(frozen, module = "cardsharp_rl")]
pub(crate) struct Table {
    session: RwLock<Box<dyn AnyTable>>,
    game: &'static dyn AnyGame,
    beginning: Beginning,
}

/// How a table came about.
#[derive(Clone)]
enum Beginning {
    /// By these rules, and what was chosen for the first round.
    Rules { rules: GameRules, deal: Option<Value> },
    /// It was imagined at another table: it has no past.
    Imagined,
}

impl Table {
    fn begun(
        game: &'static dyn AnyGame,
        rules: Option<ObjectArg>,
        seed: u64,
        deal: Option<Value>,
    ) -> PyResult<Self> {
        let rules = input::rules(game, rules)?;
        let table = match &deal {
            None => rules.table(seed),
            Some(deal) => rules.table_of(seed, deal).map_err(|error| refused(format!("deal: {error}")))?,
        };
        Ok(Self::of(table, rules, deal))
    }

    pub(crate) fn of(session: Box<dyn AnyTable>, rules: GameRules, deal: Option<Value>) -> Self {
        let game = rules.game();
        Self { session: RwLock::new(session), game, beginning: Beginning::Rules { rules, deal } }
    }

    /// The session, to read it.
    ///
    /// # Errors
    /// Another thread is changing it.
    pub(crate) fn read(&self) -> PyResult<RwLockReadGuard<'_, Box<dyn AnyTable>>> {
        unlocked(self.session.try_read(), "Table")
    }

    /// The session, to change it.
    ///
    /// # Errors
    /// Another thread is using it.
    pub(crate) fn write(&self) -> PyResult<RwLockWriteGuard<'_, Box<dyn AnyTable>>> {
        unlocked(self.session.try_write(), "Table")
    }

    /// Another session by the rules of this one.
    ///
    /// # Errors
    /// The table was imagined.
    pub(crate) fn another(&self, seed: u64) -> PyResult<Self> {
        let Beginning::Rules { rules, .. } = &self.beginning else {
            return Err(refused("an imagined table has no rules for another session"));
        };
        Ok(Self::of(rules.table(seed), rules.clone(), None))
    }

    pub(crate) fn any_game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// The number of an action of the table's game.
    pub(crate) fn number(&self, action: &Bound<'_, PyAny>) -> PyResult<ActionId> {
        input::action(self.game, action)
    }

    fn audience(&self, to: Audience) -> PyResult<Audience> {
        let seats = self.seats()?;
        match to {
            Audience::Seat(seat) if seat.index() >= seats => {
                let problem =
                    format!("to: there is no seat {}: the session has seats 0 to {}", seat.0, seats - 1);
                Err(refused(problem))
            }
            _ if self.imagined() => Err(refused("an imagined table has no past to tell")),
            to => Ok(to),
        }
    }

    /// The action that a move names.
    fn named(&self, given: &Bound<'_, PyAny>) -> PyResult<ActionId> {
        let Ok(label) = given.cast::<PyString>() else { return self.number(given) };
        let session = self.read()?;
        if session.turn().is_none() {
            return Err(refused(MoveError::RoundOver));
        }
        session.parse(label.to_str()?).ok_or_else(|| {
            let legal: Vec<String> = session.legal().into_iter().map(|id| session.label(id)).collect();
            refused(format!("there is no move {}; legal: {}", quoted(given), legal.join(", ")))
        })
    }

    /// The steps so far, as `_restore` reads them.
    fn steps_so_far<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let steps = PyList::empty(py);
        let session = self.read()?;
        for step in (1..=session.steps()).filter_map(|number| session.step(number)) {
            match step {
                Step::Move(_, action) => steps.append(action.0)?,
                Step::Deal => steps.append("deal")?,
                Step::Change(change) => steps.append(change_name(change))?,
            }
        }
        Ok(steps)
    }
}

/// Plays decisions with a single legal move until there is another one, or the round is over; how many.
pub(crate) fn forced(session: &mut dyn AnyTable) -> PyResult<u32> {
    let mut played = 0;
    while let &[only] = session.legal().as_slice() {
        session.try_play(only).map_err(refused)?;
        played += 1;
    }
    Ok(played)
}

#[pymethods]
impl Table {
    #[new]
    #[pyo3(signature = (game, rules=None, *, players=None, seed=None, deal=None))]
    fn new(
        py: Python<'_>,
        game: GameArg,
        rules: Option<ObjectArg>,
        players: Option<u32>,
        seed: Option<SeedArg>,
        deal: Option<ObjectArg>,
    ) -> PyResult<Self> {
        let rules = input::with_players(rules, players)?;
        Self::begun(game.0, rules, input::given_or_drawn(py, seed)?, deal.map(|deal| deal.0))
    }

    /// Plays a trace again, up to its end, and checks each line.
    ///
    /// Parameters
    /// ----------
    /// trace : str
    ///     The trace, as `record("referee")` returns it.
    ///
    /// Returns
    /// -------
    /// Table
    ///     The session at the end of the trace.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If a line differs from what the rules give. The message has both.
    #[staticmethod]
    fn replay(py: Python<'_>, trace: &str) -> PyResult<Self> {
        let table = py.detach(|| trace::replay(trace)).map_err(refused)?;
        let game = input::named(table.game())?;
        // The header, which was read, tells what the table began with.
        let header: Value =
            serde_json::from_str(trace::lines(trace).next().unwrap_or_default().1).map_err(refused)?;
        let rules = game.rules(&header["rules"]).map_err(refused)?;
        let deal = Some(header["deal"].clone()).filter(|deal| !deal.is_null());
        Ok(Self::of(table, rules, deal))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The seed of the session.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.read()?.seed())
    }

    /// The rules, all options.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        let rules = self.read()?.rules();
        output::json(py, &rules).map(Object)
    }

    /// The number of seats in the session.
    #[getter]
    fn seats(&self) -> PyResult<usize> {
        Ok(self.read()?.seats())
    }

    /// The seats that play this round, ascending.
    #[getter]
    fn present(&self) -> PyResult<Vec<u16>> {
        Ok(self.read()?.present().iter().map(u16::from).collect())
    }

    /// The number of the round, from 1.
    #[getter]
    fn round(&self) -> PyResult<u32> {
        Ok(self.read()?.round())
    }

    /// The seat to move; None when the round is over.
    #[getter]
    fn turn(&self) -> PyResult<Option<u8>> {
        Ok(self.read()?.turn().map(|seat| seat.0))
    }

    /// The phase of the current decision.
    #[getter]
    fn phase(&self) -> PyResult<&'static str> {
        Ok(self.read()?.phase())
    }

    /// Whether the session is over.
    #[getter]
    fn over(&self) -> PyResult<bool> {
        Ok(self.read()?.over())
    }

    /// The number of moves, deals and changes of players so far. `undo` takes back one of them.
    #[getter]
    fn steps(&self) -> PyResult<usize> {
        Ok(self.read()?.steps())
    }

    /// Whether `determinize` made this table. It has no past then.
    #[getter]
    fn imagined(&self) -> bool {
        matches!(self.beginning, Beginning::Imagined)
    }

    /// Places, points and rewards of the round; None while it is in play.
    #[getter]
    fn payoff<'py>(&self, py: Python<'py>) -> PyResult<MaybePayoff<'py>> {
        static PAYOFF: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let payoff = self.read()?.payoff();
        let Some(payoff) = payoff else { return Ok(MaybePayoff(py.None().into_bound(py))) };
        let seats = usize::from(payoff.seats);
        let places = PyTuple::new(py, payoff.place[..seats].iter().map(|&place| u16::from(place)))?;
        let points = PyTuple::new(py, &payoff.points[..seats])?;
        let reward = PyTuple::new(py, &payoff.reward[..seats])?;
        record(py, &PAYOFF, "Payoff", (places, points, reward).into_pyobject(py)?).map(MaybePayoff)
    }

    /// Returns the legal actions of the seat to move.
    ///
    /// Returns
    /// -------
    /// ndarray of uint16
    ///     The actions, ascending; empty when the round is over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> PyResult<Actions<'py>> {
        Ok(view::numbers(py, self.read()?.legal()))
    }

    /// Returns the legal moves of the seat to move.
    ///
    /// Returns
    /// -------
    /// list of Move
    ///     Actions with their labels; empty when the round is over.
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Moves<'py>> {
        let session = self.read()?;
        output::moves(py, session.legal(), |action| session.label(action))
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
    ///     The label, with this round's names of cards.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such action.
    fn label(&self, action: Whole<'_>) -> PyResult<String> {
        let action = self.number(&action.0)?;
        Ok(self.read()?.label(action))
    }

    /// Returns the action with a label. It may be illegal now.
    ///
    /// Parameters
    /// ----------
    /// label : str
    ///     The label, with this round's names of cards.
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
        let found = self.read()?.parse(label).map(|action| action.0);
        found.ok_or_else(|| refused(format!("{} has no move '{label}'", self.game.name())))
    }

    /// Plays a move.
    ///
    /// Parameters
    /// ----------
    /// move : int or str
    ///     The action or its label.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the move is illegal. The message has the legal moves. Nothing changes then.
    fn play(&self, r#move: MoveArg<'_>) -> PyResult<()> {
        let action = self.named(&r#move.0)?;
        self.write()?.try_play(action).map_err(refused)
    }

    /// Plays decisions with a single legal move, up to another decision or the end of the round.
    ///
    /// Returns
    /// -------
    /// int
    ///     The number of moves.
    fn play_forced(&self) -> PyResult<u32> {
        forced(&mut **self.write()?)
    }

    /// Deals the next round.
    ///
    /// Returns
    /// -------
    /// bool
    ///     False if a round is in play or the last round is over. Nothing changes then.
    fn deal_next(&self) -> PyResult<bool> {
        Ok(self.write()?.deal_next())
    }

    /// Takes back the last move, deal or change of players.
    ///
    /// Returns
    /// -------
    /// bool
    ///     False if there is none.
    fn undo(&self) -> PyResult<bool> {
        Ok(self.write()?.undo().is_some())
    }

    /// Lets a player join or leave before the next round.
    ///
    /// Parameters
    /// ----------
    /// change : str
    ///     For example "join 4" or "leave 2".
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the game or its rules refuse the change, or this is the last round. Nothing changes then.
    fn change(&self, change: &str) -> PyResult<()> {
        let wrong = || refused(format!("change: '{change}' is none: expected 'join SEAT' or 'leave SEAT'"));
        let change = named_change(change).ok_or_else(wrong)?;
        self.write()?.change_roster(change).map_err(refused)
    }

    /// Returns the events right after the deal or the last move, with all hidden cards.
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     Events as in a trace. The move is not one of them.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Objects<'py>> {
        let events = self.read()?.events();
        output::json(py, &events).map(Objects)
    }

    /// Returns the scores so far.
    ///
    /// Returns
    /// -------
    /// dict
    ///     Ranks and scores of all seats.
    fn standing<'py>(&self, py: Python<'py>) -> PyResult<Object<'py>> {
        let standing = self.read()?.standing();
        output::json(py, &standing).map(Object)
    }

    /// Returns all cards that were dealt this round.
    ///
    /// Returns
    /// -------
    /// dict or None
    ///     Fields of a trace's line `deal`; None before the deal.
    fn deal<'py>(&self, py: Python<'py>) -> PyResult<MaybeObject<'py>> {
        let deal = self.read()?.describe_deal();
        output::json(py, &deal).map(MaybeObject)
    }

    /// Returns the observation row of a seat.
    ///
    /// Parameters
    /// ----------
    /// seat : int, optional
    ///     The seat. None means the seat to move.
    ///
    /// Returns
    /// -------
    /// ndarray of uint8, shape (cells,)
    ///     The row. `Game.observation` describes its cells.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the seat does not play this round, or `seat` is left out and the round is over.
    #[pyo3(signature = (seat=None))]
    fn observation<'py>(&self, py: Python<'py>, seat: Option<Whole<'py>>) -> PyResult<Bytes<'py>> {
        Ok(view::row(py, view::seen(&**self.read()?, seat)?))
    }

    /// Returns the legal actions of a seat as flags.
    ///
    /// Parameters
    /// ----------
    /// seat : int, optional
    ///     The seat. None means the seat to move.
    ///
    /// Returns
    /// -------
    /// ndarray of bool, shape (actions,)
    ///     True for legal actions; all False if the seat has no decision.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     As `observation`.
    #[pyo3(signature = (seat=None))]
    fn action_mask<'py>(&self, py: Python<'py>, seat: Option<Whole<'py>>) -> PyResult<Flags<'py>> {
        Ok(view::flags(py, self.game, view::seen(&**self.read()?, seat)?))
    }

    /// Returns the view of a seat.
    ///
    /// Parameters
    /// ----------
    /// seat : int, optional
    ///     The seat. None means the seat to move.
    ///
    /// Returns
    /// -------
    /// View
    ///     What the seat may know.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     As `observation`.
    #[pyo3(signature = (seat=None))]
    fn view(&self, seat: Option<Whole<'_>>) -> PyResult<View> {
        view::seen(&**self.read()?, seat).map(View::of)
    }

    /// Returns the first line of an event log or trace.
    ///
    /// Parameters
    /// ----------
    /// to : int or str
    ///     The seat of an event log; "everybody" for spectators; "referee" for a trace.
    /// names : list of str, optional
    ///     The name of the player in each seat.
    ///
    /// Returns
    /// -------
    /// dict
    ///     The line.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such seat, or the number of names is not the number of seats.
    #[pyo3(signature = (to, names=None))]
    fn header<'py>(
        &self,
        py: Python<'py>,
        to: AudienceArg,
        names: Option<Vec<String>>,
    ) -> PyResult<Object<'py>> {
        let to = self.audience(to.0)?;
        let names = input::names(names, self.seats()?, to)?;
        let header = self.read()?.header(to, names);
        output::json(py, &header).map(Object)
    }

    /// Returns the lines of one step.
    ///
    /// Parameters
    /// ----------
    /// step : int
    ///     The number of the step; 0 is the start of the session.
    /// to : int or str
    ///     The reader: a seat, "everybody" or "referee".
    ///
    /// Returns
    /// -------
    /// list of dict
    ///     The lines.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If there is no such seat.
    fn lines<'py>(&self, py: Python<'py>, step: usize, to: AudienceArg) -> PyResult<Objects<'py>> {
        let to = self.audience(to.0)?;
        let lines = self.read()?.lines(step, to);
        output::json(py, &lines).map(Objects)
    }

    /// Returns all lines so far as text, the header first.
    ///
    /// Parameters
    /// ----------
    /// to : int or str
    ///     A seat for its event log; "everybody" for the log of spectators; "referee" for the trace.
    /// names : list of str, optional
    ///     The name of the player in each seat.
    ///
    /// Returns
    /// -------
    /// str
    ///     JSON lines.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     As `header`.
    #[pyo3(signature = (to, names=None))]
    fn record(&self, to: AudienceArg, names: Option<Vec<String>>) -> PyResult<String> {
        let to = self.audience(to.0)?;
        let names = input::names(names, self.seats()?, to)?;
        let session = self.read()?;
        let lines = (0..=session.steps()).flat_map(|step| session.lines(step, to));
        let mut record = String::new();
        for line in std::iter::once(session.header(to, names)).chain(lines) {
            record.push_str(&output::text(&line)?);
            record.push('\n');
        }
        Ok(record)
    }

    /// Draws a table that agrees with what a seat may know.
    ///
    /// Parameters
    /// ----------
    /// seat : int
    ///     The seat.
    /// seed : int or None
    ///     The seed of hidden cards and of all later deals. None draws one.
    ///
    /// Returns
    /// -------
    /// Table
    ///     A table without a past. It has no event log and cannot be pickled.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the seat does not play this round.
    fn determinize(&self, seat: Whole<'_>, seed: SeedArg) -> PyResult<Self> {
        let session = self.read()?;
        let view = view::seen(&**session, Some(seat))?;
        let imagined = session.imagined(view.seat(), seed.0);
        let imagined = imagined.ok_or_else(|| refused("no round agrees with what the seat knows"))?;
        Ok(Self { session: RwLock::new(imagined), game: self.game, beginning: Beginning::Imagined })
    }

    /// Copies the session with its past.
    ///
    /// Returns
    /// -------
    /// Table
    ///     An independent copy.
    fn copy(&self) -> PyResult<Self> {
        let session = RwLock::new(self.read()?.copied());
        Ok(Self { session, game: self.game, beginning: self.beginning.clone() })
    }

    fn __copy__(&self) -> PyResult<Self> {
        self.copy()
    }

    #[pyo3(signature = (_memo: "object"))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        static TABLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let Beginning::Rules { rules, deal } = &self.beginning else {
            return Err(PyTypeError::new_err("an imagined table has no past, and cannot be pickled"));
        };
        let restore = imported(py, &TABLE, "cardsharp_rl", "Table")?.getattr("_restore")?;
        let beginning = output::text(&json!({ "rules": rules.json(), "deal": deal, "seed": self.seed()? }))?;
        let fields = (self.game.name(), beginning, self.steps_so_far(py)?);
        Ok(Pickled((restore, fields).into_pyobject(py)?.into_any()))
    }

    /// What `pickle` calls.
    #[staticmethod]
    #[pyo3(signature = (game, beginning, steps: "list[int | str]"))]
    fn _restore(game: GameArg, beginning: &str, steps: &Bound<'_, PyList>) -> PyResult<Self> {
        let beginning: Value = serde_json::from_str(beginning).map_err(refused)?;
        let seed = beginning["seed"].as_u64().ok_or_else(|| refused("the beginning has no seed"))?;
        let seed = cardsharp_env::seed::check(seed).map_err(refused)?;
        let deal = Some(beginning["deal"].clone()).filter(|deal| !deal.is_null());
        let table = Self::begun(game.0, Some(ObjectArg(beginning["rules"].clone())), seed, deal)?;
        for step in steps {
            match step.extract::<String>() {
                Err(_) => table.play(MoveArg(step))?,
                Ok(deal) if deal == "deal" => {
                    if !table.deal_next()? {
                        return Err(refused("no round can be dealt here"));
                    }
                }
                Ok(change) => table.change(&change)?,
            }
        }
        Ok(table)
    }

    fn __repr__(&self) -> PyResult<String> {
        let session = self.read()?;
        let state = match session.turn() {
            Some(seat) => format!("seat {} must decide", seat.0),
            None if session.over() => "over".to_owned(),
            None => "the round is over".to_owned(),
        };
        let (seats, round) = (session.seats(), session.round());
        Ok(format!("<cardsharp_rl.Table of {}: {seats} seats, round {round}, {state}>", self.game()))
    }
}

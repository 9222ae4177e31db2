//! Bots.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use cardsharp_bot::bot::DecisionBatch;
use cardsharp_bot::bots::levels::LEVELS;
use cardsharp_bot::bots::program::PREFIX;
use cardsharp_bot::bots::registry::installed;
use cardsharp_bot::bots::search::{Clock, MOST_SIMULATIONS};
use cardsharp_bot::bots::{BUILT_IN, SHIPPED, any_network, path_of, shipped};
use cardsharp_bot::{LoadOptions, OpenError, Player, Ranked, load_with};
use cardsharp_env::blocks::width;
use cardsharp_env::{ActionId, AnyGame, AnyObserver, GAMES, trace};
use ndarray::{Array2, Axis, Slice};
use numpy::{PyArray1, PyArray2};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::type_hint_union;
use pyo3::type_object::PyTypeInfo;
use pyo3::types::{PyList, PyString};
use serde_json::Value;

use crate::batch::Batch;
use crate::games::GameArg;
use crate::input::{self, Anything, ObjectArg, SeedArg, refused};
use crate::numbers::{LanesArg, MasksArg, RowsArg};
use crate::output::{self, Actions, Pickled, imported, record};
use crate::outside::{self, Raised};
use crate::table::Table;
use crate::view::{self, View};
use crate::work::{SignalWatch, shared, unlocked};

/// A bot that decides at any table, made by `cardsharp_rl.bot`.
///
/// A bot with the same seed gives the same answers to the same questions.
#[pyclass(frozen, module = "cardsharp_rl")]
pub(crate) struct Bot {
    game: Option<&'static dyn AnyGame>,
    player: Player,
    /// Locked while it decides.
    bot: Mutex<Box<dyn cardsharp_bot::Bot>>,
    raised: Raised,
    /// Ends its searches when a signal comes.
    watch: Arc<SignalWatch>,
    made: Made,
}

/// What a bot was made of.
struct Made {
    /// A name, or a player that is written in Python.
    of: Py<PyAny>,
    temperature: f64,
    simulations: Option<u32>,
    threads: u32,
    seed: u64,
}

/// What a bot is asked about: a view, a table, JSON of a view, or a seat's record.
pub(crate) struct KnownArg(View);

impl<'a, 'py> FromPyObject<'a, 'py> for KnownArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        View::TYPE_HINT,
        Table::TYPE_HINT,
        ObjectArg::INPUT_TYPE,
        <&str as FromPyObject<'_, '_>>::INPUT_TYPE
    );

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(view) = given.cast::<View>() {
            return Ok(Self(View::of(view.get().seen())));
        }
        if let Ok(table) = given.cast::<Table>() {
            return Ok(Self(View::of(view::seen(&**table.get().read()?, None)?)));
        }
        match given.cast::<PyString>() {
            Ok(text) => known(text.to_str()?).map(Self),
            Err(_) => View::read(&given.extract::<ObjectArg>()?.0).map(Self),
        }
    }
}

/// The view that a text tells: its JSON, or a record up to the seat's decision.
fn known(text: &str) -> PyResult<View> {
    match serde_json::from_str::<Value>(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        Ok(view) if view.get("line").is_none() => View::read(&view),
        _ => heard(text)?.decide().map(View::of).map_err(refused),
    }
}

/// Who has heard all lines of a record.
fn heard(record: &str) -> PyResult<Box<dyn AnyObserver>> {
    let mut lines = trace::lines(record).map(|(line, text)| {
        serde_json::from_str::<Value>(text)
            .map_err(|error| refused(format!("line {line}: not JSON: {error}")))
    });
    let header = lines.next().ok_or_else(|| refused("the record is empty"))??;
    let game = header["game"].as_str().ok_or_else(|| refused("line 1: it names no `game`"))?;
    let mut observer = input::named(game)?.observer(&header).map_err(refused)?;
    for line in lines {
        observer.hear(&line?).map_err(refused)?;
    }
    Ok(observer)
}

/// Reads the event log of a seat.
///
/// Parameters
/// ----------
/// record : str
///     All lines of the log (JSON lines), up to the seat's decision or another moment at which it has a view.
///
/// Returns
/// -------
/// View
///     What the seat may know after the last line.
///
/// Raises
/// ------
/// ValueError
///     If the rules do not allow a line, or the seat has no view then.
#[pyfunction]
pub(crate) fn observe(record: &str) -> PyResult<View> {
    heard(record)?.view().map(View::of).map_err(refused)
}

/// An exception of the fitting type.
pub(crate) fn unopened(error: OpenError) -> PyErr {
    match &error {
        OpenError::NoFile { .. } => PyFileNotFoundError::new_err(error.to_string()),
        OpenError::Program { .. } => PyOSError::new_err(error.to_string()),
        _ => refused(error),
    }
}

/// How bots that are named are made.
pub(crate) fn means(temperature: f64, simulations: Option<u32>, threads: usize) -> PyResult<LoadOptions> {
    let begun = Instant::now();
    let clock: Clock = Arc::new(move || begun.elapsed());
    if !(0.0..=100.0).contains(&temperature) {
        return Err(refused(format!("temperature: {temperature} is out of range: expected 0 to 100")));
    }
    let mut means = LoadOptions {
        temperature: temperature as f32,
        threads,
        clock: Some(clock),
        ..LoadOptions::default()
    };
    if let Some(simulations) = simulations {
        if !(1..=MOST_SIMULATIONS).contains(&simulations) {
            let range = format!("expected 1 to {MOST_SIMULATIONS}");
            return Err(refused(format!("simulations: {simulations} is out of range: {range}")));
        }
        means.simulations = simulations;
    }
    Ok(means)
}

/// A player, whatever it was given as.
pub(crate) fn player(
    game: &'static dyn AnyGame,
    name: Option<&str>,
    given: &Bound<'_, PyAny>,
    means: &LoadOptions,
    raised: &Raised,
) -> PyResult<Player> {
    if let Ok(spec) = given.cast::<PyString>() {
        return renamed(load_with(spec.to_str()?, game, means).map_err(unopened)?, name);
    }
    let py = given.py();
    if let Ok(bot) = given.cast::<Bot>() {
        let bot = bot.get();
        if let Some(own) = bot.game.filter(|own| own.name() != game.name()) {
            return Err(refused(format!(
                "bot '{}' plays {}, not {}",
                bot.player.name(),
                own.name(),
                game.name()
            )));
        }
        // Whoever asks a player of Python's hears what it raises.
        let of = bot.made.of.bind(py);
        return match of.is_instance_of::<PyString>() {
            true => renamed(bot.player.clone(), name),
            false => outside::player(game, name.unwrap_or(bot.player.name()), of, raised),
        };
    }
    let own =
        ["name", "__name__"].into_iter().find_map(|name| given.getattr(name).ok()?.extract::<String>().ok());
    let kind = || given.get_type().name().map_or_else(|_| "bot".to_owned(), |name| name.to_string());
    outside::player(game, &name.map(str::to_owned).or(own).unwrap_or_else(kind), given, raised)
}

/// Players with the names that they were given, if they were.
pub(crate) fn players(
    game: &'static dyn AnyGame,
    given: &[(Option<String>, Anything<'_>)],
    means: &LoadOptions,
    raised: &Raised,
) -> PyResult<Vec<Player>> {
    given.iter().map(|(name, bot)| player(game, name.as_deref(), &bot.0, means, raised)).collect()
}

/// The player by another name.
fn renamed(player: Player, name: Option<&str>) -> PyResult<Player> {
    Ok(match name {
        Some(name) if name != player.name() => player.named(name),
        _ => player,
    })
}

/// The game that a bot's name tells; none for those that play any.
fn game_of(spec: &str) -> PyResult<Option<&'static dyn AnyGame>> {
    let Some(path) = path_of(spec) else { return Ok(None) };
    if let Some(bot) = shipped(path) {
        return input::named(bot.game).map(Some);
    }
    let (header, _) = any_network(path).map_err(unopened)?;
    input::named(&header.game).map(Some)
}

/// Opens a bot.
///
/// Parameters
/// ----------
/// bot : str, path, Bot or player
///     A name: "random", "scripted", "cautious" or "aggressive". A search: "search", "search:400" (playouts for each
///     decision), "search:50ms" or "search:200+PATH" (with a network). The bot that ships for a game: "dalmuti", or
///     "dalmuti@5" at one of its levels. The path of a bundle, a checkpoint or a bot file. Or a player written in Python:
///     a function `f(observations, action_mask)`, an object with `act(observations, action_mask)` or `pick(view)`, or a
///     class of such objects.
/// game : str or Game, optional
///     The game. It can be left out if the name has it.
/// temperature : float, default 0
///     How networks choose: 0 the most probable action, 1 by their probabilities.
/// simulations : int, optional
///     Playouts of searches whose name has no number.
/// threads : int, default 1
///     Threads of a search.
/// seed : int, optional
///     Seed of the random stream. None draws one.
///
/// Returns
/// -------
/// Bot
///     The bot.
///
/// Raises
/// ------
/// ValueError
///     If there is no such bot, or it plays another game.
/// FileNotFoundError
///     If a folder has no network.
/// TypeError
///     If the argument is neither a name nor a player.
///
/// Examples
/// --------
/// >>> bot = cardsharp_rl.bot("taki")
/// >>> table = cardsharp_rl.Table("taki", seed=3)
/// >>> bot.pick(table) in table.legal_actions()
/// True
#[pyfunction]
#[pyo3(signature = (bot, game=None, *, temperature=0.0, simulations=None, threads=1, seed=None))]
pub(crate) fn bot(
    bot: Anything<'_>,
    game: Option<GameArg>,
    temperature: f64,
    simulations: Option<u32>,
    threads: u32,
    seed: Option<SeedArg>,
) -> PyResult<Bot> {
    let bot = &bot.0;
    let seed = input::given_or_drawn(bot.py(), seed)?;
    let means = means(temperature, simulations, crate::work::threads(threads as usize)?)?;
    let raised = Raised::default();
    let game = game.map(|game| game.0);
    let own = bot.cast::<Bot>().ok().map(|bot| bot.get());
    let of = own.as_ref().map_or_else(|| bot.clone().unbind(), |own| own.made.of.clone_ref(bot.py()));
    let game = game.or_else(|| own.and_then(|own| own.game));
    let (game, player) = match bot.cast::<PyString>() {
        Ok(spec) => {
            let spec = spec.to_str()?;
            if spec.starts_with(PREFIX) {
                return Err(refused("a program hears its seats' records: it plays in `arena`, by its name"));
            }
            let game = game.map_or_else(|| game_of(spec), |game| Ok(Some(game)))?;
            let any = game.unwrap_or(GAMES[0]);
            (game, player(any, None, bot, &means, &raised)?)
        }
        Err(_) => {
            let needs = || refused("game: pass one, because a player written in Python has none");
            let game = game.ok_or_else(needs)?;
            (Some(game), player(game, None, bot, &means, &raised)?)
        }
    };
    let watch = SignalWatch::new();
    let own = Mutex::new(seated(&player, seed, &watch));
    let made = Made { of, temperature, simulations, threads, seed };
    Ok(Bot { game, player, bot: own, raised, watch, made })
}

/// Lists the bots that play a game.
///
/// Parameters
/// ----------
/// game : str or Game, optional
///     The game. None means all games.
///
/// Returns
/// -------
/// list of str
///     Names for `bot`: rules, searches, the bots that ship with their levels, and those that
///     `cardsharp bots get` installed.
///
/// Examples
/// --------
/// >>> "scripted" in cardsharp_rl.bots("taki")
/// True
#[pyfunction]
#[pyo3(signature = (game=None))]
pub(crate) fn bots(game: Option<GameArg>) -> PyResult<Vec<String>> {
    let means = means(0.0, None, 1)?;
    let plays = |name: &str| game.is_none_or(|game| load_with(name, game.0, &means).is_ok());
    let mut names: Vec<String> = BUILT_IN.into_iter().filter(|name| plays(name)).map(str::to_owned).collect();
    for bot in SHIPPED.iter().filter(|bot| game.is_none_or(|game| game.0.name() == bot.game)) {
        names.push(bot.game.to_owned());
        names.extend((1..=LEVELS).map(|level| format!("{}@{level}", bot.game)));
    }
    let installed = installed().into_iter().map(|bot| bot.address());
    names.extend(installed.filter(|name| game_of(name).is_ok_and(|plays| plays.is_some()) && plays(name)));
    Ok(names)
}

/// A bot of this player, whose decisions end once a signal came.
fn seated(player: &Player, seed: u64, watch: &Arc<SignalWatch>) -> Box<dyn cardsharp_bot::Bot> {
    let mut bot = player.bot(seed);
    let watch = Arc::clone(watch);
    bot.stop_when(Arc::new(move || watch.is_stopped()));
    bot
}

impl Bot {
    /// The bot for this thread alone.
    ///
    /// # Errors
    /// It decides in another thread, or it is a player that asks itself.
    pub(crate) fn alone(&self) -> PyResult<MutexGuard<'_, Box<dyn cardsharp_bot::Bot>>> {
        unlocked(self.bot.try_lock(), "Bot")
    }

    /// Raises what a player written in Python raised.
    pub(crate) fn raise_again(&self) -> PyResult<()> {
        self.raised.again()
    }

    /// The view, if this bot can be asked about it.
    fn asked<'v>(&self, view: &'v View) -> PyResult<cardsharp_env::SeatView<'v>> {
        let view = view.seen();
        if let Some(game) = self.game.filter(|game| game.name() != view.game()) {
            return Err(refused(format!("the bot plays {}, not {}", game.name(), view.game())));
        }
        if view.legal(&mut vec![0; view.words()]) == 0 {
            return Err(refused(format!("seat {} has nothing to decide", view.seat().0)));
        }
        Ok(view)
    }
}

#[pymethods]
impl Bot {
    /// The name of the bot.
    #[getter]
    fn name(&self) -> &str {
        self.player.name()
    }

    /// The name of the bot's game; None if it plays any game.
    #[getter]
    fn game(&self) -> Option<&'static str> {
        self.game.map(|game| game.name())
    }

    /// Chooses an action.
    ///
    /// Parameters
    /// ----------
    /// known : View, Table, mapping or str
    ///     The position: a view, a view's JSON, or a seat's event log up to its decision. Of a table the bot sees only
    ///     what the seat to move sees.
    ///
    /// Returns
    /// -------
    /// int
    ///     A legal action.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If no seat has a decision, or the position is of another game.
    fn pick(slf: &Bound<'_, Self>, known: KnownArg) -> PyResult<u16> {
        let (this, mut bot) = (slf.get(), slf.get().alone()?);
        let (bot, view) = (&mut *bot, this.asked(&known.0)?);
        let action = this.watch.during(slf.py(), |_| bot.pick(view))?.0;
        this.raised.again()?;
        Ok(action)
    }

    /// Ranks all legal moves of a position.
    ///
    /// Parameters
    /// ----------
    /// known : View, Table, mapping or str
    ///     The position, as for `pick`.
    ///
    /// Returns
    /// -------
    /// Advice
    ///     The moves, best first, with probabilities and values; and the value of the position.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     As `pick`.
    fn advise<'py>(slf: &Bound<'py, Self>, known: KnownArg) -> PyResult<output::Advice<'py>> {
        static ADVICE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        static RANKED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = slf.py();
        let (this, mut bot) = (slf.get(), slf.get().alone()?);
        let (bot, view) = (&mut *bot, this.asked(&known.0)?);
        let advice = this.watch.during(py, |_| bot.advise(view))?;
        this.raised.again()?;
        let moves = PyList::empty(py);
        for Ranked { action, probability, value } in advice.moves {
            let fields = (action.0, view.label(action), probability, value);
            moves.append(record(py, &RANKED, "Ranked", fields.into_pyobject(py)?)?)?;
        }
        record(py, &ADVICE, "Advice", (advice.value, moves).into_pyobject(py)?).map(output::Advice)
    }

    /// Chooses an action in each lane of a batch.
    ///
    /// Parameters
    /// ----------
    /// batch : Batch
    ///     A batch of the bot's game.
    /// lanes : ndarray of bool, shape (L,), optional
    ///     The lanes in which the bot decides. None means all.
    ///
    /// Returns
    /// -------
    /// ndarray of uint16, shape (L,)
    ///     The actions; 0 in other lanes and in lanes that wait.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the batch plays another game, or `lanes` has a wrong length.
    #[pyo3(signature = (batch, lanes=None))]
    fn act<'py>(
        slf: &Bound<'py, Self>,
        batch: &Bound<'py, Batch>,
        lanes: Option<LanesArg>,
    ) -> PyResult<Actions<'py>> {
        let py = slf.py();
        let (this, mut bot, batch) = (slf.get(), slf.get().alone()?, shared(batch)?);
        let (bot, batch): (_, &Batch) = (&mut *bot, &batch);
        if let Some(game) = this.game.filter(|game| game.name() != batch.any_game().name()) {
            return Err(refused(format!("the bot plays {}, not {}", game.name(), batch.any_game().name())));
        }
        let count: usize = batch.parts().iter().map(|part| part.lanes()).sum();
        if let Some(lanes) = &lanes {
            lanes.fits(count)?;
        }
        let watch = &this.watch;
        let picks = watch.during(py, |stop| {
            let mut all = Vec::with_capacity(count);
            for part in batch.parts().iter().take_while(|_| !watch.is_stopped()) {
                let marked = |lane: &usize| lanes.as_ref().is_none_or(|lanes| lanes.0[all.len() + lane]);
                let asked: Vec<usize> =
                    (0..part.lanes()).filter(|&lane| part.decides(lane)).filter(marked).collect();
                let mut picks = vec![ActionId::default(); part.lanes()];
                let ask = DecisionBatch { env: part.env(), batch: part.batch(), lanes: &asked, stop };
                bot.choose(ask, &mut picks);
                all.extend(picks.into_iter().map(|pick| pick.0));
            }
            all
        })?;
        this.raised.again()?;
        Ok(PyArray1::from_vec(py, picks).into())
    }

    /// Evaluates the network for many rows at once.
    ///
    /// Scripted bots, searches, level 10 and players written in Python need more than rows.
    ///
    /// Parameters
    /// ----------
    /// observations : ndarray of uint8, shape (n, cells)
    ///     Rows of a batch, an environment or a dataset.
    /// action_mask : ndarray of bool or int8, shape (n, actions)
    ///     Their legal actions.
    ///
    /// Returns
    /// -------
    /// Evaluation
    ///     The actions that `act` plays, probabilities and values. Probabilities are those of `advise`: at temperature
    ///     0 the same as at temperature 1. A bot of action values gives its best action probability 1.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the bot needs more than rows, shapes are wrong or a row has no legal action.
    /// TypeError
    ///     If an array has a wrong type.
    fn policy<'py>(
        slf: &Bound<'py, Self>,
        observations: RowsArg<'py>,
        action_mask: MasksArg,
    ) -> PyResult<output::Evaluation<'py>> {
        /// Rows that are evaluated before the next look for signals.
        const ROWS: usize = 4096;
        static EVALUATION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let (this, mut bot, py) = (slf.get(), slf.get().alone()?, slf.py());
        let (bot, name) = (&mut *bot, this.player.name());
        let needs_views =
            || refused(format!("the bot '{name}' does not decide from rows alone: use `advise`"));
        let game = this.game.ok_or_else(needs_views)?;
        let rows = observations.0.as_array();
        let expected = [rows.nrows(), width(game.observation())];
        if rows.shape() != expected {
            let given = rows.shape();
            return Err(refused(format!("observations: the shape is {given:?}: expected {expected:?}")));
        }
        let (given, expected) =
            ([action_mask.words.nrows(), action_mask.actions], [rows.nrows(), width(game.actions())]);
        if given != expected {
            return Err(refused(format!("action_mask: the shape is {given:?}: expected {expected:?}")));
        }
        let mut all = Array2::zeros(expected);
        let (mut actions, mut values) = (Vec::new(), Vec::new());
        for first in (0..rows.nrows()).step_by(ROWS) {
            let some = Slice::from(first..(first + ROWS).min(rows.nrows()));
            let (rows, legal) = (rows.slice_axis(Axis(0), some), action_mask.words.slice_axis(Axis(0), some));
            let given = py.detach(|| bot.evaluate(rows, legal)).ok_or_else(needs_views)?;
            py.check_signals()?;
            all.slice_axis_mut(Axis(0), some).assign(&given.probabilities);
            actions.extend(given.actions.into_iter().map(|action| action.0));
            values.extend(given.values);
        }
        let fields = (
            PyArray1::from_vec(py, actions),
            PyArray2::from_owned_array(py, all),
            PyArray1::from_vec(py, values),
        );
        record(py, &EVALUATION, "Evaluation", fields.into_pyobject(py)?).map(output::Evaluation)
    }

    /// Starts the random stream of the bot again.
    ///
    /// Parameters
    /// ----------
    /// seed : int, optional
    ///     The seed. None draws one.
    #[pyo3(signature = (seed=None))]
    fn reseed(slf: &Bound<'_, Self>, seed: Option<SeedArg>) -> PyResult<()> {
        let (this, mut bot) = (slf.get(), slf.get().alone()?);
        *bot = seated(&this.player, input::given_or_drawn(slf.py(), seed)?, &this.watch);
        Ok(())
    }

    /// Pickles and copies how the bot was made, where possible. Its random stream starts again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py>> {
        static BOT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let restore = imported(py, &BOT, "cardsharp_rl", "Bot")?.getattr("_restore")?;
        let Made { of, temperature, simulations, threads, seed } = &self.made;
        let fields = (of, self.game(), temperature, simulations, threads, seed);
        Ok(Pickled((restore, fields).into_pyobject(py)?.into_any()))
    }

    /// What `pickle` calls.
    #[staticmethod]
    fn _restore(
        of: Anything<'_>,
        game: Option<GameArg>,
        temperature: f64,
        simulations: Option<u32>,
        threads: u32,
        seed: SeedArg,
    ) -> PyResult<Self> {
        bot(of, game, temperature, simulations, threads, Some(seed))
    }

    fn __repr__(&self) -> String {
        let game = self.game.map_or_else(|| "any game".to_owned(), |game| game.name().to_owned());
        format!("<cardsharp_rl.Bot {} for {game}>", self.player.name())
    }
}

/// The time since some moment.
pub(crate) fn clock() -> impl Fn() -> Duration + Sync + Copy {
    let begun = Instant::now();
    move || begun.elapsed()
}

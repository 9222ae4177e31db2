//! Many sessions side by side.

mod arrays;
mod given;
mod job;
mod pool;

use cardsharp_bot::workers::MOST_THREADS;
use cardsharp_env::endless::{Endless, LaneSource, SavedSession};
use cardsharp_env::{ActionId, AnyGame, GameRules, seed};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyList;

use crate::games::GameArg;
use crate::input::{self, Anything, Whole, refused};
use crate::numbers::LanesArg;
use crate::output::{self, Actions, Pickled, Seeds, imported};
use crate::table::Table;
use crate::view::View;
use crate::work::{alone, shared};
use arrays::ArrayPool;
use given::{CountArg, PicksArg, RulesArg, SeedsArg};
use job::Job;
use pool::Pool;

/// Many sessions side by side, one in each lane, as arrays.
///
/// Each lane always has a decision: after a round the next round is dealt, after a session another session starts.
///
/// Parameters
/// ----------
/// game : str or Game
///     The game or its name.
/// lanes : int
///     Number of lanes, L.
/// rules : mapping, list of mappings, or list of (mapping, weight), optional
///     Options of the rules. Options that are left out have their defaults. Of several rules each session draws its
///     own, by the weights if there are weights.
/// players : int, optional
///     Number of players, instead of the option in `rules`.
/// seed : int, optional
///     Seed of all sessions. The sessions of lane i follow from `seed` and i, for any number of threads. None draws
///     a seed.
/// threads : int, default 1
///     Number of threads; 0 is one for each core.
/// skip_forced : bool, default False
///     Whether decisions with a single legal action are played without asking.
/// privileged_observation : bool, default False
///     Whether steps have `privileged_observation`.
/// autoreset : bool, default True
///     If False, a lane waits when its session is over. It has no legal action until `reset`.
/// copy : bool, default True
///     If False, all steps share one set of arrays, and a step overwrites the content of the one before. Writing to
///     the arrays changes no session.
///
/// Raises
/// ------
/// ValueError
///     If the game is unknown, the rules are refused or a number is out of range.
/// TypeError
///     If an argument has a wrong type.
///
/// Notes
/// -----
/// A batch is pickled with its sessions. It can be used in forked and spawned processes.
///
/// Examples
/// --------
/// >>> batch = cardsharp_rl.Batch("taki", 64, seed=1)
/// >>> now = batch.now
/// >>> for _ in range(100):
/// ...     now = batch.step(batch.sample())
/// >>> now.observations.shape == (64, cardsharp_rl.game("taki").cells)
/// True
#[pyclass(module = "cardsharp_rl")]
pub(crate) struct Batch {
    game: &'static dyn AnyGame,
    rules: Vec<(GameRules, f64)>,
    /// Consecutive lanes, shared out among the threads.
    parts: Vec<Endless>,
    pool: Pool,
    copy: bool,
    shelf: ArrayPool,
    now: Py<PyAny>,
    /// What `sample` gives, where it is known, or nothing.
    drawn: Vec<u16>,
    /// Whether `sample` was asked for since the last step. Then it is drawn with the next step, where the threads are at
    /// work anyway: whoever asks once asks every time.
    is_sampled: bool,
    selected: Vec<Vec<usize>>,
}

/// The most lanes: more than this is a slip.
const MOST_LANES: usize = 1 << 20;
const PARTS_PER_THREAD: usize = 4;
/// The most lanes of a part. Signals are looked for between parts while many sessions begin.
const MOST_PART: usize = 4096;
/// Lanes of a part, if there are as many.
const LEAST_PART: usize = 64;

impl Batch {
    /// What the lanes play, cut into parts: some for each thread, as one may be faster than another, and each of them worth
    /// the handing over.
    fn cut<T: Clone>(values: &[T], threads: usize) -> Vec<Vec<T>> {
        let parts = match threads {
            1 => 1,
            several => (several * PARTS_PER_THREAD).min(values.len().div_ceil(LEAST_PART)).max(several),
        };
        let parts = parts.max(values.len().div_ceil(MOST_PART));
        values.chunks(values.len().div_ceil(parts)).map(<[T]>::to_vec).collect()
    }

    fn of(
        py: Python<'_>,
        game: &'static dyn AnyGame,
        parts: Vec<Endless>,
        threads: usize,
        copy: bool,
    ) -> PyResult<Self> {
        let rules = parts.first().map(|part| part.stream().rules.clone()).unwrap_or_default();
        let shelf = ArrayPool::new(py, game, &parts);
        let mut batch = Self {
            game,
            rules,
            selected: parts.iter().map(|part| (0..part.lanes()).collect()).collect(),
            parts,
            pool: Pool::new(threads),
            copy,
            now: py.None(),
            shelf,
            drawn: Vec::new(),
            is_sampled: false,
        };
        batch.run(py, None)?;
        Ok(batch)
    }

    /// What the batch shows now.
    fn shown<'py>(&self, py: Python<'py>) -> output::Step<'py> {
        output::Step(self.now.bind(py).clone())
    }

    fn count(&self) -> usize {
        self.parts.iter().map(Endless::lanes).sum()
    }

    /// The most seats of a session.
    fn most_seats(&self) -> usize {
        self.parts.iter().map(Endless::seats).max().unwrap_or_default()
    }

    /// The rules with their weights.
    fn mixture<'py>(&self, py: Python<'py>) -> PyResult<output::Mixture<'py>> {
        let all = PyList::empty(py);
        for (rules, weight) in &self.rules {
            all.append((output::json(py, rules.json())?, weight))?;
        }
        Ok(output::Mixture(all.into_any()))
    }

    /// The lanes of each part.
    pub(crate) fn parts(&self) -> &[Endless] {
        &self.parts
    }

    pub(crate) fn any_game(&self) -> &'static dyn AnyGame {
        self.game
    }

    /// The part that has a lane, and its number there.
    fn place(&self, lane: &Bound<'_, PyAny>) -> PyResult<(&Endless, usize)> {
        let number = input::whole("lane", lane)?;
        let wrong = || {
            PyIndexError::new_err(format!(
                "there is no lane {number}: there are lanes 0 to {}",
                self.count() - 1
            ))
        };
        let mut lane = usize::try_from(number).map_err(|_| wrong())?;
        for part in &self.parts {
            if lane < part.lanes() {
                return Ok((part, lane));
            }
            lane -= part.lanes();
        }
        Err(wrong())
    }

    /// Numbers of the lanes that are meant, in their parts.
    fn select(&mut self, lanes: Option<&LanesArg>) {
        let all = |(part, selected): (&Endless, &Vec<usize>)| selected.len() == part.lanes();
        if lanes.is_none() && self.parts.iter().zip(&self.selected).all(all) {
            return;
        }
        let mut first = 0;
        for (part, selected) in self.parts.iter().zip(&mut self.selected) {
            selected.clear();
            selected.extend((0..part.lanes()).filter(|lane| lanes.is_none_or(|lanes| lanes.0[first + lane])));
            first += part.lanes();
        }
    }

    /// Plays the actions that are given, if all of them are legal, on the batch's threads, and shows where the lanes are. Tells
    /// whether they were legal; nothing was played if not.
    fn run(&mut self, py: Python<'_>, given: Option<&[ActionId]>) -> PyResult<bool> {
        let mut drawn = std::mem::take(&mut self.drawn);
        drawn.resize(if self.is_sampled { self.count() } else { 0 }, 0);
        let Self { parts, pool, selected, shelf, copy, .. } = self;
        // Other arrays show all lanes; those that are kept still show the lanes that did not move.
        let everywhere = *copy;
        let arrays = match everywhere {
            true => shelf.next(py, self.game, parts),
            false => shelf.now(),
        };
        let mut locked = arrays.lock(py)?;
        let mut shown = locked.shown()?;
        let legal = py.detach(|| {
            let (mut drawn, mut given) = (drawn.as_mut_slice(), given);
            let mut jobs = Vec::with_capacity(parts.len());
            for (part, selected) in parts.iter_mut().zip(selected) {
                let drawn = drawn.split_off_mut(..part.lanes()).unwrap_or_default();
                let actions = given.as_mut().and_then(|given| given.split_off(..part.lanes()));
                jobs.push(Job { shown: shown.take(part.lanes()), part, selected, drawn, actions });
            }
            pool.each_if(jobs, Job::is_legal, |job| job.play(everywhere))
        })?;
        drop(locked);
        if legal {
            self.drawn = drawn;
            self.is_sampled = false;
        }
        if legal && (everywhere || self.now.is_none(py)) {
            self.now = arrays.step(py)?;
        }
        Ok(legal)
    }

    /// What is wrong with the first pick that is not legal.
    fn refuse(&self, given: &PicksArg<'_>) -> PyErr {
        let mut first = 0;
        for (part, selected) in self.parts.iter().zip(&self.selected) {
            let actions = &given.actions[first..][..part.lanes()];
            if let Some(lane) = job::illegal(part, selected, actions) {
                let number = first + lane;
                return given
                    .of(number)
                    .map_or_else(|error| error, |pick| self.illegal(part, lane, number, pick));
            }
            first += part.lanes();
        }
        refused("actions: one is not legal")
    }

    /// What is wrong with a pick.
    fn illegal(&self, part: &Endless, lane: usize, number: usize, pick: i64) -> PyErr {
        /// Legal moves that a message names.
        const NAMED: usize = 20;
        let Some(view) = part.view(lane) else { return refused(format!("lane {number}: nobody decides")) };
        let actions = cardsharp_env::blocks::width(self.game.actions());
        let name = match usize::try_from(pick) {
            Ok(id) if id < actions => format!("action {id} ({})", view.label(ActionId(id as u16))),
            _ => format!("action {pick} (there are actions 0 to {})", actions - 1),
        };
        let words = view.legal_words();
        let legal: Vec<ActionId> = cardsharp_env::mask::actions(&words).collect();
        let mut names: Vec<String> = legal
            .iter()
            .take(NAMED)
            .map(|&action| format!("{} ({})", action.0, view.label(action)))
            .collect();
        if legal.len() > NAMED {
            names.push(format!("and {} more", legal.len() - NAMED));
        }
        refused(format!(
            "lane {number}: {name} is not legal for seat {}; legal: {}. Nothing was played in any lane",
            view.seat().0,
            names.join(", ")
        ))
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (game, lanes, *, rules=None, players=None, seed=None, threads=1, skip_forced=false, privileged_observation=false, autoreset=true, copy=true))]
    // Each is a setting of its own, named where it is given.
    #[expect(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: GameArg,
        lanes: CountArg,
        rules: Option<RulesArg<'_>>,
        players: Option<u32>,
        seed: Option<input::SeedArg>,
        threads: u32,
        skip_forced: bool,
        privileged_observation: bool,
        autoreset: bool,
        copy: bool,
    ) -> PyResult<Self> {
        let game = game.0;
        let rules = given::mixture(game, rules, players)?;
        let seed = input::given_or_drawn(py, seed)?;
        let lanes = lanes.within("lanes", MOST_LANES)?;
        let threads = crate::work::threads(threads as usize)?;
        let seeds: Vec<u64> = (0..lanes as u64).map(|lane| seed::derived(seed, &[lane])).collect();
        let mut parts = Vec::new();
        for seeds in Self::cut(&seeds, threads) {
            let stream = LaneSource {
                rules: rules.clone(),
                seeds,
                restart: autoreset,
                skip_forced,
                reveal: privileged_observation,
            };
            parts.push(py.detach(|| Endless::new(stream)));
            py.check_signals()?;
        }
        Self::of(py, game, parts, threads, copy)
    }

    /// The name of the game.
    #[getter]
    fn game(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
        Ok(shared(slf)?.game.name())
    }

    /// Number of lanes, L.
    #[getter]
    fn lanes(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.count())
    }

    /// The largest number of seats under any of the rules, S.
    #[getter]
    fn seats(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.most_seats())
    }

    /// Number of threads.
    #[getter]
    fn threads(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.pool.threads())
    }

    /// The rules with all options, and the weight of each.
    #[getter]
    fn rules<'py>(slf: &Bound<'py, Self>) -> PyResult<output::Mixture<'py>> {
        shared(slf)?.mixture(slf.py())
    }

    /// The seeds of the current sessions, uint64, shape (L,). `Table(game, rules, seed=...)` deals the same cards.
    #[getter]
    fn seeds<'py>(slf: &Bound<'py, Self>) -> PyResult<Seeds<'py>> {
        let this = shared(slf)?;
        let seeds = this.parts.iter().flat_map(|part| (0..part.lanes()).map(|lane| part.saved(lane).seed));
        Ok(PyArray1::from_iter(slf.py(), seeds).into())
    }

    /// The result of the last `reset` or `step`.
    #[getter]
    fn now<'py>(slf: &Bound<'py, Self>) -> PyResult<output::Step<'py>> {
        Ok(shared(slf)?.shown(slf.py()))
    }

    /// Starts new sessions.
    ///
    /// Parameters
    /// ----------
    /// seed : int or array_like of int, shape (L,), optional
    ///     An int starts the batch again as if it had been made with this seed. With an array, lane i plays
    ///     `Table(game, rules, seed=seed[i])`. None starts the next session of each lane.
    /// lanes : ndarray of bool, shape (L,), optional
    ///     The lanes that start a new session. None means all.
    ///
    /// Returns
    /// -------
    /// Step
    ///     The first decisions. All rewards are 0, and nothing is done.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an array has a wrong shape.
    /// TypeError
    ///     If an array has a wrong type.
    #[pyo3(signature = (seed=None, lanes=None))]
    fn reset<'py>(
        slf: &Bound<'py, Self>,
        seed: Option<SeedsArg>,
        lanes: Option<LanesArg>,
    ) -> PyResult<output::Step<'py>> {
        let py = slf.py();
        let mut this = alone(slf)?;
        let this = &mut *this;
        if let Some(lanes) = &lanes {
            lanes.fits(this.count())?;
        }
        let seeds = seed.map(|seed| seed.of(this.count())).transpose()?;
        this.select(lanes.as_ref());
        let mut first = 0;
        let mut interrupted = Ok(());
        for (part, selected) in this.parts.iter_mut().zip(&this.selected) {
            let own = seeds.as_ref().map(|seeds| &seeds[first..first + part.lanes()]);
            first += part.lanes();
            py.detach(|| part.begin(selected, own));
            interrupted = py.check_signals();
            if interrupted.is_err() {
                break;
            }
        }
        // Where a signal came, the arrays show the sessions that have begun by then.
        this.run(py, None)?;
        interrupted?;
        Ok(this.shown(py))
    }

    /// Plays one action in each lane, up to the next decision.
    ///
    /// Parameters
    /// ----------
    /// actions : array_like of int, shape (L,)
    ///     The actions. Entries of lanes that are not in `lanes` or that wait do not count.
    /// lanes : ndarray of bool, shape (L,), optional
    ///     The lanes that play. None means all.
    ///
    /// Returns
    /// -------
    /// Step
    ///     The next decisions, and the rewards of rounds that ended.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If an action is illegal; the message has the lane and the legal actions. Or if an array has a wrong shape.
    ///     Nothing is played then.
    /// TypeError
    ///     If an array has a wrong type. Nothing is played then.
    #[pyo3(signature = (actions, lanes=None))]
    fn step<'py>(
        slf: &Bound<'py, Self>,
        actions: PicksArg<'py>,
        lanes: Option<LanesArg>,
    ) -> PyResult<output::Step<'py>> {
        let mut this = alone(slf)?;
        actions.fits(this.count())?;
        if let Some(lanes) = &lanes {
            lanes.fits(this.count())?;
        }
        this.select(lanes.as_ref());
        match this.run(slf.py(), Some(&actions.actions))? {
            true => Ok(this.shown(slf.py())),
            false => Err(this.refuse(&actions)),
        }
    }

    /// Draws a legal action for each lane, all with the same probability.
    ///
    /// The draws follow from the session's seed and the number of the decision. A second call before the next step
    /// returns the same actions.
    ///
    /// Returns
    /// -------
    /// ndarray of uint16, shape (L,)
    ///     The actions; 0 in lanes that wait.
    fn sample<'py>(slf: &Bound<'py, Self>) -> PyResult<Actions<'py>> {
        let py = slf.py();
        let mut this = alone(slf)?;
        let this = &mut *this;
        this.is_sampled = true;
        if this.drawn.is_empty() {
            let mut all = vec![0; this.count()];
            let Self { parts, pool, .. } = this;
            py.detach(|| {
                let mut left = all.as_mut_slice();
                let mut jobs = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    jobs.push((part, left.split_off_mut(..part.lanes()).unwrap_or_default()));
                }
                pool.each(jobs, |(part, own)| job::draw(part, own))
            })?;
            this.drawn = all;
        }
        Ok(PyArray1::from_slice(py, &this.drawn).into())
    }

    /// Returns the view of the seat to move in a lane.
    ///
    /// Parameters
    /// ----------
    /// lane : int
    ///     The lane, from 0.
    ///
    /// Returns
    /// -------
    /// View
    ///     What the seat may know.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     If there is no such lane.
    /// ValueError
    ///     If the lane waits.
    fn view(slf: &Bound<'_, Self>, lane: Whole<'_>) -> PyResult<View> {
        let this = shared(slf)?;
        let (part, lane) = this.place(&lane.0)?;
        part.view(lane).map(View::of).ok_or_else(|| refused("lane: nobody decides there"))
    }

    /// Copies the session of a lane into a table, with all its moves.
    ///
    /// Parameters
    /// ----------
    /// lane : int
    ///     The lane, from 0.
    ///
    /// Returns
    /// -------
    /// Table
    ///     The session so far.
    ///
    /// Raises
    /// ------
    /// IndexError
    ///     If there is no such lane.
    fn table(slf: &Bound<'_, Self>, lane: Whole<'_>) -> PyResult<Table> {
        let this = shared(slf)?;
        let (part, lane) = this.place(&lane.0)?;
        let SavedSession { rules, seed, picks, .. } = part.saved(lane);
        let rules = &this.rules[*rules].0;
        let mut table = rules.table(*seed);
        let skips = part.stream().skip_forced;
        let mut picks = picks.iter();
        loop {
            let legal = table.legal();
            let pick = match legal.as_slice() {
                // The last round of a session that is over stays as it is.
                [] if table.deal_next() => continue,
                [] => break,
                [only] if skips => *only,
                _ => match picks.next() {
                    Some(pick) => *pick,
                    None => break,
                },
            };
            table.try_play(pick).map_err(refused)?;
        }
        Ok(Table::of(table, rules.clone(), None))
    }

    fn __len__(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.count())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let this = shared(slf)?;
        Ok(format!(
            "<cardsharp_rl.Batch of {}: {} lanes, {} seats, {} thread(s)>",
            this.game.name(),
            this.count(),
            this.most_seats(),
            this.pool.threads()
        ))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        let (py, this) = (slf.py(), shared(slf)?);
        static BATCH: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let restore = imported(py, &BATCH, "cardsharp_rl", "Batch")?.getattr("_restore")?;
        let stream = this.parts[0].stream();
        let options = (stream.restart, stream.skip_forced, stream.reveal, this.copy, this.pool.threads());
        let (seeds, courses) = (PyList::empty(py), PyList::empty(py));
        for part in &this.parts {
            part.stream().seeds.iter().try_for_each(|seed| seeds.append(*seed))?;
            for SavedSession { session, rules, seed, picks } in (0..part.lanes()).map(|lane| part.saved(lane))
            {
                let picks = PyArray1::from_iter(py, picks.iter().map(|pick| pick.0));
                courses.append((session, rules, seed, picks))?;
            }
        }
        let outcomes = this.parts.iter().map(Endless::outcomes);
        let fields =
            (this.game.name(), this.mixture(py)?, seeds, options, courses, arrays::kept(py, outcomes)?);
        Ok(Pickled((restore, fields).into_pyobject(py)?.into_any()))
    }

    /// What `pickle` calls.
    #[staticmethod]
    fn _restore(
        py: Python<'_>,
        game: GameArg,
        rules: RulesArg<'_>,
        seeds: Vec<u64>,
        options: (bool, bool, bool, bool, usize),
        courses: Anything<'_>,
        outcomes: Anything<'_>,
    ) -> PyResult<Self> {
        let (restart, skip_forced, reveal, copy, threads) = options;
        let rules = given::mixture(game.0, Some(rules), None)?;
        let courses: Vec<(u64, usize, u64, Bound<'_, PyArray1<u16>>)> = courses.0.extract()?;
        let count = seeds.len();
        if courses.len() != count
            || !(1..=MOST_LANES).contains(&count)
            || !(1..=MOST_THREADS).contains(&threads)
        {
            return Err(refused("not the pickle of a batch: lanes, courses or threads are wrong"));
        }
        let mut all = Vec::with_capacity(count);
        for (session, rules, seed, picks) in courses {
            let picks = picks
                .try_readonly()
                .map_err(refused)?
                .as_array()
                .iter()
                .map(|&pick| ActionId(pick))
                .collect();
            all.push(SavedSession { session, rules, seed, picks });
        }
        let outcomes = arrays::outcomes(&outcomes.0)?;
        let (mut parts, mut first) = (Vec::new(), 0);
        for (seeds, courses) in Self::cut(&seeds, threads).into_iter().zip(Self::cut(&all, threads)) {
            let own = arrays::part_of(&outcomes, first, seeds.len())?;
            first += seeds.len();
            let stream = LaneSource { rules: rules.clone(), seeds, restart, skip_forced, reveal };
            let part = py.detach(|| Endless::resumed(stream, &courses, own));
            parts.push(part.map_err(|error| refused(format!("not the pickle of a batch: {error}")))?);
        }
        Self::of(py, game.0, parts, threads, copy)
    }
}

//! Many sessions side by side.

mod arrays;
mod given;
mod job;
mod pool;

use cardsharp_env::endless::{Endless, SavedSession, Stream};
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
use arrays::Shelf;
use given::{CountArg, PicksArg, RulesArg, SeedsArg};
use job::Job;
use pool::Pool;

/// Many sessions side by side, in step: every lane has a decision at all times. Where a round is over the next is
/// dealt, where a session is over another begins.
///
/// Batch("dalmuti", 1024, players=5, seed=1): without a seed one is drawn. `rules` may also be a list of rules, or of
/// pairs of rules and how often they are played relative to the others; each session draws its own. The seed of lane
/// i's first session is derived from `seed` and i, those of later ones from it, so that lanes play the same whatever
/// the number of `threads`. `skip_forced` plays decisions with a single legal action without asking;
/// `privileged_observation` fills the field of `Step`; without `autoreset` a lane waits once its session is over:
/// `action_mask` has no action there until `reset` begins another.
///
/// With `copy=False` every step gives the same arrays, written over: what an earlier `Step` showed is lost. They are
/// the batch's own memory for nothing but showing, so writing to them changes no session.
///
/// >>> batch = cardsharp_rl.Batch("taki", 64, seed=1)
/// >>> now = batch.now
/// >>> for _ in range(100):
/// ...     now = batch.step(batch.sample())
/// >>> now.observations.shape == (64, cardsharp_rl.game("taki").cells)
/// True
///
/// Raises ValueError for a game, rules or numbers that cannot be. A batch is pickled with its sessions; it may be used in a
/// process that was forked or spawned from its own, where it goes on by itself.
#[pyclass(module = "cardsharp_rl")]
pub(crate) struct Batch {
    game: &'static dyn AnyGame,
    rules: Vec<(GameRules, f64)>,
    /// Consecutive lanes, shared out among the threads.
    parts: Vec<Endless>,
    pool: Pool,
    copy: bool,
    shelf: Shelf,
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
/// The most threads.
const MOST_THREADS: usize = 256;
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
        let shelf = Shelf::new(py, game, &parts);
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
        threads: i64,
        skip_forced: bool,
        privileged_observation: bool,
        autoreset: bool,
        copy: bool,
    ) -> PyResult<Self> {
        let game = game.0;
        let rules = given::mixture(game, rules, players)?;
        let seed = input::given_or_drawn(py, seed)?;
        let lanes = lanes.within("lanes", MOST_LANES)?;
        let threads = CountArg(threads.into()).within("threads", MOST_THREADS)?;
        let seeds: Vec<u64> = (0..lanes as u64).map(|lane| seed::derived(seed, &[lane])).collect();
        let mut parts = Vec::new();
        for seeds in Self::cut(&seeds, threads) {
            let stream = Stream {
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

    /// The most seats of a session by any of the rules, S.
    #[getter]
    fn seats(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.most_seats())
    }

    /// Number of threads.
    #[getter]
    fn threads(slf: &Bound<'_, Self>) -> PyResult<usize> {
        Ok(shared(slf)?.pool.threads())
    }

    /// The rules, all options, and how often each is played.
    #[getter]
    fn rules<'py>(slf: &Bound<'py, Self>) -> PyResult<output::Mixture<'py>> {
        shared(slf)?.mixture(slf.py())
    }

    /// The seeds of the sessions under way: uint64, [L]. `Table(game, rules, seed=...)` deals the same cards.
    #[getter]
    fn seeds<'py>(slf: &Bound<'py, Self>) -> PyResult<Seeds<'py>> {
        let this = shared(slf)?;
        let seeds = this.parts.iter().flat_map(|part| (0..part.lanes()).map(|lane| part.saved(lane).seed));
        Ok(PyArray1::from_iter(slf.py(), seeds).into())
    }

    /// What `reset` or `step` gave last.
    #[getter]
    fn now<'py>(slf: &Bound<'py, Self>) -> PyResult<output::Step<'py>> {
        Ok(shared(slf)?.shown(slf.py()))
    }

    /// Begins sessions anew in all lanes, or in those that `lanes` (bool, [L]) marks: with a seed, as if the batch had been
    /// made with it; with an array of them ([L]), lane i plays what `Table(game, rules, seed=seed[i])` does; without
    /// one, the lanes' next sessions. Nothing has come of this step: no rewards, nothing done.
    ///
    /// Raises ValueError for wrong shapes, TypeError for wrong types.
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

    /// Plays an action in every lane, or in those that `lanes` (bool, [L]) marks, and goes on until each has a decision
    /// again. `actions` is an array of integers, [L]; what it says of other lanes, and of those that wait, does not matter.
    ///
    /// Raises ValueError with lane, action and the legal moves if one is not legal, and for wrong shapes, TypeError for
    /// wrong types. Nothing was played then.
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

    /// A uniformly random legal action for every lane: uint16, [L]; 0 in lanes that wait. It is drawn from the session's
    /// seed and the number of the decision: asked twice, it is the same.
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

    /// What the seat that decides in a lane may know.
    ///
    /// Raises IndexError if there is no such lane, ValueError if nobody decides there.
    fn view(slf: &Bound<'_, Self>, lane: Whole<'_>) -> PyResult<View> {
        let this = shared(slf)?;
        let (part, lane) = this.place(&lane.0)?;
        part.view(lane).map(View::of).ok_or_else(|| refused("lane: nobody decides there"))
    }

    /// A table with the session of a lane as far as it went: its records, its labels, what would come next.
    ///
    /// Raises IndexError if there is no such lane.
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
            let stream = Stream { rules: rules.clone(), seeds, restart, skip_forced, reveal };
            let part = py.detach(|| Endless::resumed(stream, &courses, own));
            parts.push(part.map_err(|error| refused(format!("not the pickle of a batch: {error}")))?);
        }
        Self::of(py, game.0, parts, threads, copy)
    }
}

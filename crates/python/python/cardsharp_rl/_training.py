"""Training, solving, and what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Union

from cardsharp_rl import _core
from cardsharp_rl._arena import BotLike, WorkerPool, contest
from cardsharp_rl._report import Interval, Report, report

StrPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Iteration:
    """The argument of a callback of `train` and `exploit`, after every iteration.

    Attributes
    ----------
    iteration : int
        Iterations that are complete.
    iterations : int
        Iterations of the whole run.
    decisions : int
        Decisions of the learner since the run began.
    seconds : float
        Seconds that the iteration took.
    figures : dict
        All figures of the iteration by name, as in `metrics.csv` and `timing.csv`.
    reports : tuple of Report
        What the arena found, one report for each baseline; empty where none was held.
    checkpoint : Path or None
        The checkpoint that was written, if any.
    warnings : tuple of str
        What went wrong without stopping the run.
    """

    iteration: int
    iterations: int
    decisions: int
    seconds: float
    figures: dict[str, float]
    reports: tuple[Report, ...]
    checkpoint: Path | None
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """How a run ended.

    Attributes
    ----------
    finished : bool
        Whether all iterations are complete; otherwise it was asked to stop, and can be resumed.
    run : Path
        Its folder.
    bundle : Path or None
        The exported bot, of a run that is finished.
    iterations : int
        Iterations that are complete.
    decisions : int
        Decisions of the learner.
    reports : tuple of Report
        What the last evaluation found, one report for each baseline.
    tables : dict
        What it found by the other rules that the configuration names.
    warnings : tuple of str
        Problems after the last iteration that did not stop the run.
    """

    finished: bool
    run: Path
    bundle: Path | None
    iterations: int
    decisions: int
    reports: tuple[Report, ...]
    tables: dict[str, Report]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """An answer to a frozen bot, and what it came to against it.

    Attributes
    ----------
    bot : str
        What names it in an arena: a bundle, or a search.
    report : Report
        The contest in which it was measured.
    """

    bot: str
    report: Report

    @property
    def best_response_gain(self) -> Interval:
        """Its place score among copies of the bot, where the bot itself gets 0."""
        return self.report.bots[0].place_score


@dataclass(frozen=True)
class Exploited(Run):
    """What a player gained that learned to answer a frozen bot; of several seeds the first, and all in `tried`.

    Attributes
    ----------
    curve : tuple of (int, Interval)
        Decisions of the learner and its place score then, over the run; the last one was measured on fresh deals.
    tried : tuple of Tried
        Every answer that was tried, on fresh deals: the players, then the search. Empty if the run is not finished.
    best : Tried or None
        The best of several answers, once more on other deals, because the best of several looks better than it is.
    """

    curve: tuple[tuple[int, Interval], ...]
    tried: tuple[Tried, ...] = ()
    best: Tried | None = None

    @property
    def best_response_gain(self) -> Interval:
        """The place score of the best answer, or of the only one, on fresh deals: a lower bound of what a perfect answer gains."""
        return self.best.best_response_gain if self.best else self.reports[0].bots[0].place_score


@dataclass(frozen=True)
class Strategy:
    """What a strategy is worth that all seats play.

    Attributes
    ----------
    name : str
        The bot's name, or "cfr+".
    iterations : int or None
        Iterations of CFR+.
    exploitability : float
        `nash_conv` by seats.
    nash_conv : float
        What all seats together would gain by answering it perfectly, each on its own.
    value : tuple of float
        The reward a round that each seat can expect.
    best_response : tuple of float
        The reward a round that each seat can expect if it alone answers perfectly.
    """

    name: str
    iterations: int | None
    exploitability: float
    nash_conv: float
    value: tuple[float, ...]
    best_response: tuple[float, ...]


@dataclass(frozen=True)
class Solution:
    """A small game, exactly.

    Attributes
    ----------
    game : str
        The name of the game.
    rules : dict
        All options of the rules.
    num_deals : int
        Deals of the game.
    positions : int
        Positions of the game tree.
    decisions : int
        Information states in which a seat decides.
    strategies : tuple of Strategy
        The bot's strategy, if `bot` was passed, then that of CFR+, if it ran.
    game_value : (float, float) or None
        With best play seat 0 gets between these rewards a round; of CFR+.
    """

    game: str
    rules: dict[str, Any]
    num_deals: int
    positions: int
    decisions: int
    strategies: tuple[Strategy, ...]
    game_value: tuple[float, float] | None


@dataclass(frozen=True)
class Verified:
    """A bundle that is sound.

    Attributes
    ----------
    game : str
        The name of the game.
    encoding : int
        The version of rows and actions.
    layers : tuple of int
        Layer widths, from cells to actions.
    vectors : int
        Number of test vectors that agree.
    difference : float
        The largest difference between the vectors and this program.
    actions : int
        Actions that are legal in some vector.
    cells : int
        Cells that are not 0 in some vector.
    never : tuple of str
        The blocks of which no vector shows anything.
    """

    game: str
    encoding: int
    layers: tuple[int, ...]
    vectors: int
    difference: float
    actions: int
    cells: int
    never: tuple[str, ...]


Callback = Callable[[Iteration], object]


def _told(callback: Callback | None) -> Callable[[dict[str, Any]], object] | None:
    if callback is None:
        return None
    return lambda step: callback(
        Iteration(
            iteration=step["iteration"],
            iterations=step["iterations"],
            decisions=step["decisions"],
            seconds=step["seconds"],
            figures=step["figures"],
            reports=tuple(report(found) for found in step["reports"]),
            checkpoint=step["checkpoint"] and Path(step["checkpoint"]),
            warnings=tuple(step["warnings"]),
        )
    )


def _run(came: dict[str, Any]) -> dict[str, Any]:
    return {
        "finished": came["finished"],
        "run": Path(came["run"]),
        "bundle": came["bundle"] and Path(came["bundle"]),
        "iterations": came["iterations"],
        "decisions": came["decisions"],
        "reports": tuple(report(found) for found in came["reports"]),
        "tables": {found["table"]: report(found["report"]) for found in came["tables"]},
        "warnings": tuple(came["warnings"]),
    }


def _tried(came: dict[str, Any]) -> Tried:
    return Tried(bot=came["bot"], report=report(came["report"]))


def train(
    config: StrPath | Mapping[str, Any] | None = None,
    *,
    overrides: Sequence[str] = (),
    run: StrPath | None = None,
    runs: StrPath = "runs",
    resume: StrPath | None = None,
    threads: int | None = None,
    callback: Callback | None = None,
    workers: WorkerPool | None = None,
) -> Run:
    """Trains a bot by self-play, measures it and exports it, as `cardsharp train` does.

    The same configuration gives the same bytes, for any number of threads. Ctrl-C stops the run with a checkpoint and
    raises KeyboardInterrupt.

    Parameters
    ----------
    config : str, path or mapping, optional
        The path of a TOML file, or a mapping with the same keys.
    overrides : sequence of str, default ()
        Texts `key=value`, as for `--set`. A resumed run takes only keys that no complete iteration depends on, like
        `iterations`.
    run : str or path, optional
        The folder of the run. None means a new folder in `runs`.
    runs : str or path, default "runs"
        The folder of all runs.
    resume : str or path, optional
        The folder of a run to continue, instead of `config` and `run`.
    threads : int, optional
        Number of threads; 0 is one for each core. None means the number in the configuration.
    callback : callable, optional
        Called with an `Iteration` after each. If it returns False, the run stops with a checkpoint.
    workers : WorkerPool, optional
        Plays the rollouts in other processes (`cardsharp_ray`).

    Returns
    -------
    Run
        The bundle, reports and more.

    Raises
    ------
    ValueError
        If the configuration is invalid. The message has the line and the key.
    FileExistsError
        If the folder of the run is not empty.
    FileNotFoundError
        If `resume` is no run.
    OSError
        If a file cannot be written.
    TrainingDiverged
        If the run cannot continue.
    """
    if config is not None and resume is not None:
        raise ValueError("resume: a run that goes on has its configuration; expected no config besides")
    if run is not None and resume is not None:
        raise ValueError("resume: a run that goes on has its folder; expected no run besides")
    path, text = (None, config) if isinstance(config, Mapping) else (config, None)
    elsewhere = None if workers is None else workers.rollout
    return Run(**_run(_core.train(path, text, list(overrides), run, runs, resume, threads, _told(callback), elsewhere)))


def exploit(
    bot: str,
    game: str | _core.Game,
    *,
    run: StrPath,
    rules: Mapping[str, Any] | None = None,
    rounds: int | None = None,
    decisions: int = 1_000_000,
    scratch: bool = False,
    search: int | None = None,
    seeds: int = 1,
    num_deals: int = 1000,
    temperature: float = 0.0,
    seed: int | None = 1,
    threads: int = 1,
    callback: Callback | None = None,
    workers: WorkerPool | None = None,
) -> Exploited:
    """Trains a player against a frozen bot and measures how much it gains, as `cardsharp exploit` does.

    Parameters
    ----------
    bot : str
        The name or path of the bot.
    game : str or Game
        The game or its name.
    run : str or path
        The folder of the results.
    rules : mapping, optional
        Options of the rules.
    rounds : int, optional
        Rounds of a session. None means as many as `rules` has, else one.
    decisions : int, default 1000000
        Approximate number of the player's decisions in training.
    scratch : bool, default False
        Whether the player starts with random weights instead of the bot's.
    search : int, optional
        Playouts of a search with the bot's network, which is measured as well; 0 means no search. None means 100 if the
        bot is a network of logits or `scripted`, else 0.
    seeds : int, default 1
        Number of players, trained with `seed`, `seed` + 1 and so on. The best of all answers counts.
    num_deals : int, default 1000
        Deals of each measurement, played from every seat.
    temperature : float, default 0
        How the bot's network chooses: 0 the most probable action, 1 by its probabilities.
    seed : int or None, default 1
        The first seed. None draws one.
    threads : int, default 1
        Number of threads; 0 is one for each core.
    callback : callable, optional
        As in `train`.
    workers : WorkerPool, optional
        Plays the rollouts and measures the search in other processes (`cardsharp_ray`).

    Returns
    -------
    Exploited
        The gain, and all answers that were tried.

    Raises
    ------
    ValueError, OSError, TrainingDiverged
        As `train`.
    """
    told = _told(callback)
    elsewhere, contests = (None, None) if workers is None else (workers.rollout, partial(contest, workers, None))
    came = _core.exploit(
        bot,
        game,
        rules,
        rounds,
        decisions,
        scratch,
        search,
        seeds,
        num_deals,
        temperature,
        seed,
        run,
        threads,
        told,
        elsewhere,
        contests,
    )
    curve = tuple((point["decisions"], Interval(**point["place_score"])) for point in came["curve"])
    best = came.get("best")
    tried = tuple(_tried(answer) for answer in came.get("tried", ()))
    return Exploited(**_run(came), curve=curve, tried=tried, best=best and _tried(best))


def solve(
    game: str | _core.Game,
    bot: BotLike | None = None,
    *,
    rules: Mapping[str, Any] | None = None,
    endgame: Mapping[str, Any] | None = None,
    iterations: int | None = None,
    temperature: float = 1.0,
    seed: int | None = 0,
) -> Solution:
    """Solves a small game exactly, or measures a bot in it.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    bot : bot, optional
        Everything that `cardsharp_rl.bot` takes.
    rules : mapping, optional
        Options of the rules.
    endgame : mapping, optional
        Cards of a position, instead of all deals of the first round.
    iterations : int, optional
        Iterations of CFR+. None means 1000 without a bot, else 0.
    temperature : float, default 1
        How networks choose: 0 the most probable action, 1 by their probabilities.
    seed : int or None, default 0
        Seed of the bot. None draws one.

    Returns
    -------
    Solution
        Exploitability, NashConv and values of the strategies, in rewards a round.

    Raises
    ------
    ValueError
        If the game has too many deals.

    Examples
    --------
    >>> round(cardsharp_rl.solve("kuhn", "random").strategies[0].nash_conv, 9)
    0.916666667
    """
    if iterations is None:
        iterations = 1000 if bot is None else 0
    found = _core.solve(game, rules, bot, endgame, iterations, temperature, seed)
    strategies = tuple(
        Strategy(
            name=each["strategy"],
            iterations=each["iterations"],
            exploitability=each["exploitability"],
            nash_conv=each["nash_conv"],
            value=tuple(each["value"]),
            best_response=tuple(each["best_response"]),
        )
        for each in found.pop("strategies")
    )
    value = found.pop("game_value")
    return Solution(
        num_deals=found.pop("deals"), **found, strategies=strategies, game_value=value and (value[0], value[1])
    )


def export(
    source: StrPath, to: StrPath, *, seed: int | None = 1, cost: StrPath | None = None, processor: str | None = None
) -> Path:
    """Writes a trained network as a bundle, as `cardsharp export` does.

    Parameters
    ----------
    source : str or path
        A run (its best checkpoint), a checkpoint, a bundle, a bot file, or the name of a shipped or installed bot.
    to : str or path
        The folder of the bundle. A bundle in it is replaced.
    seed : int or None, default 1
        Chooses the sessions of the test vectors.
    cost : str or path, optional
        A run whose `timing.csv` gives the cost of training for the bundle's card.
    processor : str, optional
        The name of the processor for the card; needs `cost`.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    ValueError
        If the source has no network or is not of the run `cost`, or `processor` is passed without `cost`.
    FileNotFoundError
        If there is no such file or folder.
    OSError
        If a file cannot be written.
    """
    if processor is not None and cost is None:
        raise ValueError(f"processor: {processor!r} without a run whose cost it was; expected `cost`, too")
    _core.export(source, to, seed, cost, processor)
    return Path(to)


def verify(bundle: StrPath) -> Verified:
    """Checks all files of a bundle and replays its test vectors, as `cardsharp verify` does.

    Parameters
    ----------
    bundle : str or path
        The folder of the bundle, or the name of an installed bot.

    Returns
    -------
    Verified
        What was checked.

    Raises
    ------
    ValueError
        If a file is missing, unexpected, damaged or different. The message has the file and line.
    FileNotFoundError
        If there is no such folder.
    """
    found = _core.verify(bundle)
    layers, never = tuple(found.pop("layers")), tuple(found.pop("never"))
    return Verified(**found, layers=layers, never=never)

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

    Attributes:
        iteration: Iterations that are complete.
        iterations: Iterations of the whole run.
        decisions: Decisions of the learner since the run began.
        seconds: Seconds that the iteration took.
        figures: All figures of the iteration by name, as in `metrics.csv` and `timing.csv`.
        reports: What the arena found, one report for each baseline; empty where none was held.
        checkpoint: The checkpoint that was written, if any.
        warnings: What went wrong without stopping the run.
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

    Attributes:
        finished: Whether all iterations are complete; otherwise it was asked to stop, and can be resumed.
        run: Its folder.
        bundle: The exported bot, of a run that is finished.
        iterations: Iterations that are complete.
        decisions: Decisions of the learner.
        reports: What the last evaluation found, one report for each baseline.
        tables: What it found by the other rules that the configuration names.
        warnings: What went wrong without stopping the run, and was told with no iteration because none came after it.
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

    Attributes:
        bot: What names it in an arena: a bundle, or a search.
        report: The contest in which it was measured.
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

    Attributes:
        curve: Decisions of the learner and its place score then, over the run; the last one was measured on fresh
            deals.
        tried: Every answer that was tried, on fresh deals: the players, then the search. Empty if
            the run is not finished.
        best: The best of several answers, once more on other deals, because the best of several looks better than it
            is.
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

    Attributes:
        name: The bot's name, or "cfr+".
        iterations: Iterations of CFR+.
        exploitability: `nash_conv` by seats.
        nash_conv: What all seats together would gain by answering it perfectly, each on its own.
        value: The reward a round that each seat can expect.
        best_response: The reward a round that each seat can expect if it alone answers perfectly.
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

    Attributes:
        game: The name of the game.
        rules: All options of the rules.
        num_deals: Deals of the game.
        positions: Positions of the game tree.
        decisions: Information states in which a seat decides.
        strategies: That of the bot, if one was given, and that of CFR+, if there were iterations.
        game_value: With best play seat 0 gets between these rewards a round; of CFR+.
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

    Attributes:
        game: The name of the game.
        encoding: The version of rows and actions.
        layers: Layer widths, from cells to actions.
        vectors: Number of test vectors that agree.
        difference: The largest difference between the vectors and this program.
        actions: Actions that are legal in some vector.
        cells: Cells that are not 0 in some vector.
        never: The blocks of which no vector shows anything.
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
    """Trains a bot by self-play, measures it and exports it: what `cardsharp train` does, to the same bytes.

    `config` is the path of a TOML file, or a mapping with the same keys. `overrides` are texts `key=value`, as `--set`
    takes them. The run gets a folder: `run`, or one of its own in `runs`; `resume` goes on with one, and `overrides`
    may then change what no iteration depended on that is done, like `iterations`. `threads`: 0 is one for each
    core; they do not change the result. `callback` is called with an `Iteration` after each, which the learner waits
    for; if it returns False, or Ctrl-C is pressed, what is under way is dropped, a checkpoint written and the run
    left, to be resumed later. What the `workers` play is played elsewhere: `cardsharp_ray`; if it raises something,
    the run is left with a checkpoint.

    Raises ValueError for a configuration that cannot be, with line and key; FileExistsError for a folder that is not empty,
    FileNotFoundError for one to resume that is no run, OSError for what cannot be written, `TrainingDiverged` for a
    run that would come to nothing again. Ctrl-C raises KeyboardInterrupt.
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
    threads: int = 0,
    callback: Callback | None = None,
    workers: WorkerPool | None = None,
) -> Exploited:
    """Trains a player against a frozen bot, and measures on fresh deals what it gains: `cardsharp exploit`.

    `bot` is a name or path. The player begins with the bot's own weights where it has any, unless `scratch`. About
    `decisions` of its decisions are played, in folder `run`; then `num_deals` sessions of `rounds` rounds (None: as many
    as `rules` says, else one) measure it from every seat.

    A search with `search` playouts and the bot's own network is measured as an answer, too; 0 means no search. None means
    100 if the bot is a network of logits or the scripted player, else 0. With several `seeds` as many players are trained,
    from `seed` on, in folders of `run` that are named by them. The best of all answers counts. With `workers` the rollouts
    and the measurement of the search are played elsewhere: `cardsharp_ray`.

    Raises as `train` does.
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
    """A small game, exactly: what a bot gives away in it, and what CFR+ finds.

    Every deal of the first round is written down, or an `endgame` that these cards tell. With a bot nothing is solved
    unless `iterations` say so; without one there are 1,000. `temperature` is that of networks.

    >>> round(cardsharp_rl.solve("kuhn", "random").strategies[0].nash_conv, 9)
    0.916666667

    Raises ValueError for games with too many deals.
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
    """Writes a run's best checkpoint, a checkpoint or a bot file as a bundle, a folder that stands on its own:
    `cardsharp export`. A bundle that is there is replaced. `seed` chooses the sessions that its test vectors come from.
    With `cost` its card tells what training took, by the `timing.csv` of that run, and on which `processor`.

    Raises ValueError for what is no network or not of that run, and for a `processor` without a `cost`;
    FileNotFoundError for what is not there, OSError for what cannot be written.
    """
    if processor is not None and cost is None:
        raise ValueError(f"processor: {processor!r} without a run whose cost it was; expected `cost`, too")
    _core.export(source, to, seed, cost, processor)
    return Path(to)


def verify(bundle: StrPath) -> Verified:
    """Checks every file of a bundle and replays its test vectors: `cardsharp verify`.

    Raises ValueError for the first thing that is missing, additional, damaged or different, with its file and line;
    FileNotFoundError if there is no such folder.
    """
    found = _core.verify(bundle)
    layers, never = tuple(found.pop("layers")), tuple(found.pop("never"))
    return Verified(**found, layers=layers, never=never)

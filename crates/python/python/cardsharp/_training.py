"""Training, solving, and what comes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Union

from cardsharp import _core
from cardsharp._arena import BotLike, Crew, contest
from cardsharp._report import Interval, Report, report

StrPath = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Iteration:
    """What a callback of `train` and `exploit` is told after every iteration."""

    #: Iterations that are complete, and those of the whole run.
    iteration: int
    iterations: int
    #: Decisions of the learner since the run began.
    decisions: int
    #: Seconds that the iteration took.
    seconds: float
    #: All figures of the iteration by name, as in `metrics.csv` and `timing.csv`.
    figures: dict[str, float]
    #: What the arena found, one report for each baseline; empty where none was held.
    reports: tuple[Report, ...]
    #: The checkpoint that was written, if any.
    checkpoint: Path | None
    #: What went wrong without stopping the run.
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """How a run ended."""

    #: Whether all iterations are complete; otherwise it was asked to stop, and can be resumed.
    finished: bool
    #: Its folder.
    run: Path
    #: The exported bot, of a run that is finished.
    bundle: Path | None
    iterations: int
    #: Decisions of the learner.
    decisions: int
    #: What the last evaluation found, one report for each baseline.
    reports: tuple[Report, ...]
    #: What it found by the other rules that the configuration names.
    tables: dict[str, Report]
    #: What went wrong without stopping the run, and was told with no iteration because none came after it.
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Tried:
    """An answer to a frozen bot, and what it came to against it."""

    #: What names it in an arena: a bundle, or a search.
    bot: str
    report: Report

    @property
    def gained(self) -> Interval:
        """Its place score among copies of the bot, where the bot itself gets 0."""
        return self.report.bots[0].place_score


@dataclass(frozen=True)
class Exploited(Run):
    """What a player gained that learned to answer a frozen bot; of several seeds the first, and all in `tried`."""

    #: Decisions of the learner and its place score then, over the run; the last one was measured on fresh deals.
    curve: tuple[tuple[int, Interval], ...]
    #: Every answer that was tried, on fresh deals: the players, then the search. Empty if the run is not finished.
    tried: tuple[Tried, ...] = ()
    #: The best of several answers, once more on other deals, because the best of several looks better than it is.
    best: Tried | None = None

    @property
    def gained(self) -> Interval:
        """The place score of the best answer, or of the only one, on fresh deals: a lower bound of what a perfect answer gains."""
        return self.best.gained if self.best else self.reports[0].bots[0].place_score


@dataclass(frozen=True)
class Strategy:
    """What a strategy is worth that all seats play."""

    #: The bot's name, or "cfr+".
    name: str
    #: Iterations of CFR+.
    iterations: int | None
    #: `nash_conv` by seats.
    exploitability: float
    #: What all seats together would gain by answering it perfectly, each on its own.
    nash_conv: float
    #: The reward a round that each seat can expect.
    value: tuple[float, ...]
    #: The reward a round that each seat can expect if it alone answers perfectly.
    best_response: tuple[float, ...]


@dataclass(frozen=True)
class Solution:
    """A small game, exactly."""

    game: str
    rules: dict[str, Any]
    deals: int
    positions: int
    decisions: int
    #: That of the bot, if one was given, and that of CFR+, if there were iterations.
    strategies: tuple[Strategy, ...]
    #: With best play seat 0 gets between these rewards a round; of CFR+.
    game_value: tuple[float, float] | None


@dataclass(frozen=True)
class Verified:
    """A bundle that is sound."""

    game: str
    encoding: int
    #: Layer widths, from cells to actions.
    layers: tuple[int, ...]
    #: Number of test vectors that agree, and the largest difference.
    vectors: int
    difference: float
    #: Actions that are legal, and cells that are not 0, in some vector.
    actions: int
    cells: int
    #: The blocks of which no vector shows anything.
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
    crew: Crew | None = None,
) -> Run:
    """Trains a bot by self-play, measures it and exports it: what `cardsharp train` does, to the same bytes.

    `config` is the path of a TOML file, or a mapping with the same keys. `overrides` are texts `key=value`, as `--set` takes
    them. The run gets a folder: `run`, or one of its own in `runs`; `resume` goes on with one, and `overrides` may then change what no
    iteration depended on that is done, like `iterations`. `threads`: 0 is one for each
    core; they do not change the result. `callback` is called with an `Iteration` after each, which the learner waits for; if it
    returns False, or Ctrl-C is pressed, what is under way is dropped, a checkpoint written and the run left, to be resumed
    later. What a `crew` plays is played elsewhere: `cardsharp.ray`; if it raises something, the run is left with a checkpoint.

    Raises ValueError for a configuration that cannot be, with line and key; FileExistsError for a folder that is not empty,
    FileNotFoundError for one to resume that is no run, OSError for what cannot be written, `CannotLearn` for a run that would
    come to nothing again. Ctrl-C raises KeyboardInterrupt.
    """
    if config is not None and resume is not None:
        raise ValueError("resume: a run that goes on has its configuration; expected no config besides")
    if run is not None and resume is not None:
        raise ValueError("resume: a run that goes on has its folder; expected no run besides")
    path, text = (None, config) if isinstance(config, Mapping) else (config, None)
    elsewhere = None if crew is None else crew.rollout
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
    deals: int = 1000,
    temperature: float = 0.0,
    seed: int = 1,
    threads: int = 0,
    callback: Callback | None = None,
    crew: Crew | None = None,
) -> Exploited:
    """Trains a player against a frozen bot, and measures on fresh deals what it gains: `cardsharp exploit`.

    `bot` is a name or path. The player begins with the bot's own weights where it has any, unless `scratch`. About
    `decisions` of its decisions are played, in folder `run`; then `deals` sessions of `rounds` rounds (None: as many
    as `rules` says, else one) measure it from every seat.

    A search with `search` playouts and the bot's own network is measured as an answer, too; 0 means no search. None means
    100 if the bot is a network of logits or the scripted player, else 0. With several `seeds` as many players are trained,
    from `seed` on, in folders of `run` that are named by them. The best of all answers counts. With a `crew` the rollouts
    and the measurement of the search are played elsewhere: `cardsharp.ray`.

    Raises as `train` does.
    """
    told = _told(callback)
    elsewhere, contests = (None, None) if crew is None else (crew.rollout, partial(contest, crew, None))
    came = _core.exploit(
        bot,
        game,
        rules,
        rounds,
        decisions,
        scratch,
        search,
        seeds,
        deals,
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
    seed: int = 0,
) -> Solution:
    """A small game, exactly: what a bot gives away in it, and what CFR+ finds.

    Every deal of the first round is written down, or an `endgame` that these cards tell. With a bot nothing is solved unless
    `iterations` say so; without one there are 1,000. `temperature` is that of networks.

    >>> round(cardsharp.solve("kuhn", "random").strategies[0].nash_conv, 9)
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
    return Solution(**found, strategies=strategies, game_value=value and (value[0], value[1]))


def export(
    source: StrPath, to: StrPath, *, seed: int = 1, cost: StrPath | None = None, processor: str | None = None
) -> Path:
    """Writes a run's best checkpoint, a checkpoint or a bot file as a bundle, a folder that stands on its own:
    `cardsharp export`. A bundle that is there is replaced. `seed` chooses the sessions that its test vectors come from.
    With `cost` its card tells what training took, by the `timing.csv` of that run, and on which `processor`.

    Raises ValueError for what is no network or not of that run, and for a `processor` without a `cost`; FileNotFoundError for
    what is not there, OSError for what cannot be written.
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

"""Contests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import numpy
from numpy.typing import NDArray

from cardsharp_rl import _core
from cardsharp_rl._report import Report, report


class Actor(Protocol):
    """A player that decides for many tables at once."""

    def act(self, observations: NDArray[numpy.uint8], action_mask: NDArray[numpy.bool_], /) -> Any:
        """Legal actions: integers, [n], for observations [n, cells] and masks [n, actions]."""
        ...


class Picker(Protocol):
    """A player that decides from what its seat may know."""

    def pick(self, view: _core.View, /) -> int | str:
        """A legal action, or its label."""
        ...


class WorkerPool(Protocol):
    """Plays the rollouts of a learner and the deals of a contest in other processes, like `cardsharp_ray.WorkerPool`."""

    def rollout(
        self, config: str, iteration: int, since: int, units: int, others: str, nets: Sequence[_core.Parcel]
    ) -> Iterable[NDArray[numpy.uint8]]:
        """Blocks of `units` units, as `_core.Worker` plays them by the configuration (as TOML), each as soon as it can be had, in
        the order in which the learner is to take them: it learns the same as in one process if they are those of numbers 0, 1,
        2, … of this `iteration`. Units of an earlier one may be among them, but of none before `since`. `others` is for
        `_core.Worker.play`, and so are `nets`."""
        ...

    def contest(
        self, contest: str, first: int, last: int, progress: Callable[[int, int], object] | None
    ) -> Iterable[bytes]:
        """Units `first` to `last` (without) of a contest that is told as JSON, as `_core.Contest` plays them, in order. Tells
        `progress` how many units are done, and of how many."""
        ...


#: What can sit at a table: a bot's name, a bot, a function `f(observations, action_mask) -> actions`, an object with
#: `act(observations, action_mask)` or `pick(view)`, or a class of such objects, which gets a `seed` if it takes one.
BotLike = (
    str
    | _core.Bot
    | Callable[[NDArray[numpy.uint8], NDArray[numpy.bool_]], Any]
    | Actor
    | Picker
    | type[Actor]
    | type[Picker]
)


def named(bots: Mapping[str, BotLike] | Sequence[BotLike]) -> list[tuple[str | None, BotLike]]:
    """Bots with the names that a mapping gives them; those of a list have their own.

    Raises TypeError for what is neither.
    """
    if isinstance(bots, Mapping):
        return list(bots.items())
    if isinstance(bots, (str, _core.Bot)) or not isinstance(bots, Sequence):
        raise TypeError(f"bots: expected a mapping of names to bots, or a list of bots, not {type(bots).__name__}")
    return [(None, bot) for bot in bots]


def contest(
    workers: WorkerPool, progress: Callable[[int, int], object] | None, told: str, first: int, last: int
) -> Iterable[bytes]:
    """Units of a contest that a worker pool plays."""
    return workers.contest(told, first, last, progress)


def arena(
    game: str | _core.Game,
    bots: Mapping[str, BotLike] | Sequence[BotLike],
    *,
    rules: Mapping[str, Any] | None = None,
    num_deals: int = 400,
    rounds: int | None = None,
    seed: int | None = 1,
    round_robin: bool = False,
    seats: Sequence[int] | None = None,
    sprt_margin: float | None = None,
    habits: bool = True,
    temperature: float = 0.0,
    simulations: int | None = None,
    threads: int = 0,
    progress: Callable[[int, int], object] | None = None,
    workers: WorkerPool | None = None,
) -> Report:
    """How strong bots are against each other: every deal is played from every seat.

    With two bots the first takes one seat among copies of the second; with as many bots as players each takes every
    seat in turn; `seats` says otherwise (which bot takes which seat when a deal is first played), and
    `round_robin` is for any number of bots, with ratings. `bots` are named by a mapping's keys, else by themselves.

    There are `num_deals` sessions of `rounds` rounds (None: as many as `rules` says, else one). `sprt_margin` asks for a
    sequential test. It stops once the first bot's place score is above or below 0, with 5 % errors at plus and minus the
    margin, after at most `num_deals`. `temperature` is for networks that are named, `simulations` for
    searches whose names give no budget. `threads`: 0 is one for each core; the result does not depend on them, as long
    as the bots do not. `progress(done, all)` is called a few times a second with units of work.

    With `workers` deals are played elsewhere, by bots that are named: `cardsharp_ray`.

    A player that is written in Python is asked for up to 16 deals at a time, from every seat. Use a class to have
    one made for each of these units, so that what it draws does not depend on who was asked before.

    >>> report = cardsharp_rl.arena("dalmuti", ["scripted", "random"], num_deals=20)
    >>> report["scripted"].place_score.low > 0
    True

    Raises ValueError or TypeError for what cannot be, and says what would be right; whatever a player raises. Ctrl-C
    stops it.
    """
    elsewhere = None if workers is None else partial(contest, workers, progress)
    return report(
        _core.arena(
            game, named(bots), rules, rounds, num_deals, seed, round_robin, None if seats is None else list(seats), sprt_margin,
            habits, temperature, simulations, threads, progress, elsewhere,
        )
    )  # fmt: skip

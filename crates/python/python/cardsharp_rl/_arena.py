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
    """A player that decides at many tables at once."""

    def act(self, observations: NDArray[numpy.uint8], action_mask: NDArray[numpy.bool_], /) -> Any:
        """Chooses legal actions.

        Parameters
        ----------
        observations : ndarray of uint8, shape (n, cells)
            Observation rows.
        action_mask : ndarray of bool, shape (n, actions)
            Their legal actions.

        Returns
        -------
        array_like of int, shape (n,)
            A legal action for each row.
        """
        ...


class Picker(Protocol):
    """A player that decides from a view."""

    def pick(self, view: _core.View, /) -> int | str:
        """Chooses a legal action.

        Parameters
        ----------
        view : View
            What the seat may know.

        Returns
        -------
        int or str
            A legal action, or its label.
        """
        ...


class WorkerPool(Protocol):
    """Plays rollouts and contests in other processes, like `cardsharp_ray.WorkerPool`."""

    def rollout(
        self, config: str, iteration: int, since: int, units: int, others: str, nets: Sequence[_core.Parcel]
    ) -> Iterable[NDArray[numpy.uint8]]:
        """Plays units of an iteration.

        Parameters
        ----------
        config : str
            The configuration as TOML.
        iteration : int
            The iteration of the learner.
        since : int
            The first iteration whose units are still useful.
        units : int
            The number of units.
        others, nets
            Arguments of `_core.Worker.play`.

        Yields
        ------
        ndarray of uint8
            The block of each unit, in the order in which the learner takes them. With units 0, 1, 2 and so on of
            `iteration` the learner does the same as in one process.
        """
        ...

    def contest(
        self, contest: str, first: int, last: int, progress: Callable[[int, int], object] | None
    ) -> Iterable[bytes]:
        """Plays units of a contest.

        Parameters
        ----------
        contest : str
            The contest as JSON, for `_core.Contest`.
        first, last : int
            The units, without `last`.
        progress : callable or None
            Called as `progress(done, all)`.

        Yields
        ------
        bytes
            The result of each unit, in order.
        """
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
    threads: int = 1,
    progress: Callable[[int, int], object] | None = None,
    workers: WorkerPool | None = None,
) -> Report:
    """Plays a contest between bots. Each deal is played from every seat.

    With two bots, the first takes one seat among copies of the second. With as many bots as players, each bot takes
    every seat in turn. A player written in Python gets up to 16 deals from all seats in one call. Pass a class to get a
    new object for each such call; then its draws do not depend on earlier calls. Ctrl-C stops the contest.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    bots : mapping of str to bot, or sequence of bots
        Everything that `cardsharp_rl.bot` takes. The keys of a mapping name the bots in the report.
    rules : mapping, optional
        Options of the rules. Options that are left out have their defaults.
    num_deals : int, default 400
        Number of sessions, each played from every seat.
    rounds : int, optional
        Rounds of a session. None means as many as `rules` has, else one.
    seed : int or None, default 1
        Seed of the deals. None draws one.
    round_robin : bool, default False
        Whether all bots play against each other, for ratings and `cross_play`. Any number of bots can take part.
    seats : sequence of int, optional
        The index of the bot in each seat, when a deal is first played.
    sprt_margin : float, optional
        Asks for a sequential test. It stops once the place score of the first bot is above or below 0, with 5 % errors
        at plus and minus this margin.
    habits : bool, default True
        Whether to count kinds of moves.
    temperature : float, default 0
        How networks choose: 0 the most probable action, 1 by their probabilities.
    simulations : int, optional
        Playouts of searches whose name has no number.
    threads : int, default 1
        Number of threads; 0 is one for each core. Results do not depend on it if the bots do not.
    progress : callable, optional
        Called as `progress(done, all)` a few times a second, with units of work.
    workers : WorkerPool, optional
        Plays the deals in other processes (`cardsharp_ray`), for bots that have names.

    Returns
    -------
    Report
        Place scores, points and more, with intervals by deal.

    Raises
    ------
    ValueError
        If an argument is out of range or does not fit the others.
    TypeError
        If an argument has a wrong type.

    Examples
    --------
    >>> report = cardsharp_rl.arena("dalmuti", ["scripted", "random"], num_deals=20)
    >>> report["scripted"].place_score.low > 0
    True
    """
    elsewhere = None if workers is None else partial(contest, workers, progress)
    return report(
        _core.arena(
            game, named(bots), rules, rounds, num_deals, seed, round_robin, None if seats is None else list(seats), sprt_margin,
            habits, temperature, simulations, threads, progress, elsewhere,
        )
    )  # fmt: skip

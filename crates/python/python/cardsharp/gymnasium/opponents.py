"""Who decides for the other seats: bots, and functions of rows and masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

import cardsharp
from cardsharp import Batch, Bot, Game, Table

Choose: TypeAlias = Callable[[NDArray[np.uint8], NDArray[np.bool_]], ArrayLike]
"""Actions of n decisions, integers [n], by their rows, uint8 [n, cells], and masks, bool [n, actions]."""

Opponent: TypeAlias = "str | Bot | Choose"
"""The name of a bot (as for `cardsharp.bot`), a bot, or a function."""


class Decider(Protocol):
    """Who decides for a seat, at one table or in many lanes."""

    def pick(self, view: Table, /) -> int:
        """The action of the seat that must decide."""
        ...

    def choose(self, batch: Batch, lanes: NDArray[np.bool_] | None = None, /) -> NDArray[Any]:
        """Actions [lanes]; 0 in lanes that are not asked for."""
        ...


class Function:
    """A function of rows and masks as one who decides."""

    def __init__(self, function: Choose) -> None:
        self._function = function

    def pick(self, view: Table, /) -> int:
        """The action of the seat that must decide."""
        return int(self._ask(view.row()[None], view.mask()[None])[0])

    def choose(self, batch: Batch, lanes: NDArray[np.bool_] | None = None, /) -> NDArray[Any]:
        """Actions [lanes]; 0 in lanes that are not asked for."""
        asked = np.ones(batch.lanes, bool) if lanes is None else lanes
        actions = np.zeros(batch.lanes, np.int64)
        actions[asked] = self._ask(batch.now.rows[asked], batch.now.legal[asked])
        return actions

    def _ask(self, rows: NDArray[np.uint8], legal: NDArray[np.bool_]) -> NDArray[Any]:
        actions = np.asarray(self._function(rows, legal))
        if actions.shape != (len(rows),) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(
                f"opponents: a function gave {actions.dtype} {list(actions.shape)}, "
                f"expected integers [{len(rows)}], an action for each row"
            )
        wrong = (actions < 0) | (actions >= legal.shape[1])
        wrong[~wrong] = ~legal[~wrong, actions[~wrong]]
        for row in np.flatnonzero(wrong):
            right = np.flatnonzero(legal[row]).tolist()
            raise ValueError(
                f"opponents: a function chose action {actions[row]} for row {row}, where {right} are legal"
            )
        return actions


def deciders(opponents: Opponent | Sequence[Opponent], game: Game, seats: int) -> list[Decider]:
    """Who decides for the other `seats` - 1 seats, clockwise from the learner; a name given twice is one bot.

    Raises:
        TypeError: An opponent is neither name, bot nor function.
        ValueError: There are too few or too many, a bot is unknown or another game's.
    """
    if not isinstance(opponents, Sequence) or isinstance(opponents, str):
        return [_decider(opponents, game)] * (seats - 1)
    if len(opponents) != seats - 1:
        raise ValueError(
            f"opponents: a list of {len(opponents)}, expected one for all, or {seats - 1} for the other seats"
        )
    named = {name: _decider(name, game) for name in opponents if isinstance(name, str)}
    return [named[who] if isinstance(who, str) else _decider(who, game) for who in opponents]


def _decider(opponent: Opponent, game: Game) -> Decider:
    if isinstance(opponent, str):
        return cardsharp.bot(opponent, game)
    if isinstance(opponent, Bot):
        if opponent.game not in (None, game.name):
            raise ValueError(
                f"opponents: {opponent.name} plays {opponent.game}, expected a bot for {game.name}"
            )
        return opponent
    if callable(opponent):
        return Function(opponent)
    kind = type(opponent).__name__
    raise TypeError(
        f"opponents: {opponent!r} ({kind}), expected the name of a bot, a bot or a function of rows and masks"
    )

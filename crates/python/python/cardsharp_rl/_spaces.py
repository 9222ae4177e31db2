"""What the interfaces for PettingZoo and Gymnasium share: spaces, rules, and how an action is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import index
from typing import Any, Literal, TypeAlias, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import cardsharp_rl
from cardsharp_rl import Game, Table, _core
from cardsharp_rl._rendering import frame

Observation: TypeAlias = "dict[str, NDArray[Any]] | NDArray[np.uint8]"
"""A dictionary of `observation`, uint8 [cells], a row, and `action_mask`, int8 [actions], 1 where an action is legal;
of flat environments the row alone."""

Action: TypeAlias = "np.int64 | int | None"
"""The id of an action; None of an agent that is done."""

Turn: TypeAlias = "tuple[int, NDArray[np.int8]]"
"""The seat that must decide and its legal actions, int8 [actions]."""

Illegal: TypeAlias = Literal["raise", "random"]
"""What becomes of an illegal action: an error, or a legal one drawn at random."""

RENDER_MODES = ("human", "ansi", "rgb_array")

INT8 = np.dtype(np.int8)
"""The type of masks: looked up once, because each decision makes one."""

LENIENT = "make the environment with illegal='random' to have a legal action drawn instead"
"""What an error says about illegal actions."""

MOST_IDLE_SESSIONS = 1000
"""Sessions in a row in which there is nothing to decide, before that is an error."""


def find_game(game: str | Game) -> Game:
    """The game of this name.

    Raises
    ------
    TypeError
        It is neither a name nor a game.
    ValueError
        There is no such game; the message names the nearest.
    """
    if isinstance(game, Game):
        return game
    if not isinstance(game, str):
        raise TypeError(f"game: {game!r} ({type(game).__name__}), expected a name or a cardsharp_rl.Game")
    return cardsharp_rl.game(game)


def version(game: Game) -> int:
    """The version of a game's environments: raised with its encoding, and counted from 0, as usual there."""
    return game.encoding - 1


def check_rules(game: Game, rules: Mapping[str, Any] | None, players: int | None) -> dict[str, Any]:
    """All options of the rules, for `players` players if that is given.

    Raises
    ------
    TypeError
        `rules` is no mapping.
    ValueError
        An option is unknown or refused, or `rules` and `players` disagree.
    """
    if not (rules is None or isinstance(rules, Mapping)):
        raise TypeError(f"rules: {rules!r} ({type(rules).__name__}), expected a mapping of options")
    if players is None:
        return game.rules(rules)
    given = dict(rules or {})
    if given.setdefault("players", players) != players:
        raise ValueError(f"players: {players}, but rules say {given['players']}; leave one of them out")
    return game.rules(given)


def check_choice(name: str, value: str | None, choices: tuple[str | None, ...]) -> None:
    """Refuses a value that is none of `choices`.

    Raises
    ------
    ValueError
        Names the argument and its choices.
    """
    if value not in choices:
        raise ValueError(f"{name}: {value!r}, expected {' or '.join(repr(choice) for choice in choices)}")


def check_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number from `least` to `most`.

    Raises
    ------
    TypeError
        It is no whole number.
    ValueError
        It is less or more.
    """
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is not None and least <= number and (most is None or number <= most):
        return number
    expected = f"at least {least}" if most is None else f"{least} to {most}"
    if number is None:
        raise TypeError(f"{name}: {value!r} ({type(value).__name__}), expected a whole number, {expected}")
    raise ValueError(f"{name}: {number}, expected {expected}")


def maxima(game: Game) -> NDArray[np.uint8]:
    """The largest value of every cell of a row: uint8 [cells]."""
    return np.concatenate([np.full(block.len, block.max, np.uint8) for block in game.observation])


def observation_space(game: Game, flat: bool) -> spaces.Space[Observation]:
    """The space of observations: a row within the maxima of its blocks, with the mask of legal actions unless `flat`."""
    row = spaces.Box(0, maxima(game), dtype=np.uint8)
    if flat:
        return cast("spaces.Space[Observation]", row)
    legal = spaces.Box(0, 1, (game.actions,), dtype=np.int8)
    return cast("spaces.Space[Observation]", spaces.Dict({"observation": row, "action_mask": legal}))


def mask(table: Table) -> NDArray[np.int8]:
    """The legal actions of the seat that must decide: int8 [actions], a new array."""
    return table.action_mask().view(INT8)


def row(table: Table, seat: int) -> NDArray[np.uint8]:
    """What a seat sees: uint8 [cells], a new array; zeros if it sits the round out."""
    return table.observation(seat) if seat in table.present else np.zeros(cardsharp_rl.game(table.game).cells, np.uint8)


def picture(table: Table, seat: int) -> str:
    """What a seat sees, as people do."""
    return table.view(seat).picture() if seat in table.present else f"seat {seat} sits this round out"


def render(table: Table, seat: int, mode: str) -> str | NDArray[np.uint8] | None:
    """What a seat sees: printed ("human"), as text ("ansi") or as pixels ("rgb_array", uint8 [480, 800, 3])."""
    text = picture(table, seat)
    if mode == "rgb_array":
        return frame(text)
    if mode == "ansi":
        return text
    print(text)
    return None


def play(
    table: Table,
    action: Any,
    name: str,
    *,
    skip_forced: bool,
    illegal: Illegal,
    random: Callable[[], np.random.Generator],
) -> tuple[Turn | None, bool]:
    """Plays an action of the seat to move.

    Returns the next turn, None when the round is over, and whether the action was illegal and another one was drawn for
    it.

    Raises
    ------
    TypeError
        The action is no whole number. The error calls it `name`.
    ValueError
        There is no such action, or it is illegal and `illegal` is "raise". Nothing was played.
    """
    try:
        return _core.play_on(table, action, skip_forced), False
    except (TypeError, ValueError) as error:
        check_number(name, action, 0, cardsharp_rl.game(table.game).actions - 1)
        if isinstance(error, TypeError):
            raise
        if illegal == "raise":
            raise ValueError(f"{error}; {LENIENT}") from None
    drawn = random().choice(table.legal_actions())
    return _core.play_on(table, drawn, skip_forced), True

"""The functions that make environments, as every module of a game has them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from cardsharp_rl import Game
from cardsharp_rl._spaces import Illegal
from cardsharp_rl.pettingzoo.aec import AECCardEnv
from cardsharp_rl.pettingzoo.parallel import ParallelCardEnv

Options = ParamSpec("Options")
Made = TypeVar("Made")


def env(
    game: str | Game,
    *,
    rules: Mapping[str, Any] | None = None,
    players: int | None = None,
    max_cycles: int | None = None,
    skip_forced: bool = False,
    flat: bool = False,
    illegal: Illegal = "raise",
    render_mode: str | None = None,
) -> AECCardEnv:
    """Makes an environment in which agents act one after another (PettingZoo's AEC).

    It checks actions and the order of calls itself. PettingZoo's wrappers work but are not needed.

    Parameters
    ----------
    game : str or Game
        The game or its name. The module of a game has it.
    rules : mapping, optional
        Options of the rules. Options that are left out have their defaults.
    players : int, optional
        Number of players, instead of the option in `rules`.
    max_cycles : int, optional
        The session is truncated before an agent's decision after this many.
    skip_forced : bool, default False
        Whether decisions with a single legal action are played without asking.
    flat : bool, default False
        Whether observations are rows alone, in a `Box`. The masks are in the infos.
    illegal : {"raise", "random"}, default "raise"
        Whether an illegal action raises a ValueError, or a random legal action is played instead. Then the info has
        `illegal_action`.
    render_mode : {"human", "ansi", "rgb_array"}, optional
        "human" prints what the seat to move sees, "ansi" returns it as text, "rgb_array" as pixels (needs Pillow).

    Returns
    -------
    AECCardEnv
        The environment.

    Raises
    ------
    ValueError
        If an argument is out of range, or an option of the rules is refused.
    """
    return AECCardEnv(
        game,
        rules=rules,
        players=players,
        max_cycles=max_cycles,
        skip_forced=skip_forced,
        flat=flat,
        illegal=illegal,
        render_mode=render_mode,
    )


raw_env = env
"""The same as `env`: there are no wrappers to leave out."""


def parallel_env(
    game: str | Game,
    *,
    rules: Mapping[str, Any] | None = None,
    players: int | None = None,
    max_cycles: int | None = None,
    skip_forced: bool = False,
    flat: bool = False,
    illegal: Illegal = "raise",
    render_mode: str | None = None,
) -> ParallelCardEnv:
    """Makes an environment in which all agents act in every step, and only the action of the active agent counts.

    `info["active"]` of an agent says whether its action counts. The masks of the other agents are all 1. Masks are in
    the observations only, since TorchRL expects them in one place; with `flat` they are in the infos.

    Parameters
    ----------
    game : str or Game
        The game or its name. The module of a game has it.
    rules : mapping, optional
        Options of the rules. Options that are left out have their defaults.
    players : int, optional
        Number of players, instead of the option in `rules`.
    max_cycles : int, optional
        The session is truncated after this many steps.
    skip_forced : bool, default False
        Whether decisions with a single legal action are played without asking.
    flat : bool, default False
        Whether observations are rows alone, in a `Box`. The masks are in the infos.
    illegal : {"raise", "random"}, default "raise"
        Whether an illegal action raises a ValueError, or a random legal action is played instead. Then the info has
        `illegal_action`.
    render_mode : {"human", "ansi", "rgb_array"}, optional
        "human" prints what the seat to move sees, "ansi" returns it as text, "rgb_array" as pixels (needs Pillow).

    Returns
    -------
    ParallelCardEnv
        The environment.

    Raises
    ------
    ValueError
        If an argument is out of range, or an option of the rules is refused.
    """
    return ParallelCardEnv(
        game,
        rules=rules,
        players=players,
        max_cycles=max_cycles,
        skip_forced=skip_forced,
        flat=flat,
        illegal=illegal,
        render_mode=render_mode,
    )


def of_game(make: Callable[Concatenate[str | Game, Options], Made], module: str) -> Callable[Options, Made]:
    """`env` or `parallel_env` for the game that a module is named after, with its own signature and help."""
    game = module.rpartition(".")[2].rpartition("_")[0]

    @wraps(make)
    def made(*given: Options.args, **options: Options.kwargs) -> Made:
        return make(game, *given, **options)

    signature = inspect.signature(make)
    made.__signature__ = signature.replace(parameters=[*signature.parameters.values()][1:])  # type: ignore[attr-defined]
    # A function is pickled by its module and name.
    made.__module__ = module
    return made

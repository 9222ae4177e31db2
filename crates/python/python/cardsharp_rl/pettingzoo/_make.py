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
    """An environment in which agents act one after another (PettingZoo's AEC).

    It checks what PettingZoo's wrappers check (actions, the order of calls), so that it needs none of them;
    they work around it.

    Args:
        game: A game or its name; a game's module has filled it in.
        rules: Options of the rules; those left out keep their defaults.
        players: Number of players, instead of that option in `rules`.
        max_cycles: The session is cut off (truncated) where an agent would decide once more than that.
        skip_forced: Decisions with a single legal action are played without asking.
        flat: Observations are rows without masks, in a `Box`, for libraries that take no dictionaries. The masks are in
            `infos`.
        illegal: "raise" a ValueError for an illegal action, or play a "random" legal one, which `infos` say.
        render_mode: "human" prints what the next agent sees, "ansi" lets `render()` return it as text, "rgb_array" as
            pixels, which needs Pillow.

    Raises:
        ValueError: An argument is none of these, an option is unknown or refused.
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
    """An environment in which all agents act in every step, and only the action of the active one counts.

    `info["active"]` of an agent says whether its action counts. The masks of the other agents are all 1. TorchRL expects
    masks in one place only, so they are in the observations, and in the infos if `flat`.

    Args:
        game: A game or its name; a game's module has filled it in.
        rules: Options of the rules; those left out keep their defaults.
        players: Number of players, instead of that option in `rules`.
        max_cycles: The session is cut off (truncated) after so many steps.
        skip_forced: Decisions with a single legal action are played without asking.
        flat: Observations are rows without masks, in a `Box`, for libraries that take no dictionaries. The masks are in
            `infos`.
        illegal: "raise" a ValueError for an illegal action of the active agent, or play a "random" legal one, which
            `infos` say.
        render_mode: "human" prints what the next agent sees, "ansi" lets `render()` return it as text, "rgb_array" as
            pixels, which needs Pillow.

    Raises:
        ValueError: An argument is none of these, an option is unknown or refused.
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

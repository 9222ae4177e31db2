"""The functions that make environments, as every module of a game has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardsharp_rl import Game
from cardsharp_rl._spaces import Illegal
from cardsharp_rl.pettingzoo.aec import TurnEnv
from cardsharp_rl.pettingzoo.parallel import TogetherEnv


def env(
    game: str | Game,
    *,
    rules: Mapping[str, Any] | None = None,
    players: int | None = None,
    max_cycles: int | None = None,
    skip_forced: bool = False,
    illegal: Illegal = "raise",
    render_mode: str | None = None,
) -> TurnEnv:
    """An environment in which agents act one after another (PettingZoo's AEC).

    It checks what PettingZoo's wrappers check (actions, the order of calls), so that it needs none of them;
    they work around it.

    Args:
        game: A game or its name; a game's module has filled it in.
        rules: Options of the rules; those left out keep their defaults.
        players: Number of players, instead of that option in `rules`.
        max_cycles: The session is cut off (truncated) where an agent would decide once more than that.
        skip_forced: Decisions with a single legal action are played without asking.
        illegal: An illegal action is a ValueError ("raise"), or a legal one is drawn and `infos` say so
            ("random").
        render_mode: "human" prints what the agent that is next sees, "ansi" lets `render()` give it as text.

    Raises:
        ValueError: An argument is none of these, an option is unknown or refused.
    """
    return TurnEnv(
        game,
        rules=rules,
        players=players,
        max_cycles=max_cycles,
        skip_forced=skip_forced,
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
    illegal: Illegal = "random",
    render_mode: str | None = None,
) -> TogetherEnv:
    """An environment in which all agents act in every step, and only the action of the one to decide counts.

    Args:
        game: A game or its name; a game's module has filled it in.
        rules: Options of the rules; those left out keep their defaults.
        players: Number of players, instead of that option in `rules`.
        max_cycles: The session is cut off (truncated) after so many steps.
        skip_forced: Decisions with a single legal action are played without asking.
        illegal: For an illegal action a legal one is drawn and `infos` say so ("random"), or it is a
            ValueError ("raise"). Not an error by default, because here agents act without masks in
            PettingZoo's own tools.
        render_mode: "human" prints what the agent that is next sees, "ansi" lets `render()` give it as text.

    Raises:
        ValueError: An argument is none of these, an option is unknown or refused.
    """
    return TogetherEnv(
        game,
        rules=rules,
        players=players,
        max_cycles=max_cycles,
        skip_forced=skip_forced,
        illegal=illegal,
        render_mode=render_mode,
    )

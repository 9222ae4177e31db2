"""What OpenSpiel wants to know of a game before it is played: how long it can last and what can come of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardsharp_rl import Game

#: Chips that a hand of a reference game can cost.
STAKES = {"kuhn": 2.0, "leduc": 13.0}
#: Decisions of a round, at most, but of TAKI, whose rules say when a game is cut off. The conformance suite of the games
#: holds every round to it.
LONGEST_ROUND = 4096


def utility(game: Game, rules: Mapping[str, Any]) -> tuple[float, float]:
    """The least and the most that a seat's rewards of a session can add up to; nobody need ever get that much."""
    rounds = int(rules[game.rounds_option])
    low, high = _reward(game, rules)
    return low * rounds, high * rounds


def _reward(game: Game, rules: Mapping[str, Any]) -> tuple[float, float]:
    if game.name in STAKES:
        return -STAKES[game.name], STAKES[game.name]
    if game.name == "tachtigen":
        # Hundreds of points, less the mean of the others': a contract of 710 with every bonus, doubled, is below 25.
        return -40.0, 40.0
    if rules.get("reward", "rank_linear") == "rank_linear":
        return -1.0, 1.0
    # Players beaten, and one more at most.
    return -1.0, 16.0


def length(game: Game, rules: Mapping[str, Any], seats: int) -> int:
    """The most decisions of a session."""
    longest = LONGEST_ROUND
    if game.name == "taki":
        limit = rules["max_decisions"]
        counted = (20_000 if rules["mode"] == "tournament" else 4000) if limit == "auto" else limit
        # Between two decisions that count, everybody may have declined to answer a +3.
        longest = counted * seats
    return longest * int(rules[game.rounds_option])

"""Who decides for the other seats."""

from __future__ import annotations

from collections.abc import Sequence

import cardsharp
from cardsharp import Bot, BotLike, Game


def seated(opponents: BotLike | Sequence[BotLike], game: Game, seats: int) -> list[Bot]:
    """Who decides for the other `seats` - 1 seats, clockwise from the learner; what is given twice is one.

    Raises:
        TypeError: An opponent is no bot at all.
        ValueError: There are too few or too many, a bot is unknown or another game's.
    """
    if not isinstance(opponents, list | tuple):
        return [_bot(opponents, game)] * (seats - 1)
    if len(opponents) != seats - 1:
        expected = f"one for all, or {seats - 1} for the other seats"
        raise ValueError(f"opponents: a list of {len(opponents)}, expected {expected}")
    bots: dict[str | int, Bot] = {}
    keys = [opponent if isinstance(opponent, str) else id(opponent) for opponent in opponents]
    for key, opponent in zip(keys, opponents, strict=True):
        if key not in bots:
            bots[key] = _bot(opponent, game)
    return [bots[key] for key in keys]


def _bot(opponent: BotLike, game: Game) -> Bot:
    if not isinstance(opponent, Bot):
        return cardsharp.bot(opponent, game)
    if opponent.game not in (None, game.name):
        raise ValueError(
            f"opponents: bot {opponent.name!r} plays {opponent.game}, expected one for {game.name}"
        )
    return opponent


def begin_anew(bots: Sequence[Bot], seed: int) -> None:
    """Lets all that these bots draw follow from a seed."""
    for number, bot in enumerate(dict.fromkeys(bots)):
        bot.reseed((seed + number) % 2**64)

"""Who decides for the other seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cardsharp_rl
from cardsharp_rl import Bot, BotLike, Game

#: The names of the bots that have neither a network nor a search.
_QUICK = ("random", "scripted", "cautious", "aggressive")


class Opponents:
    """Who decides for the other `seats` - 1 seats; what is given twice is one bot.

    A pickle makes the bots again, which then draw from the beginning.

    Raises
    ------
    TypeError
        An opponent is no bot at all.
    ValueError
        There are too few or too many, a bot is unknown or another game's.
    """

    def __init__(self, given: BotLike | Sequence[BotLike], game: Game, seats: int) -> None:
        self._made_of = (given, game, seats)
        #: From the seat after the learner's on, clockwise.
        self.clockwise = _clockwise(given, game, seats)
        #: Each bot once.
        self.bots = [*dict.fromkeys(self.clockwise)]
        #: Whether each decides within microseconds, so that many decisions need no look for signals.
        self.are_quick = all(bot.name in _QUICK for bot in self.bots)

    def __reduce__(self) -> tuple[Any, ...]:
        return Opponents, self._made_of

    def begin_anew(self, seed: int) -> None:
        """Lets all that the bots draw follow from a seed."""
        for number, bot in enumerate(self.bots):
            bot.reseed((seed + number) % 2**53)


def _clockwise(given: BotLike | Sequence[BotLike], game: Game, seats: int) -> list[Bot]:
    """A bot for each of the other seats."""
    if isinstance(given, str) or not isinstance(given, Sequence):
        return [_bot(given, game)] * (seats - 1)
    if len(given) != seats - 1:
        expected = f"one for all, or {seats - 1} for the other seats"
        raise ValueError(f"opponents: a list of {len(given)}, expected {expected}")
    bots: dict[str | int, Bot] = {}
    keys = [opponent if isinstance(opponent, str) else id(opponent) for opponent in given]
    for key, opponent in zip(keys, given, strict=True):
        if key not in bots:
            bots[key] = _bot(opponent, game)
    return [bots[key] for key in keys]


def _bot(opponent: BotLike, game: Game) -> Bot:
    if not isinstance(opponent, Bot):
        return cardsharp_rl.bot(opponent, game)
    if opponent.game not in (None, game.name):
        raise ValueError(f"opponents: bot {opponent.name!r} plays {opponent.game}, expected one for {game.name}")
    return opponent

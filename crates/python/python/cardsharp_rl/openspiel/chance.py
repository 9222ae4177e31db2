"""What chance decides: which cards are dealt.

An OpenSpiel game says what chance may do where, and chance decides before anybody else. There are two ways:

- A game that lists its deals (the reference games), one round of it: **one chance node with every deal** and its
  probability. Nothing is left out, so tabular algorithms and best responses are exact.
- Any other: **four chance nodes of 256 outcomes each, the bytes of the session's seed**, lowest first. Everything
  random in the session follows from it, later rounds included, so 4,294,967,296 sessions are told apart, and
  every one of them is the session of that seed everywhere in cardsharp. A state says which (`state.seed`).

So chance is explicit in both. OpenSpiel's other way, games whose chance is sampled inside (`SAMPLED_STOCHASTIC`),
asks the game to save and restore its generator in C++ (`GetRNGState`), which it does not let a game in Python do:
such a game could be played, but neither it nor its states could be serialized or pickled, and `random_sim_test`
with `serialize=True` ends in an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from cardsharp_rl import Game, Table, enumerate_deals

#: Outcomes of one chance node of a drawn seed, and how many such nodes there are.
BYTE = 256
BYTES = 4


class Chance(Protocol):
    """How a session comes to its cards."""

    #: Chance nodes before the first decision.
    nodes: int
    #: The outcomes of each of them, and their probabilities.
    outcomes: list[tuple[int, float]]

    def label(self, outcome: int) -> str:
        """An outcome in words."""
        ...

    def seed(self, drawn: Sequence[int]) -> int | None:
        """The seed of the session, where it has one."""
        ...

    def table(self, drawn: Sequence[int]) -> Table:
        """The session that begins after these outcomes, `[nodes]`."""
        ...


class ListedDeals:
    """Every deal of a round, in the order in which the game lists them."""

    nodes = 1

    def __init__(self, game: Game, rules: Mapping[str, Any]) -> None:
        self._game = game
        self._rules = rules
        listed = enumerate_deals(game, rules)
        self._deals = [deal for _, deal in listed]
        self.outcomes = [(number, probability) for number, (probability, _) in enumerate(listed)]

    def label(self, outcome: int) -> str:
        return "deal " + ", ".join(f"{name} {value}" for name, value in self._deals[outcome].items())

    def seed(self, drawn: Sequence[int]) -> int | None:
        return None

    def table(self, drawn: Sequence[int]) -> Table:
        return Table(self._game, self._rules, deal=self._deals[drawn[0]])


class DrawnSeed:
    """The bytes of the session's seed, one after the other."""

    nodes = BYTES
    outcomes = [(byte, 1 / BYTE) for byte in range(BYTE)]

    def __init__(self, game: Game, rules: Mapping[str, Any]) -> None:
        self._game = game
        self._rules = rules

    def label(self, outcome: int) -> str:
        return f"byte {outcome}"

    def seed(self, drawn: Sequence[int]) -> int | None:
        return int.from_bytes(bytes(drawn), "little")

    def table(self, drawn: Sequence[int]) -> Table:
        return Table(self._game, self._rules, seed=int.from_bytes(bytes(drawn), "little"))


def chance(game: Game, rules: Mapping[str, Any]) -> Chance:
    """How sessions of `game` by `rules` (all options) come to their cards."""
    if game.reference and rules[game.rounds_option] == 1:
        return ListedDeals(game, rules)
    return DrawnSeed(game, rules)

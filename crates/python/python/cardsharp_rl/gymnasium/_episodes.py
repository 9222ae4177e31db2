"""Which session comes next, and which seat of it is the learner's."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from cardsharp_rl._spaces import check_choice, check_number

SeatOption: TypeAlias = int | Literal["random", "rotating"]
"""The learner's seat: always the same, drawn for each session, or one further in each session."""


class Episodes:
    """The sessions of one environment or lane."""

    def __init__(self, option: SeatOption, seats: int) -> None:
        if isinstance(option, str):
            check_choice("seat", option, ("random", "rotating"))
        else:
            option = check_number("seat", option, 0, seats - 1)
        self._option: SeatOption = option
        self._seats = seats
        self._last = -1

    def next(self, random: np.random.Generator, seed: int | None = None) -> tuple[int, int]:
        """Seed and seat of the next session; of a seed that one, and seats rotate from there on."""
        session = int(random.integers(2**53)) if seed is None else seed
        if self._option == "rotating":
            self._last = (self._last + 1 if seed is None else seed) % self._seats
            return session, self._last
        if self._option == "random":
            return session, int(random.integers(self._seats))
        return session, self._option

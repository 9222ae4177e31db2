"""What a seat sees of a state, as tensors and text."""

from __future__ import annotations

from typing import Protocol, cast

import numpy as np
import pyspiel
from numpy.typing import NDArray

from cardsharp_rl import Game


class Observed(Protocol):
    """What an observer reads of a state; `cardsharp_rl.openspiel.SessionState` documents the methods."""

    def observed(self, player: int) -> str: ...
    def recalled(self, player: int) -> str: ...
    def part(self, player: int, public: bool, private: bool) -> str: ...
    def observation(self, player: int) -> NDArray[np.uint8]: ...
    def recent(self, player: int) -> tuple[tuple[bytes, int], ...]: ...


class SeatObserver:
    """OpenSpiel's observer of a seat: `set_from` fills `tensor` and `dict`, `string_from` gives text.

    An **observation** is what the seat sees now. Its tensor has one 1 in `player`, `[seats]`, and the row of the
    seat in the game's named blocks, every cell divided by the block's maximum. An **information state** (perfect
    recall) is that and what the seat did before: as text, a sum over all its decisions; as a tensor, its last
    decisions, as many as the game's `recall`, the oldest first: the row it saw (`rows`, `[recall, cells]`) and
    its move (`moves`, `[recall, actions]`, one 1). That is perfect recall as long as no seat decides more often
    than that.

    Attributes
    ----------
    tensor
        Float32, from 0 to 1, `[size]`; `None` where there is only text.
    dict
        The named parts of `tensor`, which share its memory.
    """

    def __init__(self, game: Game, kind: pyspiel.IIGObservationType, *, seats: int, recall: int) -> None:
        """An observer of `kind`. `recall` is the number of own moves in tensors of information states.

        Raises
        ------
        ValueError
            A kind of which there is nothing to tell.
        """
        every = kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS
        if every or (kind.perfect_recall and not self._whole(kind)):
            raise ValueError(
                "cardsharp games are observed by one seat: its table or its own knowledge, or both, and then with "
                "perfect recall"
            )
        self._kind = kind
        self._maxima = np.concatenate([np.full(block.len, block.max, np.float32) for block in game.observation])
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if self._whole(kind) and (recall > 0 or not kind.perfect_recall):
            self._lay_out(game, seats, recall if kind.perfect_recall else 0)

    @staticmethod
    def _whole(kind: pyspiel.IIGObservationType) -> bool:
        return bool(kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER)

    def _lay_out(self, game: Game, seats: int, recall: int) -> None:
        cells, actions = game.cells, game.actions
        self.tensor = tensor = np.zeros(seats + cells + recall * (cells + actions), np.float32)
        self.dict["player"] = tensor[:seats]
        self._row = tensor[seats : seats + cells]
        for block in game.observation:
            self.dict[block.name] = self._row[block.offset : block.offset + block.len]
        if recall > 0:
            rows, moves = np.split(tensor[seats + cells :], [recall * cells])
            self.dict["rows"] = rows.reshape(recall, cells)
            self.dict["moves"] = moves.reshape(recall, actions)

    def set_from(self, state: Observed, player: int) -> None:
        """Writes what `player` sees in `state`.

        Raises
        ------
        ValueError
            There is only text of this kind.
        """
        if self.tensor is None:
            raise ValueError(
                "there is no tensor of this kind; for information states load the game with `recall`, the moves they "
                "remember"
            )
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        np.divide(state.observation(player), self._maxima, out=self._row)
        if "rows" in self.dict:
            for place, (row, action) in enumerate(state.recent(player)):
                np.divide(np.frombuffer(row, np.uint8), self._maxima, out=self.dict["rows"][place])
                self.dict["moves"][place, action] = 1

    def read(self, state: Observed, player: int) -> list[float]:
        """The tensor of what `player` sees in `state`, `[size]`.

        Raises
        ------
        ValueError
            There is only text of this kind.
        """
        self.set_from(state, player)
        return [] if self.tensor is None else cast("list[float]", self.tensor.tolist())

    def string_from(self, state: Observed, player: int) -> str:
        """What `player` sees in `state`, as text; nothing before anything is dealt."""
        if self._whole(self._kind):
            return state.recalled(player) if self._kind.perfect_recall else state.observed(player)
        return state.part(
            player, public=self._kind.public_info, private=self._kind.private_info != pyspiel.PrivateInfoType.NONE
        )

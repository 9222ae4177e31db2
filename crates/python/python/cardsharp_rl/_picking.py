"""Picking from masks."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from cardsharp_rl import _core


def uniform(action_mask: NDArray[numpy.bool_], random: numpy.random.Generator) -> NDArray[numpy.uint16]:
    """A legal action for each row of masks (bool, [n, actions]), all of them as probable: uint16, [n].

    >>> batch = cardsharp_rl.Batch("taki", 4)
    >>> step = batch.step(cardsharp_rl.uniform(batch.now.action_mask, numpy.random.default_rng(1)))

    Raises ValueError for a row without a legal action, TypeError for what is no such array.
    """
    if not isinstance(action_mask, numpy.ndarray) or action_mask.dtype != numpy.bool_ or action_mask.ndim != 2:
        raise TypeError(f"action_mask: expected a bool array [n, actions], not {action_mask!r:.60}")
    return _core.pick_legal(action_mask, random.random(len(action_mask)))

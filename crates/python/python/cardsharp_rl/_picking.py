"""Picking from masks."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from cardsharp_rl import _core


def uniform(legal: NDArray[numpy.bool_], random: numpy.random.Generator) -> NDArray[numpy.uint16]:
    """A legal action for each row of masks (bool, [n, actions]), all of them as probable: uint16, [n].

    >>> batch = cardsharp_rl.Batch("taki", 4)
    >>> step = batch.step(cardsharp_rl.uniform(batch.now.legal, numpy.random.default_rng(1)))

    Raises ValueError for a row without a legal action, TypeError for what is no such array.
    """
    if not isinstance(legal, numpy.ndarray) or legal.dtype != numpy.bool_ or legal.ndim != 2:
        raise TypeError(f"legal: expected a bool array [n, actions], not {legal!r:.60}")
    return _core.pick_legal(legal, random.random(len(legal)))

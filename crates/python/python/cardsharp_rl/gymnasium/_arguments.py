"""How what is given to many lanes at once is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_reset_mask(options: Mapping[str, Any], lanes: int) -> NDArray[np.bool_]:
    """The lanes that begin anew: bool [lanes], all where `options` have no `reset_mask`.

    Raises
    ------
    TypeError
        It is no array of bool.
    ValueError
        It has another shape, or names no lane.
    """
    if "reset_mask" not in options:
        return np.ones(lanes, bool)
    given = options["reset_mask"]
    if not isinstance(given, np.ndarray) or given.dtype != np.bool_:
        kind = getattr(given, "dtype", type(given).__name__)
        raise TypeError(f"options['reset_mask']: {kind}, expected an array of bool [{lanes}]")
    if given.shape != (lanes,) or not given.any():
        shape = f"{list(given.shape)} with {given.sum()} lanes"
        raise ValueError(f"options['reset_mask']: {shape}, expected [{lanes}] with at least one")
    return given


def read_actions(actions: Any, playing: NDArray[np.bool_], most: int) -> NDArray[np.int64]:
    """The action of each lane that plays, 0 in the others: a new array, int64 [lanes].

    Raises
    ------
    TypeError
        They are no integers.
    ValueError
        There are too few or too many, or one is none of the ids 0 to `most` - 1.
    """
    given = np.asarray(actions)
    if not np.issubdtype(given.dtype, np.integer):
        raise TypeError(f"actions: {given.dtype}, expected integers [{len(playing)}]")
    if given.shape != playing.shape:
        raise ValueError(f"actions: {list(given.shape)}, expected [{len(playing)}], one for each lane")
    wrong = playing & ((given < 0) | (given >= most))
    for lane in np.flatnonzero(wrong).tolist():
        raise ValueError(f"actions: {given[lane]} in lane {lane}, expected 0 to {most - 1}")
    return np.where(playing, given, 0).astype(np.int64)

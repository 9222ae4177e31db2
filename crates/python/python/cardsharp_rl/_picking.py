"""Picks actions from masks and logits."""

from __future__ import annotations

from typing import Any

import numpy
from numpy.typing import NDArray

from cardsharp_rl import _core

#: An action mask: bool, or int8 as in PettingZoo and Gymnasium.
Mask = NDArray[numpy.bool_] | NDArray[numpy.int8]


def uniform(action_mask: Mask, random: numpy.random.Generator) -> NDArray[numpy.uint16]:
    """Draws a legal action for each row, all with the same probability.

    Parameters
    ----------
    action_mask : ndarray of bool or int8, shape (n, actions)
        The legal actions.
    random : numpy.random.Generator
        Gives one number for each row.

    Returns
    -------
    ndarray of uint16, shape (n,)
        The actions.

    Raises
    ------
    ValueError
        If a row has no legal action.
    TypeError
        If the mask is another kind of array.

    Examples
    --------
    >>> batch = cardsharp_rl.Batch("taki", 4)
    >>> step = batch.step(cardsharp_rl.uniform(batch.now.action_mask, numpy.random.default_rng(1)))
    """
    return _core.pick_legal(_bytes(action_mask), random.random(len(action_mask)))


def sample_logits(
    logits: NDArray[numpy.floating[Any]],
    action_mask: Mask,
    random: numpy.random.Generator,
    *,
    temperature: float = 1.0,
) -> NDArray[numpy.uint16]:
    """Draws a legal action for each row, by the softmax of its legal logits.

    Parameters
    ----------
    logits : ndarray of float, shape (n, actions)
        The logits. Those of illegal actions do not matter.
    action_mask : ndarray of bool or int8, shape (n, actions)
        The legal actions.
    random : numpy.random.Generator
        Gives one number for each row.
    temperature : float, default 1
        Divides the logits, 0 to 100. At 0 the legal action with the largest logit is chosen.

    Returns
    -------
    ndarray of uint16, shape (n,)
        The actions.

    Raises
    ------
    ValueError
        If a row has no legal action, a legal logit is NaN, the shapes differ or the temperature is out of range.
    TypeError
        If an argument is another kind of array.

    Examples
    --------
    >>> batch = cardsharp_rl.Batch("taki", 4)
    >>> logits = numpy.zeros(batch.now.action_mask.shape, numpy.float32)
    >>> step = batch.step(cardsharp_rl.sample_logits(logits, batch.now.action_mask, numpy.random.default_rng(1)))
    """
    if not isinstance(logits, numpy.ndarray) or logits.dtype.kind != "f" or logits.ndim != 2:
        raise TypeError(f"logits: expected a float array [n, actions], not {logits!r:.60}")
    if not 0 <= temperature <= 100:
        raise ValueError(f"temperature: {temperature} is out of range: expected 0 to 100")
    draws = random.random(len(action_mask))
    return _core.pick_logits(logits.astype(numpy.float32, copy=False), _bytes(action_mask), draws, float(temperature))


def _bytes(action_mask: Mask) -> NDArray[numpy.uint8]:
    """The same memory as bytes."""
    if (
        not isinstance(action_mask, numpy.ndarray)
        or action_mask.dtype not in (numpy.bool_, numpy.int8)
        or action_mask.ndim != 2
    ):
        raise TypeError(f"action_mask: expected a bool or int8 array [n, actions], not {action_mask!r:.60}")
    return action_mask.view(numpy.uint8)

"""How values are written as JSON on their way to the engine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset, range)):
        return list(value)
    for plain in ("tolist", "item"):  # numpy, torch and their like
        if hasattr(value, plain):
            return getattr(value, plain)()
    raise TypeError(
        f"expected plain values (numbers, texts, lists, mappings), not {type(value).__name__} ({value!r:.60})"
    )


def encode(value: Any) -> str:
    """The JSON of a value."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except RecursionError:
        raise ValueError("the value is nested too deeply, or contains itself") from None

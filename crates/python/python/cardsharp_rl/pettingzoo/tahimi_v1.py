"""Tahimi for PettingZoo; arguments and observations are described in `cardsharp_rl.pettingzoo`."""

from cardsharp_rl.pettingzoo import _make

env = raw_env = _make.of_game(_make.env, __name__)
parallel_env = _make.of_game(_make.parallel_env, __name__)

"""Tachtigen for PettingZoo; arguments and observations are described in `cardsharp_rl.pettingzoo`."""

from functools import partial

from cardsharp_rl.pettingzoo import _make

env = partial(_make.env, "tachtigen")
raw_env = partial(_make.raw_env, "tachtigen")
parallel_env = partial(_make.parallel_env, "tachtigen")

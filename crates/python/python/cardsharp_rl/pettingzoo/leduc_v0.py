"""Leduc poker for PettingZoo; arguments and observations are described in `cardsharp_rl.pettingzoo`."""

from functools import partial

from cardsharp_rl.pettingzoo import _make

env = partial(_make.env, "leduc")
raw_env = partial(_make.raw_env, "leduc")
parallel_env = partial(_make.parallel_env, "leduc")

"""All games as environments of PettingZoo (https://pettingzoo.farama.org), by any rules.

    from cardsharp_rl.pettingzoo import dalmuti_v1

    env = dalmuti_v1.env(players=6)
    env.reset(seed=7)
    random = numpy.random.default_rng(7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else random.choice(numpy.flatnonzero(observation["action_mask"])))

`tahimi_v1`, `taki_v1`, `tachtigen_v0`, `kuhn_v0` and `leduc_v0` are the other games;
`cardsharp_rl.pettingzoo.env("dalmuti", ...)` is the same. `pettingzoo.make("aec", "cardsharp/dalmuti_v1")` finds
them once this package is imported. The number behind the name is raised with the game's encoding.

An episode is a session: as many rounds as the rules say (`hands`, `rounds`, `games` or `deals`), with rewards
where a round ends. Agents are `seat_0`, `seat_1`, ..., all that ever play in the session. One that sits a
round out is not asked in it, sees zeros and is given 0.

Observations are dictionaries: `observation`, uint8 [cells], the row that networks here learn from, each cell
between 0 and the maximum of its block (`cardsharp_rl.game("dalmuti").observation`), and `action_mask`, int8
[actions]; while another seat decides all 0, in `parallel_env` all 1. `infos` hold the mask too, and what happened
since the agent's last decision: `place` and `points` of a round that ended, `illegal_action` if another action was
played for it. In `parallel_env` they have all fields in every step, and `active` for the agent whose action counts.
"""

from importlib.util import find_spec

if find_spec("pettingzoo") is None:
    raise ModuleNotFoundError("PettingZoo is not installed: pip install 'cardsharp-rl[pettingzoo]'", name="pettingzoo")

from cardsharp_rl.pettingzoo._make import env, parallel_env, raw_env
from cardsharp_rl.pettingzoo._register import register as _register
from cardsharp_rl.pettingzoo.aec import AECCardEnv
from cardsharp_rl.pettingzoo.parallel import ParallelCardEnv

__all__ = ["ParallelCardEnv", "AECCardEnv", "env", "parallel_env", "raw_env"]

_register()

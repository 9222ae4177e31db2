"""All games as environments of Gymnasium (https://gymnasium.farama.org): one seat against chosen opponents.

    import gymnasium
    import cardsharp_rl.gymnasium

    env = gymnasium.make("cardsharp/Dalmuti-v1", opponents="scripted", players=6)
    observation, info = env.reset(seed=7)
    envs = gymnasium.make_vec("cardsharp/Dalmuti-v1", num_envs=1024, opponents=["dalmuti", "random", me, me])

Importing this package registers `cardsharp/Dalmuti-v1`, `Tahimi-v1`, `Taki-v1`, `Tachtigen-v0`, `Kuhn-v0` and
`Leduc-v0`; `gymnasium.make("cardsharp_rl.gymnasium:cardsharp/Dalmuti-v1")` imports it first. The number
behind the name is raised with the game's encoding. `SingleAgentEnv` says what their arguments are,
`SingleAgentVectorEnv` what `make_vec` adds.

An episode is a session: as many rounds as the rules say (`hands`, `rounds`, `games` or `deals`), with a
reward where a round ends.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is None:
    raise ModuleNotFoundError("Gymnasium is not installed: pip install 'cardsharp-rl[gymnasium]'", name="gymnasium")

from cardsharp_rl.gymnasium._register import register as _register
from cardsharp_rl.gymnasium.single import SingleAgentEnv
from cardsharp_rl.gymnasium.vector import SingleAgentVectorEnv

__all__ = ["SingleAgentEnv", "SingleAgentVectorEnv"]

_register()

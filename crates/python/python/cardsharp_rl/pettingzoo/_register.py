"""Names in PettingZoo's registry."""

from pettingzoo.env_registry import registration  # type: ignore[import-untyped]

import cardsharp_rl
from cardsharp_rl._spaces import version


def register() -> None:
    """Registers `cardsharp/dalmuti_v1` and so on, for turn-based and parallel environments."""
    for game in cardsharp_rl.games(reference=True):
        name = f"{game.name}_v{version(game)}"
        module = f"cardsharp_rl.pettingzoo.{name}"
        registration.register("aec", f"cardsharp/{name}", f"{module}:env")
        registration.register("parallel", f"cardsharp/{name}", f"{module}:parallel_env")

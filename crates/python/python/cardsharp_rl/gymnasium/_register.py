"""Names in Gymnasium's registry."""

import gymnasium

import cardsharp_rl
from cardsharp_rl._spaces import version


def register() -> None:
    """Registers `cardsharp/Dalmuti-v1` and so on."""
    for game in cardsharp_rl.games(reference=True):
        gymnasium.register(
            f"cardsharp/{game.name.capitalize()}-v{version(game)}",
            entry_point="cardsharp_rl.gymnasium.single:SingleAgentEnv",
            vector_entry_point="cardsharp_rl.gymnasium.vector:SingleAgentVectorEnv",
            kwargs={"game": game.name},
        )

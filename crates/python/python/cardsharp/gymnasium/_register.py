"""Names in Gymnasium's registry."""

import gymnasium

import cardsharp
from cardsharp._spaces import version


def register() -> None:
    """Registers `cardsharp/Dalmuti-v1` and so on."""
    for game in cardsharp.games(reference=True):
        gymnasium.register(
            f"cardsharp/{game.name.capitalize()}-v{version(game)}",
            entry_point="cardsharp.gymnasium.single:SeatEnv",
            vector_entry_point="cardsharp.gymnasium.vector:SeatVectorEnv",
            kwargs={"game": game.name},
        )

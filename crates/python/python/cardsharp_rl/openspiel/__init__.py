"""Every game as an OpenSpiel game.

    import cardsharp_rl.openspiel
    import pyspiel

    game = pyspiel.load_game("cardsharp_dalmuti(players=5)")
    state = game.new_initial_state()

Importing registers `cardsharp_NAME` for every game there is, the reference games `cardsharp_kuhn` and
`cardsharp_leduc` included; every option of the rules is a parameter (`cardsharp_rl.openspiel.parameters`), and
`recall` says how much an information-state tensor remembers (`cardsharp_rl.openspiel.observer`). Chance is
explicit and decides first (`cardsharp_rl.openspiel.chance`).

`load("dalmuti", {"players": 5})` takes rules as the rest of cardsharp does. `SessionState` has what OpenSpiel's
states have, and `view`, `table` and `seed` besides. `BotPolicy` and `BotPlayer` are our bots as OpenSpiel's
policies and players.

Raises
------
ImportError
    If OpenSpiel is not installed.
"""

from __future__ import annotations

try:
    import pyspiel as _pyspiel  # noqa: F401
except ImportError as error:
    raise ImportError("cardsharp_rl.openspiel needs OpenSpiel 2.0 or newer: pip install open_spiel") from error

from cardsharp_rl import games as _games
from cardsharp_rl.openspiel.game import SessionGame, SessionState, load, short_name
from cardsharp_rl.openspiel.game import register as _register
from cardsharp_rl.openspiel.policies import BotPlayer, BotPolicy

__all__ = ["BotPlayer", "BotPolicy", "SessionGame", "SessionState", "load", "short_name"]

for _game in _games(reference=True):
    _register(_game)

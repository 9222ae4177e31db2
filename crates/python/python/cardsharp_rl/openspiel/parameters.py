"""Options of the rules as parameters of an OpenSpiel game, and back.

OpenSpiel's parameters are whole numbers, floats, booleans and strings, each of one type, and a game must be
loadable from its own name: `str(game)` is parsed again by `pyspiel.load_game`. So every option of a game's rules is a
parameter of the same name, and the few that can be lists, tables or numbers besides words are strings with JSON in
them, with `;` between elements, because OpenSpiel takes a comma for the end of a parameter:

    cardsharp_dalmuti(players=4,strip=[11;12])
    cardsharp_taki(players=2,max_decisions="500")

A number in such a string stands in quotes, or OpenSpiel takes the parameter for a number. In a dictionary of
parameters the quotes are not needed, and commas are as good.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cardsharp_rl import Game

#: Own moves that an information-state tensor remembers, if nothing is said. In the reference games that is all of
#: them; elsewhere information states have strings only, as in OpenSpiel's own large card games.
RECALL = {"kuhn": 1, "leduc": 3}


def specification(game: Game) -> dict[str, bool | int | float | str]:
    """Returns the names and defaults of all parameters.

    By default a session is one round, which users of OpenSpiel call a game.
    """
    parameters = {option.name: _parameter(option.default) for option in game.options}
    parameters[game.rounds_option] = 1
    parameters["recall"] = RECALL.get(game.name, 0)
    return parameters


def options(game: Game, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The options that `parameters` stand for. What an option may be is for the rules to say.

    Raises
    ------
    ValueError
        A parameter that is none.
    """
    known = specification(game)
    for name in parameters:
        if name not in known:
            raise ValueError(f"cardsharp_{game.name} has no parameter `{name}`: expected {', '.join(sorted(known))}")
    defaults = {option.name: option.default for option in game.options}
    return {
        name: _read(value) if isinstance(_parameter(defaults[name]), str) and isinstance(value, str) else value
        for name, value in parameters.items()
        if name != "recall"
    }


def written(game: Game, values: Mapping[str, Any]) -> dict[str, bool | int | float | str]:
    """Returns parameters or options that are not the defaults, as OpenSpiel reads them from a game's name."""
    defaults = specification(game)
    parameters = {}
    for name, value in values.items():
        default = defaults.get(name)
        if isinstance(default, str):
            value = _text(_read(value) if isinstance(value, str) else value)
        elif isinstance(default, float):
            value = float(value)
        if value != default:
            parameters[name] = value
    return parameters


def _parameter(value: Any) -> bool | int | float | str:
    """An option's default as a parameter."""
    return value if isinstance(value, (bool, int, float)) else _text(value)


def _text(value: Any) -> str:
    """A value as a textual parameter, such that `_read` gives it back."""
    if isinstance(value, (bool, int, float)):
        return f'"{json.dumps(value)}"'
    return value if isinstance(value, str) else json.dumps(value, separators=(";", ":"))


def _read(text: str) -> Any:
    """What a textual parameter says: JSON where it is JSON, else the word itself."""
    try:
        value = json.loads(text.replace(";", ","))
    except ValueError:
        return text
    # "500" in quotes is the number 500, which OpenSpiel would not have let through without them.
    return _read(value) if isinstance(value, str) else value

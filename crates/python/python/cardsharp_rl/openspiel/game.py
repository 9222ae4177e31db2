"""The games as OpenSpiel games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pyspiel

import cardsharp_rl
from cardsharp_rl.openspiel import bounds, parameters
from cardsharp_rl.openspiel.chance import chance
from cardsharp_rl.openspiel.observer import SeatObserver
from cardsharp_rl.openspiel.state import SessionState


def short_name(game: cardsharp_rl.Game) -> str:
    """The name by which OpenSpiel knows a game."""
    return f"cardsharp_{game.name}"


def game_type(game: cardsharp_rl.Game, rounds: int, recall: int) -> pyspiel.GameType:
    """Returns OpenSpiel's description of a game.

    `recall` is the number of own moves in information-state tensors; 0 means that there are no such tensors.
    """
    model = pyspiel.GameType.RewardModel
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(game),
        long_name=f"{game.title} (cardsharp)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if game.reference else utility.GENERAL_SUM,
        reward_model=model.TERMINAL if rounds == 1 else model.REWARDS,
        max_num_players=game.players[-1],
        min_num_players=game.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=recall > 0,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters.specification(game),
    )


class SessionGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types.
    """A game of OpenSpiel: sessions of one game with fixed rules.

    Attributes
    ----------
    game : cardsharp_rl.Game
        The game.
    rules : dict
        All options.
    chance : ListedDeals or DrawnSeed
        The chance nodes.
    recall : int
        Own moves in information-state tensors; 0 means that there are no such tensors.
    observer, recaller : SeatObserver
        Observers of observations and of information states.
    """

    def __init__(self, game: cardsharp_rl.Game, params: Mapping[str, Any] | None = None) -> None:
        """A game with `params`, each an option of the rules or `recall`; `pyspiel.load_game` calls it.

        Raises
        ------
        ValueError
            A parameter that there is not, or rules that are refused, with what would be right.
        """
        given = dict(params or {})
        defaults = parameters.specification(game)
        rules = game.rules(parameters.options(game, {**defaults, **given}))
        recall = given.get("recall", defaults["recall"])
        if not 0 <= recall <= 1000:
            raise ValueError(f"`recall` is {recall}; expected a whole number, 0 to 1000")
        drawn = chance(game, rules)
        # Players may join later on, so the rules alone do not say how many seats there are.
        seats = cardsharp_rl.Table(game, rules).seats
        low, high = bounds.utility(game, rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=len(drawn.outcomes),
            num_players=seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if game.reference else None,
            max_game_length=bounds.length(game, rules, seats),
        )
        super().__init__(game_type(game, rules[game.rounds_option], recall), info, parameters.written(game, given))
        self.game = game
        self.rules = rules
        self.chance = drawn
        self.recall = recall
        self.observer, self.recaller = (
            SeatObserver(self, pyspiel.IIGObservationType(perfect_recall=perfect)) for perfect in (False, True)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled by its name, which says all about it."""
        return _named, (str(self),)

    def new_initial_state(self) -> SessionState:
        """A session in which nothing is dealt yet."""
        return SessionState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Chance decides before anybody else, and never again."""
        return self.chance.nodes

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> SeatObserver:
        """Reads states for a seat.

        Raises
        ------
        ValueError
            Parameters, of which there are none, or a kind of observation that there is not.
        """
        if params:
            raise ValueError(f"observers of cardsharp games take no parameters; got {', '.join(params)}")
        return SeatObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _named(name: str) -> SessionGame:
    """A game by its name. Whoever unpickles one comes here, and by that to a process in which our games are registered."""
    return cast(SessionGame, pyspiel.load_game(name))


def load(
    game: str | cardsharp_rl.Game, rules: Mapping[str, Any] | None = None, *, recall: int | None = None
) -> SessionGame:
    """Loads a game into OpenSpiel, with rules as everywhere in cardsharp.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    rules : mapping, optional
        Options of the rules. A session has one round, unless the option for rounds is set.
    recall : int, optional
        Own moves in information-state tensors. None means 1 for Kuhn poker, 3 for Leduc poker, else 0.

    Returns
    -------
    SessionGame
        The game.

    Raises
    ------
    ValueError
        If there is no such game, or the rules are refused.
    """
    played = cardsharp_rl.game(game) if isinstance(game, str) else game
    given = parameters.written(played, {} if rules is None else rules)
    if recall is not None:
        given["recall"] = recall
    return cast(SessionGame, pyspiel.load_game(short_name(played), given))


def register(game: cardsharp_rl.Game) -> None:
    """Makes `game` known to `pyspiel.load_game`."""

    # OpenSpiel lets go of what it registered when Python has already ended. A class survives that; a function
    # would be freed by nobody's leave.
    class Registered(SessionGame):
        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(game, params)

    pyspiel.register_game(game_type(game, 1, parameters.RECALL.get(game.name, 0)), Registered)

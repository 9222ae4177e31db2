"""Our bots as OpenSpiel's policies and players."""

from __future__ import annotations

import pyspiel
from open_spiel.python import policy

from cardsharp_rl import Bot
from cardsharp_rl.openspiel.game import SessionGame, SessionState


class BotPolicy(policy.Policy):  # type: ignore[misc]  # OpenSpiel has no types.
    """A bot as a policy of OpenSpiel, for `exploitability.nash_conv`, `expected_game_score` and others.

    A network at temperature 1 has its own probabilities. At temperature 0 its most probable action has probability 1.

    Parameters
    ----------
    game : SessionGame
        The game.
    bot : Bot
        The bot, in all seats.
    """

    def __init__(self, game: SessionGame, bot: Bot) -> None:
        """The policy of `bot` in every seat of `game`."""
        super().__init__(game, list(range(game.num_players())))
        self._bot = bot

    def action_probabilities(self, state: SessionState, player_id: int | None = None) -> dict[int, float]:
        """The probability of each legal action of the seat that decides, 0 included.

        Raises
        ------
        ValueError
            Another seat decides than `player_id`.
        """
        decides = state.current_player()
        if player_id is not None and player_id != decides:
            raise ValueError(f"player {decides} decides here, not {player_id}")
        moves = {move.action: move.probability for move in self._bot.advise(state.view()).moves}
        return {action: moves.get(action, 0.0) for action in state.legal_actions()}


class BotPlayer(pyspiel.Bot):  # type: ignore[misc]
    """A bot at OpenSpiel's table: for `evaluate_bots`, or against OpenSpiel's own bots."""

    def __init__(self, bot: Bot) -> None:
        """A player that moves as `bot` does."""
        super().__init__()
        self._bot = bot

    def step(self, state: SessionState) -> int:
        """The move of the seat that decides."""
        return self._bot.pick(state.view())

    def restart(self) -> None:
        """Bots remember nothing between moves."""

    def restart_at(self, state: SessionState) -> None:
        """Bots remember nothing between moves."""

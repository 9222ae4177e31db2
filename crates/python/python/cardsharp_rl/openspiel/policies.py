"""Our bots as OpenSpiel's policies and players."""

from __future__ import annotations

import pyspiel
from open_spiel.python import policy

from cardsharp_rl import Bot
from cardsharp_rl.openspiel.game import SessionGame
from cardsharp_rl.openspiel.state import SessionState


class BotPolicy(policy.Policy):  # type: ignore[misc]  # OpenSpiel has no types.
    """The probabilities by which a bot moves, for whatever takes a policy: `exploitability.nash_conv`,
    `expected_game_score`, ....

    Which probabilities those are is up to the bot: a network at temperature 1 has its own, at 0 it always makes
    its likeliest move.
    """

    def __init__(self, game: SessionGame, bot: Bot) -> None:
        """The policy of `bot` in every seat of `game`."""
        super().__init__(game, list(range(game.num_players())))
        self._bot = bot

    def action_probabilities(self, state: SessionState, player_id: int | None = None) -> dict[int, float]:
        """The probability of each legal action of the seat that decides, 0 included.

        Raises:
            ValueError: another seat decides than `player_id`.
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

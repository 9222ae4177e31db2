"""A session behind agents: what turn-based and parallel environments share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from numpy.typing import NDArray

from cardsharp_rl import Game, Table, _core
from cardsharp_rl._spaces import (
    INT8,
    MOST_IDLE_SESSIONS,
    RENDER_MODES,
    Action,
    Illegal,
    Observation,
    Turn,
    check_choice,
    check_number,
    check_rules,
    find_game,
    mask,
    maxima,
    observation_space,
    play,
    render,
    version,
)


class SessionEnv:
    """A session, its agents `seat_0`, `seat_1`, ... and what they are told of it."""

    def __init__(
        self,
        game: str | Game,
        *,
        rules: Mapping[str, Any] | None,
        players: int | None,
        max_cycles: int | None,
        skip_forced: bool,
        flat: bool,
        illegal: Illegal,
        render_mode: str | None,
    ) -> None:
        self.game = find_game(game)
        self.rules = check_rules(self.game, rules, players)
        check_choice("illegal", illegal, ("raise", "random"))
        check_choice("render_mode", render_mode, (*RENDER_MODES, None))
        self.max_cycles = None if max_cycles is None else check_number("max_cycles", max_cycles, 1)
        self.skip_forced = skip_forced
        self.flat = flat
        self.illegal: Illegal = illegal
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{self.game.name}_v{version(self.game)}",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        # Other sessions begin by its rules, without reading them again.
        self._example = Table(self.game, self.rules, seed=0)
        seats = self._example.seats
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: observation_space(self.game, flat) for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in self.possible_agents}
        self._actions = self.game.actions
        self._table: Table | None = None
        self._present: frozenset[int] = frozenset()
        self._news: dict[str, dict[str, Any]] = {}
        self._random: np.random.Generator | None = None

    @property
    def state_space(self) -> spaces.Box:
        """What `state()` gives: a Box, uint8 [seats, cells]."""
        return spaces.Box(0, np.tile(maxima(self.game), (len(self.possible_agents), 1)), dtype=np.uint8)

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """What an agent observes: `observation`, uint8 [cells], and `action_mask`, int8 [actions]; flat, the first."""
        self._seat(agent)
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """The ids of the game's actions."""
        self._seat(agent)
        return self._action_spaces[agent]

    def state(self) -> NDArray[np.uint8]:
        """The rows of all seats, uint8 [seats, cells]: what all of them know together.

        Raises
        ------
        ResetNeeded
            There is no session yet.
        """
        table = self._session()
        return np.stack([self._row(table, seat) for seat in range(len(self.possible_agents))])

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def _seat(self, agent: str) -> int:
        try:
            return self._seat_of[agent]
        except (KeyError, TypeError):
            raise ValueError(f"agent: {agent!r}, expected one of {', '.join(self.possible_agents)}") from None

    def _session(self) -> Table:
        if self._table is None:
            raise ResetNeeded(f"{self.metadata['name']}: there is no session yet, call reset() first")
        return self._table

    def _generator(self) -> np.random.Generator:
        if self._random is None:
            self._random, _ = seeding.np_random()
        return self._random

    def _begin(self, seed: int | None) -> tuple[Table, Turn, dict[str, float]]:
        """Starts a session with a decision, of this seed or of one that is drawn.

        Returns the table, the first turn, and each agent's rewards in rounds that are over already.
        """
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        for _ in range(MOST_IDLE_SESSIONS):
            session = int(self._generator().integers(2**53)) if seed is None else seed
            self._table = table = _core.begin(self._example, session)
            self._present = frozenset(table.present)
            self._news = {}
            rewards = dict.fromkeys(self.possible_agents, 0.0)
            turn = self._turn(table) or self._next_round(table, rewards)
            if turn is not None:
                return table, turn, rewards
            seed = None
        raise ValueError(f"rules: in {MOST_IDLE_SESSIONS} sessions by them there was nothing to decide")

    def _row(self, table: Table, seat: int) -> NDArray[np.uint8]:
        """What a seat sees; zeros if it sits the round out."""
        return table.observation(seat) if seat in self._present else np.zeros(self.game.cells, np.uint8)

    def _observation(self, row: NDArray[np.uint8], legal: NDArray[np.int8]) -> Observation:
        """The observation of an agent."""
        return row if self.flat else {"observation": row, "action_mask": legal}

    def _no_turn(self) -> NDArray[np.int8]:
        """The mask of an agent that has no decision."""
        return np.zeros(self._actions, INT8)

    def _play(self, table: Table, action: Action, name: str) -> tuple[Turn | None, bool]:
        """Plays an action, as `cardsharp_rl._spaces.play`."""
        return play(table, action, name, skip_forced=self.skip_forced, illegal=self.illegal, random=self._generator)

    def _turn(self, table: Table) -> Turn | None:
        """The first turn after a deal; None when the round is over."""
        if self.skip_forced:
            table.play_forced()
        return None if table.turn is None else (table.turn, mask(table))

    def _next_round(self, table: Table, rewards: dict[str, float]) -> Turn | None:
        """Adds the worth of a round that is over to `rewards`; the next turn, None after the last round."""
        turn = None
        while turn is None:
            payoff = table.payoff
            assert payoff is not None, "a round is over where nobody must decide"
            for player in self._present:
                agent = self.possible_agents[player]
                rewards[agent] += payoff.reward[player]
                self._news.setdefault(agent, {}).update(place=payoff.place[player], points=payoff.points[player])
            if not table.deal_next():
                return None
            self._present = frozenset(table.present)
            turn = self._turn(table)
        return turn

    def _picture(self, seat: int) -> str | NDArray[np.uint8] | None:
        """What `render()` gives for a seat."""
        table = self._session()
        if self.render_mode is None:
            modes = "'human', 'ansi' or 'rgb_array'"
            logger.warn(f"{self.metadata['name']}: render() without a render_mode ({modes}) does nothing")
            return None
        return render(table, seat, self.render_mode)

"""Agents that all act in every step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo.utils.env import ParallelEnv  # type: ignore[import-untyped]

from cardsharp_rl import Table
from cardsharp_rl._spaces import INT8, Action, Observation, Turn
from cardsharp_rl.pettingzoo._session import SessionEnv

NO_NEWS = {"place": 0, "points": 0, "illegal_action": False}


class ParallelCardEnv(SessionEnv, ParallelEnv[str, Observation, Action]):  # type: ignore[misc]
    """A parallel environment of PettingZoo; see `cardsharp_rl.pettingzoo.parallel_env`."""

    def __getattr__(self, name: str) -> Any:
        if name == "agents":
            raise AttributeError("agents cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Starts a session.

        Parameters
        ----------
        seed : int, optional
            The seed of the session, as in `cardsharp_rl.Table(game, rules, seed=seed)`. Later sessions follow from it.
            None draws the session.
        options : dict, optional
            Not used.

        Returns
        -------
        observations : dict
            The observation of each agent, as of `AECCardEnv.observe`.
        infos : dict
            For each agent: `active`, whether its next action counts; `illegal_action`, whether another action was
            played for it; `place` and `points` in a round that ended with this step, else 0; with `flat` also
            `action_mask`.
        """
        table, turn, self._owed = self._begin(seed)
        self.agents = self.possible_agents[:]
        self._steps = 0
        return self._told(table, turn)

    def step(
        self, actions: Mapping[str, Action]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Plays the action of the active agent.

        Parameters
        ----------
        actions : mapping of str to int
            The action of each agent. Those of other agents do not count and can be left out.

        Returns
        -------
        observations, rewards, terminations, truncations, infos : dict
            An entry for each agent. Infos are those of `reset`.

        Raises
        ------
        TypeError
            If the action is no whole number.
        ValueError
            If the active agent has no action, an agent is unknown, there is no such action, or it is illegal while
            `illegal` is "raise". Nothing is played then.
        ResetNeeded
            If there is no session, or it is over.
        """
        table = self._session()
        if not self.agents:
            raise ResetNeeded(f"{self.metadata['name']}: the session is over, call reset() first")
        turn = table.turn
        assert turn is not None, "a session that is not over waits for somebody"
        agent = self.possible_agents[turn]
        if not isinstance(actions, Mapping):
            raise TypeError(f"actions: {type(actions).__name__}, expected a dictionary of agents")
        for stranger in actions.keys() - self._seat_of.keys():
            raise ValueError(f"actions: {stranger!r}, expected one of {', '.join(self.possible_agents)}")
        if agent not in actions:
            raise ValueError(f"actions: nothing of {agent}, whose turn it is")
        next_turn, drawn = self._play(table, actions[agent], f"actions[{agent!r}]")
        self._news = {agent: {"illegal_action": True}} if drawn else {}
        rewards, self._owed = self._owed, dict.fromkeys(self.agents, 0.0)
        next_turn = next_turn or self._next_round(table, rewards)
        self._steps += 1
        cut = next_turn is not None and self.max_cycles is not None and self._steps >= self.max_cycles
        terminations = dict.fromkeys(self.agents, next_turn is None)
        truncations = dict.fromkeys(self.agents, cut)
        observations, infos = self._told(table, None if cut else next_turn)
        if cut or next_turn is None:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return observations, rewards, terminations, truncations, infos

    def render(self) -> str | NDArray[np.uint8] | None:
        """What the agent to decide sees, or `seat_0` in the end, printed ("human"), as text ("ansi") or as pixels ("rgb_array").

        Raises
        ------
        ResetNeeded
            There is no session yet.
        """
        return self._picture(self._session().turn or 0)

    def _told(self, table: Table, turn: Turn | None) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Observations and infos of all agents at a turn, or in the end."""
        decides, its_mask = turn or (None, None)
        observations: dict[str, Observation] = {}
        infos: dict[str, dict[str, Any]] = {}
        for seat, agent in enumerate(self.possible_agents):
            # Libraries that sample an action of every agent need one that is legal.
            legal = np.ones(self._actions, INT8) if its_mask is None or seat != decides else its_mask
            observations[agent] = self._observation(self._row(table, seat), legal)
            infos[agent] = {"active": seat == decides, **NO_NEWS, **self._news.get(agent, {})}
            if self.flat:
                infos[agent]["action_mask"] = legal
        return observations, infos

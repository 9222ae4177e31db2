"""Agents that act one after another."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo.utils.env import AECEnv  # type: ignore[import-untyped]

from cardsharp_rl import Table
from cardsharp_rl._spaces import Action, Observation, Turn
from cardsharp_rl.pettingzoo._session import SessionEnv

BEFORE_RESET = {
    "agents",
    "agent_selection",
    "rewards",
    "terminations",
    "truncations",
    "infos",
    "_cumulative_rewards",
}


class AECCardEnv(SessionEnv, AECEnv[str, Observation, Action]):  # type: ignore[misc]
    """An AEC environment of PettingZoo; see `cardsharp_rl.pettingzoo.env`."""

    def __getattr__(self, name: str) -> Any:
        if name in BEFORE_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a session.

        Parameters
        ----------
        seed : int, optional
            The seed of the session, as in `cardsharp_rl.Table(game, rules, seed=seed)`. Later sessions follow from it.
            None draws the session.
        options : dict, optional
            Not used.
        """
        _, turn, self.rewards = self._begin(seed)
        self.agents = self.possible_agents[:]
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {"action_mask": self._no_turn()} for agent in self.agents}
        self._skip_agent_selection = None
        self._decided = [0] * len(self.agents)
        self._rewarded = True
        self._select(*turn)

    def step(self, action: Action) -> None:
        """Plays an action of `agent_selection`.

        Parameters
        ----------
        action : int or None
            A legal action; None once the agent is done.

        Raises
        ------
        TypeError
            If the action is no whole number.
        ValueError
            If there is no such action, or it is illegal while `illegal` is "raise". Nothing is played then.
        ResetNeeded
            If there is no session, or it is over.
        """
        table = self._session()
        if not self.agents:
            raise ResetNeeded(f"{self.metadata['name']}: the session is over, call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise ValueError(f"action of {agent}: {action!r}, expected None, because {agent} is done")
            self._leave(agent)
            return
        turn, drawn = self._play(table, action, "action")
        if drawn:
            self._news.setdefault(agent, {})["illegal_action"] = True
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._no_turn()}
        self._go_on(table, turn)
        if self.render_mode == "human":
            self.render()

    def _leave(self, agent: str) -> None:
        """Takes away an agent that is done; all of them are at once."""
        for told in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del told[agent]
        self.agents.remove(agent)
        if self.agents:
            self.agent_selection = self.agents[0]
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False

    def observe(self, agent: str) -> Observation:
        """Returns the current observation of an agent.

        Parameters
        ----------
        agent : str
            The agent, for example "seat_0".

        Returns
        -------
        dict or ndarray of uint8, shape (cells,)
            `observation`, the row, and `action_mask`, int8 of shape (actions,); the row alone if `flat`.

        Raises
        ------
        ValueError
            If there is no such agent.
        ResetNeeded
            If there is no session yet.
        """
        table = self._session()
        row = self._row(table, self._seat(agent))
        if agent in self.infos:
            # A changed observation changes no info.
            return self._observation(row, self.infos[agent]["action_mask"].copy())
        return self._observation(row, self._no_turn())

    def render(self) -> str | NDArray[np.uint8] | None:
        """What `agent_selection` sees, printed ("human"), as text ("ansi") or as pixels ("rgb_array").

        Raises
        ------
        ResetNeeded
            There is no session yet.
        """
        self._session()
        return self._picture(self._seat(self.agent_selection))

    def _go_on(self, table: Table, turn: Turn | None) -> None:
        """Selects the agent that is next; ends the session after the last round and after `max_cycles`."""
        if turn is None:
            turn = self._next_round(table, self.rewards)
            self._accumulate_rewards()
            self._rewarded = True
        if turn is None:
            self._end(self.terminations)
            return
        if self.max_cycles is not None and self._decided[turn[0]] >= self.max_cycles:
            self._end(self.truncations)
            return
        self._select(*turn)

    def _select(self, seat: int, legal: NDArray[np.int8]) -> None:
        """Selects an agent and tells it what it may do, and what happened since it did."""
        self._decided[seat] += 1
        self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent] = info = {"action_mask": legal}
        if agent in self._news:
            info.update(self._news.pop(agent))

    def _end(self, how: dict[str, bool]) -> None:
        """All agents are done; they act once more, with None, in their order."""
        for agent in self.agents:
            how[agent] = True
            self.infos[agent].update(self._news.pop(agent, {}))
        self.agent_selection = self.agents[0]

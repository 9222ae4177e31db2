"""One seat against opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from cardsharp_rl import BotLike, Game, Table, _core
from cardsharp_rl._spaces import (
    MOST_IDLE_SESSIONS,
    RENDER_MODES,
    Illegal,
    Observation,
    check_choice,
    check_rules,
    find_game,
    mask,
    observation_space,
    play,
    render,
    row,
)
from cardsharp_rl.gymnasium._episodes import Episodes, SeatOption
from cardsharp_rl.gymnasium.opponents import Opponents


class SingleAgentEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a game against opponents; `gymnasium.make("cardsharp/Dalmuti-v1", ...)` makes it.

    Args:
        game: A game or its name; the ids of `gymnasium.make` have filled it in.
        opponents: Who decides for the others, one for all or a list of one for each, clockwise from the
            learner: whatever `cardsharp_rl.bot` takes ("random", "scripted", "search:200", "dalmuti", the path
            of a bundle, a function of rows and masks, ...), or a bot that it made.
        seat: The learner's seat: a number, "random" (drawn for each session) or "rotating" (one further in
            each session).
        rules: Options of the rules; those left out keep their defaults.
        players: Number of players, instead of that option in `rules`.
        skip_forced: Decisions with a single legal action are played without asking.
        flat: Observations are rows alone, in a `Box`, for libraries that take no dictionaries.
        illegal: "raise" an error for an illegal action, or play a "random" legal one. Tools that ignore masks, such as
            `check_env`, need "random".
        render_mode: "human" prints what the learner sees, "ansi" lets `render()` return it as text, "rgb_array" as
            pixels, which needs Pillow.

    Observations are dictionaries: `observation`, uint8 [cells], the row that networks here learn from, each
    cell between 0 and the maximum of its block, and `action_mask`, int8 [actions]. After the session the row
    shows its end, and the mask is 0.

    Infos hold `action_mask`, `seat`, `illegal_action` (whether another action was played), `place` and
    `points`: those of the learner in the last round that ended with this step, else 0.

    The reward of a step is the sum of the learner's rewards in rounds that ended since the step before it.
    Sessions in which the learner is asked nothing are left out.

    Raises:
        ValueError: An argument is none of these, an option is unknown or refused.
        TypeError: An opponent is neither name, bot nor function.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str | Game,
        *,
        opponents: BotLike | Sequence[BotLike] = "scripted",
        seat: SeatOption = 0,
        rules: Mapping[str, Any] | None = None,
        players: int | None = None,
        skip_forced: bool = False,
        flat: bool = False,
        illegal: Illegal = "raise",
        render_mode: str | None = None,
    ) -> None:
        self.game = find_game(game)
        self.rules = check_rules(self.game, rules, players)
        check_choice("illegal", illegal, ("raise", "random"))
        check_choice("render_mode", render_mode, (*RENDER_MODES, None))
        self.skip_forced = skip_forced
        self.flat = flat
        self.illegal: Illegal = illegal
        self.render_mode = render_mode
        # Other sessions begin by its rules, without reading them again.
        self._example = Table(self.game, self.rules, seed=0)
        self.seats = self._example.seats
        self._opponents = Opponents(opponents, self.game, self.seats)
        self._episodes = Episodes(seat, self.seats)
        self.seat = 0
        self.observation_space = observation_space(self.game, flat)
        self.action_space = spaces.Discrete(self.game.actions)
        self._table: Table | None = None
        self._over = True
        self._legal: NDArray[np.int8] | None = None
        self._owed = 0.0
        self._place = self._points = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a session and plays on to the learner's first decision.

        Args:
            seed: That of the session, which `cardsharp_rl.Table(game, rules, seed=seed)` is too; further
                sessions, and all that bots draw, follow from it. Without one the session is drawn.
            options: Not used.
        """
        super().reset(seed=seed)
        if seed is not None:
            self._opponents.begin_anew(seed)
        for _ in range(MOST_IDLE_SESSIONS):
            session, self.seat = self._episodes.next(self.np_random, seed)
            self._table = table = _core.begin(self._example, session)
            self._owed = self._go_on(table)
            if not self._over:
                break
            seed = None
        else:
            raise ValueError(
                f"seat: in {MOST_IDLE_SESSIONS} sessions by these rules seat {self.seat} was asked nothing"
            )
        if self.render_mode == "human":
            self.render()
        return self._told(table, illegal=False)

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action of the learner and plays on to its next decision.

        Returns:
            Observation, reward, whether the session is over, False (sessions are not cut off), and info.

        Raises:
            TypeError: The action is no whole number.
            ValueError: There is no such action, or it is illegal while `illegal` is "raise"; nothing was
                played.
            ResetNeeded: There is no session, or it is over.
        """
        table = self._session()
        if self._over:
            raise ResetNeeded("the session is over, call reset() first")
        _, drawn = play(
            table,
            action,
            "action",
            skip_forced=self.skip_forced,
            illegal=self.illegal,
            random=lambda: self.np_random,
        )
        reward = self._owed + self._go_on(table)
        self._owed = 0.0
        if self.render_mode == "human":
            self.render()
        observation, info = self._told(table, illegal=drawn)
        return observation, reward, self._over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, bool [actions]: what MaskablePPO of sb3-contrib asks for."""
        table = self._session()
        return np.zeros(self.game.actions, bool) if self._over else table.action_mask()

    def render(self) -> str | NDArray[np.uint8] | None:
        """What the learner sees: printed ("human"), as text ("ansi") or as uint8 [480, 800, 3] ("rgb_array").

        Raises:
            ResetNeeded: There is no session yet.
            ModuleNotFoundError: Pillow is not installed ("rgb_array").
        """
        table = self._session()
        if self.render_mode is None:
            logger.warn("render() without a render_mode ('human', 'ansi' or 'rgb_array') does nothing")
            return None
        return render(table, self.seat, self.render_mode)

    def _session(self) -> Table:
        if self._table is None:
            raise ResetNeeded("there is no session yet, call reset() first")
        return self._table

    def _go_on(self, table: Table) -> float:
        """Plays on until the learner must decide or the session is over; what ended rounds were worth."""
        reward, clockwise = 0.0, self._opponents.clockwise
        self._place = self._points = 0
        # If an opponent raises something, nobody goes on from here.
        self._over = True
        while True:
            if self._opponents.are_quick:
                self._legal = _core.play_others(table, self.seat, clockwise, self.skip_forced)
            else:
                self._legal = self._ask_others(table)
            if self._legal is not None:
                self._over = False
                return reward
            payoff = table.payoff
            assert payoff is not None, "a round is over where nobody must decide"
            reward += payoff.reward[self.seat]
            self._place, self._points = payoff.place[self.seat], payoff.points[self.seat]
            if not table.deal_next():
                return reward

    def _ask_others(self, table: Table) -> NDArray[np.int8] | None:
        """Lets the opponents decide one by one, so that Ctrl-C can stop them. Returns the legal actions of the learner, None
        when the round is over."""
        while True:
            if self.skip_forced:
                table.play_forced()
            turn = table.turn
            if turn is None:
                return None
            if turn == self.seat:
                return mask(table)
            table.play(self._opponents.clockwise[(turn - self.seat - 1) % self.seats].pick(table))

    def _told(self, table: Table, *, illegal: bool) -> tuple[Observation, dict[str, Any]]:
        """Observation and info."""
        if self._legal is None:
            observed, legal = row(table, self.seat), np.zeros(self.game.actions, np.int8)
        else:
            observed, legal = table.observation(), self._legal
        info = {
            "action_mask": legal,
            "seat": self.seat,
            "illegal_action": illegal,
            "place": self._place,
            "points": self._points,
        }
        return observed if self.flat else {"observation": observed, "action_mask": legal}, info

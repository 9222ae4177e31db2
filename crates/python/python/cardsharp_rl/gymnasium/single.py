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

    An observation is a dictionary: `observation`, the row, uint8 of shape (cells,), and `action_mask`, int8 of shape
    (actions,). A cell is between 0 and the maximum of its block. After the session the row shows its end, and the mask
    is 0.

    The reward of a step is the sum of the learner's rewards in the rounds that ended since the last step. Sessions in
    which the learner has no decision are left out.

    An info has `action_mask`, `seat`, `illegal_action` (whether another action was played), and the learner's `place`
    and `points` in the last round that ended with this step, else 0.

    Parameters
    ----------
    game : str or Game
        The game or its name. The names in `gymnasium.make` have it.
    opponents : bot or sequence of bots, default "scripted"
        One bot for all other seats, or one for each, clockwise from the learner: everything that `cardsharp_rl.bot`
        takes.
    seat : int, "random" or "rotating", default 0
        The learner's seat: fixed, drawn for each session, or the next one in each session.
    rules : mapping, optional
        Options of the rules. Options that are left out have their defaults.
    players : int, optional
        Number of players, instead of the option in `rules`.
    skip_forced : bool, default False
        Whether decisions with a single legal action are played without asking.
    flat : bool, default False
        Whether observations are rows alone, in a `Box`.
    illegal : {"raise", "random"}, default "raise"
        Whether an illegal action raises an error, or a random legal action is played instead. Tools that ignore masks,
        such as `check_env`, need "random".
    render_mode : {"human", "ansi", "rgb_array"}, optional
        "human" prints what the seat to move sees, "ansi" returns it as text, "rgb_array" as pixels (needs Pillow).

    Raises
    ------
    ValueError
        If an argument is out of range, or an option of the rules is refused.
    TypeError
        If an opponent is not a bot.
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
        self._owed = 0.0
        self._place = self._points = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a session, up to the learner's first decision.

        Parameters
        ----------
        seed : int, optional
            The seed of the session, as in `cardsharp_rl.Table(game, rules, seed=seed)`. Later sessions and the draws of
            bots follow from it. None draws the session.
        options : dict, optional
            Not used.

        Returns
        -------
        observation : dict or ndarray of uint8, shape (cells,)
            The first observation; the row alone if `flat`.
        info : dict
            The first info.
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
        """Plays an action of the learner, up to its next decision.

        Parameters
        ----------
        action : int
            A legal action.

        Returns
        -------
        observation : dict or ndarray of uint8, shape (cells,)
            The next observation; the row alone if `flat`.
        reward : float
            The learner's rewards in the rounds that ended.
        terminated : bool
            Whether the session is over.
        truncated : bool
            Always False.
        info : dict
            The next info.

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
        """Returns the legal actions, as MaskablePPO of sb3-contrib needs them.

        Returns
        -------
        ndarray of bool, shape (actions,)
            True for legal actions.
        """
        table = self._session()
        return np.zeros(self.game.actions, bool) if self._over else table.action_mask()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Shows what the learner sees.

        Returns
        -------
        None, str or ndarray of uint8, shape (480, 800, 3)
            Nothing for "human", text for "ansi", pixels for "rgb_array".

        Raises
        ------
        ResetNeeded
            If there is no session yet.
        ModuleNotFoundError
            If "rgb_array" needs Pillow and it is not installed.
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
                decides = _core.play_others(table, self.seat, clockwise, self.skip_forced)
            else:
                decides = self._ask_others(table)
            if decides:
                self._over = False
                return reward
            payoff = table.payoff
            assert payoff is not None, "a round is over where nobody must decide"
            reward += payoff.reward[self.seat]
            self._place, self._points = payoff.place[self.seat], payoff.points[self.seat]
            if not table.deal_next():
                return reward

    def _ask_others(self, table: Table) -> bool:
        """Lets the opponents decide one by one, so that Ctrl-C can stop them; true once the learner must decide."""
        while True:
            if self.skip_forced:
                table.play_forced()
            turn = table.turn
            if turn is None or turn == self.seat:
                return turn is not None
            table.play(self._opponents.clockwise[(turn - self.seat - 1) % self.seats].pick(table))

    def _told(self, table: Table, *, illegal: bool) -> tuple[Observation, dict[str, Any]]:
        """Observation and info."""
        if self._over:
            observed, legal = row(table, self.seat), np.zeros(self.game.actions, np.int8)
        else:
            observed, legal = table.observation(), mask(table)
        info = {
            "action_mask": legal,
            "seat": self.seat,
            "illegal_action": illegal,
            "place": self._place,
            "points": self._points,
        }
        return observed if self.flat else {"observation": observed, "action_mask": legal}, info

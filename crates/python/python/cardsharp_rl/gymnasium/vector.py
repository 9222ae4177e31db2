"""One seat against opponents, in many sessions side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from cardsharp_rl import Batch, BotLike, Game
from cardsharp_rl._spaces import (
    LENIENT,
    MOST_IDLE_SESSIONS,
    Illegal,
    Observation,
    check_choice,
    check_number,
    check_rules,
    find_game,
    observation_space,
    render,
    row,
)
from cardsharp_rl.gymnasium._arguments import read_actions, read_reset_mask
from cardsharp_rl.gymnasium._episodes import Episodes, SeatOption
from cardsharp_rl.gymnasium.opponents import Opponents


class SingleAgentVectorEnv(VectorEnv[Observation, NDArray[np.integer[Any]], NDArray[Any]]):
    """`SingleAgentEnv` in the lanes of a batch; `gymnasium.make_vec("cardsharp/Dalmuti-v1", ...)` makes it.

    With the same seeds it plays the same sessions as `SyncVectorEnv` over single environments, as long as opponents
    draw nothing. A bot's draws follow the order in which it is asked.

    Parameters
    ----------
    num_envs : int, default 1
        Number of lanes.
    game, opponents, seat, rules, players, skip_forced, flat, illegal, render_mode
        As in `SingleAgentEnv`; `render_mode` has no "human".
    autoreset_mode : {"NextStep", "SameStep", "Disabled"}, default "NextStep"
        When the next session of a lane starts: with the step after the last, whose action does not count; with the last
        step, which then has `final_obs` and `final_info` in its infos; or only with
        `reset(options={"reset_mask": ...})`.
    threads : int, default 1
        Number of threads; 0 is one for each core.

    Raises
    ------
    ValueError
        If an argument is out of range, or an option of the rules is refused.
    TypeError
        If an opponent is not a bot.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str | Game,
        opponents: BotLike | Sequence[BotLike] = "scripted",
        seat: SeatOption = 0,
        rules: Mapping[str, Any] | None = None,
        players: int | None = None,
        skip_forced: bool = False,
        flat: bool = False,
        illegal: Illegal = "raise",
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
    ) -> None:
        self.game = find_game(game)
        self.rules = check_rules(self.game, rules, players)
        check_choice("illegal", illegal, ("raise", "random"))
        check_choice("render_mode", render_mode, ("ansi", "rgb_array", None))
        num_envs = check_number("num_envs", num_envs, 1)
        self.flat = flat
        self.illegal: Illegal = illegal
        self.render_mode = render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.num_envs = num_envs
        self.single_observation_space = observation_space(self.game, flat)
        self.single_action_space = spaces.Discrete(self.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        # Its arrays are read before its next step, and what is returned is copied.
        self._batch = Batch(
            self.game,
            num_envs,
            rules=self.rules,
            threads=threads,
            skip_forced=skip_forced,
            copy=False,
            autoreset=False,
        )
        self.seats = self._batch.seats
        self._opponents = Opponents(opponents, self.game, self.seats)
        # By how far a seat is from the learner's; the learner itself is nobody's.
        bots = map(self._opponents.bots.index, self._opponents.clockwise)
        self._bot_of = np.array([-1, *bots])
        self._episodes = [Episodes(seat, self.seats) for _ in range(num_envs)]
        self._randoms: list[np.random.Generator | None] = [None] * num_envs
        self._seeds: list[int | None] = [None] * num_envs
        self._lane = np.arange(num_envs)
        self._seat = np.zeros(num_envs, np.int64)
        self._over = np.ones(num_envs, bool)
        # Between calls only: if an opponent raises something, nobody goes on from there.
        self._ready = False
        self._reward = np.zeros(num_envs)
        self._owed = np.zeros(num_envs)
        self._place = np.zeros(num_envs, np.int64)
        self._points = np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a session in each lane, up to the learner's first decision.

        Parameters
        ----------
        seed : int or sequence of int, optional
            Seeds of the sessions: `seed`, `seed` + 1 and so on, or one for each lane. Later sessions and the draws of
            bots follow from them. None draws the sessions.
        options : dict, optional
            `reset_mask`, bool of shape (num_envs,), has the lanes to start again. Without it all lanes start again.

        Returns
        -------
        observations : dict of ndarray, or ndarray of uint8, shape (num_envs, cells)
            The first observations; the rows alone if `flat`.
        infos : dict
            Arrays with an entry for each lane.

        Raises
        ------
        ValueError
            If the number of seeds or lanes is wrong.
        TypeError
            If `reset_mask` is no array of bool.
        ResetNeeded
            If a lane outside `reset_mask` has no session yet.
        """
        if seed is None or isinstance(seed, int | np.integer):
            seeds = [None if seed is None else int(seed) + lane for lane in range(self.num_envs)]
        else:
            seeds = [*seed]
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} seeds, expected one, or {self.num_envs}, one for each lane")
        lanes = read_reset_mask(options or {}, self.num_envs)
        if not self._ready and not lanes.all():
            raise ResetNeeded("there are no sessions yet, call reset() for all lanes first")
        self._ready = False
        for lane in np.flatnonzero(lanes).tolist():
            if seeds[lane] is not None or self._randoms[lane] is None:
                self._randoms[lane], self._seeds[lane] = seeding.np_random(seeds[lane])
        if seeds[0] is not None and lanes.all():
            self._opponents.begin_anew(seeds[0])
        self._begin(lanes, seeds)
        self._ready = True
        rows, legal = self._seen()
        return self._observation(rows, legal), self._infos(legal, lanes, np.zeros(self.num_envs, bool))

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[Observation, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Plays an action of the learner in each lane, up to its next decision.

        Parameters
        ----------
        actions : ndarray of int, shape (num_envs,)
            Legal actions. Entries of lanes whose session is over do not count.

        Returns
        -------
        observations : dict of ndarray, or ndarray of uint8, shape (num_envs, cells)
            `observation`, uint8 of shape (num_envs, cells), and `action_mask`, int8 of shape (num_envs, actions); the
            rows alone if `flat`.
        rewards : ndarray of float64, shape (num_envs,)
            The learner's rewards in the rounds that ended.
        terminations : ndarray of bool, shape (num_envs,)
            Whether sessions are over.
        truncations : ndarray of bool, shape (num_envs,)
            Always False.
        infos : dict
            Arrays with an entry for each lane.

        Raises
        ------
        TypeError
            If the actions are no integers.
        ValueError
            If their number is wrong, there is no such action, or one is illegal while `illegal` is "raise". Nothing is
            played then.
        ResetNeeded
            If there are no sessions yet, or one is over and `autoreset_mode` is "Disabled".
        """
        if not self._ready:
            raise ResetNeeded("there are no sessions yet, call reset() first")
        fresh = self._over.copy()
        if self.autoreset_mode is AutoresetMode.DISABLED and fresh.any():
            lanes = np.flatnonzero(fresh).tolist()
            raise ResetNeeded(
                f"the sessions of lanes {lanes} are over, call reset(options={{'reset_mask': ...}}) first"
            )
        playing = ~fresh
        picks = read_actions(actions, playing, self.game.actions)
        drawn = self._redraw(picks, playing)
        self._ready = False
        self._reward = np.where(playing, self._owed, 0.0)
        self._place.fill(0)
        self._points.fill(0)
        if playing.any():
            self._batch.step(picks, playing)
            self._owed[playing] = 0.0
            self._go_on(playing)
        if fresh.any():
            self._begin(fresh)
        over = self._over.copy()
        rewards = self._reward.copy()
        infos: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and over.any():
            infos = self._final(over, drawn)
            self._begin(over)
            drawn[over] = False
        self._ready = True
        rows, legal = self._seen()
        infos.update(self._infos(legal, np.ones(self.num_envs, bool), drawn))
        return self._observation(rows, legal), rewards, over, np.zeros(self.num_envs, bool), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions of the learner.

        Returns
        -------
        ndarray of bool, shape (num_envs, actions)
            True for legal actions; all False where the session is over.

        Raises
        ------
        ResetNeeded
            If there are no sessions yet.
        """
        if not self._ready:
            raise ResetNeeded("there are no sessions yet, call reset() first")
        return self._batch.now.action_mask & ~self._over[:, None]

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """An attribute for each lane, or what `action_masks` or `render` return for each, as `SyncVectorEnv.call`.

        Raises
        ------
        AttributeError
            There is no such attribute.
        """
        if name == "seat":
            return tuple(self._seat.tolist())
        if name in ("action_masks", "render"):
            method: Callable[..., Iterable[Any] | None] = getattr(self, name)
            each = method(*args, **kwargs)
            return (None,) * self.num_envs if each is None else tuple(each)
        return (getattr(self, name),) * self.num_envs

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute for each lane: `seat` differs, all others are the same in all lanes.

        Raises
        ------
        AttributeError
            There is no such attribute.
        """
        return self.call(name)

    def render(self) -> tuple[Any, ...] | None:
        """What the learner sees in each lane, as text ("ansi") or as uint8 [480, 800, 3] ("rgb_array").

        Raises
        ------
        ResetNeeded
            There are no sessions yet.
        ModuleNotFoundError
            Pillow is not installed ("rgb_array").
        """
        if not self._ready:
            raise ResetNeeded("there are no sessions yet, call reset() first")
        if self.render_mode is None:
            return None
        tables = (self._batch.table(lane) for lane in range(self.num_envs))
        seats = map(int, self._seat)
        return tuple(render(table, seat, self.render_mode) for table, seat in zip(tables, seats, strict=True))

    @property  # type: ignore[misc]
    def np_random(self) -> tuple[np.random.Generator | None, ...]:  # type: ignore[override]
        """The generator of each lane, which draws its sessions; None before the first reset."""
        return tuple(self._randoms)

    @property
    def np_random_seed(self) -> tuple[int | None, ...]:  # type: ignore[override]
        """The seed of each lane's generator; None before the first reset."""
        return tuple(self._seeds)

    def _redraw(self, picks: NDArray[np.int64], playing: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Draws a legal action for every illegal one among `picks`, or refuses it; in which lanes."""
        legal = self._batch.now.action_mask
        wrong = playing & ~legal[self._lane, picks]
        for lane in np.flatnonzero(wrong).tolist():
            right = np.flatnonzero(legal[lane])
            if self.illegal == "raise":
                raise ValueError(
                    f"actions: {picks[lane]} is illegal in lane {lane}, expected one of {right.tolist()}; {LENIENT}"
                )
            picks[lane] = self._random(lane).choice(right)
        return wrong

    def _random(self, lane: int) -> np.random.Generator:
        random = self._randoms[lane]
        assert random is not None, "lanes have generators from their first reset on"
        return random

    def _begin(self, lanes: NDArray[np.bool_], seeds: Sequence[int | None] | None = None) -> None:
        """Begins a session in these lanes, and another one where the learner is asked nothing in it."""
        waiting = lanes.copy()
        for _ in range(MOST_IDLE_SESSIONS):
            sessions = np.zeros(self.num_envs, np.uint64)
            for lane in np.flatnonzero(waiting).tolist():
                seed = None if seeds is None else seeds[lane]
                sessions[lane], self._seat[lane] = self._episodes[lane].next(self._random(lane), seed)
            self._reward[waiting] = self._place[waiting] = self._points[waiting] = 0
            self._over[waiting] = False
            self._batch.reset(sessions, waiting)
            self._go_on(waiting)
            waiting &= self._over
            if not waiting.any():
                self._owed[lanes] = self._reward[lanes]
                self._reward[lanes] = 0.0
                return
            seeds = None
        raise ValueError(f"seat: in {MOST_IDLE_SESSIONS} sessions by these rules the learner was asked nothing")

    def _go_on(self, lanes: NDArray[np.bool_]) -> None:
        """Plays on in these lanes until the learner must decide, or the session is over."""
        self._settle(lanes)
        while True:
            now = self._batch.now
            others = lanes & ~self._over & (now.seat != self._seat)
            if not others.any():
                return
            distance = (now.seat - self._seat) % self.seats
            picks = np.zeros(self.num_envs, np.int64)
            for number, bot in enumerate(self._opponents.bots):
                asked = others & (self._bot_of[distance] == number)
                if asked.any():
                    picks[asked] = bot.act(self._batch, asked)[asked]
            self._batch.step(picks, others)
            self._settle(others)

    def _settle(self, moved: NDArray[np.bool_]) -> None:
        """Notes what rounds that ended in these lanes with the last step were worth to the learner."""
        now = self._batch.now
        lanes = np.flatnonzero(moved & now.round_over)
        if len(lanes) == 0:
            return
        own = (lanes, self._seat[lanes])
        self._reward[lanes] += now.reward[own]
        self._place[lanes] = now.place[own]
        self._points[lanes] = now.points[own]
        self._over[lanes] = now.done[lanes]

    def _observation(self, rows: NDArray[np.uint8], legal: NDArray[np.int8]) -> Observation:
        """What is returned as the observation."""
        return rows if self.flat else {"observation": rows, "action_mask": legal}

    def _seen(self) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Rows and masks of the learner in each lane: new arrays."""
        now = self._batch.now
        rows, legal = now.observations.copy(), now.action_mask.astype(np.int8)
        for lane in np.flatnonzero(self._over).tolist():
            rows[lane] = row(self._batch.table(lane), int(self._seat[lane]))
            legal[lane] = 0
        return rows, legal

    def _infos(self, legal: NDArray[np.int8], lanes: NDArray[np.bool_], drawn: NDArray[np.bool_]) -> dict[str, Any]:
        """The infos of these lanes; 0 and False in the others."""
        infos: dict[str, Any] = {
            "action_mask": legal if lanes.all() else legal * lanes[:, None],
            "seat": self._seat * lanes,
            "illegal_action": drawn & lanes,
            "place": self._place * lanes,
            "points": self._points * lanes,
        }
        return infos | {f"_{key}": lanes.copy() for key in infos}

    def _final(self, over: NDArray[np.bool_], drawn: NDArray[np.bool_]) -> dict[str, Any]:
        """What is returned of sessions that are over besides the beginning of the next."""
        rows, legal = self._seen()
        final = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(over).tolist():
            final[lane] = self._observation(rows[lane], legal[lane])
        return {
            "final_obs": final,
            "_final_obs": over.copy(),
            "final_info": self._infos(legal, over, drawn),
            "_final_info": over.copy(),
        }

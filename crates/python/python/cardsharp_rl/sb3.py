"""Stable-Baselines3 over a batch: one `VecEnv` whose lanes share a `cardsharp_rl.Batch`.

MaskablePPO of sb3-contrib learns in it with masks:

    from sb3_contrib import MaskablePPO
    from cardsharp_rl.sb3 import BatchVecEnv

    envs = BatchVecEnv("dalmuti", 64, opponents="scripted", players=5)
    MaskablePPO("MlpPolicy", envs, gamma=1.0, n_steps=64).learn(100_000)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv  # pyright: ignore[reportMissingImports]

from cardsharp_rl import Game
from cardsharp_rl._spaces import Observation, maxima
from cardsharp_rl.gymnasium.vector import SingleAgentVectorEnv

__all__ = ["BatchVecEnv"]

#: The lanes that a method of SB3 means: None for all.
Indices = int | Iterable[int] | None


class BatchVecEnv(VecEnv):  # type: ignore[misc]
    """A `VecEnv` of Stable-Baselines3 over one batch: one seat against opponents in many lanes.

    When a session ends, the same step starts the next one. The info of that lane then has `terminal_observation`,
    `place` and `points`.

    Parameters
    ----------
    game : str or Game
        The game or its name.
    num_envs : int
        Number of lanes.
    **options
        `opponents`, `seat`, `rules`, `players`, `skip_forced`, `illegal` and `threads` of
        `cardsharp_rl.gymnasium.SingleAgentVectorEnv`.

    Raises
    ------
    ValueError, TypeError
        As `SingleAgentVectorEnv`.
    """

    def __init__(self, game: str | Game, num_envs: int, **options: Any) -> None:
        self.envs = SingleAgentVectorEnv(
            num_envs, game=game, flat=True, autoreset_mode=AutoresetMode.SAME_STEP, **options
        )
        self._scale = np.float32(1) / maxima(self.envs.game).astype(np.float32)
        space = spaces.Box(0, 1, self._scale.shape, np.float32)
        super().__init__(num_envs, space, self.envs.single_action_space)
        self._actions = np.zeros(num_envs, np.int64)

    def reset(self) -> NDArray[np.float32]:
        """Starts a session in each lane, with the seeds of `seed()` if it was called.

        Returns
        -------
        ndarray of float32, shape (num_envs, cells)
            The rows, each cell divided by its maximum.
        """
        observation, _ = self.envs.reset(seed=self._seeds)
        self._reset_seeds()
        self._reset_options()
        return self._scaled(observation)

    def step_async(self, actions: NDArray[np.integer[Any]]) -> None:
        """Takes the actions for the next `step_wait()`.

        Parameters
        ----------
        actions : ndarray of int, shape (num_envs,)
            A legal action in each lane.
        """
        self._actions = np.asarray(actions)

    def step_wait(
        self,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays the actions.

        Returns
        -------
        observations : ndarray of float32, shape (num_envs, cells)
            The rows, each cell divided by its maximum.
        rewards : ndarray of float32, shape (num_envs,)
            Rewards of the learner.
        dones : ndarray of bool, shape (num_envs,)
            Whether a session ended.
        infos : list of dict
            One for each lane.
        """
        observation, rewards, over, _, step_infos = self.envs.step(self._actions)
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(over).tolist():
            final = step_infos["final_info"]
            infos[lane]["terminal_observation"] = self._scaled(step_infos["final_obs"][lane])
            infos[lane].update(place=int(final["place"][lane]), points=int(final["points"][lane]))
        return self._scaled(observation), rewards.astype(np.float32), over, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the legal actions of the learner, as MaskablePPO needs them.

        Returns
        -------
        ndarray of bool, shape (num_envs, actions)
            True for legal actions.
        """
        return self.envs.action_masks()

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """An attribute of each of the lanes, as of a `cardsharp_rl.gymnasium.SingleAgentEnv`.

        Raises
        ------
        AttributeError
            `SingleAgentEnv` has no such attribute.
        """
        return self._of(self.envs.get_attr(attr_name), indices)

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:
        """What a method of each of the lanes returns, as of a `SingleAgentEnv`.

        Raises
        ------
        AttributeError
            `SingleAgentEnv` has no such method.
        """
        return self._of(self.envs.call(method_name, *args, **kwargs), indices)

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:
        """Raises AttributeError: lanes share their batch and its settings."""
        raise AttributeError(f"{attr_name}: the lanes of a batch share their settings; make another BatchVecEnv")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """False for each of the lanes: they have no wrappers."""
        return [False] * len(self._of(range(self.num_envs), indices))

    def _of(self, values: Sequence[Any], indices: Indices) -> list[Any]:
        return [values[lane] for lane in self._get_indices(indices)]

    def _scaled(self, observation: Observation) -> NDArray[np.float32]:
        scaled: NDArray[np.float32] = np.multiply(np.asarray(observation), self._scale, dtype=np.float32)
        return scaled

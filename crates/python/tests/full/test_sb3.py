"""The VecEnv over a batch: against single environments, by Stable-Baselines3's own checks, and in learning."""

import cardsharp_rl.gymnasium
import numpy as np
import pytest
from cardsharp_rl.sb3 import BatchVecEnv
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

OPTIONS = {"opponents": "scripted", "rules": {"players": 4, "hands": 1}}
LANES = 6


class Row(cardsharp_rl.gymnasium.SingleAgentEnv):
    """A single environment of which SB3 gets the row."""

    def __init__(self):
        super().__init__("dalmuti", **OPTIONS)
        self.observation_space = self.observation_space["observation"]

    def reset(self, **given):
        observation, info = super().reset(**given)
        return observation["observation"], info

    def step(self, action):
        observation, *rest = super().step(action)
        return observation["observation"], *rest


def test_lanes_play_what_environments_of_sb3_play():
    envs, singles = BatchVecEnv("dalmuti", LANES, **OPTIONS), DummyVecEnv([Row] * LANES)
    maxima = singles.observation_space.high.astype(np.float32)
    for each in (envs, singles):
        each.seed(5)
    seen, expected = envs.reset(), singles.reset()
    assert is_masking_supported(envs)
    ended = 0
    for _ in range(200):
        assert seen.dtype == np.float32 and np.allclose(seen, expected / maxima)
        masks = envs.action_masks()
        assert np.array_equal(get_action_masks(envs), masks) and np.array_equal(get_action_masks(singles), masks)
        actions = masks.argmax(1)
        seen, rewards, dones, infos = envs.step(actions)
        expected, *others, step_infos = singles.step(actions)
        assert np.array_equal(rewards, others[0]) and np.array_equal(dones, others[1])
        for lane in np.flatnonzero(dones):
            ended += 1
            assert np.allclose(infos[lane]["terminal_observation"], step_infos[lane]["terminal_observation"] / maxima)
            assert (infos[lane]["place"], infos[lane]["points"]) == (
                step_infos[lane]["place"],
                step_infos[lane]["points"],
            )
    assert ended > LANES


def test_attributes_are_those_of_single_environments():
    envs = BatchVecEnv("dalmuti", LANES, **OPTIONS)
    envs.reset()
    assert envs.get_attr("seats", [1, 2]) == [4, 4] and envs.env_is_wrapped(VecMonitor, 0) == [False]
    with pytest.raises(AttributeError, match="share their settings"):
        envs.set_attr("seat", 1)
    assert not envs.has_attr("nothing")


def test_maskable_ppo_learns_from_a_batch():
    envs = VecMonitor(BatchVecEnv("dalmuti", 32, skip_forced=True, **OPTIONS))
    model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=256, n_epochs=1, gamma=1.0, device="cpu", seed=1)
    model.learn(4096)
    assert model.num_timesteps == 4096 and len(model.ep_info_buffer) > 20

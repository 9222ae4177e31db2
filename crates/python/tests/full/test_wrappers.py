"""Tools that wrap environments: Stable-Baselines3, TorchRL, SuperSuit and the wrappers of Gymnasium."""

import os

import cardsharp_rl.gymnasium
import gymnasium
import numpy as np
import pytest
from cardsharp_rl.pettingzoo import dalmuti_v1, kuhn_v0, taki_v1

NAME = "cardsharp/Dalmuti-v1"
#: The environments of all games.
NAMES = [f"cardsharp/{game.name.capitalize()}-v{game.encoding - 1}" for game in cardsharp_rl.games(reference=True)]
ONE_HAND = {"players": 5, "rules": {"hands": 1}}


@pytest.fixture(autouse=True, scope="module")
def without_a_screen():
    os.environ["SDL_VIDEODRIVER"] = "dummy"


@pytest.mark.parametrize("name", NAMES)
def test_stable_baselines_makes_vectors_of_every_game(name):
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(name, n_envs=2, seed=1)
    envs.reset()
    for _ in range(20):
        envs.step([int(mask.argmax()) for mask in envs.env_method("action_masks")])
    assert envs.render().shape[-1] == 3
    envs.close()


def test_stable_baselines_makes_and_trains_vectors():
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.utils import get_action_masks
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_checker import check_env
    from stable_baselines3.common.env_util import make_vec_env

    check_env(gymnasium.make(NAME, illegal="random", **ONE_HAND).unwrapped)
    flat = make_vec_env(NAME, n_envs=2, seed=1, env_kwargs={"flat": True, **ONE_HAND})
    assert flat.reset().shape == (2, cardsharp_rl.game("dalmuti").cells)
    model = MaskablePPO("MlpPolicy", flat, n_steps=64, batch_size=64, seed=1).learn(256)
    action, _ = model.predict(flat.reset(), action_masks=get_action_masks(flat))
    flat.step(action)
    mixed = make_vec_env(NAME, n_envs=2, seed=1, env_kwargs=ONE_HAND)
    MaskablePPO("MultiInputPolicy", mixed, n_steps=64, batch_size=64, seed=1).learn(128)
    unmasked = make_vec_env(NAME, n_envs=2, env_kwargs={"flat": True, "illegal": "random", **ONE_HAND})
    PPO("MlpPolicy", unmasked, n_steps=64, batch_size=64).learn(128)


def test_videos_and_windows_show_the_table(tmp_path):
    from gymnasium.wrappers import HumanRendering, RecordVideo

    def play(env):
        _, info = env.reset(seed=1)
        over = False
        while not over:
            _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        env.close()

    play(RecordVideo(gymnasium.make(NAME, render_mode="rgb_array", **ONE_HAND), tmp_path))
    assert [file.suffix for file in tmp_path.iterdir()].count(".mp4") == 1
    play(HumanRendering(gymnasium.make(NAME, render_mode="rgb_array", **ONE_HAND)))


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("module", [kuhn_v0, taki_v1, dalmuti_v1])
def test_torchrl_rolls_out_all_seats(module, flat):
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    env = PettingZooWrapper(module.parallel_env(flat=flat), use_mask=False, seed=1)
    rollout = env.rollout(50)
    group = next(iter(env.group_map))
    assert rollout[group, "action_mask"].any(-1).all()
    assert rollout["next", group, "reward"].isfinite().all()


def test_supersuit_wraps_flat_environments():
    import supersuit

    env = supersuit.frame_stack_v1(supersuit.flatten_v0(dalmuti_v1.env(flat=True)), 3)
    env.reset(seed=1)
    cells = cardsharp_rl.game("dalmuti").cells
    for _ in range(20):
        observation, *_, info = env.last()
        assert observation.shape in ((cells, 3), (cells * 3,))
        env.step(int(np.flatnonzero(info["action_mask"])[0]))

#!/usr/bin/env python3
"""MaskablePPO of sb3-contrib against the scripted player, and its policy as a bundle.

    # Five at a table, 1 million decisions of the learner; then seconds, to see it run.
    python3 examples/python/maskable_ppo.py
    python3 examples/python/maskable_ppo.py --steps 4096 --envs 4 --deals 20

Needs sb3-contrib, which brings torch and stable-baselines3. The masks come from the environment's
`action_masks()`; nothing else is special about it.
"""

import argparse

import cardsharp_rl
import cardsharp_rl.gymnasium  # Registers the environments.
import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn


class Rows(gymnasium.ObservationWrapper):
    """The row alone, every cell divided by its maximum: the mask comes to the learner by `action_masks()`."""

    def __init__(self, env):
        super().__init__(env)
        row = env.observation_space["observation"]
        self._maxima = row.high.astype(np.float32)
        self.observation_space = gymnasium.spaces.Box(0, 1, row.shape, np.float32)

    def observation(self, observation):
        return observation["observation"] / self._maxima


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=5)
    parser.add_argument("--opponents", default="scripted")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions of the learner")
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--to", default="runs/maskable_ppo", help="the folder of the bundle")
    parser.add_argument(
        "--deals", type=int, default=300, help="deals against the scripted player at the end; 0 for none"
    )
    given = parser.parse_args()
    torch.set_num_threads(given.threads)

    rules = {"players": given.players, "hands": 1}
    envs = DummyVecEnv(
        [
            lambda: Rows(
                gymnasium.make("cardsharp/Dalmuti-v1", opponents=given.opponents, rules=rules, skip_forced=True)
            )
            for _ in range(given.envs)
        ]
    )
    model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=max(2048 // given.envs, 32),
        batch_size=512,
        n_epochs=4,
        # Rewards come at the end of a hand, at most about twenty decisions later.
        gamma=1.0,
        ent_coef=0.01,
        learning_rate=lambda left: 5e-4 * left,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": nn.ReLU},
        seed=given.seed,
        device="cpu",
        verbose=1,
    )
    model.learn(given.steps)

    # The policy and the value have separate networks. A bundle stores them as one.
    policy = model.policy
    bundle = cardsharp_rl.export_mlp(
        "dalmuti",
        nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net),
        given.to,
        value=nn.Sequential(policy.mlp_extractor.value_net, policy.value_net),
        rules=rules,
        training={
            "by": "maskable_ppo.py",
            "decisions": model.num_timesteps,
            "against": given.opponents,
            "seed": given.seed,
        },
    )
    print(f"Wrote {bundle}.")
    if given.deals:
        bots = {"learned": str(bundle), "scripted": "scripted"}
        print(cardsharp_rl.arena("dalmuti", bots, rules=rules, num_deals=given.deals, seed=given.seed))


if __name__ == "__main__":
    main()

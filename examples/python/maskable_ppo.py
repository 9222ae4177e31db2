#!/usr/bin/env python3
"""MaskablePPO of sb3-contrib by self-play: one policy plays all seats, and learns from a seat that rotates.

    python3 examples/python/maskable_ppo.py
    python3 examples/python/maskable_ppo.py --opponents scripted    # learn against a fixed bot instead
    python3 examples/python/maskable_ppo.py --steps 4096 --envs 16 --deals 20    # seconds, to see it run

The environment asks `Itself` for the actions of all other seats, many lanes in one call. Needs sb3-contrib, which
brings torch and stable-baselines3.
"""

import argparse
import json

import cardsharp_rl
import numpy as np
import torch
from cardsharp_rl.sb3 import BatchVecEnv
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn


class Itself:
    """The policy of a model as an opponent. The model is set after the environment was made."""

    def __init__(self, game):
        self.maxima = np.repeat([block.max for block in game.observation], [block.len for block in game.observation])
        self.model = None

    def act(self, observations, action_mask):
        rows = (observations / self.maxima).astype(np.float32)
        return self.model.predict(rows, action_masks=action_mask)[0]


class LessEntropy(BaseCallback):
    """Lowers the weight of the entropy to 0, so that the policy explores first and decides later."""

    def __init__(self, weight):
        super().__init__()
        self.weight = weight

    def _on_rollout_start(self):
        self.model.ent_coef = self.weight * self.model._current_progress_remaining

    def _on_step(self):
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="kuhn")
    parser.add_argument("--rules", type=json.loads, default={"hands": 1}, help="options of the game as JSON")
    parser.add_argument("--opponents", default="itself", help="`itself`, or any bot")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions of the learner")
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", default="runs/maskable_ppo", help="the folder of the bundle")
    parser.add_argument("--deals", type=int, default=20_000, help="deals against `scripted` at the end")
    settings = parser.parse_args()
    torch.set_num_threads(1)

    game = cardsharp_rl.game(settings.game)
    itself = Itself(game)
    opponents = itself if settings.opponents == "itself" else settings.opponents
    envs = BatchVecEnv(
        game, settings.envs, opponents=opponents, seat="rotating", rules=settings.rules, skip_forced=True
    )
    model = itself.model = MaskablePPO(
        "MlpPolicy",
        envs,
        n_steps=max(8192 // settings.envs, 16),
        batch_size=1024,
        n_epochs=4,
        gamma=1.0,
        learning_rate=lambda left: 5e-4 * left,
        policy_kwargs={"net_arch": [128, 128], "activation_fn": nn.ReLU},
        seed=settings.seed,
        device="cpu",
        verbose=1,
    )
    model.learn(settings.steps, callback=LessEntropy(0.02))

    # The policy and the value have separate networks. A bundle stores them as one.
    policy = model.policy
    bundle = cardsharp_rl.export_mlp(
        game,
        nn.Sequential(policy.mlp_extractor.policy_net, policy.action_net),
        settings.to,
        value=nn.Sequential(policy.mlp_extractor.value_net, policy.value_net),
        rules=settings.rules,
    )
    print(f"Wrote {bundle}.")
    bots = {"learned": str(bundle), "scripted": "scripted"}
    report = cardsharp_rl.arena(game, bots, rules=settings.rules, num_deals=settings.deals, seed=settings.seed)
    print(report, f"points a round, less those of `scripted`: {report['learned'].points_ahead}", sep="\n")


if __name__ == "__main__":
    main()

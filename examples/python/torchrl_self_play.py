#!/usr/bin/env python3
"""PPO of TorchRL by self-play: one policy plays every seat of a parallel environment of PettingZoo.

    python3 examples/python/torchrl_self_play.py
    python3 examples/python/torchrl_self_play.py --frames 2048 --envs 4 --deals 20    # seconds, to see it run

In each frame one seat moves. Its info has `active`. The mask of all other seats is 1 everywhere and their actions do
not count, so the loss takes only active rows. Needs torchrl and pettingzoo.
"""

import argparse
import importlib
import warnings

import cardsharp_rl
import numpy as np
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper, SerialEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE


class Scaled(nn.Module):
    """A network that reads rows uint8 [..., cells], each cell divided by its maximum."""

    def __init__(self, game, outputs, hidden=128):
        super().__init__()
        maxima = np.repeat([block.max for block in game.observation], [block.len for block in game.observation])
        self.register_buffer("scale", torch.from_numpy(1 / maxima).float())
        self.layers = nn.Sequential(
            nn.Linear(game.cells, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, outputs)
        )

    def forward(self, rows):
        return self.layers(rows.float() * self.scale)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc_v0", help="a module of cardsharp_rl.pettingzoo")
    parser.add_argument("--frames", type=int, default=200_000, help="decisions of all seats together")
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", default="runs/torchrl_self_play", help="the folder of the bundle")
    parser.add_argument("--deals", type=int, default=20_000, help="deals against `scripted` at the end")
    settings = parser.parse_args()
    torch.manual_seed(settings.seed)
    torch.set_num_threads(1)
    warnings.filterwarnings("ignore", category=UserWarning)  # TorchRL was tested with an older PettingZoo.

    module = importlib.import_module(f"cardsharp_rl.pettingzoo.{settings.game}")
    game = cardsharp_rl.game(settings.game.rsplit("_", 1)[0])
    envs = SerialEnv(settings.envs, lambda: PettingZooWrapper(module.parallel_env(flat=True), use_mask=False))
    envs.set_seed(settings.seed)
    actor, critic = Scaled(game, game.actions), Scaled(game, 1)
    policy = ProbabilisticActor(
        TensorDictModule(actor, in_keys=[("seat", "observation")], out_keys=[("seat", "logits")]),
        in_keys={"logits": ("seat", "logits"), "mask": ("seat", "action_mask")},
        out_keys=[("seat", "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=("seat", "log_prob"),
    )
    value = TensorDictModule(critic, in_keys=[("seat", "observation")], out_keys=[("seat", "state_value")])
    loss = ClipPPOLoss(policy, value, clip_epsilon=0.2, entropy_coeff=0.1, critic_coeff=0.5, normalize_advantage=True)
    keys = {name: ("seat", name) for name in ("advantage", "value_target", "reward", "done", "terminated")}
    keys["value"] = ("seat", "state_value")
    loss.set_keys(action=("seat", "action"), sample_log_prob=("seat", "log_prob"), **keys)
    # With lambda = 1 the advantages of active rows do not depend on values of other rows.
    gae = GAE(gamma=1.0, lmbda=1.0, value_network=value)
    gae.set_keys(**keys)
    optimizer = torch.optim.Adam(loss.parameters(), 1e-3)

    per_batch = settings.envs * 64
    collector = Collector(
        envs,
        policy,
        frames_per_batch=per_batch,
        total_frames=settings.frames,
        auto_register_policy_transforms=True,
    )
    frames = 0
    for data in collector:
        optimizer.param_groups[0]["lr"] = 1e-3 * (1 - frames / settings.frames)
        with torch.no_grad():
            gae(data)
        active = data["seat", "info", "active"].bool()
        rows = TensorDict({"seat": data["seat"][active]}, batch_size=[int(active.sum())])
        for _ in range(4):
            for part in torch.randperm(len(rows)).split(256):
                losses = loss(rows[part])
                optimizer.zero_grad()
                (losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        frames += data.numel()
        print(
            f"frames {frames}  entropy {losses['entropy'].item():.4f}  kl {losses['kl_approx'].item():.4f}", flush=True
        )
    collector.shutdown()

    bundle = cardsharp_rl.export_mlp(game, actor.layers, settings.to, value=critic.layers)
    print(f"Wrote {bundle}.")
    bots = {"learned": str(bundle), "scripted": "scripted"}
    report = cardsharp_rl.arena(game, bots, num_deals=settings.deals, seed=settings.seed)
    print(report, f"points a round, less those of `scripted`: {report['learned'].points_ahead}", sep="\n")


if __name__ == "__main__":
    main()

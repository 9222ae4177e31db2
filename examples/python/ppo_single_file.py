#!/usr/bin/env python3
"""PPO by self-play in one file: one policy plays all seats of many tables, and learns from all of them.

    python3 examples/python/ppo_single_file.py
    python3 examples/python/ppo_single_file.py --game taki --rules '{"players": 2}'
    python3 examples/python/ppo_single_file.py --decisions 20000 --lanes 32 --deals 20    # seconds, to see it run

After a decision of one seat, the next row of a lane belongs to another seat. So `advantages` credits each decision
with the rewards until the next decision of the *same seat*. Needs torch.
"""

import argparse
import json
import time

import cardsharp_rl
import numpy as np
import torch
from torch import nn
from torch.nn import functional


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="leduc")
    parser.add_argument("--rules", type=json.loads, default={}, help="options of the game as JSON")
    parser.add_argument("--decisions", type=int, default=2_000_000)
    parser.add_argument("--lanes", type=int, default=256, help="sessions side by side")
    parser.add_argument("--steps", type=int, default=64, help="decisions of each lane between two updates")
    parser.add_argument("--hidden", type=int, nargs="+", default=[128, 128])
    parser.add_argument("--entropy", type=float, default=0.02, help="weight of the entropy; falls to 0")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--to", default="runs/ppo_single_file", help="the folder of the bundle")
    parser.add_argument("--deals", type=int, default=20_000, help="deals against `scripted` at the end")
    return parser.parse_args()


class Policy(nn.Module):
    """A trunk and two heads, as in a bundle."""

    def __init__(self, game, hidden):
        super().__init__()
        blocks = game.observation
        maxima = np.repeat([float(block.max) for block in blocks], [block.len for block in blocks])
        self.register_buffer("scale", torch.from_numpy(1 / maxima).float())
        sizes = [game.cells, *hidden]
        layers = [layer for size in zip(sizes, sizes[1:]) for layer in (nn.Linear(*size), nn.ReLU())]
        self.trunk = nn.Sequential(*layers)
        self.actor, self.critic = nn.Linear(hidden[-1], game.actions), nn.Linear(hidden[-1], 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)  # All actions have the same probability at first.

    def forward(self, rows, mask):
        """Log probabilities [n, actions] and values [n] of rows uint8 [n, cells] with masks [n, actions]."""
        features = self.trunk(rows.float() * self.scale)
        logits = self.actor(features).masked_fill(~mask, -1e9)
        return functional.log_softmax(logits, 1), self.critic(features).squeeze(1)


@torch.no_grad()
def play(batch, policy, steps, random):
    """Plays `steps` decisions in every lane. Returns arrays [steps, lanes, ...]."""
    columns = {name: [] for name in ("rows", "mask", "seat", "action", "log", "value", "reward", "round_over")}
    step = batch.now
    for _ in range(steps):
        logs, values = policy(torch.from_numpy(step.observations), torch.from_numpy(step.action_mask))
        actions = cardsharp_rl.sample_logits(logs.numpy(), step.action_mask, random).astype(np.int64)
        chosen = np.take_along_axis(logs.numpy(), actions[:, None], 1)[:, 0]
        before, step = step, batch.step(actions)
        now = before.observations, before.action_mask, before.seat, actions, chosen, values.numpy()
        for column, value in zip(columns.values(), (*now, step.reward, step.round_over)):
            column.append(value)
    return {name: np.stack(column) for name, column in columns.items()}


def advantages(played, gae_lambda):
    """GAE along each seat's own decisions, without discount: advantages [steps, lanes], and which of them are known.

    A seat's last decision before the end of the rollout is not known if its round continues.
    """
    seats, values, rewards = played["seat"], played["value"], played["reward"]
    lanes = np.arange(seats.shape[1])
    result, usable = np.zeros_like(values), np.zeros(values.shape, bool)
    # Of each lane and seat: value and advantage of its next decision in this round, the rewards until then, and
    # whether all of them are in the rollout.
    value, advantage, paid = (np.zeros(rewards.shape[1:], np.float32) for _ in range(3))
    known = np.zeros(rewards.shape[1:], bool)
    for step in reversed(range(len(seats))):
        over, at = played["round_over"][step], (lanes, seats[step])
        value[over], advantage[over], paid[over], known[over] = 0, 0, rewards[step][over], True
        usable[step] = known[at]
        change = paid[at] + value[at] - values[step]
        result[step] = np.where(usable[step], change + gae_lambda * advantage[at], 0)
        value[at], advantage[at], paid[at], known[at] = values[step], result[step], 0, True
    return result, usable


def learn(policy, optimizer, played, entropy_weight):
    """Updates the policy on a rollout, with three passes. Returns metrics."""
    advantage, usable = advantages(played, gae_lambda=0.95)
    names = ("rows", "mask", "action", "log", "value")
    rows, mask, action, log, value = (torch.from_numpy(played[name][usable]) for name in names)
    advantage = torch.from_numpy(advantage[usable])
    returns = advantage + value
    explained = 1 - advantage.var() / returns.var()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(3):
        for part in torch.randperm(len(returns)).split(2048):
            logs, values = policy(rows[part], mask[part])
            change = logs.gather(1, action[part, None]).squeeze(1) - log[part]
            ratio = change.exp()
            gain = torch.min(ratio * advantage[part], ratio.clamp(0.8, 1.2) * advantage[part]).mean()
            # Forced decisions have no entropy.
            entropy = -(logs.exp() * logs).sum(1)[mask[part].sum(1) > 1].mean()
            loss = -gain + 0.5 * functional.mse_loss(values, returns[part]) - entropy_weight * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
    return {"entropy": entropy.item(), "kl": (ratio - 1 - change).mean().item(), "explained": explained.item()}


def main():
    settings = parse_arguments()
    torch.set_num_threads(1)
    torch.manual_seed(settings.seed)
    random = np.random.default_rng(settings.seed)
    game = cardsharp_rl.game(settings.game)
    batch = cardsharp_rl.Batch(game, settings.lanes, rules=settings.rules, seed=settings.seed)
    policy = Policy(game, settings.hidden)
    optimizer = torch.optim.Adam(policy.parameters(), 1e-3, eps=1e-5)
    per_update = settings.lanes * settings.steps
    updates = max(settings.decisions // per_update, 1)
    begun = time.monotonic()
    for update in range(updates):
        left = 1 - update / updates
        optimizer.param_groups[0]["lr"] = 1e-3 * left
        metrics = learn(policy, optimizer, play(batch, policy, settings.steps, random), settings.entropy * left)
        figures = "  ".join(f"{name} {value:.4f}" for name, value in metrics.items())
        seconds = round(time.monotonic() - begun)
        print(f"decisions {(update + 1) * per_update}  seconds {seconds}  {figures}", flush=True)
    network = nn.Sequential(policy.trunk, policy.actor)
    bundle = cardsharp_rl.export_mlp(game, network, settings.to, value=policy.critic, rules=settings.rules)
    print(f"Wrote {bundle}.")
    bots = {"learned": str(bundle), "scripted": "scripted"}
    report = cardsharp_rl.arena(game, bots, rules=settings.rules, num_deals=settings.deals, seed=settings.seed)
    print(report, f"points a round, less those of `scripted`: {report['learned'].points_ahead}", sep="\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""PPO by self-play in one file: a policy that plays all seats of many tables at once, and learns from every seat.

    # The Great Dalmuti, 3 million decisions; another game; seconds, to see it run.
    python3 examples/python/ppo_single_file.py
    python3 examples/python/ppo_single_file.py --game taki --rules players=2 --decisions 1000000
    python3 examples/python/ppo_single_file.py --decisions 20000 --lanes 32 --steps 64 --deals 20

What comes out is a bundle that every command and `cardsharp_rl.bot` take by its path. Needs torch.

Whose next decision counts? After a decision of one seat the lane's next row belongs to another one. So every
decision is linked to the *same seat's* next one: `advantages` walks back through a rollout and keeps for each
lane and seat what came after. Rewards arrive with the end of a round, at all its seats, and no further back than
its beginning.

Metrics, one line for each update:

    decisions   decisions played so far, by all seats
    per_second  of those, over the whole run, learning included
    rounds      rounds that ended since the last update
    entropy     of the policy where there is a choice, in nats: falls as it makes up its mind
    kl          approximate divergence from the policy that played the rollout; beyond 0.03 steps are too large
    clipped     share of decisions whose probability ratio left the clipping range
    explained   share of the variance of returns that the value head explains; below 0 it says less than their mean
"""

import argparse
import json
import time

import cardsharp_rl
import numpy as np
import torch
from torch import nn
from torch.nn import functional


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="dalmuti")
    parser.add_argument(
        "--rules",
        nargs="*",
        default=None,
        metavar="OPTION=VALUE",
        help="default: five players and five hands of Dalmuti",
    )
    parser.add_argument("--decisions", type=int, default=3_000_000)
    parser.add_argument("--lanes", type=int, default=256, help="sessions side by side")
    parser.add_argument("--steps", type=int, default=128, help="decisions of each lane between two updates")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minibatch", type=int, default=2048)
    parser.add_argument("--hidden", type=int, nargs="+", default=[256, 256])
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=1.0)
    parser.add_argument("--lambda", dest="gae_lambda", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.02)
    parser.add_argument("--value-weight", type=float, default=0.5)
    parser.add_argument("--gradient-norm", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--to", default="runs/ppo_single_file", help="the folder of the bundle")
    parser.add_argument(
        "--deals", type=int, default=300, help="deals against the scripted player at the end; 0 for none"
    )
    given = parser.parse_args()
    if given.rules is None:
        given.rules = ["players=5", "hands=5"] if given.game == "dalmuti" else []
    given.rules = {name: read(value) for name, value in (rule.split("=", 1) for rule in given.rules)}
    return given


def read(value):
    """An option's value: JSON where it is JSON, else the word itself."""
    try:
        return json.loads(value)
    except ValueError:
        return value


class Policy(nn.Module):
    """A trunk, and two heads that read it: what a bundle holds."""

    def __init__(self, game, hidden):
        super().__init__()
        maxima = np.concatenate([np.full(block.len, block.max, np.float32) for block in game.observation])
        self.register_buffer("scale", torch.from_numpy(1 / maxima))
        sizes = [game.cells, *hidden]
        layers = [layer for size in zip(sizes, sizes[1:]) for layer in (self.layer(*size, np.sqrt(2)), nn.ReLU())]
        self.trunk = nn.Sequential(*layers)
        self.actor = self.layer(hidden[-1], game.actions, 0.01)
        self.critic = self.layer(hidden[-1], 1, 1.0)

    @staticmethod
    def layer(inputs, outputs, gain):
        layer = nn.Linear(inputs, outputs)
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
        return layer

    def forward(self, rows, legal):
        """Log probabilities of all actions, `[n, actions]`, and values, `[n]`, of rows u8 `[n, cells]` with masks
        `[n, actions]`.
        """
        inner = self.trunk(rows.float() * self.scale)
        logits = self.actor(inner).masked_fill(~legal, -1e9)
        return functional.log_softmax(logits, 1), self.critic(inner).squeeze(1)


def rollout(batch, policy, steps):
    """Plays `steps` decisions in every lane; arrays `[steps, lanes, …]`."""
    step = batch.now
    columns = {name: [] for name in ("rows", "legal", "seat", "action", "probability", "value", "reward", "round_over")}
    for _ in range(steps):
        with torch.no_grad():
            logs, values = policy(torch.from_numpy(step.observations), torch.from_numpy(step.action_mask))
            # The argmax of log probabilities with Gumbel noise is a sample from the policy.
            noise = -torch.log(torch.empty_like(logs).exponential_().clamp_min(1e-20))
            actions = (logs + noise).argmax(1)
            chosen = logs.gather(1, actions[:, None]).squeeze(1)
        before, step = step, batch.step(actions.numpy())
        now = (
            before.observations,
            before.action_mask,
            before.seat,
            actions.numpy(),
            chosen.numpy(),
            values.numpy(),
            step.reward,
            step.round_over,
        )
        for column, value in zip(columns.values(), now):
            column.append(value)
    return {name: np.stack(column) for name, column in columns.items()}


def advantages(played, gamma, gae_lambda):
    """Advantages `[steps, lanes]` (GAE) along each seat's own decisions, and which of them are known.

    The last decision of a seat whose round goes on beyond the rollout is no lesson yet: its value stands for what
    will come of it.
    """
    seats, values, rewards = played["seat"], played["value"], played["reward"]
    steps, lanes = seats.shape
    shape = (lanes, rewards.shape[2])
    # By lane and seat: value and advantage of its next decision in this round, if any; the rewards until then; and
    # whether they are known.
    value, advantage, paid, known = (
        np.zeros(shape, np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, np.float32),
        np.zeros(shape, bool),
    )
    result, usable = np.zeros((steps, lanes), np.float32), np.zeros((steps, lanes), bool)
    every = np.arange(lanes)
    for step in reversed(range(steps)):
        over = played["round_over"][step]
        value[over], advantage[over], paid[over], known[over] = 0, 0, rewards[step][over], True
        at = every, seats[step]
        change = paid[at] + gamma * value[at] - values[step]
        usable[step] = known[at]
        result[step] = np.where(usable[step], change + gamma * gae_lambda * advantage[at], 0)
        value[at], advantage[at], paid[at], known[at] = values[step], result[step], 0, True
    return result, usable


def learn(policy, optimiser, played, settings):
    """Passes over a rollout; the metrics of the last one."""
    advantage, usable = advantages(played, settings.gamma, settings.gae_lambda)
    flat = {
        name: torch.from_numpy(played[name][usable]) for name in ("rows", "legal", "action", "probability", "value")
    }
    advantage = torch.from_numpy(advantage[usable])
    goal = advantage + flat["value"]
    explained = 1 - advantage.var() / goal.var()
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(settings.epochs):
        sums = torch.zeros(4)
        for part in torch.randperm(len(goal)).split(settings.minibatch):
            logs, values = policy(flat["rows"][part], flat["legal"][part])
            change = logs.gather(1, flat["action"][part, None]).squeeze(1) - flat["probability"][part]
            ratio = change.exp()
            bounded = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * advantage[part], bounded * advantage[part]).mean()
            # Forced decisions do not count, because their entropy is always 0.
            choice = flat["legal"][part].sum(1) > 1
            entropy = -(logs.exp() * logs).sum(1)[choice].mean()
            loss = -gain + settings.value_weight * functional.mse_loss(values, goal[part]) - settings.entropy * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), settings.gradient_norm)
            optimiser.step()
            with torch.no_grad():
                clipped = ((ratio - 1).abs() > settings.clip).float().mean()
                sums += len(part) * torch.stack([entropy, (ratio - 1 - change).mean(), clipped, torch.ones(())])
    return dict(zip(("entropy", "kl", "clipped"), (sums[:3] / sums[3]).tolist()), explained=explained.item())


def main():
    settings = arguments()
    torch.manual_seed(settings.seed)
    torch.set_num_threads(settings.threads)
    game = cardsharp_rl.game(settings.game)
    batch = cardsharp_rl.Batch(game, settings.lanes, rules=settings.rules, seed=settings.seed, threads=settings.threads)
    batch.reset()
    policy = Policy(game, settings.hidden)
    optimiser = torch.optim.Adam(policy.parameters(), settings.learning_rate, eps=1e-5)
    updates = max(settings.decisions // (settings.lanes * settings.steps), 1)
    begun = time.monotonic()
    for update in range(updates):
        optimiser.param_groups[0]["lr"] = settings.learning_rate * (1 - update / updates)
        played = rollout(batch, policy, settings.steps)
        metrics = learn(policy, optimiser, played, settings)
        decisions = (update + 1) * settings.lanes * settings.steps
        per_second = decisions / (time.monotonic() - begun)
        metrics = {
            "decisions": decisions,
            "per_second": round(per_second),
            "rounds": played["round_over"].sum(),
            **metrics,
        }
        print(
            "  ".join(
                f"{name} {value:.4g}" if isinstance(value, float) else f"{name} {value}"
                for name, value in metrics.items()
            ),
            flush=True,
        )

    bundle = cardsharp_rl.export_mlp(
        game,
        nn.Sequential(policy.trunk, policy.actor),
        settings.to,
        value=policy.critic,
        rules=settings.rules,
        training={
            "by": "ppo_single_file.py",
            "decisions": updates * settings.lanes * settings.steps,
            "seed": settings.seed,
        },
    )
    print(f"Wrote {bundle}.")
    if settings.deals:
        rounds = game.rules(settings.rules)[game.rounds_option]
        bots = {"learned": str(bundle), "scripted": "scripted"}
        report = cardsharp_rl.arena(
            game, bots, rules=settings.rules, rounds=rounds, num_deals=settings.deals, seed=settings.seed
        )
        print(report)


if __name__ == "__main__":
    main()

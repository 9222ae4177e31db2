#!/usr/bin/env python3
"""Behaviour cloning: a policy that learns from recorded decisions what their players would do.

    cardsharp dataset dalmuti --bots scripted --decisions 500000 --to data
    python3 examples/python/behaviour_cloning.py data
    python3 examples/python/behaviour_cloning.py data --epochs 1 --rows 5000 --deals 20        # seconds, to see it run

The shards are Parquet files, read here by pyarrow and nothing of ours: docs/dataset.md lists their columns.
Forced decisions are left out, and every tenth session is kept to measure on. The value head learns what came of
it. What comes out is a bundle. Needs torch and pyarrow.

Metrics, one line for each pass over the data:

    loss       cross entropy between the policy and the recorded moves, in nats, of the sessions that were learned from
    agrees     share of the decisions in the sessions kept apart in which the likeliest move is the recorded one
    chance     the same for a policy that plays every legal move alike
"""

import argparse
import json
from pathlib import Path

import cardsharp_rl
import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import torch
from torch import nn
from torch.nn import functional

#: Sessions whose number is divisible by this are held out of training.
APART = 10


def read(folder, bots, most):
    """What the shards say of themselves, and their decisions with a choice, as arrays: rows u8 `[n, cells]`,
    masks `[n, actions]`, …
    """
    first = min(Path(folder).glob("*.parquet"))
    about = json.loads(pyarrow.parquet.read_metadata(first).metadata[b"cardsharp"])
    names = ["session", "bot", "observation", "legal", "action", "return_to_go"]
    table = pyarrow.dataset.dataset(folder, format="parquet").head(most, columns=names)
    if bots:
        table = table.filter(pa.compute.is_in(table["bot"].cast(pa.string()), pa.array(bots)))
    bytes_of = {
        name: np.frombuffer(b"".join(table[name].to_pylist()), np.uint8).reshape(len(table), -1)
        for name in ("observation", "legal")
    }
    columns = {name: table[name].to_numpy() for name in ("session", "action", "return_to_go")}
    legal = bytes_of["legal"].astype(bool)
    choice = legal.sum(1) > 1
    return about, {
        "rows": bytes_of["observation"][choice],
        "legal": legal[choice],
        **{name: column[choice] for name, column in columns.items()},
    }


class Policy(nn.Module):
    """A trunk, and two heads that read it: what a bundle holds."""

    def __init__(self, game, hidden):
        super().__init__()
        maxima = np.concatenate([np.full(block.len, block.max, np.float32) for block in game.observation])
        self.register_buffer("scale", torch.from_numpy(1 / maxima))
        sizes = [game.cells, *hidden]
        self.trunk = nn.Sequential(
            *[layer for size in zip(sizes, sizes[1:]) for layer in (nn.Linear(*size), nn.ReLU())]
        )
        self.actor = nn.Linear(hidden[-1], game.actions)
        self.critic = nn.Linear(hidden[-1], 1)

    def forward(self, rows, legal):
        """Logits of all actions, `[n, actions]`, minus infinity where one is illegal, and values `[n]`."""
        inner = self.trunk(rows.float() * self.scale)
        return self.actor(inner).masked_fill(~legal, -torch.inf), self.critic(inner).squeeze(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", help="the folder of the shards")
    parser.add_argument("--bots", nargs="*", help="whose decisions to learn from; default: everybody's")
    parser.add_argument("--rows", type=int, default=1_000_000, help="decisions to read, at most")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--hidden", type=int, nargs="+", default=[256, 256])
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--to", default="runs/behaviour_cloning", help="the folder of the bundle")
    parser.add_argument(
        "--deals", type=int, default=300, help="deals against the scripted player at the end; 0 for none"
    )
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)

    about, data = read(given.data, given.bots, given.rows)
    game = cardsharp_rl.game(about["game"])
    if about["encoding"] != game.encoding:
        raise SystemExit(
            f"{given.data} has encoding {about['encoding']} of {game.name}; this cardsharp has {game.encoding}"
        )
    apart = data["session"] % APART == 0
    learned, kept = (
        {name: torch.from_numpy(column[which]) for name, column in data.items()} for which in (~apart, apart)
    )
    print(f"{game.title}: {len(learned['action'])} decisions to learn from, {len(kept['action'])} kept apart")

    policy = Policy(game, given.hidden)
    optimiser = torch.optim.Adam(policy.parameters(), given.learning_rate)
    for epoch in range(given.epochs):
        losses = []
        for part in torch.randperm(len(learned["action"])).split(given.minibatch):
            logits, values = policy(learned["rows"][part], learned["legal"][part])
            loss = functional.cross_entropy(logits, learned["action"][part].long())
            optimiser.zero_grad()
            (loss + 0.5 * functional.mse_loss(values, learned["return_to_go"][part])).backward()
            optimiser.step()
            losses.append(loss.item())
        with torch.no_grad():
            guesses = policy(kept["rows"], kept["legal"])[0].argmax(1)
        agrees = (guesses == kept["action"].long()).float().mean()
        chance = (1 / kept["legal"].sum(1)).mean()
        print(f"pass {epoch + 1}  loss {np.mean(losses):.4f}  agrees {agrees:.4f}  chance {chance:.4f}", flush=True)

    rules = about["rules"]
    bundle = cardsharp_rl.export_mlp(
        game,
        nn.Sequential(policy.trunk, policy.actor),
        given.to,
        value=policy.critic,
        rules=rules,
        training={
            "by": "behaviour_cloning.py",
            "decisions": len(learned["action"]),
            "bots": ", ".join(given.bots or about["bots"]),
        },
    )
    print(f"Wrote {bundle}.")
    if given.deals:
        bots = {"learned": str(bundle), "scripted": "scripted"}
        print(cardsharp_rl.arena(game, bots, rules=rules[0], num_deals=given.deals, seed=given.seed))


if __name__ == "__main__":
    main()

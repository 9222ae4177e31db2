#!/usr/bin/env python3
"""An agent that was written for RLCard, in cardsharp's arena.

    python3 examples/python/rlcard_agent.py
    python3 examples/python/rlcard_agent.py --deals 20        # seconds, to see it run

RLCard's agents have `eval_step(state)`, and `use_raw` says whether they answer with a label or an id. `seated`
below is the whole adapter: any such agent, those that come with RLCard included, is a function of rows and masks
with it, and so a bot in `cardsharp_rl.arena` and in the environments. Needs numpy alone.
"""

import argparse
from collections import OrderedDict

import cardsharp_rl
import numpy as np


def seated(agent, game):
    """An RLCard agent as a function of rows u8 `[n, cells]` and masks `[n, actions]`, which gives actions `[n]`."""
    labels = game.labels()

    def choose(rows, legal):
        actions = []
        for row, mask in zip(rows, legal):
            ids = np.flatnonzero(mask).tolist()
            raw = [labels[action] for action in ids]
            state = {
                "obs": row,
                "legal_actions": OrderedDict.fromkeys(ids),
                "raw_legal_actions": raw,
                "raw_obs": row,
                "action_record": [],
            }
            action, _ = agent.eval_step(state)
            actions.append(ids[raw.index(action)] if agent.use_raw else int(action))
        return np.array(actions)

    return choose


class ThreeLines:
    """A rule of three lines for The Great Dalmuti, as RLCard has rule agents: many cards of a bad rank first."""

    use_raw = True

    def step(self, state):
        """A label of `raw_legal_actions`, while others learn."""
        return max(state["raw_legal_actions"], key=self.worth)

    def eval_step(self, state):
        """The same, and what else there is to tell: nothing."""
        return self.step(state), {}

    @staticmethod
    def worth(label):
        """How many cards a move lays, and how bad they are: "7x3+J" is four sevens."""
        head, _, jesters = label.partition("+")
        rank, _, copies = head.partition("x")
        if rank.isdigit():
            return int(copies or 1) + len(jesters), int(rank)
        return (len(label), 13) if set(label) == {"J"} else (0, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    game = cardsharp_rl.game("dalmuti")
    agent = seated(ThreeLines(), game)
    for other in ("random", "scripted"):
        print(
            cardsharp_rl.arena(
                game,
                {"three lines": agent, other: other},
                rules={"players": 5, "hands": 1},
                num_deals=given.deals,
                seed=given.seed,
            )
        )


if __name__ == "__main__":
    main()

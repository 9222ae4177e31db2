"""Measures the speed of a PyTorch loop that does the work of `cardsharp train configs/quickstart.toml`.

    pip install torch numpy
    python crates/trainer/benches/pytorch.py [THREADS] [ITERATIONS]
    python crates/trainer/benches/pytorch.py 16 6 --device cuda --hidden 1024 --minibatch 16384

It is proximal policy optimization like CleanRL's single-file versions. It acts on batches without gradients. Then it
learns for three epochs of minibatches: a masked softmax, an entropy bonus, a value loss, clipped gradients and Adam.
The quickstart has the same network (717-256-256, heads of 262 and 1), decisions per iteration, minibatch and epochs.

The game costs no time. Observations, masks and rewards are random: 142 of 717 cells are set and 3 actions are legal,
as at tables of five players. The network learns nothing useful; only the speed counts. The script prints decisions
per second, by the clock and by CPU time, and samples per second while it learns. On a GPU the observations are
uploaded once per iteration.
"""

import argparse
import time

import numpy
import torch
from torch import nn

CELLS, ACTIONS = 717, 262
DECISIONS, ACTED = 47_104, 512
EPOCHS = 3
SET, LEGAL = 142, 3


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(CELLS, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.policy = nn.Linear(hidden, ACTIONS)
        self.value = nn.Linear(hidden, 1)

    def forward(self, rows, legal):
        features = self.trunk(rows)
        return self.policy(features).masked_fill(~legal, -1e9), self.value(features).squeeze(1)


def game(random):
    """Returns random observations, masks and rewards of an iteration."""
    rows = (random.random((DECISIONS, CELLS)) < SET / CELLS).astype(numpy.uint8)
    legal = random.random((DECISIONS, ACTIONS)) < (LEGAL - 1) / ACTIONS
    legal[numpy.arange(DECISIONS), random.integers(ACTIONS, size=DECISIONS)] = True
    return torch.from_numpy(rows), torch.from_numpy(legal), torch.from_numpy(random.normal(size=DECISIONS)).float()


def act(net, rows, legal):
    """Returns actions, their log-probabilities and values, computed in batches of `ACTED` decisions."""
    parts = []
    with torch.no_grad():
        for first in range(0, DECISIONS, ACTED):
            logits, value = net(rows[first : first + ACTED].float(), legal[first : first + ACTED])
            policy = torch.distributions.Categorical(logits=logits)
            action = policy.sample()
            parts.append((action, policy.log_prob(action), value))
    return [torch.cat(columns) for columns in zip(*parts)]


def learn(net, adam, minibatch, rows, legal, actions, log_probabilities, values, returns):
    advantages = returns - values
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(EPOCHS):
        order = torch.randperm(DECISIONS, device=rows.device)
        for first in range(0, DECISIONS, minibatch):
            ids = order[first : first + minibatch]
            logits, value = net(rows[ids].float(), legal[ids])
            policy = torch.distributions.Categorical(logits=logits)
            ratio = (policy.log_prob(actions[ids]) - log_probabilities[ids]).exp()
            gain = torch.min(ratio * advantages[ids], ratio.clamp(0.8, 1.2) * advantages[ids]).mean()
            miss = 0.5 * (value - returns[ids]).square().mean()
            loss = 0.5 * miss - gain - 0.02 * policy.entropy().mean()
            adam.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            adam.step()


def clock(device):
    """Returns the time in seconds, after the device has finished its work."""
    if device != "cpu":
        torch.cuda.synchronize()
    return time.perf_counter()


def main(given):
    torch.set_num_threads(given.threads)
    net = Net(given.hidden).to(given.device)
    adam = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-5)
    random = numpy.random.default_rng(1)
    best = best_cpu = best_learned = 0.0
    for _ in range(given.iterations):
        parts = game(random)
        start, cpu = clock(given.device), time.process_time()
        rows, legal, returns = (part.to(given.device) for part in parts)
        actions, log_probabilities, values = act(net, rows, legal)
        acted = clock(given.device)
        learn(net, adam, given.minibatch, rows, legal, actions, log_probabilities, values, returns)
        end = clock(given.device)
        best = max(best, DECISIONS / (end - start))
        best_learned = max(best_learned, EPOCHS * DECISIONS / (end - acted))
        best_cpu = max(best_cpu, DECISIONS / (time.process_time() - cpu))
    print(
        f"{given.threads} thread(s), {given.device}: {best:,.0f} decisions/s, {best_cpu:,.0f} a CPU second, "
        f"{best_learned:,.0f} samples/s while it learns; torch {torch.__version__}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What a loop in PyTorch reaches.")
    parser.add_argument("threads", nargs="?", type=int, default=1)
    parser.add_argument("iterations", nargs="?", type=int, default=3)
    parser.add_argument("--device", default="cpu", help="`cpu` or `cuda`")
    parser.add_argument("--hidden", type=int, default=256, help="units of both hidden layers")
    parser.add_argument("--minibatch", type=int, default=2_048)
    main(parser.parse_args())

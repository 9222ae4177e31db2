"""What a cluster costs and how far it carries: the figures of docs/results/cluster.md.

    python crates/python/benches/cluster.py costs       Ray over one process, killed workers and nodes, blocks and weights
    python crates/python/benches/cluster.py constants   how quickly games are played and learned, and what a decision weighs
    python crates/python/benches/cluster.py scale       an iteration on 10, 100 and 1,000 cores, by simulation

Nodes are on this machine. `costs` wants it quiet: it compares by the clock.
"""

from __future__ import annotations

import csv
import heapq
import os
import random
import signal
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

import cardsharp_rl
from cardsharp_ray import LocalNodes, WorkerPool

ROOT = Path(__file__).resolve().parents[3]
SHORT = [
    "evaluate.every=0", "evaluate.final_deals=2", "evaluate.tables=[]", "checkpoint.every=100", "metrics.tensorboard=false", "ppo.imitation_iterations=0",
]  # fmt: skip
#: A run against a search. A unit takes about half a second.
SEARCH = [
    "league.opponent=search:100", "league.past=0.0", "league.scripted=0.0", "rollout.units=4", "rollout.sessions=10",
]  # fmt: skip
#: A configuration and its overrides. Networks play 100,000 decisions per second.
KINDS = {
    "networks": ("quickstart", ["rollout.units=4", "rollout.sessions=320"]),
    "search": ("tachtigen", SEARCH),
}


def seconds(run: Path, name: str) -> list[float]:
    with (run / "timing.csv").open() as file:
        return [float(row[name]) for row in csv.DictReader(file)]


def play(folder: Path, kind: str, iterations: int, workers: WorkerPool | None = None, callback=None) -> Path:
    run = Path(tempfile.mkdtemp(dir=folder)) / "run"
    config, extra = KINDS[kind]
    overrides = [*SHORT, *extra, f"iterations={iterations}"]
    cardsharp_rl.train(
        ROOT / f"configs/{config}.toml", overrides=overrides, run=run, threads=1, workers=workers, callback=callback
    )
    return run


def whole(run: Path, name: str = "time/iteration") -> float:
    """Seconds of all iterations except the first, which fills caches."""
    return sum(seconds(run, name)[1:])


def workers() -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            title = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if title.startswith(b"ray::Worker"):
            found.append(int(process.name))
    return found


#: The number of runs of each kind, of which the median counts.
REPEATS = 3


def costs() -> None:
    folder = Path(tempfile.mkdtemp())
    with LocalNodes(2, cpus=1) as nodes:
        with WorkerPool(nodes.address, workers=1) as workers:
            for kind in KINDS:
                alone, ray = [], []
                for _ in range(REPEATS):
                    alone.append(play(folder, kind, 3))
                    ray.append(play(folder, kind, 3, workers))
                for name in ("time/iteration", "time/rollout"):
                    one, other = (statistics.median(whole(run, name) for run in runs) / 2 for runs in (alone, ray))
                    print(
                        f"{kind}, {name}: {one:.2f} s in one process, {other:.2f} s by one worker: {100 * (other / one - 1):+.1f} %",
                        flush=True,
                    )
            begun = time.monotonic()
            for _ in range(1000):
                workers.pool.add(workers.task("ready", ()))
            done = 0
            while done < 1000:
                done += len(workers.pool.step(depth=2))
            print(f"an empty task: {1000 * (time.monotonic() - begun) / done:.2f} ms")

        with WorkerPool(nodes.address, at_least=2) as workers:
            unharmed = [whole(play(folder, "search", 6, workers)) for _ in range(REPEATS)]

            def kill(iteration):
                if iteration.iteration in (2, 4):
                    # The delay ends in the middle of a unit.
                    threading.Timer(0.7, lambda: os.kill(random.choice(workers()), signal.SIGKILL)).start()

            killed = [whole(play(folder, "search", 6, workers, kill)) for _ in range(REPEATS)]
            lost = (statistics.median(killed) - statistics.median(unharmed)) / 2
            print(f"a killed worker of two: {lost:.2f} s of runs of {statistics.median(unharmed):.1f} s", flush=True)

            def fall(iteration):
                if iteration.iteration == 3:
                    nodes.kill(len(nodes.processes) - 1)
                    threading.Thread(target=nodes.add).start()

            fallen = [whole(play(folder, "search", 6, workers, fall)) for _ in range(REPEATS)]
            lost = statistics.median(fallen) - statistics.median(unharmed)
            print(f"a killed node of two, with another started at once: {lost:.2f} s", flush=True)


#: Runs whose constants are measured: a configuration and its overrides.
RUNS = {
    "dalmuti": ("dalmuti", []),
    "tahimi": ("tahimi", []),
    "taki": ("taki", []),
    "tachtigen": ("tachtigen", []),
    "tachtigen, against a search": (
        "tachtigen",
        ["league.opponent=search:100", "league.past=0.0", "league.scripted=0.0"],
    ),
}


def constants() -> None:
    """Measures real runs of three iterations on one thread, and the blocks that a worker would send."""
    folder = Path(tempfile.mkdtemp())
    print(
        "| run | decisions a second of a playing core | learned a second by one core | bytes a decision | ns to take a byte | weights, MB |"
    )
    print("| --- | --: | --: | --: | --: | --: |")
    for name, (game, extra) in RUNS.items():
        overrides = ["iterations=3", "rollout.units=4", *SHORT, *extra]

        class Weighing:
            """Plays in this process, and measures what a worker would send."""

            worker, blocks, weights, playing = None, 0, 0, 0.0

            def rollout(self, config, iteration, since, units, others, nets):
                from cardsharp_rl import _core

                self.worker = self.worker or _core.Worker(config)
                self.weights = len(nets[0].data())
                keys = [net.key for net in nets]
                for net in nets:
                    if net.key in self.worker.lacks(keys):
                        self.worker.hold(net.data())
                begun = time.monotonic()
                blocks = [self.worker.play(iteration, others, keys, unit) for unit in range(units)]
                self.playing += time.monotonic() - begun
                self.blocks += sum(map(len, blocks))
                return blocks

        workers = Weighing()
        run = folder / name.replace(" ", "-").replace(",", "")
        trained = cardsharp_rl.train(
            ROOT / f"configs/{game}.toml", overrides=overrides, run=run, threads=1, workers=workers
        )
        playing, learning = (sum(seconds(run, name)) for name in ("time/rollout", "time/learn"))
        print(
            f"| {name} | {trained.decisions / workers.playing:,.0f} | {trained.decisions / learning:,.0f} "
            f"| {workers.blocks / trained.decisions:,.0f} | {1e9 * (playing - workers.playing) / workers.blocks:.1f} | {workers.weights / 1e6:.1f} |",
            flush=True,
        )


#: Costs of the head apart from learning. `costs` measures the seconds to hand out a task. `constants` measures the
#: seconds to unpack a byte of a block. The third number is the bytes per second of a network with 10 Gbit/s.
TASK, BYTE, NETWORK = 0.0005, 2e-9, 1.25e9
#: Bytes of a decision in a block.
BLOCK = 300
#: Mean duration of a unit in seconds, and its standard deviation as a fraction of the mean.
UNIT, SPREAD = 0.5, 0.2
#: Cores of a machine. Each machine gets the weights once.
MACHINE = 16


def waiting(cores: int, units: int, block: float, weights: float, learning: float, draw: random.Random) -> float:
    """Simulates an iteration that waits for all its units, and returns its seconds. The head hands out tasks one by
    one, unpacks blocks one by one, and then learns."""
    head = weights * -(-cores // MACHINE) / NETWORK
    free = [(0.0, core) for core in range(min(cores, units))]
    ends = []
    for _ in range(units):
        at, core = heapq.heappop(free)
        head = max(head, at) + TASK
        ends.append(head + UNIT * max(0.1, draw.gauss(1, SPREAD)))
        heapq.heappush(free, (ends[-1], core))
    taken = 0.0
    for end in sorted(ends):
        taken = max(taken, end) + block * BYTE
    return taken + learning


def not_waiting(cores: int, units: int, block: float, weights: float, learning: float) -> float:
    """Seconds of an iteration while workers play the next ones: the longer of playing and of the head's work."""
    head = weights * -(-cores // MACHINE) / NETWORK + units * (TASK + block * BYTE)
    return max(units * UNIT / cores, head + learning)


def scale() -> None:
    decisions, draw = 200_000, random.Random(1)
    print("| a core plays | the head learns | | 10 cores | 100 | 1,000 | full with |")
    print("| --: | --: | --- | --: | --: | --: | --: |")
    for played, learned in ((100_000, 40_000), (100_000, 400_000), (10_000, 40_000), (400, 40_000), (400, 400_000)):
        units = max(1, round(decisions / (played * UNIT)))
        block, weights, learning = played * UNIT * BLOCK, 1.5e6, decisions / learned
        ways = {
            "waiting": lambda cores: statistics.mean(
                waiting(cores, units, block, weights, learning, draw) for _ in range(20)
            ),
            "`--lag 1`": lambda cores: not_waiting(cores, units, block, weights, learning),
        }
        for way, seconds in ways.items():
            cells = " | ".join(f"{decisions / seconds(cores):,.0f}" for cores in (10, 100, 1000))
            print(f"| {played:,} | {learned:,} | {way} | {cells} | {learned / played:,.1f} cores |")


if __name__ == "__main__":
    commands = {"costs": costs, "constants": constants, "scale": scale}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]]()

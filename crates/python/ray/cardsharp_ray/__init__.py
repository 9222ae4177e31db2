"""Runs, contests, exploiters and sweeps spread over a cluster, by Ray Core (https://docs.ray.io).

    import cardsharp_rl
    import cardsharp_ray

    with cardsharp_ray.WorkerPool() as workers:
        run = cardsharp_rl.train("configs/dalmuti.toml", workers=workers)
        found = cardsharp_rl.arena("dalmuti", [str(run.bundle), "scripted"], num_deals=10_000, workers=workers)
        results = cardsharp_ray.sweep("configs/sweeps/dalmuti.toml", workers)

The learner is in this process; workers on every core of the cluster play what it learns from. A run is the same to the
byte as in one process, whatever becomes of workers and machines meanwhile, unless it is asked to be quicker than that
(`lag`).

`LocalNodes` starts a cluster on this machine. `cardsharp-ray` is all this as a command.
"""

from cardsharp_ray._errors import LostTooOften, NodesFailed, TooFewWorkers, WrongBuild
from cardsharp_ray._nodes import LocalNodes
from cardsharp_ray.sweeps import Stand, sweep
from cardsharp_ray.worker_pool import WorkerPool

__all__ = ["WorkerPool", "LocalNodes", "LostTooOften", "NodesFailed", "Stand", "TooFewWorkers", "WrongBuild", "sweep"]

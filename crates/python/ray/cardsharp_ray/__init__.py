"""Runs, contests, exploiters and sweeps spread over a cluster, by Ray Core (https://docs.ray.io).

    import cardsharp_rl
    import cardsharp_ray

    with cardsharp_ray.Crew() as crew:
        run = cardsharp_rl.train("configs/dalmuti.toml", crew=crew)
        found = cardsharp_rl.arena("dalmuti", [str(run.bundle), "scripted"], deals=10_000, crew=crew)
        results = cardsharp_ray.sweep("configs/sweeps/dalmuti.toml", crew)

The learner is in this process; workers on every core of the cluster play what it learns from. A run is the same to the byte
as in one process, whatever becomes of workers and machines meanwhile, unless it is asked to be quicker than that (`lag`).

`LocalNodes` starts a cluster on this machine. `cardsharp-ray` is all this as a command.
"""

from cardsharp_ray._errors import LostTooOften, NodesFailed, TooFewWorkers, WrongBuild
from cardsharp_ray._nodes import LocalNodes
from cardsharp_ray.crew import Crew
from cardsharp_ray.sweeps import Stand, sweep

__all__ = ["Crew", "LocalNodes", "LostTooOften", "NodesFailed", "Stand", "TooFewWorkers", "WrongBuild", "sweep"]

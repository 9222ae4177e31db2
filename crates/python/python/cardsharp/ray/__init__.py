"""Runs, contests, exploiters and sweeps spread over a cluster, by Ray Core (https://docs.ray.io).

    import cardsharp
    import cardsharp.ray

    with cardsharp.ray.Crew() as crew:
        run = cardsharp.train("configs/dalmuti.toml", crew=crew)
        found = cardsharp.arena("dalmuti", [str(run.bundle), "scripted"], deals=10_000, crew=crew)
        results = cardsharp.ray.sweep("configs/sweeps/dalmuti.toml", crew)

The learner is in this process; workers on every core of the cluster play what it learns from. A run is the same to the byte
as in one process, whatever becomes of workers and machines meanwhile, unless it is asked to be quicker than that (`lag`).

`LocalNodes` starts a cluster on this machine. `cardsharp-ray` is all this as a command.
"""

from importlib.util import find_spec

if find_spec("ray") is None:
    raise ModuleNotFoundError("Ray is not installed: pip install 'cardsharp-rl[ray]'", name="ray")

from cardsharp.ray._errors import LostTooOften, NodesFailed, TooFewWorkers, WrongBuild
from cardsharp.ray._nodes import LocalNodes
from cardsharp.ray.crew import Crew
from cardsharp.ray.sweeps import Stand, sweep

__all__ = ["Crew", "LocalNodes", "LostTooOften", "NodesFailed", "Stand", "TooFewWorkers", "WrongBuild", "sweep"]

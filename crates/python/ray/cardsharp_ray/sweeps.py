"""Sweeps on a cluster: every run is trained by a worker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardsharp_rl import _core
from cardsharp_rl._training import StrPath

from cardsharp_ray.worker_pool import WorkerPool

if TYPE_CHECKING:
    from cardsharp_ray._pool import Task


@dataclass(frozen=True)
class Stand:
    """How far a sweep is."""

    #: Settings that have ended, and all there will be.
    ended: int
    settings: int
    #: Seeds of each.
    seeds: int
    #: Runs under way.
    under_way: int
    #: Workers that are there.
    workers: int


def sweep(
    file: StrPath,
    workers: WorkerPool,
    *,
    folder: StrPath | None = None,
    runs: StrPath = "runs",
    callback: Callable[[Stand], object] | None = None,
) -> dict[str, Any]:
    """Runs the sweep in a file like `cardsharp sweep`, with one worker for each run. Returns the content of
    `results.json`, which has the same bytes as that of the command.

    All machines must see the sweep's folder (`folder`; by default one in `runs`). A second call with the same folder
    continues the sweep. A run whose worker was lost continues from its newest checkpoint. `callback` gets the progress
    whenever a run reports a measurement.

    Raises ValueError for an invalid file, with the place, and for a folder with other content. It also raises
    the errors of the worker pool.
    """
    path = None if folder is None else Path(folder).absolute()
    engine = _core.Sweep(Path(file), path, Path(runs).absolute())
    # What somebody asked for who was interrupted.
    workers.pool.drop()
    try:
        _train(engine, workers, callback)
        return engine.finish()
    finally:
        # Whoever still trains would hold the locks of runs that somebody else goes on with.
        workers.pool.dismiss()
        engine.close()


def _train(engine: _core.Sweep, workers: WorkerPool, callback: Callable[[Stand], object] | None) -> None:
    pool = workers.pool
    under_way: dict[Task, tuple[int, int]] = {}
    while not engine.over:
        while len(under_way) < max(1, pool.present):
            told = engine.ask()
            if told is None:
                break
            task = workers.task("trial", (told, 0))
            under_way[task] = (told["setting"], told["seed"])
            pool.add(task)
        for task, result in pool.step(depth=1):
            run = under_way.pop(task, None)
            if run is None:
                continue
            reason, figures = result
            verdict = "go on"
            for iteration, figure in figures:
                verdict = engine.tell(*run, iteration, figure)
            if reason:
                engine.fail(*run, reason)
            elif verdict == "go on":
                onward = workers.task("trial", (task.arguments[0], figures[-1][0]))
                under_way[onward] = run
                pool.add(onward)
                continue
            engine.release(*run)
            if callback is not None:
                ended, settings, seeds = engine.counts
                callback(Stand(ended, settings, seeds, len(under_way), pool.present))

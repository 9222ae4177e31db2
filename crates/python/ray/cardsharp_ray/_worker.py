"""What runs in a worker of the cluster."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cardsharp_rl
import ray
from cardsharp_rl import _core

from cardsharp_ray._errors import WrongBuild

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy
    from numpy.typing import NDArray


def _address() -> str:
    """The address of this machine in its cluster."""
    return str(ray.util.get_node_ip_address())  # type: ignore[no-untyped-call]


@cache
def build() -> str:
    """What names this build: the version, and the BLAKE3 sum of what is compiled."""
    file = _core.__file__
    if file is None:
        raise RuntimeError("cardsharp_rl._core was not loaded from a file")
    return f"{version('cardsharp-rl')}+{_core.blake3(Path(file).read_bytes())[:16]}"


class Worker:
    """Plays units of runs and contests, each a pure function of what it is told. Once it is lost, another plays the same."""

    def __init__(self, expected: str, folder: str) -> None:
        own = build()
        if own != expected:
            raise WrongBuild(
                f"{_address()} has build {own} of cardsharp, the learner has {expected}: expected the same wheels on every machine"
            )
        # Paths of bots in a configuration are relative to where the learner was started.
        if os.path.isdir(folder):
            os.chdir(folder)
        self._run: tuple[str, _core.Worker] | None = None
        self._contest: tuple[str, _core.Contest] | None = None

    def ready(self) -> str:
        """The address of its machine."""
        return _address()

    def rollout(
        self, config: str, iteration: int, others: str, keys: list[str], nets: Sequence[ray.ObjectRef[bytes]], unit: int
    ) -> NDArray[numpy.uint8]:
        """A unit of a run. `nets` are where the networks of these keys can be had."""
        if self._run is None or self._run[0] != config:
            self._run = (config, _core.Worker(config))
        worker = self._run[1]
        lacking = set(worker.lacks(keys))
        for key, net in zip(keys, nets):
            if key in lacking:
                worker.hold(ray.get(net))
        return worker.play(iteration, others, keys, unit)

    def contest(self, contest: str, unit: int) -> bytes:
        """A unit of a contest, which is told as JSON."""
        if self._contest is None or self._contest[0] != contest:
            self._contest = (contest, _core.Contest(contest))
        return self._contest[1].play(unit)

    def trial(self, told: dict[str, Any], known: int) -> tuple[str, list[tuple[int, float]]]:
        """Trains a run of a sweep up to its first measurement after iteration `known`, unless it was measured then before. Why it
        cannot go on, if so, and all that it has measured. Its folder is one that all machines see."""
        path, figure, measured = Path(told["path"]), told["figure"], told["measured"]
        figures = _core.recall(path, figure)
        done = figures[-1][0] if figures else 0
        if done > known and (done < measured[-1] or (path / "bundle").is_dir()):
            return "", figures
        until = next((iteration for iteration in measured if iteration > done), measured[-1])

        def leave(step: cardsharp_rl.Iteration) -> bool:
            return not until <= step.iteration < measured[-1]

        try:
            if (path / "config.toml").exists():
                cardsharp_rl.train(resume=path, threads=1, callback=leave)
            else:
                with tempfile.TemporaryDirectory() as folder:
                    config = Path(folder) / "run.toml"
                    config.write_text(told["config"])
                    cardsharp_rl.train(config, run=path, threads=1, callback=leave)
        except cardsharp_rl.TrainingDiverged as error:
            return str(error), _core.recall(path, figure)
        figures = _core.recall(path, figure)
        if not figures or figures[-1][0] < until:
            raise RuntimeError(f"{path}: {figure} was not measured at iteration {until}")
        return "", figures


#: Never restarted by Ray: whoever hires them does that, where there are cores.
RemoteWorker: Any = ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0)(Worker)

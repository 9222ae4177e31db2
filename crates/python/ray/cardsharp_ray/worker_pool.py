"""Who plays what a learner in this process learns from."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from cardsharp_rl import _core

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    from cardsharp_ray._pool import Task

    #: A unit, as `cardsharp_rl.train` takes it: bytes, of which there is one copy on a machine.
    Block = NDArray[numpy.uint8]


class WorkerPool:
    """Workers on the cores of a Ray cluster, for `cardsharp_rl.train`, `cardsharp_rl.arena` and `cardsharp_rl.exploit`.

    Connects to the cluster at `address` (as `ray.init` takes it; that of the environment, or the only one on this
    machine, if there is none given) unless this process is connected already. There are `workers` of them, or one for
    each core; the first task waits for `at_least`, and with fewer for longer than `timeout` seconds everything ends
    with a checkpoint and `TooFewWorkers`. Each machine needs the same wheels: another build is refused with
    `WrongBuild`. A task whose worker or machine is lost is done again by another, machines may come and go.

    `lag` 0 is synchronous: a run is the same to the byte as in one process. With 1 or more workers go on while the learner
    learns, and it takes whatever is done first of the last `lag` policies and the current one: quicker where units take
    unequally long, and no longer the same from run to run.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        workers: int | None = None,
        at_least: int = 1,
        timeout: float = 60.0,
        lag: int = 0,
    ) -> None:
        for name, given, least in (("workers", workers, 1), ("at_least", at_least, 1), ("lag", lag, 0)):
            if given is not None and given < least:
                raise ValueError(f"{name}: {given} is out of range: expected {least} or more")
        if workers is not None and workers < at_least:
            raise ValueError(f"at_least: {at_least} is more than the {workers} workers there may be")
        if not timeout > 0:
            raise ValueError(f"timeout: {timeout} is out of range: expected seconds above 0")
        # Not before: Ray reads how it is to be spoken to when it is imported, and `LocalNodes` says it.
        import ray

        from cardsharp_ray._pool import Pool, Task

        self._ray = ray
        #: What makes a task, of a method of a worker and its arguments.
        self.task = Task
        self._own = not ray.is_initialized()
        if self._own:
            ray.init(address=address or "auto", log_to_driver=False, logging_level=logging.ERROR)
        self.lag = lag
        self.pool = Pool(workers, at_least, timeout)
        #: Networks that were sent, by their keys.
        self._sent: dict[str, Any] = {}
        #: What was played by earlier policies and is not taken yet.
        self._early: deque[tuple[int, Block]] = deque()
        self._config = ""
        try:
            self.pool.wait_for_workers()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Sends the workers home, and leaves the cluster if it was joined for them."""
        self.pool.close()
        if self._own and self._ray.is_initialized():
            self._ray.shutdown()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def rollout(
        self, config: str, iteration: int, since: int, units: int, others: str, nets: Sequence[_core.Parcel]
    ) -> Iterator[Block]:
        """Blocks of as many units of a run, as they come: what `cardsharp_rl.train` asks for."""
        keys = [net.key for net in nets]
        # Once for each version: whoever lacks one gets it from the cluster's own store.
        for net in nets:
            if net.key not in self._sent:
                self._sent[net.key] = self._ray.put(net.data())
        sent = [self._sent[key] for key in keys]

        def task(unit: int) -> Task:
            return self.task("rollout", (config, iteration, others, keys, sent, unit))

        # Tasks that are under way hold what they need.
        self._sent = {key: self._sent[key] for key in keys}
        if self.lag == 0:
            return self._all([task(unit) for unit in range(units)])
        return self._soon(task, units, config, iteration, since)

    def _soon(self, task: Any, units: int, config: str, iteration: int, since: int) -> Iterator[Block]:
        """The first that are done, of this iteration or of few before it."""
        if config != self._config:
            self._config, self._early = config, deque()
        # What nobody has begun is played by the newest policy instead.
        self.pool.drop()
        oldest, number, taken = max(since, iteration - self.lag), 0, 0
        while True:
            while self._early and taken < units:
                played, block = self._early.popleft()
                if played >= oldest:
                    taken += 1
                    yield block
            # As many again are under way when the learner turns to learning.
            while self.pool.under_way < 2 * units - taken:
                self.pool.add(task(number))
                number += 1
            if taken == units:
                return
            depth = max(1, -(-2 * units // max(1, self.pool.present)))
            for done, block in self.pool.step(depth):
                if done.method == "rollout" and done.arguments[0] == config:
                    self._early.append((done.arguments[1], block))

    def contest(
        self, contest: str, first: int, last: int, progress: Callable[[int, int], object] | None = None
    ) -> Iterator[bytes]:
        """Units of a contest, as they come: what `cardsharp_rl.arena` asks for."""
        tasks = [self.task("contest", (contest, unit)) for unit in range(first, last)]
        return self._all(tasks, progress)

    def _all(self, tasks: list[Task], progress: Callable[[int, int], object] | None = None) -> Iterator[Any]:
        """What comes of all tasks, in their order, each as soon as it can be had."""
        # What somebody asked for who was interrupted.
        self.pool.drop()
        numbers = {task: number for number, task in enumerate(tasks)}
        for task in tasks:
            self.pool.add(task)
        results: dict[int, Any] = {}
        done = given = 0
        while given < len(tasks):
            # Two at once: a worker has the next task when it has done one.
            for task, result in self.pool.step(depth=2):
                if task in numbers:
                    results[numbers[task]] = result
                    done += 1
            if progress is not None:
                progress(done, len(tasks))
            while given in results:
                yield results.pop(given)
                given += 1

"""Workers of a cluster, and what they are given to do."""

from __future__ import annotations

import os
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import ray
from ray.exceptions import ObjectLostError, OutOfMemoryError, RayActorError, RayError, RayTaskError, WorkerCrashedError

from cardsharp_ray._errors import LostTooOften, TooFewWorkers, WrongBuild
from cardsharp_ray._worker import RemoteWorker, build

#: What says that a task was lost, and not that it cannot be done.
LOST = (RayActorError, WorkerCrashedError, ObjectLostError, OutOfMemoryError)
#: Seconds between looks at how many cores the cluster has.
LOOK = 2.0
#: How often one task may be lost.
MOST = 20


@dataclass(eq=False)
class Task:
    """Something to be done by any worker: a method of `Worker`, with its arguments."""

    method: str
    arguments: tuple[Any, ...]
    #: How often it was lost.
    lost: int = 0


@dataclass(eq=False)
class _Seat:
    """A worker, and how much it has been given to do."""

    actor: Any
    given: int = 0


def _raised(error: RayTaskError) -> Exception:
    """What a task itself raised."""
    return error.cause if isinstance(error.cause, Exception) else error


class Pool:
    """Workers on the cores of the cluster that Ray is connected to: `workers` of them, or one for each core that there is.

    A task that is lost is done again by another. Machines may come and go. With fewer than `at_least` workers for longer than
    `timeout` seconds it raises `TooFewWorkers`.
    """

    def __init__(self, workers: int | None, at_least: int, timeout: float) -> None:
        self.workers, self.at_least, self.timeout = workers, at_least, timeout
        #: How often workers were lost, with what they had been given.
        self.lost = 0
        self._build = build()
        self._folder = os.getcwd()
        self._starting: dict[Any, _Seat] = {}
        self._seats: list[_Seat] = []
        self._busy: dict[Any, tuple[_Seat, Task]] = {}
        self._waiting: deque[Task] = deque()
        self._looked = -LOOK
        self._enough = time.monotonic()

    @property
    def present(self) -> int:
        """Workers that are there."""
        return len(self._seats)

    @property
    def under_way(self) -> int:
        """Tasks that were given to be done and are not."""
        return len(self._busy) + len(self._waiting)

    def wait_for_workers(self) -> None:
        """Waits until there are as many as there have to be."""
        self._enough = time.monotonic()
        while self.present < self.at_least:
            self.step(depth=1)

    def add(self, task: Task) -> None:
        """Gives a task, which is done after those that were given before."""
        self._waiting.append(task)

    def drop(self) -> None:
        """Takes back what nobody has begun."""
        self._waiting.clear()

    def step(self, depth: int) -> list[tuple[Task, Any]]:
        """What was done meanwhile; waits a second at most. A worker is given `depth` tasks at once at most.

        Raises what a task raised, `WrongBuild` and `TooFewWorkers`.
        """
        self._hire()
        self._give(depth)
        done = []
        refs = [*self._starting, *self._busy]
        if refs:
            ready, rest = ray.wait(refs, num_returns=1, timeout=1.0)
            if ready and rest:
                ready += ray.wait(rest, num_returns=len(rest), timeout=0)[0]
        else:
            ready = []
            time.sleep(0.1)
        for ref in ready:
            if ref in self._starting:
                self._started(self._starting.pop(ref), ref)
                continue
            # Those of a worker that was lost are waiting again.
            given = self._busy.pop(ref, None)
            if given is None:
                continue
            seat, task = given
            seat.given -= 1
            try:
                done.append((task, ray.get(ref)))
            except RayTaskError as error:
                raise _raised(error)
            except LOST as error:
                self._lose(seat, task, error)
        self._give(depth)
        self._count()
        return done

    def dismiss(self) -> None:
        """Sends those home who are at work, and waits until they have left what they hold."""
        busy = list(self._busy)
        for seat in {seat for seat, _ in self._busy.values()}:
            ray.kill(seat.actor)
            self._seats.remove(seat)
        self._busy = {}
        self._waiting.clear()
        self._looked = -LOOK
        if busy:
            ray.wait(busy, num_returns=len(busy), timeout=10)

    def close(self) -> None:
        """Sends all workers home."""
        for seat in [*self._starting.values(), *self._seats]:
            ray.kill(seat.actor)
        self._starting, self._busy, self._seats = {}, {}, []
        self._waiting.clear()

    def _hire(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        cores = int(ray.cluster_resources().get("CPU", 0))  # type: ignore[no-untyped-call]
        wanted = cores if self.workers is None else self.workers
        for _ in range(wanted - len(self._seats) - len(self._starting)):
            actor = RemoteWorker.remote(self._build, self._folder)
            self._starting[actor.ready.remote()] = _Seat(actor)
        # Nobody waits for a place on a machine that has gone.
        for ref in list(self._starting)[: max(0, len(self._seats) + len(self._starting) - max(wanted, self.at_least))]:
            ray.kill(self._starting.pop(ref).actor)

    def _started(self, seat: _Seat, ref: Any) -> None:
        try:
            ray.get(ref)
        except RayTaskError as error:
            raise _raised(error)
        except RayActorError as error:
            # What its constructor raised comes as this.
            if WrongBuild.__name__ in str(error):
                raise WrongBuild(str(error).strip().splitlines()[-1].split(f"{WrongBuild.__name__}: ")[-1]) from None
            self._looked = time.monotonic()
            return
        except RayError:
            return
        self._seats.append(seat)

    def _give(self, depth: int) -> None:
        while self._waiting and self._seats:
            seat = min(self._seats, key=lambda seat: seat.given)
            # The last ones go to who is free: a second one would wait behind somebody's first.
            if seat.given >= depth or (seat.given and len(self._waiting) <= len(self._seats)):
                return
            task = self._waiting.popleft()
            try:
                ref = getattr(seat.actor, task.method).remote(*task.arguments)
            except LOST as error:
                self._lose(seat, task, error)
                continue
            seat.given += 1
            self._busy[ref] = (seat, task)

    def _lose(self, seat: _Seat, task: Task, error: Exception) -> None:
        """A worker was lost, with all that it was given."""
        self.lost += 1
        if seat in self._seats:
            self._seats.remove(seat)
            self._looked = -LOOK
            # What it did may be lost while it lives: then it would keep its core.
            ray.kill(seat.actor)
        tasks = [task, *(other for ref, (of, other) in list(self._busy.items()) if of is seat)]
        self._busy = {ref: given for ref, given in self._busy.items() if given[0] is not seat}
        for each in reversed(tasks):
            each.lost += 1
            if each.lost > MOST:
                raise LostTooOften(f"a task was lost {MOST} times, the last time by: {error}") from error
            self._waiting.appendleft(each)

    def _count(self) -> None:
        now = time.monotonic()
        if self.present >= self.at_least:
            self._enough = now
        elif now - self._enough > self.timeout:
            raise TooFewWorkers(
                f"{self.present} workers for {self.timeout:g} seconds: expected {self.at_least} at least. "
                "More machines, fewer --at-least, or more --timeout would help"
            )

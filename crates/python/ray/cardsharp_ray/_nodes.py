"""A cluster on this machine."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import TracebackType

from cardsharp_ray._errors import NodesFailed

#: What Ray's own variables are called.
MODE, TOKEN = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN"
#: Seconds that a node may take to begin.
PATIENCE = 120
#: Ray gives up if one of its processes needs more than 30 seconds, as on a busy machine. Then the node is started again.
TIMED_OUT = "timed out during startup"
TRIES = 3


def _free_port(host: str) -> int:
    with socket.socket() as listening:
        listening.bind((host, 0))
        return int(listening.getsockname()[1])


@cache
def _token() -> str:
    """The token of this process: that of its environment, or a fresh one. Ray reads it once, so there is no second one."""
    if os.environ.get(MODE) == "token" and os.environ.get(TOKEN):
        return os.environ[TOKEN]
    if "ray" in sys.modules:
        raise RuntimeError(
            "Ray was imported already, and asks for no token then: expected LocalNodes before `import ray`, or RAY_AUTH_MODE=token and RAY_AUTH_TOKEN in the environment"
        )
    return secrets.token_hex(32)


class LocalNodes:
    """`count` nodes of Ray on this machine, each with its own address (127.0.0.2, 127.0.0.3, …), `cpus` cores (an equal
    share of those there are, if none are given) and a token of this process, which whoever connects needs.

    Within `with LocalNodes(2) as nodes` a process that has not connected yet connects to `nodes.address`; the token is in the
    environment. Nothing of them is left behind.
    """

    def __init__(self, count: int, *, cpus: int | None = None) -> None:
        if not 1 <= count <= 200:
            raise ValueError(f"count: {count} is out of range: expected 1 to 200 nodes")
        token = _token()
        cores = os.cpu_count() or 1
        self.cpus = max(1, cores // count) if cpus is None else cpus
        if self.cpus < 1:
            raise ValueError(f"cpus: {self.cpus} is out of range: expected 1 or more")
        # Short: names of sockets may have 107 characters.
        self._folder = Path(tempfile.mkdtemp(prefix="ray-"))
        self._before = {name: os.environ.get(name) for name in (MODE, TOKEN)}
        os.environ[MODE], os.environ[TOKEN] = "token", token
        #: The processes that stand for the nodes, the head first.
        self.processes: list[subprocess.Popen[bytes]] = []
        self._hosts: list[str] = []
        self.address = f"127.0.0.2:{_free_port('127.0.0.2')}"
        try:
            for _ in range(count):
                self.add()
        except BaseException:
            self.close()
            raise

    def add(self) -> None:
        """Starts one more node, and waits until it is there."""
        number = len(self.processes)
        for tries in range(TRIES):
            failure = self._start(number, self._folder / f"{number}-{tries}")
            if failure is None:
                return
            if TIMED_OUT not in failure or tries + 1 == TRIES:
                raise NodesFailed(f"node {number} did not begin; Ray said:\n{failure}")
            self._end(self.processes.pop())
            self._hosts.pop()

    def _start(self, number: int, folder: Path) -> str | None:
        """Starts node `number`. Returns what Ray printed if it failed. The node has a folder of its own, because sockets are
        named by the moment, and nodes that begin at once would share one."""
        host = f"127.0.0.{number + 2}"
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", f"--node-ip-address={host}"]
        command += [f"--num-cpus={self.cpus}", f"--temp-dir={folder}", "--disable-usage-stats", "--num-gpus=0"]
        if number == 0:
            port = self.address.rpartition(":")[2]
            command += ["--head", f"--port={port}", "--include-dashboard=false"]
        else:
            command += [f"--address={self.address}"]
        log = self._folder / f"{folder.name}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True
            )
        self.processes.append(process)
        self._hosts.append(host)
        for _ in range(PATIENCE * 10):
            if b"Ray runtime started." in log.read_bytes():
                return None
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
            break
        return log.read_text(errors="replace").strip()

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        """Ends a node, and all processes that it started and left."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def kill(self, number: int) -> None:
        """Ends a node with all its processes at once, as if its machine had lost its power."""
        os.killpg(self.processes[number].pid, signal.SIGKILL)
        self.processes[number].wait()

    def close(self) -> None:
        """Ends all nodes."""
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                pass
            self._end(process)
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> LocalNodes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

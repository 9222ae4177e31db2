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
        host = f"127.0.0.{number + 2}"
        # A folder of its own: sockets are named by the moment, and nodes that begin at once would share one.
        folder = self._folder / str(number)
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", f"--node-ip-address={host}"]
        command += [f"--num-cpus={self.cpus}", f"--temp-dir={folder}", "--disable-usage-stats", "--num-gpus=0"]
        if number == 0:
            port = self.address.rpartition(":")[2]
            command += ["--head", f"--port={port}", "--include-dashboard=false"]
        else:
            command += [f"--address={self.address}"]
        log = self._folder / f"{number}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=output, stdin=subprocess.DEVNULL, start_new_session=True
            )
        self.processes.append(process)
        self._hosts.append(host)
        deadline = PATIENCE * 10
        for _ in range(deadline):
            told = log.read_bytes()
            if b"Ray runtime started." in told:
                return
            try:
                process.wait(0.1)
            except subprocess.TimeoutExpired:
                continue
            break
        said = log.read_text(errors="replace").strip()
        raise NodesFailed(f"node {number} did not begin; Ray said:\n{said}")

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
            # Whatever it started and left.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
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

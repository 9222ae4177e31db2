"""Runs and contests over Ray: one process, two nodes, and two nodes that lose workers and a node give one hash."""

import fcntl
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import cardsharp_ray
import cardsharp_rl
import pytest
from cardsharp_ray import LocalNodes, NodesFailed, TooFewWorkers, WorkerPool, WrongBuild
from cardsharp_rl import _core

#: A run with past selves, whose units take a moment each.
CONFIG = """
game = "dalmuti"
seed = 4
iterations = 6
[net]
hidden = [32]
[ppo]
imitation_iterations = 1
[rollout]
units = 8
sessions = 24
[[rollout.tables]]
rules = { players = 5, hands = 4 }
[league]
past = 0.4
every = 1
pool = 3
[evaluate]
every = 3
deals = 4
final_deals = 8
[checkpoint]
every = 1
[metrics]
tensorboard = false
"""


@pytest.fixture(scope="module")
def config(tmp_path_factory):
    path = tmp_path_factory.mktemp("config") / "run.toml"
    path.write_text(CONFIG)
    return path


def kept(run: Path) -> str:
    """The hash of all that came of a run and no clock influences."""
    last = sorted((run / "checkpoints").glob("0*"))[-1]
    files = [run / "metrics.csv", *sorted(last.iterdir()), *sorted((run / "bundle").iterdir())]
    sums = {f"{file.parent.name}/{file.name}": hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    # The times of the arena, which are not the same twice.
    sums.pop("bundle/arena.json", None)
    return hashlib.sha256(json.dumps(sums).encode()).hexdigest()


@pytest.fixture(scope="module")
def alone(config, tmp_path_factory):
    run = cardsharp_rl.train(config, run=tmp_path_factory.mktemp("alone") / "run")
    return kept(run.run)


@pytest.fixture(scope="module")
def nodes():
    with LocalNodes(2, cpus=2) as nodes:
        yield nodes


def worker_processes():
    """The processes that play."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            title = (process / "cmdline").read_bytes().replace(b"\0", b" ")
        except OSError:
            continue
        if title.startswith(b"ray::Worker"):
            found.append(int(process.name))
    return found


def test_two_nodes_give_the_bytes_of_one_process(config, alone, nodes, tmp_path):
    with WorkerPool(nodes.address, at_least=4) as workers:
        run = cardsharp_rl.train(config, run=tmp_path / "run", workers=workers)
    assert run.finished and workers.pool.lost == 0
    assert kept(run.run) == alone


def test_so_do_those_that_lose_five_workers_and_a_node(config, alone, tmp_path):
    done, killed = threading.Event(), []

    def kill():
        draw = random.Random(1)
        while len(killed) < 5 and not done.wait(0.25):
            running = [worker for worker in worker_processes() if worker not in killed]
            if running:
                killed.append(draw.choice(running))
                os.kill(killed[-1], signal.SIGKILL)

    def step(iteration):
        if iteration.iteration == 1:
            killer.start()
        if iteration.iteration == 3:
            nodes.kill(1)

    killer = threading.Thread(target=kill)
    with LocalNodes(2, cpus=2) as nodes, WorkerPool(nodes.address, at_least=1) as workers:
        try:
            run = cardsharp_rl.train(config, run=tmp_path / "run", workers=workers, callback=step)
        finally:
            done.set()
            killer.join()
    assert run.finished and len(killed) == 5 and workers.pool.lost > 0
    assert kept(run.run) == alone


def test_a_driver_that_is_killed_is_resumed_to_the_same_bytes(config, alone, nodes, tmp_path):
    command = [sys.executable, "-m", "cardsharp_ray.command", "train", "--address", nodes.address]
    run = tmp_path / "run"
    first = subprocess.Popen([*command, str(config), "--run", str(run)], stderr=subprocess.DEVNULL)
    while first.poll() is None and not list(run.glob("checkpoints/0*")):
        time.sleep(0.05)
    first.kill()
    first.wait()
    assert not (run / "bundle").exists()
    ended = subprocess.run([*command, "--resume", str(run), "--json"], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["finished"] is True
    assert kept(run) == alone


def test_a_contest_gives_the_figures_of_one_process(nodes):
    def figures(report):
        # But for the times of moves.
        return [(bot.name, bot.place_score, bot.points, bot.places) for bot in report.bots]

    asked = dict(num_deals=64, rules={"players": 4})
    heard = []
    with WorkerPool(nodes.address) as workers:
        found = cardsharp_rl.arena(
            "dalmuti", ["scripted", "random"], workers=workers, progress=lambda *step: heard.append(step), **asked
        )
        robin = cardsharp_rl.arena(
            "dalmuti", ["scripted", "random", "dalmuti"], round_robin=True, num_deals=40, workers=workers
        )
        with pytest.raises(TypeError, match="bots: expected names, which any worker can load"):
            cardsharp_rl.arena(
                "dalmuti", [cardsharp_rl.bot("random", "dalmuti"), "random"], num_deals=2, workers=workers
            )
    assert figures(found) == figures(cardsharp_rl.arena("dalmuti", ["scripted", "random"], **asked))
    assert figures(robin) == figures(
        cardsharp_rl.arena("dalmuti", ["scripted", "random", "dalmuti"], round_robin=True, num_deals=40)
    )
    assert heard[-1] == (4, 4)


def test_an_exploiter_learns_the_same(nodes, tmp_path):
    asked = dict(decisions=2000, num_deals=16, search=4, threads=1)
    with WorkerPool(nodes.address) as workers:
        found = cardsharp_rl.exploit("scripted", "kuhn", run=tmp_path / "crew", workers=workers, **asked)
    alone = cardsharp_rl.exploit("scripted", "kuhn", run=tmp_path / "alone", **asked)
    assert found.curve == alone.curve and found.best_response_gain == alone.best_response_gain
    assert [answer.best_response_gain for answer in found.tried] == [
        answer.best_response_gain for answer in alone.tried
    ] and len(found.tried) == 2


def test_a_machine_that_comes_gets_workers(tmp_path):
    with LocalNodes(1, cpus=1) as nodes, WorkerPool(nodes.address) as workers:
        assert workers.pool.present == 1
        nodes.add()
        workers.pool.at_least = 2
        workers.pool.wait_for_workers()
        assert workers.pool.present == 2


def test_without_waiting_a_run_comes_to_its_end_and_can_be_resumed(config, nodes, tmp_path):
    seen = []

    def step(iteration):
        seen.append(iteration.figures["rollout/sessions"])
        return iteration.iteration < 3

    with WorkerPool(nodes.address, lag=2) as workers:
        left = cardsharp_rl.train(config, run=tmp_path / "run", workers=workers, callback=step)
        assert not left.finished and left.iterations == 3
        run = cardsharp_rl.train(resume=tmp_path / "run", workers=workers, callback=lambda _: None)
    assert run.finished and seen == [8 * 24] * 3


def test_a_wrong_token_is_refused(nodes):
    code = f"import cardsharp_ray; cardsharp_ray.WorkerPool({nodes.address!r})"
    environment = os.environ | {"RAY_AUTH_TOKEN": "0" * 64, "RAY_NUM_REDIS_GET_RETRIES": "2"}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode != 0
    assert "InvalidAuthToken" in ended.stderr


def test_a_wrong_build_is_refused_before_a_run_begins(config, nodes, tmp_path, monkeypatch):
    import cardsharp_ray._pool as pool

    monkeypatch.setattr(pool, "build", lambda: "0.0.0+0")
    with pytest.raises(WrongBuild, match="the learner has 0.0.0[+]0: expected the same wheels on every machine"):
        with WorkerPool(nodes.address) as workers:
            cardsharp_rl.train(config, run=tmp_path / "run", workers=workers)
    assert not (tmp_path / "run").exists()


def test_too_few_workers_leave_a_checkpoint_and_say_so(config, alone, tmp_path):
    def step(iteration):
        if iteration.iteration == 2:
            nodes.kill(1)
            while sum(node["Alive"] for node in ray.nodes()) > 1:
                time.sleep(0.1)

    with LocalNodes(2, cpus=1) as nodes:
        import ray

        with WorkerPool(nodes.address, at_least=1) as workers:
            # Both are there before anything is asked of them.
            workers.pool.at_least, workers.pool.timeout = 2, 60.0
            workers.pool.wait_for_workers()
            workers.pool.timeout = 0.3
            with pytest.raises(TooFewWorkers, match="1 workers for 0.3 seconds: expected 2 at least"):
                cardsharp_rl.train(config, run=tmp_path / "run", workers=workers, callback=step)
    assert list((tmp_path / "run" / "checkpoints").glob("0*"))
    run = cardsharp_rl.train(resume=tmp_path / "run")
    assert kept(run.run) == alone


def test_what_cannot_be_is_refused_before_anything_begins():
    for refused in ({"workers": 0}, {"at_least": 0}, {"lag": -1}, {"timeout": 0.0}, {"workers": 2, "at_least": 3}):
        with pytest.raises(ValueError, match="expected|more than"):
            WorkerPool(**refused)
    with pytest.raises(ValueError, match="count: 0 is out of range"):
        LocalNodes(0)
    assert issubclass(NodesFailed, RuntimeError)


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    from cardsharp_ray.command import main

    assert main(["train"]) == 1
    assert "expected a configuration, or a run to go on with by --resume" in capsys.readouterr().err
    assert main(["arena", "dalmuti", "--bots", "random,random", "--rules", "[1"]) == 1
    assert "--rules: not JSON" in capsys.readouterr().err
    assert main(["train", "x.toml", "--node-cpus", "2"]) == 1
    assert "--node-cpus: only nodes that are started here" in capsys.readouterr().err


SWEEP = """
config = "run.toml"
seeds = 2
method = "grid"
[set]
iterations = 4
"evaluate.every" = 1
"evaluate.deals" = 4
"rollout.units" = 1
"rollout.sessions" = 8
"ppo.learning_rate" = { from = 5e-4, to = 5e-5 }
[stop]
after = 1
[fields]
ppo.learning_rate.from = [0.01, 1e-7, 1e-6]
"""


def test_a_sweep_that_loses_a_worker_and_its_driver_has_the_results_of_one_process(config, nodes, tmp_path):
    file = config.parent / "sweep.toml"
    file.write_text(SWEEP)
    # The engine itself, one run after the other.
    alone = cardsharp_ray.sweep(file, Alone(), folder=tmp_path / "alone")
    heard = []

    def killing(stand):
        heard.append(stand)
        if len(heard) == 1:
            os.kill(worker_processes()[0], signal.SIGKILL)
        if len(heard) == 3:
            raise KeyboardInterrupt

    with WorkerPool(nodes.address) as workers:
        with pytest.raises(KeyboardInterrupt):
            cardsharp_ray.sweep(file, workers, folder=tmp_path / "crew", callback=killing)
        found = cardsharp_ray.sweep(file, workers, folder=tmp_path / "crew")
    assert (
        found == alone
        and (tmp_path / "crew/results.json").read_bytes() == (tmp_path / "alone/results.json").read_bytes()
    )
    assert [row["end"] for row in found["settings"]].count("finished") >= 1 and found["again"] is not None


def test_a_worker_that_was_lost_and_holds_its_run_yet_is_waited_for(config, tmp_path):
    run = tmp_path / "run"
    cardsharp_rl.train(config, run=run, threads=1)
    with (run / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        release = threading.Timer(1, fcntl.flock, (lock, fcntl.LOCK_UN))
        release.start()
        assert _core.recall(run, "arena/scripted/place_score")
        release.join()


class Alone:
    """A worker pool without workers: it does its tasks here, one after the other."""

    def __init__(self):
        self.pool, self.waiting, self.present, self.dismiss = self, [], 1, self.drop

    def task(self, method, arguments):
        import cardsharp_ray._pool as pool

        return pool.Task(method, arguments)

    def drop(self):
        self.waiting.clear()

    def add(self, task):
        self.waiting.append(task)

    def step(self, depth):
        from cardsharp_ray._worker import Worker, build

        done = [(task, getattr(Worker(build(), os.getcwd()), task.method)(*task.arguments)) for task in self.waiting]
        self.waiting.clear()
        return done

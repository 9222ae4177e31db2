"""`cardsharp-ray`: runs, contests, exploiters and sweeps on a cluster, from the command line."""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cardsharp_rl

from cardsharp_ray import LocalNodes, LostTooOften, Stand, TooFewWorkers, WorkerPool, sweep

EXAMPLES = """
examples:
  two nodes on this machine
      cardsharp-ray train configs/quickstart.toml --local-nodes 2
  a cluster that is there (RAY_ADDRESS, or the one on this machine)
      cardsharp-ray train configs/dalmuti.toml --workers 64 --at-least 48
  go on with a run
      cardsharp-ray train --resume runs/dalmuti-1
  a contest on every core of the cluster
      cardsharp-ray arena dalmuti --bots dalmuti,scripted --deals 100000
  a sweep, a run on each core
      cardsharp-ray sweep configs/sweeps/dalmuti.toml --runs /shared/runs
"""


def _cluster() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(add_help=False)
    group = options.add_argument_group("the cluster")
    where = group.add_mutually_exclusive_group()
    where.add_argument(
        "--address", help="of a cluster that is there; without it RAY_ADDRESS, or the one on this machine"
    )
    where.add_argument("--local-nodes", type=int, metavar="N", help="start N nodes on this machine for this one thing")
    group.add_argument(
        "--node-cpus", type=int, metavar="K", help="cores of each local node; an equal share, if not given"
    )
    group.add_argument(
        "--workers", type=int, metavar="N", help="workers; one for each core of the cluster, if not given"
    )
    group.add_argument("--at-least", type=int, default=1, metavar="N", help="with fewer workers it ends [default: 1]")
    group.add_argument(
        "--timeout",
        type=float,
        default=60.0,
        metavar="S",
        help="end after this many seconds with too few workers [default: 60]",
    )
    options.add_argument("--json", action="store_true", help="what came of it as JSON")
    return options


def _parser() -> argparse.ArgumentParser:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        prog="cardsharp-ray", formatter_class=form, epilog=EXAMPLES, description="cardsharp on a cluster, by Ray Core."
    )
    parser.add_argument("--version", action="version", version=f"cardsharp-ray {_version()}")
    does = parser.add_subparsers(dest="does", required=True, metavar="COMMAND")

    train = does.add_parser("train", parents=[_cluster()], help="train a bot: the same bytes as `cardsharp train`")
    train.add_argument("config", nargs="?", help="the configuration of the run")
    train.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="change a value of it")
    train.add_argument("--run", help="the folder of the run")
    train.add_argument("--runs", default="runs", help="where its folder is made, if not given [default: runs]")
    train.add_argument("--resume", metavar="RUN", help="go on with a run")
    train.add_argument("--threads", type=int, help="threads of the learner; 0 is one for each core")
    _lag(train)

    arena = does.add_parser(
        "arena", parents=[_cluster()], help="how strong bots are: the same figures as `cardsharp arena`"
    )
    arena.add_argument("game")
    arena.add_argument("--bots", required=True, help="names and paths, with commas between them")
    arena.add_argument("--rules", default="{}", help="options of the game as JSON")
    arena.add_argument("--deals", type=int, default=400, help="[default: 400]")
    arena.add_argument("--rounds", type=int, help="of a session [default: as --rules says, else 1]")
    arena.add_argument("--seed", type=int, default=1, help="[default: 1]")
    arena.add_argument("--round-robin", action="store_true", help="every bot against every other")
    arena.add_argument("--simulations", type=int, help="tries of searches whose names give none")

    exploit = does.add_parser(
        "exploit", parents=[_cluster()], help="what a learner gains against a bot that never changes"
    )
    exploit.add_argument("bot")
    exploit.add_argument("--game", required=True)
    exploit.add_argument("--run", required=True, help="the folder of the run")
    exploit.add_argument("--rules", default="{}", help="options of the game as JSON")
    exploit.add_argument("--decisions", type=int, default=1_000_000, help="[default: 1000000]")
    exploit.add_argument("--seeds", type=int, default=1, help="players, each with a seed of its own [default: 1]")
    exploit.add_argument("--seed", type=int, default=1, help="[default: 1]")
    exploit.add_argument("--deals", type=int, default=1000, help="deals that measure it [default: 1000]")
    _lag(exploit)

    swept = does.add_parser("sweep", parents=[_cluster()], help="many runs: the same results as `cardsharp sweep`")
    swept.add_argument("sweep", help="what to sweep, as TOML")
    swept.add_argument(
        "--runs", default="runs", help="where its folder is made, which all machines see [default: runs]"
    )
    swept.add_argument("--folder", help="the sweep's folder itself")
    return parser


def _lag(parser: argparse.ArgumentParser) -> None:
    told = "take what is done first, of policies up to L iterations old; bytes then differ from run to run [default: 0]"
    parser.add_argument("--lag", type=int, default=0, metavar="L", help=told)


def _version() -> str:
    from importlib.metadata import version

    return version("cardsharp-ray")


@contextmanager
def _crew(options: argparse.Namespace) -> Iterator[WorkerPool]:
    settings: dict[str, Any] = dict(
        workers=options.workers, at_least=options.at_least, timeout=options.timeout, lag=getattr(options, "lag", 0)
    )
    if options.local_nodes is None:
        if options.node_cpus is not None:
            raise ValueError("--node-cpus: only nodes that are started here (--local-nodes) are given cores")
        with WorkerPool(options.address, **settings) as workers:
            yield workers
        return
    with LocalNodes(options.local_nodes, cpus=options.node_cpus) as nodes:
        _say(f"{options.local_nodes} nodes at {nodes.address}, {nodes.cpus} cores each")
        with WorkerPool(nodes.address, **settings) as workers:
            yield workers


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _rules(text: str) -> dict[str, Any]:
    try:
        rules = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"--rules: not JSON: {error}") from None
    if not isinstance(rules, dict):
        raise ValueError(f"--rules: expected a JSON object, not {text}")
    return rules


class _Shown:
    """How a run goes, a line for each iteration or, where they are quick, every few seconds."""

    def __init__(self, workers: WorkerPool) -> None:
        self.workers, self.begun, self.told = workers, time.monotonic(), 0.0
        self.first: int | None = None

    def __call__(self, step: cardsharp_rl.Iteration) -> None:
        now = time.monotonic()
        if self.first is None:
            self.first = step.iteration - 1
        for warning in step.warnings:
            _say(f"warning: {warning}")
        if now - self.told < 2 and step.iteration < step.iterations:
            return
        self.told = now
        done = step.iteration - self.first
        left = (now - self.begun) / done * (step.iterations - step.iteration)
        rate = step.figures.get("throughput/decisions_per_second", 0.0)
        scores = (f"{report.bots[1].name} {report.bots[0].place_score.mean:+.3f}" for report in step.reports)
        parts = [
            f"{step.iteration}/{step.iterations}",
            f"{rate / 1000:.1f}k decisions/s",
            f"{self.workers.pool.present} workers",
            *([f"{self.workers.pool.lost} lost"] if self.workers.pool.lost else []),
            f"{left / 60:.1f} min left",
            *scores,
        ]
        _say("  ".join(parts))


def _train(options: argparse.Namespace) -> int:
    if (options.config is None) == (options.resume is None):
        raise ValueError("train: expected a configuration, or a run to go on with by --resume")
    with _crew(options) as workers:
        if options.lag:
            _say(f"not waiting for the last unit (--lag {options.lag}): another run of this seed will give other bytes")
        run = cardsharp_rl.train(
            options.config,
            overrides=options.set,
            run=options.run,
            runs=options.runs,
            resume=options.resume,
            threads=options.threads,
            callback=_Shown(workers),
            workers=workers,
        )
    return _told(options, run)


def _told(options: argparse.Namespace, run: cardsharp_rl.Run) -> int:
    if options.json:
        print(json.dumps(dataclasses.asdict(run), default=str))
    elif run.finished:
        print(f"bundle   {run.bundle}")
        for report in run.reports:
            print(report)
    else:
        print(f"Saved after iteration {run.iterations} and left.\nGo on with: cardsharp-ray train --resume {run.run}")
    return 0 if run.finished else 1


def _arena(options: argparse.Namespace) -> int:
    told, rules = time.monotonic(), _rules(options.rules)

    def progress(done: int, units: int) -> None:
        nonlocal told
        if time.monotonic() - told > 2:
            told = time.monotonic()
            _say(f"{done}/{units} units  {workers.pool.present} workers")

    with _crew(options) as workers:
        report = cardsharp_rl.arena(
            options.game,
            [bot for bot in options.bots.split(",") if bot],
            rules=rules,
            num_deals=options.deals,
            rounds=options.rounds,
            seed=options.seed,
            round_robin=options.round_robin,
            simulations=options.simulations,
            progress=progress,
            workers=workers,
        )
    print(json.dumps(report.json) if options.json else report)
    return 0


def _exploit(options: argparse.Namespace) -> int:
    rules = _rules(options.rules)
    with _crew(options) as workers:
        found = cardsharp_rl.exploit(
            options.bot,
            options.game,
            run=Path(options.run),
            rules=rules,
            decisions=options.decisions,
            seeds=options.seeds,
            seed=options.seed,
            num_deals=options.deals,
            callback=_Shown(workers),
            workers=workers,
        )
    return _told(options, found)


def _sweep(options: argparse.Namespace) -> int:
    def shown(stand: Stand) -> None:
        _say(f"{stand.ended}/{stand.settings} settings  {stand.under_way} runs under way  {stand.workers} workers")

    with _crew(options) as workers:
        results = sweep(options.sweep, workers, folder=options.folder, runs=options.runs, callback=shown)
    if options.json:
        print(json.dumps(results))
        return 0
    print("  ".join(["setting", "mean", "ended", *results["fields"]]))
    for row in results["settings"]:
        interval = row["interval"]
        mean = "" if row["mean"] is None else f"{row['mean']:+.3f}"
        if interval:
            mean += f" ({interval['low']:+.3f} … {interval['high']:+.3f})"
        print("  ".join([row["folder"], mean, row["end"], *(json.dumps(value) for value in row["values"])]))
    again = results["again"]
    if again:
        print(f"Setting {again['setting']} on {again['deals']} deals more that nothing else saw: {again['mean']:+.3f}")
    return 0


def _onward(options: argparse.Namespace) -> None:
    """How to go on with what was left."""
    if options.does == "sweep":
        _say("Left. The same command goes on with it.")
    if options.does != "train":
        return
    run = options.run or options.resume
    if run is None:
        begun = Path(options.runs).glob(f"{Path(options.config).stem}-*")
        run = max(begun, key=lambda folder: folder.stat().st_mtime, default=None)
    if run is not None and (Path(run) / "config.toml").is_file():
        _say(f"Saved and left.\nGo on with: cardsharp-ray train --resume {run}")


def main(arguments: Sequence[str] | None = None) -> int:
    """What the command does; its exit code."""
    options = _parser().parse_args(arguments)
    try:
        return {"train": _train, "arena": _arena, "exploit": _exploit, "sweep": _sweep}[options.does](options)
    except KeyboardInterrupt:
        _onward(options)
        return 130
    except (TooFewWorkers, LostTooOften) as error:
        _say(f"error: {error}")
        _onward(options)
        return 1
    # Those of the cluster, and of what was asked for.
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        _say(f"error: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())

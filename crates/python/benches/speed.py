"""Measures decisions per CPU second of this package and of other libraries in one run, with random legal actions.

    pip install open_spiel rlcard 'pettingzoo[classic]' gymnasium stable-baselines3
    python crates/python/benches/speed.py [SECONDS] [TURNS] [WORD]

Every loop runs for SECONDS of CPU time (default: 0.3), then the next one. After the last loop the first one has its
next turn, TURNS times (default: 5). So all loops meet the same load of other programs. The table has the best and the
median turn. With WORD only loops run whose name contains it. Libraries that are not installed are skipped.

A decision includes what a learner needs, the observation and the legal actions, unless the name says otherwise. CPU
time is that of the process and, with SB3's processes, of these.
"""

from __future__ import annotations

import importlib
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import cardsharp_rl
import numpy as np

LANES = 1024
GAMES = [game.name for game in cardsharp_rl.games()]

#: A loop in steps: each yields the number of decisions since the last one.
Loop = Iterator[int]


def batch(game: str, pick: Callable[[Any, Any], Any]) -> Loop:
    """A batch, its actions by `pick`."""
    lanes = cardsharp_rl.Batch(game, LANES, seed=1)
    step = lanes.now
    while True:
        step = lanes.step(pick(lanes, step))
        yield LANES


NOISE = np.random.default_rng(1)


def by_numpy(lanes: Any, step: Any) -> Any:
    """Draws with numpy alone, as docs/python.md shows."""
    mask = step.action_mask
    found = np.flatnonzero(mask)
    ends = np.searchsorted(found, np.arange(len(mask) + 1) * mask.shape[1])
    picks = found[ends[:-1] + (NOISE.random(len(mask)) * np.diff(ends)).astype(int)]
    return picks % mask.shape[1]


def by_logits() -> Callable[[Any, Any], Any]:
    """Draws from logits that are the same in every step."""
    made: dict[tuple[int, ...], Any] = {}

    def pick(lanes: Any, step: Any) -> Any:
        shape = step.action_mask.shape
        if shape not in made:
            made[shape] = NOISE.normal(size=shape).astype(np.float32)
        return cardsharp_rl.sample_logits(made[shape], step.action_mask, NOISE)

    return pick


def table(game: str) -> Loop:
    """One table after another, without a batch."""
    for seed in range(10**9):
        session, decisions = cardsharp_rl.Table(game, seed=seed), 0
        while session.turn is not None:
            session.observation()
            session.play(int(random.choice(session.legal_actions())))
            decisions += 1
        yield decisions


def legal(mask: Any) -> int:
    """A random action of a mask, as PettingZoo's performance benchmark draws it."""
    return int(random.choice(np.flatnonzero(mask).tolist()))


def turns(env: Any) -> Loop:
    """PettingZoo, one agent after another."""
    while True:
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            done = termination or truncation
            env.step(None if done else legal(observation["action_mask"]))
            decisions += not done
        yield decisions


def together(env: Any) -> Loop:
    """PettingZoo, all agents in every step."""
    while True:
        observations, infos = env.reset()
        decisions = 0
        while env.agents:
            turn = next(agent for agent in env.agents if infos[agent]["active"])
            observations, _, _, _, infos = env.step({turn: legal(observations[turn]["action_mask"])})
            decisions += 1
        yield decisions


def single(env: Any) -> Loop:
    """Gymnasium, one seat; decisions of that seat alone."""
    while True:
        observation, _ = env.reset()
        decisions, over = 0, False
        while not over:
            observation, _, over, _, _ = env.step(legal(observation["action_mask"]))
            decisions += 1
        yield decisions


def lanes(envs: Any) -> Loop:
    """Gymnasium, many lanes of one seat."""
    observation, _ = envs.reset()
    while True:
        mask = observation["action_mask"]
        mask[:, 0] |= ~mask.any(1)
        observation, _, _, _, _ = envs.step(cardsharp_rl.uniform(mask, NOISE))
        yield envs.num_envs


def sb3(envs: Any) -> Loop:
    """Stable-Baselines3, masks by `action_masks`."""
    envs.reset()
    while True:
        mask = np.stack(envs.env_method("action_masks"))
        envs.step(cardsharp_rl.uniform(mask, NOISE))
        yield envs.num_envs


def spiel(game: Any, tensors: bool) -> Loop:
    """OpenSpiel in Python, with or without observation tensor and mask."""
    has = game.get_type().provides_observation_tensor
    while True:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(random.choices(outcomes, weights)[0])
                continue
            if tensors:
                np.asarray(state.observation_tensor() if has else state.information_state_tensor())
                np.asarray(state.legal_actions_mask())
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
        yield decisions


def rlcard(env: Any) -> Loop:
    """RLCard, step by step."""
    while True:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            decisions += 1
        yield decisions


def of_batches() -> dict[str, Callable[[], Loop]]:
    picks = {
        "batch.sample": lambda lanes, step: lanes.sample(),
        "uniform": lambda lanes, step: cardsharp_rl.uniform(step.action_mask, NOISE),
        "sample_logits": by_logits(),
        "numpy": by_numpy,
    }
    loops: dict[str, Callable[[], Loop]] = {}
    for game in GAMES:
        for name, pick in picks.items():
            loops[f"Batch, {game}, {name}"] = lambda game=game, pick=pick: batch(game, pick)
    for game in GAMES:
        loops[f"Table, {game}"] = lambda game=game: table(game)
    return loops


def of_pettingzoo() -> dict[str, Callable[[], Loop]]:
    ours = importlib.import_module("cardsharp_rl.pettingzoo")
    loops: dict[str, Callable[[], Loop]] = {}
    for game in GAMES:
        loops[f"PettingZoo env, {game}"] = lambda game=game: turns(ours.env(game))
    loops["PettingZoo parallel_env, dalmuti"] = lambda: together(ours.parallel_env("dalmuti"))
    for peer in ("leduc_holdem_v4", "texas_holdem_v4"):
        module = importlib.import_module(f"pettingzoo.classic.{peer}")
        loops[f"PettingZoo's own {peer}, raw_env"] = lambda module=module: turns(module.raw_env())
    return loops


def of_gymnasium() -> dict[str, Callable[[], Loop]]:
    gymnasium = importlib.import_module("gymnasium")
    importlib.import_module("cardsharp_rl.gymnasium")
    loops: dict[str, Callable[[], Loop]] = {}
    for game in GAMES:
        name = f"cardsharp/{game.capitalize()}-v{cardsharp_rl.game(game).encoding - 1}"
        loops[f"Gymnasium, {game}, scripted opponents"] = lambda name=name: single(
            gymnasium.make(name, disable_env_checker=True)
        )
        loops[f"Gymnasium, {game}, scripted opponents, {LANES} lanes"] = lambda name=name: lanes(
            gymnasium.make_vec(name, num_envs=LANES)
        )
    return loops


def of_sb3() -> dict[str, Callable[[], Loop]]:
    vec_env = importlib.import_module("stable_baselines3.common.vec_env")
    batches = importlib.import_module("cardsharp_rl.sb3")
    gym = importlib.import_module("cardsharp_rl.gymnasium")

    def make() -> Any:
        return gym.SingleAgentEnv("dalmuti", flat=True)

    return {
        "SB3 BatchVecEnv, dalmuti, 16 lanes": lambda: sb3(batches.BatchVecEnv("dalmuti", 16)),
        "SB3 BatchVecEnv, dalmuti, 256 lanes": lambda: sb3(batches.BatchVecEnv("dalmuti", 256)),
        "SB3 DummyVecEnv, dalmuti, 16 lanes": lambda: sb3(vec_env.DummyVecEnv([make] * 16)),
        # Forked processes are children of this one, so `children` finds their CPU time.
        "SB3 SubprocVecEnv, dalmuti, 16 lanes": lambda: sb3(vec_env.SubprocVecEnv([make] * 16, start_method="fork")),
    }


def of_openspiel() -> dict[str, Callable[[], Loop]]:
    pyspiel = importlib.import_module("pyspiel")
    importlib.import_module("open_spiel.python.games")
    importlib.import_module("cardsharp_rl.openspiel")
    ours = ["cardsharp_dalmuti(players=5)", "cardsharp_taki", "cardsharp_leduc"]
    peers = ["python_liars_poker", "leduc_poker", "crazy_eights", "hearts", "skat"]
    loops: dict[str, Callable[[], Loop]] = {}
    for name in ours + peers:
        for tensors, what in ((False, "states only"), (True, "tensor and mask")):
            loops[f"OpenSpiel {name}, {what}"] = lambda name=name, tensors=tensors: spiel(
                pyspiel.load_game(name), tensors
            )
    return loops


def of_rlcard() -> dict[str, Callable[[], Loop]]:
    library = importlib.import_module("rlcard")
    names = ("uno", "leduc-holdem", "doudizhu")
    return {f"RLCard {name}": lambda name=name: rlcard(library.make(name)) for name in names}


def children() -> float:
    """CPU seconds of the processes that this one started and that still run, where the system tells them."""
    seconds, own = 0.0, os.getpid()
    try:
        tasks = [task for task in os.listdir("/proc") if task.isdigit()]
    except OSError:
        return seconds
    for task in tasks:
        try:
            with open(f"/proc/{task}/stat") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        parent, user, system = int(fields[1]), int(fields[11]), int(fields[12])
        if parent == own:
            seconds += (user + system) / os.sysconf("SC_CLK_TCK")
    return seconds


def rate(loop: Loop, seconds: float, processes: bool) -> float:
    """Decisions per CPU second, by whole steps of the loop."""
    clock = (lambda: time.process_time() + children()) if processes else time.process_time
    decisions, begun = 0, clock()
    # The clock is read after every few steps of a loop with processes: reading it takes time.
    while (spent := clock() - begun) < seconds:
        for _ in range(50 if processes else 1):
            decisions += next(loop)
    return decisions / spent


def main(seconds: float, turns: int, word: str) -> None:
    loops: dict[str, Loop] = {}
    for group in (of_batches, of_pettingzoo, of_gymnasium, of_sb3, of_openspiel, of_rlcard):
        try:
            made = group()
        except ImportError as error:
            print(f"{group.__name__}: {error}", file=sys.stderr)
            continue
        loops.update({name: make() for name, make in made.items() if word in name})
    for loop in loops.values():
        next(loop)
    rates: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(turns):
        for name, loop in loops.items():
            rates[name].append(rate(loop, seconds, "SubprocVecEnv" in name) / 1e3)
    print("| loop | best | median |\n| --- | --: | --: |")
    for name, found in rates.items():
        print(f"| {name} | {max(found):,.1f} | {statistics.median(found):,.1f} |")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        float(given[0]) if given else 0.3,
        int(given[1]) if len(given) > 1 else 5,
        given[2] if len(given) > 2 else "",
    )

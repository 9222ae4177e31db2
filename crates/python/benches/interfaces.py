"""Measures steps per second through the interfaces, with random legal actions drawn in Python.

python crates/python/benches/interfaces.py [SECONDS]
"""

import random
import sys
import time
from collections.abc import Callable, Iterator

import cardsharp_rl
import cardsharp_rl.gymnasium
import cardsharp_rl.pettingzoo
import gymnasium
import numpy as np

LANES = 1024
SPELLS = 5


def name(game: str) -> str:
    """The id of a game's Gymnasium environment."""
    return f"cardsharp/{game.capitalize()}-v{cardsharp_rl.game(game).encoding - 1}"


def turns(game: str) -> Iterator[int]:
    """PettingZoo, one agent after another; draws actions like `pettingzoo.test.performance_benchmark`."""
    env = cardsharp_rl.pettingzoo.env(game)
    while True:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            done = termination or truncation
            env.step(None if done else random.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            steps += not done
        yield steps


def together(game: str) -> Iterator[int]:
    """PettingZoo, all agents in every step."""
    env = cardsharp_rl.pettingzoo.parallel_env(game)
    while True:
        observations, infos = env.reset()
        steps = 0
        while env.agents:
            agent = next(agent for agent in env.agents if infos[agent]["active"])
            legal = np.flatnonzero(observations[agent]["action_mask"]).tolist()
            observations, _, _, _, infos = env.step({agent: random.choice(legal)})
            steps += 1
        yield steps


def single(game: str) -> Iterator[int]:
    """Gymnasium, one seat against the scripted player; steps of that seat."""
    env = gymnasium.make(name(game), disable_env_checker=True)
    while True:
        observation, _ = env.reset()
        steps, terminated = 0, False
        while not terminated:
            legal = np.flatnonzero(observation["action_mask"]).tolist()
            observation, _, terminated, _, _ = env.step(random.choice(legal))
            steps += 1
        yield steps


def lanes(game: str, opponents: str = "scripted") -> Iterator[int]:
    """Gymnasium, 1,024 lanes of one seat against the scripted player; steps of that seat."""
    envs = gymnasium.make_vec(name(game), num_envs=LANES, opponents=opponents)
    observation, _ = envs.reset()
    noise = np.random.default_rng(1)
    while True:
        legal = observation["action_mask"]
        picks = (legal * noise.integers(1, 256, legal.shape, np.uint8)).argmax(axis=1)
        observation, _, _, _, _ = envs.step(picks)
        yield LANES


def rate(run: Callable[[str], Iterator[int]], game: str, seconds: float) -> float:
    """Steps per CPU second of this process. The best of `SPELLS` measurements, because other programs only slow it."""
    playing = run(game)
    next(playing)
    rates = []
    for _ in range(SPELLS):
        steps, begun = 0, time.process_time()
        while time.process_time() - begun < seconds / SPELLS:
            steps += next(playing)
        rates.append(steps / (time.process_time() - begun))
    return max(rates)


if __name__ == "__main__":
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    ways = (turns, together, single, lanes)
    print(f"{'steps/s':12}" + "".join(f"{way.__name__:>12}" for way in ways))
    for game in cardsharp_rl.games():
        print(f"{game.name:12}" + "".join(f"{rate(way, game.name, seconds):12,.0f}" for way in ways), flush=True)

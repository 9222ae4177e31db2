"""Compares decisions per second with card games of other libraries: random play in one process, by CPU time.

    pip install open_spiel rlcard 'pettingzoo[classic]'
    python crates/python/benches/peers.py [SECONDS]

Every decision includes what a learner needs: the observation of the player to move, and the legal actions. Cardsharp
runs in the same loops. Libraries that are not installed are skipped. Each number is the best of three measurements of
SECONDS (default: 1).
"""

import importlib
import random
import sys
import time

import cardsharp_rl
import numpy

SPELLS = 3


def rate(play, seconds):
    """Decisions per second of `play()`, which returns the decisions of a session. The best of `SPELLS` measurements."""
    play()
    best = 0.0
    for _ in range(SPELLS):
        begun, decisions = time.process_time(), 0
        while (spent := time.process_time() - begun) < seconds:
            decisions += play()
        best = max(best, decisions / spent)
    return best


def batch(game):
    """Cardsharp, 1,024 lanes; 100 steps instead of a session."""
    lanes = cardsharp_rl.Batch(game, 1024, seed=1)

    def play():
        for _ in range(100):
            lanes.step(lanes.sample())
        return 102_400

    return play


def table(game):
    """Cardsharp, one table in a Python loop."""
    seeds = iter(range(10**9))

    def play():
        session, decisions = cardsharp_rl.Table(game, seed=next(seeds)), 0
        while session.turn is not None:
            session.observation()
            session.play(int(random.choice(session.legal_actions())))
            decisions += 1
        return decisions

    return play


def spiel(name):
    """A game of OpenSpiel."""
    import pyspiel

    game = pyspiel.load_game(name)

    def play():
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes())
                state.apply_action(random.choices(outcomes, weights)[0])
                continue
            numpy.asarray(
                state.observation_tensor()
                if game.get_type().provides_observation_tensor
                else state.information_state_tensor()
            )
            numpy.asarray(state.legal_actions_mask())
            state.apply_action(random.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def rlcard(name):
    """A game of RLCard, step by step."""
    import rlcard

    env = rlcard.make(name)

    def play():
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def pettingzoo(name):
    """A game of PettingZoo, turn by turn."""
    env = importlib.import_module(f"pettingzoo.classic.{name}").env()

    def play():
        env.reset()
        decisions = 0
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            env.step(int(random.choice(numpy.flatnonzero(observation["action_mask"]))))
            decisions += 1
        return decisions

    return play


GAMES = {
    batch: ["dalmuti", "taki"],
    table: ["dalmuti", "taki"],
    spiel: ["crazy_eights", "hearts", "skat", "leduc_poker"],
    rlcard: ["uno", "leduc-holdem", "doudizhu"],
    pettingzoo: ["leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6"],
}


def main(seconds):
    print("| library | game | thousands of decisions a second |\n| --- | --- | --- |")
    for library, names in GAMES.items():
        for name in names:
            try:
                play = library(name)
            except ImportError as error:
                print(f"| {library.__name__} | {name} | not installed: {error} |")
                continue
            print(f"| {library.__name__} | {name} | {rate(play, seconds) / 1e3:,.1f} |", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)

"""Decisions a second of `cardsharp.Batch`, by CPU time.

    python crates/python/benches/batch.py [SECONDS]

Each figure is the best of five spells of SECONDS (1 if nothing is said). Rows and masks are there after every step, copied
into arrays of their own unless the column says otherwise.
"""

import sys
import time

import numpy

import cardsharp

LANES = 1024
SPELLS = 5


def rate(batch, pick, seconds, clock):
    """Decisions a second, the best of some spells."""
    step = batch.now
    for _ in range(20):
        step = batch.step(pick(batch, step))
    best = 0.0
    for _ in range(SPELLS):
        begun, decisions = clock(), 0
        while (spent := clock() - begun) < seconds:
            step = batch.step(pick(batch, step))
            decisions += batch.lanes
        best = max(best, decisions / spent)
    return best


def engine(batch, step):
    """A legal action for each lane, drawn by the engine."""
    return batch.sample()


def uniform():
    """The same, drawn by numpy from the masks: the n-th legal action of each lane."""
    random = numpy.random.default_rng(1)

    def pick(batch, step):
        lane, action = numpy.nonzero(step.legal)
        counts = numpy.bincount(lane, minlength=len(step.seat))
        first = numpy.cumsum(counts) - counts
        return action[first + (random.random(len(counts)) * counts).astype(numpy.int64)]

    return pick


def helper():
    """The same by the package's helper."""
    random = numpy.random.default_rng(1)
    return lambda batch, step: cardsharp.uniform(step.legal, random)


def main(seconds):
    columns = {
        "picked by the engine": lambda game: rate(cardsharp.Batch(game, LANES, seed=1), engine, seconds, time.process_time),
        "not copied": lambda game: rate(cardsharp.Batch(game, LANES, seed=1, copy=False), engine, seconds, time.process_time),
        "picked by numpy": lambda game: rate(cardsharp.Batch(game, LANES, seed=1), uniform(), seconds, time.process_time),
        "by cardsharp.uniform": lambda game: rate(cardsharp.Batch(game, LANES, seed=1), helper(), seconds, time.process_time),
        "forced moves skipped": lambda game: rate(
            cardsharp.Batch(game, LANES, seed=1, skip_forced=True), engine, seconds, time.process_time
        ),
        # By the clock on the wall: threads share it.
        "wall, 1 thread": lambda game: rate(cardsharp.Batch(game, LANES, seed=1), engine, seconds, time.perf_counter),
        "wall, 2 threads": lambda game: rate(
            cardsharp.Batch(game, LANES, seed=1, threads=2), engine, seconds, time.perf_counter
        ),
    }
    print("| millions a second | " + " | ".join(columns) + " |")
    print("| --- |" + " --- |" * len(columns))
    for game in cardsharp.games():
        figures = [measure(game) / 1e6 for measure in columns.values()]
        print(f"| {game.title} | " + " | ".join(f"{figure:.2f}" for figure in figures) + " |", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)

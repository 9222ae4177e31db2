"""Measures decisions per second of `cardsharp_rl.Batch`, by CPU time.

    python crates/python/benches/batch.py [SECONDS]

Each number is the best of five measurements of SECONDS (default: 1). Every step returns observations and action masks.
They are copied into new arrays, unless the column says otherwise.

The last four columns use wall-clock time. One thread, two threads, and two processes with one batch each take turns.
There are forty turns, with SECONDS / 8 for each. The columns "bring" divide the rates of two threads and two processes
by the rate of one thread in the same turn: median and quartiles. Two processes show the most that the machine allows.
"""

import multiprocessing
import statistics
import sys
import time

import cardsharp_rl
import numpy

LANES = 1024
SPELLS = 5
TURNS = 40


def spell(batch, pick, seconds, clock):
    """Millions of decisions per second, by `clock`."""
    step, begun, decisions = batch.now, clock(), 0
    while (spent := clock() - begun) < seconds:
        step = batch.step(pick(batch, step))
        decisions += batch.lanes
    return decisions / spent / 1e6


def rate(batch, pick, seconds):
    """Millions of decisions per CPU second, the best of `SPELLS` measurements."""
    spell(batch, pick, 0.01, time.process_time)
    return max(spell(batch, pick, seconds, time.process_time) for _ in range(SPELLS))


def engine(batch, step):
    """A legal action for each lane, drawn by the engine."""
    return batch.sample()


def uniform():
    """A legal action for each lane, drawn by numpy from the masks: a random n, then the n-th legal action."""
    random = numpy.random.default_rng(1)

    def pick(batch, step):
        lane, action = numpy.nonzero(step.action_mask)
        counts = numpy.bincount(lane, minlength=len(step.seat))
        first = numpy.cumsum(counts) - counts
        return action[first + (random.random(len(counts)) * counts).astype(numpy.int64)]

    return pick


def helper():
    """A legal action for each lane, drawn by `cardsharp_rl.uniform`."""
    random = numpy.random.default_rng(1)
    return lambda batch, step: cardsharp_rl.uniform(step.action_mask, random)


def neighbour(game, seconds, pipe):
    """Runs in a second process: measures its own batch whenever `pipe` asks for it."""
    batch = cardsharp_rl.Batch(game, LANES, seed=2)
    while pipe.recv():
        pipe.send(spell(batch, engine, seconds, time.perf_counter))


def side_by_side(game, seconds):
    """The best rates of one and two threads, then the gains of two threads and two processes: median and quartiles."""
    one, two = (cardsharp_rl.Batch(game, LANES, seed=1, threads=threads) for threads in (1, 2))
    context = multiprocessing.get_context("spawn")
    pipe, its_end = context.Pipe()
    other = context.Process(target=neighbour, args=(game.name, seconds, its_end))
    other.start()
    turns = []
    for _ in range(1 + TURNS):
        single, double = (spell(batch, engine, seconds, time.perf_counter) for batch in (one, two))
        pipe.send(True)
        turns.append((single, double, spell(one, engine, seconds, time.perf_counter) + pipe.recv()))
    pipe.send(False)
    other.join()
    singles, doubles, both = zip(*turns[1:])  # the first turn is a warm-up

    def gain(rates):
        low, middle, high = statistics.quantiles([rate / single for rate, single in zip(rates, singles)])
        return f"{middle:.2f} ({low:.2f} to {high:.2f})"

    return [f"{max(singles):.2f}", f"{max(doubles):.2f}", gain(doubles), gain(both)]


def main(seconds):
    def alone(pick, **options):
        return lambda game: rate(cardsharp_rl.Batch(game, LANES, seed=1, **options), pick, seconds)

    columns = {
        "picked by the engine": alone(engine),
        "not copied": alone(engine, copy=False),
        "picked by numpy": alone(uniform()),
        "by cardsharp_rl.uniform": alone(helper()),
        "forced moves skipped": alone(engine, skip_forced=True),
    }
    names = [*columns, "1 thread", "2 threads", "2 threads bring", "2 processes bring"]
    print(f"| millions a second | {' | '.join(names)} |")
    print("| --- |" + " --- |" * len(names))
    for game in cardsharp_rl.games():
        figures = [f"{measure(game):.2f}" for measure in columns.values()] + side_by_side(game, seconds / 8)
        print(f"| {game.title} | {' | '.join(figures)} |", flush=True)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)

"""Reads the events of a training run with TensorBoard's own reader and holds them against the run's
CSV files.

    check_events.py RUN
"""

import csv
import sys
from pathlib import Path

import numpy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

# A name, or a group of which at least one name must be there.
EXPECTED = [
    "rollout/",
    "loss/",
    "policy/entropy",
    "policy/approx_kl",
    "policy/clip_fraction",
    "value/explained_variance",
    "throughput/",
    "arena/",
]


def require(true, message):
    if not true:
        sys.exit(f"check_events: {message}")


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def main():
    run = Path(sys.argv[1])
    events = EventAccumulator(str(run), size_guidance={"scalars": 0, "tensors": 0, "histograms": 0})
    events.Reload()
    tags = events.Tags()
    scalars = set(tags["scalars"])
    for name in EXPECTED:
        found = any(tag.startswith(name) for tag in scalars) if name.endswith("/") else name in scalars
        require(found, f"no scalar {name}; there are {sorted(scalars)}")
    try:
        texts = events.PluginTagToContent("text")
    except KeyError:
        sys.exit("check_events: the configuration is not there as text")
    for tag in texts:
        (words, *_) = [tensor.tensor_proto.string_val[0].decode() for tensor in events.Tensors(tag)]
        require("seed" in words, f"the text {tag} is no configuration: {words[:200]}")
    histograms = tags["histograms"]
    require(histograms, "there are no histograms")
    for tag in histograms:
        for event in events.Histograms(tag):
            value = event.histogram_value
            require(value.num == sum(value.bucket) > 0, f"the buckets of {tag} do not add up")

    metrics, timing = read_csv(run / "metrics.csv"), read_csv(run / "timing.csv")
    require(metrics, "metrics.csv has no rows")
    require([r["iteration"] for r in metrics] == [r["iteration"] for r in timing], "the CSV files differ in rows")
    steps = [int(row["decisions"]) for row in metrics]
    compared = 0
    for rows in (metrics, timing):
        for name in rows[0].keys() - {"iteration", "decisions"}:
            expected = [(step, float(row[name])) for step, row in zip(steps, rows) if row[name] != ""]
            found = [(e.step, e.value) for e in events.Scalars(name)] if name in scalars else []
            require([s for s, _ in found] == [s for s, _ in expected], f"{name} has other steps than its CSV column")
            a, b = ([numpy.float32(value) for _, value in side] for side in (found, expected))
            require(numpy.array_equal(a, b, equal_nan=True), f"{name} differs from its CSV column")
            compared += len(found)
            scalars.discard(name)
    require(not scalars, f"scalars without a CSV column: {sorted(scalars)}")
    print(f"check_events: {compared} scalars, {len(histograms)} histograms and the configuration read back")


main()

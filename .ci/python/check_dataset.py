"""Reads datasets with polars, pyarrow and DuckDB, runs what docs/dataset.md shows of them, and holds sessions that were
read from traces against the same sessions written while they were played.

    check_dataset.py CARDSHARP      (the path of the program)
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow.dataset as ds

DOCS = Path("docs/dataset.md")
PLAYED = [
    "dalmuti",
    "--bots",
    "scripted,random",
    "--players",
    5,
    "--rounds",
    3,
    "--decisions",
    40_000,
    "--shard",
    20_000,
]
WIDE = ["observation", "legal"]


def require(true, message):
    if not true:
        sys.exit(f"check_dataset: {message}")


def run(*command):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True)
    require(done.returncode == 0, f"{' '.join(command)}\n{done.stderr}")
    return done.stdout


def rows_of(column, count):
    """A column of byte strings as one array."""
    return np.frombuffer(b"".join(column), np.uint8).reshape(count, -1)


def by_polars(folder):
    frame = pl.read_parquet(f"{folder}/*.parquet")
    return {name: frame[name].to_list() for name in frame.columns}


def by_pyarrow(folder):
    return ds.dataset(folder).to_table().to_pydict()


def by_duckdb(folder):
    found = duckdb.sql(f"SELECT * FROM '{folder}/*.parquet' ORDER BY session, step")
    return dict(zip(found.columns, map(list, zip(*found.fetchall()))))


def check_facts(columns, about):
    """What must be true of any dataset."""
    count = len(columns["action"])
    observation, legal = (rows_of(columns[name], count) for name in WIDE)
    require(observation.shape[1] == sum(block["len"] for block in about["observation"]), "cells of a row")
    require(legal.shape[1] == sum(block["len"] for block in about["actions"]) == len(about["labels"]), "actions")
    largest = np.concatenate([np.full(block["len"], block["max"]) for block in about["observation"]])
    require((observation <= largest).all(), "a cell beyond its block's maximum")
    require(set(np.unique(legal)) == {0, 1} and (legal.sum(axis=1) > 1).all(), "a mask, or a forced decision")
    require((legal[np.arange(count), columns["action"]] == 1).all(), "an action that is not legal")
    require(set(columns["bot"]) == set(about["bots"]), "the names of the bots")
    later, returns = {}, {}
    for row in reversed(range(count)):
        session, seat, of_round = columns["session"][row], columns["seat"][row], columns["round"][row]
        key = (session, seat)
        require(columns["last_of_session"][row] == (key not in later), f"row {row}: last_of_session")
        require(columns["last_of_round"][row] == (later.get(key) != of_round), f"row {row}: last_of_round")
        if later.get(key, of_round) == of_round and key in returns:
            require(columns["return_to_go"][row] == returns[key], f"row {row}: return_to_go within a round")
            require(columns["reward"][row] == 0, f"row {row}: a reward before the last row of a round")
        later[key], returns[key] = of_round, columns["return_to_go"][row]


def check_readers(folder):
    """Every reader finds the same."""
    columns = by_pyarrow(folder)
    for name, other in [("polars", by_polars(folder)), ("DuckDB", by_duckdb(folder))]:
        require(list(other) == list(columns), f"columns by {name}")
        for column in columns:
            require(list(map(plain, other[column])) == list(map(plain, columns[column])), f"{column} by {name}")
    files = sorted(Path(folder).iterdir())
    about = [json.loads(pl.read_parquet_metadata(file)["cardsharp"]) for file in files]
    require([shard["shard"] for shard in about] == list(range(len(files))) and len(files) > 1, "numbers of shards")
    check_facts(columns, about[-1])
    return columns


def plain(value):
    return bytes(value) if isinstance(value, (bytearray, memoryview)) else value


def check_docs(text):
    """What the docs show works, in a folder with the dataset that they name."""
    shown = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    require(len(shown) == 4, f"{len(shown)} examples in {DOCS}")
    arrays = []
    for code in shown:
        names = {}
        exec(code, names)  # Our own page.
        if "rows" in names:
            arrays.append(names["rows"])
            require(names["rows"].shape[1] == 732, f"{names['rows'].shape} in:\n{code}")
        if "steps" in names:
            require(names["steps"]["next"].null_count() == names["steps"]["done"].sum(), "transitions")
    require((arrays[0] == arrays[1]).all() and len(arrays[2]) < len(arrays[0]), "rows by the examples")


def check_traces(cardsharp, folder):
    """Sessions from traces are those of the dataset."""
    bots = ["--bots", "scripted", "--players", 6, "--rounds", 2]
    run(cardsharp, "dataset", "dalmuti", *bots, "--sessions", 5, "--to", folder / "written")
    written = by_pyarrow(folder / "written")
    traces = []
    for number, seed in enumerate(dict.fromkeys(written["session_seed"])):
        traces.append(folder / f"{number}.jsonl")
        traces[-1].write_text(run(cardsharp, "trace", "dalmuti", *bots, "--seed", seed))
    run(cardsharp, "dataset", "--traces", *traces, "--to", folder / "read")
    require(by_pyarrow(folder / "read") == written, "sessions from traces differ from those that were played")


def main():
    cardsharp, text = Path(sys.argv[1]).resolve(), DOCS.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        run(cardsharp, "dataset", *PLAYED, "--to", "data/dalmuti")
        columns = check_readers("data/dalmuti")
        check_docs(text)
        check_traces(cardsharp, Path("."))
        os.chdir("/")
    print(
        f"{len(columns['action'])} decisions read alike by polars {pl.__version__}, DuckDB {duckdb.__version__} and pyarrow"
    )


main()

"""Compares the JSON schemas with what the program writes and reads, and checks that they refuse what it would not write.

check_schemas.py CARDSHARP      (the path of the program)
"""

import copy
import gzip
import json
import subprocess
import sys
from pathlib import Path

import tomllib
from jsonschema import Draft202012Validator

GAMES = Path("crates/games")
# The schemas for all games, and those of each game, by name.
SCHEMAS = {path.stem: path for path in Path("docs/schemas").glob("*.json")} | {
    f"{path.parent.parent.name}-{path.stem}": path for path in GAMES.glob("*/schemas/*.json")
}
SEEDS = [3, 4]
MOVES = 60


def run(*command, lines=()):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, input="".join(f"{line}\n" for line in lines))
    if done.returncode != 0:
        sys.exit(f"check_schemas: {' '.join(command)}\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def played(cardsharp, game, options):
    """The views of a person who always plays the first legal move."""
    lines = run(cardsharp, "play", game, "--json", *options, lines=["#1"] * MOVES + ["/quit"])
    return [line["view"] for line in lines if line["line"] == "turn"]


def traced(cardsharp, game, options):
    return run(cardsharp, "trace", game, "--bots", "scripted,random", *options)


def recorded(cardsharp, game, options):
    """What two seats and those who watch are told of a session."""
    told = [["--seat", 0], ["--seat", 1], ["--spectator"]]
    return [line for to in told for line in traced(cardsharp, game, [*to, *options])]


def vectors(bundle):
    with gzip.open(bundle / "vectors.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def metadata(bundle):
    """What a file of weights says about itself."""
    bytes_ = (bundle / "bot.safetensors").read_bytes()
    header = json.loads(bytes_[8 : 8 + int.from_bytes(bytes_[:8], "little")])
    return json.loads(header["__metadata__"]["cardsharp"])


def bundled(bundle):
    """All JSON in a bundle, by file; of the vectors some."""
    files = {path.name: json.loads(path.read_text()) for path in sorted(bundle.glob("*.json"))}
    return {**files, "bot.safetensors": metadata(bundle), "vectors.jsonl.gz": vectors(bundle)[::50]}


def read_toml(path):
    return tomllib.loads(path.read_text())


def samples(cardsharp, games):
    """Everything that there is, by the name of its schema."""
    found = {}
    for game in games:
        views, lines, records = [], [], []
        rules = sorted((GAMES / game / "rule-sets").glob("*.toml"))
        for seed in SEEDS:
            for options in [[], *(["--rules", path] for path in rules)]:
                views += played(cardsharp, game, [*options, "--seed", seed])
                session = [*options, "--seed", seed, "--rounds", rounds(game, options)]
                lines += traced(cardsharp, game, session)
                records += recorded(cardsharp, game, session)
        bundle = Path(f"checkpoints/{game}/bot")
        if bundle.exists():
            views += [vector["view"] for vector in vectors(bundle)[::5]]
            found.setdefault("bundle", []).append(bundled(bundle))
        found[f"{game}-view"] = views
        found[f"{game}-trace"] = lines
        found[f"{game}-record"] = records
        found[f"{game}-rules"] = [read_toml(path) for path in rules]
    configs = sorted([*Path("configs").glob("*.toml"), *Path("configs/reference").glob("*.toml")])
    found["config"] = [read_toml(path) for path in configs]
    found["sweep"] = [read_toml(path) for path in sorted(Path("configs/sweeps").glob("*.toml"))]
    return found


def rounds(game, options):
    # Scripts of players need the rounds that they name.
    return 5 if game == "tahimi" and options else 2


def place(document, path):
    *above, last = path
    for key in above:
        document = document[key]
    return document, last


def changed(document, path, to):
    document = copy.deepcopy(document)
    part, last = place(document, path)
    part[last] = to
    return document


def without(document, path):
    document = copy.deepcopy(document)
    part, last = place(document, path)
    del part[last]
    return document


OF_EVERY_VIEW = [
    (("version",), 2),
    (("game",), "whist"),
    (("seat",), "0"),
    (("seat",), 12),
    (("peek",), "A"),
    (("table", "peek"), 1),
    (("own", "hand"), "1 and 2"),
    (("own", "hand"), ["7"]),
    (("table", "rules", "players"), "four"),
    (("table", "rules", "players"), 99),
]
OF_CLIMBING = [
    (("table", "memory", "gone"), [0, 0]),
    (("table", "memory", "played", 0), 7),
    (("table", "trick", "passed"), 3),
    (("table", "trick", "passed"), [1, 1]),
    (("table", "trick", "set"), {"rank": "7", "size": 2}),
    (("table", "order", 0), None),
    (("own", "ask"), "nonsense"),
]
OF_VIEWS = {
    "dalmuti": OF_CLIMBING + [(("table", "exchange_position"), "4")],
    "tahimi": OF_CLIMBING + [(("table", "joined"), 0), (("table", "position", 0), "0")],
    "taki": [
        (("table", "announced"), 0),
        (("table", "laid", 0), "R2"),
        (("table", "top"), "R1 R1"),
        (("table", "stage"), {}),
    ],
    "tachtigen": [
        (("table", "auction", "passed"), 0),
        (("table", "play", "called"), 1),
        (("table", "roem"), [None, None]),
    ],
}
RULES = [(("players",), 99), (("players",), "4"), (("nonsense",), 1)]
LINES = {
    "header": [(("format",), "1"), (("game",), "whist"), (("rules", "players"), 99), (("seeds",), 1)],
    "deal": [(("hands",), "7 7"), (("hands", 0), "7 and 7"), (("more",), 1)],
    "event": [(("event",), "nonsense"), (("more",), 1)],
    "decision": [(("seat",), "0"), (("legal",), "pass"), (("more",), 1)],
    "payoff": [(("place", 0), 0.5), (("points",), {}), (("more",), 1)],
}
TOLD = {
    "header": [(("protocol",), "1"), (("seed",), 7), (("rules", "players"), 99)],
    "round": [(("hands",), [])],
    "deal": [(("hands",), []), (("kitty",), "SA"), (("hand",), "nonsense"), (("pile",), "R1 R2")],
    "event": [(("event",), "nonsense"), (("more",), 1)],
    "turn": [(("legal",), []), (("view",), {})],
    "move": [(("seat",), "0"), (("legal",), [])],
    "payoff": [(("place", 0), 0.5), (("more",), 1)],
    "change": [(("choice",), 4)],
    "end": [(("seed",), "7")],
}
# Fields that may be missing in a line of an event log.
ABSENT = {"hand", "sizes", "choice", "seat", "replacement"}
CONFIG = [(("game",), 1), (("iteration",), 1), (("seed",), -1), (("algorithm",), "sarsa")]
SWEEP = [
    (("config",), 1),
    (("method",), "bayes"),
    (("seeds",), "3"),
    (("stop", "rule"), "mean"),
    (("field",), {}),
    (("fields", "ppo"), 1),
]
BUNDLE = [
    (("manifest.json", "format"), "1"),
    (("manifest.json", "files", "card.md"), {"bytes": 1}),
    (("encoding.json", "blocks"), {}),
    (("actions.json", "labels", 0), 0),
    (("vectors.jsonl.gz", 0, "legal"), "pass"),
    (("bot.safetensors", "header", "layers"), "717"),
    (("levels.json", "levels", 0, "temperature"), "hot"),
    (("arena.json", 0, "command"), None),
    (("cost.json", "core_seconds"), 0.0),
    (("notes.json",), {}),
]


def wrong(name, valid):
    """Documents that the schema of this name must refuse: where, and what stands there."""
    if name.endswith(("-trace", "-record")):
        changes, absent = (LINES, set()) if name.endswith("-trace") else (TOLD, ABSENT)
        for line in {(line["line"], line.get("event")): line for line in valid}.values():
            for path, to in changes[line["line"]]:
                yield line["line"], path, changed(line, path, to)
            for field in set(line) - absent:
                yield line["line"], (field,), without(line, (field,))
        return
    document = valid[0]
    game, _, kind = name.rpartition("-")
    if kind == "view":
        changes = OF_EVERY_VIEW + OF_VIEWS.get(game, [])
    else:
        changes = {"config": CONFIG, "bundle": BUNDLE, "sweep": SWEEP, "rules": RULES}[kind]
    for path, to in changes:
        yield name, path, changed(document, path, to)
    if kind == "view":
        for part in ((), ("table",), ("own",)):
            for field in place(document, (*part, None))[0]:
                yield name, (*part, field), without(document, (*part, field))


def main(cardsharp):
    listed = subprocess.check_output([cardsharp, "games", "--json"], text=True)
    games = [game["game"] for game in json.loads(listed)]
    found = samples(cardsharp, games)
    if set(SCHEMAS) != set(found):
        sys.exit(f"check_schemas: there are schemas {sorted(SCHEMAS)}, and files for {sorted(found)}")
    for name, documents in found.items():
        schema = json.loads(SCHEMAS[name].read_text())
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        if not documents:
            sys.exit(f"check_schemas: there is nothing to hold {name} against")
        for document in documents:
            error = next(validator.iter_errors(document), None)
            if error is not None:
                sys.exit(
                    f"check_schemas: {name} refuses {json.dumps(document)[:2000]}\n{error.json_path}: {error.message[:500]}"
                )
        refused = 0
        for what, path, document in wrong(name, documents):
            if validator.is_valid(document):
                sys.exit(f"check_schemas: {name} accepts a {what} that is wrong at {'/'.join(map(str, path))}")
            refused += 1
        print(f"{name}: {len(documents)} documents accepted, {refused} wrong ones refused")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Has the referee check sessions of The Great Dalmuti over all options and player counts, and checks
that the referee refuses traces that were tampered with.

    check_traces.py CARDSHARP      (the path of the program)
"""

import copy
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import referee

OPTIONS = {
    "strip": ['"none"', '"recommended"', "[12]", "[1]", "[3, 11]"],
    "first_deal_revolution": ["false", "true"],
    "tax_visibility": ['"sealed"', '"seen"'],
    "merchant_exchange": ['"off"', '"blind_choice"', '"blind_random"'],
    "misdeal_prob": ["0.0", "0.4", "1.0"],
    "scoring": ['"none"', '"standard"', '"philanthropic"'],
    "seating": ['"random"', '"fixed"'],
    "hand_count_view": ['"public"', '"hidden"'],
    "reward": ['"rank_linear"', '"score"'],
}
BOTS = ["scripted", "random", "scripted,random"]
SESSIONS = 90
HANDS = 8


def draw_rules(draw):
    """Options at random, except what the rules refuse."""
    while True:
        rules = {option: draw.choice(values) for option, values in OPTIONS.items()}
        if not (rules["scoring"] == '"none"' and rules["reward"] == '"score"'):
            break
    players = draw.randint(4, 12)
    stripped = json.loads(rules["strip"]) if rules["strip"].startswith("[") else []
    if (80 - sum(stripped)) // players < 6:
        rules["strip"] = '"none"'
    return players, rules


def trace(cardsharp, folder, players, rules, bots, seed):
    path = Path(folder) / "rules.toml"
    path.write_text("".join(f"{option} = {value}\n" for option, value in rules.items()))
    command = [cardsharp, "trace", "dalmuti", "--bots", bots, "--players", players, "--rules", path]
    command += ["--rounds", HANDS, "--seed", seed]
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"check_traces: {' '.join(command)}\nwith\n{path.read_text()}\n{done.stderr}")
    return done.stdout


def tampered(lines):
    """Named copies of a trace, each with one thing wrong."""

    def find(kind, **fields):
        for at, line in enumerate(lines):
            if line["line"] == kind and all(line.get(k) == v for k, v in fields.items()):
                return at
        sys.exit(f"check_traces: the trace to tamper with has no {kind} line with {fields}")

    def change(at, field, to):
        changed = copy.deepcopy(lines)
        changed[at][field] = to(changed[at][field])
        return changed

    plays = [at for at, line in enumerate(lines) if line.get("phase") == "play" and len(line["legal"]) > 1]
    following = next(at for at in plays if lines[at]["choice"] not in ("pass", lines[at]["legal"][0]))
    deal, payoff, tax = find("deal"), find("payoff"), find("decision", phase="tax")
    tribute, given = find("event", event="tribute"), find("event", event="return")
    yield "a card too many", change(deal, "hands", lambda h: [h[0] + " 12", *h[1:]])
    yield "hands of wrong sizes", change(deal, "hands", lambda h: [h[0] + h[1][-3:], h[1][:-3], *h[2:]])
    yield "a seat twice", change(deal, "order", lambda o: [o[0], *o[:-1]])
    yield "a legal move missing", change(following, "legal", lambda l: [x for x in l if x != l[0]])
    yield "an illegal move listed", change(following, "legal", lambda l: [*l, "1x1+JJJ"])
    yield "a move listed twice", change(following, "legal", lambda l: [*l, l[0]])
    yield "an illegal choice", change(following, "choice", lambda _: "call revolution")
    yield "another choice", change(following, "choice", lambda _: lines[following]["legal"][0])
    yield "another seat's turn", change(following, "seat", lambda s: (s + 1) % len(lines[deal]["order"]))
    yield "another phase", change(tax, "phase", lambda _: "play")
    yield "a Jester as tribute", change(tribute, "cards", lambda _: "J J")
    yield "another tribute", change(tribute, "cards", lambda c: c + " 12")
    yield "another return", change(given, "cards", lambda c: c.replace(c.split()[0], "J", 1))
    yield "places exchanged", change(payoff, "place", lambda p: [p[1], p[0], *p[2:]])
    yield "a point more", change(payoff, "points", lambda p: [p[0] + 1, *p[1:]])
    yield "another reward", change(payoff, "reward", lambda r: [r[0] + 0.01, *r[1:]])
    yield "a decision missing", lines[:following] + lines[following + 1 :]
    yield "the end missing", lines[:-1]
    yield "a line too many", [*lines, lines[-1]]


def main():
    cardsharp = Path(sys.argv[1]).resolve()
    draw = random.Random(20)
    decisions, phases = 0, set()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(SESSIONS):
            players, rules = draw_rules(draw)
            bots = draw.choice(BOTS)
            text = trace(cardsharp, folder, players, rules, bots, seed)
            try:
                decisions += referee.check(text)["decisions"]
            except referee.Refused as refused:
                sys.exit(f"check_traces: {players} players, seed {seed}, bots {bots}, {rules}: {refused}")
            phases.update(json.loads(line).get("phase", "") for line in text.splitlines())
        text = trace(cardsharp, folder, 5, {"strip": '"recommended"'}, "random", 3)
    missing = {"misdeal", "revolution", "tax", "exchange offer", "exchange", "play"} - phases
    if missing:
        sys.exit(f"check_traces: no session had the phases {sorted(missing)}")
    referee.check(text)
    count = 0
    for what, lines in tampered([json.loads(line) for line in text.splitlines()]):
        count += 1
        try:
            referee.check("\n".join(json.dumps(line) for line in lines))
        except referee.Refused:
            continue
        sys.exit(f"check_traces: the referee did not notice {what}")
    print(f"check_traces: {SESSIONS} sessions, {decisions} decisions follow the rules; {count} tampered ones do not")


main()

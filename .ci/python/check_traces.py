"""Has referees check sessions of every game, and checks that they refuse traces that were tampered with.

    check_traces.py CARDSHARP      (the path of the program)

Every trace is checked for its form; those of the games in REFEREES by a referee that knows the rules,
over all options and numbers of players. Other games are played by their default rules.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import cases_dalmuti
import cases_tahimi
import dalmuti
import form
import tahimi
from tampering import Lines
from walk import Refused, check

REFEREES = {"dalmuti": (dalmuti.Referee, cases_dalmuti), "tahimi": (tahimi.Referee, cases_tahimi)}
BOTS = ["scripted", "random", "scripted,random"]


def run(*command):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"check_traces: {' '.join(command)}\n{done.stderr}")
    return done.stdout


def trace(cardsharp, game, rules, rounds, bots, seed):
    """The lines of a session; `rules` are TOML values by option."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write("".join(f"{option} = {value}\n" for option, value in rules.items()))
        file.flush()
        options = ["--rules", file.name, "--rounds", rounds, "--bots", bots, "--seed", seed]
        return run(cardsharp, "trace", game, *options)


def play(cardsharp, game, referee, rules, rounds, bots, seed):
    """A session that referees have checked: its text, and how many decisions it had."""
    text = trace(cardsharp, game, rules, rounds, bots, seed)
    for kind in {form.Referee, referee}:
        try:
            held = check(kind, text)
        except Refused as refused:
            sys.exit(f"check_traces: {game} by {bots}, seed {seed}, {rules}: {kind.__module__}: {refused}")
    return text, held["decisions"]


def refuse(game, referee, copies):
    """How many tampered copies there were; all of them must be refused."""
    count = 0
    for what, lines in copies:
        count += 1
        try:
            check(referee, "\n".join(json.dumps(line) for line in lines))
        except Refused:
            continue
        sys.exit(f"check_traces: the referee {referee.__module__} did not notice {what} in {game}")
    return count


def check_game(cardsharp, game, fewest, most):
    draw = random.Random(20)
    referee, cases = REFEREES.get(game, (form.Referee, None))
    decisions, phases, sessions = 0, set(), most - fewest + 1
    if cases is None:
        for players in range(fewest, most + 1):
            _, more = play(cardsharp, game, referee, {"players": players}, 3, "random", players)
            decisions += more
        # The tampered copies are made for the games that have a referee of their own.
        tampered = 0
    else:
        sessions = cases.SESSIONS
        for seed in range(sessions):
            bots = draw.choice(BOTS)
            text, more = play(cardsharp, game, referee, cases.draw_rules(draw), cases.ROUNDS, bots, seed)
            decisions += more
            phases.update(json.loads(line).get("phase", "") for line in text.splitlines())
        if missing := cases.PHASES - phases:
            sys.exit(f"check_traces: no session of {game} had the phases {sorted(missing)}")
        rules, seed = cases.TAMPERED
        text, _ = play(cardsharp, game, referee, rules, 3, "random", seed)
        lines = Lines([json.loads(line) for line in text.splitlines()])
        tampered = refuse(game, form.Referee, lines.common()) + refuse(game, referee, lines.common())
        tampered += refuse(game, referee, cases.tampered(lines))
    print(
        f"check_traces: {game}: {sessions} sessions, {decisions} decisions follow the rules; "
        f"{tampered} tampered traces do not"
    )


def main():
    cardsharp = Path(sys.argv[1]).resolve()
    for game in json.loads(run(cardsharp, "games", "--json")):
        check_game(cardsharp, game["game"], *game["players"])


main()

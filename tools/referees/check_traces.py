"""Plays sessions of every game, has the referees check them, and checks that referees refuse changed traces.

    check_traces.py CARDSHARP      (the path of the program)

The sessions of a game cover all options and numbers of players.
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import form
import referees
from tampering import Lines
from walk import Refused, check

BOTS = ["scripted", "random", "scripted,random"]


def run(*command):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"check_traces: {' '.join(command)}\n{done.stderr}")
    return done.stdout


def trace(cardsharp, game, rules, rounds, bots, seed, deal=None):
    """The lines of a session; `rules` are TOML values by option, `deal` a line of that kind."""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file, tempfile.NamedTemporaryFile("w") as chosen:
        file.write("".join(f"{option} = {value}\n" for option, value in rules.items()))
        file.flush()
        options = ["--rules", file.name, "--rounds", rounds, "--bots", bots, "--seed", seed]
        if deal is not None:
            json.dump(deal, chosen)
            chosen.flush()
            options += ["--deal", chosen.name]
        return run(cardsharp, "trace", game, *options)


def again(cardsharp, game, referee, session, text):
    """The same session with the cards of its first round chosen, and otherwise another seed."""
    deal = next(line for line in map(json.loads, text.splitlines()) if line["line"] == "deal")
    *others, seed = session
    return play(cardsharp, game, referee, *others, seed + 1, deal)


def play(cardsharp, game, referee, rules, rounds, bots, seed, deal=None):
    """A session that referees have checked: its text, and how many decisions it had."""
    text = trace(cardsharp, game, rules, rounds, bots, seed, deal)
    for kind in (form.Referee, referee):
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


def tamper(game, referee, cases, texts):
    """How many copies of these sessions were refused; most of them are made of the first."""
    traces = [Lines([json.loads(line) for line in text.splitlines()]) for text in texts]
    first = traces[0]
    count = refuse(game, form.Referee, first.common())
    for copies in [first.common(), first.with_rules(), cases.tampered(first), *(trace.fields() for trace in traces)]:
        count += refuse(game, referee, copies)
    return count


def check_game(cardsharp, game):
    """Sessions over all options, and traces that were tampered with."""
    referee, cases = referees.referee(game), referees.cases(game)
    draw = random.Random(20)
    sessions = [
        (cases.draw_rules(draw), cases.ROUNDS, draw.choice(getattr(cases, "BOTS", BOTS)), seed)
        for seed in range(cases.SESSIONS)
    ]
    held = [play(cardsharp, game, referee, *session) for session in sessions]
    held += [play(cardsharp, game, referee, *session) for session in getattr(cases, "RARE", [])]
    kept = [play(cardsharp, game, referee, *session) for session in cases.TAMPERED]
    held += kept
    held += [again(cardsharp, game, referee, session, text) for session, (text, _) in zip(cases.TAMPERED, kept)]
    lines = [json.loads(line) for text, _ in held for line in text.splitlines()]
    for what, field in [(cases.PHASES, "phase"), (cases.EVENTS, "event")]:
        if missing := what - {line.get(field) for line in lines}:
            sys.exit(f"check_traces: no session of {game} had the {field}s {sorted(missing)}")
    tampered = tamper(game, referee, cases, [text for text, _ in kept])
    decisions = sum(more for _, more in held)
    print(
        f"check_traces: {game}: {len(held)} sessions, {decisions} decisions follow the rules; "
        f"{tampered} tampered traces do not"
    )


def check_form(cardsharp, game, fewest, most):
    """Sessions by the default rules, of a game without a referee."""
    for players in range(fewest, most + 1):
        play(cardsharp, game, form.Referee, {"players": players}, 3, "random", players)
    print(f"check_traces: {game}: no referee; {most - fewest + 1} sessions have the form of traces")


def main():
    cardsharp = Path(sys.argv[1]).resolve()
    players = {game["game"]: game["players"] for game in json.loads(run(cardsharp, "games", "--json"))}
    found = referees.games()
    if not found or not {*found} <= {*players}:
        sys.exit(f"check_traces: {referees.GAMES} has referees of {found}; the program has the games {[*players]}")
    for game in players:
        if game in found:
            check_game(cardsharp, game)
        else:
            check_form(cardsharp, game, *players[game])


main()

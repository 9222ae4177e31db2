"""Finds the referee of each game, and checks traces in files.

referees.py FILE...        (`-` reads standard input)
"""

import json
import sys
from importlib import import_module
from pathlib import Path

import form
from walk import Refused, check

GAMES = Path(__file__).resolve().parents[2] / "crates/games"
# Each game's folder is a package without code: `dalmuti.referee.cases` is crates/games/dalmuti/referee/cases.py.
sys.path.insert(1, str(GAMES))


def games():
    """Returns the names of all games with a referee."""
    return sorted(path.parts[-3] for path in GAMES.glob("*/referee/referee.py"))


def referee(game):
    """Returns the class that checks traces of this game."""
    return import_module(f"{game}.referee.referee").Referee


def cases(game):
    """Returns the module with the sessions and the changed traces of this game."""
    return import_module(f"{game}.referee.cases")


def main():
    for path in sys.argv[1:] or ["-"]:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        try:
            # `form` alone checks a trace of another game, and refuses a first line without a game.
            check(form.Referee, text)
            game = json.loads(text.partition("\n")[0])["game"]
            kind = referee(game) if game in games() else form.Referee
            held = check(kind, text)
        except Refused as refused:
            sys.exit(f"referees: {path}: {refused}")
        by = "the form of traces" if kind is form.Referee else f"the rules of {game}"
        print(f"referees: {path}: {held['rounds']} rounds, {held['decisions']} decisions follow {by}")


if __name__ == "__main__":
    main()

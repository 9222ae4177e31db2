#!/usr/bin/env python3
"""A bot for cardsharp with a rule of three lines, in Python without anything besides.

    cardsharp arena dalmuti --bots "exec:python3 examples/bots/rule_bot.py,random" --players 5 --deals 100

It plays The Great Dalmuti: many cards of a bad rank first. The lines are those of docs/protocol.md.
"""

import json
import re
import sys


def cards(label):
    """How many cards a move lays, and their rank: "7x3+J" is four sevens, "J" the worst card, "pass" nothing."""
    laid = re.fullmatch(r"(\d+)(?:x(\d+))?(?:\+(J+))?", label)
    if laid:
        return int(laid[2] or 1) + len(laid[3] or ""), int(laid[1])
    return (len(label), 13) if set(label) == {"J"} else (0, 0)


def rule(legal):
    given = [label for label in legal if label.startswith("give ")]
    laid = max(legal, key=cards)
    return given[-1] if given else laid if cards(laid)[0] else legal[0]


def say(**line):
    print(json.dumps(line), flush=True)


for text in sys.stdin:
    line = json.loads(text)
    match line["line"]:
        case "hello":
            say(line="hello", protocol=1, name="rule_bot.py", games=["dalmuti"], wants=["legal"])
        case "go":
            say(line="move", table=line["table"], choice=rule(line["legal"]))
        case "ping":
            say(line="pong", id=line.get("id"))

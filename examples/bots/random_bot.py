#!/usr/bin/env python3
"""A bot for cardsharp that plays any legal move, in Python without anything besides.

    cardsharp arena taki --bots "exec:python3 examples/bots/random_bot.py,scripted" --players 4 --deals 100

The lines are those of docs/protocol.md.
"""

import json
import random
import sys


def say(**line):
    print(json.dumps(line), flush=True)


tables = {}
for text in sys.stdin:
    line = json.loads(text)
    match line["line"]:
        case "hello":
            say(line="hello", protocol=1, name="random_bot.py", wants=["legal"])
        case "begin":
            tables[line["table"]] = random.Random(line["seed"])
        case "go":
            choice = tables[line["table"]].choice(line["legal"])
            say(line="move", table=line["table"], id=line.get("id"), choice=choice)
        case "forget":
            del tables[line["table"]]
        case "ping":
            say(line="pong", id=line.get("id"))

#!/usr/bin/env python3
"""Plays whole sessions against shipped bots: session.py http://127.0.0.1:8037 dalmuti tahimi taki tachtigen

A seat at a table of `cardsharp serve`, in Python without anything besides.
"""

import json
import random
import sys
import time
import uuid
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen


def ask(method, url, secret=None, body=None):
    """The server's answer, open to be read.

    If the answer is lost, sends the request again. The server carries out requests with the same key once, and returns
    the first answer again.
    """
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    for tries in range(5):
        try:
            return urlopen(Request(url, data, headers, method=method))
        except HTTPError as refused:
            raise SystemExit(json.load(refused)["error"]["message"]) from refused
        except (URLError, ConnectionError):
            if tries == 4:
                raise
            time.sleep(0.5)


def events(url, secret):
    """Names, data and ids of the events of a seat, until its session is over. Events without an id have the last one."""
    name = last = ""
    for line in ask("GET", f"{url}/events", secret):
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "id":
            last = value
        elif field == "data":
            yield name, json.loads(value), last
            name = ""


def play(server, game):
    games = {about["game"]: about for about in json.load(ask("GET", f"{server}/v1/games"))["games"]}
    players = games[game]["rules"].get("players", games[game]["players"][0])
    seats = [{"person": "You"}] + [{"bot": game}] * (players - 1)
    opened = json.load(ask("POST", f"{server}/v1/tables", body={"game": game, "seats": seats}))
    url, secret = f"{server}/v1/tables/{opened['table']}", opened["seats"][0]
    record = []
    for name, data, last in events(url, secret):
        if name == "legal":
            # The server refuses the move if the table has gone on since the last event.
            ask("POST", f"{url}/moves?after={last}", secret, {"move": random.choice(data["legal"])}).close()
        elif name == "":
            record.append(data)
    assert record[-1]["line"] == "end", record[-1]
    places = [line["place"][0] for line in record if line["line"] == "payoff"]
    print(f"{game}: {len(record)} lines, {len(places)} rounds, places of seat 0:", *places)
    ask("DELETE", url, opened["host"]).close()


for name in sys.argv[2:]:
    play(sys.argv[1], name)

#!/usr/bin/env python3
"""Plays whole sessions against shipped bots: session.py http://127.0.0.1:8037 dalmuti tahimi taki tachtigen

A seat at a table of `cardsharp serve`, in Python without anything besides.
"""

import json
import random
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def ask(method, url, secret=None, body=None):
    """The server's answer, open to be read."""
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    data = None if body is None else json.dumps(body).encode()
    try:
        return urlopen(Request(url, data, headers, method=method))
    except HTTPError as refused:
        raise SystemExit(json.load(refused)["error"]["message"]) from refused


def events(url, secret):
    """Names and data of the events of a seat, until its session is over."""
    name = ""
    for line in ask("GET", f"{url}/events", secret):
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)
            name = ""


def play(server, game):
    games = {about["game"]: about for about in json.load(ask("GET", f"{server}/v1/games"))["games"]}
    players = games[game]["rules"].get("players", games[game]["players"][0])
    seats = [{"person": "You"}] + [{"bot": game}] * (players - 1)
    opened = json.load(ask("POST", f"{server}/v1/tables", body={"game": game, "seats": seats}))
    url, secret = f"{server}/v1/tables/{opened['table']}", opened["seats"][0]
    record = []
    for name, data in events(url, secret):
        if name == "legal":
            ask("POST", f"{url}/moves", secret, {"move": random.choice(data["legal"])}).close()
        elif name == "":
            record.append(data)
    assert record[-1]["line"] == "end", record[-1]
    places = [line["place"][0] for line in record if line["line"] == "payoff"]
    print(f"{game}: {len(record)} lines, {len(places)} rounds, places of seat 0:", *places)
    ask("DELETE", url, opened["host"]).close()


for name in sys.argv[2:]:
    play(sys.argv[1], name)

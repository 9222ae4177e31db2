#!/usr/bin/env python3
"""Measures how long a person waits at a table of `cardsharp serve` while other tables search.

    server_waiting.py CARDSHARP [SECONDS]

For each number of other tables it starts a server, opens that many tables with five bots `search:2000+tahimi`, and lets
one person play Tahimi against four bots `scripted`, and then against four bots `tahimi`. It prints the medians and 99 %
quantiles of the time of a move until its answer, and until the event of the first move of a bot after it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection

OTHERS = (0, 2, 8, 20)
PLAYERS = 5


class Client:
    """A connection for one request after the other."""

    def __init__(self, address):
        self.address = address
        self.connection = HTTPConnection(address)

    def ask(self, method, path, secret=None, body=None):
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        try:
            self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            reply = self.connection.getresponse()
        except ConnectionError:
            self.connection = HTTPConnection(self.address)
            return self.ask(method, path, secret, body)
        answer = json.load(reply)
        assert reply.status == 200, answer
        return answer


def events(address, path, secret):
    """The events of a seat, each with its name, its data and the time of its arrival."""
    connection = HTTPConnection(address)
    connection.request("GET", f"{path}/events", headers={"Authorization": f"Bearer {secret}"})
    name = ""
    for line in connection.getresponse():
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value), time.monotonic()
            name = ""


def play(client, bot, seconds):
    """Plays sessions, and returns the times of answers to moves and of the next moves of bots."""
    answers, replies = [], []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        seats = [{"person": "Ann"}] + [{"bot": bot}] * (PLAYERS - 1)
        rules = {"players": PLAYERS, "rounds": 20}
        opened = client.ask("POST", "/v1/tables", None, {"game": "tahimi", "rules": rules, "seats": seats})
        path, secret = f"/v1/tables/{opened['table']}", opened["seats"][0]
        moved = None
        for name, data, arrived in events(client.address, path, secret):
            if moved and name == "" and data["line"] == "move" and data["seat"] != 0:
                replies.append(arrived - moved)
                moved = None
            if name == "legal":
                begun = time.monotonic()
                client.ask("POST", f"{path}/moves", secret, {"move": data["legal"][0]})
                answers.append(time.monotonic() - begun)
                moved = begun
                if begun > end:
                    break
        client.ask("DELETE", path, opened["host"])
    return answers, replies


def shown(times):
    times = sorted(times)
    at = [times[int((len(times) - 1) * share)] * 1000 for share in (0.5, 0.99)]
    return f"{at[0]:8.1f} {at[1]:8.1f}"


def measure(cardsharp, others, seconds):
    with tempfile.TemporaryDirectory() as folder:
        command = [cardsharp, "serve", "--listen", "127.0.0.1:0", "--data", f"{folder}/data", "--json"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            client = Client(json.loads(server.stdout.readline())["address"])
            seats = [{"bot": "search:2000+tahimi"}] * PLAYERS
            rules = {"players": PLAYERS, "rounds": 100}
            for _ in range(others):
                client.ask("POST", "/v1/tables", None, {"game": "tahimi", "rules": rules, "seats": seats})
            time.sleep(1)
            for bot in ("scripted", "tahimi"):
                answers, replies = play(client, bot, seconds)
                print(f"{others:6} {bot:10} {len(answers):6} {shown(answers)} {shown(replies)}", flush=True)
        finally:
            begun = time.monotonic()
            os.kill(server.pid, signal.SIGTERM)
            server.wait()
            print(f"       the server stopped after {time.monotonic() - begun:.1f} s", flush=True)


def main():
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 30
    print("others bot         moves  answer 50 %, 99 %  reply 50 %, 99 %  (ms)")
    for others in OTHERS:
        measure(sys.argv[1], others, seconds)


main()

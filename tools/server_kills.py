#!/usr/bin/env python3
"""Kills a server at random moments, and checks that no move is lost that it has acknowledged.

    server_kills.py CARDSHARP [KILLS] [SEED]

People play at several tables, one thread for each. After each `kill -9` the server starts again with its data folder.
The event log of each person must then begin with the lines that they had received. It must have all their acknowledged
moves, and at most one more: a move whose answer was lost. Exits with 1 if a move is lost.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection, HTTPException

TABLES = 4
RULES = {"game": "tahimi", "rules": {"players": 4, "rounds": 10}}
SEATS = [{"person": "Ann"}, {"person": "Bob"}, {"bot": "scripted"}, {"bot": "scripted"}]


class Lost(Exception):
    """An acknowledged move or a received line is missing."""


class Server:
    def __init__(self, cardsharp, data):
        command = [cardsharp, "serve", "--listen", "127.0.0.1:0", "--data", data, "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.address = json.loads(self.process.stdout.readline())["address"]

    def kill(self):
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def connect(self):
        return HTTPConnection(self.address, timeout=60)


def ask(connection, method, path, secret=None, body=None):
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    reply = connection.getresponse()
    return reply.status, reply.read().decode()


def log(connection, path, secret):
    """The lines of an event log, which arrive in pieces."""
    lines, after = [], ""
    while True:
        status, text = ask(connection, "GET", f"{path}/events?wait=0{after}", secret)
        assert status == 200, text
        events = [block.split("\ndata: ") for block in text.split("\n\n") if block.startswith("id: ")]
        if not events:
            return lines
        lines.extend(json.loads(data) for _, data in events)
        after = f"&after={events[-1][0].removeprefix('id: ')}"


class Table:
    """A table, what its people received, and the moves that the server acknowledged, by seat."""

    def __init__(self, connection):
        status, text = ask(connection, "POST", "/v1/tables", None, RULES | {"seats": SEATS})
        assert status == 200, text
        opened = json.loads(text)
        self.path = f"/v1/tables/{opened['table']}"
        self.secrets = [secret for secret in opened["seats"] if secret]
        self.received = [[] for _ in self.secrets]
        self.moves = [[] for _ in self.secrets]
        self.over = False

    def play(self, server, draw):
        """Makes random moves until the session is over or the server is gone."""
        connection = server.connect()
        try:
            while not self.over:
                for seat, secret in enumerate(self.secrets):
                    status, text = ask(connection, "GET", f"{self.path}/view", secret)
                    self.over |= status == 409 and json.loads(text)["error"]["code"] == "over"
                    if status != 200:
                        continue
                    choice = draw.choice(json.loads(text)["legal"])
                    status, text = ask(connection, "POST", f"{self.path}/moves", secret, {"move": choice})
                    if status == 200:
                        self.moves[seat].append(choice)
        except (OSError, HTTPException):
            pass

    def check(self, connection):
        """Compares the event logs with what was received and acknowledged. Returns the number of unacknowledged moves."""
        more = 0
        for seat, secret in enumerate(self.secrets):
            lines = log(connection, self.path, secret)
            if lines[: len(self.received[seat])] != self.received[seat]:
                raise Lost(f"{self.path}: seat {seat} has received other lines")
            made = [line["choice"] for line in lines if line["line"] == "move" and line["seat"] == seat]
            acknowledged = self.moves[seat]
            if made[: len(acknowledged)] != acknowledged or len(made) > len(acknowledged) + 1:
                raise Lost(f"{self.path}: seat {seat} has made {acknowledged}, but the log has {made}")
            more += len(made) - len(acknowledged)
            self.received[seat], self.moves[seat] = lines, made
        return more


def main():
    kills = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    acknowledged = unanswered = sessions = 0
    with tempfile.TemporaryDirectory() as data:
        server = Server(sys.argv[1], data)
        tables = [Table(server.connect()) for _ in range(TABLES)]
        try:
            for _ in range(kills):
                before = sum(len(moves) for table in tables for moves in table.moves)
                draws = [random.Random(draw.random()) for _ in tables]
                threads = [
                    threading.Thread(target=table.play, args=(server, own))
                    for table, own in zip(tables, draws, strict=True)
                ]
                for thread in threads:
                    thread.start()
                time.sleep(draw.uniform(0, 0.5))
                server.kill()
                for thread in threads:
                    thread.join()
                acknowledged += sum(len(moves) for table in tables for moves in table.moves) - before
                server = Server(sys.argv[1], data)
                connection = server.connect()
                unanswered += sum(table.check(connection) for table in tables)
                sessions += sum(table.over for table in tables)
                tables = [Table(connection) if table.over else table for table in tables]
        except Lost as lost:
            raise SystemExit(str(lost)) from lost
        finally:
            server.kill()
    print(
        f"{kills} kills at {TABLES} tables, {sessions} sessions ended: none of {acknowledged} acknowledged moves is lost"
    )
    print(f"{unanswered} moves were made although their answer was lost")


main()

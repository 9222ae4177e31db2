#!/usr/bin/env python3
"""Measures how a server of tables starts again with the data folder of a server before it.

    server_restart.py CARDSHARP [TABLES]

Opens tables of four games with one person, and plays every session to its end. Prints the time until a new server
answers, the time of the first request for each table, and the memory of both servers.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection

GAMES = {
    "dalmuti": {"players": 5, "hands": 10},
    "tahimi": {"players": 4, "rounds": 10},
    "taki": {"games": 5},
    "tachtigen": {},
}


def ask(connection, method, path, secret=None, body=None):
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    reply = connection.getresponse()
    answer = json.load(reply)
    assert reply.status == 200, answer
    return answer


def start(cardsharp, data):
    """Starts a server. Returns its process, a connection, and the seconds until it answered."""
    begun = time.monotonic()
    command = [cardsharp, "serve", "--listen", "127.0.0.1:0", "--data", data, "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    connection = HTTPConnection(json.loads(server.stdout.readline())["address"])
    ask(connection, "GET", "/server.json")
    return server, connection, time.monotonic() - begun


def memory(server):
    """The resident memory of a server in MB."""
    with open(f"/proc/{server.pid}/status") as status:
        lines = [line for line in status if line.startswith("VmRSS")]
    return int(lines[0].split()[1]) / 1000


def stop(server):
    os.kill(server.pid, signal.SIGTERM)
    server.wait()


def play(connection, path, secret):
    """Plays the first legal move of a seat until the session is over."""
    while not ask(connection, "GET", path, secret)["over"]:
        connection.request("GET", f"{path}/view", headers={"Authorization": f"Bearer {secret}"})
        reply = connection.getresponse()
        view = json.load(reply)
        if reply.status == 200:
            ask(connection, "POST", f"{path}/moves", secret, {"move": view["legal"][0]})


def main():
    cardsharp, tables = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 300
    with tempfile.TemporaryDirectory() as data:
        server, connection, _ = start(cardsharp, data)
        games = {game["game"]: game for game in ask(connection, "GET", "/v1/games")["games"]}
        opened = []
        for number in range(tables):
            name = list(GAMES)[number % len(GAMES)]
            rules = games[name]["rules"] | GAMES[name]
            seats = [{"person": "Ann"}] + [{"bot": "scripted"}] * (rules.get("players", 4) - 1)
            table = ask(connection, "POST", "/v1/tables", None, {"game": name, "rules": rules, "seats": seats})
            opened.append((f"/v1/tables/{table['table']}", table["seats"][0]))
            play(connection, *opened[-1])
        size = sum(os.path.getsize(f"{data}/tables/{name}") for name in os.listdir(f"{data}/tables"))
        print(f"{tables} tables, {size / 1e6:.1f} MB of journals: {memory(server):.0f} MB in memory")
        stop(server)
        server, connection, seconds = start(cardsharp, data)
        print(f"started again after {seconds:.2f} s: {memory(server):.0f} MB in memory")
        times = []
        for path, secret in opened:
            begun = time.monotonic()
            ask(connection, "GET", path, secret)
            times.append((time.monotonic() - begun) * 1000)
        times.sort()
        print(f"first requests: median {statistics.median(times):.1f} ms, longest {times[-1]:.1f} ms")
        print(f"all tables read: {memory(server):.0f} MB in memory")
        stop(server)


main()

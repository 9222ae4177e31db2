#!/usr/bin/env python3
"""Measures how a server of tables starts again with the data folder of a server before it.

    server_restart.py CARDSHARP [TABLES]
    server_restart.py CARDSHARP long [PEOPLE]

Opens tables of four games with one person, and plays every session to its end. Prints the time until a new server
answers, the time of the first request for each table, and the memory of both servers.

With `long` it opens one table of each game, with the longest session that the rules allow, and with bots that play for
PEOPLE people (default: 1). The server stops each session before its end if its event logs are full.
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
LONGEST = {
    "dalmuti": {"players": 12, "hands": 1000},
    "tahimi": {"players": 8, "rounds": 1000},
    "taki": {"players": 10, "games": 1000},
    "tachtigen": {"players": 4, "deals": 1000},
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


def processor(server):
    """The seconds that a server has used on all cores."""
    with open(f"/proc/{server.pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


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


def long(cardsharp, people):
    """Measures the first request for a table with a long session."""
    for name, own in LONGEST.items():
        with tempfile.TemporaryDirectory() as data:
            server, connection, _ = start(cardsharp, data)
            games = {game["game"]: game for game in ask(connection, "GET", "/v1/games")["games"]}
            rules = games[name]["rules"] | own
            seats = [{"person": f"P{seat}"} for seat in range(min(people, rules["players"]))]
            seats += [{"bot": "scripted"}] * (rules["players"] - len(seats))
            request = {"game": name, "rules": rules, "seats": seats}
            table = ask(connection, "POST", "/v1/tables", None, request)
            path, host = f"/v1/tables/{table['table']}", table["host"]
            for seat in range(people):
                if seat < rules["players"]:
                    ask(connection, "POST", f"{path}/substitute", host, {"seat": seat, "bot": "scripted"})
            while True:
                now = ask(connection, "GET", path, host)
                if now["over"] or now["stopped"]:
                    break
                time.sleep(0.5)
            with open(f"{data}/tables/{table['table']}.jsonl", "rb") as file:
                journal = file.read()
            before = memory(server)
            stop(server)
            server, connection, _ = start(cardsharp, data)
            empty = memory(server)
            begun = processor(server)
            ask(connection, "GET", path, host)
            seconds = processor(server) - begun
            lines = journal.count(b"\n")
            print(
                f"{name}: {lines:,} lines, {len(journal) / 1e6:.1f} MB of journal, {'over' if now['over'] else 'full'}, "
                f"{before:.0f} MB in memory; started again: {empty:.0f} MB; first request: {seconds:.2f} s on a core, "
                f"{memory(server):.0f} MB"
            )
            stop(server)


def main():
    cardsharp = sys.argv[1]
    if sys.argv[2:3] == ["long"]:
        long(cardsharp, int(sys.argv[3]) if len(sys.argv) > 3 else 1)
        return
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else 300
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

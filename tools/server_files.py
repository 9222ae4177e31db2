#!/usr/bin/env python3
"""Opens more streams than a server may open files, and checks that it answers all requests.

    server_files.py CARDSHARP [TABLES]

It starts a server twice with `ulimit -n 1024`, and opens that many tables with a stream each. First the system lets the
server raise the limit, then it does not. Prints how many streams opened, how many tables or streams were refused with
status 503, and the longest time of an answer. Fails if a request gets another answer, or none within 10 seconds.
"""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection

WAIT = 10
SEATS = [{"person": "Ann"}, {"bot": "scripted"}]


def ask(address, method, path, secret=None, body=None):
    """The status and the open response on a new connection."""
    connection = HTTPConnection(address, timeout=WAIT)
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    reply = connection.getresponse()
    return reply.status, reply


def measure(cardsharp, tables, flag):
    """Starts a server with a soft limit (`-S`), or with a hard one, too (no flag)."""
    limited = f'ulimit {flag} -n 1024; exec "$0" serve --listen 127.0.0.1:0 --requests 100000 --json'
    server = subprocess.Popen(["bash", "-c", limited, cardsharp], stdout=subprocess.PIPE, text=True)
    try:
        address = json.loads(server.stdout.readline())["address"]
        streams, counts, longest = [], {200: 0, 503: 0}, 0.0
        for _ in range(tables):
            status, reply = ask(address, "POST", "/v1/tables", None, {"game": "kuhn", "seats": SEATS})
            if status == 503:
                counts[503] += 1
                continue
            assert status == 200, reply.read()
            opened = json.load(reply)
            begun = time.monotonic()
            status, reply = ask(address, "GET", f"/v1/tables/{opened['table']}/events", opened["seats"][0])
            longest = max(longest, time.monotonic() - begun)
            counts[status] += 1
            streams.append(reply)
        print(f"ulimit {flag} -n 1024: {counts[200]} streams open, {counts[503]} refused with 503", end="")
        print(f", longest answer {longest * 1000:.0f} ms", flush=True)
    finally:
        os.kill(server.pid, signal.SIGKILL)
        server.wait()


def main():
    tables = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    for flag in ("-S", ""):
        measure(sys.argv[1], tables, flag)


main()

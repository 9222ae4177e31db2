"""Types the commands of a page's transcripts, and compares what comes with what the page says.

    transcripts.py PAGE BIN READER...

A transcript is a block that begins with ```console READER. In it `$ COMMAND` is typed, `> MORE` is a further line of it; what stands below
must come, line by line. `...` in a line is any text, and alone in a line any lines or none. All blocks of a reader are one session of
bash in a folder of its own, in which the files of the project lie; programs are looked for in BIN first. The address 127.0.0.1:8037 stands for a free port.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ADDRESS = "127.0.0.1:8037"
LIMIT = 60
# A character that no program writes. It marks the end of a command's output.
END = "\x1e"


def steps(page: str, reader: str) -> list[tuple[str, list[str]]]:
    """Commands, and the lines that each must say."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(rf"^```console {reader}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE):
        typing = False
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif typing and (line == ">" or line.startswith("> ")):
                found[-1] = (f"{found[-1][0]}\n{line[2:]}", [])
            else:
                found[-1][1].append(line)
                typing = False
                continue
            typing = True
    return found


def pattern(lines: list[str]) -> re.Pattern[str]:
    """What matches the lines that a command must say."""

    def one(line: str) -> str:
        if line == "...":
            return r"(?:.*\n)*?"
        return r"[^\n]*".join(map(re.escape, line.split("..."))) + r"[ \t]*\n"

    return re.compile("".join(map(one, lines)))


def session(typed: list[str], folder: Path, programs: str) -> list[tuple[str, int]]:
    """What each command said, and how it ended."""
    script = "".join(f"{command}\nprintf '{END}%d{END}' $?\n" for command in typed)
    (folder / "typed.sh").write_text(script)
    files = [path for path in PROJECT.iterdir() if path.name not in {".git", "runs", "target"}]
    home = folder / "project"
    home.mkdir()
    for file in files:
        (home / file.name).symlink_to(file)
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    with (
        (folder / "said").open("w") as said,
        subprocess.Popen(
            ["bash", folder / "typed.sh"],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        ) as bash,
    ):
        try:
            bash.wait(LIMIT)
        except subprocess.TimeoutExpired:
            sys.exit(f"not done within {LIMIT} seconds:\n{(folder / 'said').read_text()}")
        finally:
            # Kills the whole process group, with any server that still runs.
            subprocess.run(["kill", "--", f"-{bash.pid}"], stderr=subprocess.DEVNULL, check=False)
    parts = (folder / "said").read_text().split(END)
    return [(parts[at], int(parts[at + 1])) for at in range(0, len(parts) - 1, 2)]


def main(path: str, programs: str, *readers: str) -> None:
    page = Path(path).read_text()
    for reader in readers:
        wanted = steps(page, reader)
        if not wanted:
            sys.exit(f"{path}: no transcript of a {reader}")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            answers = session([command.replace(ADDRESS, address) for command, _ in wanted], Path(folder), programs)
        if len(answers) < len(wanted):
            sys.exit(f"{path}, {reader}: the session ended at $ {wanted[len(answers)][0]}")
        for (command, lines), (said, status) in zip(wanted, answers, strict=True):
            said = said.replace(address, ADDRESS)
            said += "" if not said or said.endswith("\n") else "\n"
            if status != 0 or not pattern(lines).fullmatch(said):
                wants = "\n".join(lines)
                sys.exit(
                    f"{path}, {reader}: $ {command}\n-- exit code {status}, said:\n{said}-- the page says:\n{wants}"
                )
        print(f"{path}: {reader}, {len(wanted)} commands in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])

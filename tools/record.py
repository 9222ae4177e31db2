"""Records a terminal session as an animated SVG: the pictures in docs/pictures.

    python tools/record.py docs/pictures/play.svg --keys 'wait 2; Enter; wait 1; q' -- cardsharp play dalmuti --seed 7

Needs the package `pyte`, a terminal emulator. The keys are steps that `;` separates: `wait SECONDS`, the name of a key
(`Enter`, `Left`, …), or text to type. A frame is taken when the screen did not change for a moment.
"""

import argparse
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from html import escape
from pathlib import Path

import pyte

KEYS = {
    "Enter": "\r",
    "Esc": "\x1b",
    "Tab": "\t",
    "Space": " ",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Right": "\x1b[C",
    "Left": "\x1b[D",
}
COLORS = {
    "black": "#3b4252",
    "red": "#e06c75",
    "green": "#98c379",
    "brown": "#e5c07b",
    "blue": "#61afef",
    "magenta": "#c678dd",
    "cyan": "#56b6c2",
    "white": "#d8dee9",
}
BACKGROUND, FOREGROUND = "#1e222a", "#d8dee9"
WIDTH, HEIGHT = 8.4, 18
# A change is a frame once nothing follows for this many seconds.
QUIET = 0.08


def color(name, default):
    """Returns the CSS color of a color of pyte."""
    name = name.removeprefix("bright")
    if name == "default":
        return default
    return COLORS.get(name, f"#{name}" if len(name) == 6 else default)


def picture(screen):
    """Returns the SVG elements of what a screen shows."""
    shapes = []
    for row in range(screen.lines):
        line, column = screen.buffer[row], 0
        while column < screen.columns:
            cell, start = line[column], column
            style = cell[1:]
            text = ""
            while column < screen.columns and line[column][1:] == style:
                text += line[column].data
                column += 1
            front, back = color(cell.fg, FOREGROUND), color(cell.bg, BACKGROUND)
            if cell.reverse:
                front, back = back, front
            x, y = 10 + start * WIDTH, 10 + row * HEIGHT
            if back != BACKGROUND:
                shapes.append(
                    f'<rect x="{x:.1f}" y="{y}" width="{(column - start) * WIDTH:.1f}" height="{HEIGHT}" fill="{back}"/>'
                )
            if text.strip():
                weight = ' font-weight="bold"' if cell.bold else ""
                shapes.append(
                    f'<text x="{x:.1f}" y="{y + 14}" fill="{front}"{weight} textLength="{len(text) * WIDTH:.1f}">{escape(text).replace(" ", chr(160))}</text>'
                )
    return "".join(shapes)


def frames(command, steps, columns, lines, limit):
    """Runs the command and yields what it shows, with the seconds since its start."""
    screen = pyte.Screen(columns, lines)
    stream = pyte.ByteStream(screen)
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS=str(columns), LINES=str(lines))
        os.execvp(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    start = time.monotonic()
    due, changed, last = start, False, None
    while time.monotonic() - start < limit:
        readable, _, _ = select.select([terminal], [], [], QUIET)
        if readable:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                break
            if not data:
                break
            stream.feed(data)
            changed = True
            # A program that asks where the cursor is waits for the answer.
            if b"\x1b[6n" in data:
                os.write(terminal, f"\x1b[{screen.cursor.y + 1};{screen.cursor.x + 1}R".encode())
        elif changed:
            changed = False
            shown = picture(screen)
            if shown != last:
                last = shown
                yield time.monotonic() - start, shown
        if steps and time.monotonic() >= due:
            step = steps.pop(0)
            if step.startswith("wait "):
                due = time.monotonic() + float(step.removeprefix("wait "))
            else:
                os.write(terminal, KEYS.get(step, step).encode())
    shown = picture(screen)
    if shown != last:
        yield time.monotonic() - start, shown
    os.close(terminal)
    os.waitpid(process, 0)


def animated(shots, columns, lines, rest):
    """Returns an SVG that shows the frames in a loop; `rest` is how long the last one stays, in seconds."""
    width, height = round(columns * WIDTH + 20), lines * HEIGHT + 20
    total = shots[-1][0] - shots[0][0] + rest
    styles, groups = [], []
    for number, (at, shown) in enumerate(shots):
        begin = (at - shots[0][0]) / total * 100
        end = (shots[number + 1][0] - shots[0][0]) / total * 100 if number + 1 < len(shots) else 100
        styles.append(
            f"@keyframes f{number}{{0%{{visibility:hidden}}{begin:.2f}%{{visibility:visible}}"
            f"{end:.2f}%,100%{{visibility:{'visible' if end == 100 else 'hidden'}}}}}"
            f"#f{number}{{animation:f{number} {total:.1f}s step-end infinite}}"
        )
        groups.append(f'<g id="f{number}">{shown}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14">'
        f"<style>{''.join(styles)}</style>"
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>{"".join(groups)}</svg>\n'
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("to", type=Path)
    parser.add_argument("--keys", default="", help="steps, separated by `;`")
    parser.add_argument("--columns", type=int, default=100)
    parser.add_argument("--lines", type=int, default=30)
    parser.add_argument("--limit", type=float, default=60, help="seconds after which the recording ends")
    parser.add_argument("--rest", type=float, default=3, help="seconds for which the last frame stays")
    parser.add_argument("--every", type=float, default=0, help="least seconds between two frames")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    steps = [step.strip() for step in given.keys.split(";") if step.strip()]
    shots = []
    for at, shown in frames(given.command, steps, given.columns, given.lines, given.limit):
        if not shots or at - shots[-1][0] >= given.every:
            shots.append((at, shown))
        else:
            shots[-1] = (shots[-1][0], shown)
    if not shots:
        sys.exit("the command showed nothing")
    given.to.parent.mkdir(parents=True, exist_ok=True)
    given.to.write_text(animated(shots, given.columns, given.lines, given.rest), encoding="utf-8")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Counts what STYLE.md discourages, and compares the totals with the limits in tools/style.toml.

    python3 tools/style.py                  compare; exit status 1 if a total is above its limit
    python3 tools/style.py --update         also write totals below their limits as the new limits
    python3 tools/style.py --list FILE...   show each place in these files
    python3 tools/style.py --files          show the counts of every file

It counts marker words, sentences with more than 30 words, and lines of prose with more than 120 characters.
It skips code in backticks, code blocks and the targets of links. Needs Python 3.11 or newer, and no packages.
"""

import argparse
import inspect
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

import tomllib

ROOT = Path(__file__).resolve().parent.parent
LIMITS = ROOT / "tools/style.toml"
COUNTED = ("markers", "sentences", "lines")
MOST_WORDS = 30
MOST_CHARACTERS = 120

Lines = list[tuple[int, str]]
"""Consecutive lines of prose with their line numbers."""


class Text(NamedTuple):
    """One piece of prose in a file."""

    area: str
    lines: Lines
    wrapped: bool
    """Whether a person wraps these lines, so that their length counts."""


class Place(NamedTuple):
    """One thing that is counted."""

    kind: str
    line: int
    what: str


# Which files have which texts. The first pattern that fits decides; `*` also matches `/`.

READMES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "STYLE.md", "*/README.md", ".github/*.md")
GENERATED = (
    "crates/games/*/encodings.md",
    "crates/games/*/views.md",
    "crates/games/*/schemas/*.json",
    "docs/configuration.md",
    "docs/metrics.md",
    "docs/schemas/*.json",
    "docs/openapi.json",
)
"""Written by the program: their words come from code."""
PLAYER_TEXTS = ("crates/games/*/src/words.json", "crates/games/*/page/en.ts", "crates/web/src/words/en.ts")
COMMAND = ("crates/cli/src/*", "crates/report/src/*", "crates/text/src/*", "crates/tui/src/*")
"""The crates whose messages the command prints."""
SKIPPED = (
    "fuzz/*",
    "checkpoints/*/*",
    "crates/*/tests/releases/*/*",
    "crates/web/tests/*",
    "crates/xtask/src/dist/*",
    "*/node_modules/*",
)


def fits(path: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(path, pattern) for pattern in patterns)


def texts(path: str) -> Iterator[Text]:
    """All prose of a file."""
    if fits(path, SKIPPED):
        return
    kind = path.rpartition(".")[2]
    if fits(path, READMES):
        yield Text("readmes", read(path), True)
    elif fits(path, GENERATED):
        lines = json_texts(path) if kind == "json" else read(path)
        yield Text("generated", lines, False)
    elif fits(path, PLAYER_TEXTS):
        for line in strings(path, JAVASCRIPT):
            yield Text("messages", [line], False)
    elif kind == "md":
        yield Text("docs", read(path), True)
    elif kind == "ipynb":
        yield Text("docs", notebook(path), False)
    elif kind == "rs":
        cli = fits(path, COMMAND)
        # clap makes help texts of the doc comments of arguments.
        helps = cli and re.search(r"clap::(?:Args|Parser|Subcommand|ValueEnum)", (ROOT / path).read_text()) is not None
        for doc, block in comments(path, RUST, "//"):
            yield Text("cli" if helps and doc else "comments", block, True)
        if "/tests" not in path and path.startswith("crates/"):
            for line in strings(path, RUST):
                yield Text("cli" if cli else "messages", [line], False)
    elif kind in ("ts", "js", "svelte"):
        for _, block in comments(path, JAVASCRIPT, "//"):
            yield Text("comments", block, True)
    elif kind in ("py", "toml") or is_script(path):
        for _, block in comments(path, PYTHON, "#"):
            yield Text("comments", block, True)


def is_script(path: str) -> bool:
    return fits(path, (".ci/*", "*.sh")) and (ROOT / path).read_bytes().startswith(b"#!")


def read(path: str) -> Lines:
    return list(enumerate((ROOT / path).read_text().splitlines(), 1))


def json_texts(path: str) -> Lines:
    """The descriptions in a JSON file, each a paragraph of its own."""
    found = re.finditer(r'"(?:description|title|summary)": ("(?:\\.|[^"\\])*")', source := (ROOT / path).read_text())
    lines: Lines = []
    for match in found:
        number = source.count("\n", 0, match.start()) + 1
        lines += [(number, json.loads(match[1]).replace("\n", " ")), (number, "")]
    return lines


def notebook(path: str) -> Lines:
    """The Markdown cells of a notebook. Lines are counted within the cells."""
    cells = json.loads((ROOT / path).read_text())["cells"]
    prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    return list(enumerate("\n\n".join(prose).splitlines(), 1))


# Comments and string literals of source files. An expression matches one token; what lies between tokens is code.

RUST = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<string>b?r(?P<hashes>\#*)".*?"(?P=hashes)|b?"(?:\\.|[^"\\])*")
    |b?'(?:\\[^\n]*?|[^'\\\n])'""",
    re.DOTALL | re.VERBOSE,
)
JAVASCRIPT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/|<!--.*?-->)|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)""",
    re.DOTALL,
)
PYTHON = re.compile(
    r'''(?P<comment>(?<![^\s])\#[^\n]*|(?<=\n)[ ]*"""(?:\\.|[^\\])*?"""|\A"""(?:\\.|[^\\])*?""")'''
    r"""|(?P<string>'{3}.*?'{3}|"{3}.*?"{3}|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.DOTALL,
)


#: Sections of docstrings in which each entry has a line with its name and type.
SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Examples")


def tokens(path: str, expression: re.Pattern[str], group: str) -> Iterator[tuple[int, bool, str]]:
    """Line number, whether code stands before it in its line, and text of each comment or string."""
    source = (ROOT / path).read_text()
    number = at = 0
    for match in expression.finditer(source):
        if match[group] is not None:
            number += source.count("\n", at, match.start())
            at = match.start()
            before = source[source.rfind("\n", 0, at) + 1 : at]
            yield number + 1, bool(before.strip()), match[group]


def comments(path: str, expression: re.Pattern[str], mark: str) -> Iterator[tuple[bool, Lines]]:
    """Blocks of comments in consecutive lines, and whether each is documentation."""
    doc, block = False, Lines()
    for first, after_code, text in tokens(path, expression, "comment"):
        if re.match(r"#!|# shellcheck|// eslint|# type:|# noqa", text):
            continue
        is_doc = text.startswith(("///", "//!", "/**"))
        if text.lstrip().startswith('"""'):
            text = inspect.cleandoc(text.strip().strip('"'))
        else:
            text = re.sub(rf"^\s*(?:{mark}[/!]?|/?\*+!?|<!--)\s?|\s*(?:\*/|-->)$", "", text, flags=re.MULTILINE)
        lines = list(enumerate(text.splitlines(), first))
        if block and (after_code or is_doc != doc or first != block[-1][0] + 1):
            yield doc, block
            block = []
        doc, block = is_doc, block + lines
    if block:
        yield doc, block


def strings(path: str, expression: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """String literals that hold words, each in one line."""
    for number, _, text in tokens(path, expression, "string"):
        # Names of values in braces are no prose.
        text = re.sub(r"\{[^{}]*\}", "0", text)
        text = re.sub(r"\\\n\s*|\\n|\n", " ", text.strip("br#\"'`"))
        if " " in text:
            yield number, text


# What is counted.


def numpydoc(lines: Lines) -> Iterator[tuple[int, str]]:
    """Lines without the names, types and examples in sections of numpydoc."""
    in_section = False
    for (number, line), (_, below) in zip(lines, [*lines[1:], (0, "")]):
        if re.fullmatch(r"-{5,}", below.strip()) and line.strip() in SECTIONS:
            in_section = True
        if not in_section:
            yield number, line
        else:
            yield number, line[4:] if line.startswith("    ") else ""


def prose(lines: Lines) -> Iterator[tuple[Lines, bool]]:
    """Paragraphs, list items, headings and cells of tables, without code blocks, and whether each is part of a table."""
    block, fence = Lines(), ""
    for number, line in numpydoc(lines):
        bare = line.strip()
        marks = re.match(r"(```+|~~~+)", bare)
        if marks and (not fence or bare == fence):
            fence = "" if fence else marks[1]
            bare = ""
        elif fence or (re.match(r" {4}|\t", line) and not block):
            bare = ""
        if bare.startswith("|"):
            for cell in re.split(r"(?<!\\)\|", bare):
                yield [(number, cell)], True
            bare = ""
        if not bare or re.match(r"(?:[-*+>]|\d+\.|#{1,6})\s", bare):
            if block:
                yield block, False
            block = []
        if bare:
            block.append((number, line))
    if block:
        yield block, False


def plain(text: str) -> str:
    """The text without inline code, targets of links, addresses and marks of Markdown."""
    text = re.sub(r"(`+).*?\1", "`", text)
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])", r"\1", text)
    return re.sub(r"<?https?://\S+|\*\*|__|^\s*#+ ", "", text)


def places(text: Text, markers: re.Pattern[str], exempt: re.Pattern[str] | None) -> Iterator[Place]:
    """Everything in a text that is counted."""
    for block, table in prose(text.lines):
        # Code and links may go over the ends of lines.
        joined = plain("\n".join(line for _, line in block))
        if exempt:
            joined = exempt.sub(lambda match: "\n" * match[0].count("\n"), joined)
        for match in markers.finditer(joined):
            number = block[min(joined.count("\n", 0, match.start()), len(block) - 1)][0]
            yield Place("markers", number, " ".join(match[0].lower().split()))
        sentence_start = 0
        for end in [*re.finditer(r"[.!?:]['\")*]*\s+(?=[\W_]*[A-Z0-9`])|\Z", joined)]:
            sentence = joined[sentence_start : end.end()]
            words = [word for word in sentence.split() if re.search(r"\w|`", word)]
            if len(words) > MOST_WORDS:
                number = block[min(joined.count("\n", 0, sentence_start), len(block) - 1)][0]
                yield Place("sentences", number, f"{len(words)} words: {' '.join(words[:8])} …")
            sentence_start = end.end()
        if text.wrapped and not table:
            for number, line in block:
                length = len(re.sub(r"\]\([^)]*\)", "]", line).rstrip())
                if length > MOST_CHARACTERS:
                    yield Place("lines", number, f"{length} characters")


def expression(phrases: list[str]) -> re.Pattern[str]:
    """Finds any of these phrases, over the ends of lines, too."""
    return re.compile(r"\b(?:" + "|".join(phrase.replace(" ", r"\s+") for phrase in phrases) + r")\b", re.IGNORECASE)


def lower(limits: dict[str, dict[str, int]], totals: dict[str, Counter[str]]) -> int:
    """Writes totals below their limits as the new limits; returns how many."""
    area, changed, lines = "", 0, []
    for line in LIMITS.read_text().splitlines():
        if found := re.match(r"\[limits\.(\w+)\]", line):
            area = found[1]
        elif (found := re.match(r"(\w+) = \d+", line)) and area and totals[area][found[1]] < limits[area][found[1]]:
            line = f"{found[1]} = {totals[area][found[1]]}"
            changed += 1
        lines.append(line)
    LIMITS.write_text("\n".join(lines) + "\n")
    return changed


def main() -> int:
    parser = argparse.ArgumentParser(description="Count what STYLE.md discourages.")
    parser.add_argument("--update", action="store_true", help="write totals below their limits as the new limits")
    parser.add_argument("--list", nargs="+", metavar="FILE", default=[], help="show each place in these files")
    parser.add_argument("--files", action="store_true", help="show the counts of every file")
    arguments = parser.parse_args()

    settings = tomllib.loads(LIMITS.read_text())
    limits: dict[str, dict[str, int]] = settings["limits"]
    markers = expression(settings["markers"])
    exempt = expression(settings["exempt"]) if settings["exempt"] else None
    unmarked = settings["unmarked"]

    if arguments.list:
        files = [str(Path(file).resolve().relative_to(ROOT)) for file in arguments.list]
    else:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        files = sorted(file for file in set(listed.split("\0")) if file and (ROOT / file).is_file())

    totals: dict[str, Counter[str]] = {area: Counter() for area in limits}
    for file in files:
        counts: dict[str, Counter[str]] = {}
        for text in texts(file):
            for place in places(text, markers, exempt):
                if place.kind == "markers" and file in unmarked:
                    continue
                counts.setdefault(text.area, Counter())[place.kind] += 1
                if arguments.list:
                    print(f"{file}:{place.line}: {place.kind.removesuffix('s')}: {place.what}")
        for area, counted in counts.items():
            totals.setdefault(area, Counter()).update(counted)
            if arguments.files:
                print(f"{file} ({area}): " + ", ".join(f"{kind} {counted[kind]}" for kind in COUNTED))
    if arguments.list:
        return 0

    failed = lowered = 0
    for area, counted in totals.items():
        for kind in COUNTED:
            count, limit = counted[kind], limits.get(area, {}).get(kind, 0)
            if count > limit:
                failed += 1
                print(f"{area}: {count} {kind}, above the limit of {limit}")
            elif count < limit:
                lowered += 1
                print(f"{area}: {count} {kind}; the limit of {limit} can be lowered")
    if failed:
        print("See STYLE.md. Find the files with `python3 tools/style.py --files`, and the places with `--list FILE`.")
    if arguments.update:
        print(f"{lower(limits, totals)} limits were lowered in {LIMITS.relative_to(ROOT)}.")
    elif lowered:
        print("Lower the limits with `python3 tools/style.py --update`.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

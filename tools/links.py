#!/usr/bin/env python3
"""Checks the relative links of all Markdown files in the repository: `python3 tools/links.py`.

A link must lead to a file or folder. If it has an anchor, the page must have a heading with that anchor, as GitHub
writes it. The documentation site checks its own pages again. Needs Python 3.11 or newer, and no packages.
"""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"(?<!`)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)")


def prose(page: Path) -> list[str]:
    """The lines of a page outside code blocks; lines inside are empty."""
    lines, fence = [], ""
    for line in page.read_text().splitlines():
        marks = re.match(r"\s*(`{3,}|~{3,})", line)
        inside = bool(fence)
        if marks and not fence:
            fence = marks[1]
        elif marks and line.strip() == fence:
            fence = ""
        lines.append("" if inside or fence else line)
    return lines


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings."""
    found: list[str] = []
    for line in prose(page):
        if heading := re.match(r"#{1,6}\s+(.*)", line):
            text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).strip()
            anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
            same = [one for one in found if re.fullmatch(re.escape(anchor) + r"(-\d+)?", one)]
            found.append(f"{anchor}-{len(same)}" if anchor in found else anchor)
        found += re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line)
    return frozenset(found)


def main() -> int:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    broken = 0
    for name in filter(None, listed.split("\0")):
        page = ROOT / name
        # A file that was removed and not yet committed.
        if not page.is_file():
            continue
        text = "\n".join(prose(page))
        # Inline code is no link.
        text = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", lambda code: "x" + "\n" * code[0].count("\n"), text)
        for match in LINK.finditer(text):
            target, _, anchor = unquote(match[1]).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            to = (page.parent / target).resolve() if target else page
            line = text.count("\n", 0, match.start()) + 1
            if not to.exists():
                fault = "does not exist"
            elif anchor and to.suffix == ".md" and anchor not in anchors(to):
                fault = f"has no heading with the anchor #{anchor}"
            else:
                continue
            broken += 1
            print(f"{name}:{line}: broken link {match[1]}: {target or name} {fault}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

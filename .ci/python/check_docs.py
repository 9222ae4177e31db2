"""Runs the Python of a page as a reader would type it, block after block, in a folder of its own.

    check_docs.py PAGE...

Blocks that begin with ```python are run in one session for each page. Those with ```python skip are not: they need what the check does without.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```python( skip)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def main(pages: list[str]) -> None:
    for page in map(Path, pages):
        text = page.read_text()
        session: dict[str, object] = {"__name__": "__main__"}
        ran = skipped = 0
        with tempfile.TemporaryDirectory() as folder:
            home = os.getcwd()
            os.chdir(folder)
            for block in BLOCK.finditer(text):
                if block[1]:
                    skipped += 1
                    continue
                line = text.count("\n", 0, block.start(2))
                # Blank lines before it, so that a traceback has the line of the page.
                exec(compile("\n" * line + block[2], str(page), "exec"), session)
                ran += 1
            os.chdir(home)
        if ran == 0:
            sys.exit(f"{page}: no block of Python was run")
        print(f"{page}: {ran} blocks of Python, {skipped} skipped")


if __name__ == "__main__":
    main([os.path.abspath(page) for page in sys.argv[1:]])

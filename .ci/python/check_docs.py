"""Runs the Python of pages as a reader would copy it: each block alone, in one folder for each page.

    check_docs.py [--skipped] PAGE...

Blocks that begin with ```python are run. Those with ```python skip need torch; `--skipped` runs them instead.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```python( skip)?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def main(pages: list[str], skipped: bool) -> None:
    for page in map(Path, pages):
        text = page.read_text()
        ran = left = 0
        with tempfile.TemporaryDirectory() as folder:
            home = os.getcwd()
            os.chdir(folder)
            os.environ["MINARI_DATASETS_PATH"] = folder
            for block in BLOCK.finditer(text):
                if bool(block[1]) != skipped:
                    left += 1
                    continue
                line = text.count("\n", 0, block.start(2))
                # Blank lines before it, so that a traceback has the line of the page.
                exec(compile("\n" * line + block[2], str(page), "exec"), {"__name__": "__main__"})
                ran += 1
            os.chdir(home)
        if ran == 0:
            sys.exit(f"{page}: no block of Python was run")
        print(f"{page}: {ran} blocks of Python, {left} left out")


if __name__ == "__main__":
    pages = [os.path.abspath(page) for page in sys.argv[1:] if page != "--skipped"]
    main(pages, skipped="--skipped" in sys.argv)

"""Executes notebooks: `run_notebooks.py [--write] NOTEBOOK...`.

A notebook fails if a cell does, if it shows no plot, if it was committed without outputs, or if it is too large.
With `--write` its outputs are written into it. notebooks/README.md lists the variables that notebooks read.
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

# Bytes of a notebook with its outputs.
MOST = 400_000


def main(arguments: list[str]) -> None:
    write = arguments[:1] == ["--write"]
    for path in map(Path, arguments[write:]):
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        if not write and not any(cell.outputs for cell in code):
            sys.exit(f"{path}: it has no outputs; write them with `run_notebooks.py --write {path}`")
        begin = time.monotonic()
        # Raises with the cell and its traceback.
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
        plots = sum("image/png" in output.get("data", {}) for cell in code for output in cell.outputs)
        if plots == 0:
            sys.exit(f"{path}: no plot was shown")
        if write:
            for cell in code:
                cell.metadata.pop("execution", None)
            nbformat.write(notebook, path)
        if (size := path.stat().st_size) > MOST:
            sys.exit(f"{path}: {size} bytes with outputs, at most {MOST} are allowed: make its plots smaller")
        print(f"{path}: {len(code)} cells, {plots} plots, {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Executes notebooks in place of a reader and keeps nothing of it.

    run_notebooks.py NOTEBOOK...

What they read is named by the environment, as notebooks/README.md says. A notebook fails if a cell does, if it was
committed with outputs, or if it shows no plot.
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main(paths: list[str]) -> None:
    for path in map(Path, paths):
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        if any(cell.outputs or cell.execution_count for cell in code):
            sys.exit(f"{path}: outputs are not committed; clear them")
        begin = time.monotonic()
        # Raises with the cell and its traceback.
        NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(path.parent)}}).execute()
        plots = sum("image/png" in output.get("data", {}) for cell in code for output in cell.outputs)
        if plots == 0:
            sys.exit(f"{path}: no plot was shown")
        print(f"{path}: {len(code)} cells, {plots} plots, {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Trains as the command line did, from Python: the bytes must be the same.

    check_training.py CONFIG RUN TO [--set KEY=VALUE]...

RUN is the folder of the run that the command line wrote; TO is the new one.
"""

import filecmp
import sys
from pathlib import Path

import cardsharp_rl


def main(config: str, run: str, to: str, *arguments: str) -> None:
    cardsharp_rl.train(config, run=to, overrides=[value for value in arguments if value != "--set"], threads=1)
    for name in ("metrics.csv", *(f"bundle/{path.name}" for path in Path(run, "bundle").iterdir())):
        if not filecmp.cmp(Path(run, name), Path(to, name), shallow=False):
            sys.exit(f"check_training: {name} of {to} is not that of {run}")
    print(f"{to}: the same bytes as {run}")


if __name__ == "__main__":
    main(*sys.argv[1:])

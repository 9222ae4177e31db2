"""Adds a page to the docs site for the help of all commands, from the texts that the tests compare with the program.

A hook of MkDocs (https://www.mkdocs.org/user-guide/configuration/#hooks).
"""

from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
HELP = ROOT / "crates/cli/tests/cmd"
PAGE = "command-line.md"
INTRODUCTION = """# Command line

This page is generated: it shows what `cardsharp COMMAND --help` prints. Every command takes `--json` and `--color`.

"""


def text_of(path):
    """Returns the help text in a recording: the lines below the command, without the fence."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("$ cardsharp"))
    end = next(number for number in range(start, len(lines)) if lines[number].startswith("```"))
    return "\n".join(lines[start + 1 : end]).rstrip()


def on_files(files, config):
    """Adds the page to the files of the site."""
    recorded = {path.stem.removeprefix("help-"): path for path in sorted(HELP.glob("help-*.trycmd"))}
    names = ["cardsharp", *(name for name in recorded if name != "cardsharp")]
    parts = []
    for name in names:
        title = "cardsharp" if name == "cardsharp" else f"cardsharp {name}"
        parts.append(f"## {title}\n\n```text\n{text_of(recorded[name])}\n```\n")
    files.append(File.generated(config, PAGE, content=INTRODUCTION + "\n".join(parts)))
    return files

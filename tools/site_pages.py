"""A hook of MkDocs (https://www.mkdocs.org/user-guide/configuration/#hooks) for pages outside docs/, links and the menu.

- The pages of each game are in its crate. The site has `crates/games/GAME/rules.md` as `rules/GAME.md`, and so on.
- The help of all commands is a page, from the texts that the tests compare with the program.
- The list of the published crates is a page. `.ci/site` adds their documentation in `rust`.
- The menu has the web page, if it is built. `.ci/site` adds it in `play`.
- Links work as in the repository. A link to a file that the site lacks becomes a link to the repository, or shows the
  path while `repo_url` is not set. A link to a file that does not exist fails the build.
- An entry of `nav` that ends with `/` means all pages of that folder: of `results/` those in `docs/results`, `index.md`
  first; of `rules/`, `encodings/`, `views/` and `lines/` one for each game.
"""

import os
import posixpath
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import tomllib
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Link, Navigation
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
HELP = ROOT / "crates/cli/tests/cmd"
HELP_PAGE = "command-line.md"
HELP_INTRODUCTION = """# Command line

This page is generated: it shows what `cardsharp COMMAND --help` prints. Every command takes `--json` and `--color`.

"""
CRATES_PAGE = "rust-api.md"
CRATES_INTRODUCTION = """# Rust API

The documentation of each published crate. [Architecture](architecture.md) explains how they work together.

| crate | content |
| --- | --- |
"""
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
# Inline code, which is not changed, or a link with its text and target. A text may hold brackets and go over two lines.
LINK = re.compile(
    r"(?P<marks>`+)(?!`).*?(?<!`)(?P=marks)(?!`)"
    r"|(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)",
    re.DOTALL,
)


def pages_of_games() -> dict[str, str]:
    """The files of games on the site: their paths in the repository, by their paths on the site."""
    found = {}
    for rules in sorted(ROOT.glob("crates/games/*/rules.md")):
        game = rules.parent
        for kind in ("rules", "encodings", "views", "lines"):
            found[f"{kind}/{game.name}.md"] = game / f"{kind}.md"
        for schema in sorted(game.glob("schemas/*.json")):
            found[f"schemas/{game.name}-{schema.name}"] = schema
    return {uri: path.relative_to(ROOT).as_posix() for uri, path in found.items()}


PATHS = pages_of_games()
URIS = {path: uri for uri, path in PATHS.items()}


def title(uri: str) -> str:
    """The title of the game that a page is about."""
    rules = ROOT / posixpath.dirname(PATHS[uri]) / "rules.md"
    return rules.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replaces folders in the menu by their pages."""

    def expand(entry: Any) -> Any:
        if isinstance(entry, list):
            return [expand(part) for part in entry]
        if isinstance(entry, dict):
            return {title: expand(part) for title, part in entry.items()}
        if not entry.endswith("/"):
            return entry
        if games := [{title(uri): uri} for uri in PATHS if uri.startswith(entry)]:
            return games
        pages = sorted(Path(config.docs_dir, entry).glob("*.md"), key=lambda page: (page.stem != "index", page.name))
        if not pages:
            raise PluginError(f"mkdocs.yml: nav names the folder docs/{entry}, which has no pages")
        return [entry + page.name for page in pages]

    config.nav = expand(config.nav)
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Adds the pages of the games, and the help of the commands."""
    for uri, path in PATHS.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
    files.append(File.generated(config, HELP_PAGE, content=help_page()))
    files.append(File.generated(config, CRATES_PAGE, content=crates_page()))
    return files


def on_nav(nav: Navigation, *, config: MkDocsConfig, files: Files) -> Navigation:
    """Adds the web page to the menu. It is no page of MkDocs, so `nav` cannot name it."""
    if (Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "web/page").is_dir():
        nav.items.append(Link("Play", "play/index.html"))
    return nav


def crates_page() -> str:
    """The published crates, with links to their documentation."""
    rows = []
    for pattern in ("crates/*/Cargo.toml", "crates/games/*/Cargo.toml", "checkpoints/Cargo.toml"):
        for path in sorted(ROOT.glob(pattern)):
            package = tomllib.loads(path.read_text(encoding="utf-8"))["package"]
            if package.get("publish", True):
                page = f"rust/{package['name'].replace('-', '_')}/index.html"
                # MkDocs does not check links in HTML.
                rows.append(f'| <a href="{page}">`{package["name"]}`</a> | {package["description"]} |\n')
    return CRATES_INTRODUCTION + "".join(rows)


def help_page() -> str:
    """The help of all commands, from the recordings of the tests."""
    recorded = {path.stem.removeprefix("help-"): path for path in sorted(HELP.glob("help-*.trycmd"))}
    parts = []
    for name in ["cardsharp", *(name for name in recorded if name != "cardsharp")]:
        # The text is below the command, in a code block.
        lines = recorded[name].read_text(encoding="utf-8").splitlines()
        start = next(number for number, line in enumerate(lines) if line.startswith("$ cardsharp"))
        end = next(number for number in range(start, len(lines)) if lines[number].startswith("```"))
        heading = "cardsharp" if name == "cardsharp" else f"cardsharp {name}"
        text = "\n".join(lines[start + 1 : end]).rstrip()
        parts.append(f"## {heading}\n\n```text\n{text}\n```\n")
    return HELP_INTRODUCTION + "\n".join(parts)


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Changes the links of one page."""
    uri = page.file.src_uri
    source = PATHS.get(uri, f"docs/{uri}")

    def link(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or re.match(r"[a-z]+:|/|#", target):
            return match[0]
        path, mark, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), unquote(path)))
        if path in URIS or path.startswith("docs/"):
            to = posixpath.relpath(URIS.get(path, path.removeprefix("docs/")), posixpath.dirname(uri) or ".")
            return f"{match['image']}[{match['text']}]({to}{mark}{anchor})"
        if path.startswith("..") or not (ROOT / path).exists():
            raise PluginError(f"{source}: the link `{target}` leads to {path}, which does not exist")
        if config.repo_url:
            kind = "tree" if (ROOT / path).is_dir() else "blob"
            address = f"{config.repo_url.rstrip('/')}/{kind}/main/{path}{mark}{anchor}"
            return f"{match['image']}[{match['text']}]({address})"
        text = match["text"]
        return text if os.path.basename(path) in text else f"{text} (`{path}`)"

    changed, block, fence = [], [], ""
    for line in markdown.splitlines(keepends=True):
        marks = FENCE.match(line)
        if marks and not fence:
            changed.append(LINK.sub(link, "".join(block)))
            block, fence = [], marks[1]
            # Words behind the language are for the checks.
            changed.append(re.sub(r"^(\s*(?:`{3,}|~{3,})[\w+-]*).*", r"\1", line))
        elif fence:
            changed.append(line)
            if marks and line.strip() == fence:
                fence = ""
        elif not line.strip():
            changed += [LINK.sub(link, "".join(block)), line]
            block = []
        else:
            block.append(line)
    changed.append(LINK.sub(link, "".join(block)))
    return "".join(changed)

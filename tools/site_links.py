"""A hook of mkdocs for links and the menu.

Links from a page to a file outside docs/ become links to the repository. A link to a file that does not exist fails the
build. While `repo_url` is not set, the page shows the path instead of a link.

An entry of `nav` that ends with `/`, like `results/`, means all pages of that folder, `index.md` first.
"""

import os
import posixpath
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent

# Folders in docs/ have no page. Links to them lead to the list that names their pages.
FOLDERS = {
    "docs/rules": "docs/reference.md#rules-of-the-games",
    "docs/encodings": "docs/reference.md#observations-and-actions",
    "docs/views": "docs/reference.md#views",
    "docs/schemas": "docs/reference.md#json-schemas",
}
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
# Inline code, which is not changed, or a link with its text and target. A text may hold brackets and go over two lines.
LINK = re.compile(
    r"(?P<marks>`+)(?!`).*?(?<!`)(?P=marks)(?!`)"
    r"|(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)",
    re.DOTALL,
)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Replaces folders in the menu by their pages."""

    def expand(entry: Any) -> Any:
        if isinstance(entry, list):
            return [expand(part) for part in entry]
        if isinstance(entry, dict):
            return {title: expand(part) for title, part in entry.items()}
        if not entry.endswith("/"):
            return entry
        pages = sorted(Path(config.docs_dir, entry).glob("*.md"), key=lambda page: (page.stem != "index", page.name))
        if not pages:
            raise PluginError(f"mkdocs.yml: nav names the folder docs/{entry}, which has no pages")
        return [entry + page.name for page in pages]

    config.nav = expand(config.nav)
    return config


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Changes the links of one page."""
    folder = posixpath.dirname(f"docs/{page.file.src_uri}")

    def link(match: re.Match[str]) -> str:
        target = match["target"]
        if target is None or re.match(r"[a-z]+:|/|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(folder, unquote(path)))
        if path in FOLDERS and not anchor:
            return f"{match['image']}[{match['text']}]({posixpath.relpath(FOLDERS[path], folder)})"
        if path.startswith("docs/"):
            return match[0]
        if path.startswith("..") or not (ROOT / path).exists():
            raise PluginError(f"docs/{page.file.src_uri}: the link `{target}` leads to {path}, which does not exist")
        if config.repo_url:
            kind = "tree" if (ROOT / path).is_dir() else "blob"
            address = f"{config.repo_url.rstrip('/')}/{kind}/main/{path}" + (f"#{anchor}" if anchor else "")
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

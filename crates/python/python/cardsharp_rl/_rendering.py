"""Pictures of what a seat sees, as arrays of pixels."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import ImageDraw

SIZE = (800, 480)
"""Width and height of a picture in pixels: always the same, because a video needs that."""

HAND = "Your hand: "
"""How the line with the cards of the seat starts."""

WORDS = re.compile(r"\S+(?: \S+)*")
"""The text of one column: two spaces separate columns."""

LARGEST, SMALLEST = 16, 6
MARGIN = 16
TABLE, INK, CARD, CARD_INK = (13, 74, 52), (240, 240, 232), (250, 250, 246), (20, 20, 24)


def frame(text: str) -> NDArray[np.uint8]:
    """A text picture of a view as pixels, uint8 [480, 800, 3]. The cards of the hand are drawn as cards.

    Raises
    ------
    ModuleNotFoundError
        Pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "render_mode='rgb_array' needs Pillow: pip install 'cardsharp-rl[render]'", name="PIL"
        ) from error
    size = next((size for size in range(LARGEST, SMALLEST, -1) if _height(text, size) <= SIZE[1]), SMALLEST)
    image = Image.new("RGB", SIZE, TABLE)
    draw = ImageDraw.Draw(image)
    row = MARGIN
    for line in text.splitlines():
        row = _hand(draw, line, row, size) if line.startswith(HAND) else _line(draw, line, row, size)
    return np.array(image)


@lru_cache(maxsize=LARGEST)
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _columns(size: int) -> int:
    """The characters of a line."""
    return (SIZE[0] - 2 * MARGIN) // _pitch(size)


def _pitch(size: int) -> int:
    """The width of a column with one character."""
    return round(size * 0.62)


def _height(text: str, size: int) -> int:
    """The height of a picture with characters of this size."""
    lines = [*text.splitlines()]
    wrapped = sum(-(-len(line) // _columns(size)) for line in lines if not line.startswith(HAND))
    cards = sum(len(line) for line in lines if line.startswith(HAND))
    rows = 2 + cards * _pitch(size) * 2 // (SIZE[0] - 2 * MARGIN)
    return 2 * MARGIN + wrapped * (size + 6) + rows * size * 3


def _line(draw: ImageDraw.ImageDraw, line: str, row: int, size: int) -> int:
    """Draws a line of text, on several rows if it is long, and returns the next row."""
    columns = _columns(size)
    for first in range(0, max(len(line), 1), columns):
        for words in WORDS.finditer(line[first : first + columns]):
            draw.text((MARGIN + words.start() * _pitch(size), row), words[0], fill=INK, font=_font(size))
        row += size + 6
    return row


def _hand(draw: ImageDraw.ImageDraw, line: str, row: int, size: int) -> int:
    """Draws the cards of a hand, with a gap where the text has a bar, and returns the next row."""
    column, row = MARGIN, row + size
    for card in line.removeprefix(HAND).split():
        if card == "|":
            column += size // 2
            continue
        width = round(draw.textlength(card, font=_font(size))) + size
        if column + width > SIZE[0] - MARGIN:
            column, row = MARGIN, row + size * 3
        draw.rounded_rectangle((column, row, column + width - 3, row + size * 2), size // 4, fill=CARD)
        draw.text((column + size // 2 - 1, row + size // 3), card, fill=CARD_INK, font=_font(size))
        column += width
    return row + size * 3

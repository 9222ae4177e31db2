"""The cards of TAKI and what its moves are called."""

COLORS = "RBGY"
NUMBERS = "1 3 4 5 6 7 8 9".split()
SYMBOLS = [*NUMBERS, "stop", "+2", "dir", "plus", "taki"]
# Color and symbol of each colored card.
COLORED = {color + symbol: (color, symbol) for color in COLORS for symbol in SYMBOLS}
COPIES = dict.fromkeys([*COLORED, "color", "super", "king", "+3", "breaker"], 2) | {"color": 4}
KINDS = [*COPIES]
# Every move, in the order of the actions.
MOVES = [
    *COLORED, *(f"{card} {color}" for card in ("color", "super") for color in COLORS), "king", "+3", "breaker", "draw",
    "close taki", "leave taki open",
    "end turn", "decline", "last card", "silent", "catch", "let go",
]  # fmt: skip


def may_begin(card, start_card):
    """Whether the card turned up begins the discard pile."""
    return card in COLORED and (start_card == "inert_action" or COLORED[card][1] in NUMBERS)


def labels(cards, colors):
    """The moves with these cards; `colors` are those that a Super TAKI may take."""
    plain = [card for card in cards if card not in ("color", "super")]
    named = [("color", color) for color in COLORS] + [("super", color) for color in colors]
    return plain + [f"{card} {color}" for card, color in named if card in cards]

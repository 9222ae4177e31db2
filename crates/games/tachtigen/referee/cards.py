"""The cards of Tachtigen, what they and their combinations count, the bids, and what its moves are called."""

from itertools import combinations, groupby, product

SUITS = "SHDC"
RANKS = "6789TJQKA"
TRUMP_RANKS = "678TQKA9J"
CARDS = [suit + rank for suit in SUITS for rank in RANKS if suit == "H" or rank != "6"]
POINTS = {"A": 11, "K": 3, "Q": 2, "J": 1, "T": 10}
TRUMP_POINTS = POINTS | {"J": 20, "9": 14}
LADDER = [
    *map(str, range(80, 151, 10)), "misere", *map(str, range(160, 191, 10)), "zwabber", "200", "210", "ouverte",
    *map(str, range(220, 711, 10)), "praatje", "prive", "praatje uit de hand", "prive uit de hand",
]  # fmt: skip
WORTH = dict(zip(["misere", "zwabber", "ouverte", *LADDER[-4:]], [50, 60, 80, 100, 120, 150, 180]))
RUN_ROEM = {3: 20, 4: 50, 5: 100, 6: 120, 7: 140, 8: 160}
# Every move, in the order of the actions.
MOVES = [
    *CARDS, "call", *(f"discard {card}" for card in CARDS), *(f"ask {card}" for card in CARDS), "solo",
    *(f"trump {suit}" for suit in [*SUITS, "none"]), *(f"bid {bid}" for bid in LADDER), "pass", "hold",
    *(f"claim {points}" for points in range(0, 330, 10)),
]  # fmt: skip


def strength(card, trump):
    """How high a card is among those of its suit."""
    return (TRUMP_RANKS if card[0] == trump else RANKS).index(card[1])


def value(card, trump):
    """What a card counts in a trick."""
    return (TRUMP_POINTS if card[0] == trump else POINTS).get(card[1], 0)


def in_order(cards):
    """Cards suit by suit, from low to high."""
    return sorted(cards, key=CARDS.index)


def roem_of(cards, trump, rules):
    """What the combinations in these cards count."""
    honours = "JAKQ" + "T" * rules["honour_tens"]
    sets = {rank: held for rank in honours if len(held := [card for card in cards if card[1] == rank]) >= 3}
    stuk = 20 * (trump is not None and {trump + "K", trump + "Q"} <= {*cards})
    if rules["roem_overlap"] == "full":
        return stuk + sum(map(set_roem, sets.values())) + runs_roem(cards)
    # A card serves once: every choice of sets, and the longest runs of what is left.
    choices = [[(), *combinations(held, 3), *combinations(held, 4)] for held in sets.values()]
    return stuk + max(
        sum(map(set_roem, chosen)) + runs_roem([card for card in cards if not any(card in used for used in chosen)])
        for chosen in product(*choices)
    )


def set_roem(cards):
    """Three or four of a rank, or none."""
    if not cards:
        return 0
    return (100 if cards[0][1] == "J" else 50) * (2 if len(cards) == 4 else 1)


def runs_roem(cards):
    """The longest runs of each suit."""
    total = 0
    for suit in SUITS:
        held = sorted(RANKS.index(card[1]) for card in cards if card[0] == suit)
        # Ranks that follow one another are equally far ahead of their place in the list.
        for _, run in groupby(enumerate(held), key=lambda pair: pair[1] - pair[0]):
            total += RUN_ROEM.get(len([*run]), 0)
    return total

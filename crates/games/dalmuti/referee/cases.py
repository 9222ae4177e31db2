"""What sessions of The Great Dalmuti are checked, and what is tampered with."""

import json

OPTIONS = {
    "strip": ['"none"', '"recommended"', "[12]", "[1]", "[3, 11]"],
    "first_deal_revolution": ["false", "true"],
    "tax_visibility": ['"sealed"', '"seen"'],
    "merchant_exchange": ['"off"', '"blind_choice"', '"blind_random"'],
    "misdeal_prob": ["0.0", "0.4", "1.0"],
    "scoring": ['"none"', '"standard"', '"philanthropic"'],
    "pass_is_final": ["false", "false", "true"],
    "equal_rank": ['"forbidden"', '"skips"', '"burns"'],
    "seating": ['"random"', '"fixed"'],
    "hand_count_view": ['"public"', '"hidden"'],
    "reward": ['"rank_linear"', '"score"'],
}
# Phases and events that must occur in the sessions.
PHASES = {"misdeal", "revolution", "tax", "exchange offer", "exchange", "play"}
EVENTS = {"misdeal", "revolution", "greater_revolution", "tribute", "return", "exchange"}
SESSIONS = 90
ROUNDS = 8
# Sessions to tamper with: options, rounds, bots and seed.
TAMPERED = [({"strip": '"recommended"'}, 3, "random", 3)]


def draw_rules(draw):
    """Options at random, except what the rules refuse, as TOML values."""
    while True:
        rules = {option: draw.choice(values) for option, values in OPTIONS.items()}
        if not (rules["scoring"] == '"none"' and rules["reward"] == '"score"'):
            break
    players = draw.randint(4, 12)
    stripped = json.loads(rules["strip"]) if rules["strip"].startswith("[") else []
    if (80 - sum(stripped)) // players < 6:
        rules["strip"] = '"none"'
    return {"players": str(players), **rules}


def tampered(trace):
    """Named copies of a trace, each with one thing wrong."""
    find, change, following = trace.find, trace.change, trace.following()
    deal, tax = find("deal"), find("decision", phase="tax")
    tribute, given = find("event", event="tribute"), find("event", event="return")
    yield "a card too many", change(deal, "hands", lambda h: [h[0] + " 12", *h[1:]])
    yield "an illegal move listed", change(following, "legal", lambda m: [*m, "1x1+JJJ"])
    yield "another phase of the taxes", change(tax, "phase", lambda _: "play")
    yield "a Jester as tribute", change(tribute, "cards", lambda _: "J J")
    yield "another tribute", change(tribute, "cards", lambda c: c + " 12")
    yield "another return", change(given, "cards", lambda c: c.replace(c.split()[0], "J", 1))

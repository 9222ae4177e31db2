"""What sessions of Tahimi are checked, and what is tampered with."""

OPTIONS = {
    "deck": ['"standard"', '"extra_suits"', '"special"'],
    "trim": ['"auto"', '"auto"', '"none"'],
    "jokers": ['"none"', '"low"', '"wild"'],
    "joker_tax": ['"coupled"', '"high"', '"low"', '"holder"'],
    "deuces_high": ["false", "true"],
    "deuces_special": ['"relabel"', '"literal"'],
    "rank_privilege": ["false", "true"],
    "first_round_tax": ["false", "true"],
    "tax_schedule": ['"auto"', '"basic"', '"progressive"'],
    "join_policy": ['"middle"', '"serf"', '"redraw"', '"random"'],
    "pass_on_lead": ["false", "false", "true"],
    "pass_is_final": ["false", "false", "true"],
    "equal_rank": ['"forbidden"', '"skips"', '"burns"'],
    "hand_count_view": ['"derivable"', '"one_card"'],
    "seating": ['"random"', '"fixed"'],
    "reward": ['"rank_linear"', '"points"', '"tahimi_only"'],
}
DECREED = ["deck", "jokers", "joker_tax", "deuces_high", "rank_privilege", "tax_schedule"]
# Phases and events that must occur in the sessions.
PHASES = {"decree", "tax jokers", "tax", "play"}
EVENTS = {"tribute", "return", "one card"}
SESSIONS = 120
ROUNDS = 6
# Sessions to tamper with: options, rounds, bots and seed.
TAMPERED = [
    (
        {
            "players": "5",
            "jokers": '"wild"',
            "first_round_tax": "true",
            "decree": "[{}, { deuces_high = true }]",
            "roster_script": "[{ round = 2, join = 5 }, { round = 2, leave = 0 }]",
        },
        3,
        "random",
        4,
    )
]


def draw_rules(draw):
    """Options at random, as TOML values."""
    rules = {option: draw.choice(values) for option, values in OPTIONS.items()}
    players = draw.randint(3, 8)
    rules["players"] = str(players)
    if draw.random() < 0.4:
        entries = [
            ", ".join(f"{option} = {draw.choice(OPTIONS[option])}" for option in DECREED if draw.random() < 0.3)
            for _ in range(draw.randint(1, 16))
        ]
        rules["decree"] = "[" + ", ".join(f"{{ {entry} }}" for entry in entries) + "]"
    if draw.random() < 0.6:
        rules["roster_script"] = "[" + ", ".join(script(draw, players)) + "]"
    return rules


def script(draw, players):
    """Comings and goings that the rules accept; sometimes too few players are left."""
    here, known = {*range(players)}, players
    for number in range(2, ROUNDS + 1):
        leaving = [seat for seat in sorted(here) if draw.random() < 0.15]
        here -= {*leaving}
        yield from (f"{{ round = {number}, leave = {seat} }}" for seat in leaving)
        if len(here) < 3:
            return
        while len(here) < 8 and draw.random() < 0.3:
            absent = [seat for seat in range(min(known + 1, 12)) if seat not in here]
            if not absent:
                break
            seat = draw.choice(absent)
            here.add(seat)
            known = max(known, seat + 1)
            yield f"{{ round = {number}, join = {seat} }}"


def tampered(trace):
    """Named copies of a trace, each with one thing wrong."""
    lines, find, change, following = trace.lines, trace.find, trace.change, trace.following()
    deal, later, decree = find("deal"), find("deal", round=2), find("decision", phase="decree")
    tribute, given = find("event", event="tribute"), find("event", event="return")
    one_card = find("event", event="one card")
    yield "a card too many", change(deal, "hands", lambda h: [h[0] + " *", *h[1:]])
    yield "an illegal move listed", change(following, "legal", lambda m: [*m, "***"])
    yield "another decree", change(decree, "choice", lambda c: "decree 1" if c == "decree 0" else "decree 0")
    yield "another variant", change(deal, "variant", lambda v: {**v, "jokers": "low"})
    yield "another tribute", change(tribute, "cards", lambda c: " ".join(c.split()[:-1]))
    yield "another return", change(given, "cards", lambda c: c.replace(c.split()[0], "*", 1) if "*" not in c else "2 2")
    yield "a last card not announced", lines[:one_card] + lines[one_card + 1 :]
    yield "nobody joined", change(later, "joined", lambda _: [])
    yield "somebody who left", change(later, "order", lambda o: [0, *o[1:]])
    yield "a newcomer elsewhere", change(later, "order", lambda o: [o[1], o[0], *o[2:]])

"""What sessions of Tachtigen are checked, and what is tampered with."""

TRUMP = ['"named"', '"named_or_none"', '"none"']
FLAG = ["false", "true"]
OPTIONS = {
    "opening_order": ['"forehand"', '"random"'],
    "all_hold": ['"end_zero"', '"redeal"'],
    "max_point_bid": ["220", "220", "230", "300", "710"],
    "trump_points": TRUMP,
    "trump_zwabber": TRUMP,
    "trump_misere": TRUMP,
    "trump_prive": TRUMP,
    "ask_scope": ['"any_held_suit"', '"aces_first"'],
    "ask_discard": FLAG,
    "first_leader": ['"bidder"', '"forehand"'],
    "ruff_while_able": FLAG,
    "must_ruff_when_void": FLAG,
    "undertrump": ['"only_if_forced"', '"compulsory_if_only_lower"', '"free"'],
    "must_overtake_trump_lead": FLAG,
    "jack_exempt_count": ["0", "1", "2", "99"],
    "jack_exempt_ruff": FLAG,
    "forced_trump_wins_called": FLAG,
    "roem_overlap": ['"full"', '"exclusive"'],
    "honour_tens": FLAG,
    "partner_roem_basis": ['"initial_hand"', '"current_hand"'],
    "roem_claims": ['"auto"', '"truthful_choice"', '"free_claim"'],
    "overclaim": ['"void"', '"correct"', '"undetected"'],
    "round_half": ['"down"', '"up"'],
    "discard_points": ['"none"', '"side"'],
    "all_tricks_bonus": ["50", "0", "500"],
    "bonus_scope": ['"points_only"', '"any_won"'],
    "solo_double_scope": ['"points_only"', '"zwabber_too"'],
    "point_score": ['"difference"', '"bid"'],
    "partner_share": ['"full"', '"split"'],
    "early_stop": FLAG,
    "reward": ['"relative"', '"points"'],
}
# One player who bids at random among three who rarely outbid him plays every contract.
BOTS = ["scripted", "random", "random,scripted,scripted,scripted", "scripted,random,scripted,scripted"]
# Phases and events that must occur in the sessions.
PHASES = {"opening", "auction", "discard", "trump", "ask", "play", "claim"}
EVENTS = {"redeal", "contract", "kitty", "trump", "partner", "roem", "open", "trick", "result"}
SESSIONS = 180
ROUNDS = 20
KEPT_TRUMPS = {
    "max_point_bid": "220",
    "ruff_while_able": "false",
    "must_ruff_when_void": "false",
    "jack_exempt_count": "99",
}
# Sessions with rare events. Zwabbers fail in the fifth, the sixth and a later trick. Sets give a card to a run. A run
# has seven cards. An asked trump jack is called. A trump must be played on a called card.
RARE = [
    ({"max_point_bid": "220", "trump_zwabber": '"none"'}, 20, "scripted", 33),
    ({"max_point_bid": "220", "ruff_while_able": "false"}, 50, "scripted", 1080),
    ({"max_point_bid": "220", "trump_zwabber": '"none"'}, 20, "scripted", 3),
    ({"max_point_bid": "220", "roem_overlap": '"exclusive"'}, 20, "scripted", 41),
    ({"max_point_bid": "220", "roem_overlap": '"exclusive"'}, 20, "scripted", 393),
    (KEPT_TRUMPS, 20, BOTS[2], 62),
    (KEPT_TRUMPS, 20, BOTS[2], 79),
    ({**KEPT_TRUMPS, "forced_trump_wins_called": "true"}, 20, BOTS[2], 79),
]
# Sessions to tamper with: options, rounds, bots and seed.
TAMPERED = [
    ({"max_point_bid": "220", "all_hold": '"redeal"'}, 3, "random,scripted,scripted,scripted", 1410),
    (
        {"max_point_bid": "220", "trump_misere": '"none"', "roem_claims": '"free_claim"'},
        3,
        "random,scripted,scripted,scripted",
        518,
    ),
]


def draw_rules(draw):
    """Options at random, as TOML values."""
    return {option: draw.choice(values) for option, values in OPTIONS.items()}


def tampered(trace):
    """Named copies of a trace, each with one thing wrong."""
    find, change, following = trace.find, trace.change, trace.following()
    deal = find("deal")
    redeal, kitty, bid = (find("event", event=event) for event in ("redeal", "kitty", "contract"))
    partner, roem, opened, trick = (find("event", event=event) for event in ("partner", "roem", "open", "trick"))
    result = next(at for at, line in enumerate(trace.lines) if "total" in line)
    yield "a card too many", change(deal, "hands", lambda h: [h[0] + " S7", *h[1:]])
    yield "another dealer", change(redeal, "dealer", lambda d: (d + 1) % 4)
    yield "another order", change(deal, "order", lambda o: o[::-1])
    yield "an illegal move listed", change(following, "legal", lambda m: [*m, "hold"])
    yield "legal moves in another order", change(following, "legal", lambda m: m[::-1])
    yield "another bidder", change(bid, "seat", lambda s: (s + 1) % 4)
    yield "another card from the middle", change(kitty, "card", lambda c: "S7" if c != "S7" else "S8")
    yield "another partner", change(partner, "seat", lambda s: (s + 1) % 4)
    yield "more roem", change(roem, "points", lambda p: p + 20)
    yield "an open hand of another seat", change(opened, "seat", lambda s: (s + 1) % 4)
    yield "another seat that wins the trick", change(trick, "seat", lambda s: (s + 1) % 4)
    yield "a point more in tricks", change(result, "raw", lambda r: r + 1)
    yield "another total", change(result, "total", lambda t: t + 10)
    yield "a contract made or not", change(result, "made", lambda m: not m)

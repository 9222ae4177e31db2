"""What sessions of TAKI are checked, and what is tampered with."""

OPTIONS = {
    "players": ["2", "2", *map(str, range(3, 11))],
    "mode": ['"single"', '"single"', '"tournament"'],
    "stages": [*map(str, range(1, 9))],
    "first_player": ['"random"', '"seat0"'],
    "start_card": ['"inert_action"', '"number_only"'],
    "draw_policy": ['"stuck_only"', '"stuck_only"', '"anytime"'],
    "taki_follow": ['"all"', '"optional"'],
    "taki_close": ['"choice"', '"auto"'],
    "run_wilds": ['"faq"', '"none"'],
    "super_on_king": ['"active_color"', '"choose"'],
    "king_vs_plus3": ['"next_player"', '"off"'],
    "plus3_vs_plus3": ['"off"', '"next_player"'],
    "plus3_last": ['"window_first"', '"wins_at_once"'],
    "plus_last": ['"must_draw"', '"wins"'],
    "cover_resolved_plus3": ["true", "false"],
    "two_player_direction": ['"passes"', '"acts_as_stop"'],
    "last_card": ['"auto"', '"declare"', '"challenge"'],
    "last_card_penalty": ["4", "4", "0", "1", "40", "115"],
    "ranking": ['"winner_only"', '"hand_size"'],
}
# Phases and events that must occur in the sessions.
PHASES = {"turn", "run", "free", "owe", "window", "last card", "catch"}
EVENTS = {"draw", "recycle", "stage", "won", "stalemate", "cut_off"}
SESSIONS = 250
ROUNDS = 5
# Sessions with rare events. A +2 is laid on an open TAKI of its color with a debt. A King against a +3 is declined. A
# game and a tournament reach their automatic limit of decisions.
RARE = [
    ({"players": "3"}, 5, "random", 207),
    ({"players": "3", "draw_policy": '"anytime"', "max_decisions": "300"}, 5, "random", 11),
    ({"players": "8", "draw_policy": '"anytime"', "taki_close": '"auto"'}, 1, "random", 12),
    ({"players": "6", "draw_policy": '"anytime"', "mode": '"tournament"'}, 1, "random", 1),
]
# Sessions to tamper with: options, rounds, bots and seed. A penalty of all cards leaves none to draw.
TAMPERED = [
    (
        {
            "players": "3",
            "mode": '"tournament"',
            "stages": "3",
            "last_card": '"challenge"',
            "last_card_penalty": "40",
            "ranking": '"hand_size"',
        },
        3,
        "random",
        570,
    ),
    (
        {
            "players": "2",
            "mode": '"tournament"',
            "stages": "1",
            "draw_policy": '"anytime"',
            "taki_follow": '"optional"',
            "last_card": '"declare"',
            "last_card_penalty": "115",
            "max_decisions": "400",
        },
        3,
        "random",
        260,
    ),
]


def draw_rules(draw):
    """Options at random, as TOML values."""
    rules = {option: draw.choice(values) for option, values in OPTIONS.items()}
    # Games in which players may draw at any time are very long.
    cut_off = 0.9 if rules["draw_policy"] == '"anytime"' else 0.4
    rules["max_decisions"] = str(int(2 ** draw.uniform(0, 10))) if draw.random() < cut_off else '"auto"'
    return rules


def tampered(trace):
    """Named copies of a trace, each with one thing wrong."""
    lines, find, change, following = trace.lines, trace.find, trace.change, trace.following()
    deal, players = find("deal"), lines[0]["players"]
    draw, recycle, stage, won = (find("event", event=event) for event in ("draw", "recycle", "stage", "won"))
    yield "a card too many", change(deal, "hands", lambda h: [h[0] + " breaker", *h[1:]])
    yield "another seat to begin", change(deal, "begins", lambda s: (s + 1) % players)
    yield "a King to begin with", change(deal, "turned", lambda _: "king")
    yield "cards drawn in another order", change(deal, "pile", lambda p: " ".join(reversed(p.split())))
    yield "an illegal move listed", change(following, "legal", lambda m: [*m, "silent"])
    yield "legal moves in another order", change(following, "legal", lambda m: m[::-1])
    yield "another seat that draws", change(draw, "seat", lambda s: (s + 1) % players)
    yield "a card less that is drawn", change(draw, "cards", lambda c: " ".join(c.split()[:-1]))
    yield "a card that was not under the top one", change(recycle, "pile", lambda p: p.replace(p.split()[0], "king"))
    yield "a stage skipped", change(stage, "stage", lambda s: s - 1)
    yield "another winner", change(won, "seat", lambda s: (s + 1) % players)
    yield "no winner", change(won, "event", lambda _: "stalemate")

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
    "plus3_last": ['"window_first"', '"wins_at_once"'],
    "plus_last": ['"must_draw"', '"wins"'],
    "cover_resolved_plus3": ["true", "false"],
    "two_player_direction": ['"passes"', '"acts_as_stop"'],
    "last_card": ['"auto"', '"declare"', '"challenge"'],
    "last_card_penalty": ["4", "4", "0", "1", "40", "115"],
    "max_decisions": ['"auto"', '"auto"', "1", "20", "200", "1000"],
    "ranking": ['"winner_only"', '"hand_size"'],
}
# Phases that the sessions together must have.
PHASES = {"turn", "run", "free", "owe", "window", "last card", "catch"}
SESSIONS = 90
ROUNDS = 4


def draw_rules(draw):
    """Options at random, as TOML values."""
    return {option: draw.choice(values) for option, values in OPTIONS.items()}

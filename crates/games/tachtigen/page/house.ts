// How the form offers Tachtigen.
import type { House } from "../../../web/src/games/house";

export const house: House = {
    sample: ["DT", "HA", "SJ"],
    session: { deals: 4 },
    guide: { rules: { deals: 1 }, seed: 54, steps: 4 },
    presets: ["house", "pandoer", "rotterdam", "no-trump", "claims"],
    groups: [
        ["bids", ["opening_order", "all_hold", "max_point_bid"]],
        ["trump", ["trump_points", "trump_zwabber", "trump_misere", "trump_prive"]],
        ["partner", ["ask_scope", "ask_discard"]],
        [
            "play",
            [
                "first_leader",
                "ruff_while_able",
                "must_ruff_when_void",
                "undertrump",
                "must_overtake_trump_lead",
                "jack_exempt_count",
                "jack_exempt_ruff",
                "forced_trump_wins_called",
                "early_stop",
            ],
        ],
        ["roem", ["roem_overlap", "honour_tens", "partner_roem_basis", "roem_claims", "overclaim"]],
        [
            "score",
            [
                "round_half",
                "discard_points",
                "all_tricks_bonus",
                "bonus_scope",
                "solo_double_scope",
                "point_score",
                "partner_share",
            ],
        ],
    ],
};

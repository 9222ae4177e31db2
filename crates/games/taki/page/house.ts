// How the form offers TAKI.
import type { House } from "../../../web/src/games/house";

export const house: House = {
    sample: ["G7", "king", "R+2"],
    session: { games: 3 },
    guide: { rules: { players: 3, games: 1 }, seed: 6, steps: 3 },
    presets: ["free", "strict", "challenge", "tournament", "two"],
    groups: [
        ["game", ["mode", "stages", "start_card", "draw_policy"]],
        ["taki", ["taki_follow", "taki_close", "run_wilds", "super_on_king"]],
        ["plus3", ["king_vs_plus3", "plus3_vs_plus3", "plus3_last", "cover_resolved_plus3"]],
        ["end", ["plus_last", "two_player_direction", "last_card", "last_card_penalty"]],
    ],
};

// How the form offers Tahimi.
import type { House } from "../../../web/src/games/house";

export const house: House = {
    sample: ["3", "J", "K"],
    session: { rounds: 5 },
    guide: { rules: { players: 4, rounds: 1 }, seed: 20, steps: 3 },
    presets: ["house", "wild", "special", "extra-suits", "decree", "evening"],
    groups: [
        ["deal", ["deck", "trim", "jokers", "deuces_high", "deuces_special"]],
        ["taxes", ["first_round_tax", "tax_schedule", "joker_tax"]],
        ["play", ["pass_is_final", "pass_on_lead", "equal_rank", "rank_privilege"]],
    ],
};

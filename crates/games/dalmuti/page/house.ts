// How the form offers The Great Dalmuti.
import type { House } from "../../../web/src/games/house";

export const house: House = {
    sample: ["12", "J", "1"],
    session: { hands: 5 },
    guide: { rules: { players: 5, hands: 1 }, seed: 24, steps: 3 },
    presets: ["house", "first-deal", "seen", "philanthropic", "four", "eight"],
    groups: [
        ["deal", ["strip", "misdeal_prob"]],
        ["taxes", ["first_deal_revolution", "tax_visibility", "merchant_exchange"]],
        ["play", ["pass_is_final", "equal_rank"]],
        ["score", ["scoring"]],
    ],
};

// The sessions of The Great Dalmuti that the tests of the page play.

/** Rules for a session by one person against bots, and the number of its rounds. */
export const rules = { players: 5, hands: 2 };
export const rounds = 2;

/** A table of the server with two people. */
export const multiplayer = { rules: { players: 4, hands: 2 }, players: ["you", "guest", "best", "scripted"] };

/** Rules under which every feature of the game occurs sooner or later. */
export const soak = [
    { players: 6, hands: 2, merchant_exchange: "blind_choice", misdeal_prob: 0.5 },
    { players: 12, hands: 1, first_deal_revolution: true, tax_visibility: "seen" },
];

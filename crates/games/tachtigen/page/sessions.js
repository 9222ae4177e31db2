// The sessions of Tachtigen that the tests of the page play.

/** Rules for a session by one person against bots, and the number of its rounds. */
export const rules = { deals: 2 };
export const rounds = 2;

/** A table of the server with two people. */
export const multiplayer = { rules: { deals: 2 }, players: ["best", "you", "scripted", "guest"] };

/** Rules under which every feature of the game occurs sooner or later. */
export const soak = [
    { deals: 1, roem_claims: "free_claim", trump_points: "named_or_none" },
    { deals: 1, all_hold: "redeal", ruff_while_able: false, must_overtake_trump_lead: true },
];

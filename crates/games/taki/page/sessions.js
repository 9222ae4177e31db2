// The sessions of TAKI that the tests of the page play.

/** Rules for a session by one person against bots, and the number of its rounds. */
export const rules = { players: 3, games: 1 };
export const rounds = 1;

/** A table of the server with two people. */
export const multiplayer = {
    rules: { players: 3, games: 2, last_card: "challenge", max_decisions: 120 },
    players: ["you", "scripted", "guest"],
};

/** Rules under which every feature of the game occurs sooner or later. */
export const soak = [
    {
        players: 4,
        games: 1,
        last_card: "challenge",
        taki_follow: "optional",
        draw_policy: "anytime",
        max_decisions: 300,
    },
    { players: 2, mode: "tournament", stages: 2, max_decisions: 300 },
];

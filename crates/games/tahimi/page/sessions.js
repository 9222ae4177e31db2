// The sessions of Tahimi that the tests of the page play.

/** Rules for a session by one person against bots, and the number of its rounds. */
export const rules = { players: 4, rounds: 2, jokers: "wild", first_round_tax: true };
export const rounds = 2;

/** A table of the server with two people. */
export const multiplayer = {
    rules: { players: 4, rounds: 2, first_round_tax: true, jokers: "low", joker_tax: "holder" },
    players: ["guest", "you", "level 3", "scripted"],
};

/** Rules under which every feature of the game occurs sooner or later. */
export const soak = [
    {
        players: 5,
        rounds: 2,
        jokers: "low",
        joker_tax: "holder",
        first_round_tax: true,
        decree: [{}, { deuces_high: true }],
    },
    { players: 3, rounds: 3, pass_on_lead: true, jokers: "wild", deuces_high: true, first_round_tax: true },
];

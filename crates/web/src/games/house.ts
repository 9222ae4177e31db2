// How the form offers a game: a picture, a short session, and its house rules in players' words.

/** The groups of house rules; the texts `house.GROUP` name them. */
export type Group =
    "bids" | "deal" | "end" | "game" | "partner" | "play" | "plus3" | "roem" | "score" | "taki" | "taxes" | "trump";

/** A round with a fixed deal for beginners. */
export interface Guide {
    rules: Record<string, number>;
    seed: number;
    /** The number of texts before the first move: `GAME.guide.1` and so on. */
    steps: number;
}

/** The texts are `GAME.about`, `GAME.preset.NAME`, `GAME.option.NAME` and `GAME.option.NAME.VALUE`. */
export interface House {
    /** Three cards that stand for the game. */
    sample: [string, string, string];
    /** The number of rounds of a session that is short enough to finish. */
    session: Record<string, number>;
    /** The first round, which the page explains step by step. */
    guide: Guide;
    /** The rule sets that the form offers. */
    presets: string[];
    /** The options that the form offers. Options for training, and lists, are in links and rule sets only. */
    groups: [Group, string[]][];
}

// Tests of the sentences that explain why one move is better than another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { runnerImport } from "vite";
import { GAMES } from "./games.js";

const source = (path) =>
    runnerImport(new URL(path, import.meta.url).pathname, { plugins: [svelte()], logLevel: "error" }).then(
        ({ module }) => module,
    );
const [{ amount, cost, why }, { LANGUAGES }] = await Promise.all([
    source("../src/review/why.ts"),
    source("../src/words/languages.ts"),
]);
const SHOWN = Object.fromEntries(
    await Promise.all(
        Object.keys(GAMES).map(async (game) => [game, (await source(`../../games/${game}/page/index.ts`)).shown]),
    ),
);

const say =
    ({ texts }) =>
    (key, values = {}) =>
        texts[key].replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
const who = (seat) => `Player ${seat + 1}`;

/** The difference between the means of two moves, with a confidence interval of ± `half`. */
const difference = (first, second, half) => ({
    means: [first, second],
    mean: first - second,
    error: half / 2,
    low: first - second - half,
    high: first - second + half,
});

/** Two moves of The Great Dalmuti with a clear difference: lead the twelves and keep a seven, or play the seven. */
const LED = {
    deals: 300,
    place: difference(3.5, 2.75, 0.25),
    points: difference(0, 0, 0),
    first: [0.1, 0.3],
    left: ["3 12 12", "3 7 J"],
    aim: [
        {
            purpose: "no player tops it",
            reached: 0.25,
            rivals: [
                { seat: 3, could: 0.5, did: 0.45 },
                { seat: 1, could: 0.2, did: 0.2 },
            ],
            by: [
                { choice: "6", share: 0.4 },
                { choice: "5", share: 0.3 },
                { choice: "4", share: 0.1 },
            ],
        },
        { purpose: "no player tops it", reached: 1, rivals: [], by: [] },
    ],
};

test("the better move, what it keeps, how often either reaches its aim, and who prevents it", () => {
    const { verdict, reasons } = why(SHOWN.dalmuti, LED, ["7", "12x2"], who, say(LANGUAGES.en));
    assert.equal(
        verdict,
        "2 × Peasant (12) is better than Seamstress (7) by 0.75 places on average (95 %: 0.50 … 1.00). Both were played out in 300 deals that fit what you know.",
    );
    assert.deepEqual(reasons, [
        "2 × Peasant (12) leaves Seamstress (7), Jester in the hand; Seamstress (7) leaves 2 × Peasant (12).",
        "2 × Peasant (12): no player tops it in 100% of the deals.",
        "Seamstress (7): no player tops it in 25% of the deals. Player 4 can prevent this most often, in 50% of the deals, and does in 45%. Moves that prevent it: Knight (6) (40%), Abbess (5) (30%).",
        "The round is won in 30% of the deals after 2 × Peasant (12), and in 10% after Seamstress (7).",
    ]);
});

test("the same two moves the other way around are told alike", () => {
    const turned = {
        ...LED,
        place: difference(2.75, 3.5, 0.25),
        first: [0.3, 0.1],
        left: [...LED.left].reverse(),
        aim: [...LED.aim].reverse(),
    };
    assert.deepEqual(
        why(SHOWN.dalmuti, turned, ["12x2", "7"], who, say(LANGUAGES.en)),
        why(SHOWN.dalmuti, LED, ["7", "12x2"], who, say(LANGUAGES.en)),
    );
});

test("where the interval holds 0 nothing is claimed", () => {
    const even = { ...LED, place: difference(3, 2.9, 0.25), left: ["3", "3"], aim: [null, null] };
    const { verdict, reasons } = why(SHOWN.dalmuti, even, ["7", "pass"], who, say(LANGUAGES.en));
    assert.equal(
        verdict,
        "Pass or Seamstress (7): the difference is too small to tell in 300 deals that fit what you know.",
    );
    assert.deepEqual(reasons, []);
});

test("points count in Tachtigen, and more of them are better", () => {
    const trick = {
        ...LED,
        place: difference(1, 1, 0),
        points: difference(-20, 30, 10),
        left: ["SJ", "SJ HA"],
        aim: [
            null,
            { purpose: "the trick goes your way", reached: 0.8, rivals: [{ seat: 0, could: 0.01, did: 0 }], by: [] },
        ],
    };
    assert.deepEqual(cost(SHOWN.tachtigen, trick), { mean: 50, low: 40, high: 60, clear: true });
    const { verdict, reasons } = why(SHOWN.tachtigen, trick, ["HA", "H7"], who, say(LANGUAGES.en));
    assert.match(verdict, /^7 of hearts is better than ace of hearts by 50\.0 points/);
    assert.deepEqual(reasons.slice(0, 2), [
        "Only 7 of hearts leaves this in the hand: ace of hearts.",
        "7 of hearts: the trick goes your way in 80% of the deals.",
    ]);
    assert.equal(amount(SHOWN.tachtigen, -1.25), "−1.3");
    // A bid aims at the contract, and not at a trick.
    const bid = { ...trick, aim: [null, { purpose: "the contract goes your way", reached: 0.53, rivals: [], by: [] }] };
    assert.equal(
        why(SHOWN.tachtigen, bid, ["HA", "H7"], who, say(LANGUAGES.en)).reasons[1],
        "7 of hearts: the contract goes your way in 53% of the deals.",
    );
});

test("every sentence has its values, in every language", () => {
    for (const language of Object.values(LANGUAGES)) {
        for (const shown of Object.values(SHOWN)) {
            for (const purpose of [
                "no player tops it",
                "the next player has to draw",
                "the trick goes your way",
                "the contract goes your way",
            ]) {
                const aim = LED.aim.map((aimed) => ({ ...aimed, purpose }));
                const { verdict, reasons } = why(
                    shown,
                    { ...LED, aim, points: difference(0, 9, 2), left: ["", ""] },
                    ["pass", "pass"],
                    who,
                    say(language),
                );
                assert.ok(reasons.length >= 2);
                assert.doesNotMatch([verdict, ...reasons].join(), /\{|undefined/);
            }
        }
    }
});

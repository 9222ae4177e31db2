// Tests of the sentences that explain why one move is better than another.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { GAMES } from "./games.js";
import { TEXTS, say, source } from "./words.js";

const { amount, cost, why } = await source("../src/review/why.ts");
const { percent } = await source("../src/words/percent.ts");
const SHOWN = Object.fromEntries(
    await Promise.all(
        Object.keys(GAMES).map(async (game) => [game, (await source(`../../games/${game}/page/index.ts`)).shown]),
    ),
);

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
    reasons: [
        { reason: "keeps", of: 1, cards: ["7", "J"] },
        { reason: "keeps", of: 0, cards: ["12", "12"] },
        { reason: "aim", of: 1, name: "climbing.aim", purpose: "no player tops it", share: 1 },
        { reason: "aim", of: 0, name: "climbing.aim", purpose: "no player tops it", share: 0.25 },
        {
            reason: "answer",
            of: 0,
            seat: 3,
            could: 0.5,
            did: 0.45,
            by: [
                { choice: "6", share: 0.4 },
                { choice: "5", share: 0.3 },
            ],
        },
        { reason: "wins", shares: [0.1, 0.3] },
    ],
};

test("the better move, what it keeps, how often either reaches its aim, and who prevents it", () => {
    const { verdict, reasons } = why(SHOWN.dalmuti, LED, ["7", "12x2"], who, say("en"));
    assert.equal(
        verdict,
        "2 × Peasant (12) is better than Seamstress (7) by 0.75 places on average (95 %: 0.50 … 1.00). Both were played out in 300 deals that fit what you know.",
    );
    assert.deepEqual(reasons, [
        "Only 2 × Peasant (12) keeps these cards: Seamstress (7), Jester.",
        "Only Seamstress (7) keeps these cards: 2 × Peasant (12).",
        "2 × Peasant (12): no player tops it in more than 99 % of the deals.",
        "Seamstress (7): no player tops it in 25% of the deals.",
        "Most often, Player 4 can answer Seamstress (7): in 50% of the deals, and does so in 45%. Answers: Knight (6) (40%), Abbess (5) (30%).",
        "The round is won in 30% of the deals after 2 × Peasant (12), and in 10% after Seamstress (7).",
    ]);
});

test("a share that rounds to 0 or 100 % gets words, unless it is certain", () => {
    for (const code of Object.keys(TEXTS)) {
        for (const share of [0, 0.004, 0.996, 1])
            assert.doesNotMatch(percent(share, say(code)), /^[^\p{L}]*(0|100)\s?%$/u, `${code} ${share}`);
    }
    assert.deepEqual(
        [0, 0.004, 0.3, 0.996, 1].map((share) => percent(share, say("en"))),
        ["less than 1 %", "less than 1 %", "30%", "more than 99 %", "more than 99 %"],
    );
    assert.deepEqual(
        [0, 1].map((share) => percent(share, say("en"), true)),
        ["0%", "100%"],
    );
});

test("a verdict does not depend on the order of the moves", () => {
    const turned = { ...LED, place: difference(2.75, 3.5, 0.25) };
    assert.equal(
        why(SHOWN.dalmuti, turned, ["12x2", "7"], who, say("en")).verdict,
        why(SHOWN.dalmuti, LED, ["7", "12x2"], who, say("en")).verdict,
    );
});

test("where the interval holds 0 nothing is claimed", () => {
    const even = { ...LED, place: difference(3, 2.9, 0.25), reasons: [] };
    const { verdict, reasons } = why(SHOWN.dalmuti, even, ["7", "pass"], who, say("en"));
    assert.equal(verdict, "Pass and Seamstress (7) are about equal in 300 deals that fit what you know.");
    assert.deepEqual(reasons, []);
});

test("points count in Tachtigen, and more of them are better", () => {
    const trick = { ...LED, place: difference(1, 1, 0), points: difference(-20, 30, 10) };
    assert.deepEqual(cost(SHOWN.tachtigen, trick), { mean: 50, low: 40, high: 60, clear: true });
    const { verdict } = why(SHOWN.tachtigen, trick, ["HA", "H7"], who, say("en"));
    assert.match(verdict, /^7 of hearts is better than ace of hearts by 50\.0 points/);
    assert.equal(amount(SHOWN.tachtigen, -1.25), "−1.3");
});

test("every sentence has its values, in every language", () => {
    for (const code of Object.keys(TEXTS)) {
        for (const shown of Object.values(SHOWN)) {
            for (const half of [0.25, 9]) {
                const place = difference(3.5, 2.75, half);
                const points = difference(0, 9, 2 * half);
                const { verdict, reasons } = why(shown, { ...LED, place, points }, ["pass", "pass"], who, say(code));
                assert.equal(reasons.length, LED.reasons.length);
                assert.doesNotMatch([verdict, ...reasons].join(), /\{|undefined/);
            }
        }
    }
});

test("every language has every text, with the placeholders of the English one", () => {
    const places = (text) => (text.match(/\{\w+/g) ?? []).sort();
    for (const [code, texts] of Object.entries(TEXTS)) {
        for (const [name, english] of Object.entries(TEXTS.en)) {
            assert.ok(texts[name], `${code} has no text ${name}`);
            assert.deepEqual([...new Set(places(texts[name]))], [...new Set(places(english))], `${code}: ${name}`);
        }
    }
});

test("a number has the form of its language, and every text has all forms", () => {
    assert.deepEqual(
        [1, 2, 5].map((count) => say("he")("count.cards", { count })),
        ["קלף אחד", "שני קלפים", "\u20665\u2069 קלפים"],
    );
    for (const [code, texts] of Object.entries(TEXTS)) {
        const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories.length;
        for (const [name, text] of Object.entries(texts)) {
            for (const [, variants] of text.matchAll(/\{\w+\|([^{}]*)\}/g)) {
                assert.equal(variants.split("|").length, forms, `${code}: ${name}`);
            }
        }
    }
});

test("in a language from right to left, values do not change the order of the text around them", () => {
    assert.equal(say("he")("play.moves", { who: "Bot 1", move: "+2" }), "\u2066Bot 1\u2069: \u2066+2\u2069");
    const card = say("he")("card.ofSuit", { rank: 7, suit: say("he")("suit.hearts") });
    assert.equal(say("he")("play.moves", { who: "Bot 1", move: card }), `\u2066Bot 1\u2069: \u2067${card}\u2069`);
});

test("no two tables of texts have a name in common", async () => {
    const games = new URL("../../games/", import.meta.url);
    const folders = [new URL("../src/words/", import.meta.url)];
    for (const game of readdirSync(games)) {
        const page = new URL(`${game}/page/`, games);
        if (existsSync(page)) folders.push(page);
    }
    for (const [code, texts] of Object.entries(TEXTS)) {
        const names = [];
        for (const folder of folders) {
            const tables = [`${code}.ts`, `house.${code}.ts`].map((file) => new URL(file, folder));
            for (const table of tables.filter((file) => existsSync(file))) {
                names.push(...Object.keys((await source(table))[code]));
            }
        }
        assert.deepEqual(names.sort(), Object.keys(texts).sort(), code);
    }
});

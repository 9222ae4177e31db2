// Tests of the puzzles. Each puzzle in `tests/puzzles` has a position of its game, and figures for its moves.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { press, random } from "./clicks.js";
import { GAMES } from "./games.js";
import { built, open, serious, visit } from "./page.js";
import { TEXTS, say } from "./words.js";

const shots = join(built, "../screens");
const sets = Object.fromEntries(
    await Promise.all(
        Object.keys(GAMES).map(async (game) => [
            game,
            JSON.parse(await readFile(new URL(`puzzles/${game}/puzzles.json`, import.meta.url), "utf8")),
        ]),
    ),
);

let world;
before(async () => {
    world = await open();
    await mkdir(shots, { recursive: true });
});
after(() => world?.close());

/** Opens the puzzle of a game. The page gets the puzzles of the tests. */
async function puzzle(game, options = {}) {
    const words = say((options.locale ?? "en").slice(0, 2));
    const found = await visit(world, "", { serviceWorkers: "block", ...options });
    await found.page.route("**/puzzles/*.json", (route) => {
        const name = /(\w+)\.json$/.exec(route.request().url())[1];
        return route.fulfill({ json: sets[name] });
    });
    await found.page.getByRole("button", { name: words("puzzle.day") }).click();
    await found.page.locator(".bar select").selectOption(game);
    await found.page.locator('[data-state="asked"]').waitFor();
    // The browser reports the blocked service worker, which would answer instead of this route.
    const complaints = () => found.complaints.filter((text) => !text.includes("Service Worker"));
    return { ...found, complaints, words };
}

/** Chooses a move by its label, with clicks or taps. */
async function choose(page, label, act = "click") {
    const button = page.locator(`.choices button[data-move="${label}"]`);
    for (let taps = 0; (await button.count()) === 0 && taps < 12; taps++) {
        const cards = page.locator('.place.fits button.card[aria-pressed="false"]');
        const count = await cards.count();
        for (let at = 0; at < count && (await button.count()) === 0; at++) {
            await cards.nth(at)[act]({ position: { x: 8, y: 30 } });
            if ((await button.count()) === 0) await page.keyboard.press("Escape");
        }
    }
    await button.first()[act]();
}

for (const game of Object.keys(GAMES)) {
    const [{ best, tempting, moves }] = sets[game].puzzles;

    test(`a puzzle of ${game}: a wrong move, then the right one, by pointer and by touch`, async () => {
        for (const [label, act, right] of [
            [tempting, "click", false],
            [best[0], "tap", true],
        ]) {
            const { page, context, complaints, words } = await puzzle(game, {
                viewport: { width: 360, height: 740 },
                hasTouch: true,
            });
            const ends = await page
                .locator(".mine .hand button, .choices button")
                .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().bottom));
            assert.ok(Math.max(...ends) <= 740, `the moves end at ${Math.max(...ends)}`);
            assert.deepEqual(await serious(page), [], "the position");
            await page.screenshot({ path: join(shots, `${game}-puzzle.png`) });
            await choose(page, label, act);
            await page.locator(".answer").waitFor();
            assert.match(await page.locator(".answer h3").innerText(), right ? /^Right!/ : /is not the best move/);
            assert.equal(await page.locator(".answer tbody tr").count(), moves.length);
            assert.equal(await page.locator(".answer .change").count(), right ? 0 : 1);
            assert.match(await page.locator(".bar").innerText(), right ? /Solved 1 of 1/ : /Solved 0 of 1/);
            assert.deepEqual(await serious(page), [], "the answer");
            await page.screenshot({ path: join(shots, `${game}-puzzle-answer.png`) });
            await page.getByRole("button", { name: words("puzzle.another") }).click();
            await page.locator('[data-state="asked"]').waitFor();
            assert.deepEqual(complaints(), []);
            await context.close();
        }
    });
}

test("a puzzle by keys only, in every language", async () => {
    for (const code of Object.keys(TEXTS)) {
        const { page, context, complaints } = await puzzle("tahimi", { locale: code });
        await press(page, random(3));
        await page.locator(".answer").waitFor();
        // The answer has the focus, so that a screen reader reads it and Tab leads to its buttons.
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await page.locator('[data-state="asked"]').waitFor();
        assert.doesNotMatch(await page.locator("main").innerText(), /puzzle\.|undefined|\{\w+\}/, code);
        assert.deepEqual(await serious(page), [], code);
        assert.deepEqual(complaints(), []);
        await context.close();
    }
});

test("the puzzle of the day counts once, and its figures are in the saved statistics", async () => {
    const game = "taki";
    const day = Math.floor(Date.UTC(2026, 0, 1) / 86_400_000);
    const { page, context } = await puzzle(game);
    for (let turn = 0; turn < 4; turn++) {
        await page.clock.setFixedTime((day + turn) * 86_400_000);
        await page.getByRole("button", { name: "Leave the table" }).click();
        for (let visits = 0; visits < 2; visits++) {
            await page.getByRole("button", { name: "Puzzle of the day" }).click();
            await page.locator('[data-state="asked"]').waitFor();
            await choose(page, sets[await page.locator(".bar select").inputValue()].puzzles[0].best[0]);
            await page.locator(".answer").waitFor();
            await page.getByRole("button", { name: "Leave the table" }).click();
        }
        await page.getByRole("button", { name: "Puzzle of the day" }).click();
    }
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem("cardsharp.statistics")));
    assert.deepEqual(Object.keys(stored).sort(), Object.keys(GAMES).sort(), "each game had its day");
    for (const { played, puzzles } of Object.values(stored)) {
        assert.equal(played, 0);
        assert.deepEqual([puzzles.played, puzzles.won, puzzles.streak], [1, 1, 1]);
    }
    await context.close();
});

test("a puzzle can be played on, and replaces no unfinished session", async () => {
    const { page, context, complaints, words } = await puzzle("taki");
    assert.equal(await page.evaluate(() => localStorage.getItem("cardsharp.session.taki")), null);
    await choose(page, sets.taki.puzzles[0].best[0]);
    await page.getByRole("button", { name: words("puzzle.playOn") }).click();
    await page.locator(".tools").waitFor();
    assert.notEqual(await page.evaluate(() => localStorage.getItem("cardsharp.session.taki")), null);
    assert.deepEqual(complaints(), []);
    await context.close();
});

test("a game without puzzles says so", async () => {
    const { page, context } = await puzzle("taki");
    await page.route("**/puzzles/tahimi.json", (route) => route.fulfill({ status: 404 }));
    await page.locator(".bar select").selectOption("tahimi");
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /puzzles\/tahimi\.json: 404/);
    await context.close();
});

// Whole sessions of each game in the built page in Firefox: by pointer, by keys and by touch, at three sizes.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { begin, decide, press, random, saved, session, settled } from "./clicks.js";
import { launch } from "./firefox.js";
import { GAMES } from "./games.js";
import { open, serious, table, visit } from "./page.js";

const NEXT = { name: "Next round" };

/** How people play: in which window, how they make a decision, and how they start the next round. */
const WAYS = {
    "by pointer, in light colors": {
        window: { viewport: { width: 1366, height: 768 } },
        one: decide,
        next: (page) => page.getByRole("button", NEXT).click(),
    },
    "by keys, in dark colors": {
        dark: true,
        window: { viewport: { width: 360, height: 740 } },
        one: press,
        next: (page) => page.keyboard.press("Enter"),
    },
    "by touch": {
        window: { viewport: { width: 390, height: 844 }, hasTouch: true },
        one: (page, draw) => decide(page, draw, "tap"),
        next: (page) => page.getByRole("button", NEXT).tap(),
    },
};

for (const [way, { dark = false, window, one, next }] of Object.entries(WAYS))
    describe(way, () => {
        let world;
        before(async () => (world = await open(() => launch({ dark }))));
        after(() => world?.close());

        for (const [game, { rules }] of Object.entries(GAMES))
            test(`a session of ${game} ${way}`, async () => {
                const { page, context, complaints } = await visit(world, table(game, { rules, seed: 10 }), window);
                assert.equal(await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches), dark);
                const fits = async (when) => {
                    assert.deepEqual(await serious(page), [], when);
                    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
                    assert.ok(wide <= window.viewport.width, `${when} is ${wide} wide`);
                };
                await fits("the form");
                await begin(page);
                assert.equal(await settled(page), "asked");
                await fits("the table");
                const ends = await page
                    .locator(".mine .hand button, .choices button")
                    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().bottom));
                assert.ok(Math.max(...ends) <= window.viewport.height, `the moves end at ${Math.max(...ends)}`);
                await session(page, random(22), one, () => next(page));
                await fits("the result");
                await saved(page, game);
                await page.getByRole("button", { name: "Watch and review" }).click();
                await page.getByRole("button", { name: /Forward/ }).click();
                await page.getByLabel("What the bot would play").check();
                await page.keyboard.press("End");
                await page.getByText("The saved game ends here.").waitFor();
                await fits("the viewer");
                assert.deepEqual(complaints, []);
                await context.close();
            });
    });

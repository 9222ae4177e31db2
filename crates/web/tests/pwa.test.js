// The installed page: it is played without a network.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { begin, decide, random, settled } from "./clicks.js";
import { GAMES } from "./games.js";
import { built, open, table, visit } from "./page.js";

let world;
before(async () => (world = await open()));
after(() => world?.close());

test("all games are played without a network", async () => {
    const { page, context, complaints } = await visit(world);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // A later visit stores the bots of all games.
    await page.locator("form.setup button.main").click();
    await page.locator("[data-state]").waitFor();
    await page.goto("about:blank");
    await page.goto(world.address);
    const bots = Object.keys(GAMES).map((game) => `${world.address}bots/${game}/bot.safetensors`);
    await page.waitForFunction(
        (bots) => Promise.all(bots.map((bot) => caches.match(bot))).then((found) => found.every(Boolean)),
        bots,
        { polling: 200 },
    );
    assert.deepEqual(complaints, []);
    await context.setOffline(true);
    const draw = random(21);
    for (const [game, { rules }] of Object.entries(GAMES)) {
        await page.goto("about:blank");
        await page.goto(`${world.address}${table(game, { rules, players: ["you", "level 5"] })}`);
        await begin(page);
        for (let decisions = 0; decisions < 3 && (await settled(page)) === "asked"; decisions++)
            await decide(page, draw);
        await page.getByRole("button", { name: "Leave the table" }).click();
        // Without a server there is no table for several people.
        assert.equal(await page.getByRole("button", { name: "Play with others" }).count(), 0);
    }
    for (const game of Object.keys(GAMES)) {
        await page.getByRole("button", { name: "Puzzle of the day" }).click();
        await page.locator(".bar select").selectOption(game);
        await page.locator('[data-state="asked"]').waitFor();
        await page.getByRole("button", { name: "Leave the table" }).click();
    }
    const [rules] = await Promise.all([
        context.waitForEvent("page"),
        page
            .getByText("More options")
            .click()
            .then(() => page.getByRole("link", { name: /^Rules of/ }).click()),
    ]);
    await rules.locator("h1").waitFor();
    await context.close();
});

test("the page can be installed, and says what it is", async () => {
    const manifest = JSON.parse(await readFile(join(built, "manifest.webmanifest"), "utf8"));
    assert.equal(manifest.display, "standalone");
    for (const { src, sizes, type } of manifest.icons) {
        const icon = await readFile(join(built, src));
        if (type !== "image/png") continue;
        assert.equal(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`, sizes, src);
    }
    assert.ok(manifest.icons.some(({ purpose }) => purpose === "maskable"));
    const { page, context } = await visit(world);
    const content = (name) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).getAttribute("content");
    assert.match(await content("description"), /Tahimi.*without a network/);
    assert.equal(await content("og:description"), await content("description"));
    const preview = await readFile(join(built, await content("og:image")));
    assert.deepEqual([preview.readUInt32BE(16), preview.readUInt32BE(20)], [1200, 630]);
    await context.close();
});

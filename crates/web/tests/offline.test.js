// Tests of the page in one file, opened from a folder without a server.
import assert from "node:assert/strict";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { begin, decide, random, saved, session, settled } from "./clicks.js";
import { GAMES } from "./games.js";
import { built, open, serious, table, visit } from "./page.js";

const shots = join(built, "../screens");
const TABLES = {
    dalmuti: { rules: { players: 5, hands: 2 } },
    tachtigen: { rules: { deals: 1 } },
};

let browser, folder, world;
before(async () => {
    browser = await open();
    folder = await mkdtemp(join(tmpdir(), "a folder of mine "));
    await copyFile(join(built, "cardsharp.html"), join(folder, "cardsharp.html"));
    const address = pathToFileURL(join(folder, "cardsharp.html")).href;
    world = { browser: browser.browser, near: address, address };
    await mkdir(shots, { recursive: true });
});
after(async () => {
    await browser?.close();
    await rm(folder, { recursive: true });
});

for (const [game, { rules }] of Object.entries(TABLES)) {
    test(`a session of ${game}: hints, the trace, the review, a link`, async () => {
        const { page, context, complaints } = await visit(world, table(game, { rules, players: ["you", "best"] }), {
            viewport: { width: 1200, height: 900 },
        });
        assert.deepEqual(await serious(page), [], "the form");
        await page.screenshot({ path: join(shots, `${game}-offline-form.png`), fullPage: true });
        await begin(page);
        assert.equal(await settled(page), "asked");
        await page.getByRole("button", { name: "Hint" }).click();
        await page.locator(".hint .verdict").waitFor();
        assert.deepEqual(await serious(page), [], "the table");
        await page.screenshot({ path: join(shots, `${game}-offline.png`), fullPage: true });
        await session(page, random(1), decide, () => page.getByRole("button", { name: "Next round" }).click());
        assert.deepEqual(await serious(page), [], "the result");
        await saved(page, game);
        await page.getByRole("button", { name: "Watch and review" }).click();
        const steps = await page.getByText(/^Step 0 of/).innerText();
        await page.getByLabel("What the bot would play").check();
        await page.getByRole("button", { name: /Forward/ }).click();
        await page.getByRole("button", { name: "Start the review" }).click();
        await page.locator("progress").waitFor();
        await page.locator("progress").waitFor({ state: "detached", timeout: 120_000 });
        assert.equal(await page.locator(".review tbody tr").count(), Object.values(rules).at(-1));
        assert.deepEqual(await serious(page), [], "the review");
        await page.screenshot({ path: join(shots, `${game}-offline-review.png`), fullPage: true });
        // The link contains the game, and leads to this file.
        await context.grantPermissions(["clipboard-read", "clipboard-write"]);
        await page.getByRole("button", { name: "Copy a link to this game" }).click();
        await page.getByText("Copied. Anyone who opens the link can watch this game").waitFor();
        const link = await page.evaluate(() => navigator.clipboard.readText());
        assert.ok(link.startsWith(`${world.address}#replay=`));
        assert.deepEqual(complaints, []);
        await context.close();
        const other = await visit(world, new URL(link).hash);
        await other.page.getByText(/^Step 0 of/).waitFor();
        assert.equal(await other.page.getByText(/^Step 0 of/).innerText(), steps);
        assert.deepEqual(other.complaints, []);
        await other.context.close();
    });
}

test("the puzzles of all games are in the file", async () => {
    const { page, context, complaints } = await visit(world);
    await page.getByRole("button", { name: "Puzzle of the day" }).click();
    for (const game of Object.keys(GAMES)) {
        await page.locator(".bar select").selectOption(game);
        await page.locator(".answer").waitFor({ state: "detached" });
        await page.locator('[data-state="asked"]').waitFor();
        await decide(page, random(5));
        await page.locator(".answer").waitFor();
    }
    assert.deepEqual(complaints, []);
    await context.close();
});

test("what was played is there again, and nobody is asked to come", async () => {
    const { page, context, complaints } = await visit(world, table("taki", { rules: { players: 2, games: 1 } }));
    assert.equal(await page.locator('option[value="guest"]').count(), 0);
    await begin(page);
    await settled(page);
    await decide(page, random(3));
    await settled(page);
    const log = await page.locator(".log li").allInnerTexts();
    await page.goto("about:blank");
    await page.goto(world.address);
    await page.getByRole("button", { name: /Continue TAKI/ }).click();
    await settled(page);
    assert.deepEqual(await page.locator(".log li").allInnerTexts(), log);
    await page.getByRole("button", { name: "Leave the table" }).click();
    await page.locator("form.setup").waitFor();
    assert.equal(page.url(), world.address);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("the rules are in it", async () => {
    const { page, context, complaints } = await visit(world);
    const names = await page.locator("form.setup .game .title").allInnerTexts();
    await page.getByText("More options").click();
    assert.equal(names.length, Object.keys(GAMES).length);
    for (const name of names.map((name) => name.trim())) {
        await page.getByLabel(name, { exact: true }).check();
        const opening = context.waitForEvent("page");
        await page.getByRole("link", { name: `Rules of ${name}` }).click();
        const rules = await opening;
        rules.on("console", (message) => complaints.push(message.text()));
        await rules.locator("h1").waitFor();
        assert.equal(await rules.title(), `${name}: rules`);
        // The policy of the page allows the style of the rules page.
        assert.match(await rules.evaluate(() => getComputedStyle(document.documentElement).fontFamily), /Georgia/);
        assert.deepEqual(await serious(rules), [], name);
        await rules.locator('a[href^="#"]').last().click();
        await rules.waitForFunction(() => scrollY > 0);
        await rules.close();
    }
    assert.deepEqual(complaints, []);
    await context.close();
});

test("a browser that keeps nothing plays on without", async () => {
    const context = await world.browser.newContext({ locale: "en-GB" });
    await context.addInitScript(() => {
        for (const name of ["localStorage", "sessionStorage"])
            Object.defineProperty(window, name, {
                get: () => {
                    throw new DOMException("nothing is kept", "SecurityError");
                },
            });
    });
    const page = await context.newPage();
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`${world.address}${table("dalmuti", { rules: { players: 4, hands: 1 } })}`);
    await begin(page);
    await settled(page);
    await decide(page, random(5));
    await settled(page);
    await page.getByRole("button", { name: "Leave the table" }).click();
    await page.getByRole("button", { name: /^▶?Continue / }).click();
    await session(page, random(5), decide, () => undefined);
    assert.deepEqual(errors, []);
    await context.close();
});

test("links that need a server say so", async () => {
    for (const trace of ["game.jsonl", "https://example.org/game.jsonl"]) {
        const { page, context, complaints } = await visit(world, `#trace=${encodeURIComponent(trace)}`);
        await page.getByRole("alert").waitFor();
        assert.match(await page.getByRole("alert").innerText(), /open it here|works without a server/);
        assert.deepEqual(complaints, []);
        await context.close();
    }
    const page = await world.browser.newPage({ locale: "en-GB" });
    await page.goto(`${world.address}#table=ABC&seat=secret`);
    await page
        .getByRole("alert")
        .getByText(/works without a server/)
        .waitFor();
    await page.close();
});

test("the page of many files says that it needs a server, and leads to this one", async () => {
    const page = await world.browser.newPage();
    await page.goto(pathToFileURL(join(built, "index.html")).href);
    await page.getByText("browsers open it from a server only").waitFor();
    await page.getByRole("link", { name: "cardsharp.html" }).click();
    await page.locator("form.setup").waitFor();
    await page.close();
});

test("it is hardly larger than its parts, which are 2.9 MB with brotli", async () => {
    const file = await readFile(join(built, "cardsharp.html"));
    const packed = brotliCompressSync(file).length;
    assert.ok(packed <= 3_300_000, `${packed} bytes with brotli`);
    assert.ok(file.length <= 4_700_000, `${file.length} bytes`);
    await writeFile(join(shots, "size-offline.txt"), `${file.length} ${packed}\n`);
});

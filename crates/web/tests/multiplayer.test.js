// Tests with several people, each on their own page, at a table of `cardsharp serve` (`CARDSHARP` names the program).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { decide, random } from "./clicks.js";
import { GAMES } from "./games.js";
import { built, open, serious, table, visit } from "./page.js";
import { serve } from "./serve.js";

const run = promisify(execFile);
const cardsharp = process.env.CARDSHARP;
const shots = join(built, "../screens");
assert.ok(cardsharp, "CARDSHARP must name the program that serves");

let browser, server, data;
before(async () => {
    data = await mkdtemp(join(tmpdir(), "multiplayer-"));
    browser = await open();
    server = await serve(["--data", data]);
});
after(async () => {
    await browser?.close();
    await server?.stop();
    await rm(data, { recursive: true, force: true });
});

const world = (at = server) => ({ browser: browser.browser, origin: at.origin, address: `${at.origin}/` });

/** Opens a table on a new page; returns the page, and the links of the guests by their names. */
async function host(game, rules, players, at = server) {
    const seat = await visit(world(at), table(game, { rules, players }));
    const { page } = seat;
    await page.evaluate(() => localStorage.setItem("cardsharp.speed", "instant"));
    await page.getByLabel("Your name").fill("Ann");
    assert.deepEqual(await serious(page), [], "the form");
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.locator(".lobby").waitFor();
    assert.deepEqual(await serious(page), [], "the invitations");
    const rows = await page.locator(".invitations li").evaluateAll((rows) =>
        rows.map((row) => [
            row.innerText
                .trim()
                .split("\n")[0]
                .replace(/ (not )?here.*/, ""),
            row.querySelector("input").value,
        ]),
    );
    await page.getByRole("button", { name: "I am ready" }).click();
    await page.getByText("The game starts when these people are ready").waitFor();
    return { ...seat, links: Object.fromEntries(rows) };
}

/** Opens a link as another person, in a new browser context, and takes the seat under this name. */
async function come(link, name, options = {}, at = server) {
    const seat = await visit(world(at), new URL(link).hash, options);
    await seat.page.getByLabel("Your name").fill(name);
    assert.deepEqual(await serious(seat.page), [], "the invitation");
    await seat.page.getByRole("button", { name: "I am ready" }).click();
    await seat.page.locator("[data-state]").waitFor();
    return seat;
}

const state = (page) => page.locator("[data-state]").getAttribute("data-state");
const pause = () => new Promise((done) => setTimeout(done, 30));

/** Plays until `until` returns true: every page that must decide does so, and the first page deals. */
async function play(pages, draw, until) {
    for (let idle = 0; idle < 600; idle++) {
        for (const [at, page] of pages.entries()) {
            const now = await state(page);
            if (now === "asked") {
                await decide(page, draw);
                idle = 0;
            } else if (now === "between" && at === 0) {
                await page.getByRole("button", { name: "Next round" }).click();
                await page.waitForFunction(() => document.querySelector("[data-state]")?.dataset.state !== "between");
                idle = 0;
            }
            if (await until()) return;
        }
        await pause();
    }
    throw new Error("nobody is asked any more");
}

const over = (pages) => async () => (await Promise.all(pages.map(state))).every((now) => now === "over");

async function saved(page) {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save this game" }).click();
    const path = await (await waiting).path();
    await run(cardsharp, ["replay", path]);
    return readFile(path, "utf8");
}

for (const [game, { multiplayer }] of Object.entries(GAMES)) {
    test(`two people and bots play ${game}, a third one watches`, async () => {
        const { rules, players } = multiplayer;
        const guest = `Guest ${players.indexOf("guest") + 1}`;
        const ann = await host(game, rules, players);
        const bob = await come(ann.links[guest], "Bob", { viewport: { width: 360, height: 740 } });
        const eve = await browser.browser.newContext();
        const watching = await eve.newPage();
        await watching.goto(ann.links["Spectators"]);
        await watching.getByText("what everyone at the table sees").waitFor();
        const heard = () => watching.locator(".log li").count();
        const pages = [ann.page, bob.page];
        const draw = random(11);
        let looked = false;
        await play(pages, draw, async () => {
            if (!looked && (await bob.page.locator(".log li").count()) > 6) {
                looked = true;
                for (let wait = 0; (await heard()) < 3 && wait < 100; wait++) await pause();
                assert.ok((await heard()) >= 3, "the spectators hear nothing");
                assert.deepEqual(await serious(bob.page), [], "the table");
                await bob.page.screenshot({ path: join(shots, `${game}-multiplayer.png`), fullPage: true });
                // A person who reloads the page comes back to the same table.
                const told = await bob.page.locator(".log li").allInnerTexts();
                await bob.page.reload();
                await bob.page.locator("[data-state]").waitFor();
                await bob.page.waitForFunction(
                    (lines) => document.querySelectorAll(".log li").length >= lines,
                    told.length,
                );
                assert.deepEqual((await bob.page.locator(".log li").allInnerTexts()).slice(0, told.length), told);
            }
            return over(pages)();
        });
        assert.ok(looked);
        assert.ok((await bob.page.locator(".log").innerText()).includes("Ann"));
        for (const { page } of [ann, bob]) {
            await page.getByRole("button", { name: "Verify the deal" }).click();
            await page.getByText("Verified: the cards follow from the secret").waitFor();
        }
        assert.deepEqual(await serious(ann.page), [], "a verified deal");
        const trace = await saved(ann.page);
        assert.equal(await saved(bob.page), trace);
        // Both pages show the same result, with different names for the seats.
        const points = (page) =>
            page
                .locator(".result tr:has(td)")
                .evaluateAll((rows) => rows.map((row) => [row.cells[0].innerText, row.cells[2].innerText]));
        assert.deepEqual((await points(ann.page)).sort(), (await points(bob.page)).sort());
        await watching.getByRole("button", { name: /Forward/ }).waitFor();
        const steps = trace.split("\n").filter((line) => /"line":"(decision|deal)"/.test(line)).length - 1;
        assert.equal(Number(await watching.locator("input[type=range]").getAttribute("max")), steps);
        await ann.page.getByRole("button", { name: "Watch and review" }).click();
        await ann.page.getByRole("button", { name: "Start the review" }).waitFor();
        assert.deepEqual([...ann.complaints, ...bob.complaints], []);
        for (const context of [ann.context, bob.context, eve]) await context.close();
    });
}

test("a move goes back when all agree; a bot plays on for who leaves", async () => {
    const ann = await host("dalmuti", { players: 4, hands: 1 }, ["you", "guest", "scripted", "scripted"]);
    const bob = await come(ann.links["Guest 2"], "Bob");
    const pages = [ann.page, bob.page];
    const undo = ann.page.locator(".tools").getByRole("button", { name: "Take back" });
    await play(pages, random(5), () => undo.isEnabled());
    const before = await ann.page.locator(".log li").count();
    await undo.click();
    await bob.page.getByText("Ann wants to take back a move.").waitFor();
    await ann.page.getByText("To take back the move, these players must agree: Bob.").waitFor();
    await bob.page.getByRole("button", { name: "Refuse" }).click();
    await ann.page.getByText("To take back the move").waitFor({ state: "detached" });
    await undo.click();
    await bob.page.getByRole("button", { name: "Agree" }).click();
    await ann.page.waitForFunction((lines) => document.querySelectorAll(".log li").length < lines, before);
    assert.equal(await state(ann.page), "asked");
    bob.page.on("dialog", (dialog) => dialog.accept());
    await bob.page.getByText("Take a break or leave").click();
    await bob.page.getByRole("button", { name: "Give my seat to a bot" }).click();
    await bob.page.locator("form.setup").waitFor();
    await play([ann.page], random(6), over([ann.page]));
    await saved(ann.page);
    assert.deepEqual([...ann.complaints, ...bob.complaints], []);
    await ann.context.close();
    await bob.context.close();
});

test("a host ends the table, and who has its link is told", async () => {
    const ann = await host("taki", { players: 2 }, ["you", "guest"]);
    const bob = await come(ann.links["Guest 2"], "Bob");
    // A host who goes back to the form finds the table there.
    await ann.page.goBack();
    await ann.page.getByRole("link", { name: /Back to the table/ }).click();
    await ann.page.locator("[data-state]").waitFor();
    ann.page.on("dialog", (dialog) => dialog.accept());
    await ann.page.getByText("Take a break or leave").click();
    await ann.page.getByRole("button", { name: "End the table for everyone" }).click();
    await ann.page.locator("form.setup").waitFor();
    await bob.page.getByRole("alert").filter({ hasText: "there is no table" }).waitFor();
    assert.equal(await ann.page.getByText("Back to the table").count(), 0);
    await ann.context.close();
    await bob.context.close();
});

test("a host who gave up the seat, after a guest's link was opened beside it, is the host still", async () => {
    const ann = await host("taki", { players: 3 }, ["you", "guest", "scripted"]);
    const beside = await ann.context.newPage();
    await beside.goto(ann.links["Guest 2"]);
    await beside.getByRole("button", { name: "I am ready" }).click();
    await beside.locator("[data-state]").waitFor();
    await beside.close();
    ann.page.on("dialog", (dialog) => dialog.accept());
    await ann.page.getByText("Take a break or leave").click();
    await ann.page.getByRole("button", { name: "Give my seat to a bot" }).click();
    await ann.page.getByRole("link", { name: /Back to the table/ }).click();
    await ann.page.getByText("what everyone at the table sees").waitFor();
    assert.equal(await ann.page.getByText("Invite others").count(), 1);
    assert.deepEqual(await serious(ann.page), [], "a host who watches");
    await ann.page.getByRole("button", { name: "End the table for everyone" }).click();
    await ann.page.locator("form.setup").waitFor();
    assert.equal(await ann.page.getByRole("link", { name: /Back to the table/ }).count(), 0);
    assert.deepEqual(ann.complaints, []);
    await ann.context.close();
});

test("everyone sees who is away; the host lets a bot play, and the guest comes back", async () => {
    const ann = await host("taki", { players: 3 }, ["you", "guest", "scripted"]);
    const link = ann.links["Guest 2"];
    const bob = await come(link, "Bob");
    const people = ann.page.locator(".people li");
    await people.filter({ hasText: "Bob" }).filter({ hasText: "here" }).waitFor();
    await bob.page.getByRole("button", { name: "Well played!" }).click();
    await ann.page.locator(".emote").filter({ hasText: "Well played!" }).waitFor();
    assert.deepEqual(await serious(ann.page), [], "an emote");
    await bob.page.close();
    await people.filter({ hasText: "away" }).waitFor({ timeout: 10_000 });
    await ann.page.locator(".seat.away").filter({ hasText: "Bob" }).waitFor();
    assert.deepEqual(await serious(ann.page), [], "a guest who is away");
    await ann.page.getByRole("button", { name: "Let a bot play for Bob" }).click();
    await people.filter({ hasText: "a bot plays" }).waitFor();
    const again = await bob.context.newPage();
    await again.goto(link);
    await again.getByText("A bot plays for you.").waitFor();
    await again.getByRole("button", { name: "Play again myself" }).click();
    await again.getByText("A bot plays for you.").waitFor({ state: "detached" });
    await people.filter({ hasText: "Bob" }).filter({ hasText: "here" }).waitFor();
    assert.deepEqual([...ann.complaints, ...bob.complaints], []);
    await ann.context.close();
    await bob.context.close();
});

test("a table in the list has a seat for a stranger, and a limit of time", async () => {
    const { page, context, complaints } = await visit(world());
    await page.getByRole("button", { name: "Play with others" }).click();
    await page.getByLabel("Your name").fill("Ann");
    await page.getByLabel("Remove a guest").click();
    // Without guests and without the list the form is again that of a table with bots.
    assert.equal(await page.getByRole("button", { name: "Open the table" }).count(), 0);
    await page.getByRole("button", { name: "Play with others" }).click();
    await page.getByLabel("Time for a move").selectOption("300");
    await page.getByLabel(/in the list of open tables/).check();
    await page.getByRole("button", { name: "Open the table" }).click();
    await page.locator(".lobby").waitFor();
    const eve = await visit(world(), "", { viewport: { width: 360, height: 740 } });
    const tables = eve.page.getByRole("region", { name: "Open tables" });
    await tables.waitFor();
    assert.deepEqual(await serious(eve.page), [], "the list of tables");
    await tables.locator("li").filter({ hasText: "Ann" }).getByRole("button", { name: "Join" }).click();
    await eve.page.getByLabel("Your name").fill("Eve");
    await eve.page.getByRole("button", { name: "I am ready" }).click();
    await page.locator(".people li").filter({ hasText: "Eve" }).filter({ hasText: "ready" }).waitFor();
    // A bot plays for the guest who has not come, so that the session starts.
    await page.getByRole("button", { name: "Let a bot play for Guest 2" }).click();
    await page.getByRole("button", { name: "I am ready" }).click();
    for (const one of [page, eve.page]) {
        await one.locator("[data-state]").waitFor();
        await one.locator(".people").filter({ hasText: "Ann" }).filter({ hasText: "Eve" }).waitFor();
    }
    assert.deepEqual([...complaints, ...eve.complaints], []);
    await context.close();
    await eve.context.close();
});

test("a server that was away finds everybody at the table", async () => {
    const folder = await mkdtemp(join(tmpdir(), "multiplayer-"));
    let at = await serve(["--data", folder]);
    const ann = await host("tahimi", { players: 3, rounds: 1 }, ["you", "guest", "scripted"], at);
    const bob = await come(ann.links["Guest 2"], "Bob", {}, at);
    const pages = [ann.page, bob.page];
    await play(pages, random(9), async () => (await ann.page.locator(".log li").count()) > 8);
    await at.stop();
    await ann.page.getByText("No connection to the server").waitFor();
    at = await serve(["--data", folder], at.address);
    await ann.page.getByText("No connection to the server").waitFor({ state: "detached", timeout: 30_000 });
    await bob.page.getByText("No connection to the server").waitFor({ state: "detached", timeout: 30_000 });
    await play(pages, random(10), over(pages));
    assert.equal(await saved(bob.page), await saved(ann.page));
    const missed = [...ann.complaints, ...bob.complaints].filter((text) => !text.includes("net::ERR_"));
    assert.deepEqual(missed, []);
    await ann.context.close();
    await bob.context.close();
    await at.stop();
    await rm(folder, { recursive: true });
});

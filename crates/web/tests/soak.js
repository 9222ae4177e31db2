// Many sessions by a script that clicks what can be clicked: `node tests/soak.js [SESSIONS]`.
//
// Nothing may be complained of, memory must not grow, and every trace must be one that the native program takes
// (`CARDSHARP` names it).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { open, table, visit } from "./page.js";

const run = promisify(execFile);
const sessions = Number(process.argv[2] ?? 1000);
const cardsharp = process.env.CARDSHARP;

/** Tables that have everything in them sooner or later. */
const TABLES = [
    ["dalmuti", { players: 6, hands: 2, merchant_exchange: "blind_choice", misdeal_prob: 0.5 }],
    ["tahimi", { players: 5, rounds: 2, jokers: "low", joker_tax: "holder", first_round_tax: true, decree: [{}, { deuces_high: true }] }],
    ["taki", { players: 4, games: 1, last_card: "challenge", taki_follow: "optional", draw_policy: "anytime", max_decisions: 300 }],
    ["tachtigen", { deals: 1, roem_claims: "free_claim", trump_points: "named_or_none" }],
    ["taki", { players: 2, mode: "tournament", stages: 2, max_decisions: 300 }],
    ["dalmuti", { players: 12, hands: 1, first_deal_revolution: true, tax_visibility: "seen" }],
    ["tahimi", { players: 3, rounds: 3, pass_on_lead: true, jokers: "wild", deuces_high: true, first_round_tax: true }],
    ["tachtigen", { deals: 1, all_hold: "redeal", ruff_while_able: false, must_overtake_trump_lead: true }],
];

/** Plays the session on the page to its end, by clicks from inside; returns its trace and how many clicks it took. */
async function played(page, seed) {
    return page.evaluate(async (seed) => {
        let state = seed >>> 0;
        const draw = () => {
            state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
            return state / 2 ** 32;
        };
        const drawn = (list) => list[Math.floor(draw() * list.length)];
        const all = (selector) => [...document.querySelectorAll(selector)];
        const tick = () => new Promise((done) => setTimeout(done, 0));
        const table = () => document.querySelector("[data-state]")?.dataset.state;
        const until = Date.now() + 60_000;
        let clicks = 0;
        while (table() !== "over") {
            if (Date.now() > until) throw new Error("the session does not end");
            if (document.querySelector("[role=alert].failed")) throw new Error(document.querySelector(".failed").innerText);
            const now = table();
            if (now === "between") {
                document.querySelector(".result button.main").click();
                clicks++;
            } else if (now === "asked") {
                const ready = all(".choices button.main[data-move]");
                const cards = all('.place.fits button.card[aria-pressed="false"]');
                if (draw() < 0.1) document.querySelector('.choices button.more[aria-expanded="false"]')?.click();
                await tick();
                const plain = all(".choices button[data-move]:not(.main)");
                const pick = ready.length ? drawn(ready) : plain.length && (!cards.length || draw() < 0.3) ? drawn(plain) : drawn(cards);
                pick.click();
                clicks++;
                // Some moves are taken back.
                if (ready.length && draw() < 0.03) {
                    await tick();
                    all(".tools button").find((button) => button.innerText.includes("Take back"))?.click();
                }
            }
            await tick();
        }
        return clicks;
    }, seed);
}

const said = ({ heap, all }) => `${heap.toFixed(1)} MB of scripts, ${all.toFixed(0)} MB in all`;

const world = await open();
const folder = await mkdtemp(join(tmpdir(), "soak-"));
try {
    const { page, complaints } = await visit(world);
    await page.evaluate(() => localStorage.setItem("cardsharp.speed", "instant"));
    const client = await page.context().newCDPSession(page);
    const system = await world.browser.newBrowserCDPSession();
    /** Megabytes: what the page's scripts hold, and the whole process of the page with the engine and its threads. */
    const used = async () => {
        await client.send("HeapProfiler.collectGarbage");
        const heap = (await client.send("Runtime.getHeapUsage")).usedSize / 1e6;
        const { processInfo } = await system.send("SystemInfo.getProcessInfo");
        const pages = processInfo.filter(({ type }) => type === "renderer");
        const held = pages.map(async ({ id }) => Number(/^RssAnon:\s+(\d+) kB/m.exec(await readFile(`/proc/${id}/status`, "utf8"))?.[1]) / 1e3);
        return { heap, all: Math.max(...(await Promise.all(held))) };
    };
    const memory = [];
    const began = Date.now();
    let clicks = 0;
    for (let number = 0; number < sessions; number++) {
        const [game, rules] = TABLES[number % TABLES.length];
        await page.evaluate((hash) => (location.hash = hash), table(game, { rules, seed: number, players: ["you", number % 3 ? "scripted" : "best"] }));
        await page.waitForFunction((seed) => document.querySelector('input[inputmode="numeric"]')?.value === seed, String(number));
        await page.locator("form.setup button.main").click();
        await page.locator("[data-state]").waitFor();
        clicks += await played(page, number);
        const waiting = page.waitForEvent("download");
        await page.getByRole("button", { name: "Save the trace" }).click();
        const download = await waiting;
        const trace = join(folder, "trace.jsonl");
        await download.saveAs(trace);
        if (cardsharp) await run(cardsharp, ["replay", trace]);
        await download.delete();
        await page.getByRole("button", { name: "Leave the table" }).click();
        await page.locator("form.setup").waitFor();
        if (number % TABLES.length === TABLES.length - 1) memory.push(await used());
        if (number % 100 === 99) console.log(`${number + 1} sessions, ${clicks} clicks, ${said(memory.at(-1))}`);
    }
    assert.deepEqual(complaints, []);
    // What the first sessions leave is what the page is; from then on nothing may be added.
    if (memory.length >= 10) {
        const [early, late] = [memory[4], memory.at(-1)];
        const grew = `memory grew from ${said(early)} to ${said(late)}`;
        assert.ok(late.heap < early.heap * 1.15 + 1 && late.all < early.all * 1.15 + 20, grew);
    }
    const seconds = (Date.now() - began) / 1000;
    console.log(`${sessions} sessions, ${clicks} clicks in ${seconds.toFixed(0)} s; ${memory.length ? said(memory.at(-1)) : "memory not looked at"} at the end`);
} finally {
    await world.close();
    await rm(folder, { recursive: true });
}

// Plays through the user interface only, with clicks and keys.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
/** The native program, which must accept every trace that the page writes. */
const cardsharp = process.env.CARDSHARP;

/** Deals at the table of the form, and makes the bots play without delay. */
export async function begin(page) {
    await page.locator("form.setup button.main").click();
    await page.locator("[data-state]").waitFor();
    await page.getByLabel("Speed").selectOption("instant");
}

/** The trace that the page saves. If it is finished, the native program must accept it. */
export async function saved(page, name, finished = true) {
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save this game" }).click();
    const path = await (await waiting).path();
    const trace = await readFile(path, "utf8");
    if (cardsharp && finished)
        await run(cardsharp, ["replay", path]).catch((error) => assert.fail(`${name}: ${error.stderr}`));
    return trace;
}

/** Waits until the bots have moved; returns the state of the table: `asked`, `between` (rounds) or `over`. */
export async function settled(page) {
    const state = page.locator("[data-state]");
    await page.waitForFunction(() => document.querySelector("[data-state]")?.dataset.state !== "waiting", undefined, {
        timeout: 30_000,
    });
    return state.getAttribute("data-state");
}

/** A generator of numbers from 0 to 1, seeded (mulberry32). */
export function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

const drawn = (list, draw) => list[Math.floor(draw() * list.length)];

/**
 * Makes one decision with clicks, or with another `act`, like "tap": selects playable cards, then plays their move, or
 * chooses a move without cards.
 */
export async function decide(page, draw, act = "click") {
    const more = page.locator('.choices button.more[aria-expanded="false"]');
    if ((await more.count()) > 0 && draw() < 0.2) await more[act]();
    const buttons = page.locator(".choices button[data-move]");
    const cards = page.locator(".place.fits button.card");
    const plain = await buttons.count();
    if (plain > 0 && ((await cards.count()) === 0 || draw() < 0.3))
        return buttons.nth(Math.floor(draw() * plain))[act]();
    for (let taps = 0; taps < 12; taps++) {
        const ready = page.locator(".choices button.main[data-move]");
        const count = await ready.count();
        if (count > 0) return ready.nth(Math.floor(draw() * count))[act]();
        const next = page.locator('.place.fits button.card[aria-pressed="false"]');
        const at = Math.floor(draw() * (await next.count()));
        // The corner of a card, because the next card covers the rest.
        await next.nth(at)[act]({ position: { x: 8, y: 30 } });
    }
    throw new Error("cards that stand out made no move");
}

/** Makes one decision with keys only. */
export async function press(page, draw) {
    const cards = page.locator(".place.fits button.card");
    const plain = page.locator(".choices button[data-move]");
    const count = await plain.count();
    if (count > 0 && ((await cards.count()) === 0 || draw() < 0.3)) {
        await plain.nth(Math.floor(draw() * count)).focus();
        return page.keyboard.press("Enter");
    }
    // The hand has one place in the tab order. Arrow keys lead from there to a playable card.
    await page.locator('.place button.card[tabindex="0"]').focus();
    await page.keyboard.press("Home");
    for (let taps = 0; taps < 12; taps++) {
        const marks = await page
            .locator(".place")
            .evaluateAll((places) =>
                places.map(
                    (place) =>
                        place.classList.contains("fits") &&
                        place.querySelector("button").getAttribute("aria-pressed") === "false",
                ),
            );
        const open = marks.flatMap((fits, at) => (fits ? [at] : []));
        const ready = page.locator(".choices button.main[data-move]");
        if ((await ready.count()) > 0) {
            if ((await ready.count()) === 1) return page.keyboard.press("Enter");
            await ready.nth(Math.floor(draw() * (await ready.count()))).focus();
            return page.keyboard.press("Enter");
        }
        await page.keyboard.press("Home");
        const to = drawn(open, draw);
        for (let step = 0; step < to; step++) await page.keyboard.press("ArrowRight");
        await page.keyboard.press("Space");
    }
    throw new Error("cards that stand out made no move");
}

/** Plays a session to its end. `one` makes a decision, `next` deals the next round. Returns the number of decisions. */
export async function session(page, draw, one, next) {
    for (let decisions = 0; ; decisions++) {
        const state = await settled(page);
        if (state === "over") return decisions;
        if (state === "between") await next();
        else await one(page, draw);
        if (decisions > 5000) throw new Error("the session does not end");
    }
}

// Tests of the served page in Chromium, as people use it.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { begin, decide, press, random, saved, session, settled } from "./clicks.js";
import { GAMES } from "./games.js";
import { built, open, serious, table, visit } from "./page.js";
import { TEXTS } from "./words.js";

const shots = join(built, "../screens");

/** The widths and heights of windows in which the form and the table must fit. */
const SCREENS = [
    [1280, 800],
    [1366, 768],
    [390, 844],
    [360, 740],
];

let world;
before(async () => {
    world = await open();
    await mkdir(shots, { recursive: true });
});
after(() => world?.close());

for (const [game, { rules, rounds: played }] of Object.entries(GAMES)) {
    test(`a session of ${game} by clicks, on a wide window`, async () => {
        const { page, context, complaints } = await visit(world, table(game, { rules }), {
            viewport: { width: 1200, height: 900 },
        });
        assert.deepEqual(await serious(page), [], "the form");
        await begin(page);
        await settled(page);
        assert.deepEqual(await serious(page), [], "the table");
        await page.screenshot({ path: join(shots, `${game}-wide.png`), fullPage: true });
        const decisions = await session(page, random(1), decide, () =>
            page.getByRole("button", { name: "Next round" }).click(),
        );
        assert.ok(decisions > 4, `${decisions} decisions`);
        assert.deepEqual(await serious(page), [], "the result");
        await page.screenshot({ path: join(shots, `${game}-result.png`), fullPage: true });
        const trace = await saved(page, game);
        assert.equal(
            trace
                .trimEnd()
                .split("\n")
                .filter((line) => line.includes('"line":"payoff"')).length,
            played,
        );
        // The viewer shows the same session.
        await page.getByRole("button", { name: "Watch and review" }).click();
        await page.getByRole("button", { name: /Forward/ }).click();
        await page.getByLabel("What the bot would play").check();
        await page.keyboard.press("End");
        await page.getByText("The saved game ends here.").waitFor();
        assert.deepEqual(await serious(page), [], "the viewer");
        // In the review, the parts of each round add up to its result.
        await page.keyboard.press("Home");
        await page.getByLabel("Which cards the others may hold").check();
        await page.getByRole("button", { name: "Start the review" }).click();
        await page.locator("progress").waitFor();
        await page.locator("progress").waitFor({ state: "detached", timeout: 120_000 });
        const rounds = await page
            .locator(".review tbody tr")
            .evaluateAll((rows) =>
                rows.map((row) => [...row.cells].map((cell) => Number(cell.innerText.replace("−", "-")))),
            );
        assert.equal(rounds.length, played);
        for (const cells of rounds) {
            const [deal, decisions, rest, result] = cells.slice(-4);
            assert.ok(Math.abs(deal + decisions + rest - result) < 0.2, `${cells}`);
        }
        const dearest = await page.locator(".review > ol > li").count();
        assert.ok(
            (await page
                .locator(".review > ol > li")
                .filter({ has: page.locator("ul li") })
                .count()) === dearest,
            "each mistake says why",
        );
        assert.deepEqual(await serious(page), [], "the review");
        await page.screenshot({ path: join(shots, `${game}-replay.png`), fullPage: true });
        assert.deepEqual(complaints, []);
        await context.close();
    });

    test(`a session of ${game} by keys, on a narrow window, in the dark`, async () => {
        const { page, context, complaints } = await visit(
            world,
            table(game, { rules, seed: 8, players: ["you", "level 5"] }),
            {
                viewport: { width: 360, height: 740 },
                colorScheme: "dark",
                reducedMotion: "reduce",
            },
        );
        assert.deepEqual(await serious(page), [], "the form");
        await begin(page);
        await settled(page);
        assert.deepEqual(await serious(page), [], "the table");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 360, `the page is ${wide} wide`);
        await page.screenshot({ path: join(shots, `${game}-narrow.png`), fullPage: true });
        await session(page, random(2), press, () => page.keyboard.press("Enter"));
        await saved(page, game);
        const result = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(result <= 360, `the result is ${result} wide`);
        await page.getByRole("button", { name: "Watch and review" }).click();
        await page.getByLabel("What the bot would play").check();
        const viewer = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(viewer <= 360, `the viewer is ${viewer} wide`);
        assert.deepEqual(complaints, []);
        await context.close();
    });
}

for (const [game, { rules }] of Object.entries(GAMES)) {
    test(`a session of ${game} by touch, from right to left`, async () => {
        const { page, context, complaints } = await visit(world, table(game, { rules, seed: 9 }), {
            viewport: { width: 390, height: 844 },
            locale: "he-IL",
            hasTouch: true,
            isMobile: true,
        });
        assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
        await page.evaluate(() => localStorage.setItem("cardsharp.speed", "instant"));
        assert.deepEqual(await serious(page), [], "the form");
        await page.locator("form.setup button.main").tap();
        await settled(page);
        assert.deepEqual(await serious(page), [], "the table");
        await session(
            page,
            random(5),
            (page, draw) => decide(page, draw, "tap"),
            () => page.getByRole("button", { name: TEXTS.he["play.next"] }).tap(),
        );
        assert.deepEqual(await serious(page), [], "the result");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 390, `the result is ${wide} wide`);
        await page.getByRole("button", { name: TEXTS.he["play.lookBack"] }).tap();
        await page.locator(".viewer").waitFor();
        assert.deepEqual(await serious(page), [], "the viewer");
        assert.doesNotMatch(await page.locator("body").innerText(), /\w\.\w+\.\w|\{\w+/, "a text is missing");
        assert.deepEqual(complaints, []);
        await context.close();
    });
}

test("a hint, a move taken back, a session that goes on after the page was closed", async () => {
    const { page, context, complaints } = await visit(
        world,
        table("dalmuti", { rules: { hands: 1 }, players: ["you", "best"] }),
    );
    await begin(page);
    const draw = random(3);
    assert.equal(await settled(page), "asked");
    const before = await page.locator(".log li").count();
    await page.getByRole("button", { name: "Hint" }).click();
    await page.getByText("The bot would play:").waitFor();
    assert.ok((await page.locator(".hint li").count()) >= 1);
    // The reasons arrive a moment later. If cards are selected, their move is compared with the favorite.
    await page.locator(".hint .verdict").waitFor();
    const favourite = await page.locator(".hint li").first().innerText();
    const cards = page.locator(".place.fits button.card");
    for (let at = 0; at < (await cards.count()); at++) {
        await page.keyboard.press("Escape");
        await cards.nth(at).click({ position: { x: 8, y: 30 } });
        const ready = await page.locator(".choices button.main[data-move]").allInnerTexts();
        if (ready.length !== 1 || favourite.endsWith(ready[0].slice("Play ".length))) continue;
        await page.keyboard.press("h");
        await page.locator(".hint .verdict", { hasText: ready[0].slice("Play ".length) }).waitFor();
        assert.ok((await page.locator(".hint .reasons li").count()) >= 1);
        break;
    }
    assert.deepEqual(await serious(page), [], "the hint");
    await decide(page, draw);
    assert.equal(await settled(page), "asked");
    assert.ok((await page.locator(".log li").count()) > before);
    await page.getByRole("button", { name: "Take back" }).click();
    assert.equal(await settled(page), "asked");
    assert.equal(await page.locator(".log li").count(), before);
    await decide(page, draw);
    await settled(page);
    const log = await page.locator(".log li").allInnerTexts();
    await page.goto(world.address);
    await page.getByRole("button", { name: /Continue The Great Dalmuti/ }).click();
    await settled(page);
    assert.deepEqual(await page.locator(".log li").allInnerTexts(), log);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("a new session replaces an unfinished one only after a question", async () => {
    const { page, context, complaints } = await visit(world, table("taki", { rules: GAMES.taki.rules }));
    const stored = () => page.evaluate(() => localStorage.getItem("cardsharp.session.taki"));
    const leave = () => page.getByRole("button", { name: "Leave the table" }).click();
    await begin(page);
    await settled(page);
    await decide(page, random(2));
    await settled(page);
    await leave();
    const first = await stored();
    assert.notEqual(first, null);
    await page.locator("form.setup button.main").click();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /unfinished session of TAKI/);
    assert.deepEqual(await serious(page), [], "the question");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await stored(), first);
    await page.locator("form.setup button.main").click();
    await dialog.getByRole("button", { name: "Continue the old session" }).click();
    await settled(page);
    assert.equal(JSON.parse(await stored()).trace, JSON.parse(first).trace);
    await leave();
    // A session of another game, and a guided round, leave it alone.
    await page.getByLabel("Tahimi", { exact: true }).check();
    await begin(page);
    await settled(page);
    await leave();
    assert.equal(JSON.parse(await stored()).trace, JSON.parse(first).trace);
    await page.getByLabel("TAKI", { exact: true }).check();
    await page.getByRole("button", { name: /Continue TAKI/ }).waitFor();
    await page.getByRole("button", { name: /^New to TAKI/ }).click();
    await page.getByRole("button", { name: "Skip the guide" }).click();
    await settled(page);
    await leave();
    assert.equal(JSON.parse(await stored()).trace, JSON.parse(first).trace);
    await page.locator("form.setup button.main").click();
    await dialog.getByRole("button", { name: "Replace it" }).click();
    await settled(page);
    assert.notEqual(JSON.parse(await stored()).trace, JSON.parse(first).trace);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("the first session of a game is explained, others when that is wished", async () => {
    const { page, context, complaints } = await visit(
        world,
        table("taki", { rules: { players: 2, games: 1, draw_policy: "anytime" } }),
    );
    await begin(page);
    assert.equal(await settled(page), "asked");
    const lesson = page.locator(".lesson");
    assert.match(await lesson.innerText(), /Be the first to get rid of all your cards/);
    assert.match(await lesson.innerText(), /Play a card of the same color or symbol, or draw/);
    assert.ok((await lesson.locator("li").count()) > 0, "what the choices mean");
    assert.deepEqual(await serious(page), [], "the lesson");
    await session(page, random(4), decide, () => undefined);
    await page.getByRole("button", { name: "Play again" }).click();
    await settled(page);
    assert.equal(await lesson.count(), 0);
    await page.getByLabel("Explain every move").check();
    await page.reload();
    await page.locator("form.setup button.main").click();
    await page.getByRole("button", { name: "Continue the old session" }).click();
    await settled(page);
    assert.equal(await lesson.count(), 1);
    // The rules of this table are one click away.
    await page.getByText("Rules", { exact: true }).click();
    assert.match(await page.getByRole("link", { name: "Rules of TAKI" }).getAttribute("href"), /rules\/taki\.html$/);
    assert.match(await page.locator(".rules").innerText(), /You may draw: always/);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("the last trick can be looked at, and everything that happened is told to whoever hears the page", async () => {
    const { page, context, complaints } = await visit(
        world,
        table("dalmuti", { rules: { players: 4, hands: 1 }, players: ["scripted"] }),
        { reducedMotion: "reduce" },
    );
    await page.locator("form.setup button.main").click();
    await page.locator("[data-state]").waitFor();
    await page.getByLabel("Speed").selectOption("fast");
    await page.getByText(/^Last trick, won by Bot \d$/).click();
    assert.ok((await page.locator(".trick li").count()) > 0);
    assert.deepEqual(await serious(page), [], "the last trick");
    // With reduced motion there are no animations.
    assert.equal(
        await page.evaluate(
            () =>
                document
                    .querySelector(".felt")
                    .getAnimations({ subtree: true })
                    .filter(({ effect }) => effect.getTiming().duration > 1).length,
        ),
        0,
    );
    await page.getByLabel("Speed").selectOption("instant");
    await page.locator('[data-state="over"]').waitFor();
    const [heard, seen] = await Promise.all([
        page.getByRole("log").locator("p").allTextContents(),
        page.locator(".log li").allTextContents(),
    ]);
    assert.deepEqual(heard, seen.slice(-heard.length));
    // A spectator has no move to take back.
    await page.keyboard.press("u");
    assert.equal(await page.locator("[data-state]").getAttribute("data-state"), "over");
    assert.deepEqual(complaints, []);
    await context.close();
});

test("a wrong card says why not", async () => {
    const { page, context } = await visit(world, table("dalmuti", { rules: { hands: 1 } }));
    await begin(page);
    await settled(page);
    // If no element has the focus, an arrow key focuses the hand.
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("End");
    assert.equal(
        await page
            .locator(".place.dull button.card")
            .last()
            .evaluate((card) => card === document.activeElement),
        true,
    );
    await page.keyboard.press("Space");
    await page.locator(".why").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".why").count(), 0);
    await page
        .locator(".place.dull button.card")
        .last()
        .click({ position: { x: 8, y: 30 } });
    await page.locator(".why").waitFor();
    assert.match(await page.locator(".why").innerText(), /does not beat|Play as many|hold fewer/);
    // Enter opens a focused summary, even while cards are selected.
    await page.keyboard.press("Escape");
    const ready = page.locator(".choices button.main[data-move]");
    while ((await ready.count()) === 0)
        await page
            .locator('.place.fits button.card[aria-pressed="false"]')
            .first()
            .click({ position: { x: 8, y: 30 } });
    const moves = await ready.count();
    await page.getByText("Rules", { exact: true }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.locator("details.rules[open]").count(), 1);
    assert.equal(await ready.count(), moves);
    await context.close();
});

test("rules that cannot be are refused where they are chosen, and every option is there", async () => {
    const { page, context, complaints } = await visit(world);
    await page.getByLabel("TAKI", { exact: true }).check();
    await page.getByText("More options").click();
    await page.getByText("House rules in detail").click();
    assert.ok((await page.locator(".option").count()) > 12);
    await page.getByLabel("Cards drawn for silence").fill("200");
    await page.keyboard.press("Tab");
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /last_card_penalty/);
    assert.equal(await page.getByRole("button", { name: "Play", exact: true }).isDisabled(), true);
    await page.getByLabel("House rules").selectOption("tournament");
    assert.equal(await page.getByRole("alert").count(), 0);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("the form fits every screen, and a person who comes back finds their table", async () => {
    for (const locale of ["en-GB", "nl-NL"]) {
        const { page, context, complaints } = await visit(world, "", { locale });
        const fits = async (when) => {
            for (const [width, height] of SCREENS) {
                await page.setViewportSize({ width, height });
                const play = await page.locator("form.setup button.main").boundingBox();
                const end = play.y + play.height;
                assert.ok(end <= height, `${when}: Play ends at ${end} of ${height}, ${locale}`);
                const wide = await page.evaluate(() => document.documentElement.scrollWidth);
                assert.ok(wide <= width, `${when}: the page is ${wide} wide at ${width}, ${locale}`);
            }
        };
        await fits("the first time");
        await page.getByLabel("Tachtigen", { exact: true }).check();
        await page.getByLabel(locale === "nl-NL" ? "Makkelijk" : "Easy").check();
        await page.locator("form.setup button.main").click();
        await settled(page);
        await page.evaluate((games) => {
            const results = { played: 12, won: 10, streak: 3, longest: 7 };
            const all = Object.fromEntries(games.map((game) => [game, results]));
            localStorage.setItem("cardsharp.statistics", JSON.stringify(all));
        }, Object.keys(GAMES));
        await page.goto("about:blank");
        await page.goto(world.address);
        await page.locator(".resume button").waitFor();
        assert.equal(await page.locator(".results").count(), Object.keys(GAMES).length);
        assert.ok(await page.getByLabel("Tachtigen", { exact: true }).isChecked());
        assert.ok(await page.getByLabel(locale === "nl-NL" ? "Makkelijk" : "Easy").isChecked());
        await fits("another time");
        assert.deepEqual(complaints, []);
        await context.close();
    }
});

for (const [game, { rules }] of Object.entries(GAMES)) {
    test(`the hand and all moves of ${game} are on the screen`, async () => {
        const { page, context, complaints } = await visit(world, table(game, { rules }));
        await begin(page);
        const draw = random(12);
        for (let decisions = 0; decisions < 6 && (await settled(page)) === "asked"; decisions++) {
            for (const [width, height] of SCREENS) {
                await page.setViewportSize({ width, height });
                await page.evaluate(() => scrollTo(0, 0));
                const ends = await page
                    .locator(".mine .hand button, .choices button")
                    .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().bottom));
                assert.ok(Math.max(...ends) <= height, `${Math.max(...ends)} of ${height} at ${width}`);
            }
            await decide(page, draw);
        }
        assert.deepEqual(complaints, []);
        await context.close();
    });
}

test("who can only pass sees that, and the page passes for them if they want", async () => {
    const { page, context, complaints } = await visit(
        world,
        table("dalmuti", { rules: { players: 4, hands: 1 }, seed: 5 }),
    );
    await begin(page);
    const draw = random(13);
    const pass = page.locator('.choices button[data-move="pass"]');
    const cards = page.locator(".place.fits");
    for (let decisions = 0; decisions < 40; decisions++) {
        assert.equal(await settled(page), "asked");
        if ((await pass.count()) > 0 && (await cards.count()) === 0) break;
        await decide(page, draw);
    }
    const held = await page.locator(".mine .place").count();
    assert.equal(await page.locator(".mine .place.dull").count(), held);
    const passes = await page.locator(".log li", { hasText: "You: Pass" }).count();
    await page.getByLabel("Pass or draw automatically").check();
    await page.waitForFunction(
        (before) =>
            [...document.querySelectorAll(".log li")].filter((line) => line.innerText === "You: Pass").length > before,
        passes,
    );
    assert.deepEqual(complaints, []);
    await context.close();
});

test("cards are dragged to the table; a card that cannot be played says why", async () => {
    const { page, context, complaints } = await visit(world, table("taki", { rules: { players: 4 } }));
    await begin(page);
    assert.equal(await settled(page), "asked");
    const drag = async (card) => {
        // Cards that are dealt fly to the hand first. Animations without an end mark whose turn it is.
        await page.waitForFunction(() =>
            document
                .getAnimations()
                .every(
                    ({ playState, effect }) => playState !== "running" || effect.getTiming().iterations === Infinity,
                ),
        );
        const [from, to] = await Promise.all([card.boundingBox(), page.locator(".felt").boundingBox()]);
        await page.mouse.move(from.x + 8, from.y + 20);
        await page.mouse.down();
        await page.mouse.move(from.x + 40, from.y - 60, { steps: 4 });
        await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 4 });
        await page.mouse.up();
    };
    const held = await page.locator(".mine .place").count();
    await drag(page.locator(".place.dull button.card").first());
    await page.locator(".why").waitFor();
    assert.equal(await page.locator(".mine .place").count(), held);
    const number = page.locator(".place.fits button.card").filter({ hasText: /\d/ }).first();
    await drag(number);
    await page.waitForFunction((cards) => document.querySelectorAll(".mine .place").length < cards, held);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("a card flies from the player who plays it", async () => {
    const { page, context, complaints } = await visit(
        world,
        table("tahimi", { rules: { players: 4, rounds: 1 }, players: ["scripted"] }),
    );
    await page.locator("form.setup button.main").click();
    await page.getByLabel("Speed").selectOption("slow");
    await page.waitForFunction(() =>
        document
            .querySelector(".pile")
            ?.getAnimations()
            .some(({ effect }) => effect.getKeyframes().some(({ transform }) => /translate/.test(transform))),
    );
    assert.deepEqual(complaints, []);
    await context.close();
});

test("sounds are off until a person wants them", async () => {
    const { page, context, complaints } = await visit(world, table("taki", { rules: { players: 2, games: 1 } }));
    await page.evaluate(() => {
        globalThis.sounds = 0;
        const { createOscillator } = AudioContext.prototype;
        AudioContext.prototype.createOscillator = function () {
            globalThis.sounds++;
            return createOscillator.call(this);
        };
    });
    await begin(page);
    assert.equal(await settled(page), "asked");
    assert.equal(await page.evaluate(() => globalThis.sounds), 0);
    await page.getByLabel("Play sounds").check();
    await page.waitForFunction(() => globalThis.sounds > 0);
    const before = await page.evaluate(() => globalThis.sounds);
    await decide(page, random(15));
    await settled(page);
    await page.waitForFunction((sounds) => globalThis.sounds > sounds, before);
    assert.deepEqual(complaints, []);
    await context.close();
});

for (const [game, title] of Object.entries({
    tahimi: "Tahimi",
    dalmuti: "The Great Dalmuti",
    taki: "TAKI",
    tachtigen: "Tachtigen",
})) {
    test(`a guide leads through a first round of ${game}`, async () => {
        const { page, context, complaints } = await visit(world, "", { viewport: { width: 390, height: 844 } });
        await page.getByLabel(title, { exact: true }).check();
        await page.getByRole("button", { name: /Learn it in three minutes/ }).click();
        const guide = page.locator(".guide");
        await page.getByLabel("Speed").selectOption("instant");
        const next = guide.getByRole("button", { name: /^Next/ });
        while ((await next.count()) > 0) await next.click();
        for (let decisions = 0; (await settled(page)) === "asked"; decisions++) {
            assert.ok(decisions < 100, "the round does not end");
            await guide.getByText("Try this:").waitFor();
            if (decisions === 0) assert.deepEqual(await serious(page), [], "the guide");
            // The suggestion is marked: a button, or cards of the hand.
            const cards = page.locator('.place.advised button.card[aria-pressed="false"]');
            while ((await cards.count()) > 0) await cards.first().click({ position: { x: 8, y: 30 } });
            await page.locator(".choices button[data-move]:is(.advised, .main)").first().click();
        }
        await page.getByText("That was a whole round.").waitFor();
        await page.getByRole("button", { name: "Leave the table" }).click();
        await page.getByLabel(title, { exact: true }).check();
        assert.equal(await page.getByRole("button", { name: /Learn it/ }).count(), 0);
        assert.deepEqual(complaints, []);
        await context.close();
    });
}

test("a person who skips the guide plays on without it, and is not asked again", async () => {
    const { page, context, complaints } = await visit(world);
    await page.getByLabel("TAKI", { exact: true }).check();
    await page.getByRole("button", { name: /Learn it/ }).click();
    await page.getByRole("button", { name: "Skip the guide" }).click();
    assert.equal(await page.locator(".guide").count(), 0);
    assert.equal(await settled(page), "asked");
    await page.getByRole("button", { name: "Leave the table" }).click();
    await page.getByLabel("TAKI", { exact: true }).check();
    assert.equal(await page.getByRole("button", { name: /Learn it/ }).count(), 0);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("a result is shared as a picture", async () => {
    const { page, context, complaints } = await visit(world, table("taki", { rules: { players: 3, games: 1 } }));
    await begin(page);
    await session(page, random(16), decide, () => undefined);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Share the result" }).click();
    const picture = await readFile(await (await waiting).path());
    await writeFile(join(shots, "share.png"), picture);
    // The start of a PNG file, and its width and height.
    assert.equal(picture.subarray(1, 4).toString(), "PNG");
    assert.deepEqual([picture.readUInt32BE(16), picture.readUInt32BE(20)], [1200, 630]);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("sessions are counted once, and the statistics can be saved", async () => {
    const { page, context, complaints } = await visit(world, table("taki", { rules: { players: 2, games: 1 } }));
    await begin(page);
    const draw = random(14);
    await session(page, draw, decide, () => undefined);
    await page.getByRole("button", { name: "Take back" }).click();
    await session(page, draw, decide, () => undefined);
    await page.getByRole("button", { name: "Leave the table" }).click();
    const taki = page.locator(".game", { hasText: "TAKI" });
    const [, won] = /Won (\d) of 1 /.exec(await taki.innerText());
    await page.getByText("More options").click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save my statistics" }).click();
    const file = JSON.parse(await readFile(await (await waiting).path(), "utf8"));
    assert.deepEqual(file, { taki: { played: 1, won: Number(won), streak: Number(won), longest: Number(won) } });
    assert.deepEqual(await serious(page), [], "the statistics");
    assert.deepEqual(complaints, []);
    await context.close();
});

test("a link gives the same table, a wrong one says what is wrong", async () => {
    const rules = { players: 6, merchant_exchange: "blind_choice", hands: 1 };
    const { page, context } = await visit(
        world,
        table("dalmuti", { rules, seed: 11, players: ["best", "you", "level 3", "scripted", "random", "search"] }),
    );
    await page.getByText("More options").click();
    await page.getByRole("button", { name: "Copy a link" }).click();
    const address = page.url();
    await begin(page);
    await settled(page);
    const hand = await page.locator(".hand button").evaluateAll((cards) => cards.map((card) => card.dataset.card));
    assert.ok(hand.length >= 12);
    const again = await visit(world, new URL(address).hash);
    await begin(again.page);
    await settled(again.page);
    assert.deepEqual(
        await again.page.locator(".hand button").evaluateAll((cards) => cards.map((card) => card.dataset.card)),
        hand,
    );
    await again.context.close();
    const wrong = await visit(world, "#game=dalmuti&players=you,nobody");
    assert.match(await wrong.page.getByRole("alert").innerText(), /nobody/);
    await wrong.context.close();
    await context.close();
});

test("traces that are wrong are refused with their line", async () => {
    const { page, context } = await visit(world);
    await page.getByRole("button", { name: "Watch a saved game" }).click();
    await page
        .locator('input[type="file"]')
        .setInputFiles({ name: "wrong.jsonl", mimeType: "text/plain", buffer: Buffer.from('{"line":"header"}\n') });
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /did not work/);
    await context.close();
});

/** The data of a link to a game, deflated by zlib as another program would do it. */
const packed = (text) => deflateRawSync(text).toString("base64url");

/** The trace of a session of bots, played in the page. */
async function botsTrace() {
    const { page, context } = await visit(world, table("tachtigen", { rules: { deals: 1 }, players: ["scripted"] }));
    await begin(page);
    await page.locator('[data-state="over"]').waitFor();
    const trace = await saved(page, "bots");
    await context.close();
    return trace;
}

test("links to a game that was played: written by the page, written elsewhere, to a file of its own server", async () => {
    const { page, context, complaints } = await visit(world, table("taki", { rules: { players: 2, games: 1 } }), {
        permissions: ["clipboard-read", "clipboard-write"],
    });
    await begin(page);
    await session(page, random(4), decide, () => undefined);
    const trace = await saved(page, "taki");
    await page.getByRole("button", { name: "Copy a link to this game" }).click();
    await page.getByText("Copied. Anyone who opens the link can watch this game").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const [where, data] = link.split("#replay=");
    assert.equal(where, world.address);
    assert.equal(inflateRawSync(Buffer.from(data, "base64url")).toString(), trace);
    assert.match(data, /^[\w-]+$/);
    const lines = trace.trimEnd().split("\n");
    const steps = new RegExp(`Step 0 of ${lines.filter((line) => /"line":"decision"/.test(line)).length}$`);

    await page.goto("about:blank");
    await page.goto(link);
    await page.getByText(steps).waitFor();
    assert.deepEqual(await serious(page), [], "a game behind a link");
    // The viewer copies the same link.
    await page.getByRole("button", { name: "Copy a link to this game" }).click();
    await page.getByText("Copied. Anyone who opens the link can watch this game").waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), link);
    // Another link in the same page opens another game.
    const other = await botsTrace();
    await page.evaluate((hash) => (location.hash = hash), `#replay=${packed(other)}`);
    await page.getByText("Open a saved game").waitFor();
    await page.locator(".felt").getByText("bot 4: scripted").waitFor();

    await page.route("**/played/a%20game.jsonl", (route) => route.fulfill({ body: trace }));
    await page.goto("about:blank");
    await page.goto(`${world.address}#trace=${encodeURIComponent("played/a%20game.jsonl")}`);
    await page.getByText(steps).waitFor();
    await page.getByRole("button", { name: "Leave the table" }).click();
    await page.locator("form.setup").waitFor();
    assert.equal(page.url(), world.address);
    assert.deepEqual(complaints, []);
    await context.close();
});

test("a saved session is opened and played on, from where it stopped and from another place", async () => {
    const { page, context, complaints } = await visit(
        world,
        table("dalmuti", { rules: { players: 4, hands: 1 }, players: ["you", "level 3"] }),
    );
    await begin(page);
    const draw = random(6);
    for (let decisions = 0; decisions < 3; decisions++) {
        assert.equal(await settled(page), "asked");
        await decide(page, draw);
    }
    assert.equal(await settled(page), "asked");
    const log = await page.locator(".log li").allInnerTexts();
    const trace = await saved(page, "unfinished", false);
    await context.close();

    const other = await visit(world);
    await other.page.getByRole("button", { name: "Watch a saved game" }).click();
    const open = () =>
        other.page
            .locator('input[type="file"]')
            .setInputFiles({ name: "mine.jsonl", mimeType: "text/plain", buffer: Buffer.from(trace) });
    await open();
    // Waits until the page has read the file.
    await other.page.getByText(/^Step 0 of/).waitFor();
    await other.page.keyboard.press("End");
    await other.page.getByText("The saved game ends here.").waitFor();
    // A file that is dropped on the form is opened, too.
    await other.page.getByRole("button", { name: "Leave the table" }).click();
    const dropped = await other.page.evaluateHandle((text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], "mine.jsonl"));
        return data;
    }, trace);
    await other.page.dispatchEvent("form.setup", "drop", { dataTransfer: dropped });
    await other.page.getByText(/^Step 0 of/).waitFor();
    await other.page.keyboard.press("End");
    await other.page.getByRole("button", { name: "Play on from here as Player 1 (you)" }).click();
    assert.equal(await settled(other.page), "asked");
    assert.deepEqual(await other.page.locator(".log li").allInnerTexts(), log);
    // The bots are the same as in the saved session.
    assert.match(new URLSearchParams(new URL(other.page.url()).hash.slice(1)).get("players"), /^you,level 3,/);
    await other.page.getByLabel("Speed").selectOption("instant");
    await session(other.page, draw, decide, () => undefined);
    await saved(other.page, "played on");
    await other.page.getByRole("button", { name: "Watch and review" }).click();
    await other.page.keyboard.press("ArrowRight");
    await other.page.keyboard.press("ArrowRight");
    await other.page.getByRole("button", { name: /Play on from here/ }).click();
    await settled(other.page);
    assert.ok((await other.page.locator(".log li").count()) < log.length + 8);
    assert.deepEqual(complaints, []);
    assert.deepEqual(other.complaints, []);
    await other.context.close();
});

test("links to no game say what is wrong, over the form of a table", async () => {
    const whole = packed(`{"line":"header"}\n${"x".repeat(4000)}`);
    const wrong = {
        [`#replay=${whole.slice(0, -9)}`]: /the link is damaged/,
        "#replay=": /the link is damaged/,
        "#replay=a*b": /the link is damaged/,
        [`#replay=${packed(" ".repeat(17 * 2 ** 20))}`]: /larger than 16 MiB/,
        [`#trace=${encodeURIComponent("https://example.org/game.jsonl")}`]: /not on the server of this page/,
        "#trace=https%3A%2F%2F": /is not a valid address/,
    };
    for (const [fragment, says] of Object.entries(wrong)) {
        const { page, context, complaints } = await visit(world, fragment);
        await page.getByRole("alert").waitFor();
        assert.match(await page.getByRole("alert").innerText(), says);
        assert.equal(await page.locator("form.setup").count(), 1);
        assert.deepEqual(await serious(page), [], fragment.slice(0, 40));
        assert.deepEqual(complaints, []);
        await context.close();
    }
    // Data that can be inflated but is not a trace is refused, with the number of the line.
    const { page, context, complaints } = await visit(world, `#replay=${whole}`);
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /line 1/i);
    assert.deepEqual(complaints, []);
    await context.close();
    // A file that does not exist. The console reports the failed request, so complaints are not checked.
    const gone = await visit(world, "#trace=nothing.jsonl");
    await gone.page.getByRole("alert").waitFor();
    assert.match(await gone.page.getByRole("alert").innerText(), /there is no saved game at .*nothing\.jsonl \(404\)/);
    await gone.context.close();
});

test("everything is said in every language", async () => {
    const { page, context, complaints } = await visit(world, table("tachtigen", { rules: { deals: 1 } }), {
        locale: "nl-NL",
    });
    assert.equal(await page.locator("html").getAttribute("lang"), "nl");
    await page.getByText("Meer opties").click();
    await page.getByText("Huisregels één voor één").click();
    for (const language of ["en", "he", "nl"]) {
        await page.locator("header select").last().selectOption(language);
        await page.locator(`html[lang="${language}"]`).waitFor();
        for (const game of await page.locator(".game").all()) {
            await game.locator("input").check();
            const form = await page.locator("form.setup").textContent();
            assert.doesNotMatch(form, /\.(option|preset|about)\b|house\.|undefined/, "a text is missing");
        }
    }
    await page.locator("form.setup button.main").click();
    await page.locator("[data-state]").waitFor();
    const text = await page.locator("body").innerText();
    assert.ok(!/\{\w+\}/.test(text), "a place has no value");
    assert.doesNotMatch(text, /\w\.\w+\.\w/, "the name of a text without the text");
    assert.ok(!text.includes("Your cards"));
    assert.deepEqual(complaints, []);
    await context.close();
});

test("the page may load nothing from other origins, and run no other scripts", async () => {
    const { page, context } = await visit(world);
    await page.evaluate(() => {
        globalThis.refused = new Set();
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) =>
            globalThis.refused.add(`${effectiveDirective} ${blockedURI}`),
        );
        const elsewhere = "https://example.org/";
        const add = (name, values) => document.body.append(Object.assign(document.createElement(name), values));
        add("script", { textContent: "globalThis.ran = true" });
        add("script", { src: elsewhere });
        add("img", { src: elsewhere });
        add("link", { rel: "stylesheet", href: elsewhere });
        fetch(elsewhere).catch(() => undefined);
    });
    const expected = ["script-src-elem inline"].concat(
        ["script-src-elem", "img-src", "style-src-elem", "connect-src"].map((kind) => `${kind} https://example.org/`),
    );
    await page.waitForFunction((all) => all.every((one) => globalThis.refused.has(one)), expected);
    assert.equal(await page.evaluate(() => globalThis.ran), undefined);
    await context.close();
});

test("what is served is small enough", async () => {
    const { brotliCompressSync } = await import("node:zlib");
    const { readdir } = await import("node:fs/promises");
    const size = async (name) => brotliCompressSync(await readFile(join(built, name))).length;
    const assets = (await readdir(join(built, "assets"))).filter((name) => !name.endsWith(".gz"));
    const page = await Promise.all(assets.map((name) => size(`assets/${name}`)));
    const all = page.reduce((sum, bytes) => sum + bytes, await size("index.html"));
    for (const game of Object.keys(GAMES)) {
        const bytes = all + (await size(`bots/${game}/bot.safetensors`)) + (await size(`bots/${game}/levels.json`));
        assert.ok(bytes <= 1_500_000, `${game}: ${bytes} bytes`);
    }
    await writeFile(join(shots, "size.txt"), `${all}\n`);
});

// Makes screenshots of every screen of the page, at four sizes, light and dark, in one language or in several:
// `npm run screens -- --language en,he --game taki`. They are in `target/web/screens`, with an `index.html` that shows
// them all. With `CARDSHARP`, which names the program, also those of a table with other people.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { decide, random, session, settled } from "./clicks.js";
import { GAMES } from "./games.js";
import { built, open, table, visit } from "./page.js";
import { serve } from "./serve.js";
import { TEXTS, say } from "./words.js";

const SIZES = [
    { width: 1280, height: 800 },
    { width: 1366, height: 768 },
    { width: 390, height: 844 },
    { width: 360, height: 740 },
];
const SCHEMES = ["light", "dark"];

const { values } = parseArgs({
    options: {
        language: { type: "string", default: "en" },
        game: { type: "string" },
        size: { type: "string" },
        to: { type: "string" },
    },
});
const languages = values.language.split(",");
const games = values.game?.split(",") ?? Object.keys(GAMES);
for (const code of languages) if (!(code in TEXTS)) throw new Error(`there is no language ${code}`);
for (const game of games) if (!(game in GAMES)) throw new Error(`there is no game ${game}`);
const sizes = SIZES.filter(({ width, height }) => [undefined, `${width}x${height}`].includes(values.size));
if (sizes.length === 0) throw new Error(`there is no size ${values.size}`);
const folder = values.to ?? join(built, "../screens");

/** The names of the files, for the index. */
const made = [];

/** Takes the shots of one screen: the page as a whole, in every size and scheme. */
async function shoot(page, name) {
    for (const viewport of sizes) {
        await page.setViewportSize(viewport);
        for (const colorScheme of SCHEMES) {
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            // The colors change with the next frame.
            await page.evaluate(
                () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
            );
            const file = `${name}-${viewport.width}x${viewport.height}-${colorScheme}.png`;
            await page.screenshot({ path: join(folder, file), fullPage: true });
            made.push(file);
        }
    }
    await page.setViewportSize(SIZES[0]);
}

/** Plays a session of a game in a language, and takes the shots of its screens. */
async function tour(world, code, game) {
    const words = say(code);
    const { page, context } = await visit(world, table(game, { rules: GAMES[game].rules }), { locale: code });
    const at = (screen) => `${code}-${game}-${screen}`;
    const click = (key) =>
        page
            .getByRole("button", { name: words(key), exact: true })
            .first()
            .click();
    await page.evaluate(() => localStorage.setItem("cardsharp.speed", "instant"));
    await shoot(page, at("1-start"));
    await page.locator("details.more > summary").click();
    for (const inner of await page.locator("details.more details > summary").all()) await inner.click();
    await shoot(page, at("2-options"));
    await page.locator("form.setup button.main").click();
    await settled(page);
    await shoot(page, at("3-table"));
    await page.locator(".rules > summary").click();
    await shoot(page, at("4-rules"));
    await page.locator(".rules > summary").click();
    await click("play.hint");
    await page.locator(".hint li").first().waitFor();
    await shoot(page, at("5-hint"));
    const draw = random(4);
    for (let moves = 0; moves < 4 && (await settled(page)) === "asked"; moves++) await decide(page, draw);
    await settled(page);
    await shoot(page, at("6-later"));
    let between = false;
    await session(page, draw, decide, async () => {
        if (!between) await shoot(page, at("7-round"));
        between = true;
        await click("play.next");
    });
    await shoot(page, at("8-end"));
    await click("play.lookBack");
    await page.locator(".viewer").waitFor();
    await page.getByLabel(words("replay.thought")).check();
    await page.getByLabel(words("believed.ask")).check();
    for (let step = 0; step < 6; step++) await page.getByRole("button", { name: words("replay.forward") }).click();
    await shoot(page, at("9-replay"));
    await click("review.begin");
    await page.locator("progress").waitFor();
    await page.locator("progress").waitFor({ state: "detached", timeout: 300_000 });
    await shoot(page, at("10-review"));
    await click("play.leave");
    await page.locator("form.setup").waitFor();
    await shoot(page, at("11-again"));
    await click("app.replay");
    await page.locator(".open").waitFor();
    await shoot(page, at("12-open"));
    await context.close();
}

/** Starts the guided round of a game in a language, and takes its shots. */
async function guide(world, code, game) {
    const words = say(code);
    const { page, context } = await visit(world, table(game), { locale: code });
    await page.getByRole("button", { name: words("guide.offer").split("{game}").at(-1) }).click();
    await page.getByRole("button", { name: words("guide.skip") }).waitFor();
    await shoot(page, `${code}-${game}-13-guide`);
    await context.close();
}

/** Opens a table of the server in a language, and takes the shots that the host and a guest see. */
async function meet(world, code) {
    const words = say(code);
    const at = (screen) => `${code}-multiplayer-${screen}`;
    const { rules, players } = GAMES.dalmuti.multiplayer;
    const click = (page, key) =>
        page
            .getByRole("button", { name: words(key), exact: true })
            .first()
            .click();
    const host = await visit(world, table("dalmuti", { rules, players }), { locale: code });
    await host.page.getByLabel(words("setup.name")).fill("Ann");
    await shoot(host.page, at("1-form"));
    await click(host.page, "setup.invite");
    await host.page.locator(".lobby").waitFor();
    await shoot(host.page, at("2-invitations"));
    const link = await host.page.locator(".invitations input").first().inputValue();
    await click(host.page, "multiplayer.amReady");
    const guest = await visit(world, new URL(link).hash, { locale: code });
    await guest.page.getByLabel(words("setup.name")).fill("Bob");
    await shoot(guest.page, at("3-invited"));
    await click(guest.page, "multiplayer.amReady");
    for (const { page } of [host, guest]) await page.locator("[data-state]").waitFor();
    await shoot(guest.page, at("4-guest"));
    await shoot(host.page, at("5-host"));
    await host.context.close();
    await guest.context.close();
}

await mkdir(folder, { recursive: true });
const world = await open();
const server = process.env.CARDSHARP && (await serve());
try {
    for (const code of languages) {
        for (const game of games) {
            await tour(world, code, game);
            await guide(world, code, game);
        }
        if (server) await meet({ ...world, origin: server.origin, address: `${server.origin}/` }, code);
    }
} finally {
    await world.close();
    await server?.stop();
}
const pictures = made.map(
    (file) => `<figure><img src="${file}" loading="lazy" height="500"><figcaption>${file}</figcaption></figure>`,
);
await writeFile(
    join(folder, "index.html"),
    `<!doctype html><meta charset="utf-8"><title>Screens</title><style>body{display:flex;flex-wrap:wrap}</style>${pictures.join("\n")}\n`,
);
console.log(`${made.length} screenshots: ${join(folder, "index.html")}`);

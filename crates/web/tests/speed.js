// Measures what a visitor waits for: `CARDSHARP=PROGRAM node tests/speed.js`. The program serves the page. Columns, as
// medians of ten visits each:
// - kilobytes over the wire of a first visit, up to the first move of a bot: these do not vary;
// - the first contentful paint of a first visit, and the same with 10 Mbit/s and 40 ms of latency;
// - with a warm cache: when the form is ready, and the times until a bot's first move and a later one.
import { GAMES } from "./games.js";
import { open, table, visit } from "./page.js";
import { serve } from "./serve.js";

const VISITS = 10;

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Begins a session of bots. Returns milliseconds until the first move, and for each of the next twenty. */
const begin = (page) =>
    page.evaluate(async () => {
        const lines = () => document.querySelectorAll(".log li").length;
        const until = async (count) => {
            while (lines() < count) await new Promise((done) => requestAnimationFrame(done));
            return performance.now();
        };
        const start = performance.now();
        document.querySelector("form.setup button.main.start").click();
        await until(1);
        const first = await until(2);
        return [first - start, ((await until(22)) - first) / 20];
    });

/** First contentful paint, and with `play` the bytes over the wire up to a bot's moves. */
async function firstVisit(world, fragment, { slow = false, play = false } = {}) {
    const context = await world.browser.newContext({ locale: "en-GB" });
    const page = await context.newPage();
    const debug = await context.newCDPSession(page);
    let bytes = 0;
    debug.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
    await debug.send("Network.enable");
    if (slow)
        await debug.send("Network.emulateNetworkConditions", {
            offline: false,
            latency: 40,
            downloadThroughput: 1.25e6,
            uploadThroughput: 1.25e6,
        });
    await page.goto(`${world.address}${fragment}`);
    await page.locator("form.setup").waitFor();
    if (play) await begin(page);
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    await context.close();
    return { paint, bytes };
}

const server = await serve();
const browser = await open();
const world = { ...browser, origin: server.origin, address: `${server.origin}/` };
try {
    console.log(
        "| game | over the wire, kB | first paint, ms | with 10 Mbit/s, ms | form ready, ms | first move, ms | later move, ms |",
    );
    console.log("|---|---|---|---|---|---|---|");
    for (const game of Object.keys(GAMES)) {
        // Bots have all seats, so the first move is the first move of the session.
        const fragment = table(game, { players: ["best"] });
        const { bytes } = await firstVisit(world, fragment, { play: true });
        const [paints, slowPaints, forms, firsts, laters] = [[], [], [], [], []];
        for (let visited = 0; visited < VISITS; visited++) {
            paints.push((await firstVisit(world, fragment)).paint);
            slowPaints.push((await firstVisit(world, fragment, { slow: true })).paint);
        }
        const { page, context } = await visit(world, fragment);
        await page.evaluate(() => localStorage.setItem("cardsharp.speed", "instant"));
        for (let visited = 0; visited < VISITS; visited++) {
            await page.goto("about:blank");
            await page.goto(`${world.address}${fragment}`);
            await page.locator("form.setup").waitFor();
            forms.push(await page.evaluate(() => performance.now()));
            // A person looks at the form for at least this long.
            await page.waitForTimeout(1000);
            const [first, later] = await begin(page);
            firsts.push(first);
            laters.push(later);
        }
        const times = [paints, slowPaints, forms, firsts, laters].map((times) => median(times).toFixed(0));
        console.log(`| ${game} | ${[(bytes / 1000).toFixed(0), ...times].join(" | ")} |`);
        await context.close();
    }
} finally {
    await browser.close();
    await server.stop();
}

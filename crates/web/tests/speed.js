// Measures how soon the page is ready and the first bot has moved: `node tests/speed.js`. Medians of ten visits with a
// warm cache.
import { GAMES } from "./games.js";
import { open, table, visit } from "./page.js";

const VISITS = 10;

const median = (numbers) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

const world = await open();
try {
    console.log("| game | page ready, ms | first move of a bot, ms | a later move, ms |");
    console.log("| --- | --- | --- | --- |");
    for (const game of Object.keys(GAMES)) {
        // Bots have all seats, so the first move is the first move of the session.
        const fragment = table(game, { players: ["best"] });
        const { page, context } = await visit(world, fragment);
        await page.evaluate(() => localStorage.setItem("cardsharp.speed", "instant"));
        const [forms, firsts, laters] = [[], [], []];
        for (let visited = 0; visited < VISITS; visited++) {
            await page.reload();
            await page.locator("form.setup").waitFor();
            forms.push(await page.evaluate(() => performance.now()));
            // A person looks at the form for at least this long.
            await page.waitForTimeout(1000);
            const [first, later] = await page.evaluate(async () => {
                const lines = () => document.querySelectorAll(".log li").length;
                const until = async (count) => {
                    while (lines() < count) await new Promise((done) => requestAnimationFrame(done));
                    return performance.now();
                };
                document.querySelector("form.setup button.main").click();
                const begun = await until(1);
                const first = await until(2);
                const later = await until(22);
                return [first - begun, (later - first) / 20];
            });
            firsts.push(first);
            laters.push(later);
        }
        const row = [forms, firsts, laters].map((times) => median(times).toFixed(0));
        console.log(`| ${game} | ${row.join(" | ")} |`);
        await context.close();
    }
} finally {
    await world.close();
}

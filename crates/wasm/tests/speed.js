// `node speed.js`: measures the time of a move for each shipped network, from a table and from a view's JSON.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { BOTS } from "./cases.js";
import { path, web } from "./place.js";

const begun = performance.now();
const { Bot, Table, View } = await import(join(web, "cardsharp/node.js"));
console.log(`engine ready after ${(performance.now() - begun).toFixed(1)} ms`);

const median = (times) =>
    times.sort((a, b) => a - b)[Math.floor(times.length / 2)].toFixed(1);

/** Returns the result of a call, and adds its duration in microseconds to `times`. */
function timed(times, call) {
    const start = performance.now();
    const answer = call();
    times.push((performance.now() - start) * 1000);
    return answer;
}

for (const game of BOTS) {
    const bytes = new Uint8Array(
        await readFile(path(`web/cardsharp/bots/${game}/bot.safetensors`)),
    );
    const start = performance.now();
    const bot = Bot.fromBytes(game, bytes);
    const loaded = (performance.now() - start).toFixed(1);
    const [live, written] = [[], []];
    for (let seed = 0; live.length < 3000; seed += 1) {
        const table = new Table(game, undefined, seed);
        while (table.turn !== undefined) {
            if (table.moves().length === 1) {
                table.play(table.moves()[0].action);
                continue;
            }
            const text = JSON.stringify(table.view().json());
            timed(written, () => bot.pick(new View(text)));
            table.play(timed(live, () => bot.pick(table.view())));
        }
    }
    console.log(
        `${game}: read in ${loaded} ms; a move at a table ${median(live)} µs, from a view's JSON ${median(written)} µs`,
    );
}

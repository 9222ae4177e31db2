// Plays many sessions with a script that clicks: `node tests/soak.js [SESSIONS]`.
//
// It fails if the page complains, if memory grows, or if the native program (`CARDSHARP`) rejects a trace.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { debuggerOf } from "./debugger.js";
import { GAMES } from "./games.js";
import { ARGUMENTS, EXECUTABLE, FOLDER, answer, table } from "./page.js";

const run = promisify(execFile);
const sessions = Number(process.argv[2] ?? 1000);
const cardsharp = process.env.CARDSHARP;

/** Tables in which every feature of the games occurs sooner or later. */
const TABLES = Object.entries(GAMES).flatMap(([game, { soak }]) => soak.map((rules) => [game, rules]));

/** The number of sessions between two measurements of memory. */
const LOOK = 5 * TABLES.length;

/** The number of measurements until the browser's internal lists for a page have reached their full length. */
const FULL = 10;

/** The script that clicks. It is added to the page, and all other files are served unchanged. */
const DRIVER = "soak.page.js";

/** Serves the page and the script. `hear` receives the script's reports; the script continues when it resolves. */
function serve(hear) {
    const tables = TABLES.map(([game, rules]) => table(game, { rules, seed: "SEED", players: ["you", "BOT"] }));
    const server = createServer(async (request, response) => {
        const send = (kind, text) => response.setHeader("content-type", kind).end(text);
        switch (request.url.slice(FOLDER.length)) {
            case "": {
                const page = (await answer("index.html")).bytes.toString();
                return send(
                    "text/html",
                    page.replace("</body>", `<script type="module" src="${DRIVER}"></script></body>`),
                );
            }
            case DRIVER:
                return send("text/javascript", await readFile(fileURLToPath(new URL(DRIVER, import.meta.url))));
            case "soak/tables":
                return send("application/json", JSON.stringify({ tables, sessions }));
            case "soak/told": {
                const parts = [];
                for await (const part of request) parts.push(part);
                await hear(JSON.parse(Buffer.concat(parts)));
                return response.end();
            }
            default: {
                const { kind, bytes } = await answer(request.url.slice(FOLDER.length)).catch(() => ({}));
                if (bytes) return send(kind, bytes);
                response.statusCode = 404;
                return response.end();
            }
        }
    });
    return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server)));
}

/**
 * Megabytes: `heap` of the page's scripts, and `all` of the page's whole process with the engine and its workers. The
 * debugger first collects garbage. Then it detaches, because it keeps what it has seen in the page's memory.
 */
async function used(ask) {
    const { targetInfos } = await ask("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
    await ask("HeapProfiler.collectGarbage", {}, sessionId);
    const heap = (await ask("Runtime.getHeapUsage", {}, sessionId)).usedSize / 1e6;
    await ask("Target.detachFromTarget", { sessionId });
    const { processInfo } = await ask("SystemInfo.getProcessInfo");
    const pages = processInfo.filter(({ type }) => type === "renderer");
    const held = pages.map(
        async ({ id }) => Number(/^RssAnon:\s+(\d+) kB/m.exec(await readFile(`/proc/${id}/status`, "utf8"))?.[1]) / 1e3,
    );
    return { heap, all: Math.max(...(await Promise.all(held))) };
}

const said = ({ heap, all }) => `${heap.toFixed(1)} MB of scripts, ${all.toFixed(0)} MB in all`;

const folder = await mkdtemp(join(tmpdir(), "soak-"));
const began = Date.now();
const memory = [];
let clicks = 0;
let browser, ask;
let over, failed;
const ended = new Promise((resolve, reject) => ([over, failed] = [resolve, reject]));

/** Handles the report about a session. */
async function hear({ number, clicks: more, trace, broken, complaints }) {
    assert.deepEqual(complaints, []);
    if (broken !== undefined) throw new Error(broken);
    clicks += more;
    const file = join(folder, "trace.jsonl");
    await writeFile(file, trace);
    if (cardsharp) await run(cardsharp, ["replay", file]);
    if ((number + 1) % LOOK === 0) {
        memory.push(await used(ask));
        console.log(`${number + 1} sessions, ${clicks} clicks, ${said(memory.at(-1))}`);
    }
    if (number + 1 === sessions) over();
}

const server = await serve((told) => hear(told).catch(failed));
try {
    const address = `http://127.0.0.1:${server.address().port}${FOLDER}`;
    const own = ["--headless", `--user-data-dir=${join(folder, "browser")}`, "--remote-debugging-pipe", "--lang=en-GB"];
    // The browser gets its own process group, so that all its processes can be ended together.
    browser = spawn(EXECUTABLE, [...ARGUMENTS, ...own, address], {
        detached: true,
        stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    ask = debuggerOf(browser);
    browser.on("exit", (code) => failed(new Error(`the browser ended: ${code}`)));
    await ended;
    // The first sessions fill the page's memory. After them memory must not grow, neither before the browser's lists
    // are full nor afterwards.
    for (const looks of [memory.slice(0, FULL), memory.slice(FULL - 1)].filter(({ length }) => length > 1)) {
        const [early, late] = [looks[0], looks.at(-1)];
        const grew = `memory grew from ${said(early)} to ${said(late)}`;
        assert.ok(late.heap < memory[0].heap * 1.15 + 1 && late.all < early.all * 1.1 + 5, grew);
    }
    const seconds = (Date.now() - began) / 1000;
    console.log(
        `${sessions} sessions, ${clicks} clicks in ${seconds.toFixed(0)} s; ${memory.length ? said(memory.at(-1)) : "memory not looked at"} at the end`,
    );
} finally {
    browser?.removeAllListeners("exit");
    if (browser) process.kill(-browser.pid, "SIGKILL");
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, maxRetries: 10 });
}

// Serves the built page from a folder, and opens it in a browser.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const project = fileURLToPath(new URL("../../..", import.meta.url));
/** The folder of the built page. */
export const built = resolve(process.env.PAGE ?? join(project, "target/web/page"));

const KINDS = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
};

/** The folder in the address: the page must work from any folder. */
export const FOLDER = "/some/folder/";

/** The browser, and the arguments that all tests use. */
export const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

/** A file of the built page, with its media type. */
export async function answer(name) {
    if (name.split(sep).includes("..")) throw new Error("outside");
    return { kind: KINDS[extname(name)] ?? "application/octet-stream", bytes: await readFile(join(built, name)) };
}

/** Starts a plain file server. */
function serve() {
    const server = createServer(async (request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
        try {
            if (!path.startsWith(FOLDER)) throw new Error("outside");
            const { kind, bytes } = await answer(path.slice(FOLDER.length) || "index.html");
            response.setHeader("content-type", kind).end(bytes);
        } catch {
            response.statusCode = 404;
            response.end();
        }
    });
    return new Promise((ready) => server.listen(0, "127.0.0.1", () => ready(server)));
}

/** Starts Chromium. */
const launchChromium = () => chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });

/** Serves the page and opens a browser; `close` ends both. */
export async function open(launch = launchChromium) {
    const server = await serve();
    const browser = await launch();
    const origin = `http://127.0.0.1:${server.address().port}`;
    return {
        browser,
        origin,
        address: `${origin}${FOLDER}`,
        async close() {
            await browser.close();
            server.close();
        },
    };
}

/**
 * Opens a new page at a fragment. `complaints` collects errors and warnings of the console, and all requests to
 * addresses that do not start with `near`.
 */
export async function visit({ browser, origin, near = `${origin}/`, address }, fragment = "", options = {}) {
    const context = await browser.newContext({ locale: "en-GB", ...options });
    const page = await context.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
    });
    page.on("request", (request) => {
        if (!request.url().startsWith(near) && !request.url().startsWith("blob:"))
            complaints.push(`asked elsewhere: ${request.url()}`);
    });
    await page.goto(`${address}${fragment}`);
    await page.locator("form.setup, .felt, .open, .lobby").first().waitFor();
    return { page, context, complaints };
}

/** The fragment that describes a table. */
export function table(game, { rules = {}, seed = 7, players = ["you", "scripted"] } = {}) {
    return `#${new URLSearchParams({ game, seed: String(seed), players: players.join(","), rules: JSON.stringify(rules) })}`;
}

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Serious findings of axe-core, which checks accessibility. */
export async function serious(page) {
    // Scripts that the debugger runs are not subject to the page's Content-Security-Policy.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
    return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`);
}

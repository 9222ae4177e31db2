// Tests of the package in Chromium, in a page and in a worker.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize, sep } from "node:path";
import test from "node:test";
import { BOTS, SESSIONS } from "./cases.js";
import { path, web } from "./place.js";

const { chromium } = createRequire(join(web, "tools/"))("playwright-core");

const KINDS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".wasm": "application/wasm",
};

/** Serves the project on loopback, and the build under `web/`. */
function serve() {
    const server = createServer(async (request, response) => {
        const name = normalize(
            decodeURIComponent(new URL(request.url, "http://host").pathname),
        ).slice(1);
        try {
            if (name.startsWith("..") || name.split(sep).includes(".."))
                throw new Error("outside");
            const bytes = await readFile(path(name));
            response.setHeader(
                "content-type",
                KINDS[extname(name)] ?? "application/octet-stream",
            );
            response.end(bytes);
        } catch {
            response.statusCode = 404;
            response.end();
        }
    });
    return new Promise((ready) =>
        server.listen(0, "127.0.0.1", () => ready(server)),
    );
}

test("vectors and sessions in a page and in a worker", async () => {
    const server = await serve();
    // The browser must not fetch anything apart from the test's own requests.
    const args = [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ];
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args,
    });
    try {
        const page = await browser.newPage();
        const errors = [];
        page.on("pageerror", (error) => errors.push(error.message));
        await page.goto(
            `http://127.0.0.1:${server.address().port}/crates/wasm/tests/page.html`,
        );
        await page
            .waitForFunction(
                () => globalThis.checked !== undefined,
                undefined,
                { timeout: 60_000 },
            )
            .catch(() => {
                throw new Error(`the page did not begin: ${errors.join("; ")}`);
            });
        const seen = await page.evaluate(() => globalThis.checked);
        for (const where of ["page", "worker"]) {
            assert.equal(seen[where].vectors, 1000 * BOTS.length, where);
            assert.equal(seen[where].sessions, SESSIONS.length, where);
        }
        assert.equal(seen.levels, 10, "the bot that the package fetches");
        assert.deepEqual(errors, []);
    } finally {
        await browser.close();
        server.close();
    }
});

// Bundles the page in `bundled` with Vite and opens it in Chromium: `node bundled.js FOLDER`. The folder has a copy of the
// page, and the package as npm installed it. The page must load no bot but the one that it uses.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { project, web } from "./place.js";

const { chromium } = createRequire(join(web, "tools/"))("playwright-core");
const vite = createRequire(join(project, "crates/web/")).resolve("vite");
const { build, preview } = await import(pathToFileURL(vite));

const root = process.argv[2];
const common = { root, configFile: false, logLevel: "warn" };
await build({ ...common, build: { target: "es2022" } });
const server = await preview({
    ...common,
    preview: { host: "127.0.0.1", port: 0 },
});
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});
try {
    const page = await browser.newPage();
    const problems = [];
    const loaded = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => loaded.push(request.url()));
    await page.goto(server.resolvedUrls.local[0]);
    await page
        .waitForFunction(() => document.title === "Played")
        .catch(() => assert.fail(`the page did not play: ${problems}`));
    const places = await page.evaluate(() => globalThis.places);
    assert.equal(places.length, 4);
    assert.deepEqual(problems, []);
    const networks = loaded.filter((url) => url.endsWith(".safetensors"));
    assert.equal(networks.length, 1, `loaded ${loaded}`);
} finally {
    await browser.close();
    await server.close();
}

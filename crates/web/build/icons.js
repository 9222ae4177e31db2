// Draws the icons of the installed page and its preview image from `public/icon.svg`, in Chromium:
// node build/icons.js
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const place = (name) => fileURLToPath(new URL(`../public/${name}`, import.meta.url));
const svg = await readFile(place("icon.svg"), "utf8");
const FELT = "#1f6b43";

/** The name, the width and height, the share of the height that the drawing takes, and the background. */
const IMAGES = [
    ["icon-192.png", 192, 192, 1, "transparent"],
    ["icon-512.png", 512, 512, 1, "transparent"],
    // Systems cut this one into a circle or another shape.
    ["icon-maskable.png", 512, 512, 0.62, FELT],
    ["preview.png", 1200, 630, 0.7, FELT],
];

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
});
for (const [name, width, height, share, background] of IMAGES) {
    const page = await browser.newPage({ viewport: { width, height } });
    const style = `margin:0;height:100vh;display:grid;place-items:center;background:${background}`;
    await page.setContent(`<body style="${style}">${svg.replace("<svg", `<svg height="${height * share}"`)}`);
    await page.screenshot({ path: place(name), omitBackground: true });
    await page.close();
}
await browser.close();

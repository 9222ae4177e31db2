// Builds the page as one file that needs no server. The engine, the bots and the rules are embedded as text elements.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import type { Plugin } from "vite";
import { GAMES, built, project } from "./places.ts";
import { puzzles } from "./puzzles.ts";
import { rules } from "./rules.ts";

/** The hash with which a Content-Security-Policy allows this inline script or style. */
function source(text: string): string {
    return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** A script element of the type `text/plain`: the browser does not run it, and `src/offline/parts.ts` reads it. */
function held(id: string, text: string): string {
    if (/<\/script|<!--/i.test(text)) throw new Error(`${id} contains </script or <!--, which would end its element`);
    return `<script type="text/plain" id="${id}">${text}</script>`;
}

async function packed(id: string, path: string): Promise<string> {
    return held(id, deflateRawSync(await readFile(path), { level: 9 }).toString("base64"));
}

async function parts(style: string): Promise<string[]> {
    const css = { source: source(style), element: `<style>${style}</style>` };
    const names = GAMES.flatMap((game) => ["bot.safetensors", "levels.json"].map((name) => `bots/${game}/${name}`));
    return Promise.all([
        packed("engine", join(built, "cardsharp/engine_bg.wasm")),
        ...names.map((name) => packed(name, join(built, "cardsharp", name))),
        ...puzzles().map(([game, file]) => packed(`puzzles/${game}`, file)),
        ...GAMES.map(async (game) => held(`rules/${game}`, await rules(game, css))),
    ]);
}

async function page(script: string, style: string): Promise<string> {
    const rulesStyle = await readFile(join(project, "crates/web/src/rules.css"), "utf8");
    const icon = await readFile(join(project, "crates/web/public/icon.svg"), "base64");
    const policy = [
        "default-src 'none'",
        `script-src ${source(script)} 'wasm-unsafe-eval'`,
        "worker-src blob:",
        // Allows the styles of the page and of the rules pages, because `shownRules` shows those in the same document.
        `style-src ${source(style)} ${source(rulesStyle)}`,
        "img-src data:",
        "connect-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
    ];
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="color-scheme" content="light dark">
<title>Card table</title>
<link rel="icon" href="data:image/svg+xml;base64,${icon}">
<style>${style}</style>
</head>
<body>
<div id="app"><p>Loading. If nothing else appears, this browser is too old for the page.</p></div>
${(await parts(rulesStyle)).join("\n")}
<script>${script}</script>
</body>
</html>
`;
}

/** A Vite plugin that replaces all output files by one file, `cardsharp.html`. */
export function offline(): Plugin {
    return {
        name: "offline",
        enforce: "post",
        async generateBundle(_options, bundle) {
            const files = Object.values(bundle);
            const [script, second] = files.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
            const styles = files.flatMap((file) => (file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : []));
            if (script === undefined || second !== undefined) throw new Error("the page in one file must have exactly one script");
            for (const name of Object.keys(bundle)) delete bundle[name];
            // Inside a script, `</script` would end its element, and `<!--` could hide the end.
            const plain = script.trim().replace(/<\/script/gi, "<\\/script").replaceAll("<!--", "\\x3C!--");
            this.emitFile({ type: "asset", fileName: "cardsharp.html", source: await page(plain, styles.join("").trim()) });
        },
    };
}

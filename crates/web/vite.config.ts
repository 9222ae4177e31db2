import { createReadStream, existsSync } from "node:fs";
import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { marked } from "marked";
import { defineConfig, type Plugin } from "vite";

const project = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
/** Where `cargo run -p xtask -- web` has put the npm package and the bots. */
const built = process.env.WEB ?? join(project, "target/web");
const GAMES = ["tahimi", "dalmuti", "taki", "tachtigen"];

/** The rules of a game as a page of its own. */
async function rules(game: string): Promise<string> {
    const text = await readFile(join(project, "docs/rules", `${game}.md`), "utf8");
    // Links to other pages of the repository lead nowhere from here.
    const here = text.replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, "$1");
    const renderer = new marked.Renderer();
    renderer.heading = function ({ tokens, depth }) {
        const words = this.parser.parseInline(tokens);
        const id = words.toLowerCase().replace(/<[^>]+>|[^\w\- ]/g, "").replace(/ /g, "-");
        return `<h${depth} id="${id}">${words}</h${depth}>\n`;
    };
    const title = /^# (.+)$/m.exec(text)?.[1] ?? game;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'">
<title>${title}: rules</title>
<link rel="stylesheet" href="rules.css">
</head>
<body><main>
${await marked.parse(here, { renderer })}
</main></body>
</html>
`;
}

/** Rules that have a name: the files that the command line reads with `--rules`. */
async function presets(): Promise<string> {
    const { parse } = await import("smol-toml");
    const folder = join(project, "configs/rules");
    const all: Record<string, { name: string; about: string; rules: unknown }[]> = {};
    for (const file of (await readdir(folder)).filter((file) => file.endsWith(".toml")).sort()) {
        const text = await readFile(join(folder, file), "utf8");
        const game = GAMES.find((game) => file.startsWith(`${game}-`));
        if (game === undefined) throw new Error(`${file} is no game's`);
        const about = text.split("\n").filter((line) => line.startsWith("#")).map((line) => line.slice(1).trim()).join(" ");
        (all[game] ??= []).push({ name: file.slice(game.length + 1, -5), about, rules: parse(text) });
    }
    return JSON.stringify(all);
}

/** The bots, the rules and the presets beside the page, built and while it is worked on. */
function beside(): Plugin {
    let out = "";
    return {
        name: "beside",
        configResolved: (config) => void (out = resolve(config.root, config.build.outDir)),
        resolveId: (id) => (id === "virtual:presets" ? "\0presets" : undefined),
        load: async (id) => (id === "\0presets" ? `export default ${await presets()}` : undefined),
        configureServer(server) {
            server.middlewares.use("/bots", (request, response, next) => {
                const file = join(built, "bots", decodeURIComponent(request.url ?? ""));
                if (!existsSync(file)) return next();
                createReadStream(file).pipe(response);
            });
        },
        async closeBundle() {
            await cp(join(built, "bots"), join(out, "bots"), { recursive: true });
            await mkdir(join(out, "rules"), { recursive: true });
            for (const game of GAMES) await writeFile(join(out, "rules", `${game}.html`), await rules(game));
            await cp(join(project, "crates/web/src/rules.css"), join(out, "rules/rules.css"));
        },
    };
}

export default defineConfig({
    base: "./",
    plugins: [svelte(), beside()],
    resolve: { alias: { cardsharp: join(built, "cardsharp/index.js") } },
    server: { fs: { allow: [project, built] } },
    build: {
        target: "es2022",
        outDir: process.env.PAGE ?? join(built, "page"),
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
    },
    worker: { format: "es" },
});

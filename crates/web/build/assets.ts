// Copies the bots and the rules pages next to the built page, writes its service worker, and packs all files. The
// development server serves the bots only.
import { createReadStream, existsSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { GAMES, built, project } from "./places.ts";
import { writeServiceWorker } from "./pwa.ts";
import { pack } from "./compress.ts";
import { puzzles } from "./puzzles.ts";
import { rules } from "./rules.ts";

const STYLE = { source: "'self'", element: '<link rel="stylesheet" href="rules.css">' };

export function assets(): Plugin {
    let out = "";
    return {
        name: "assets",
        configResolved: (config) => void (out = resolve(config.root, config.build.outDir)),
        configureServer(server) {
            server.middlewares.use("/bots", (request, response, next) => {
                const file = join(built, "cardsharp/bots", decodeURIComponent(request.url ?? ""));
                if (!existsSync(file)) return next();
                createReadStream(file).pipe(response);
            });
        },
        async closeBundle() {
            await cp(join(built, "cardsharp/bots"), join(out, "bots"), { recursive: true, filter: (from) => !from.endsWith(".js") });
            for (const [game, file] of puzzles()) await cp(file, join(out, "puzzles", `${game}.json`));
            await mkdir(join(out, "rules"), { recursive: true });
            for (const game of GAMES) await writeFile(join(out, "rules", `${game}.html`), await rules(game, STYLE));
            await cp(join(project, "crates/web/src/rules.css"), join(out, "rules/rules.css"));
            await writeServiceWorker(out);
            await pack(out);
        },
    };
}

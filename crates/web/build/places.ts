// Paths of the parts that the page is built from.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const project = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
/** The folder into which `cargo run -p xtask -- web` writes the npm package and the bots. */
export const built = process.env.WEB ?? join(project, "target/web");
/** The games that the page can show. */
export const GAMES = readdirSync(join(project, "crates/games")).filter((game) =>
    existsSync(join(project, "crates/games", game, "page/index.ts")),
);

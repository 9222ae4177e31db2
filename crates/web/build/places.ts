// Where the parts of the page come from.
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const project = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
/** Where `cargo run -p xtask -- web` has put the npm package and the bots. */
export const built = process.env.WEB ?? join(project, "target/web");
export const GAMES = ["tahimi", "dalmuti", "taki", "tachtigen"];

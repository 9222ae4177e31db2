// The games that the page can show, with the sessions that the tests play.
import { existsSync, readdirSync } from "node:fs";

const folder = new URL("../../games/", import.meta.url);
const names = readdirSync(folder).filter((game) => existsSync(new URL(`${game}/page/index.ts`, folder)));
const sessions = names.map(async (game) => [game, await import(new URL(`${game}/page/sessions.js`, folder))]);

/** The sessions of each game: see `crates/games/GAME/page/sessions.js`. */
export const GAMES = Object.fromEntries(await Promise.all(sessions));

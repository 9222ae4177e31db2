// The puzzles of each game that has some.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { GAMES, project } from "./places.ts";

/** The folder of the bundles, each with the puzzles of its game. */
const folder = process.env.PUZZLES ?? join(project, "checkpoints");

/** The files with puzzles, by game. */
export function puzzles(): [string, string][] {
    return GAMES.map((game): [string, string] => [game, join(folder, game, "puzzles.json")]).filter(([, file]) => existsSync(file));
}

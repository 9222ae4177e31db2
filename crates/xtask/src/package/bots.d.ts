import type { GameName } from "./engine.js";

/**
 * Loads the trained bot of a game. Resolves to the files of its bundle by name, for `Bot.fromBytes` and
 * `Network.fromBytes`. Browsers fetch the files from the folder of this module; node reads them. Each file is loaded
 * once. Rejects if there is no such bot or a file cannot be loaded.
 */
export function trained(game: GameName): Promise<Record<string, Uint8Array>>;

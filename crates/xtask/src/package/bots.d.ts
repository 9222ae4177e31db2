import type { GameName } from "./engine.js";

/**
 * Loads the trained bot of a game: the files of its bundle by name, for `Bot.fromBytes` and `Network.fromBytes`. Browsers fetch
 * them from beside the module, node reads them. Rejects if a file cannot be had.
 */
export function trained(game: GameName): Promise<Record<string, Uint8Array>>;

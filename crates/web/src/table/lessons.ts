// Whether a game is explained: in the first session of it in this browser, and to whoever wishes it.
import type { Played } from "../games";
import { recall, remember } from "../session/memory";

const kept = (game: Played): string => `cardsharp.explain.${game}`;

/** Whether no session of a game was finished here, and nothing was wished. */
export function isNew(game: Played): boolean {
    return recall(kept(game)) === null;
}

export function isExplained(game: Played): boolean {
    return recall(kept(game)) !== "no";
}

/** Keeps a wish, or that somebody knows the game by now. */
export function keepExplained(game: Played, explained: boolean): void {
    remember(kept(game), explained ? "yes" : "no");
}

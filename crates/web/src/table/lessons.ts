// Whether a game is explained: in its first session in this browser, and whenever the person asks for it.
import type { Played } from "../games";
import { recall, remember } from "../session/memory";

const kept = (game: Played): string => `cardsharp.explain.${game}`;

/** Whether no session of a game was completed in this browser, and the person has chosen nothing. */
export function isNew(game: Played): boolean {
    return recall(kept(game)) === null;
}

export function isExplained(game: Played): boolean {
    return recall(kept(game)) !== "no";
}

const guided = (game: Played): string => `cardsharp.guided.${game}`;

/** Whether the form offers the guided first round: until a person has played or skipped it, or completed a session. */
export function isGuideOffered(game: Played): boolean {
    return isNew(game) && recall(guided(game)) === null;
}

export function endGuide(game: Played): void {
    remember(guided(game), "over");
}

/** Stores the person's choice, or that they know the game now. */
export function keepExplained(game: Played, explained: boolean): void {
    remember(kept(game), explained ? "yes" : "no");
}

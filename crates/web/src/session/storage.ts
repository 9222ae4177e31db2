// The session that is kept in this browser, to go on with.
import { setup as checked, unusual, type Setup } from "./setup";

const KEPT = "cardsharp.session";
const VERSION = 1;

interface Kept {
    version: number;
    game: Setup["game"];
    rules: Partial<Setup["rules"]>;
    seed: number;
    players: Setup["players"];
    trace: string;
}

/** Keeps a session; one that is over is kept no more. */
export function keep({ game, rules, seed, players }: Setup, trace: string | undefined): void {
    try {
        if (trace === undefined) {
            localStorage.removeItem(KEPT);
        } else {
            const kept: Kept = { version: VERSION, game, rules: unusual(game, rules), seed, players, trace };
            localStorage.setItem(KEPT, JSON.stringify(kept));
        }
    } catch {
        // A browser that keeps nothing, or has no room left, plays on without.
    }
}

/** The session that was kept; none if there is none, or it is of another version of the page. */
export function kept(): { setup: Setup; trace: string } | undefined {
    try {
        const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null") as Kept | null;
        if (kept?.version !== VERSION) return undefined;
        return { setup: checked(kept), trace: kept.trace };
    } catch {
        // Its rules are refused by now, or somebody wrote something else there.
        return undefined;
    }
}

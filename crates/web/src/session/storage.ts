// The session that is kept in this browser, to go on with.
import { forget, recall, remember } from "./memory";
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
    if (trace === undefined) return forget(KEPT);
    const kept: Kept = { version: VERSION, game, rules: unusual(game, rules), seed, players, trace };
    remember(KEPT, JSON.stringify(kept));
}

/** The session that was kept; none if there is none, or it is of another version of the page. */
export function kept(): { setup: Setup; trace: string } | undefined {
    try {
        const kept = JSON.parse(recall(KEPT) ?? "null") as Kept | null;
        if (kept?.version !== VERSION) return undefined;
        return { setup: checked(kept), trace: kept.trace };
    } catch {
        // Its rules are refused by now, or somebody wrote something else there.
        return undefined;
    }
}

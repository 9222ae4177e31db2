// The unfinished session that this browser stores, so that the person can continue it.
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

/** Stores a session; without a trace removes the stored one. */
export function keep({ game, rules, seed, players }: Setup, trace: string | undefined): void {
    if (trace === undefined) return forget(KEPT);
    const kept: Kept = { version: VERSION, game, rules: unusual(game, rules), seed, players, trace };
    remember(KEPT, JSON.stringify(kept));
}

/** The stored session; `undefined` if there is none, or if it has another version of this format. */
export function kept(): { setup: Setup; trace: string } | undefined {
    try {
        const kept = JSON.parse(recall(KEPT) ?? "null") as Kept | null;
        if (kept?.version !== VERSION) return undefined;
        return { setup: checked(kept), trace: kept.trace };
    } catch {
        // The rules are no longer valid, or the stored text is not what this page writes.
        return undefined;
    }
}

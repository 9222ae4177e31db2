// The unfinished sessions that this browser stores, one for each game, so that the person can continue them.
import { isPlayed, SHOWN, type Played } from "../games";
import { forget, recall, remember } from "./memory";
import { setup as checked, unusual, type Setup } from "./setup";

const KEY = "cardsharp.session";
const VERSION = 1;

/** A stored session as JSON. */
interface Written {
    version: number;
    game: Setup["game"];
    rules: Partial<Setup["rules"]>;
    seed: number;
    players: Setup["players"];
    trace: string;
    /** When it was stored, in the time of `Date.now`. */
    at: number;
}

/** An unfinished session. */
export interface Unfinished {
    setup: Setup;
    trace: string;
}

const place = (game: Played): string => `${KEY}.${game}`;

/** Stores a session as the unfinished one of its game; without a trace removes the stored one. */
export function storeSession({ game, rules, seed, players }: Setup, trace: string | undefined): void {
    if (trace === undefined) return forget(place(game));
    const written: Written = {
        version: VERSION,
        game,
        rules: unusual(game, rules),
        seed,
        players,
        trace,
        at: Date.now(),
    };
    remember(place(game), JSON.stringify(written));
}

function read(game: Played): { session: Unfinished; at: number } | undefined {
    try {
        const written = JSON.parse(recall(place(game)) ?? "null") as Written | null;
        if (written?.version !== VERSION || written.game !== game) return undefined;
        return { session: { setup: checked(written), trace: written.trace }, at: written.at };
    } catch {
        // The rules are no longer valid, or the stored text is not what this page writes.
        return undefined;
    }
}

/** The stored session of a game; `undefined` if there is none, or if it has another version of this format. */
export function unfinished(game: Played): Unfinished | undefined {
    return read(game)?.session;
}

/** The stored sessions of all games, the latest first. */
export function allUnfinished(): Unfinished[] {
    const found = Object.keys(SHOWN)
        .filter(isPlayed)
        .flatMap((game) => read(game) ?? []);
    return found.sort((a, b) => b.at - a.at).map(({ session }) => session);
}

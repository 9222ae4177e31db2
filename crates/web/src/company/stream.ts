// A stream of events that is taken up again where it broke.
import { Refused } from "./refused";
import { listen, type Heard, type Key } from "./server";

/** Milliseconds before the first new try, and the most before one. */
const [SOON, LATE] = [500, 8000];
/** Milliseconds without a sign of life, of which the server gives one every 15 s, until the connection is given up. */
const SILENCE = 40_000;
/** Codes of what may be answered another time; something between the page and the server has none. */
const AGAIN = ["", "busy", "full", "internal", "slow"];

export interface Hearing {
    /** Takes in what came at once. */
    heard(batch: Heard[]): void;
    /** Whether a stream that ends has told everything. */
    ended(): boolean;
    /** Whether the server is heard now. */
    connected: boolean;
}

/**
 * Listens until the session is over, or `signal` says that nobody listens any more. Throws what the server refuses, and what
 * cannot be taken in.
 */
export async function follow(key: Key, hearing: Hearing, signal: AbortSignal): Promise<void> {
    let last: string | undefined;
    let wait = SOON;
    while (!signal.aborted) {
        const silence = new AbortController();
        let timer: ReturnType<typeof setTimeout> | undefined;
        let taking = false;
        const alive = (): void => {
            clearTimeout(timer);
            timer = setTimeout(() => silence.abort(), SILENCE);
        };
        try {
            alive();
            for await (const batch of listen(key, last, AbortSignal.any([signal, silence.signal]))) {
                alive();
                hearing.connected = true;
                wait = SOON;
                last = batch.findLast(({ id }) => id !== undefined)?.id ?? last;
                taking = true;
                hearing.heard(batch);
                taking = false;
            }
            if (hearing.ended()) return;
        } catch (error) {
            // What is busy or breaks is tried again; what is refused, or cannot be taken in, would be again.
            if (taking || (error instanceof Refused && !AGAIN.includes(error.code))) throw error;
        } finally {
            clearTimeout(timer);
            silence.abort();
        }
        if (signal.aborted) return;
        hearing.connected = false;
        await new Promise((done) => setTimeout(done, wait));
        wait = Math.min(wait * 2, LATE);
    }
}

// Follows a stream of events, and reconnects when the connection breaks.
import { Refused } from "./refused";
import { listen, type Heard, type Key } from "./server";

/** Milliseconds before the first reconnection, and the most before a later one. */
const [SOON, LATE] = [500, 8000];
/** Milliseconds without data until the connection counts as lost. The server sends a sign of life every 15 s. */
const SILENCE = 40_000;
/**
 * Error codes after which a retry can help. The code is empty if something between the page and the server answered.
 */
const AGAIN = ["", "busy", "full", "internal", "slow"];

export interface Hearing {
    /** Handles the events that arrived together. */
    heard(batch: Heard[]): void;
    /** Whether the session is over, so that the stream was complete. */
    ended(): boolean;
    /** Whether the connection to the server works. */
    connected: boolean;
}

/**
 * Listens until the session is over or `signal` is aborted. Throws errors for which a retry is useless: the server
 * refuses, or `hearing` cannot handle an event.
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
            // A busy server or a broken connection is tried again. A refusal, or an event that cannot be handled, would
            // occur again.
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

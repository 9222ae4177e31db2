// Threads of a page that cannot fetch: they are told the engine and the files before anything else.
import { bots, engine } from "./parts";
import type { Given } from "./thread";
import Thread from "./thread?worker&inline";

function begin(task: Given["task"]): Worker {
    const thread = new Thread();
    Promise.all([engine(), bots()]).then(
        ([engine, files]) => thread.postMessage({ task, engine, files } satisfies Given),
        (error: unknown) => thread.dispatchEvent(new ErrorEvent("error", { message: String(error) })),
    );
    return thread;
}

/** Begins the thread on which bots think. */
export function botsThread(): Worker {
    return begin("bots");
}

/** Begins a thread on which a session is looked back at. */
export function reviewThread(): Worker {
    return begin("review");
}

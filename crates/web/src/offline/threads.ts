// Starts the workers of the page in one file. They cannot fetch, so the first message brings the engine and the files.
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

/** Starts the worker in which bots pick moves. */
export function botsThread(): Worker {
    return begin("bots");
}

/** Starts a worker that reviews a session. */
export function reviewThread(): Worker {
    return begin("review");
}

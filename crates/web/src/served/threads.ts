// Threads of the page, each of which says that it has started before it can be asked.

/** Begins the thread on which bots think. */
export function botsThread(): Worker {
    return new Worker(new URL("../session/bots.worker.ts", import.meta.url), { type: "module" });
}

/** Begins a thread on which a session is looked back at. */
export function reviewThread(): Worker {
    return new Worker(new URL("../review/review.worker.ts", import.meta.url), { type: "module" });
}

// Starts the workers of the served page. A worker posts `STARTED` before it accepts questions.

/** Starts the worker in which bots pick moves. */
export function botsThread(): Worker {
    return new Worker(new URL("../session/bots.worker.ts", import.meta.url), { type: "module" });
}

/** Starts a worker that reviews a session. */
export function reviewThread(): Worker {
    return new Worker(new URL("../review/review.worker.ts", import.meta.url), { type: "module" });
}

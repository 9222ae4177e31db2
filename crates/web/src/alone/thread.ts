// A thread of the page in one file: it is given what other threads fetch, and goes on as one of them.
import { initSync } from "cardsharp";
import { give } from "./files";

/** The first message. */
export interface Given {
    task: "bots" | "review";
    engine: WebAssembly.Module;
    files: Map<string, Uint8Array>;
}

async function begin({ task, engine, files }: Given): Promise<void> {
    initSync({ module: engine });
    give(files);
    // From here on messages are questions.
    await (task === "bots" ? import("../session/bots.worker") : import("../review/review.worker"));
}

self.onmessage = ({ data }: MessageEvent<Given>) => void begin(data).catch(reportError);

// Worker of the page in one file. It cannot fetch, so its first message brings the engine and the bots' files. Then it
// imports the worker script for its task.
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
    // The imported script replaces `onmessage`: all later messages are questions.
    await (task === "bots" ? import("../session/bots.worker") : import("../review/review.worker"));
}

self.onmessage = ({ data }: MessageEvent<Given>) => void begin(data).catch(reportError);

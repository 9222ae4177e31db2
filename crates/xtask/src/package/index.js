// The engine for browsers, workers and bundlers. It is ready when the import resolves.
import init from "./engine.js";

await init();

export * from "./deals.js";
export * from "./engine.js";

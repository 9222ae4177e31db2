// The engine for browsers, workers and those who bundle for them: ready once this module is imported.
import init from "./engine.js";

await init();

export * from "./engine.js";

// The engine is ready when the import resolves.
export * from "./deals.js";
export * from "./engine.js";

// The engine is ready when the import resolves.
export * from "./engine.js";

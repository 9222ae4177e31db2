// The engine is ready once this module is imported.
export * from "./engine.js";

// The engine for node: ready once this module is imported.
import { readFile } from "node:fs/promises";
import init from "./engine.js";

await init({ module_or_path: await readFile(new URL("./engine_bg.wasm", import.meta.url)) });

export * from "./engine.js";

// The engine for node. It is ready when the import resolves.
import { readFile } from "node:fs/promises";
import init from "./engine.js";

await init({
    module_or_path: await readFile(
        new URL("./engine_bg.wasm", import.meta.url),
    ),
});

export * from "./deals.js";
export * from "./engine.js";

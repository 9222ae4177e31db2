// The trained bots of the package, in node.
import { readFile } from "node:fs/promises";
import { reader } from "./bots.js";

export const trained = reader(
    async (url) => new Uint8Array(await readFile(url)),
);

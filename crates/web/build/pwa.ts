// Writes the service worker of the built page, with the list of the files that it stores.
import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { project } from "./places.ts";

/** Files that the page does not need without a network: its own list, the preview image, and parts of bots. */
const LEFT = ["service.js", "server.json", "preview.png", "cardsharp.html"];

export async function writeServiceWorker(out: string): Promise<void> {
    const all = await readdir(out, { recursive: true, withFileTypes: true });
    const names = all
        .filter((entry) => entry.isFile())
        .map((entry) =>
            join(entry.parentPath, entry.name)
                .slice(out.length + 1)
                .replaceAll("\\", "/"),
        )
        .filter((name) => !LEFT.includes(name) && !name.endsWith("beliefs.safetensors"))
        .sort();
    const hash = createHash("sha256");
    for (const name of names) hash.update(name).update(await readFile(join(out, name)));
    const list = `const FILES = ${JSON.stringify(names)};\nconst VERSION = "${hash.digest("hex").slice(0, 16)}";\n`;
    const worker = await readFile(join(project, "crates/web/src/pwa/service.js"), "utf8");
    await writeFile(join(out, "service.js"), list + worker);
}

// Writes a packed copy of each file of the built page, `FILE.gz`, which `cardsharp serve` sends to browsers.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export async function pack(out: string): Promise<void> {
    for (const entry of await readdir(out, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || entry.name.endsWith(".png")) continue;
        const file = join(entry.parentPath, entry.name);
        await writeFile(`${file}.gz`, gzipSync(await readFile(file), { level: 9 }));
    }
}

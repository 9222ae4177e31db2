// The rule sets of all games as the module `virtual:presets`. The command reads the same files with `--rules`.
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Plugin } from "vite";
import { GAMES, project } from "./places.ts";

async function preset(path: string): Promise<{ name: string; about: string; rules: unknown }> {
    const { parse } = await import("smol-toml");
    const text = await readFile(path, "utf8");
    const about = text.split("\n").filter((line) => line.startsWith("#")).map((line) => line.slice(1).trim()).join(" ");
    return { name: basename(path, ".toml"), about, rules: parse(text) };
}

async function all(): Promise<string> {
    const all: Record<string, unknown> = {};
    for (const game of GAMES) {
        const folder = join(project, "crates/games", game, "rule-sets");
        const files = (await readdir(folder)).sort();
        all[game] = await Promise.all(files.map((file) => preset(join(folder, file))));
    }
    return JSON.stringify(all);
}

export function presets(): Plugin {
    return {
        name: "presets",
        resolveId: (id) => (id === "virtual:presets" ? "\0presets" : undefined),
        load: async (id) => (id === "\0presets" ? `export default ${await all()}` : undefined),
    };
}

// The rule sets in `configs/rules` as the module `virtual:presets`. The command reads the same files with `--rules`.
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";
import { GAMES, project } from "./places.ts";

async function all(): Promise<string> {
    const { parse } = await import("smol-toml");
    const folder = join(project, "configs/rules");
    const all: Record<string, { name: string; about: string; rules: unknown }[]> = {};
    for (const file of (await readdir(folder)).filter((file) => file.endsWith(".toml")).sort()) {
        const text = await readFile(join(folder, file), "utf8");
        const game = GAMES.find((game) => file.startsWith(`${game}-`));
        if (game === undefined) throw new Error(`the name of ${file} must start with a game`);
        const about = text.split("\n").filter((line) => line.startsWith("#")).map((line) => line.slice(1).trim()).join(" ");
        (all[game] ??= []).push({ name: file.slice(game.length + 1, -5), about, rules: parse(text) });
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

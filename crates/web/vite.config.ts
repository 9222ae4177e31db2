import { join } from "node:path";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defaultClientConditions, defineConfig, type UserConfig } from "vite";
import { offline } from "./build/offline.ts";
import { assets } from "./build/assets.ts";
import { built, project } from "./build/places.ts";
import { presets } from "./build/presets.ts";

const common = {
    target: "es2022",
    outDir: process.env.PAGE ?? join(built, "page"),
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
} as const;

const online: UserConfig = {
    base: "./",
    plugins: [svelte(), presets(), assets()],
    resolve: { alias: { cardsharp: join(built, "cardsharp/index.js") } },
    server: { fs: { allow: [project, built] } },
    build: { ...common, emptyOutDir: true },
    worker: { format: "es" },
};

// The condition `offline` resolves `#place/*` to `src/offline`. `cardsharp` is the engine without the code that initializes
// it: `src/offline/main.ts` does that.
const inOneFile: UserConfig = {
    base: "./",
    publicDir: false,
    plugins: [svelte(), presets(), offline()],
    resolve: {
        alias: { cardsharp: join(built, "cardsharp/engine.js") },
        conditions: ["offline", ...defaultClientConditions],
    },
    build: {
        ...common,
        emptyOutDir: false,
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: {
            input: "src/offline/main.ts",
            output: { format: "iife", codeSplitting: false },
            // The script is not a module, so it has no address in `import.meta`. Nothing in this build needs it.
            checks: { emptyImportMeta: false },
        },
    },
    worker: { format: "iife", rolldownOptions: { output: { codeSplitting: false } } },
};

export default defineConfig(({ mode }) => (mode === "offline" ? inOneFile : online));

// The texts of the page, as its tests need them.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { runnerImport } from "vite";

/** Loads a module of the page's source, which may be TypeScript. */
export const source = (path) =>
    runnerImport(new URL(path, import.meta.url).pathname, { plugins: [svelte()], logLevel: "error" }).then(
        ({ module }) => module,
    );

const [{ LANGUAGES }, { filler }] = await Promise.all([
    source("../src/words/languages.ts"),
    source("../src/words/fill.ts"),
]);

/** All texts, by the code of the language. */
export const TEXTS = Object.fromEntries(
    await Promise.all(
        Object.keys(LANGUAGES).map(async (code) => {
            const { [code]: page, games } = await source(`../src/words/${code}.ts`);
            return [code, Object.assign({}, page, ...Object.values(games))];
        }),
    ),
);

/** The function that says a text in a language. */
export const say =
    (code) =>
    (key, values = {}, english = key) =>
        filler(code)(TEXTS[code][key] ?? english, values);

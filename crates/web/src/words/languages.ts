// The languages of the page. The texts of a language load when it is first shown.

export type Texts = Record<string, string>;

export const LANGUAGES: Record<string, { name: string; direction: "ltr" | "rtl" }> = {
    en: { name: "English", direction: "ltr" },
    nl: { name: "Nederlands", direction: "ltr" },
    he: { name: "עברית", direction: "rtl" },
};

const FILES = import.meta.glob<Record<string, Texts> & { games: Record<string, Texts> }>("./??.ts");

/** Loads all texts of a language. */
export async function textsOf(code: string): Promise<Texts> {
    const file = await FILES[`./${code}.ts`]!();
    return Object.assign({}, file[code], ...Object.values(file.games));
}

// The texts of the page, in the reader's language.
import { recall, remember } from "../session/memory";
import { en } from "./en";
import { nl } from "./nl";

export type Key = keyof typeof en;
export type Words = Record<Key, string>;

/** A text with its placeholders filled. */
export type Say = (key: Key, values?: Record<string, string | number>) => string;

export const LANGUAGES: Record<string, { name: string; words: Words }> = {
    en: { name: "English", words: en },
    nl: { name: "Nederlands", words: nl },
};

const KEPT = "cardsharp.language";

function first(): string {
    const kept = recall(KEPT);
    if (kept !== null && kept in LANGUAGES) return kept;
    const wished = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in LANGUAGES);
    return wished ?? "en";
}

class Language {
    #now = $state(first());

    get now(): string {
        return this.#now;
    }

    set now(language: string) {
        this.#now = language;
        remember(KEPT, language);
        document.documentElement.lang = language;
    }
}

export const language = new Language();

/** A text of the page. A placeholder without a value stays visible, so that tests can find it. */
export const say: Say = (key, values = {}) =>
    LANGUAGES[language.now]!.words[key].replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

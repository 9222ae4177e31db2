// The texts of the page, in the reader's language.
import { recall, remember } from "../session/memory";
import type { en } from "./en";
import { LANGUAGES } from "./languages";

/** The names of the page's own texts. */
export type Key = keyof typeof en;

/**
 * A text with its placeholders filled. `K` are the names of the texts. `english` is a text of the engine, for languages
 * without one of this name.
 */
export type Say<K extends string = Key> = (
    key: K,
    values?: Record<string, string | number>,
    english?: string,
) => string;

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

/**
 * A text in the person's language. A placeholder without a value and a name without a text stay visible, so that tests
 * can find them.
 */
export const say: Say = (key, values = {}, english = key) =>
    (LANGUAGES[language.now]!.texts[key] ?? english).replace(/\{(\w+)\}/g, (place, name: string) =>
        String(values[name] ?? place),
    );

/** A number with a real minus sign. */
export const written = (value: number): string => String(value).replace("-", "−");

/** A text of a house rule, whose name is composed of the game, the option and its value. */
export const sayHouse: Say<string> = say as Say<string>;

// The texts of the page, in the reader's language.
import { recall, remember } from "../session/memory";
import type { en } from "./en";
import { filler } from "./fill";
import { LANGUAGES, textsOf, type Texts } from "./languages";

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
    #shown = $state.raw<{ code: string; texts: Texts; fill: ReturnType<typeof filler> }>({
        code: "en",
        texts: {},
        fill: filler("en"),
    });

    /** The code of the language that the page shows. */
    get now(): string {
        return this.#shown.code;
    }

    /** Whether its text runs from left to right, or from right to left. */
    get direction(): "ltr" | "rtl" {
        return LANGUAGES[this.now]!.direction;
    }

    /** Shows the language of the last visit, or the first of the browser's languages that the page has. */
    start(): Promise<void> {
        return this.#show(first());
    }

    /** Shows a language, and remembers it for the next visit. */
    async choose(code: string): Promise<void> {
        await this.#show(code);
        remember(KEPT, code);
    }

    async #show(code: string): Promise<void> {
        const texts = await textsOf(code);
        this.#shown = { code, texts, fill: filler(code) };
        document.documentElement.lang = code;
        document.documentElement.dir = this.direction;
    }

    text(key: string, values: Record<string, string | number>, english: string): string {
        const { texts, fill } = this.#shown;
        return fill(texts[key] ?? english, values);
    }
}

export const language = new Language();

/**
 * A text in the person's language. A placeholder without a value and a name without a text stay visible, so that tests
 * can find them.
 */
export const say: Say = (key, values = {}, english = key) => language.text(key, values, english);

/** A number with a real minus sign. */
export const written = (value: number): string => String(value).replace("-", "−");

/** A text of a house rule, whose name is composed of the game, the option and its value. */
export const sayHouse: Say<string> = say as Say<string>;

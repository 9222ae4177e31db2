// Fills the placeholders of a text: `{name}` is replaced by a value, and `{count|# card|# cards}` by the form that the
// language has for this number.
import { LANGUAGES } from "./languages";

/** The plural categories of the Unicode CLDR. A text has the forms of its language in this order. */
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"] as const;

/** Characters that isolate a value from the text around it, and give it a direction. */
const [LEFT_TO_RIGHT, RIGHT_TO_LEFT, END] = ["\u2066", "\u2067", "\u2069"];

/**
 * Isolates a value in a text that is written from right to left. Its first letter decides its direction. Numbers run
 * from left to right, with their sign at the left.
 */
function isolated(value: string): string {
    const first = /\p{L}/u.exec(value)?.[0] ?? "";
    return (/\p{Script=Hebrew}|\p{Script=Arabic}/u.test(first) ? RIGHT_TO_LEFT : LEFT_TO_RIGHT) + value + END;
}

/** Returns the function that fills texts of a language. A placeholder without a value stays visible. */
export function filler(code: string): (text: string, values: Record<string, string | number>) => string {
    const rules = new Intl.PluralRules(code);
    const { pluralCategories } = rules.resolvedOptions();
    const forms = CATEGORIES.filter((category) => pluralCategories.includes(category));
    const shown = LANGUAGES[code]?.direction === "rtl" ? isolated : String;
    return (text, values) =>
        text.replace(/\{(\w+)(?:\|([^{}]*))?\}/g, (place, name: string, variants?: string) => {
            const value = values[name];
            if (value === undefined) return place;
            if (variants === undefined) return shown(String(value));
            const form = variants.split("|")[forms.indexOf(rules.select(Number(value)))] ?? place;
            return form.replace("#", shown(String(value)));
        });
}

// Fills the placeholders of a text: `{name}` is replaced by a value, and `{count|# card|# cards}` by the form that the
// language has for this number.
import { LANGUAGES } from "./languages";

/** The plural categories of the Unicode CLDR. A text has the forms of its language in this order. */
const CATEGORIES = ["zero", "one", "two", "few", "many", "other"] as const;

/** What separates a value from the text around it, where the text is written from right to left. */
const [ISOLATE, END] = ["\u2068", "\u2069"];

/** Returns the function that fills texts of a language. A placeholder without a value stays visible. */
export function filler(code: string): (text: string, values: Record<string, string | number>) => string {
    const rules = new Intl.PluralRules(code);
    const { pluralCategories } = rules.resolvedOptions();
    const forms = CATEGORIES.filter((category) => pluralCategories.includes(category));
    const isolated = LANGUAGES[code]?.direction === "rtl" ? (text: string) => ISOLATE + text + END : String;
    return (text, values) =>
        text.replace(/\{(\w+)(?:\|([^{}]*))?\}/g, (place, name: string, variants?: string) => {
            const value = values[name];
            if (value === undefined) return place;
            if (variants === undefined) return isolated(String(value));
            const form = variants.split("|")[forms.indexOf(rules.select(Number(value)))] ?? place;
            return form.replace("#", isolated(String(value)));
        });
}

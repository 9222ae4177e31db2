// House rules in words.
import { HOUSES, type Played } from "../games";
import { say, sayHouse } from "../words/words.svelte";

/** The options of a game that the form offers. */
export function houseOptions(game: Played): string[] {
    return HOUSES[game].groups.flatMap(([, names]) => names);
}

/** The value of an option, in words. */
export function houseValue(game: Played, option: string, value: unknown): string {
    if (typeof value === "boolean") return say(value ? "house.yes" : "house.no");
    if (typeof value === "string") return sayHouse(`${game}.option.${option}.${value}`);
    if (typeof value === "number") return String(value);
    return say("setup.own", { value: JSON.stringify(value) });
}

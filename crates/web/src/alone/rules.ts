// The pages of rules that stand in the page. It shows one in its own place where its address ends so: at the address of a
// Blob, browsers follow no link within a page.
import type { Played } from "../games";
import { text } from "./parts";

export function rulesAddress(game: Played): string {
    return `#rules=${game}`;
}

/** Turns this page into the rules that its address names; says whether it names any. */
export function shownRules(): boolean {
    const id = location.hash.replace(/^#rules=/, "rules/");
    if (!id.startsWith("rules/") || document.getElementById(id) === null) return false;
    const { documentElement } = new DOMParser().parseFromString(text(id), "text/html");
    document.documentElement.replaceWith(documentElement);
    return true;
}

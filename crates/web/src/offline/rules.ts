// Shows the rules pages that are embedded in this page. At an address that ends in `#rules=GAME` the page replaces its
// own document. A Blob is no alternative: at its address browsers follow no links within a page.
import type { Played } from "../games";
import { text } from "./parts";

export function rulesAddress(game: Played): string {
    return `#rules=${game}`;
}

/** Replaces this document by the rules page that the address names. Returns whether the address names one. */
export function shownRules(): boolean {
    const id = location.hash.replace(/^#rules=/, "rules/");
    if (!id.startsWith("rules/") || document.getElementById(id) === null) return false;
    const { documentElement } = new DOMParser().parseFromString(text(id), "text/html");
    document.documentElement.replaceWith(documentElement);
    return true;
}

// Addresses of the rules pages, which the build puts next to the page.
import type { Played } from "../games";

export function rulesAddress(game: Played): string {
    return `./rules/${game}.html`;
}

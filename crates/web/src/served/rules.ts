// The pages of rules beside the page.
import type { Played } from "../games";

export function rulesAddress(game: Played): string {
    return `./rules/${game}.html`;
}

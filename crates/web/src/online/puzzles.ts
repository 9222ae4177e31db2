// The puzzles of a game, which the build puts next to the page.
import type { Played } from "../games";
import { reach } from "./network";

export async function puzzlesFile(game: Played): Promise<string> {
    const response = await reach(`puzzles/${game}.json`);
    if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
    return response.text();
}

// The puzzles of a game, which are embedded in the page.
import type { Played } from "../games";
import { bytes } from "./parts";

export async function puzzlesFile(game: Played): Promise<string> {
    return new TextDecoder().decode(await bytes(`puzzles/${game}`));
}

// The games that the page can show. Each has a folder `page` in its crate.
import { games, type GameName } from "cardsharp";
import type { Shown } from "./picture";

/** The name of a game that the page can show; `isPlayed` checks it. */
export type Played = GameName;

const FOUND = import.meta.glob<Shown>("../../../games/*/page/index.ts", { eager: true, import: "shown" });

export const SHOWN = Object.fromEntries(
    Object.entries(FOUND).map(([path, shown]) => [/games\/([^/]+)\/page/.exec(path)![1]!, shown]),
) as Record<Played, Shown>;

/** The titles of the games that the page can show, in the order in which the form offers them. */
export function titles(): Map<Played, string> {
    return new Map(games().flatMap(({ name, title }) => (isPlayed(name) ? [[name, title]] : [])));
}

/** Whether the page can show a game. */
export function isPlayed(name: string): name is Played {
    return Object.hasOwn(SHOWN, name);
}

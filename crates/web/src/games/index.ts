// The games that the page can show. Each has a folder `page` in its crate.
import { games, type GameName } from "cardsharp";
import type { House } from "./house";
import { sayHouse } from "../words/words.svelte";
import type { Shown } from "./picture";

/** The name of a game that the page can show; `isPlayed` checks it. */
export type Played = GameName;

const byGame = <T>(found: Record<string, T>): Record<Played, T> =>
    Object.fromEntries(
        Object.entries(found).map(([path, part]) => [/games\/([^/]+)\/page/.exec(path)![1]!, part]),
    ) as Record<Played, T>;

export const SHOWN = byGame(
    import.meta.glob<Shown>("../../../games/*/page/index.ts", { eager: true, import: "shown" }),
);

export const HOUSES = byGame(
    import.meta.glob<House>("../../../games/*/page/house.ts", { eager: true, import: "house" }),
);

/**
 * The titles of the games that the page can show, in the order in which the form offers them. A language may have its
 * own: the text `GAME.title`.
 */
export function titles(): Map<Played, string> {
    return new Map(
        games().flatMap(({ name, title }) => (isPlayed(name) ? [[name, sayHouse(`${name}.title`, {}, title)]] : [])),
    );
}

/** Whether the page can show a game. */
export function isPlayed(name: string): name is Played {
    return Object.hasOwn(SHOWN, name);
}

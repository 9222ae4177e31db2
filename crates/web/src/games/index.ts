// The games that the page can show.
import type { GameName } from "cardsharp";
import { dalmuti } from "./dalmuti";
import type { Shown } from "./picture";
import { tachtigen } from "./tachtigen";
import { tahimi } from "./tahimi";
import { taki } from "./taki";

export type Played = "tahimi" | "dalmuti" | "taki" | "tachtigen";

/** All games, in the order in which the form offers them. */
export const SHOWN: Record<Played, Shown> = { dalmuti, tahimi, taki, tachtigen };

export const PLAYED = Object.keys(SHOWN) as Played[];

/** Whether the page can show a game. */
export function isPlayed(name: GameName | string): name is Played {
    return name in SHOWN;
}

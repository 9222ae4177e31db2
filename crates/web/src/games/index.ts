// The games that the page knows how to draw.
import type { GameName } from "cardsharp";
import { dalmuti } from "./dalmuti";
import type { Shown } from "./picture";
import { tachtigen } from "./tachtigen";
import { tahimi } from "./tahimi";
import { taki } from "./taki";

export type Played = "tahimi" | "dalmuti" | "taki" | "tachtigen";

/** In the order in which they are offered. */
export const SHOWN: Record<Played, Shown> = { dalmuti, tahimi, taki, tachtigen };

export const PLAYED = Object.keys(SHOWN) as Played[];

/** Whether a game is one that the page draws. */
export function isPlayed(name: GameName | string): name is Played {
    return name in SHOWN;
}

// What the page asks the thread of the bots.
import type { Advice, Compared, GameName, Reviewed, ReviewOptions, ViewJson } from "cardsharp";

/**
 * Who plays a seat: the person here, another one who is invited, a level of the trained bot, the bot at its best, in a
 * search, or one without a network.
 */
export type Player = "you" | "guest" | "best" | "search" | "scripted" | "random" | `level ${number}`;

export const PLAYERS: Player[] = ["best", "search", ...([9, 8, 7, 6, 5, 4, 3, 2, 1] as const).map((level) => `level ${level}` as const), "scripted", "random"];

/** Whether a text from a link or from storage names somebody. */
export function isPlayer(name: unknown): name is Player {
    return name === "you" || name === "guest" || PLAYERS.includes(name as Player);
}

/** A question to the worker. */
export interface Question {
    id: number;
    kind: "pick" | "advise" | "compare" | "ready";
    game: GameName;
    player: Player;
    seed: number;
    view?: ViewJson;
    /** What is compared: two moves by the numbers of their actions, in so many deals. */
    moves?: readonly [number, number];
    deals?: number;
    /** Where the page lies, and with it the networks. */
    base: string;
}

/** Its answer. */
export interface Answer {
    id: number;
    action?: number;
    advice?: Advice;
    compared?: Compared;
    error?: string;
}

/** What the thread of a review is asked. */
export interface ReviewQuestion {
    game: GameName;
    trace: string;
    seat: number;
    base: string;
    thorough: Partial<ReviewOptions>;
}

/** What it answers, again and again. */
export interface ReviewAnswer {
    id: number;
    /** Steps that were looked at, and all of them. */
    done: number;
    steps: number;
    reviewed?: Reviewed | undefined;
    over?: boolean;
    error?: string;
}

/** The number of the answer to no question: the thread has begun. */
export const STARTED = 0;

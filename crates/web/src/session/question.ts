// Questions to the workers, and their answers.
import type { Advice, Compared, GameName, Reviewed, ReviewOptions, ViewJson } from "cardsharp";

/**
 * The player of a seat: the person here (`you`), an invited person (`guest`) or a bot. `best` is the trained bot at
 * full strength, and `search` adds a search. `scripted` and `random` need no network.
 */
export type Player = "you" | "guest" | "best" | "search" | "scripted" | "random" | `level ${number}`;

export const PLAYERS: Player[] = [
    "best",
    "search",
    ...([9, 8, 7, 6, 5, 4, 3, 2, 1] as const).map((level) => `level ${level}` as const),
    "scripted",
    "random",
];

/** Whether a text from a link or from storage is a `Player`. */
export function isPlayer(name: unknown): name is Player {
    return name === "you" || name === "guest" || PLAYERS.includes(name as Player);
}

/** A question to the worker of the bots. */
export interface Question {
    id: number;
    kind: "pick" | "advise" | "compare" | "ready";
    game: GameName;
    player: Player;
    seed: number;
    view?: ViewJson;
    /** For `compare`: two moves by their action numbers, and the number of deals. */
    moves?: readonly [number, number];
    deals?: number;
    /** The address of the page, to which the paths of the networks are relative. */
    base: string;
}

/** The answer to the question with the same id. */
export interface Answer {
    id: number;
    action?: number;
    advice?: Advice;
    compared?: Compared;
    error?: string;
}

/** A question to a worker that reviews a session. */
export interface ReviewQuestion {
    game: GameName;
    trace: string;
    seat: number;
    base: string;
    thorough: Partial<ReviewOptions>;
}

/** One of the many messages with which that worker answers. */
export interface ReviewAnswer {
    id: number;
    /** The number of reviewed steps; `steps` is the number of all steps. */
    done: number;
    steps: number;
    reviewed?: Reviewed | undefined;
    over?: boolean;
    error?: string;
}

/** The id of the message with which a worker says that it has started. */
export const STARTED = 0;

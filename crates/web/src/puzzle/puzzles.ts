// Puzzles: positions of sessions in which one move is clearly better than the move that most players would choose.
import { puzzlesFile } from "#place/puzzles";
import type { Reason, Rules } from "cardsharp";
import { titles, type Played } from "../games";

/** What a legal move is worth: means over the deals in which it was played out. */
export interface Valued {
    move: string;
    place: number;
    points: number;
    /** The share of the deals in which the seat finishes the round first. */
    first: number;
    /** What the move loses against the best one; absent for that one. */
    cost?: { mean: number; low: number; high: number };
    /** The exact result, where the rest of the round was solved. */
    exact?: number | null;
}

export interface Puzzle {
    number: number;
    /** The options that differ from the default rules. */
    rules: Partial<Rules>;
    seed: number;
    /** The labels of all moves before the position. */
    choices: string[];
    /** The seat that must decide. */
    seat: number;
    /** `exact` if the rest of the round was solved, so that the result is certain. */
    judge: "exact" | "search";
    deals: number;
    /** What ranks the moves: points, of which more are better, or the place. */
    unit: "points" | "place";
    /** The best moves. */
    best: string[];
    /** A wrong move that a weaker bot prefers. */
    tempting: string;
    moves: Valued[];
    /** Facts about `tempting` and the first best move, as in a review. */
    reasons: Reason[];
}

/** The version of the format of the files. */
const FORMAT = 1;

const DAY = 86_400_000;

/** The number of the day, in UTC. */
export const today = (): number => Math.floor(Date.now() / DAY);

/** The game of the day's puzzle: each game in turn. */
export function gameOfDay(day: number): Played {
    const games = [...titles().keys()];
    return games[day % games.length]!;
}

/** The puzzles of a game. */
export async function puzzles(game: Played): Promise<Puzzle[]> {
    const found = JSON.parse(await puzzlesFile(game)) as { format: number; game: string; puzzles: Puzzle[] };
    if (found.format !== FORMAT) throw new Error(`puzzles of ${game}: expected format ${FORMAT}, got ${found.format}`);
    if (found.puzzles.length === 0) throw new Error(`puzzles of ${game}: the list is empty`);
    return found.puzzles;
}

// Results of the person's sessions, stored in this browser only.
import { isPlayed, type Played } from "../games";
import { recall, remember } from "./memory";

const STORAGE = "cardsharp.statistics";

/** The completed sessions of a game, or its puzzles. */
type Tally = {
    played: number;
    won: number;
    /** Sessions won in a row, up to the last one. */
    streak: number;
    longest: number;
};

export interface Statistics extends Tally {
    puzzles?: Tally & {
        /** The day of the last puzzle of the day, in days since 1970, so that it counts once. */
        day?: number;
    };
}

/** The numbers of the sessions alone. */
export function tallyOf({ played, won, streak, longest }: Tally): Tally {
    return { played, won, streak, longest };
}

const NONE: Tally = { played: 0, won: 0, streak: 0, longest: 0 };

function counted(before: Tally, won: boolean): Tally {
    const streak = won ? before.streak + 1 : 0;
    return {
        played: before.played + 1,
        won: before.won + Number(won),
        streak,
        longest: Math.max(before.longest, streak),
    };
}

/** The statistics of all games; empty if none are stored, or if the stored text is not what this page writes. */
export function statistics(): Partial<Record<Played, Statistics>> {
    try {
        const kept = JSON.parse(recall(STORAGE) ?? "{}") as Record<string, Statistics>;
        return Object.fromEntries(
            Object.entries(kept).filter(
                ([game, { played, won, streak, longest }]) =>
                    isPlayed(game) && [played, won, streak, longest].every(Number.isInteger),
            ),
        );
    } catch {
        return {};
    }
}

/** Counts a completed session. */
export function count(game: Played, won: boolean): void {
    const all = statistics();
    all[game] = { ...all[game], ...counted(all[game] ?? NONE, won) };
    remember(STORAGE, JSON.stringify(all));
}

/** Counts a puzzle. `day` is set for the puzzle of the day, which counts once. */
export function countPuzzle(game: Played, solved: boolean, day?: number): void {
    const all = statistics();
    const before = all[game]?.puzzles;
    if (day !== undefined && before?.day === day) return;
    const last = day ?? before?.day;
    const puzzles = { ...counted(before ?? NONE, solved), ...(last !== undefined && { day: last }) };
    all[game] = { ...NONE, ...all[game], puzzles };
    remember(STORAGE, JSON.stringify(all));
}

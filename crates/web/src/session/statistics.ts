// Results of the person's sessions, stored in this browser only.
import { isPlayed, type Played } from "../games";
import { recall, remember } from "./memory";

const STORAGE = "cardsharp.statistics";

/** The completed sessions of a game. */
export interface Statistics {
    played: number;
    won: number;
    /** Sessions won in a row, up to the last one. */
    streak: number;
    longest: number;
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
    const before = all[game] ?? { played: 0, won: 0, streak: 0, longest: 0 };
    const streak = won ? before.streak + 1 : 0;
    all[game] = {
        played: before.played + 1,
        won: before.won + Number(won),
        streak,
        longest: Math.max(before.longest, streak),
    };
    remember(STORAGE, JSON.stringify(all));
}
